package preprocess

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/dustin/go-humanize"

	"netcov/internal/plainfile"
)

// Limits on what a few lines of macros can become.
const (
	maxText       = 256 << 20 // bytes of a text
	maxExpanded   = 64 << 20  // bytes of all that macros become
	maxExpansions = 1_000_000
	maxDepth      = 200 // of macros within macros
	maxIncludes   = 10_000
	maxNesting    = 100 // of included files
)

// Options says what is read.
type Options struct {
	Files   []string
	Include []string          // folders for `include
	Defines map[string]string // macros that are defined before the first file
	// Macros returns what a file has of its own, by its position; nil: nothing.
	Macros func(file int) Macros
	// Folder is where included files are looked for, in the place of the disk; nil:
	// on the disk.
	Folder Folder
}

// Macros are those of one file.
type Macros struct {
	Define   map[string]string // from this file on
	Undefine []string          // from this file on
	Local    map[string]string // in this file alone
}

// Folder is a folder that a project's file describes: names lead to files that stand
// elsewhere, or to texts that are no files at all.
type Folder interface {
	// Find returns the file that a name means in a source, "" where there is none.
	Find(name, source string, include []string) string
	// Text returns the bytes of a file that is not on the disk.
	Text(file string) ([]byte, bool)
}

// Place is a line of a file.
type Place struct {
	File string
	Line int
}

// Text is a source without directives.
type Text struct {
	File  string // the source
	Text  []byte
	Lines []Place // where each line of Text comes from
}

// At returns the place of a line of the text, counted from 1. Line 0 is the file
// alone, and a line behind the end the last one.
func (t *Text) At(line int) Place {
	if line < 1 || len(t.Lines) == 0 {
		return Place{File: t.File}
	}
	return t.Lines[min(line, len(t.Lines))-1]
}

// Result is all that was read.
type Result struct {
	Texts []Text
	// Read are the files that were read, each once, in the order of their first use,
	// with their bytes.
	Read []File
	// Skipped are the assertions in branches that were not taken.
	Skipped []Skipped
}

// File is a file that was read.
type File struct {
	Name string
	Data []byte
}

// Skipped counts the assertions of the branches of `ifdef MACRO (or, if Unless, of
// `ifndef MACRO) that were not taken.
type Skipped struct {
	Macro  string
	Unless bool
	Count  int
	First  Place
}

// Error is a refusal at a place of a source.
type Error struct {
	Place
	What, Cure string
	Option     string // the field of Options that mends it, or ""
}

// Error returns "file:line: what; cure".
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d: %s; %s", e.File, e.Line, e.What, e.Cure)
}

// Run preprocesses the sources. Its errors are *Error and those of opening files.
func Run(o Options) (*Result, error) {
	p := &processor{opt: o, macros: map[string]macro{}, files: map[string][]byte{}, skipped: map[Skipped]*Skipped{}}
	for name, body := range o.Defines {
		p.macros[name] = macro{body: body}
	}
	for i, f := range o.Files {
		restore := func() {}
		if o.Macros != nil {
			restore = p.begin(o.Macros(i))
		}
		if err := p.source(f); err != nil {
			return nil, err
		}
		restore()
	}
	for _, s := range p.skipped {
		p.result.Skipped = append(p.result.Skipped, *s)
	}
	sort.Slice(p.result.Skipped, func(i, k int) bool {
		a, b := p.result.Skipped[i], p.result.Skipped[k]
		return a.Macro < b.Macro || a.Macro == b.Macro && !a.Unless && b.Unless
	})
	return &p.result, nil
}

// begin takes over the macros of a file, and returns what ends those of it alone. A
// definition that the file itself gives to one of these stays.
func (p *processor) begin(m Macros) (restore func()) {
	for _, name := range m.Undefine {
		delete(p.macros, name)
	}
	for name, body := range m.Define {
		p.macros[name] = macro{body: body}
	}
	old := map[string]*macro{}
	for name, body := range m.Local {
		if before, ok := p.macros[name]; ok {
			old[name] = &before
		}
		p.macros[name] = macro{body: body}
	}
	return func() {
		for name, body := range m.Local {
			switch now, ok := p.macros[name]; {
			case !ok || now.takes || now.body != body:
			case old[name] != nil:
				p.macros[name] = *old[name]
			default:
				delete(p.macros, name)
			}
		}
	}
}

// macro is a definition.
type macro struct {
	takes    bool // it has a list of arguments
	args     []string
	defaults map[int]string
	body     string
}

// frame is a text that is being read: a file, or what a macro became.
type frame struct {
	text  string
	at    int
	macro bool
	file  string // of a file
	line  int
	conds int // branches that were open when it began
}

// condition is an open `ifdef.
type condition struct {
	at     Place
	taken  bool // one of its branches was
	active bool // this branch is
	outer  bool // what is around is
	last   bool // `else was seen
	macro  string
	unless bool
}

type processor struct {
	opt        Options
	macros     map[string]macro
	files      map[string][]byte
	frames     []*frame
	conds      []condition
	out        bytes.Buffer
	lines      []Place
	marked     bool // the line in the making has its place
	joined     bool // what comes next is one word with what is there
	result     Result
	skipped    map[Skipped]*Skipped
	expansions int
	includes   int
	expanded   int
}

// stop carries an error out of the recursion.
type stop struct{ err error }

func (p *processor) fail(what, cure string) {
	p.failFor("", what, cure)
}

// failFor names the option that mends it.
func (p *processor) failFor(option, what, cure string) {
	panic(stop{&Error{p.place(), what, cure, option}})
}

func (p *processor) source(name string) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stop:
			err = r.err
		default:
			panic(r)
		}
	}()
	p.out.Reset()
	p.lines, p.marked = nil, false
	data, err := p.read(name)
	if err != nil {
		return err
	}
	p.push(name, data)
	p.run()
	if p.marked { // a last line without an end, or one whose macros leave nothing
		p.newline()
	}
	p.result.Texts = append(p.result.Texts, Text{File: name, Text: bytes.Clone(p.out.Bytes()), Lines: p.lines})
	return nil
}

// read returns a file's bytes, and lists it.
func (p *processor) read(name string) ([]byte, error) {
	if data, ok := p.files[name]; ok {
		return data, nil
	}
	var data []byte
	inMemory := false
	if p.opt.Folder != nil {
		data, inMemory = p.opt.Folder.Text(name)
	}
	if !inMemory {
		var err error
		if data, err = ReadFile(name); err != nil {
			return nil, err
		}
	}
	if at := bytes.IndexByte(data, 0); at >= 0 {
		return nil, &Error{Place{name, 1 + bytes.Count(data[:at], []byte("\n"))}, "a byte of value 0: this is no text", "give Verilog as text; unpack it first", ""}
	}
	p.files[name] = data
	p.result.Read = append(p.result.Read, File{name, data})
	return data, nil
}

// ReadFile reads a regular file of text that is not huge.
func ReadFile(name string) ([]byte, error) {
	if err := plainfile.CheckText(name); err != nil {
		return nil, err
	}
	if err := plainfile.NoPipe(name); err != nil {
		return nil, err
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: this is no file; give a file", name)
	}
	return os.ReadFile(name)
}

func (p *processor) push(name string, data []byte) {
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	text = strings.ReplaceAll(strings.TrimPrefix(text, "\ufeff"), "\r", "\n")
	p.frames = append(p.frames, &frame{text: text, file: name, line: 1, conds: len(p.conds)})
}

// place is where the innermost file is being read.
func (p *processor) place() Place {
	for i := len(p.frames) - 1; i >= 0; i-- {
		if f := p.frames[i]; !f.macro {
			return Place{f.file, f.line}
		}
	}
	return Place{}
}

func (p *processor) top() *frame { return p.frames[len(p.frames)-1] }

// peek returns the n-th character from here, 0 at the end of the file. Macros that
// are read to their end are left.
func (p *processor) peek(n int) byte {
	for i := len(p.frames) - 1; i >= 0; i-- {
		f := p.frames[i]
		if f.at+n < len(f.text) {
			return f.text[f.at+n]
		}
		if !f.macro {
			return 0
		}
		n -= len(f.text) - f.at
	}
	return 0
}

// next takes a character, 0 at the end of the file.
func (p *processor) next() byte {
	for {
		f := p.top()
		if f.at < len(f.text) {
			c := f.text[f.at]
			f.at++
			if c == '\n' && !f.macro {
				f.line++
			}
			return c
		}
		if !f.macro {
			return 0
		}
		p.frames = p.frames[:len(p.frames)-1]
	}
}

func (p *processor) skip(n int) {
	for range n {
		p.next()
	}
}

// active reports whether text is kept.
func (p *processor) active() bool {
	return len(p.conds) == 0 || p.conds[len(p.conds)-1].active
}

// emit writes text that has no line end.
func (p *processor) emit(text string) {
	if !p.active() {
		return
	}
	p.mark()
	p.out.WriteString(text)
	if p.out.Len() > maxText {
		p.fail(fmt.Sprintf("the source becomes more than %s", humanize.IBytes(maxText)), "look for macros or files that include each other")
	}
}

// mark gives the line in the making the place where reading is.
func (p *processor) mark() {
	if !p.marked {
		p.lines = append(p.lines, p.place())
		p.marked = true
	}
}

func (p *processor) newline() {
	p.mark()
	p.out.WriteByte('\n')
	p.marked = false
}

// run reads the pushed file to its end.
func (p *processor) run() {
	base := len(p.frames) - 1
	for {
		c := p.peek(0)
		switch {
		case c == 0:
			f := p.frames[base]
			if len(p.conds) > f.conds {
				panic(stop{&Error{p.conds[len(p.conds)-1].at, "this `ifdef has no `endif", "add it in the same file", ""}})
			}
			p.frames = p.frames[:base]
			return
		case c == '\n':
			p.mark()
			p.next()
			p.newline()
		case c == ' ' || c == '\t' || c == '\f' || c == '\v':
			p.next()
			p.emit(string(c))
		case c == '/' && (p.peek(1) == '/' || p.peek(1) == '*'):
			p.comment()
		case c == '"':
			p.emit(p.quoted())
		case c == '\\' && p.peek(1) > ' ':
			p.emit(p.escaped())
		case c == '`':
			p.directive()
		case isWord(c):
			p.word(p.takeWord())
		default:
			p.next()
			p.emit(string([]byte{c}))
		}
	}
}

// word writes a word, or counts it where it stands in a branch that is not taken.
func (p *processor) word(w string) {
	if p.active() {
		p.emit(w)
		return
	}
	if w != "assert" {
		return
	}
	c := p.conds[slices.IndexFunc(p.conds, func(c condition) bool { return !c.active })] // the outermost
	key := Skipped{Macro: c.macro, Unless: c.unless}
	s := p.skipped[key]
	if s == nil {
		s = &Skipped{Macro: c.macro, Unless: c.unless, First: p.place()}
		p.skipped[key] = s
	}
	s.Count++
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// takeWord takes letters, digits, _ and $.
func (p *processor) takeWord() string {
	var w []byte
	for isWord(p.peek(0)) {
		w = append(w, p.next())
	}
	return string(w)
}

// acted are the first words of comments that synthesis acts on.
var acted = map[string]bool{"synopsys": true, "synthesis": true}

// comment takes a comment and leaves a blank; what tools act on is kept.
func (p *processor) comment() {
	p.skip(1)
	long := p.next() == '*'
	var text []byte
	lines := 0
	for {
		c := p.peek(0)
		if c == 0 {
			if long {
				p.fail("this comment has no end", "add */")
			}
			break
		}
		if !long && c == '\n' {
			break
		}
		if long && c == '*' && p.peek(1) == '/' {
			p.skip(2)
			break
		}
		if p.next(); c == '\n' {
			lines++
			c = ' '
		}
		text = append(text, c)
	}
	words := strings.Fields(string(text))
	if len(words) > 1 && acted[words[0]] && (words[1] == "full_case" || words[1] == "parallel_case" || strings.HasPrefix(words[1], "translate_o")) {
		p.emit("/* " + words[0])
		for _, w := range words[1:] {
			if strings.Trim(w, "abcdefghijklmnopqrstuvwxyz_") == "" {
				p.emit(" " + w)
			}
		}
		p.emit(" */")
	} else {
		p.emit(" ")
	}
	for range lines {
		p.newline()
	}
}

// quoted takes a string, with its quotes.
func (p *processor) quoted() string {
	s := []byte{p.next()}
	for {
		switch c := p.next(); c {
		case 0, '\n':
			if p.active() {
				p.fail("this string has no end on its line", `add "`)
			}
			return string(s)
		case '"':
			return string(append(s, c))
		case '\\':
			if e := p.next(); e == '\n' {
				continue // a string goes on in the next line
			} else if e != 0 {
				s = append(s, c, e)
			}
		default:
			s = append(s, c)
		}
	}
}

// escaped takes an escaped identifier; a blank ends it.
func (p *processor) escaped() string {
	var s []byte
	for p.peek(0) > ' ' {
		s = append(s, p.next())
	}
	return string(append(s, ' '))
}

// blanks skips blanks and comments; within a line unless lines is set.
func (p *processor) blanks(lines bool) {
	for {
		switch c := p.peek(0); {
		case c == ' ' || c == '\t' || c == '\f' || c == '\v' || lines && c == '\n':
			p.next()
		case c == '/' && p.peek(1) == '*':
			p.skip(2)
			for p.peek(0) != 0 && (p.peek(0) != '*' || p.peek(1) != '/') {
				p.next()
			}
			p.skip(2)
		case lines && c == '/' && p.peek(1) == '/':
			for p.peek(0) != 0 && p.peek(0) != '\n' {
				p.next()
			}
		default:
			return
		}
	}
}

// restOfLine takes what stands on the line, without a comment.
func (p *processor) restOfLine() string {
	var s []byte
	for c := p.peek(0); c != 0 && c != '\n'; c = p.peek(0) {
		if c == '/' && p.peek(1) == '/' {
			for p.peek(0) != 0 && p.peek(0) != '\n' {
				p.next()
			}
			break
		}
		s = append(s, p.next())
	}
	return strings.TrimSpace(string(s))
}

// include reads another file here.
func (p *processor) include() {
	p.blanks(false)
	var name string
	switch c := p.peek(0); c {
	case '"':
		name = p.quoted()
	case '<':
		for c := p.next(); c != 0 && c != '\n' && c != '>'; c = p.next() {
			name += string([]byte{c})
		}
		name += ">"
	case '`': // a macro that is a name
		p.next()
		p.use(p.takeWord())
		p.include()
		return
	default:
		p.fail("`include without a name", "write it between quotes")
	}
	name = name[1 : len(name)-1]
	if name == "" || strings.ContainsAny(name, "\n") {
		p.fail("`include without a name", "write it between quotes")
	}
	if p.includes++; p.includes > maxIncludes || p.nested() > maxNesting {
		p.fail(fmt.Sprintf("`include of %q: files include each other", name), "guard them by `ifndef")
	}
	found := p.find(name)
	if found == "" && p.opt.Folder != nil {
		p.fail(fmt.Sprintf("cannot find the included file %q", name), "list it in the project's files")
	} else if found == "" {
		p.failFor("Include", fmt.Sprintf("cannot find the included file %q", name), "add its directory")
	}
	data, err := p.read(found)
	if err != nil {
		if _, ok := err.(*Error); ok {
			panic(stop{err})
		}
		p.fail(fmt.Sprintf("`include: %v", err), "name another file")
	}
	if p.marked {
		p.newline()
	}
	p.push(found, data)
	p.run()
	if p.marked {
		p.newline()
	}
}

// find returns the file of a name that is included here, "" where there is none.
func (p *processor) find(name string) string {
	source := p.place().File
	if p.opt.Folder != nil {
		return p.opt.Folder.Find(name, source, p.opt.Include)
	}
	for _, dir := range append([]string{filepath.Dir(source), "."}, p.opt.Include...) {
		path := filepath.Join(dir, name)
		if filepath.IsAbs(name) {
			path = name
		}
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return path
		}
	}
	return ""
}

func (p *processor) nested() int {
	n := 0
	for _, f := range p.frames {
		if !f.macro {
			n++
		}
	}
	return n
}
