package smv

import "fmt"

// kind is the outermost form of an expression's type. As in NuSMV the type of
// an expression does not know the values of an enumeration: integers, symbols
// and mixtures of both are three kinds.
type kind uint8

const (
	kBool kind = iota
	kInt
	kSym
	kMixed // integers and symbols
	kWord
	kArray
)

// typ is the type of an expression.
type typ struct {
	kind   kind
	signed bool // kWord
	set    bool // a set of values of the kind
	width  int  // kWord
	arr    *arrayTyp
}

// arrayTyp is what kArray knows more.
type arrayTyp struct {
	lo, hi int64
	elem   typ
}

func (t typ) String() string {
	s := ""
	switch t.kind {
	case kBool:
		s = "boolean"
	case kInt:
		s = "integer"
	case kSym:
		s = "symbolic enumeration"
	case kMixed:
		s = "integer-and-symbolic enumeration"
	case kWord:
		s = fmt.Sprintf("unsigned word[%d]", t.width)
		if t.signed {
			s = fmt.Sprintf("signed word[%d]", t.width)
		}
	case kArray:
		return fmt.Sprintf("array %d..%d of %s", t.arr.lo, t.arr.hi, t.arr.elem)
	}
	if t.set {
		return "set of " + s
	}
	return s
}

// join is the least type that covers both, if there is one.
func join(a, b typ) (typ, bool) {
	set := a.set || b.set
	a.set, b.set = false, false
	switch {
	case a.kind == kArray && b.kind == kArray:
		if a.arr.lo != b.arr.lo || a.arr.hi != b.arr.hi || set {
			return a, false
		}
		elem, ok := join(a.arr.elem, b.arr.elem)
		return typ{kind: kArray, arr: &arrayTyp{a.arr.lo, a.arr.hi, elem}}, ok
	case a == b:
	case a.scalar() && b.scalar():
		a = typ{kind: kMixed}
	default:
		return a, false
	}
	a.set = set
	return a, true
}

// scalar reports whether values are integers or symbols.
func (t typ) scalar() bool { return t.kind == kInt || t.kind == kSym || t.kind == kMixed }

// assignable reports whether a value of type b may be assigned to a variable of
// type a, as far as types go.
func assignable(a, b typ) bool {
	b.set = false
	if a == b {
		return true
	}
	return a.scalar() && b.scalar() && (a.kind == kMixed || b.kind == kMixed)
}

// cst is a scalar constant: an integer as it is, a symbol as symBase plus its
// number.
type cst int64

const symBase cst = 1 << 40

func (c cst) isSym() bool { return c >= symBase }

// symbolTable numbers the symbolic constants of a model.
type symbolTable struct {
	names []string
	index map[string]cst
}

func (s *symbolTable) add(name string) cst {
	if c, ok := s.index[name]; ok {
		return c
	}
	c := symBase + cst(len(s.names))
	s.names = append(s.names, name)
	s.index[name] = c
	return c
}

func (s *symbolTable) text(c cst) string {
	if c.isSym() {
		return s.names[c-symBase]
	}
	return fmt.Sprint(int64(c))
}

// domain is the set of values of a variable.
type domain struct {
	typ    typ
	lo, hi int64 // a range; values is nil then
	values []cst // an enumeration in the order of its declaration
}

// size is the number of values of a scalar domain.
func (d *domain) size() int64 {
	if d.values != nil {
		return int64(len(d.values))
	}
	return d.hi - d.lo + 1
}
