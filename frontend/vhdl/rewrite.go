package vhdl

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"netcov/frontend/sva"
	"netcov/frontend/verilog"
	"netcov/frontend/verilog/preprocess"
)

// What ghdl writes is Verilog of one statement after another, each with its place in a
// comment before it. Registers have numbers for names; the signal that a register is stands
// beside it as another name, and has the initial value. Assertions are calls of $fatal,
// and registers of their automata stand at the place of the assertion; those of prev and
// its like, at that word. A variable of a process without a label has a number before its
// name, which the source tells from a name of the user's.

var (
	placeLine   = regexp.MustCompile(`^\s*/\* (.+):(\d+):(\d+)\s+\*/$`)
	declared    = regexp.MustCompile(`^\s*(reg|wire) (?:\[(\d+):0\] )?(\w+|\\\S+ );`)
	aliasAssign = regexp.MustCompile(`^\s*assign (\S+) = (n\d+_[qo]); // \(signal\)$`)
	aliasAlways = regexp.MustCompile(`^\s*(\S+) = (n\d+_[qo]); // \(isignal\)$`)
	aliasPort   = regexp.MustCompile(`^\s*assign (\w+) = (n\d+_q);$`)
	outputPort  = regexp.MustCompile(`^\s*\(?output (?:\[\d+:0\] )?(\w+)(?:,|\);)$`)
	armOfCase   = regexp.MustCompile(`^(\s*)\d+'b[01]+: (\S+ <= .*;)$`)
	joined      = regexp.MustCompile(`^\s*assign (n\d+_o) = \{(.*)\};$`)
	initialLine = regexp.MustCompile(`^\s*(\S+) <= (\d+'b[01xXzZ]+);$`)
	storedLine  = regexp.MustCompile(`^\s*(n\d+_q) <= `)
	failing     = regexp.MustCompile(`^\s*if \(!(\S+)\)$`)
	fatal       = regexp.MustCompile(`^\s*\$fatal\(1, "assertion(\(cover\))? failure (.*)"\);$`)
	severity    = regexp.MustCompile(`^\s*(\S+): assert (\S+) = '1' severity \w+; --  (assume|assert|cover)$`)
	lostClock   = regexp.MustCompile(`// (pos|neg)edge$`)
	register    = regexp.MustCompile(`\bn\d+_q\b`)
	freeCell    = regexp.MustCompile(`^\s*gate_((?:any|all)(?:const|seq)) \S+ \($`)
	earlier     = regexp.MustCompile(`^(?:prev|stable|rose|fell)$`)
	names       = regexp.MustCompile(`\w+`)
	variable    = regexp.MustCompile(`^n\d+_(\w+)$`)
	freeNet     = regexp.MustCompile(`^\s*\.o\((\w+)\)\);$`)
)

// rewriter turns one module.
type rewriter struct {
	source source
	lines  []string
	places []preprocess.Place // of the lines
	column []string           // of the lines: the whole place, to tell checkers
	width  map[string]int
	reg    map[string]bool
	signal map[string]string // register → signal
	parts  map[string][]string
	free   map[string]string           // net → the attribute for yosys that makes it free
	seen   map[string]preprocess.Place // signal → where it stands
}

// source knows the user's files by the names of their copies.
type source interface {
	file(name string) string                   // the user's name
	word(name string, line, column int) string // the identifier there, in small letters
}

// rewrite returns the text for yosys. Where ghdl lost a clock, which it notes in a comment
// alone, the error names the place.
func rewrite(text string, src source) (preprocess.Text, error) {
	out := preprocess.Text{File: src.file("vhdl.1.vhd")}
	var b strings.Builder
	var module []string
	for line := range strings.Lines(text) {
		module = append(module, strings.TrimRight(line, "\n"))
		if strings.TrimSpace(line) == "endmodule" {
			r := &rewriter{
				source: src, lines: module, width: map[string]int{}, reg: map[string]bool{}, signal: map[string]string{},
				parts: map[string][]string{}, free: map[string]string{}, seen: map[string]preprocess.Place{},
			}
			r.nameVariables()
			r.survey(out.File)
			for i, l := range r.lines {
				if lostClock.MatchString(l) {
					at := r.places[i]
					return out, &verilog.Error{
						File: at.File, Line: at.Line, What: "ghdl makes no register of what is assigned at this edge of a clock",
						Cure: "assign the signal in a process of its own, with one clock and whole elements",
					}
				}
			}
			r.write(&b, &out)
			module = nil
		}
	}
	out.Text = []byte(b.String())
	return out, nil
}

// word is the identifier at a place of the source.
func (r *rewriter) word(place []string) string {
	line, _ := strconv.Atoi(place[2])
	column, _ := strconv.Atoi(place[3])
	return r.source.word(place[1], line, column)
}

// nameVariables takes the numbers away before the names of variables, where nothing else
// in the module has the name.
func (r *rewriter) nameVariables() {
	var place []string
	found := map[string][]string{}
	for _, line := range r.lines {
		if m := placeLine.FindStringSubmatch(line); m != nil {
			place = m
		} else if m := aliasAlways.FindStringSubmatch(line); m != nil && place != nil {
			if v := variable.FindStringSubmatch(m[1]); v != nil && v[1] == r.word(place) {
				found[v[1]] = append(found[v[1]], m[1])
			}
		}
	}
	taken := map[string]bool{}
	for _, line := range r.lines {
		for _, w := range names.FindAllString(line, -1) {
			taken[w] = true
		}
	}
	rename := map[string]string{}
	for name, of := range found {
		if len(of) == 1 && !taken[name] {
			rename[of[0]] = name
		}
	}
	for i, line := range r.lines {
		r.lines[i] = names.ReplaceAllStringFunc(line, func(w string) string { return cmp.Or(rename[w], w) })
	}
}

// survey finds places, widths, the names of registers and those of checkers.
func (r *rewriter) survey(first string) {
	now, column := preprocess.Place{File: first, Line: 1}, ""
	checks, outputs, words := map[string]bool{}, map[string]bool{}, map[string]string{} // by column
	var registers [][2]string                                                           // and their columns
	for i, line := range r.lines {
		if m := placeLine.FindStringSubmatch(line); m != nil {
			now.File, column = r.source.file(m[1]), strings.TrimSpace(line)
			now.Line, _ = strconv.Atoi(m[2])
			words[column] = r.word(m)
		}
		r.places, r.column = append(r.places, now), append(r.column, column)
		if m := declared.FindStringSubmatch(line); m != nil {
			high, _ := strconv.Atoi(m[2])
			r.width[m[3]], r.reg[m[3]] = high+1, m[1] == "reg"
		}
		if m := outputPort.FindStringSubmatch(line); m != nil {
			outputs[m[1]] = true
		}
		if m := joined.FindStringSubmatch(line); m != nil {
			r.parts[m[1]] = strings.Split(m[2], ", ")
		}
		if m := freeCell.FindStringSubmatch(line); m != nil && i+1 < len(r.lines) {
			if net := freeNet.FindStringSubmatch(r.lines[i+1]); net != nil {
				r.free[net[1]] = m[1]
			}
		}
		if fatal.MatchString(line) || severity.MatchString(line) {
			checks[column] = true
		}
		if m := storedLine.FindStringSubmatch(line); m != nil && !strings.HasPrefix(strings.TrimSpace(r.lines[i-1]), "initial") {
			registers = append(registers, [2]string{m[1], column})
			r.seen[m[1]] = now
		}
	}
	for i, line := range r.lines { // a case of all choices: the last one is the default, lest yosys sees a latch
		if i > 0 && strings.TrimSpace(line) == "endcase" {
			r.lines[i-1] = armOfCase.ReplaceAllString(r.lines[i-1], "${1}default: $2")
		}
	}
	for i, line := range r.lines {
		m := aliasAssign.FindStringSubmatch(line)
		if m == nil {
			m = aliasAlways.FindStringSubmatch(line)
		}
		if m == nil {
			continue
		}
		r.seen[m[1]] = r.places[i]
		if strings.HasSuffix(m[2], "_q") && r.signal[m[2]] == "" {
			r.signal[m[2]] = m[1]
		}
	}
	for _, line := range r.lines { // a register that is an output and no other signal
		if m := aliasPort.FindStringSubmatch(line); m != nil && outputs[m[1]] && r.signal[m[2]] == "" {
			r.signal[m[2]], r.seen[m[1]] = m[1], r.seen[m[2]]
		}
	}
	for _, q := range registers {
		if (checks[q[1]] || earlier.MatchString(words[q[1]])) && r.signal[q[0]] == "" {
			r.signal[q[0]] = sva.Prefix + q[0]
		}
	}
}

// write puts the module out, line by line with places.
func (r *rewriter) write(b *strings.Builder, out *preprocess.Text) {
	emit := func(at preprocess.Place, text string) {
		b.WriteString(register.ReplaceAllStringFunc(text, func(q string) string {
			if s := r.signal[q]; s != "" {
				return s + map[bool]string{true: " "}[s[0] == '\\']
			}
			return q
		}) + "\n")
		out.Lines = append(out.Lines, at)
	}
	initial := map[string]bool{}
	for i := 0; i < len(r.lines); i++ {
		line, at := r.lines[i], r.places[i]
		next := func(n int) string {
			if i+n < len(r.lines) {
				return r.lines[i+n]
			}
			return ""
		}
		switch {
		case placeLine.MatchString(line):
		case declared.MatchString(line):
			m := declared.FindStringSubmatch(line)
			if r.signal[m[3]] == "" || strings.HasPrefix(r.signal[m[3]], sva.Prefix) {
				where := at
				if p, ok := r.seen[m[3]]; ok {
					where = p
				}
				if kind := r.free[m[3]]; kind != "" {
					line = "  (* " + kind + " *) " + strings.TrimSpace(line)
				}
				if r.names(m[3]) {
					line = strings.Replace(line, "wire ", "reg ", 1)
				}
				emit(where, line)
			}
		case outputPort.MatchString(line):
			if name := outputPort.FindStringSubmatch(line)[1]; r.names(name) {
				emit(r.seen[name], strings.Replace(line, "output ", "output reg ", 1))
			} else {
				emit(at, line)
			}
		case aliasPort.MatchString(line):
			if m := aliasPort.FindStringSubmatch(line); r.signal[m[2]] != m[1] {
				emit(at, line)
			}
		case aliasAssign.MatchString(line):
			if m := aliasAssign.FindStringSubmatch(line); r.signal[m[2]] != m[1] {
				emit(at, line)
			}
		case strings.TrimSpace(line) == "always @*" && aliasAlways.MatchString(next(1)):
			m := aliasAlways.FindStringSubmatch(next(1))
			if r.signal[m[2]] != m[1] {
				emit(at, line)
				emit(at, next(1))
			}
			i++
			if strings.TrimSpace(next(1)) == "initial" { // of the signal
				if v := initialLine.FindStringSubmatch(next(2)); v != nil {
					r.initial(m[1], m[2], v[2], func(text string) { emit(at, text) }, initial)
				}
				i += 2
			}
		case strings.TrimSpace(line) == "initial" && initialLine.MatchString(next(1)):
			v := initialLine.FindStringSubmatch(next(1))
			r.initial(v[1], v[1], v[2], func(text string) { emit(at, text) }, initial)
			i++
		case strings.TrimSpace(line) == "always @*" && failing.MatchString(next(1)) && fatal.MatchString(next(2)):
			if m := fatal.FindStringSubmatch(next(2)); m[1] == "" {
				emit(at, fmt.Sprintf("  always @* %sassert (%s);", label(m[2]), failing.FindStringSubmatch(next(1))[1]))
			}
			i += 2
		case freeCell.MatchString(line) && freeNet.MatchString(next(1)):
			i++
		case severity.MatchString(line):
			m := severity.FindStringSubmatch(line)
			emit(at, fmt.Sprintf("  always @* %s%s (%s);", label(m[1]), m[3], m[2]))
		default:
			emit(at, line)
		}
	}
}

// names reports whether a signal is the name of some register.
func (r *rewriter) names(signal string) bool {
	for _, s := range r.signal {
		if s == signal {
			return true
		}
	}
	return false
}

// initial gives an initial value to the registers behind a signal; what is no register
// has none.
func (r *rewriter) initial(signal, source, value string, emit func(string), done map[string]bool) {
	if r.signal[source] == signal && signal != source || strings.HasSuffix(source, "_q") {
		if !done[source] {
			emit(fmt.Sprintf("  initial %s = %s;", source, value))
		}
		done[source] = true
		return
	}
	_, digits, _ := strings.Cut(value, "'b")
	for _, part := range r.parts[source] { // the highest first
		w := r.width[part]
		if w == 0 || w > len(digits) {
			return
		}
		if strings.HasSuffix(part, "_q") && !done[part] {
			emit(fmt.Sprintf("  initial %s = %d'b%s;", part, w, digits[:w]))
			done[part] = true
		}
		digits = digits[w:]
	}
}

var plain = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// label makes a label of ghdl's name of an assertion; its own numbers are none.
func label(name string) string {
	switch {
	case regexp.MustCompile(`^n\d+$`).MatchString(name) || strings.TrimSpace(name) == "":
		return ""
	case plain.MatchString(name):
		return name + ": "
	}
	return `\` + strings.ReplaceAll(name, " ", "_") + " : "
}
