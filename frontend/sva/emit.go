// A checker as text: wires for the boolean expressions, one register a state, and
// an immediate assertion.

package sva

import (
	"fmt"
	"math/bits"
	"strings"
)

// Prefix starts the name of each register, wire and function of a checker.
const Prefix = "__netcov_sva_"

// BoundPrefix starts the names that the Verilog front end gives to nets for bind.
const BoundPrefix = Prefix + "bound_"

// AntecedentSuffix ends the label of the cover that reports whether the antecedent
// of an assertion is met.
const AntecedentSuffix = "__antecedent"

type emitter struct {
	prefix       string
	clock        string // posedge clk; "" without one
	scope        *scope
	how          choice
	helpers      map[string]string
	declarations []string
	updates      []string          // statements at each tick
	statements   []string          // the immediate assertions
	disable      string            // "" without disable iff
	labels       map[string]string // see Span; nil outside of generate blocks
}

// atomWires declares the boolean expressions.
func (e *emitter) atomWires(a *atoms) []string {
	var ws []string
	for _, toks := range a.toks {
		ws = append(ws, e.named("is", "wire @ = (!(!("+e.expression(toks)+"))) === 1'b1;"))
	}
	return ws
}

// all writes a cube.
func all(wires []string, c cube) string {
	if len(c) == 0 {
		return "1'b1"
	}
	var parts []string
	for _, l := range c {
		w := wires[l>>1]
		if l&1 == 1 {
			w = "!" + w
		}
		parts = append(parts, w)
	}
	return strings.Join(parts, " && ")
}

func or(parts []string) string {
	if len(parts) == 0 {
		return "1'b0"
	}
	return strings.Join(parts, " || ")
}

// runs writes the registers of an automaton of finite runs, and returns the
// wire that is true when some attempt ends.
func (e *emitter) runs(what string, m *machine, wires []string) string {
	name := e.prefix + what
	into := make([][]string, len(m.next))
	var ends []string
	add := func(from string, ts []transition) {
		for _, t := range ts {
			text := all(wires, t.when)
			if from != "" {
				text = from + " && " + text
			}
			text = "(" + strings.TrimSuffix(text, " && 1'b1") + ")"
			if t.to == endState {
				ends = append(ends, text)
			} else {
				into[t.to] = append(into[t.to], text)
			}
		}
	}
	add("", m.start)
	for q, ts := range m.next {
		add(fmt.Sprintf("%s[%d]", name, q), ts)
	}
	if len(m.next) > 0 {
		e.declarations = append(e.declarations, fmt.Sprintf("reg [%d:0] %s = 0;", len(m.next)-1, name))
		var next []string
		for q := len(into) - 1; q >= 0; q-- {
			next = append(next, or(into[q]))
		}
		e.updates = append(e.updates, e.unlessDisabled(name, "0", "{"+strings.Join(next, ", ")+"}"))
	}
	done := name + "_end"
	e.declarations = append(e.declarations, "wire "+done+" = "+or(ends)+";")
	return done
}

// unlessDisabled is an update of the registers that attempts keep.
func (e *emitter) unlessDisabled(name, cleared, next string) string {
	if e.disable == "" {
		return name + " <= " + next + ";"
	}
	return "if (" + e.disable + ") " + name + " <= " + cleared + "; else " + name + " <= " + next + ";"
}

// chosen writes the register of one run that the model checker chooses. Bit 0
// waits for the run to begin, the bits above are the states of the automaton, the
// last of them that of a run that has ended. A run that waits may go on waiting
// when it begins with any attempt; else it begins at the first tick. It returns the
// wires that are true when the run is in an accepting state, and when it goes on.
func (e *emitter) chosen(m *machine, wires []string, anyAttempt bool) (accepts, goesOn string) {
	name := e.prefix + "run"
	n := len(m.next) + 2
	last := n - 1
	most := len(m.start) + 1
	for _, ts := range m.next {
		most = max(most, len(ts))
	}
	width := max(1, bits.Len(uint(most-1)))
	pick := e.prefix + "pick"
	e.declarations = append(e.declarations, fmt.Sprintf("(* anyseq *) wire [%d:0] %s;", width-1, pick))
	into := make([][]string, n)
	add := func(from, first int, ts []transition) {
		for i, t := range ts {
			to := t.to + 1
			if t.to == endState {
				to = last
			}
			text := fmt.Sprintf("(%s[%d] && %s == %d && %s)", name, from, pick, first+i, all(wires, t.when))
			into[to] = append(into[to], text)
		}
	}
	if anyAttempt {
		into[0] = append(into[0], fmt.Sprintf("(%s[0] && %s == 0)", name, pick))
	}
	add(0, 1, m.start)
	for q, ts := range m.next {
		add(q+1, 0, ts)
	}
	into[last] = append(into[last], fmt.Sprintf("%s[%d]", name, last))
	var next []string
	for q := n - 1; q >= 0; q-- {
		next = append(next, or(into[q]))
	}
	e.declarations = append(e.declarations, fmt.Sprintf("reg [%d:0] %s = 1;", last, name),
		fmt.Sprintf("wire [%d:0] %s_next = {%s};", last, name, strings.Join(next, ", ")))
	// A run that has ended has been accepted, and disable iff comes too late.
	update := name + " <= " + name + "_next;"
	if e.disable != "" {
		update = fmt.Sprintf("if (%s) %s <= {%s[%d], %d'd0, %s[0]}; else %s", e.disable, name, name, last, n-2, name, update)
	}
	e.updates = append(e.updates, update)
	accepted := []string{fmt.Sprintf("%s[%d]", name, last)}
	for q, ok := range m.accept {
		if ok {
			accepted = append(accepted, fmt.Sprintf("%s[%d]", name, q+1))
		}
	}
	accepts = name + "_accepts"
	e.declarations = append(e.declarations, "wire "+accepts+" = "+or(accepted)+";")
	return accepts, "|" + name + "_next"
}

// check adds an immediate assertion. Without disable iff it is checked at each tick.
func (e *emitter) check(label, kind, expression string) {
	text := kind + " (" + expression + ");"
	switch {
	case e.labels != nil && label != "":
		if e.disable != "" && kind == "cover" {
			expression = "(!(" + e.disable + ")) === 1'b1 && (" + expression + ")"
		} else if e.disable != "" {
			expression = "(!(" + e.disable + ")) !== 1'b1 || (" + expression + ")"
		}
		name := fmt.Sprintf("%scheck_%d", e.prefix, len(e.labels))
		e.labels[name] = label
		e.declarations = append(e.declarations, "wire "+name+" = "+expression+";")
		text = kind + " (" + name + ");"
	case e.disable != "":
		text = "if (!(" + e.disable + ")) " + labelled(label, text)
	default:
		text = labelled(label, text)
	}
	e.statements = append(e.statements, "always @("+e.clock+") "+text)
}

func labelled(label, text string) string {
	if label == "" {
		return text
	}
	return label + ": " + text
}

// The ends of the names of the wires in assertions and assumptions of liveness. An
// assertion fails when its wire is false infinitely often; an assumption admits the
// runs in which its wire is true infinitely often.
const (
	LiveSuffix = "_run_holds"
	FairSuffix = "_run_fair"
)

// eventually adds an assertion or assumption of liveness. It stands outside of a
// block, so that it reads the wire itself.
func (e *emitter) eventually(label, kind, suffix, value string) {
	name := e.prefix + suffix[1:]
	e.declarations = append(e.declarations, "wire "+name+" = "+value+";")
	if e.labels != nil && label != "" {
		e.labels[name] = label
		label = ""
	}
	e.statements = append(e.statements, labelled(label, kind+" property (s_eventually "+name+");"))
}

// text writes the checker on one line.
func (e *emitter) text() string {
	parts := append([]string(nil), e.declarations...)
	if len(e.updates) > 0 {
		parts = append(parts, "always @("+e.clock+") begin "+strings.Join(e.updates, " ")+" end")
	}
	return strings.Join(append(parts, e.statements...), " ")
}
