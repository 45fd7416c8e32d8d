// Runs yosys as the npm package @yowasp/yosys brings it: a WebAssembly program
// that calls the system through WASI (preview 1), which Node provides. The
// program reads and writes the files of this machine; it can start no other.
//
// WASI knows no working directory: the library in the program drops the first
// slash of an absolute name, so that /tmp/a.v and tmp/a.v arrive alike. Which one
// is meant follows from the folders that the arguments and scripts name; a name in
// none of them is looked up in the working directory, then from the root.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { WASI } from 'node:wasi';

const here = path.dirname(fileURLToPath(import.meta.url));
const program = path.join(here, 'node_modules/@yowasp/yosys/gen/yosys.core.wasm');
const share = path.join(here, 'node_modules/.share');
const page = 65536;

// resolver returns the function that turns a name, as it arrives, into one below
// the root.
function resolver(args, cwd) {
  const absolute = new Set();
  const named = new Set();
  const note = (word) => {
    word = word.replace(/^-[A-Za-z](?=[./])/, '').replace(/^"|"$/g, '');
    if (word.startsWith('/')) absolute.add(path.dirname(word).slice(1)).add(word.slice(1));
    else named.add(word);
  };
  const noteAll = (text) => (text.match(/"[^"\n]*"|[^\s;]+/g) ?? []).forEach(note);
  for (const arg of args) {
    note(arg);
    noteAll(arg); // the commands after -p
    if (!arg.endsWith('.ys')) continue;
    try { noteAll(fs.readFileSync(arg, 'utf8')); } catch { } // yosys says what is wrong
  }
  const below = (name) => {
    for (let at = name.length; at > 0; at = name.lastIndexOf('/', at - 1)) {
      if (absolute.has(name.slice(0, at))) return true;
    }
    return false;
  };
  return (name) => {
    if (name.startsWith('share/') && !named.has(name)) {
      const own = path.join(share, name.slice('share/'.length));
      if (fs.existsSync(own)) return own;
    }
    const root = '/' + name;
    if (below(name)) return root;
    const local = cwd + '/' + name;
    for (const there of [fs.existsSync, (p) => fs.existsSync(path.dirname(p))]) {
      if (there(local)) return local;
      if (there(root)) return root;
    }
    return local;
  };
}

// Calls of WASI that take names: the positions of each name's address and length.
const calls = {
  path_create_directory: [1],
  path_filestat_get: [2],
  path_open: [2],
  path_readlink: [1],
  path_remove_directory: [1],
  path_rename: [1, 4],
  path_unlink_file: [1],
};

async function main(args) {
  const resolve = resolver(args, process.cwd());
  const wasi = new WASI({ version: 'preview1', args: ['yosys', ...args], env: {}, preopens: { '/': '/' }, returnOnExit: true });
  const imports = wasi.getImportObject();
  let memory;
  let room = 0; // a page of the program's memory for the names that it gets instead
  for (const [call, positions] of Object.entries(calls)) {
    const original = imports.wasi_snapshot_preview1[call];
    imports.wasi_snapshot_preview1[call] = (...operands) => {
      room ||= memory.grow(1) * page;
      let next = room;
      for (const at of positions) {
        const bytes = new Uint8Array(memory.buffer);
        const name = new TextDecoder().decode(bytes.slice(operands[at], operands[at] + operands[at + 1]));
        const real = new TextEncoder().encode(resolve(name).replace(/^\/+/, '') || '.');
        if (next + real.length > room + page) return 37; // ENAMETOOLONG
        bytes.set(real, next);
        operands[at] = next;
        operands[at + 1] = real.length;
        next += real.length;
      }
      return original(...operands);
    };
  }
  let module;
  try {
    module = await WebAssembly.compile(fs.readFileSync(program));
  } catch (e) {
    console.error(`ERROR: cannot load ${program} with Node ${process.version}: ${e.message}`);
    return 1;
  }
  const instance = await WebAssembly.instantiate(module, imports);
  memory = instance.exports.memory;
  return wasi.start(instance);
}

process.exitCode = await main(process.argv.slice(2));
