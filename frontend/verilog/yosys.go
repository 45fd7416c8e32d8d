// Running yosys and making one line of what it says when it fails.

package verilog

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// run is yosys in a scratch folder.
type run struct {
	opt      Options
	dir      string
	warnings []string
}

// script runs one part in the user's folder, so that file names are as given.
func (r *run) script(ctx context.Context, name, text string) error {
	if err := os.WriteFile(r.path(name), []byte(text), 0o600); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, r.opt.Timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, r.opt.Yosys, "-q", "-s", r.path(name))
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.WaitDelay = 2 * time.Second
	err := cmd.Run()
	r.collectWarnings(said.String())
	switch {
	case err == nil:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return &Error{What: fmt.Sprintf("yosys did not finish in %v", r.opt.Timeout), Cure: "allow it more time, or shrink the design's memories and widths by parameters"}
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return &Error{
			What: fmt.Sprintf("cannot run yosys, which reads Verilog (%s: %v)", r.opt.Yosys, cause(err)),
			Cure: "install it (Debian and Ubuntu: apt-get install yosys; macOS: brew install yosys) or name the program",
		}
	}
	return yosysError(said.String(), err)
}

// cause strips what os/exec puts around the reason.
func cause(err error) error {
	var e *exec.Error
	if errors.As(err, &e) {
		return e.Err
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

func (r *run) path(name string) string { return filepath.Join(r.dir, name) }

func (r *run) collectWarnings(said string) {
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if at := strings.Index(line, "Warning: "); at >= 0 {
			r.warnings = append(r.warnings, line)
		}
	}
}

var (
	placedError = regexp.MustCompile(`(?m)^(.+?):(\d+): ERROR: (.*)$`)
	plainError  = regexp.MustCompile(`(?m)^ERROR: (.*)$`)
	trailing    = regexp.MustCompile(` at (\S+?):(\d+)(\.\d+-\d+\.\d+)?[.!]?$`)
)

// yosysError makes one line of yosys' complaint, with its place.
func yosysError(said string, err error) error {
	e := &Error{What: "yosys failed: " + lastLine(said, err), Cure: "run it with the script to see more", Option: ScriptOption}
	if m := placedError.FindStringSubmatch(said); m != nil {
		line, _ := strconv.Atoi(m[2])
		e = &Error{File: m[1], Line: line, What: "yosys: " + strings.TrimSpace(m[3])}
	} else if m := plainError.FindStringSubmatch(said); m != nil {
		e = &Error{What: "yosys: " + strings.TrimSpace(m[1])}
		if p := trailing.FindStringSubmatch(m[1]); p != nil {
			e.File = p[1]
			e.Line, _ = strconv.Atoi(p[2])
		}
	}
	if cure, option := cureFor(e.What); cure != "" {
		e.Cure, e.Option = cure, option
	} else if e.Cure == "" {
		e.Cure = "correct the source there, or leave it out with a define"
	}
	return e
}

// cureFor knows the complaints that users meet most, and the option that mends them.
func cureFor(what string) (cure, option string) {
	switch {
	case strings.Contains(what, "unexpected '@'"), strings.Contains(what, "TOK_PROPERTY"), strings.Contains(what, "|->"),
		strings.Contains(what, "TOK_CLOCKING"), strings.Contains(what, "TOK_FINAL"), strings.Contains(what, "TOK_DISABLE"):
		return "concurrent assertions are read in the source files themselves, not in macros and included files: write it there, or as assert in a clocked always block", ""
	case strings.Contains(what, "is not part of the design"):
		return "add the file of that module", ""
	case strings.Contains(what, "is a blackbox/whitebox module"):
		return "add its source, or leave the instance out with a define", ""
	case strings.Contains(what, "a cell with the same name was already created"):
		return "remove or change the label of the assert: another cell has it, or a loop gives it to several", ""
	case strings.Contains(what, "Can't open include file"):
		return "add its directory", "Include"
	case strings.Contains(what, "not found!") && strings.Contains(what, "op module"), strings.Contains(what, "Module `") && strings.Contains(what, "not found"):
		return "name a module of the files", "Top"
	case strings.Contains(what, "without Verific"):
		return "verific is a commercial parser; read the files with read_verilog", ""
	}
	return "", ""
}

func lastLine(said string, err error) string {
	lines := strings.Split(strings.TrimSpace(said), "\n")
	if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
		return last
	}
	return err.Error()
}
