// One run of a trace on the arrays themselves. The netlist's gates give all other
// values: only the free inputs of reads and equalities are computed here.

package btor2

import (
	"slices"
	"strings"

	"netcov/aig"
	"netcov/cert"
	"netcov/mutant"
)

// run is one run of a trace.
type run struct {
	m     *Model
	a     *abstraction
	trace *cert.Trace

	// The first of the places at which the trace has another value than the arrays are
	// corrected, so many of them; from there on the trace is believed.
	correct int
	wrong   [][]probe       // by place: what mends it is the first that the property does not have yet
	choose  map[place]*base // contents of arrays that are free; nil: the first read chooses

	step     int
	values   []bool                    // by node of the graph
	inputs   [][]bool                  // by step, as corrected
	state    map[int32]*sparse         // by node, in this step
	known    map[int32]*sparse         // arrays of this step
	bases    map[place]*base           // free contents
	latches  []bool                    // at the start
	start    map[int32]*sparse         // states at the start
	demanded map[int]string            // by probe
	failed   bool                      // in the last step, on the design
	strict   bool                      // there, the netlist's bad-state literal
	history  []map[int32]*sparse       // of a run of given arrays, by step: what they are
	used     map[int32]map[string]bool // there, by variable: addresses that matter
	honest   bool                      // each read and equality has had the value that the arrays give
}

func (m *Model) runTrace(property int, t *cert.Trace, correct int, choose map[place]*base) *run {
	n := m.Design.Netlist
	r := &run{m: m, a: m.abs, trace: t, correct: correct, choose: choose, values: make([]bool, n.Graph.Size()), bases: map[place]*base{}, state: map[int32]*sparse{}, demanded: map[int]string{}, used: map[int32]map[string]bool{}}
	for i, l := range n.Latches {
		r.values[l.Lit.Node()] = i < len(t.Latches) && t.Latches[i]
	}
	r.failed, r.strict, r.honest = true, true, true
	for r.step = range t.Inputs {
		r.inputs = append(r.inputs, slices.Clone(t.Inputs[r.step]))
		for len(r.inputs[r.step]) < len(n.Inputs) {
			r.inputs[r.step] = append(r.inputs[r.step], false)
		}
		r.known = map[int32]*sparse{}
		if r.step == 0 {
			r.begin()
		}
		r.force()
		r.evaluate(true)
		r.honest = r.honest && r.right()
		if choose != nil && correct == 0 {
			r.record()
		}
		for _, c := range n.Constraints {
			if !r.value(c.Lit) {
				r.failed, r.strict = false, false
			}
		}
		r.note(property)
		if r.step < len(t.Inputs)-1 {
			r.advance()
		}
	}
	r.failed = r.failed && r.value(r.a.bads[property])
	r.strict = r.strict && r.value(n.Bads[property].Lit)
	return r
}

// force has the readers of the cut see the fault: from the first step on, but not in
// initial values.
func (r *run) force() {
	c := r.a.cut
	if c == nil {
		return
	}
	row, free := r.inputs[r.step], len(r.m.Design.Netlist.Inputs)
	r.values[r.m.Design.Netlist.Latches[c.Latch].Lit.Node()] = c.Fault == mutant.One || c.Fault == mutant.Nondet && len(row) > free && row[free]
}

func (r *run) value(l aig.Lit) bool { return r.values[l.Node()] != l.Neg() }

// bitsOf are the values of literals as text, the lowest first.
func (r *run) bitsOf(w word) string {
	out := make([]byte, len(w))
	for i, l := range w {
		out[i] = '0'
		if r.value(l) {
			out[i] = '1'
		}
	}
	return string(out)
}

// word is the value of an argument.
func (r *run) word(a ref) string {
	return r.bitsOf(r.a.value(a))
}

// evaluate computes all gates of a step, in the order in which they were made, and on
// the way the inputs that stand for arrays.
func (r *run) evaluate(arrays bool) {
	g := r.m.Design.Netlist.Graph
	for i := range aig.Node(g.Size()) {
		switch g.Kind(i) {
		case aig.KindAnd:
			x, y := g.Fanins(i)
			r.values[i] = r.value(x) && r.value(y)
		case aig.KindInput:
			if node, ok := r.a.at[i]; ok && arrays {
				r.array(node)
			}
			r.values[i] = r.inputs[r.step][r.a.inputOf[i]]
		}
	}
}

// right reports whether in this step all reads and equalities of the netlist are those of
// the arrays.
func (r *run) right() bool {
	for i := range r.a.reads {
		n := &r.a.nodes[i]
		if is, _ := r.arrayOf(n.args[0].node).read(r.word(n.args[1])); is.value != r.bitsOf(n.bits) {
			return false
		}
	}
	for i := range r.a.equals {
		n := &r.a.nodes[i]
		_, _, differ := difference(r.arrayOf(n.args[0].node), r.arrayOf(n.args[1].node), r.a.nodes[n.args[0].node].index)
		if r.value(n.bits[0]) != (differ == (n.op == "neq")) {
			return false
		}
	}
	return true
}

// begin finds the arrays of states at the start: their initial values read no array.
func (r *run) begin() {
	for changed := true; changed; { // resets may depend on other latches
		r.evaluate(false)
		changed = false
		for _, l := range r.m.Design.Netlist.Latches {
			if v := r.value(l.Reset); v != r.value(l.Lit) {
				r.values[l.Lit.Node()], changed = v, true
			}
		}
	}
	for _, i := range r.a.states {
		if n := &r.a.nodes[i]; n.huge && (n.init.node >= 0 || n.next.node >= 0) {
			r.state[i] = r.initial(i)
		}
	}
	r.start, r.known = r.state, map[int32]*sparse{}
	for _, l := range r.m.Design.Netlist.Latches {
		r.latches = append(r.latches, r.value(l.Lit))
	}
}

// initial is the array of a state at the start. No state's depends on itself.
func (r *run) initial(i int32) *sparse {
	n := &r.a.nodes[i]
	if s := r.state[i]; s != nil {
		return s
	}
	switch from := n.init.node; {
	case from < 0:
		r.state[i] = &sparse{base: r.free(i)}
	case r.a.nodes[from].index == 0:
		r.state[i] = &sparse{base: &base{rest: r.word(n.init)}}
	default:
		r.state[i] = r.arrayOf(from)
	}
	return r.state[i]
}

// advance goes to the next step.
func (r *run) advance() {
	next := map[int32]*sparse{}
	for _, i := range r.a.states {
		switch n := &r.a.nodes[i]; {
		case n.huge && n.next.node >= 0:
			next[i] = r.arrayOf(n.next.node)
		case n.huge && n.init.node >= 0:
			next[i] = nil // any: the words are inputs of this step
		}
	}
	n := r.m.Design.Netlist
	latches := make([]bool, len(n.Latches))
	for i, l := range n.Latches {
		latches[i] = r.value(l.Next)
	}
	for i, l := range n.Latches {
		r.values[l.Lit.Node()] = latches[i]
	}
	r.step++
	for i, s := range next {
		if s == nil {
			next[i] = &sparse{base: r.free(i)}
		}
	}
	r.step--
	r.state = next
}

// free is the content of an array that the environment chooses in this step: its words
// are those of the trace.
func (r *run) free(i int32) *base {
	at := place{r.step, i}
	if b := r.bases[at]; b != nil { // made for an initial value
		return b
	}
	if b := r.choose[at]; b != nil {
		r.bases[at] = b
		return b
	}
	n := &r.a.nodes[i]
	b := &base{values: map[string]cell{}, rest: strings.Repeat("0", n.element), open: r.choose == nil}
	bits := r.freeBits(i)
	for j, address := range r.a.words(n.index) {
		if at := r.bitsOf(address); b.values[at].value == "" {
			b.values[at] = cell{bits[j*n.element : (j+1)*n.element], nowhere}
		}
	}
	r.bases[at] = b
	return b
}

// freeBits are the words of a free array as the trace has them in this step.
func (r *run) freeBits(i int32) string {
	v := r.a.variables[i]
	if v.input != nil {
		return get(r.inputs[r.step], v.input)
	}
	w := make(word, len(v.latch))
	for k, l := range v.latch {
		w[k] = r.m.Design.Netlist.Latches[l].Lit
	}
	return r.bitsOf(w)
}

// arrayOf is the array that a node is in this step.
func (r *run) arrayOf(i int32) *sparse {
	if s := r.known[i]; s != nil {
		return s
	}
	n := &r.a.nodes[i]
	var s *sparse
	switch {
	case n.kind == kindState && r.state[i] != nil:
		s = r.state[i]
	case n.kind == kindState && (n.init.node >= 0 || n.next.node >= 0):
		s = r.initial(i)
	case n.kind != kindOp:
		s = &sparse{base: r.free(i)}
	case n.op == "write":
		s = r.arrayOf(n.args[0].node).write(r.word(n.args[1]), cell{r.word(n.args[2]), place{r.step, i}})
	case r.word(n.args[0]) == "1": // ite
		s = r.arrayOf(n.args[1].node)
	default:
		s = r.arrayOf(n.args[2].node)
	}
	r.known[i] = s
	return s
}

// array computes the inputs of a read or an equality.
func (r *run) array(i int32) {
	if e := r.a.equals[i]; e != nil {
		r.equal(i, e)
	} else {
		r.read(i)
	}
}

// kept reports whether an address is that of a word.
func (r *run) kept(at string) bool {
	return slices.ContainsFunc(r.a.words(len(at)), func(w word) bool { return r.bitsOf(w) == at })
}

func (r *run) read(i int32) {
	n := &r.a.nodes[i]
	at := r.word(n.args[1])
	array, inputs := r.arrayOf(n.args[0].node), r.a.reads[i]
	said := get(r.inputs[r.step], inputs)
	is, settled := array.read(at)
	switch {
	case r.kept(at):
		if r.correct < 0 { // faithful may move the word
			set(r.inputs[r.step], inputs, is.value)
		}
	case !settled:
		array.base.values[at] = cell{said, place{r.step, i}}
	case is.value != said && r.mend(r.probe(i, r.step, at)):
		set(r.inputs[r.step], inputs, is.value)
	}
}

func (r *run) equal(i int32, e *freeEqual) {
	n := &r.a.nodes[i]
	x, y := r.arrayOf(n.args[0].node), r.arrayOf(n.args[1].node)
	at, from, differ := difference(x, y, r.a.nodes[n.args[0].node].index)
	chosen := get(r.inputs[r.step], e.differ) // "" where the trace does not say
	said, hit := r.inputs[r.step][e.says], r.kept(chosen)
	if r.correct < 0 { // in any case, for faithful
		defer func() {
			r.inputs[r.step][e.says] = !differ
			for k, in := range e.differ {
				r.inputs[r.step][in] = differ && at[k] == '1'
			}
		}()
	}
	if !differ {
		if !said && !hit && r.mend(r.probe(i, r.step, chosen)) {
			r.inputs[r.step][e.says] = true
		}
		return
	}
	for _, w := range r.a.words(len(at)) {
		k := r.bitsOf(w)
		p, _ := x.read(k)
		q, _ := y.read(k)
		if p.value != q.value {
			return // the words say so
		}
	}
	if !said && !hit {
		return
	}
	var probes []probe
	for _, f := range from {
		if f != nowhere {
			probes = append(probes, r.probe(f.node, f.step, at))
		}
	}
	probes = append(probes, r.probe(i, r.step, at), constant(at))
	if r.mend(probes...) {
		r.inputs[r.step][e.says] = false
		for k, in := range e.differ {
			r.inputs[r.step][in] = at[k] == '1'
		}
	}
}
