// Unpacks yosys' own files (its technology maps) beside the package. Newer
// versions of @yowasp/yosys keep them in archives, older ones in a module.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const modules = path.join(path.dirname(fileURLToPath(import.meta.url)), 'node_modules');
const from = path.join(modules, '@yowasp/yosys/gen');
const to = path.join(modules, '.share');

function write(tree, dir) {
  fs.mkdirSync(dir, { recursive: true });
  for (const [name, entry] of Object.entries(tree)) {
    const target = path.join(dir, name);
    if (entry instanceof URL) fs.copyFileSync(entry, target);
    else if (typeof entry === 'string' || entry instanceof Uint8Array) fs.writeFileSync(target, entry);
    else write(entry, target);
  }
}

fs.rmSync(to, { recursive: true, force: true });
const archives = fs.readdirSync(from).filter((name) => name.endsWith('.tar'));
if (archives.length > 0) {
  fs.mkdirSync(to);
  for (const name of archives) execFileSync('tar', ['-xf', path.join(from, name), '-C', to]);
} else {
  const { filesystem } = await import(pathToFileURL(path.join(from, 'resources-yosys.js')));
  write(filesystem.share, to);
}
