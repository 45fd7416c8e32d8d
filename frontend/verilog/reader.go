// Which parser reads the sources: yosys' own, or slang (M. Popoloski), which yosys
// has built in or as a plugin in some of its forms. slang knows all of SystemVerilog
// that describes circuits; yosys' own parser is in every yosys, and is what most of
// this package is tested with. Both are given the same texts.

package verilog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"netcov/frontend/sva"
)

// The parsers. FrontendAuto takes slang for sources with a package, an interface,
// import, bind or a type parameter, and where yosys' own parser meets a syntax error;
// if there is no slang, it takes yosys.
const (
	FrontendAuto  = "auto"
	FrontendYosys = "yosys"
	FrontendSlang = "slang"
)

// Frontends lists them.
var Frontends = []string{FrontendAuto, FrontendYosys, FrontendSlang}

// slangForm says how a yosys has slang.
type slangForm int

const (
	withoutSlang slangForm = iota
	builtIn
	plugin
)

var slangForms sync.Map // path → slangForm

// slangIn asks a yosys for slang, once for each program.
func slangIn(ctx context.Context, program string) slangForm {
	if found, err := exec.LookPath(program); err == nil {
		program = found // another program of that name may come first later
	}
	if form, ok := slangForms.Load(program); ok {
		return form.(slangForm)
	}
	form := withoutSlang
	if exec.CommandContext(ctx, program, "-q", "-p", "slang_version").Run() == nil {
		form = builtIn
	} else if exec.CommandContext(ctx, program, "-q", "-m", "slang", "-p", "slang_version").Run() == nil {
		form = plugin
	}
	if ctx.Err() == nil {
		slangForms.Store(program, form)
	}
	return form
}

// findSlang returns the first yosys that has slang: of those that are looked for, or
// the one that the user names.
func (o Options) findSlang(ctx context.Context) (program string, form slangForm) {
	if o.named || os.Getenv(YosysVariable) != "" {
		return o.Yosys, slangIn(ctx, o.Yosys)
	}
	for _, c := range candidates() {
		if runnable(c.path) {
			if form := slangIn(ctx, c.path); form != withoutSlang {
				return c.path, form
			}
		}
	}
	return "", withoutSlang
}

// choose settles the parser before anything is read.
func (r *run) choose(ctx context.Context) error {
	wants := r.opt.Frontend == FrontendSlang || r.opt.Frontend != FrontendYosys && r.src.modern != nil
	if wants && r.takeSlang(ctx) {
		r.src.findBound()
		return nil
	}
	if r.opt.Frontend == FrontendSlang {
		return &Error{What: "no yosys with slang is there", Cure: "install one (make tools in the folder of netcov's sources, or OSS CAD Suite) or name the program", Option: "Yosys"}
	}
	err := r.src.bind()
	if err != nil && r.opt.Frontend != FrontendYosys && r.takeSlang(ctx) {
		r.src.findBound()
		return nil
	}
	return err
}

// takeSlang turns to a yosys with slang, if there is one.
func (r *run) takeSlang(ctx context.Context) bool {
	program, form := r.opt.findSlang(ctx)
	if form != withoutSlang {
		r.opt.Yosys, r.slang = program, form
	}
	return form != withoutSlang
}

// unparsed matches what yosys' own parser says where slang may read on: of text that it
// does not know, and of an immediate assertion with a label in a generate loop.
var unparsed = regexp.MustCompile(`syntax error|a cell with the same name was already created`)

// readSources reads the sources with the chosen parser. Under auto, what yosys does
// not parse goes to slang.
func (r *run) readSources(ctx context.Context) (part1, error) {
	if r.slang == withoutSlang {
		p, err := r.read(ctx, r.src.readCommand())
		var e *Error
		if err == nil || r.opt.Frontend == FrontendYosys || r.opt.Netlist != nil || r.src.flagged() || !errors.As(err, &e) || !unparsed.MatchString(e.What) || len(r.src.bound) > 0 || !r.takeSlang(ctx) {
			return p, err
		}
		r.warnings = nil
	}
	return r.readBySlang(ctx)
}

// readBySlang has slang read the sources, adds to yosys' text of the modules what
// slang leaves out, and runs part 1 on that.
func (r *run) readBySlang(ctx context.Context) (part1, error) {
	if err := r.src.writeForSlang(r.path(sourceFolder)); err != nil {
		return part1{}, err
	}
	raw := r.path("raw.il")
	text := r.slangCommand() + "\nwrite_rtlil \"" + raw + "\"\n"
	if err := r.script(ctx, slangScript, text); err != nil {
		return part1{}, err
	}
	if err := r.src.complete(raw); err != nil {
		return part1{}, err
	}
	r.opt.Params = nil // set by slang
	return r.read(ctx, "read_rtlil \""+raw+"\"")
}

// slangCommand returns the command with which slang reads the texts.
func (r *run) slangCommand() string {
	return r.slang.load() + slangOptions(r.opt) + r.src.names()
}

// load returns the command that loads a plugin.
func (f slangForm) load() string {
	if f == plugin {
		return "plugin -i slang\n"
	}
	return ""
}

// slangOptions begins the command: one compilation unit, as yosys has it, and no
// warnings, which are a linter's.
func slangOptions(o Options) string {
	command := strings.Join([]string{"read_slang -j 1", "--std", "1800-2017", "--keep-hierarchy", "--single-unit", "--disable-local-includes", "-Wnone"}, " ")
	if o.Top != "" {
		command = strings.Join([]string{command, "--top", quote(o.Top)}, " ")
	}
	for _, p := range o.Params {
		command += " -G " + p
	}
	return command
}

// slangScript is the name of the script in which slang reads.
const slangScript = "slang.ys"

var slangMistake = regexp.MustCompile(`(?m)^netcov\.(\d+)\.v:(\d+):(\d+): (?:fatal )?error: (.*?)(?: \[-W[\w-]+\])?$`)

// slangError makes one line of slang's first complaint, nil where there is none.
func (s *sources) slangError(said string) *Error {
	all := slangMistake.FindAllStringSubmatch(said, -1)
	if len(all) == 0 {
		return nil
	}
	e := &Error{What: "slang: " + s.restore(all[0][4]), Cure: "correct the source there, or leave it out with a define"}
	if more := len(all) - 1; more > 0 {
		e.What += fmt.Sprintf(" (%d more errors)", more)
	}
	if at, ok := s.origin(all[0][1], all[0][2]); ok {
		e.File, e.Line = at.File, at.Line
		e.Column, _ = strconv.Atoi(all[0][3])
	}
	return e
}

// writeForSlang writes the texts without what only yosys' parser knows.
func (s *sources) writeForSlang(dir string) error {
	s.initial = make([][][2]int, len(s.texts))
	for i := range s.texts {
		t := &s.texts[i]
		t.Text = eventually.ReplaceAllFunc(t.Text, immediate)
		tokens := scan(t)
		if err := refuseDirectives(tokens); err != nil {
			return err
		}
		t.Text = blankDelays(t.Text, tokens)
		text, spans := initialProperties(string(t.Text), tokens)
		t.Text, s.initial[i] = []byte(text), spans
		if err := os.WriteFile(filepath.Join(dir, sourceName(i)), t.Text, 0o600); err != nil {
			return err
		}
	}
	s.index()
	return nil
}

// eventually is a checker's property of liveness, which slang does not read. It
// becomes an immediate one, and complete makes it one of liveness again.
var eventually = regexp.MustCompile(`((?:[A-Za-z_]\w*\s*:\s*)?)\b(assert|assume) property \(s_eventually (` + sva.Prefix + `\w+(?:` + sva.LiveSuffix + `|` + sva.FairSuffix + `))\);`)

// immediate makes such a property an immediate one of the same length.
func immediate(property []byte) []byte {
	m := eventually.FindSubmatch(property)
	text := fmt.Sprintf("always @* %s%s (%s);", m[1], m[2], m[3])
	return fmt.Appendf(nil, "%-*s", len(property), text)
}

// refuseDirectives refuses all directives but those that the preprocessor leaves:
// slang would act on others.
func refuseDirectives(tokens []token) error {
	for _, t := range tokens {
		if strings.HasPrefix(t.text, "`") && t.text != "`default_nettype" {
			return refuse(t.place(), "remove it", "the directive %s is not supported", t.text)
		}
	}
	return nil
}
