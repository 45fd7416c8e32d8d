package btor2

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"netcov/aig"
	"netcov/cert"
	"netcov/internal/alloctest"
	"netcov/netlist"
)

// read reads a text that must be accepted.
func read(t *testing.T, text string) *Model {
	t.Helper()
	m, err := Read(strings.NewReader(text), "test.btor2", Options{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if err := m.Design.Netlist.Graph.Sanity(); err != nil {
		t.Fatal(err)
	}
	return m
}

// evaluate computes all nodes of a netlist for one valuation of its leaves.
func evaluate(n *netlist.Netlist, leaf func(aig.Node) bool) func(aig.Lit) bool {
	v := make([]bool, n.Graph.Size())
	value := func(l aig.Lit) bool { return v[l.Node()] != l.Neg() }
	for k := range v {
		node := aig.Node(k)
		switch n.Graph.Kind(node) {
		case aig.KindInput, aig.KindLatch:
			v[k] = leaf(node)
		case aig.KindAnd:
			a, b := n.Graph.Fanins(node)
			v[k] = value(a) && value(b)
		}
	}
	return value
}

func randomWord(r *rand.Rand, w int) *big.Int {
	v := new(big.Int)
	switch r.IntN(6) {
	case 0: // small
		v.SetInt64(int64(r.IntN(4)))
	case 1: // minus a small number
		v.SetInt64(-int64(r.IntN(4)))
	case 2: // a power of two
		v.Lsh(big.NewInt(1), uint(r.IntN(w)))
	case 3: // near the width, for shifts
		v.SetInt64(int64(w + r.IntN(3) - 1))
	default:
		for range (w + 63) / 64 {
			v.Lsh(v, 64)
			v.Or(v, new(big.Int).SetUint64(r.Uint64()))
		}
	}
	return v.Mod(v, new(big.Int).Lsh(big.NewInt(1), uint(w)))
}

// operatorText is a file with one operator on inputs of the given widths.
func operatorText(op string, argWidths []int, result int, nums []int) string {
	var b strings.Builder
	args := ""
	for i, w := range argWidths {
		fmt.Fprintf(&b, "%d sort bitvec %d\n%d input %d\n", 10+i, w, 20+i, 10+i)
		args += fmt.Sprintf(" %d", 20+i)
	}
	for _, n := range nums {
		args += fmt.Sprintf(" %d", n)
	}
	fmt.Fprintf(&b, "30 sort bitvec %d\n31 sort bitvec 1\n40 %s 30%s\n41 output 40\n42 one 31\n43 bad -42\n", result, op, args)
	return b.String()
}

// TestOperators holds every operator against the interpreter, for all widths
// from 1 to 64 on random and special words.
func TestOperators(t *testing.T) {
	for op, o := range operators {
		if o.shape == shapeArray {
			continue
		}
		t.Run(op, func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(len(op))))
			for w := 1; w <= 64; w++ {
				if testing.Short() && w > 12 && w%9 != 0 {
					continue
				}
				checkOperator(t, r, op, o, w)
			}
		})
	}
}

func checkOperator(t *testing.T, r *rand.Rand, op string, o operator, w int) {
	widths := []int{w, w, w}[:o.args]
	result := w
	var nums [2]int
	var extra []int
	base := w
	switch o.shape {
	case shapeBool:
		widths, result, base = []int{1, 1}, 1, 1
	case shapeCompare, shapeReduce:
		result = 1
	case shapeConcat:
		widths[1] = 1 + r.IntN(64)
		result = w + widths[1]
	case shapeIte:
		widths[0] = 1
	case shapeExtend:
		nums[0] = r.IntN(20)
		extra = []int{nums[0]}
		result = w + nums[0]
	case shapeSlice:
		nums[0] = r.IntN(w)
		nums[1] = r.IntN(nums[0] + 1)
		extra = nums[:]
		result = nums[0] - nums[1] + 1
	}
	n := read(t, operatorText(op, widths, result, extra)).Design.Netlist
	rounds := 25
	if w > 16 && quadratic(op, w) {
		rounds = 6
	}
	for range rounds {
		var args []*big.Int
		bits := map[aig.Node]bool{}
		at := 0
		for _, aw := range widths {
			v := randomWord(r, aw)
			args = append(args, v)
			for k := range aw {
				bits[n.Inputs[at].Lit.Node()] = v.Bit(k) == 1
				at++
			}
		}
		value := evaluate(n, func(node aig.Node) bool { return bits[node] })
		got := new(big.Int)
		for k := range result {
			if value(n.Outputs[k].Lit) {
				got.SetBit(got, k, 1)
			}
		}
		if want := apply(op, base, args, nums, widths); got.Cmp(want) != 0 {
			t.Fatalf("%s of width %d on %v %v: got %v, want %v", op, w, args, extra, got, want)
		}
	}
}

// TestSpecialWords checks all pairs of words of small widths.
func TestSpecialWords(t *testing.T) {
	for op, o := range operators {
		if o.args != 2 || o.shape == shapeArray {
			continue
		}
		for w := 1; w <= 4; w++ {
			if o.shape == shapeBool && w > 1 {
				continue
			}
			result := w
			if o.shape == shapeCompare {
				result = 1
			} else if o.shape == shapeConcat {
				result = 2 * w
			}
			n := read(t, operatorText(op, []int{w, w}, result, nil)).Design.Netlist
			for x := range 1 << w {
				for y := range 1 << w {
					pattern := x | y<<w
					value := evaluate(n, func(node aig.Node) bool {
						at := slices.IndexFunc(n.Inputs, func(in netlist.Input) bool { return in.Lit.Node() == node })
						return pattern>>at&1 == 1
					})
					got := int64(0)
					for k := range result {
						if value(n.Outputs[k].Lit) {
							got |= 1 << k
						}
					}
					want := apply(op, w, []*big.Int{big.NewInt(int64(x)), big.NewInt(int64(y))}, [2]int{}, []int{w, w})
					if want.Cmp(big.NewInt(got)) != 0 {
						t.Fatalf("%s of width %d on %d, %d: got %d, want %v", op, w, x, y, got, want)
					}
				}
			}
		}
	}
}

// TestOperatorCount guards against an operator that is silently missing.
func TestOperatorCount(t *testing.T) {
	want := strings.Fields(`sext uext slice not inc dec neg redand redor redxor
		iff implies eq neq sgt ugt sgte ugte slt ult slte ulte and nand nor or xnor xor
		rol ror sll sra srl add mul udiv sdiv smod urem srem sub
		uaddo saddo sdivo umulo smulo usubo ssubo concat read ite write`)
	for _, op := range want {
		if _, ok := operators[op]; !ok {
			t.Errorf("no operator %s", op)
		}
	}
	if len(operators) != len(want) {
		t.Errorf("%d operators, want %d", len(operators), len(want))
	}
}

// randomSystem writes a random transition system over all operators.
func randomSystem(r *rand.Rand) string {
	var b strings.Builder
	widths := []int{1, 1 + r.IntN(3), 2 + r.IntN(8)}
	for i, w := range widths {
		fmt.Fprintf(&b, "%d sort bitvec %d\n", i+1, w)
	}
	// Two kinds of arrays. A node of an array has the width minus its kind.
	fmt.Fprintf(&b, "4 sort bitvec 2\n5 sort array 2 3\n6 sort array 4 1\n")
	arrays := map[int]struct{ sort, index, element int }{-1: {5, widths[1], widths[2]}, -2: {6, 2, 1}}
	id := 10
	type made struct{ id, width int }
	var nodes []made
	sorts := map[int]int{}
	for i, w := range widths {
		if _, ok := sorts[w]; !ok {
			sorts[w] = i + 1
		}
	}
	add := func(w int, format string, args ...any) int {
		id++
		fmt.Fprintf(&b, "%d %s\n", id, fmt.Sprintf(format, args...))
		nodes = append(nodes, made{id, w})
		return id
	}
	sort := func(w int) int {
		if a, ok := arrays[w]; ok {
			return a.sort
		}
		if s, ok := sorts[w]; ok {
			return s
		}
		id++
		fmt.Fprintf(&b, "%d sort bitvec %d\n", id, w)
		sorts[w] = id
		return id
	}
	pick := func(w int) (string, bool) {
		var fit []int
		for _, n := range nodes {
			if n.width == w {
				fit = append(fit, n.id)
			}
		}
		if len(fit) == 0 {
			return "", false
		}
		s := strconv.Itoa(fit[r.IntN(len(fit))])
		if w > 0 && r.IntN(4) == 0 {
			s = "-" + s
		}
		return s, true
	}
	var states []made
	for _, w := range widths {
		add(w, "input %d", sort(w))
		add(w, "const %d %s", sort(w), fmt.Sprintf("%0*b", w, r.IntN(1<<w)))
		for range 1 + r.IntN(2) {
			states = append(states, made{add(w, "state %d s%d ; a comment", sort(w), id), w})
		}
	}
	add(2, "input 4")
	for kind := range 2 {
		add(-kind-1, "input %d", sort(-kind-1))
		for range 1 + r.IntN(2) {
			states = append(states, made{add(-kind-1, "state %d m%d", sort(-kind-1), id), -kind - 1})
		}
	}
	ops := make([]string, 0, len(operators))
	for op := range operators {
		ops = append(ops, op)
	}
	slices.Sort(ops)
	for range 10 + r.IntN(25) {
		op := ops[r.IntN(len(ops))]
		o := operators[op]
		w := nodes[r.IntN(len(nodes))].width
		var args []string
		take := func(w int) {
			s, ok := pick(w)
			if !ok {
				s, _ = pick(1)
			}
			args = append(args, s)
		}
		if w < 0 && (op == "eq" || op == "neq") {
			take(w)
			take(w)
			add(1, "%s %d %s", op, sort(1), strings.Join(args, " "))
			continue
		}
		if kind := -1 - r.IntN(2); o.shape == shapeArray {
			a := arrays[kind]
			for _, w := range []int{kind, a.index, a.element}[:o.args] {
				if s, ok := pick(w); ok {
					args = append(args, s)
				}
			}
			if len(args) < o.args {
				continue
			}
			result := a.element
			if op == "write" {
				result = kind
			}
			add(result, "%s %d %s", op, sort(result), strings.Join(args, " "))
			continue
		}
		if w < 0 && op != "ite" {
			continue
		}
		switch o.shape {
		case shapeBool:
			w = 1
			take(1)
			take(1)
		case shapeIte:
			take(1)
			take(w)
			take(w)
		default:
			for range o.args {
				take(w)
			}
		}
		result := w
		switch o.shape {
		case shapeCompare, shapeReduce:
			result = 1
		case shapeConcat:
			result = 2 * w
		case shapeExtend:
			n := r.IntN(4)
			result += n
			args = append(args, strconv.Itoa(n))
		case shapeSlice:
			u := r.IntN(w)
			l := r.IntN(u + 1)
			result = u - l + 1
			args = append(args, strconv.Itoa(u), strconv.Itoa(l))
		}
		if result > 40 {
			continue
		}
		add(result, "%s %d %s", op, sort(result), strings.Join(args, " "))
	}
	for i, s := range states {
		if r.IntN(4) > 0 {
			v, _ := pick(s.width)
			id++
			fmt.Fprintf(&b, "%d next %d %d %s\n", id, sort(s.width), s.id, v)
		}
		if r.IntN(3) > 0 && i > 0 { // init from an input, a constant or an earlier state
			var fit []int
			for _, n := range nodes {
				if n.id < s.id && (n.width == s.width || s.width < 0 && n.width == arrays[s.width].element) {
					fit = append(fit, n.id)
				}
			}
			if len(fit) > 0 {
				id++
				fmt.Fprintf(&b, "%d init %d %d %d\n", id, sort(s.width), s.id, fit[r.IntN(len(fit))])
			}
		}
	}
	for range 1 + r.IntN(3) {
		v, _ := pick(1)
		id++
		fmt.Fprintf(&b, "%d bad %s\n", id, v)
	}
	if r.IntN(2) == 0 {
		v, _ := pick(1)
		id++
		fmt.Fprintf(&b, "%d constraint %s c\n", id, v)
	}
	for range 3 {
		n := nodes[r.IntN(len(nodes))]
		id++
		fmt.Fprintf(&b, "%d output %d o\n", id, n.id)
	}
	return b.String()
}

// TestRandomSystems runs random systems step by step, once word by word over
// the parsed table and once bit by bit over the netlist.
func TestRandomSystems(t *testing.T) {
	rounds := 400
	if s := os.Getenv("NETCOV_ROUNDS"); s != "" {
		rounds, _ = strconv.Atoi(s)
	}
	for seed := range rounds {
		r := rand.New(rand.NewPCG(7, uint64(seed)))
		text := randomSystem(r)
		m := read(t, text)
		table, err := parse([]byte(text), "test", Options{}.withDefaults())
		if err != nil {
			t.Fatal(err)
		}
		runBoth(t, r, text, m, table)
	}
}

// words is the word-level state of a run.
type words struct {
	t      *table
	values []*big.Int // by node
}

func (s *words) arg(a ref) *big.Int {
	v := s.values[a.node]
	if !a.neg {
		return v
	}
	ones := new(big.Int).Lsh(big.NewInt(1), uint(s.t.nodes[a.node].width))
	return ones.Sub(ones, big.NewInt(1)).Xor(ones, v)
}

// eval computes constants and operators; variables are set already.
func (s *words) eval() {
	for i := range s.t.nodes {
		n := &s.t.nodes[i]
		switch n.kind {
		case kindConst:
			v := new(big.Int)
			for k, l := range n.bits {
				v.SetBit(v, k, uint(l))
			}
			s.values[i] = v
		case kindOp:
			var args []*big.Int
			var widths []int
			for _, a := range n.args {
				args = append(args, s.arg(a))
				widths = append(widths, s.t.nodes[a.node].width)
			}
			w := widths[0]
			s.values[i] = apply(n.op, w, args, n.nums, widths)
		}
	}
}

func runBoth(t *testing.T, r *rand.Rand, text string, m *Model, table *table) {
	n := m.Design.Netlist
	s := &words{table, make([]*big.Int, len(table.nodes))}
	latches := make([]bool, len(n.Latches))
	for step := range 6 {
		inputs := make([]bool, len(n.Inputs))
		set := func(at []int, v *big.Int) {
			for k, i := range at {
				inputs[i] = v.Bit(k) == 1
			}
		}
		for k, i := range table.inputs {
			s.values[i] = randomWord(r, table.nodes[i].width)
			set(m.inputs[k].input, s.values[i])
		}
		if step == 0 { // states without init are free, then the others follow
			for k, i := range table.states {
				s.values[i] = randomWord(r, table.nodes[i].width)
				set(m.states[k].input, s.values[i])
			}
			for range table.states {
				s.eval()
				for _, i := range table.states {
					if init := table.nodes[i].init; init.node >= 0 {
						s.values[i] = everywhere(s.arg(init), table.nodes[init.node].width, table.nodes[i].width)
					}
				}
			}
			for k, i := range table.states {
				for b, l := range m.states[k].latch {
					latches[l] = s.values[i].Bit(b) == 1
				}
			}
		} else {
			for k, i := range table.states {
				if table.nodes[i].next.node < 0 && m.states[k].latch == nil {
					s.values[i] = randomWord(r, table.nodes[i].width)
					set(m.states[k].input, s.values[i])
				}
			}
		}
		s.eval()
		next := make([]*big.Int, len(table.states))
		for k, i := range table.states {
			if a := table.nodes[i].next; a.node >= 0 {
				next[k] = s.arg(a)
			} else if m.states[k].latch != nil {
				next[k] = randomWord(r, table.nodes[i].width)
				set(m.states[k].future, next[k])
			}
		}
		at := map[aig.Node]bool{}
		for i, in := range n.Inputs {
			at[in.Lit.Node()] = inputs[i]
		}
		for i, l := range n.Latches {
			at[l.Lit.Node()] = latches[i]
		}
		value := evaluate(n, func(node aig.Node) bool { return at[node] })
		where := fmt.Sprintf("step %d\n%s", step, text)
		if step == 0 {
			for i, l := range n.Latches {
				if value(l.Reset) != latches[i] {
					t.Fatalf("reset of %s differs, %s", l.Name, where)
				}
			}
		}
		compare := func(ms []mark, got []netlist.Signal, what string) {
			k := 0
			for _, mark := range ms {
				v := s.arg(mark.arg)
				for b := range table.nodes[mark.arg.node].width {
					if value(got[k].Lit) != (v.Bit(b) == 1) {
						t.Fatalf("%s of line %d, bit %d differs, %s", what, mark.line, b, where)
					}
					k++
				}
			}
		}
		compare(table.bads, n.Bads, "bad")
		compare(table.constraints, n.Constraints, "constraint")
		compare(table.outputs, n.Outputs, "output")
		for k, i := range table.states {
			for b, l := range m.states[k].latch {
				if value(n.Latches[l].Next) != (next[k].Bit(b) == 1) {
					t.Fatalf("next of node %d, bit %d differs, %s", table.nodes[i].id, b, where)
				}
				latches[l] = next[k].Bit(b) == 1
			}
			s.values[i] = next[k]
		}
	}
}

// everywhere is a value of width w again and again, in a word of more bits.
func everywhere(v *big.Int, w, bits int) *big.Int {
	out := new(big.Int)
	for k := range bits {
		out.SetBit(out, k, v.Bit(k%w))
	}
	return out
}

const counter = `1 sort bitvec 3
2 sort bitvec 1
3 zero 1
4 state 1 top.u1.count ; counter.v:7.2-20.6
5 init 1 4 3
6 one 1
7 input 2 enable
8 add 1 4 6 sum
9 ite 1 7 8 4
10 next 1 4 9
11 ones 1
12 eq 2 4 11
13 bad 12 wraps
14 output 4 count
15 state 2 flag
16 state 2
17 next 2 16 -16
18 state 2 held
19 init 2 18 15
`

func TestNamesAndLines(t *testing.T) {
	d := read(t, counter).Design
	var got []string
	for i, o := range d.Latches {
		got = append(got, fmt.Sprintf("%s %s %d %s %s:%d", d.Netlist.Latches[i].Name, o.Register, o.Bit, o.Instance, o.File, o.Line))
	}
	want := []string{
		"top.u1.count[0] top.u1.count 0 top.u1 counter.v:7",
		"top.u1.count[1] top.u1.count 1 top.u1 counter.v:7",
		"top.u1.count[2] top.u1.count 2 top.u1 counter.v:7",
		"state16 state16 -1  test.btor2:16",
		"held held -1  test.btor2:18",
	}
	if !slices.Equal(got, want) {
		t.Errorf("latches:\n%s", strings.Join(got, "\n"))
	}
	if p := d.Properties[0]; p.Register != "wraps" || p.Line != 13 {
		t.Errorf("property %+v", p)
	}
	if len(d.Gates) != len(d.Netlist.Gates) || len(d.Gates) == 0 {
		t.Fatalf("%d origins of %d gates", len(d.Gates), len(d.Netlist.Gates))
	}
	if o := d.Gates[0]; o.Register != "sum" || o.Line != 8 {
		t.Errorf("first gate %+v", o)
	}
	if o := d.Gates[len(d.Gates)-1]; o.Register != "eq12" || o.Line != 12 {
		t.Errorf("last gate %+v", o)
	}
}

func TestWitness(t *testing.T) {
	m := read(t, counter)
	// inputs of the netlist: enable, flag, next(held); latches: count, state16, held
	var out strings.Builder
	err := m.WriteWitness(&out, 0, &cert.Trace{
		Latches: []bool{false, false, false, true, false},
		Inputs:  [][]bool{{true, true, false}, {true, false, true}},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "sat\nb0\n#0\n1 1 flag#0\n2 1\n@0\n0 1 enable@0\n#1\n1 0 flag#1\n3 0 held#1\n@1\n0 1 enable@1\n.\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
	if err := m.WriteWitness(&out, 1, &cert.Trace{}); err == nil {
		t.Error("a property that is not there was accepted")
	}
}

// An array is named by its elements, and a witness has a line for each.
func TestArrayNamesAndWitness(t *testing.T) {
	m := read(t, "1 sort bitvec 1\n2 sort bitvec 2\n3 sort array 1 2\n4 state 3 u.mem ; ram.v:4.5-4.8\n5 input 1 at\n6 read 2 4 5\n7 write 3 4 5 -6\n8 next 3 4 7\n9 redand 1 6\n10 bad 9\n")
	d := m.Design
	var got []string
	for i, o := range d.Latches {
		got = append(got, fmt.Sprintf("%s %s %d %s %s:%d", d.Netlist.Latches[i].Name, o.Register, o.Bit, o.Instance, o.File, o.Line))
	}
	want := []string{"u.mem[0][0] u.mem[0] 0 u ram.v:4", "u.mem[0][1] u.mem[0] 1 u ram.v:4", "u.mem[1][0] u.mem[1] 0 u ram.v:4", "u.mem[1][1] u.mem[1] 1 u ram.v:4"}
	if !slices.Equal(got, want) {
		t.Errorf("latches:\n%s", strings.Join(got, "\n"))
	}
	var out strings.Builder
	if err := m.WriteWitness(&out, 0, &cert.Trace{Latches: []bool{false, false, true, true}, Inputs: [][]bool{{true}}}); err != nil {
		t.Fatal(err)
	}
	if want := "sat\nb0\n#0\n0 [0] 00 u.mem#0\n0 [1] 11 u.mem#0\n@0\n0 1 at@0\n.\n"; out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

// TestErrors checks that each fault is named with its line.
func TestErrors(t *testing.T) {
	head := "1 sort bitvec 4\n2 sort bitvec 1\n3 input 1\n4 input 2\n5 state 1\n"
	for _, c := range []struct{ text, want string }{
		{"", "f:1: the file has no node; a BTOR2 file declares sorts and nodes, one a line"},
		{"x sort bitvec 1", `f:1: the number of a node is due, found "x"`},
		{"0 sort bitvec 1", "f:1: the number of a node is due"},
		{"1 sort bitvec 0", `f:1: the width of a bit-vector is due, found "0"`},
		{"1 sort bitvec 99999999", "f:1: a bit-vector of 99999999 bits is above the limit of 65536"},
		{"1 sort float 3", `f:1: the kind of a sort is due, found "float"`},
		{"1", "f:1: line without an operator"},
		{"1 sort bitvec 16\n2 sort array 1 1\n3 state 2 mem\n", "f:3: an array of 65536 elements of 16 bits (sort 2, line 2) is above the limit of 131072 bits; raise the limit"},
		{"1 sort bitvec 64\n2 sort array 1 1\n3 state 2 mem\n", "f:3: an array of 2^64 elements of 64 bits"},
		{"1 sort bitvec 2\n2 sort array 1 1\n3 sort array 2 1\n", "f:3: sort 2 is an array; index and elements"},
		{"1 sort bitvec 2\n2 sort array 1 9\n", "f:2: no sort 9"},
		{head + "6 read 1 3 3", "f:6: read of 4 bits; name an array"},
		{head + "6 sort array 2 1\n7 state 6 m\n8 read 1 7 3", "f:8: read of an array of 2 elements of 4 bits at an index of 4 bits"},
		{head + "6 sort array 2 1\n7 state 6 m\n8 read 2 7 4", "f:8: read of an array of 2 elements of 4 bits with a result of 1 bits"},
		{head + "6 sort array 2 1\n7 state 6 m\n8 write 6 7 4 4", "f:8: write of 1 bits into an array of 2 elements of 4 bits with a result of an array of 2 elements of 4 bits"},
		{head + "6 sort array 2 1\n7 state 6 m\n8 next 6 7 -7", "f:8: the array 7 is inverted"},
		{head + "6 sort array 2 1\n7 state 6 m\n8 next 6 7 3", "f:8: next of a state of an array of 2 elements of 4 bits"},
		{head + "6 sort array 2 1\n7 zero 6", "f:7: zero of an array of 2 elements of 4 bits; an array has no constant"},
		{head + "6 sort array 2 1\n7 state 6 m\n8 redor 2 7", "f:8: redor of an array of 2 elements of 4 bits; arrays are read"},
		{head + "6 sort array 2 1\n7 state 6 m\n8 sort bitvec 8\n9 input 8\n10 eq 2 7 9", "f:10: eq of an array of 2 elements of 4 bits and 8 bits; give the arrays one sort"},
		{head + "6 sort array 2 1\n7 state 6 m\n8 sort bitvec 8\n9 input 8\n10 ite 8 4 7 9", "f:10: ite of"},
		{head + "6 add 1 3 4", "f:6: add of 4 and 1 bits with a result of 4 bits"},
		{head + "6 add 1 3 9", "f:6: no node 9; define the node above this line"},
		{head + "6 add 1 3 1", "f:6: the argument 1 is a sort"},
		{head + "6 add 1 3", "f:6: the line ends where an argument is due"},
		{head + "6 add 1 3 3 a b", `f:6: the line should end after "a", found "b"`},
		{head + "6 plus 1 3 3", `f:6: unknown operator "plus"`},
		{head + "6 slice 2 3 4 4", "f:6: slice from bit 4 to bit 4 of 4 bits with a result of 1 bits"},
		{head + "6 uext 1 4 2", "f:6: uext of 1 bits by 2 bits with a result of 4 bits"},
		{head + "6 const 1 012", `f:6: "012" is no value for const`},
		{head + "6 const 1 011", "f:6: a constant of 3 digits for a sort of 4 bits"},
		{head + "6 constd 1 16", `f:6: the constant "16" does not fit in 4 bits`},
		{head + "6 constd 1 -9", `f:6: the constant "-9" does not fit in 4 bits`},
		{head + "6 input 7", "f:6: no sort 7; declare the sort above this line"},
		{head + "5 input 1", "f:6: a second node 5"},
		{head + "1 input 1", "f:6: node 1 is the sort of line 1 already"},
		{head + "6 bad 3", "f:6: bad needs a node of 1 bit, this one has 4"},
		{head + "6 next 1 3 3", "f:6: next of node 3, which is no state"},
		{head + "6 next 1 5 4", "f:6: next of a state of 4 bits with a sort of 4 bits and a value of 1 bits"},
		{head + "6 next 1 5 3\n7 next 1 5 5", "f:7: a second next of node 5 (the first is in line 6)"},
		{head + "6 justice 2 4", "f:6: the line ends where an argument is due"},
		{head + "6 justice 1 3", "f:6: justice needs nodes of 1 bit, this one has 4"},
		{head + "6 ite 1 3 3 3", "f:6: ite of 4, 4 and 4 bits with a result of 4 bits"},
		{head + "6 init 1 5 -5", "f:6: the initial value of state 5 depends on itself; break the cycle of init lines"},
	} {
		_, err := Read(strings.NewReader(c.text), "f", Options{})
		var refusal *Error
		if !errors.As(err, &refusal) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q:\n got %v\nwant %s", c.text, err, c.want)
		}
		if refusal != nil && (refusal.Cure == "" || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%q: no cure or more than a line: %v", c.text, err)
		}
	}
}

func TestLimits(t *testing.T) {
	text := "1 sort bitvec 300\n2 input 1\n3 sort bitvec 1\n4 mul 1 2 2\n5 redor 3 4\n6 bad 5\n"
	_, err := Read(strings.NewReader(text), "f", Options{MaxGates: 1000})
	if err == nil || !strings.Contains(err.Error(), "f:4: more than 1000 gates up to this mul of 300 bits") {
		t.Errorf("got %v", err)
	}
	_, err = Read(strings.NewReader(text), "f", Options{maxBits: 500})
	if err == nil || !strings.Contains(err.Error(), "f:4: cut") && !strings.Contains(err.Error(), "f:4: the words") {
		t.Errorf("got %v", err)
	}
}

// TestInitOfItself: init with the state itself says that it is uninitialised.
func TestInitOfItself(t *testing.T) {
	n := read(t, "1 sort bitvec 2\n2 state 1\n3 init 1 2 2\n4 next 1 2 2\n5 sort bitvec 1\n6 redor 5 2\n7 bad 6\n").Design.Netlist
	for _, l := range n.Latches {
		if l.Reset != l.Lit {
			t.Errorf("reset %d of latch %d", l.Reset, l.Lit)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(counter))
	for seed := range 5 {
		f.Add([]byte(randomSystem(rand.New(rand.NewPCG(3, uint64(seed))))))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var m *Model
		var err error
		// 200,000 gates and 20,000 bits may come of a few bytes.
		alloctest.Check(t, len(data)+100_000, 2000, func() {
			m, err = Read(strings.NewReader(string(data)), "fuzz", Options{maxWidth: 100, maxBits: 20000, MaxGates: 200000})
		})
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than a line: %q", err)
			}
			return
		}
		if err := m.Design.Netlist.Graph.Sanity(); err != nil {
			t.Error(err)
		}
	})
}
