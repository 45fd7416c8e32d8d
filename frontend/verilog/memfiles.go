// The files that $readmemh and $readmemb read. A file is looked for in the working
// folder, then beside the source. yosys gets a copy: under the same name where that
// stays inside of its folder, else under a name of this package, which takes the
// place of the string in the text.

package verilog

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"netcov/frontend/verilog/preprocess"
)

// memoryFile is a copy for yosys.
type memoryFile struct {
	name string // below the folder in which yosys runs
	from string // the file
	data []byte
}

// folders returns those of the sources and of included files.
func folders(o Options) []string {
	dirs := append([]string(nil), o.Include...)
	for _, f := range o.Files {
		dirs = append(dirs, filepath.Dir(f))
	}
	return dirs
}

// findMemories copies the files that the strings of a text name, if the text reads
// memories at all: a name can come through a parameter.
func (s *sources) findMemories(t *preprocess.Text, tokens []token, own []string) error {
	reads := false
	for _, k := range tokens {
		reads = reads || k.text == "$readmemh" || k.text == "$readmemb"
	}
	if !reads {
		return nil
	}
	var text strings.Builder
	done := 0
	for i, k := range tokens {
		if len(k.text) < 3 || k.text[0] != '"' || strings.Contains(k.text, `\`) {
			continue
		}
		direct := textAt(tokens, i-1) == "(" && strings.HasPrefix(textAt(tokens, i-2), "$readmem")
		name := k.text[1 : len(k.text)-1]
		path := s.memoryPath(name, k.at.File)
		if path == "" {
			if direct {
				return refuse(k.place(), "name it as seen from the working folder or from the source", "%s: there is no file %q", textAt(tokens, i-2), name)
			}
			continue
		}
		data, err := s.readMemory(path)
		if err != nil {
			if direct {
				return refuse(k.place(), "name another file", "%s: %v", textAt(tokens, i-2), err)
			}
			continue
		}
		copied := s.addMemory(name, path, data, own, k)
		if copied != name {
			text.Write(t.Text[done:k.start])
			text.WriteString(`"` + copied + `"`)
			done = k.end
		}
	}
	if done > 0 {
		text.Write(t.Text[done:])
		t.Text = []byte(text.String())
	}
	return nil
}

// readMemory returns the bytes of a file.
func (s *sources) readMemory(path string) ([]byte, error) {
	if s.folder != nil {
		if data, ok := s.folder.Text(path); ok {
			return data, nil
		}
	}
	return preprocess.ReadFile(path)
}

// memoryPath returns the file of a name, "" where there is none.
func (s *sources) memoryPath(name, source string) string {
	if s.folder != nil {
		return s.folder.Find(name, source, nil)
	}
	for _, path := range []string{name, filepath.Join(filepath.Dir(source), name)} {
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path
		}
	}
	return ""
}

// addMemory returns the name under which yosys finds the copy.
func (s *sources) addMemory(name, path string, data []byte, own []string, at token) string {
	free := filepath.IsLocal(name) && filepath.Clean(name) == name && !strings.HasPrefix(name, "netcov.")
	for _, m := range s.memories {
		if m.from == path && (m.name == name || !free) {
			return m.name
		}
		free = free && m.name != name && !strings.HasPrefix(m.name, name+"/") && !strings.HasPrefix(name, m.name+"/")
	}
	if s.folder == nil && outside(path, append(own, ".")) {
		s.notes = append(s.notes, fmt.Sprintf("%s:%d reads %s, which lies outside of the folders of the sources", at.at.File, at.at.Line, path))
	}
	if !free {
		name = fmt.Sprintf("netcov.%d.mem", len(s.memories))
	}
	s.memories = append(s.memories, memoryFile{name, path, data})
	return name
}

// outside reports whether a file lies in none of the folders.
func outside(path string, dirs []string) bool {
	real := resolve(path)
	for _, d := range dirs {
		if rel, err := filepath.Rel(resolve(d), real); err == nil && filepath.IsLocal(rel) {
			return false
		}
	}
	return true
}

// resolve follows links, as far as that is possible.
func resolve(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}
