// The script of a project, which is one of yosys: its commands are understood, not run.

package sby

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"netcov/frontend/verilog"
)

// script is what is known of a script.
type script struct {
	p       *project
	folder  *folder
	files   []string // in the order in which they are read
	reads   []verilog.Reading
	vhdl    []string // in the place of files
	include []string
	define  []string // macros for the next file and all after it
	undef   []string
	top     line // the name, and where it stands
	params  []string
	clocks  bool     // the script asks for several clocks
	early   bool     // and that assumptions hold in each step
	flat    bool     // it has flattened the design
	formal  []string // commands that change properties
	changed line     // the last of these
	left    []string // commands that the front end replaces, once each
	ignored []string // commands that write files, once each
}

// run understands all commands of a script.
func (s *script) run(lines []line) error {
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		for strings.HasSuffix(l.text, `\`) && i+1 < len(lines) {
			i++
			l.text = strings.TrimSuffix(l.text, `\`) + " " + lines[i].text
		}
		commands, err := s.split(l)
		if err != nil {
			return err
		}
		for _, words := range commands {
			if end, ok := strings.CutPrefix(words[len(words)-1], "<<"); ok && end != "" {
				from := i + 1
				for i++; i < len(lines) && strings.TrimSpace(lines[i].text) != end; i++ {
				}
				if i >= len(lines) {
					return s.p.refuse(l, "add a line with "+end, "the text after <<%s has no end", end)
				}
				words[len(words)-1] = s.here(l, lines[from:i])
			}
			if err := s.command(l, words); err != nil {
				return err
			}
		}
	}
	return nil
}

// here makes a file of a text in the script, and returns its name.
func (s *script) here(at line, lines []line) string {
	name := fmt.Sprintf("script-line-%d.v", at.no)
	shown := s.p.path + "/" + name
	var text strings.Builder
	for _, l := range lines {
		text.WriteString(l.text + "\n")
	}
	s.folder.paths[name], s.folder.texts[shown], s.folder.names[shown] = shown, []byte(text.String()), name
	return name
}

var word = regexp.MustCompile(`"[^"]*"|;|[^\s;"]+`)

// split returns the commands of a line, each as its words.
func (s *script) split(l line) ([][]string, error) {
	var commands [][]string
	var now []string
	for _, w := range word.FindAllString(l.text, -1) {
		if w[0] == '#' {
			break
		}
		if w == ";" {
			if len(now) > 0 {
				commands = append(commands, now)
			}
			now = nil
			continue
		}
		if w[0] == '!' && len(now) == 0 {
			return nil, s.p.refuse(l, "remove it: netcov runs no command of a project", "%q is a command of the shell", w)
		}
		now = append(now, strings.Trim(w, `"`))
	}
	if len(now) > 0 {
		commands = append(commands, now)
	}
	return commands, nil
}

// preparing are commands that make a netlist ready for engines without a change of its
// meaning: the front end does the like, in its own way.
var preparing = map[string]bool{
	"proc": true, "flatten": true, "clean": true, "check": true, "stat": true, "simplemap": true, "techmap": true, "wreduce": true, "share": true,
	"alumacc": true, "pmuxtree": true, "async2sync": true, "dffunmap": true, "dfflegalize": true, "formalff": true, "tribuf": true, "splitnets": true,
	"opt": true, "opt_clean": true, "opt_expr": true, "opt_merge": true, "opt_muxtree": true, "opt_reduce": true, "opt_share": true, "opt_dff": true,
	"memory": true, "memory_map": true, "memory_collect": true, "memory_dff": true, "memory_nordff": true, "memory_share": true, "memory_unpack": true, "memory_memx": true,
	"peepopt": true, "uniquify": true, "autoname": true, "log": true, "ls": true, "dump": true,
}

func (s *script) command(l line, words []string) error {
	name, args := words[0], words[1:]
	switch {
	case name == "read":
		return s.read(l, args)
	case name == "read_verilog":
		return s.readFiles(l, name, args, verilog.Reading{Design: true, Old: true})
	case name == "verific":
		return s.verific(l, args)
	case name == "verilog_defines":
		return s.defines(l, args)
	case name == "prep" || name == "hierarchy":
		return s.hierarchy(l, name, args)
	case name == "chparam":
		return s.chparam(l, args)
	case name == "ghdl":
		return s.ghdl(l, args)
	case name == "plugin" && loads(args):
		return nil
	case name == "clk2fflogic":
		s.clocks = true
		return nil
	case name == "setundef" && slices.Contains(args, "-undriven") && slices.Contains(args, "-anyseq"):
	case name == "chformal":
		return s.chformal(l, args)
	case preparing[name] && !slices.ContainsFunc(args, func(a string) bool { return a == "-map" || !strings.HasPrefix(a, "-") }):
	case strings.HasPrefix(name, "write_"):
		s.ignored = once(s.ignored, name)
		return nil
	case name == "exec" || name == "script" || name == "tcl" || name == "plugin" || name == "shell" || name == "bugpoint" || name == "abc":
		return s.p.refuse(l, "remove it: netcov runs no program of a project", "the command %s runs programs", name)
	case strings.HasPrefix(name, "read_"):
		return s.p.refuse(l, "read Verilog, or give the other file to netcov by itself", "the command %s: of a script, netcov reads Verilog only", name)
	default:
		return s.p.mayChange(l, strings.Join(words, " "))
	}
	s.flat = s.flat || name == "flatten"
	s.left = once(s.left, name)
	return nil
}

// once adds a name to a list that has it not.
func once(list []string, name string) []string {
	if slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}

// languages are the first options of read and verific, and how files are then read.
var languages = map[string]verilog.Reading{
	"-formal": {}, "-sv": {Design: true}, "-sv2005": {Design: true}, "-sv2009": {Design: true}, "-sv2012": {Design: true}, "-sv2017": {Design: true},
	"-vlog95": {Design: true, Old: true}, "-vlog2k": {Design: true, Old: true},
}

func (s *script) read(l line, args []string) error {
	if len(args) == 0 {
		return s.p.refuse(l, "write read -formal FILE", "read without an argument")
	}
	if r, ok := languages[args[0]]; ok {
		return s.readFiles(l, "read", args[1:], r)
	}
	switch args[0] {
	case "-verific", "-noverific":
		return nil
	case "-define":
		for _, d := range args[1:] {
			s.define = append(s.define, strings.TrimPrefix(d, "-D"))
		}
		return nil
	case "-undef":
		s.undef = append(s.undef, args[1:]...)
		return nil
	case "-incdir":
		s.include = append(s.include, args[1:]...)
		return nil
	}
	return s.p.refuse(l, "netcov takes read -formal, -sv, -sv2012, -vlog2k, -define, -undef and -incdir", "read %s is not supported", args[0])
}

// verific understands the commercial reader's commands that read has, too.
func (s *script) verific(l line, args []string) error {
	if len(args) > 0 {
		if r, ok := languages[args[0]]; ok {
			return s.readFiles(l, "verific", args[1:], r)
		}
		switch {
		case args[0] == "-vlog-define":
			s.define = append(s.define, args[1:]...)
			return nil
		case args[0] == "-vlog-undef":
			s.undef = append(s.undef, args[1:]...)
			return nil
		case args[0] == "-vlog-incdir":
			s.include = append(s.include, args[1:]...)
			return nil
		case strings.HasPrefix(args[0], "-set-"):
			return nil
		case args[0] == "-import":
			if last := args[len(args)-1]; !strings.HasPrefix(last, "-") {
				s.top = line{last, l.no}
			}
			return nil
		}
	}
	return s.p.refuse(l, "netcov takes verific -sv, -formal, -vlog-define, -vlog-incdir and -import", "verific %s is not supported", strings.Join(args[:min(1, len(args))], ""))
}

// passed are the options of read_verilog that go on to yosys.
var passed = []string{"-noassert", "-noassume", "-norestrict", "-assume-asserts", "-assert-assumes", "-mem2reg", "-nomem2reg", "-nolatches", "-noautowire", "-icells"}

// readFiles understands options and files of a reading command.
func (s *script) readFiles(l line, command string, args []string, r verilog.Reading) error {
	var files []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		value := func(flag string) (string, error) {
			if a != flag {
				return a[len(flag):], nil
			}
			if i++; i >= len(args) {
				return "", s.p.refuse(l, "write it on the same line", "%s %s without a value", command, flag)
			}
			return args[i], nil
		}
		switch {
		case a == "-sv":
			r.Old = false
		case a == "-formal":
			r.Design = false
		case a == "-defer" || a == "-nopwires" || a == "-nooverwrite":
		case strings.HasPrefix(a, "-D"):
			v, err := value("-D")
			if err != nil {
				return err
			}
			r.Local = append(r.Local, v)
		case strings.HasPrefix(a, "-I"):
			v, err := value("-I")
			if err != nil {
				return err
			}
			s.include = append(s.include, v)
		case slices.Contains(passed, a):
			r.Flags = append(r.Flags, a)
		case strings.HasPrefix(a, "-"):
			return s.p.refuse(l, "remove it", "%s %s is not supported", command, a)
		default:
			file := s.folder.file(a)
			if file == "" {
				return s.p.refuse(l, "list it in [files]", "there is no file %s in the project", a)
			}
			files = append(files, file)
		}
	}
	for _, f := range files {
		each := r
		each.Define, each.Undefine = s.define, s.undef
		s.define, s.undef = nil, nil
		s.files, s.reads = append(s.files, f), append(s.reads, each)
	}
	return nil
}

func (s *script) defines(l line, args []string) error {
	for i := 0; i < len(args); i++ {
		kind, rest := args[i], ""
		if len(kind) > 2 {
			kind, rest = kind[:2], kind[2:]
		} else if i+1 < len(args) {
			i++
			rest = args[i]
		}
		switch {
		case kind == "-D" && rest != "":
			s.define = append(s.define, rest)
		case kind == "-U" && rest != "":
			s.undef = append(s.undef, rest)
		default:
			return s.p.refuse(l, "write -D NAME, -D NAME=VALUE or -U NAME", "verilog_defines %s is not supported", args[i])
		}
	}
	return nil
}

// hierarchy understands what prep and hierarchy say of the top module.
func (s *script) hierarchy(l line, command string, args []string) error {
	for i := 0; i < len(args); i++ {
		values := map[string]int{"-top": 1, "-chparam": 2}[args[i]]
		if i+values >= len(args) {
			return s.p.refuse(l, "write it on the same line", "%s %s without a value", command, args[i])
		}
		switch args[i] {
		case "-top":
			s.top = line{strings.TrimPrefix(args[i+1], `\`), l.no}
		case "-chparam":
			s.params = append(s.params, args[i+1]+"="+args[i+2])
		case "-flatten":
			s.flat = true
		case "-check", "-simcheck", "-smtcheck", "-auto-top", "-nordff", "-rdff", "-ifx", "-memx", "-nomem", "-norom", "-nokeepdc", "-keepdc", "-noopt":
		default:
			return s.p.refuse(l, "netcov takes -top, -chparam, -flatten and the like", "%s %s is not supported", command, args[i])
		}
		i += values
	}
	if command == "prep" {
		s.left = once(s.left, command)
	}
	return nil
}

// chparam sets parameters of the top module.
func (s *script) chparam(l line, args []string) error {
	var params []string
	for i := 0; i < len(args); i++ {
		if args[i] == "-set" && i+2 < len(args) {
			params = append(params, args[i+1]+"="+args[i+2])
			i += 2
			continue
		}
		if strings.HasPrefix(args[i], "-") {
			return s.p.refuse(l, "write chparam -set NAME VALUE MODULE", "chparam %s is not supported", args[i])
		}
		if s.top.text == "" {
			s.top = line{strings.TrimPrefix(args[i], `\`), l.no}
		}
		if i+1 < len(args) || s.top.text != strings.TrimPrefix(args[i], `\`) {
			return s.p.refuse(l, "set it where that module is instantiated", "chparam sets a parameter of another module than the top %s", s.top.text)
		}
	}
	s.params = append(s.params, params...)
	return nil
}
