package sby

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Error is a refusal at a line of a project; line 0 is the project as a whole.
type Error struct {
	File string
	Line int
	What string // what is wrong
	Cure string // what to do about it
}

// Error returns "file:line: what; cure".
func (e *Error) Error() string {
	at := e.File
	if e.Line > 0 {
		at = fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	return at + ": " + e.What + "; " + e.Cure
}

// line is a line of a project with its number.
type line struct {
	text string
	no   int
}

// project is what a project says for one task.
type project struct {
	path    string
	task    string // "" for a project without tasks
	options map[string]line
	engines int // how many are listed
	script  []line
	files   []entry
	read    [][]byte // files that blocks of Python have read
}

// entry is a file of the project: one of the disk, or a text in the project.
type entry struct {
	name   string // for the script and for other files
	source string // on the disk, "" for a text
	text   []byte
	no     int
}

func (p *project) refuse(at line, cure, what string, args ...any) error {
	return &Error{File: p.path, Line: at.no, What: fmt.Sprintf(what, args...), Cure: cure}
}

// parse reads a project for a task; "" stands for the only one.
func parse(path, text, task string) (*project, error) {
	p := &project{path: path, options: map[string]line{}}
	lines, err := p.selectTask(text, task)
	if err != nil {
		return nil, err
	}
	r := &sections{p: p, seen: map[string]bool{}}
	for _, l := range lines {
		if err := r.take(l); err != nil {
			return nil, err
		}
	}
	return p, p.checkOptions()
}

// sections reads the lines that a task leaves.
type sections struct {
	p    *project
	seen map[string]bool
	now  string // section
	file *entry // of a section that is a file
}

var (
	header  = regexp.MustCompile(`^\s*\[(.*)\]\s*$`)
	comment = regexp.MustCompile(`\s*(\s#.*)?$`)
)

func (r *sections) take(l line) error {
	switch r.now {
	case "options", "engines", "files":
		l.text = strings.TrimSpace(comment.ReplaceAllString(l.text, ""))
		if l.text == "" || l.text[0] == '#' {
			return nil
		}
	case "":
		if strings.TrimSpace(l.text) == "" || l.text[0] == '#' {
			return nil
		}
	}
	if m := header.FindStringSubmatch(l.text); m != nil {
		return r.open(l, strings.Fields(m[1]))
	}
	p := r.p
	words := strings.Fields(l.text)
	switch r.now {
	case "options":
		if len(words) < 2 {
			return p.refuse(l, "write a name and a value", "the option %q has no value", l.text)
		}
		p.options[words[0]] = line{strings.Join(words[1:], " "), l.no}
	case "engines":
		p.engines++
	case "script":
		p.script = append(p.script, l)
	case "files":
		e := entry{no: l.no}
		switch len(words) {
		case 1:
			e.name, e.source = filepath.Base(words[0]), words[0]
		case 2:
			e.name, e.source = words[0], words[1]
		default:
			return p.refuse(l, "write a file, or the name for the script and a file", "%d words in a line of [files]", len(words))
		}
		return p.addFile(e)
	case "file":
		r.file.text = append(append(r.file.text, l.text...), '\n')
	case "":
		return p.refuse(l, "begin with [options], [engines], [script] or [files]", "%q stands before the first section", l.text)
	}
	return nil // of a section that only SymbiYosys itself needs
}

// open begins a section.
func (r *sections) open(l line, words []string) error {
	if len(words) == 0 {
		return r.p.refuse(l, "name it", "a section without a name")
	}
	name := words[0]
	key := strings.Join(words, " ")
	if r.seen[key] {
		return r.p.refuse(l, "join the two", "the section [%s] comes twice", key)
	}
	r.seen[key] = true
	r.now, r.file = name, nil
	switch name {
	case "options", "script", "files", "cancelledby":
		if len(words) > 1 {
			return r.p.refuse(l, "write ["+name+"]", "the section [%s] takes no argument", name)
		}
	case "engines":
		if len(words) > 2 {
			return r.p.refuse(l, "write [engines], or [engines prove]", "the section [engines] takes one argument")
		}
	case "autotune":
	case "file":
		if len(words) != 2 {
			return r.p.refuse(l, "write [file NAME]", "the section [file] needs one name")
		}
		if err := r.p.addFile(entry{name: words[1], no: l.no}); err != nil {
			return err
		}
		r.file = &r.p.files[len(r.p.files)-1]
	case "tasks":
		return r.p.refuse(l, "write it at the beginning", "the section [tasks] comes after another")
	default:
		return r.p.refuse(l, "the sections are [tasks], [options], [engines], [script], [files] and [file NAME]", "[%s] is no section", name)
	}
	return nil
}

// addFile lists a file, whose name must stay inside of the project's folder.
func (p *project) addFile(e entry) error {
	name := filepath.Clean(e.name)
	at := line{no: e.no}
	if !filepath.IsLocal(e.name) || name == "." {
		return p.refuse(at, "give a relative name without ..", "%q is no name for a file of the project", e.name)
	}
	if i := slices.IndexFunc(p.files, func(o entry) bool { return o.name == name }); i >= 0 {
		if e.source != "" && p.files[i].source == e.source {
			return nil // listed twice
		}
		return p.refuse(at, "give it another name for the script", "two files are called %s (the other is in line %d)", name, p.files[i].no)
	}
	e.name = name
	p.files = append(p.files, e)
	return nil
}

// known are SymbiYosys' options; true: one that changes what is asked, and is
// understood or refused below.
var known = map[string]bool{
	"mode": true, "multiclock": true, "smtc": true, "skip_prep": true, "assume_early": true,
	"depth": false, "expect": false, "timeout": false, "wait": false, "vcd": false, "vcd_sim": false, "fst": false, "cycle_width": false,
	"aigsmt": false, "tbtop": false, "make_model": false, "skip": false, "append": false, "append_assume": false, "cover_assert": false,
	"witrename": false, "aigfolds": false, "aigvmap": false, "aigsyms": false,
}

var modes = []string{"bmc", "prove", "live", "cover", "prep"}

func (p *project) checkOptions() error {
	for name, value := range p.options {
		if _, ok := known[name]; !ok {
			return p.refuse(value, "remove it, or correct its name", "%s is no option of SymbiYosys that netcov knows", name)
		}
	}
	for _, name := range []string{"multiclock", "skip_prep", "assume_early"} {
		if v, ok := p.options[name]; ok && v.text != "on" && v.text != "off" {
			return p.refuse(v, "write on or off", "the option %s is %q", name, v.text)
		}
	}
	switch v, ok := p.options["mode"]; {
	case !ok:
		return p.refuse(line{}, "write it into [options]: mode prove", "the option mode is missing")
	case !slices.Contains(modes, v.text):
		return p.refuse(v, "it is one of "+strings.Join(modes, ", "), "the mode %q is not known", v.text)
	}
	if v, ok := p.options["smtc"]; ok {
		return p.refuse(v, "write the constraints as assumptions into the source", "the option smtc: constraints in SMT-LIB are not read")
	}
	return nil
}

// multiclock reports whether the project has several clocks.
func (p *project) multiclock() bool { return p.options["multiclock"].text == "on" }
