// Libraries: a module that the sources use and do not have is looked for in the
// folders of -y, as a file of its name, and in the files of -v. What is found is read
// as one more source, and may miss modules of its own.

package verilog

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"netcov/frontend/verilog/preprocess"
)

// defaultExts are the ends of names in folders of -y.
var defaultExts = []string{".v", ".sv"}

// fromLibraries returns the files of libraries that have a module, an interface or a
// package which the texts use and do not have.
func (o *Options) fromLibraries(texts []preprocess.Text) ([]string, error) {
	if len(o.LibDirs)+len(o.LibFiles) == 0 {
		return nil, nil
	}
	has := map[string]bool{}
	var uses []string
	for i := range texts {
		tokens := scan(&texts[i])
		for _, name := range defined(tokens) {
			has[name] = true
		}
		uses = append(uses, used(tokens)...)
	}
	var found []string
	for _, name := range uses {
		if has[name] {
			continue
		}
		has[name] = true
		path, err := o.moduleFile(name)
		if err != nil {
			return nil, err
		}
		if path != "" && !slices.Contains(found, path) && !slices.Contains(o.Files, path) {
			found = append(found, path)
		}
	}
	return found, nil
}

// moduleFile returns the file of a module, "" where there is none.
func (o *Options) moduleFile(name string) (string, error) {
	exts := o.LibExts
	if exts == nil {
		exts = defaultExts
	}
	for _, dir := range o.LibDirs {
		for _, ext := range exts {
			if path := filepath.Join(dir, name+ext); exists(path) {
				return path, nil
			}
		}
	}
	for _, path := range o.LibFiles {
		data, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		text := preprocess.Text{Text: data, Lines: make([]preprocess.Place, 1+strings.Count(string(data), "\n"))}
		if slices.Contains(defined(scan(&text)), name) {
			return path, nil
		}
	}
	return "", nil
}

// defined lists the modules, interfaces and packages that a text has.
func defined(tokens []token) []string {
	var names []string
	for i, t := range tokens {
		switch t.text {
		case "module", "macromodule", "interface", "package":
			name := textAt(tokens, i+1)
			if name == "automatic" || name == "static" {
				name = textAt(tokens, i+2)
			}
			names = append(names, strings.TrimPrefix(name, `\`))
		}
	}
	return names
}

// used lists the names that may be those of modules, interfaces or packages: before
// another name, before #, before :: and before the dot of a modport.
func used(tokens []token) []string {
	var names []string
	for i, t := range tokens {
		if !isName(t.text) || textAt(tokens, i-1) == "." {
			continue
		}
		next := textAt(tokens, i+1)
		if isName(next) || next == "#" || next == "." || next == ":" && textAt(tokens, i+2) == ":" {
			names = append(names, strings.TrimPrefix(t.text, `\`))
		}
	}
	return names
}
