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

	"netcov/internal/confine"
)

// run is yosys in a scratch folder.
type run struct {
	opt      Options
	dir      string
	src      *sources
	slang    slangForm // how slang is there, where it reads the sources
	warnings []string
}

// script runs one part in the folder of the texts.
func (r *run) script(ctx context.Context, name, text string) error {
	if err := os.WriteFile(r.path(name), []byte(text), 0o600); err != nil {
		return err
	}
	program := r.opt.Yosys
	if strings.ContainsRune(program, filepath.Separator) {
		if abs, err := filepath.Abs(program); err == nil { // the command runs in another folder
			program = abs
		}
	}
	args := []string{"-q", "-s", r.path(name)}
	if name == slangScript { // what slang says of a mistake is no error of yosys
		args = args[1:]
	}
	var said bytes.Buffer
	err := confine.Run(ctx, r.dir, r.opt.Memory, func(cmd *exec.Cmd) {
		cmd.Dir = r.path(sourceFolder)
		cmd.Stdout, cmd.Stderr = &said, &said
	}, program, args...)
	r.collectWarnings(said.String())
	limit := r.opt.Limit(ctx, "yosys", err)
	switch {
	case err == nil:
		return nil
	case limit != nil:
		return limit
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return &Error{
			What: fmt.Sprintf("cannot run yosys, which reads Verilog (%s: %v)", r.opt.Yosys, cause(err)),
			Cure: "install it (Debian and Ubuntu: apt-get install yosys; macOS: brew install yosys) or name the program",
		}
	}
	return r.src.yosysError(said.String(), err)
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
			r.warnings = append(r.warnings, r.src.restore(line))
		}
	}
}

var (
	placedError = regexp.MustCompile(`(?m)^(.+?):(\d+): ERROR: (.*)$`)
	plainError  = regexp.MustCompile(`(?m)^ERROR: (.*)$`)
	trailing    = regexp.MustCompile(` at (\S+?):(\d+)(\.\d+-\d+\.\d+)?[.!]?$`)
	somePlace   = regexp.MustCompile(`(netcov\.\d+\.v):(\d+)`)
	systemName  = regexp.MustCompile(`(\$[a-z]+)`)
	quotedName  = regexp.MustCompile("[`'](\\\\?[^`'\\s]+)'")
)

// yosysError makes one line of yosys' complaint, with its place in the sources.
func (s *sources) yosysError(said string, err error) error {
	e := &Error{What: "yosys failed: " + lastLine(said, err), Cure: "run it with the script to see more", Option: ScriptOption}
	if found := s.slangError(said); found != nil {
		return found
	}
	if m := placedError.FindStringSubmatch(said); m != nil {
		line, _ := strconv.Atoi(m[2])
		e = &Error{File: m[1], Line: line, What: "yosys: " + strings.TrimSpace(m[3])}
	} else if m := plainError.FindStringSubmatch(said); m != nil {
		e = &Error{What: "yosys: " + strings.TrimSpace(m[1])}
		p := trailing.FindStringSubmatch(m[1])
		if p == nil {
			p = somePlace.FindStringSubmatch(m[1])
		}
		if p != nil {
			e.File = p[1]
			e.Line, _ = strconv.Atoi(p[2])
		}
	} else if at, depth := s.deepest(); depth >= deepNesting {
		return &Error{
			File: at.file, Line: at.line, What: fmt.Sprintf("yosys failed, and brackets are nested %d deep here", depth),
			Cure: "break the expression up into several: slang reads some hundred levels, yosys' own parser more",
		}
	}
	if m := unknownParameter.FindStringSubmatch(e.What); m != nil {
		return &Error{What: fmt.Sprintf("the top module has no parameter %s", m[1]), Cure: "set one that it declares", Option: "Params"}
	}
	if cure, option := cureFor(e.What); cure != "" {
		e.Cure, e.Option = cure, option
	}
	s.explain(e)
	switch {
	case s.netlist != "":
		s.inNetlist(e)
	case e.Cure == "" && strings.Contains(e.What, "has no top module"):
		e.Cure = "give a file with a module"
	case e.Cure == "" && e.File == "":
		e.Cure = "correct the sources, or leave that part out with a define"
	case e.Cure == "":
		e.Cure = "correct the source there, or leave it out with a define"
	}
	return e
}

// deepNesting is the nesting of brackets from which on it may be what ended yosys: slang as
// WebAssembly ends at about 1000 levels without a word about the source.
const deepNesting = 500

// deepest finds where brackets are nested most.
func (s *sources) deepest() (at place, most int) {
	for i := range s.texts {
		depth := 0
		for _, t := range scan(&s.texts[i]) {
			switch t.text {
			case "(", "[", "{":
				if depth++; depth > most {
					at, most = t.place(), depth
				}
			case ")", "]", "}":
				depth--
			}
		}
	}
	return at, most
}

// inNetlist gives a complaint about a netlist its place and cure.
func (s *sources) inNetlist(e *Error) {
	if e.File == "" {
		e.File = s.netlist
		if m := netlistLine.FindStringSubmatch(e.What); m != nil {
			e.Line, _ = strconv.Atoi(m[1])
		}
	}
	if e.Cure == "" || e.Option == ScriptOption {
		e.Cure, e.Option = "give a whole netlist, as yosys writes it", ""
	}
}

// netlistLine is the place of a complaint about RTLIL or BLIF.
var netlistLine = regexp.MustCompile(`rror in line (\d+)`)

// unknownParameter is yosys' word for a parameter that the top module lacks.
var unknownParameter = regexp.MustCompile("Can't find object for defparam [`']\\\\?([A-Za-z0-9_$]+)")

// explain turns the place of a complaint into one of the files, and names the
// construct that the parser does not know.
func (s *sources) explain(e *Error) {
	if m := ownName.FindStringSubmatch(e.File); m != nil {
		text, _ := strconv.Atoi(m[1])
		line := e.Line
		if line == 0 {
			line = s.lineOf(text, e.What)
		}
		if strings.Contains(e.What, "syntax error") {
			if what, cure := s.construct(text, line); what != "" {
				e.Option = ""
				e.What, e.Cure = fmt.Sprintf("yosys does not read %s here (%s)", what, strings.TrimPrefix(e.What, "yosys: ")), cure
			}
		}
		if at, ok := s.origin(m[1], strconv.Itoa(line)); ok {
			e.File, e.Line = at.File, at.Line
		}
	}
	if strings.Contains(e.What, "yields non-constant value") && strings.Contains(e.What, "$past$") {
		e.What = "$past in a block with an asynchronous reset, of which yosys makes a register without a reset value"
		e.Cure = "keep the last value in a register of your own that the reset sets, or write the assertion in a block with the clock alone"
	}
	e.What = s.restore(e.What)
}

var ownName = regexp.MustCompile(`^netcov\.(\d+)\.v$`)

// lineOf finds the line of the first name that a message quotes and the text has,
// or of a system task.
func (s *sources) lineOf(text int, what string) int {
	if text < 1 || text > len(s.texts) {
		return 0
	}
	for _, m := range append(quotedName.FindAllStringSubmatch(what, -1), systemName.FindAllStringSubmatch(what, -1)...) {
		name := strings.TrimPrefix(m[1], `\`)
		t := &s.texts[text-1]
		for _, k := range scan(t) {
			if k.text == name {
				return 1 + strings.Count(string(t.Text[:k.start]), "\n")
			}
		}
	}
	return 0
}

// cureFor knows the complaints that users meet most, and the option that mends them.
func cureFor(what string) (cure, option string) {
	switch {
	case strings.Contains(what, "is not part of the design"):
		return "add the file of that module", ""
	case strings.Contains(what, "is a blackbox/whitebox module"):
		return "add its source, or leave the instance out with a define", ""
	case strings.Contains(what, "a cell with the same name was already created"):
		return "remove or change the label of the assert: another cell has it, or a loop gives it to several", ""
	case strings.Contains(what, "Can not open file") && strings.Contains(what, "$readmem"):
		return "write the whole name as one string: netcov gives yosys the files whose names stand in the sources", ""
	case strings.Contains(what, "not found!") && strings.Contains(what, "op module"), strings.Contains(what, "Module `") && strings.Contains(what, "not found"):
		return "name a module of the files", "Top"
	case strings.Contains(what, "Found error in internal cell"):
		return "write it with gates (techmap), or with the parameters of cells", ""
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
