package smv

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// An independent reading of the language: syntax trees are interpreted over
// concrete values, and state spaces are built by trying every pair of states.
// Nothing of the elaboration or the encoding is used.

// tval is a bool, an int64, a string (symbol) or a tword.
type tval any

type tword struct {
	signed bool
	width  int
	v      string // decimal, as an unsigned number
}

func (w tword) big() *big.Int {
	b, _ := new(big.Int).SetString(w.v, 10)
	return b
}

// number is the value as a number, with its sign.
func (w tword) number() *big.Int {
	b := w.big()
	if w.signed && b.Bit(w.width-1) == 1 {
		b.Sub(b, new(big.Int).Lsh(big.NewInt(1), uint(w.width)))
	}
	return b
}

func mkWord(signed bool, width int, b *big.Int) tword {
	m := new(big.Int).Lsh(big.NewInt(1), uint(width))
	return tword{signed, width, new(big.Int).Mod(b, m).String()}
}

func showVal(v tval) string {
	switch x := v.(type) {
	case bool:
		return strings.ToUpper(fmt.Sprint(x))
	case tword:
		n := x.number()
		switch {
		case n.Sign() < 0 && x.big().TrailingZeroBits() == uint(x.width-1):
			return fmt.Sprintf("0sb%d_%b", x.width, x.big())
		case n.Sign() < 0:
			return fmt.Sprintf("-0sd%d_%s", x.width, new(big.Int).Neg(n))
		case x.signed:
			return fmt.Sprintf("0sd%d_%s", x.width, n)
		}
		return fmt.Sprintf("0ud%d_%s", x.width, n)
	}
	return fmt.Sprint(v)
}

// tvar is a variable with its values.
type tvar struct {
	name string
	kind varKind
	vals []tval
}

type tinst struct {
	name   string
	mod    *module
	parent *tinst
	vars   map[string]any // *tvar, *tarray or *tinst
	defs   map[string]*expr
	args   map[string]*expr
}

// tarray is an array of variables or of arrays.
type tarray struct {
	lo    int64
	elems []any
}

type tassign struct {
	kind  itemKind
	v     *tvar
	right *expr
	in    *tinst
}

type tcons struct {
	kind itemKind
	e    *expr
	in   *tinst
}

// interp is a whole model.
type interp struct {
	mods    map[string]*module
	symbols map[string]bool
	root    *tinst
	vars    []*tvar
	assigns []tassign
	cons    []tcons
	// the valuation in force
	cur, nxt map[*tvar]tval
}

// tfail is what a failing expression throws.
type tfail struct{}

func newInterp(text string) *interp {
	ip := &interp{mods: map[string]*module{}, symbols: map[string]bool{}}
	for _, m := range parseModules(text) {
		ip.mods[m.name] = m
	}
	ip.root = ip.instance("", ip.mods["main"], nil, nil)
	ip.types(ip.root)
	ip.collect(ip.root)
	return ip
}

func (ip *interp) instance(name string, m *module, parent *tinst, args []*expr) *tinst {
	in := &tinst{name, m, parent, map[string]any{}, map[string]*expr{}, map[string]*expr{}}
	for i, p := range m.params {
		in.args[p.name] = args[i]
	}
	for i := range m.items {
		it := &m.items[i]
		switch {
		case it.kind == itemConstant:
			ip.symbols[it.name] = true
		case it.kind == itemDefine:
			in.defs[it.name] = it.right
		case it.kind == itemVar && it.typ.kind == typeModule:
			full := it.name
			if name != "" {
				full = name + "." + it.name
			}
			in.vars[it.name] = ip.instance(full, ip.mods[it.typ.name], in, it.typ.args)
		case it.kind == itemVar:
			t := it.typ
			for ; t.kind == typeArray; t = t.elem {
			}
			if t.kind == typeEnum {
				for _, v := range t.args {
					if v.op == opIdent {
						ip.symbols[v.text] = true
					}
				}
			}
		}
	}
	return in
}

func (ip *interp) types(in *tinst) {
	for i := range in.mod.items {
		it := &in.mod.items[i]
		if it.kind != itemVar {
			continue
		}
		if sub, ok := in.vars[it.name].(*tinst); ok {
			ip.types(sub)
			continue
		}
		full := it.name
		if in.name != "" {
			full = in.name + "." + it.name
		}
		in.vars[it.name] = ip.variable(full, it.vkind, it.typ, in)
	}
}

func (ip *interp) num(e *expr, in *tinst) int64 { return ip.one(e, in, false).(int64) }

func (ip *interp) variable(name string, kind varKind, t *typeExpr, in *tinst) any {
	v := &tvar{name: name, kind: kind}
	switch t.kind {
	case typeArray:
		a := &tarray{lo: ip.num(t.args[0], in)}
		for i := a.lo; i <= ip.num(t.args[1], in); i++ {
			a.elems = append(a.elems, ip.variable(fmt.Sprintf("%s[%d]", name, i), kind, t.elem, in))
		}
		return a
	case typeBoolean:
		v.vals = []tval{false, true}
	case typeRange:
		for i := ip.num(t.args[0], in); i <= ip.num(t.args[1], in); i++ {
			v.vals = append(v.vals, i)
		}
	case typeWord:
		w := int(ip.num(t.args[0], in))
		for i := range 1 << w {
			v.vals = append(v.vals, mkWord(t.signed, w, big.NewInt(int64(i))))
		}
	case typeEnum:
		for _, x := range t.args {
			if x.op == opInt {
				v.vals = append(v.vals, x.num)
			} else {
				v.vals = append(v.vals, x.text)
			}
		}
	}
	ip.vars = append(ip.vars, v)
	return v
}

func (ip *interp) collect(in *tinst) {
	for i := range in.mod.items {
		it := &in.mod.items[i]
		switch it.kind {
		case itemVar:
			if sub, ok := in.vars[it.name].(*tinst); ok {
				ip.collect(sub)
			}
		case itemPlain, itemInit, itemNext:
			ip.assigns = append(ip.assigns, tassign{it.kind, ip.resolve(it.left, in).(*tvar), it.right, in})
		case itemINIT, itemTRANS, itemINVAR, itemInvarspec, itemFairness:
			ip.cons = append(ip.cons, tcons{it.kind, it.right, in})
		}
	}
}

// bound is an expression with its scope.
type bound struct {
	e  *expr
	in *tinst
}

// resolve finds what a path stands for: *tvar, *tarray, *tinst, bound, []bound
// (an array DEFINE) or a symbol.
func (ip *interp) resolve(e *expr, in *tinst) any {
	switch e.op {
	case opSelf:
		return in
	case opIdent:
		return ip.named(e.text, in)
	case opDot:
		return ip.named(e.text, ip.resolve(e.args[0], in).(*tinst))
	case opIndex:
		i := ip.one(e.args[1], in, false)
		n, ok := i.(int64)
		if !ok {
			n = i.(tword).number().Int64()
		}
		switch a := ip.resolve(e.args[0], in).(type) {
		case *tarray:
			if n < a.lo || n >= a.lo+int64(len(a.elems)) {
				panic(tfail{})
			}
			return a.elems[n-a.lo]
		case bound:
			if n < 0 || n >= int64(len(a.e.args)) {
				panic(tfail{})
			}
			return ip.through(bound{a.e.args[n], a.in})
		}
	}
	return bound{e, in}
}

func (ip *interp) through(b bound) any {
	switch b.e.op {
	case opSelf, opIdent, opDot, opIndex:
		return ip.resolve(b.e, b.in)
	}
	return b
}

func (ip *interp) named(name string, in *tinst) any {
	if v, ok := in.vars[name]; ok {
		return v
	}
	if d, ok := in.defs[name]; ok {
		return ip.through(bound{d, in})
	}
	if a, ok := in.args[name]; ok {
		return ip.through(bound{a, in.parent})
	}
	if ip.symbols[name] {
		return name
	}
	panic("unknown name " + name)
}

// one evaluates to a single value.
func (ip *interp) one(e *expr, in *tinst, next bool) tval {
	vs := ip.eval(e, in, next)
	if len(vs) != 1 {
		panic(fmt.Sprintf("not a single value: %v", vs))
	}
	return vs[0]
}

// attempt evaluates a boolean and catches a failure.
func (ip *interp) attempt(e *expr, in *tinst, next bool) (v, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(tfail); !is {
				panic(r)
			}
		}
	}()
	return ip.truth(e, in, next), true
}

func (ip *interp) truth(e *expr, in *tinst, next bool) bool {
	switch v := ip.one(e, in, next).(type) {
	case bool:
		return v
	case int64:
		return v == 1
	}
	panic("not boolean")
}

// eval returns the values of an expression, one unless it is a set.
func (ip *interp) eval(e *expr, in *tinst, next bool) []tval {
	one := func(v tval) []tval { return []tval{v} }
	switch e.op {
	case opTrue, opFalse:
		return one(e.op == opTrue)
	case opInt:
		return one(e.num)
	case opWord:
		return one(mkWord(e.signed, e.width, e.big))
	case opIdent, opDot, opIndex:
		// An index is evaluated in the moment of the whole expression.
		return ip.reference(e, in, next)
	case opNext:
		return ip.eval(e.args[0], in, true)
	case opSet, opUnion:
		var out []tval
		for _, a := range e.args {
			out = append(out, ip.eval(a, in, next)...)
		}
		return out
	case opRange:
		var out []tval
		for i := ip.num(e.args[0], in); i <= ip.num(e.args[1], in); i++ {
			out = append(out, i)
		}
		return out
	case opCase:
		for i := 0; i < len(e.args); i += 2 {
			if ip.truth(e.args[i], in, next) {
				return ip.eval(e.args[i+1], in, next)
			}
		}
		panic(tfail{})
	case opIte:
		if ip.truth(e.args[0], in, next) {
			return ip.eval(e.args[1], in, next)
		}
		return ip.eval(e.args[2], in, next)
	case opIn:
		right := ip.eval(e.args[1], in, next)
		for _, l := range ip.eval(e.args[0], in, next) {
			if !slices.Contains(right, l) {
				return one(false)
			}
		}
		return one(true)
	case opSizeof:
		return one(int64(2)) // all that the random models ask for
	case opCount:
		n := int64(0)
		for _, a := range e.args {
			if ip.truth(a, in, next) {
				n++
			}
		}
		return one(n)
	case opAnd, opOr, opImplies:
		if v, decided := ip.lazy(e, in, next); decided {
			return one(v)
		}
	case opExtend, opResize:
		w := ip.one(e.args[0], in, next).(tword)
		k := int(ip.num(e.args[1], in))
		return one(resized(e.op, w, k))
	case opUwconst, opSwconst:
		return one(mkWord(e.op == opSwconst, int(ip.num(e.args[1], in)), big.NewInt(ip.num(e.args[0], in))))
	case opBits:
		w := ip.one(e.args[0], in, next).(tword)
		hi, lo := int(ip.num(e.args[1], in)), int(ip.num(e.args[2], in))
		return one(mkWord(false, hi-lo+1, new(big.Int).Rsh(w.big(), uint(lo))))
	}
	args := make([]tval, len(e.args))
	for i, a := range e.args {
		args[i] = ip.one(a, in, next)
	}
	return one(strict(e.op, args))
}

func (ip *interp) reference(e *expr, in *tinst, next bool) []tval {
	if e.op == opIndex && next {
		// Evaluate the index in the next state by swapping the valuations.
		cur := ip.cur
		ip.cur = ip.nxt
		defer func() { ip.cur = cur }()
		return ip.reference(e, in, false)
	}
	switch x := ip.resolve(e, in).(type) {
	case *tvar:
		if next {
			return []tval{ip.nxt[x]}
		}
		return []tval{ip.cur[x]}
	case bound:
		return ip.eval(x.e, x.in, next)
	case string:
		return []tval{x}
	}
	panic("no value")
}

// lazy evaluates a boolean connective in which an operand may decide alone.
func (ip *interp) lazy(e *expr, in *tinst, next bool) (v, decided bool) {
	failed := false
	for i, a := range e.args {
		x, ok := func() (tval, bool) {
			defer func() {
				if r := recover(); r != nil {
					if _, is := r.(tfail); !is {
						panic(r)
					}
				}
			}()
			return ip.one(a, in, next), true
		}()
		if !ok {
			failed = true
			continue
		}
		b, isBool := x.(bool)
		if n, isInt := x.(int64); isInt {
			b, isBool = n == 1, true
		}
		if !isBool {
			return false, false
		}
		decides := b == (e.op == opOr)
		if e.op == opImplies {
			decides = b == (i == 1)
		}
		if decides {
			return e.op != opAnd, true
		}
	}
	if failed {
		panic(tfail{})
	}
	return e.op == opAnd, true
}

func resized(o op, w tword, k int) tword {
	width := k
	if o == opExtend {
		width += w.width
	}
	if !w.signed || width >= w.width {
		return mkWord(w.signed, width, w.number())
	}
	low := new(big.Int).SetBit(mkWord(false, width, w.big()).big(), width-1, w.big().Bit(w.width-1))
	return mkWord(true, width, low)
}

func asBool(v tval) bool {
	if n, ok := v.(int64); ok {
		return n == 1
	}
	return v.(bool)
}

// strict evaluates an operator on the values of all operands.
func strict(o op, args []tval) tval {
	a := args[0]
	var b tval
	if len(args) > 1 {
		b = args[1]
	}
	if w, ok := a.(tword); ok {
		return strictWord(o, w, b, args)
	}
	x, isInt := a.(int64)
	y, _ := b.(int64)
	if _, mixed := b.(bool); mixed && isInt {
		a, isInt = x == 1, false
	}
	if _, mixed := a.(bool); mixed && b != nil {
		if n, ok := b.(int64); ok {
			b = n == 1
		}
	}
	switch o {
	case opNot:
		return !asBool(a)
	case opXor:
		return asBool(a) != asBool(b)
	case opXnor, opIff:
		return asBool(a) == asBool(b)
	case opEq:
		return a == b
	case opNe:
		return a != b
	case opLt:
		return x < y
	case opGt:
		return x > y
	case opLe:
		return x <= y
	case opGe:
		return x >= y
	case opNeg:
		return -x
	case opAdd:
		return x + y
	case opSub:
		return x - y
	case opMul:
		return x * y
	case opDiv, opMod:
		if y == 0 {
			panic(tfail{})
		}
		if o == opDiv {
			return x / y
		}
		return x % y
	case opAbs:
		return max(x, -x)
	case opMin:
		return min(x, y)
	case opMax:
		return max(x, y)
	case opBool:
		if isInt {
			return x != 0
		}
		return a
	case opWord1:
		if asBool(a) {
			return tword{false, 1, "1"}
		}
		return tword{false, 1, "0"}
	case opToint:
		if v, ok := a.(bool); ok {
			if v {
				return int64(1)
			}
			return int64(0)
		}
		return a
	}
	panic("operator " + o.String())
}

func strictWord(o op, w tword, b tval, args []tval) tval {
	v, _ := b.(tword)
	make := func(n *big.Int) tword { return mkWord(w.signed, w.width, n) }
	z := new(big.Int)
	switch o {
	case opNot:
		return make(z.Not(w.big()))
	case opAnd, opOr:
		r := w.big()
		for _, x := range args[1:] {
			if o == opAnd {
				r.And(r, x.(tword).big())
			} else {
				r.Or(r, x.(tword).big())
			}
		}
		return make(r)
	case opXor:
		return make(z.Xor(w.big(), v.big()))
	case opXnor, opIff:
		return make(z.Not(z.Xor(w.big(), v.big())))
	case opImplies:
		return make(z.Or(z.Not(w.big()), v.big()))
	case opEq:
		return w == v
	case opNe:
		return w != v
	case opLt:
		return w.number().Cmp(v.number()) < 0
	case opGt:
		return w.number().Cmp(v.number()) > 0
	case opLe:
		return w.number().Cmp(v.number()) <= 0
	case opGe:
		return w.number().Cmp(v.number()) >= 0
	case opNeg:
		return make(z.Neg(w.number()))
	case opAdd:
		return make(z.Add(w.number(), v.number()))
	case opSub:
		return make(z.Sub(w.number(), v.number()))
	case opMul:
		return make(z.Mul(w.number(), v.number()))
	case opDiv, opMod:
		if v.number().Sign() == 0 {
			panic(tfail{})
		}
		if o == opDiv {
			return make(z.Quo(w.number(), v.number()))
		}
		return make(z.Rem(w.number(), v.number()))
	case opMin, opMax:
		if (w.number().Cmp(v.number()) < 0) == (o == opMin) {
			return w
		}
		return v
	case opShl, opShr:
		n, ok := b.(int64)
		if !ok {
			n = v.number().Int64()
		}
		if n < 0 || n > int64(w.width) {
			panic(tfail{})
		}
		if o == opShl {
			return make(z.Lsh(w.big(), uint(n)))
		}
		return make(z.Rsh(w.number(), uint(n)))
	case opConcat:
		return mkWord(false, w.width+v.width, z.Or(z.Lsh(w.big(), uint(v.width)), v.big()))
	case opBool:
		return w.v != "0"
	case opToint:
		return w.number().Int64()
	case opSigned, opUnsigned:
		return tword{o == opSigned, w.width, w.v}
	}
	panic("operator " + o.String())
}
