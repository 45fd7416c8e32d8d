package smv

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Random models. Every construct of the language turns up; types fit; domains
// are small, since the interpreter tries all pairs of states.

// gtype is a type of the generator: b(oolean), i(nteger), s(ymbol), m(ixed),
// u(nsigned word[2]), w (signed word[2]).
type gtype byte

const gtypes = "bismuw"

type gvar struct {
	name string // how the module at hand names it
	t    gtype
	kind varKind
	size int // number of values
	dom  string
}

type gen struct {
	*rand.Rand
	vars   []gvar // readable in the module at hand
	inputs bool   // IVARs may be read
	next   bool   // next() may be used
	defs   []gvar
	depth  int
	sub    string // text of the other module
	strict bool   // only what NuSMV itself accepts
}

func (g *gen) pick(xs ...string) string { return xs[g.IntN(len(xs))] }

func (g *gen) chance(percent int) bool { return g.IntN(100) < percent }

// readable lists names of a type.
func (g *gen) readable(t gtype) []string {
	var out []string
	for _, v := range g.vars {
		if v.t == t && (v.kind != kindInput || g.inputs) {
			out = append(out, v.name)
		}
	}
	for _, d := range g.defs {
		if d.t == t {
			out = append(out, d.name)
		}
	}
	return out
}

func (g *gen) constant(t gtype) string {
	switch t {
	case 'b':
		return g.pick("TRUE", "FALSE")
	case 'i':
		return fmt.Sprint(g.IntN(5) - 1)
	case 's':
		return g.pick("red", "green", "blue")
	case 'm':
		return g.pick("red", "0", "2", "off")
	case 'u':
		return g.pick("0ud2_0", "0ub2_01", "0uh2_2", "0b_11", "uwconst(1, 2)")
	}
	return g.pick("0sd2_0", "0sb2_01", "-0sd2_2", "0so2_3", "swconst(-1, 2)")
}

// expr writes an expression of a type.
func (g *gen) expr(t gtype) string {
	g.depth++
	defer func() { g.depth-- }()
	names := g.readable(t)
	if g.depth > 4 || g.chance(25) {
		if len(names) > 0 && g.chance(80) {
			name := names[g.IntN(len(names))]
			if g.next && g.chance(25) && !g.isInput(name) {
				return "next(" + name + ")"
			}
			return name
		}
		return g.constant(t)
	}
	sub := func(t gtype) string { return g.expr(t) }
	switch g.IntN(12) {
	case 0:
		return "(" + sub('b') + " ? " + sub(t) + " : " + sub(t) + ")"
	case 1:
		return "case " + sub('b') + " : " + sub(t) + "; " + sub('b') + " : " + sub(t) + "; TRUE : " + sub(t) + "; esac"
	}
	switch t {
	case 'b':
		return g.boolean(sub)
	case 'i':
		return g.integer(sub)
	case 'u':
		return g.unsigned(sub)
	case 'w':
		return g.signed(sub)
	}
	if t == 'm' && g.chance(40) {
		return sub([]gtype{'i', 's'}[g.IntN(2)])
	}
	if len(names) > 0 {
		return names[g.IntN(len(names))]
	}
	return g.constant(t)
}

func (g *gen) isInput(name string) bool {
	for _, v := range g.vars {
		if v.name == name && v.kind == kindInput {
			return true
		}
	}
	for _, d := range g.defs {
		if d.name == name && d.kind == kindInput {
			return true
		}
	}
	return false
}

// mixedVar names a variable of integers and symbols.
func (g *gen) mixedVar() string {
	for _, v := range g.vars {
		if v.t == 'm' && (v.kind != kindInput || g.inputs) {
			return v.name
		}
	}
	return ""
}

func (g *gen) boolean(sub func(gtype) string) string {
	any := gtype(gtypes[g.IntN(len(gtypes))])
	scalars := "bism"
	if g.strict {
		any, scalars = gtype("bisuw"[g.IntN(5)]), "bis"
		if m := g.mixedVar(); m != "" && g.chance(20) {
			return "(" + m + g.pick(" = ", " != ") + sub('m') + ")"
		}
	}
	switch g.IntN(14) {
	case 0:
		return "!(" + sub('b') + ")"
	case 1, 2:
		return "((" + sub('b') + ")" + g.pick(" & ", " | ", " xor ", " xnor ", " -> ", " <-> ") + "(" + sub('b') + "))"
	case 3:
		return "(" + sub('b') + " & " + "!" + "(" + sub('b') + ") & (" + sub('b') + "))"
	case 4, 5:
		return "(" + sub(any) + g.pick(" = ", " != ") + sub(any) + ")"
	case 6:
		t := gtype("iuw"[g.IntN(3)])
		return "(" + sub(t) + g.pick(" < ", " > ", " <= ", " >= ") + sub(t) + ")"
	case 7:
		t := gtype(scalars[g.IntN(len(scalars))])
		return "((" + sub(t) + ") in " + g.set(t, 2) + ")"
	case 8:
		return "(" + g.setAtom('i') + " in " + g.set('i', 2) + ")"
	case 9:
		return "bool(" + sub('i') + ")"
	case 10:
		return "bool((" + sub('u') + ")[" + g.pick("0:0", "1:1") + "])"
	case 11:
		return "(count(" + sub('b') + ", " + sub('b') + ", " + sub('b') + ")" + g.pick(" > ", " = ") + "1)"
	case 12:
		if arr := g.indexed(); arr != "" {
			return arr
		}
	}
	any = gtype(scalars[g.IntN(len(scalars))])
	return "(" + sub(any) + " = " + sub(any) + ")"
}

// indexed reads the array arr[0..2] of booleans, where it is readable as a
// whole.
func (g *gen) indexed() string {
	for _, v := range g.vars {
		if v.name != "arr[0]" {
			continue
		}
		if g.chance(50) {
			return "arr[" + g.pick("0", "K", "1", "K + 1 - 1") + "]"
		}
		e := g.expr('i')
		return "((" + e + ") in 0..2 -> arr[" + g.pick("p0", "("+e+") + p0") + "])"
	}
	return ""
}

func (g *gen) integer(sub func(gtype) string) string {
	switch g.IntN(10) {
	case 0:
		return "-(" + sub('i') + ")"
	case 1:
		return "abs(" + sub('i') + ")"
	case 2:
		return g.pick("min", "max") + "(" + sub('i') + ", " + sub('i') + ")"
	case 3:
		return "toint(" + sub(gtype("buwi"[g.IntN(4)])) + ")"
	case 4:
		return "count(" + sub('b') + ", " + sub('b') + ")"
	case 5:
		return "(" + sub('i') + g.pick(" / ", " mod ") + g.pick("2", "3", "-2") + ")"
	case 6:
		return "((" + sub('i') + ")" + g.pick(" / ", " mod ") + "(" + sub('i') + "))"
	case 7:
		return "(sizeof(" + sub('u') + ") + " + sub('i') + ")"
	}
	return "((" + sub('i') + ")" + g.pick(" + ", " - ", " * ") + "(" + sub('i') + "))"
}

func (g *gen) unsigned(sub func(gtype) string) string {
	switch g.IntN(12) {
	case 0:
		return "!(" + sub('u') + ")"
	case 1:
		return "-(" + sub('u') + ")"
	case 2:
		return "(word1(" + sub('b') + ") :: word1(" + sub('b') + "))"
	case 3:
		return "unsigned(" + sub('w') + ")"
	case 4:
		return "(((" + sub('u') + ") :: (" + sub('w') + "))[" + g.pick("1:0", "2:1", "3:2") + "])"
	case 5:
		return "resize((" + sub('u') + ") :: 0b_1, 2)"
	case 6:
		return "extend((" + sub('u') + ")[0:0], 1)"
	case 7:
		return "((" + sub('u') + ")" + g.pick(" << ", " >> ") + g.pick("0", "1", "2", "("+sub('i')+")", "0b_1") + ")"
	case 8:
		return "((" + sub('u') + ")" + g.pick(" / ", " mod ") + g.pick("0b_10", "0b_11", "("+sub('u')+")") + ")"
	}
	return "((" + sub('u') + ")" + g.pick(" + ", " - ", " * ", " & ", " | ", " xor ", " xnor ", " -> ", " <-> ") + "(" + sub('u') + "))"
}

func (g *gen) signed(sub func(gtype) string) string {
	switch g.IntN(9) {
	case 0:
		return "!(" + sub('w') + ")"
	case 1:
		return "-(" + sub('w') + ")"
	case 2:
		return "signed(" + sub('u') + ")"
	case 3:
		return "resize(extend(" + sub('w') + ", 1), 2)"
	case 4:
		return "resize(signed((" + sub('u') + ") :: (" + sub('u') + ")), 2)"
	case 5:
		return "((" + sub('w') + ")" + g.pick(" << ", " >> ") + g.pick("0", "1", "2") + ")"
	case 6:
		return "((" + sub('w') + ")" + g.pick(" / ", " mod ") + g.pick("0sb2_01", "-0sd2_1", "-0sd2_2") + ")"
	}
	return "((" + sub('w') + ")" + g.pick(" + ", " - ", " * ", " & ", " | ", " xor ") + "(" + sub('w') + "))"
}

func (g *gen) setAtom(t gtype) string {
	if t == 'i' && g.chance(30) {
		lo := g.IntN(3) - 1
		return fmt.Sprintf("(%d..%d)", lo, lo+g.IntN(3))
	}
	n := 1 + g.IntN(3)
	parts := make([]string, n)
	for i := range parts {
		if parts[i] = g.constant(t); g.chance(30) {
			parts[i] = g.expr(t)
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// set writes a set expression.
func (g *gen) set(t gtype, depth int) string {
	if depth == 0 || g.chance(50) {
		return g.setAtom(t)
	}
	switch g.IntN(3) {
	case 0:
		return "(" + g.set(t, depth-1) + " union " + g.set(t, depth-1) + ")"
	case 1:
		return "(" + g.expr('b') + " ? " + g.set(t, depth-1) + " : " + g.expr(t) + ")"
	}
	return "case " + g.expr('b') + " : " + g.set(t, depth-1) + "; TRUE : " + g.set(t, depth-1) + "; esac"
}

// clamped writes an expression whose values lie in a variable's domain, most
// of the time.
func (g *gen) clamped(v gvar) string {
	if g.chance(3) {
		return g.expr(v.t)
	}
	switch v.t {
	case 'i':
		e := g.expr('i')
		lo, hi := v.dom[:strings.Index(v.dom, "..")], v.dom[strings.Index(v.dom, "..")+2:]
		return "min(" + hi + ", max(" + lo + ", " + e + "))"
	case 'm':
		return "case " + g.expr('b') + " : " + g.pick("red", "0", "off") + "; TRUE : " + g.pick("red", "0", "off", "{red, off}") + "; esac"
	}
	return g.expr(v.t)
}

func (g *gen) value(v gvar) string {
	if g.chance(25) && v.t != 'u' && v.t != 'w' {
		switch v.t {
		case 'b':
			return g.set('b', 2)
		case 's':
			return g.set('s', 2)
		case 'm':
			return "{red, 0, off}"
		case 'i':
			if !strings.HasPrefix(v.dom, "-1") {
				return "{" + v.dom[:1] + ", " + v.dom[len(v.dom)-1:] + "}"
			}
			return "{0, 1}"
		}
	}
	return g.clamped(v)
}

var gdomains = map[gtype][]struct {
	text string
	size int
}{
	'b': {{"boolean", 2}},
	'i': {{"0..2", 3}, {"1..3", 3}, {"-1..2", 4}, {"0..3", 4}, {"3..4", 2}, {"0..0", 1}},
	's': {{"{red, green, blue}", 3}},
	'm': {{"{red, 0, off}", 3}},
	'u': {{"unsigned word[2]", 4}, {"word[2]", 4}},
	'w': {{"signed word[2]", 4}},
}

// model writes a random model whose state space and input space stay below the
// bounds. Without relational it has no INIT, TRANS and INVAR.
func (g *gen) model(states, inputs int, relational bool) string {
	var b strings.Builder
	b.WriteString("MODULE main\nCONSTANTS red, green, blue, off;\nDEFINE K := 1;\n")
	all := map[varKind]int{kindState: 1, kindInput: 1}
	left := map[varKind]int{kindState: states, kindInput: inputs}
	declare := func(name string, kind varKind, types string) bool {
		t := gtype(types[g.IntN(len(types))])
		d := gdomains[t][g.IntN(len(gdomains[t]))]
		if g.strict && d.size == 1 { // NuSMV takes it for a constant
			return false
		}
		space := kind
		if kind == kindFrozen {
			space = kindState
		}
		if all[space]*d.size > left[space] {
			return false
		}
		all[space] *= d.size
		g.vars = append(g.vars, gvar{name, t, kind, d.size, d.text})
		fmt.Fprintf(&b, "%s %s : %s;\n", kind, name, d.text)
		return true
	}
	for i := range 2 + g.IntN(4) {
		declare(fmt.Sprintf("v%d", i), kindState, gtypes)
	}
	if g.chance(40) {
		declare("in0", kindInput, gtypes)
	}
	if g.chance(25) {
		declare("fr", kindFrozen, gtypes)
	}
	if g.chance(25) && all[kindState]*8 <= states {
		all[kindState] *= 8
		b.WriteString("VAR arr : array 0..2 of boolean;\nVAR p0 : 0..0;\n")
		for i := range 3 {
			g.vars = append(g.vars, gvar{fmt.Sprintf("arr[%d]", i), 'b', kindState, 2, "boolean"})
		}
	}
	mine := len(g.vars)
	if g.chance(50) {
		g.submodule(&b, all, states)
	}
	for i := range g.IntN(4) {
		t := gtype(gtypes[g.IntN(len(gtypes))])
		e := g.expr(t)
		fmt.Fprintf(&b, "DEFINE d%d := %s;\n", i, e)
		g.defs = append(g.defs, gvar{name: fmt.Sprintf("d%d", i), t: t})
	}
	if g.chance(20) {
		fmt.Fprintf(&b, "DEFINE tab := [%s, %s];\n", g.expr('i'), g.expr('i'))
		g.defs = append(g.defs, gvar{name: "tab[0]", t: 'i'}, gvar{name: "tab[K]", t: 'i'})
	}
	g.assignments(&b, g.vars[:mine])
	if relational {
		g.constraints(&b)
	}
	for range 1 + g.IntN(3) {
		g.inputs = g.chance(15)
		g.next = g.chance(20)
		fmt.Fprintf(&b, "INVARSPEC %s;\n", g.expr('b'))
	}
	g.inputs, g.next = false, false
	return b.String() + g.sub
}

// submodule adds two instances of a module with parameters by reference.
func (g *gen) submodule(b *strings.Builder, all map[varKind]int, states int) {
	if all[kindState]*4 > states {
		return
	}
	all[kindState] *= 4
	outer := g.vars
	g.vars = []gvar{{name: "x", t: 'b'}, {name: "a", t: 'b'}, {name: "n", t: 'i'}}
	var body strings.Builder
	body.WriteString("MODULE cell(a, n)\nVAR x : boolean;\n")
	fmt.Fprintf(&body, "DEFINE y := %s;\n", g.expr('b'))
	fmt.Fprintf(&body, "ASSIGN init(x) := %s;\n", g.pick("TRUE", "FALSE", "{TRUE, FALSE}"))
	fmt.Fprintf(&body, "next(x) := %s;\n", g.value(g.vars[0]))
	g.sub = body.String()
	g.vars = outer
	fmt.Fprintf(b, "VAR c0 : cell(%s, %s);\n", g.expr('b'), g.expr('i'))
	fmt.Fprintf(b, "VAR c1 : cell(c0.x, %s);\n", g.expr('i'))
	g.vars = append(g.vars, gvar{"c0.x", 'b', kindState, 2, "boolean"}, gvar{"c1.x", 'b', kindState, 2, "boolean"})
	g.defs = append(g.defs, gvar{name: "c0.y", t: 'b'}, gvar{name: "c1.y", t: 'b'})
}

// assignments gives some of a module's variables definitions. A plain
// assignment reads variables that come later only, so that no cycle arises.
func (g *gen) assignments(b *strings.Builder, mine []gvar) {
	all, defs := g.vars, g.defs
	defer func() { g.vars, g.defs = all, defs }()
	for i, v := range mine {
		if v.kind == kindInput {
			continue
		}
		later := mine[i+1:]
		switch r := g.IntN(10); {
		case r < 2 && v.kind == kindState:
			g.vars, g.defs = later, nil
			fmt.Fprintf(b, "ASSIGN %s := %s;\n", v.name, g.value(v))
		case r < 8:
			if g.chance(60) {
				g.vars, g.defs = later, nil
				fmt.Fprintf(b, "ASSIGN init(%s) := %s;\n", v.name, g.value(v))
			}
			if v.kind == kindState && g.chance(80) {
				g.vars, g.defs, g.inputs = all, defs, true
				if g.next = g.chance(15); g.next {
					g.vars, g.defs = later, nil
				}
				fmt.Fprintf(b, "ASSIGN next(%s) := %s;\n", v.name, g.value(v))
				g.inputs, g.next = false, false
			}
		}
		g.vars, g.defs = all, defs
	}
}

func (g *gen) constraints(b *strings.Builder) {
	name := func() string { return g.vars[g.IntN(len(g.vars))].name }
	for range g.IntN(3) {
		g.inputs, g.next = true, true
		e := g.expr('b')
		if g.chance(40) {
			v := g.vars[g.IntN(len(g.vars))]
			if v.kind != kindInput {
				e = fmt.Sprintf("next(%s) = %s", v.name, g.expr(v.t))
				if v.t == 'b' && g.chance(40) {
					e = fmt.Sprintf("(next(%s) <-> %s) & (%s | !next(%s))", v.name, g.expr('b'), g.expr('b'), v.name)
				}
			}
		}
		g.inputs, g.next = false, false
		fmt.Fprintf(b, "TRANS %s;\n", e)
	}
	for range g.IntN(2) {
		v := g.vars[g.IntN(len(g.vars))]
		if e := g.expr('b'); g.chance(50) || v.kind == kindInput {
			fmt.Fprintf(b, "INVAR %s;\n", e)
		} else {
			fmt.Fprintf(b, "INVAR %s = %s;\n", v.name, g.expr(v.t))
		}
	}
	for range g.IntN(2) {
		if v := name(); g.chance(50) || g.isInput(v) {
			fmt.Fprintf(b, "INIT %s;\n", g.expr('b'))
		} else {
			for _, w := range g.vars {
				if w.name == v {
					fmt.Fprintf(b, "INIT %s = %s;\n", v, g.expr(w.t))
				}
			}
		}
	}
}
