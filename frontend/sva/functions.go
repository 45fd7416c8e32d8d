// The system functions of assertions (IEEE 1800-2017, 16.9.3 and 20.9) as
// registers and wires. Before the first clock tick every expression had the
// value 0: $past gives 0 there, and $rose sees a change from 0.

package sva

import (
	"fmt"
	"strings"
)

// elaborated are the functions that the reader of the checker knows itself.
var elaborated = map[string]bool{
	"$bits": true, "$clog2": true, "$signed": true, "$unsigned": true, "$size": true, "$high": true, "$low": true,
	"$left": true, "$right": true, "$increment": true, "$dimensions": true, "$unpacked_dimensions": true,
}

// expression writes tokens as Verilog, with helpers for the system functions.
func (e *emitter) expression(toks []token) string {
	var out []token
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		if t.kind != system || elaborated[t.text] {
			out = append(out, t)
			continue
		}
		if i+1 >= len(toks) || !toks[i+1].is("(") {
			refuse(t, "", "%s is not supported", t.text)
		}
		j := closing(toks, i+1)
		if j < 0 {
			refuse(toks[i+1], "", "this bracket is not closed")
		}
		out = append(out, token{text: e.call(t, split(toks[i+2:j], ",")), blank: true})
		i = j
	}
	return join(out)
}

// call writes a call of a system function.
func (e *emitter) call(f token, args [][]token) string {
	least, most := 1, 1
	switch f.text {
	case "$past":
		most = 4
	case "$rose", "$fell", "$stable", "$changed":
		most = 2
	case castFunction:
		least, most = 2, 2
	case "$onehot", "$onehot0", "$countones", "$isunknown", "$sampled":
	default:
		refuse(f, "", "%s is not supported", f.text)
	}
	if len(args) < least || len(args) > most || len(args[0]) == 0 {
		refuse(f, "", "%s has another number of arguments", f.text)
	}
	clocked := f.text == "$past" && len(args) == 4 || most == 2 && f.text != castFunction && len(args) == 2
	if clocked {
		event := args[len(args)-1]
		if len(event) > 0 && event[0].is("@") {
			event = event[1:]
		}
		if len(event) == 0 || join(e.scope.clock(event, e.how)) != e.clock {
			refuse(f, "leave the clock out", "%s with another clock than the assertion's is not supported", f.text)
		}
	}
	if e.clock == "" {
		switch f.text {
		case "$past", "$rose", "$fell", "$stable", "$changed":
			refuse(f, "give the assertion a clock", "%s has no clock", f.text)
		}
	}
	if f.text == castFunction {
		return e.named("cast", "wire "+join(args[1])+" @ = "+e.expression(args[0])+";")
	}
	x := e.expression(args[0])
	// The operation keeps newer versions of yosys from measuring a select as an array.
	bits := "$bits((" + x + ") | 1'b0)"
	switch f.text {
	case "$sampled":
		return "(" + x + ")"
	case "$isunknown": // a netlist has two values
		return "1'b0"
	case "$past":
		return e.past(f, x, bits, args)
	case "$rose", "$fell":
		now := e.named("bit", "wire @ = "+x+";")
		before := e.register("before", "reg @ = 0;", "@ <= "+now+";")
		if f.text == "$rose" {
			return "(" + now + " && !" + before + ")"
		}
		return "(!" + now + " && " + before + ")"
	case "$stable", "$changed":
		now := e.value(x, bits)
		before := e.register("before", "reg ["+bits+"-1:0] @ = 0;", "@ <= "+now+";")
		if f.text == "$stable" {
			return "(" + now + " === " + before + ")"
		}
		return "(" + now + " !== " + before + ")"
	}
	v := e.value(x, bits)
	switch f.text {
	case "$onehot":
		return "(" + v + " != 0 && (" + v + " & (" + v + " - 1'b1)) == 0)"
	case "$onehot0":
		return "((" + v + " & (" + v + " - 1'b1)) == 0)"
	}
	// $countones
	count := e.named("countones", "function [31:0] @; input ["+bits+"-1:0] value; integer i; begin @ = 0; for (i = 0; i < "+bits+
		"; i = i + 1) @ = @ + value[i]; end endfunction")
	return count + "(" + v + ")"
}

// value gives an expression a name, with its own width.
func (e *emitter) value(x, bits string) string {
	return e.named("value", "wire ["+bits+"-1:0] @ = "+x+";")
}

// maxPast bounds the registers of one $past.
const maxPast = 1024

// past is the value some ticks ago. The condition that is always true gives it the
// sign of the expression.
func (e *emitter) past(f token, x, bits string, args [][]token) string {
	n := 1
	if len(args) > 1 && len(args[1]) > 0 {
		p := &parser{toks: closeTokens(args[1], f), scope: e.scope, how: e.how, spec: &spec{}}
		if n = p.constant(); p.peek().kind != end {
			refuse(p.peek(), "", "the number of ticks of $past is no constant")
		}
		if n < 1 || n > maxPast {
			refuse(f, "", "$past looks back 1 to %d ticks", maxPast)
		}
	}
	gate := ""
	if len(args) > 2 && len(args[2]) > 0 {
		gate = "if (" + e.expression(args[2]) + ") "
	}
	p := x
	for range n {
		p = e.register("past", "reg signed ["+bits+"-1:0] @ = 0;", gate+"@ <= "+p+";")
	}
	return "(1'b1 ? " + p + " : (" + x + "))"
}

// named declares a helper once and returns its name, which takes the place of @.
func (e *emitter) named(what, declaration string) string {
	return e.register(what, declaration, "")
}

// register declares a helper with the statement that moves it at each tick.
func (e *emitter) register(what, declaration, update string) string {
	key := declaration + update
	if n, ok := e.helpers[key]; ok {
		return n
	}
	n := fmt.Sprintf("%s%s_%d", e.prefix, what, len(e.helpers))
	e.helpers[key] = n
	e.declarations = append(e.declarations, strings.ReplaceAll(declaration, "@", n))
	if update != "" {
		e.updates = append(e.updates, strings.ReplaceAll(update, "@", n))
	}
	return n
}
