package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"netcov/certify/evidence"
	"netcov/coverage/claims"
	"netcov/coverage/report"
	"netcov/coverage/waiver"
	"netcov/internal/atomicfile"
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

// parseOutputs reads the values of --format, and gives the file of -o to the form
// that names none.
func parseOutputs(values []string, file string) ([]output, error) {
	var out []output
	free := 0
	for _, v := range values {
		name, path, named := strings.Cut(v, "=")
		f, known := report.FindFormat(name)
		if !known {
			var names []string
			for _, f := range report.Formats() {
				names = append(names, f.Name)
			}
			return nil, usagef("--format %q: the forms are %s", name, strings.Join(names, ", "))
		}
		if named && path == "" {
			return nil, usagef("--format %s: name a file after the =, or leave it out", v)
		}
		if !named {
			path = file
			free++
		}
		out = append(out, output{f, path})
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
				return nil, usagef("%s and %s need a file each", other.format.Name, out[i].format.Name)
			}
		}
	}
	return out, nil
}

// files lists the files that the report goes to.
func (f *coverFlags) files() []string {
	var out []string
	for _, o := range f.outputs {
		if o.path != "" {
			out = append(out, o.path)
		}
	}
	return out
}

// textOnTerminal reports whether the text form goes to standard output.
func (f *coverFlags) textOnTerminal() bool {
	for _, o := range f.outputs {
		if o.path == "" && o.format.Name == "text" {
			return true
		}
	}
	return false
}

// write writes all forms, whatever becomes of one of them, and returns the first
// error.
func (f *coverFlags) write(c *cobra.Command, r *report.Report, paths []string) error {
	var failed error
	how := report.Rendering{Rows: f.rows, HowAll: "--rows 0 shows all", Source: sourcesAmong(paths), Explain: f.howToExplain(c, paths)}
	for _, o := range f.outputs {
		to := func(w io.Writer) error { return o.format.Write(r, w, how) }
		if o.path == "" {
			screen := how
			screen.Brief = f.quiet
			screen.Width, screen.Colour = terminal(c.OutOrStdout())
			failed = cmp.Or(failed, o.format.Write(r, c.OutOrStdout(), screen))
			continue
		}
		if err := atomicfile.Write(o.path, to); err != nil {
			failed = cmp.Or(failed, fmt.Errorf("writing the report: %w", err))
		}
	}
	return failed
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
	for _, file := range f.files() {
		if err := spare(file, paths); err != nil {
			return err
		}
		if sameFile(file, f.journal) {
			return usagef("the report and --journal need a file each")
		}
	}
	if f.witnessDir != "" {
		for _, p := range slices.Concat(f.files(), []string{f.journal}, paths) {
			if p != "" && sameFile(filepath.Dir(p), f.witnessDir) {
				return usagef("%s lies in the directory of --witness-dir, whose files are overwritten; choose another one", p)
			}
		}
	}
	if f.regression && f.baseline == "" {
		return usagef("--fail-on-regression goes with --baseline")
	}
	var err error
	if f.waivers != "" {
		if f.waived, err = waiver.Read(f.waivers); err != nil {
			return err
		}
	}
	if f.baseline != "" {
		if f.old, err = claims.Open(f.baseline); err != nil {
			return err
		}
	}
	return nil
}

// makeOutputs makes the directories that are written to, and tells before the work
// what cannot be written.
func (f *coverFlags) makeOutputs() error {
	for _, file := range f.files() {
		if err := atomicfile.Probe(file); err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
	}
	if f.evidence != "" && f.witnessDir != "" && filepath.Clean(f.evidence) == filepath.Clean(f.witnessDir) {
		return usagef("--evidence and --witness-dir need a directory each")
	}
	if f.witnessDir != "" {
		if err := os.MkdirAll(f.witnessDir, 0o777); err != nil {
			return err
		}
	}
	if f.vcd != "" {
		if err := os.MkdirAll(f.vcd, 0o777); err != nil {
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
