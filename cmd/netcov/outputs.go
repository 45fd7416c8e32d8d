package main

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"netcov/certify/evidence"
	"netcov/coverage/report"
)

// output is one form of the report and the file that it goes to, "" for standard
// output.
type output struct {
	format report.Format
	path   string
}

// formatHelp lists the forms for the help.
func formatHelp() string {
	var b strings.Builder
	for _, f := range report.Formats() {
		fmt.Fprintf(&b, "  %-9s %s\n", f.Name, f.Help)
	}
	return strings.TrimSuffix(b.String(), "\n") + "\n"
}

// form is one value of --format: a name, and the file that it goes to, "" for standard
// output.
type form struct{ name, path string }

// values splits the values of --format: a comma separates two where the name of a form
// follows, and stands in a file's name elsewhere.
func values(list, names []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, v := range list {
			whole := ""
			for i, part := range strings.Split(v, ",") {
				name, _, _ := strings.Cut(part, "=")
				known := slices.Contains(names, name)
				switch {
				case i == 0:
					whole = part
				case !known:
					whole += "," + part
				case !yield(whole):
					return
				default:
					whole = part
				}
			}
			if !yield(whole) {
				return
			}
		}
	}
}

// parseForms reads the values of --format, each the name of a form, and gives the file of
// -o to the form that names none.
func parseForms(list []string, file string, names []string) ([]form, error) {
	var out []form
	free := 0
	for v := range values(list, names) {
		name, path, named := strings.Cut(v, "=")
		if !slices.Contains(names, name) {
			return nil, usagef("--format %q: the forms are %s", name, strings.Join(names, ", "))
		}
		if named && path == "" {
			return nil, usagef("--format %s: name a file after the =, or leave it out", v)
		}
		if !named {
			path = file
			free++
		}
		out = append(out, form{name, path})
	}
	switch {
	case free > 1:
		return nil, usagef("several forms without a file: give all but one as --format NAME=FILE")
	case free == 0 && file != "":
		return nil, usagef("-o %s: each form names its file already", file)
	}
	for i := range out {
		for _, other := range out[:i] {
			if sameFile(out[i].path, other.path) {
				return nil, usagef("%s and %s need a file each", other.name, out[i].name)
			}
		}
	}
	return out, nil
}

// parseOutputs reads the values of --format of the commands that write a report of
// mutants.
func parseOutputs(list []string, file string) ([]output, error) {
	var names []string
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	forms, err := parseForms(list, file, names)
	var out []output
	for _, f := range forms {
		format, _ := report.FindFormat(f.name)
		out = append(out, output{format, f.path})
	}
	return out, err
}

// longestSource is the size, in bytes, up to which a source file is shown.
const longestSource = 4 << 20

// sourcesAmong returns the text of files that the user gave. A design can name any
// file of the machine as its source; no other one is read.
func sourcesAmong(paths []string) func(string) (string, bool) {
	return func(file string) (string, bool) {
		if !slices.ContainsFunc(paths, func(p string) bool { return filepath.Clean(p) == filepath.Clean(file) }) {
			return "", false
		}
		info, err := os.Stat(file)
		if err != nil || !info.Mode().IsRegular() || info.Size() > longestSource {
			return "", false
		}
		text, err := os.ReadFile(file)
		return string(text), err == nil
	}
}

// checkOutputs refuses outputs that overwrite what is read or each other, and reads
// what the report is judged with.
func (f *coverFlags) checkOutputs(paths []string) error {
	read := append(slices.Clone(paths), f.project)
	if err := f.spare(read...); err != nil {
		return err
	}
	for _, file := range f.files() {
		if sameFile(file, f.journal) {
			return usagef("the report and --journal need a file each")
		}
	}
	for _, o := range f.written() {
		flag, path := o.file()
		if err := spare(path, append(read, f.waivers, f.baseline)); err != nil {
			return err
		}
		if sameFile(path, f.journal) {
			return usagef("%s and --journal need a file each", flag)
		}
		for _, file := range f.files() {
			if sameFile(file, path) {
				return usagef("the report and %s need a file each", flag)
			}
		}
	}
	if f.witnessDir != "" {
		for _, p := range slices.Concat(f.files(), []string{f.journal}, paths) {
			if p != "" && sameFile(filepath.Dir(p), f.witnessDir) {
				return usagef("%s lies in the directory of --witness-dir, whose files are overwritten; choose another one", p)
			}
		}
	}
	return f.readBeside()
}

// makeOutputs makes the directories that are written to, and tells before the work
// what cannot be written.
func (f *coverFlags) makeOutputs() error {
	if err := f.probe(); err != nil {
		return err
	}
	if f.evidence != "" && f.witnessDir != "" && filepath.Clean(f.evidence) == filepath.Clean(f.witnessDir) {
		return usagef("--evidence and --witness-dir need a directory each")
	}
	if f.witnessDir != "" {
		if err := os.MkdirAll(f.witnessDir, 0o777); err != nil {
			return err
		}
	}
	for _, o := range f.written() {
		if err := o.prepare(); err != nil {
			return err
		}
	}
	if f.evidence != "" {
		if err := evidence.Ready(f.evidence); err != nil {
			return err
		}
	}
	return nil
}
