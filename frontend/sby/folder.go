// The folder in which a project's script runs: SymbiYosys copies the listed files there.
// Here they stay where they are, and names lead to them.

package sby

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// folder implements preprocess.Folder.
type folder struct {
	root  string            // where the folder would be; names with .. are relative to it
	paths map[string]string // name → file or folder on the disk
	texts map[string][]byte // shown name → text
	names map[string]string // shown name or path → name
}

// newFolder lists the files of a project.
func newFolder(p *project) (*folder, error) {
	home := filepath.Dir(p.path)
	work := strings.TrimSuffix(filepath.Base(p.path), filepath.Ext(p.path))
	if p.task != "" {
		work += "_" + p.task
	}
	f := &folder{root: filepath.Join(home, work, "src"), paths: map[string]string{}, texts: map[string][]byte{}, names: map[string]string{}}
	for _, e := range p.files {
		if e.source == "" {
			shown := p.path + "/" + e.name
			f.paths[e.name], f.texts[shown], f.names[shown] = shown, e.text, e.name
			continue
		}
		path, err := expand(e.source, filepath.Dir(f.root))
		if err != nil {
			return nil, p.refuse(line{no: e.no}, "set it, or write the name", "%v", err)
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(home, path)
		}
		if _, err := os.Stat(path); err != nil {
			return nil, p.refuse(line{no: e.no}, "correct the name: it is relative to the folder of the project", "there is no file %s", path)
		}
		f.paths[e.name], f.names[path] = path, e.name
	}
	return f, nil
}

// expand replaces variables of the environment, and a ~ in front. SymbiYosys itself sets
// WORKDIR.
func expand(name, work string) (string, error) {
	missing := ""
	path := os.Expand(name, func(v string) string {
		if v == "WORKDIR" {
			return absolute(work)
		}
		value, ok := os.LookupEnv(v)
		if !ok {
			missing = v
		}
		return value
	})
	if missing != "" {
		return "", fmt.Errorf("the variable %s of the environment is not set", missing)
	}
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		path = filepath.Join(home, rest)
	}
	return path, nil
}

// file returns the file of a name in the script, "" where there is none.
func (f *folder) file(name string) string {
	if filepath.IsAbs(name) {
		return onDisk(name)
	}
	name = filepath.Clean(name)
	for at, rest := name, ""; at != "."; at = filepath.Dir(at) {
		if path, ok := f.paths[at]; ok {
			path = filepath.Join(path, rest)
			if _, ok := f.texts[path]; ok {
				return path
			}
			return onDisk(path)
		}
		rest = filepath.Join(filepath.Base(at), rest)
		if !filepath.IsLocal(at) {
			break
		}
	}
	if filepath.IsLocal(name) {
		return "" // not listed
	}
	return onDisk(filepath.Join(f.root, name))
}

func onDisk(path string) string {
	if info, err := os.Stat(path); err != nil || info.IsDir() {
		return ""
	}
	return path
}

// Find returns the file that a name means in a source: as seen from the folder, then
// beside the source, then in the folders for included files.
func (f *folder) Find(name, source string, include []string) string {
	dirs := []string{"."}
	if at, ok := f.names[source]; ok {
		dirs = append(dirs, filepath.Dir(at))
	} else {
		dirs = append(dirs, absolute(filepath.Dir(source)))
	}
	for _, dir := range append(dirs, include...) {
		if filepath.IsAbs(name) {
			dir = ""
		}
		if path := f.file(filepath.Join(dir, name)); path != "" {
			return path
		}
	}
	return ""
}

// absolute makes the folder of a file of the disk one that file takes for such.
func absolute(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		return abs
	}
	return dir
}

// Text returns a text of the project.
func (f *folder) Text(file string) ([]byte, bool) {
	text, ok := f.texts[file]
	return text, ok
}
