// Bounds: numbers, and what is computed from numbers and local parameters alone.
// A parameter is none, since an instance may override it.

package sva

import (
	"math/big"
	"strconv"
	"strings"
)

// maxBound is the largest bound; a chain of registers follows from it.
const maxBound = 4096

// constant reads the expression of a bound, up to : or a closing bracket.
func (p *parser) constant() int {
	at := p.peek()
	v := p.sum()
	if v < 0 || v > maxBound {
		refuse(at, "", "the bound %d is not between 0 and %d", v, maxBound)
	}
	return v
}

// constantPrimary reads the number after ##.
func (p *parser) constantPrimary() int {
	at := p.peek()
	v := p.factor()
	if v < 0 || v > maxBound {
		refuse(at, "", "the bound %d is not between 0 and %d", v, maxBound)
	}
	return v
}

// small refuses intermediate values that bounds do not need.
func small(at token, v int) int {
	const limit = 1 << 31
	if v < -limit || v > limit {
		refuse(at, "", "the bound is too large")
	}
	return v
}

func (p *parser) sum() int {
	v := p.product()
	for {
		at := p.peek()
		switch {
		case p.next("+"):
			v = small(at, v+p.product())
		case p.next("-"):
			v = small(at, v-p.product())
		default:
			return v
		}
	}
}

func (p *parser) product() int {
	v := p.factor()
	for {
		at := p.peek()
		switch {
		case p.next("*"):
			v = small(at, v*p.factor())
		case p.next("/"), p.next("%"):
			d := p.factor()
			if d == 0 {
				refuse(at, "", "division by zero")
			}
			if at.is("/") {
				v /= d
			} else {
				v %= d
			}
		default:
			return v
		}
	}
}

func (p *parser) factor() int {
	t := p.take()
	switch {
	case t.is("("):
		if p.depth++; p.depth > maxDepth {
			refuse(t, "", "nested more than %d deep", maxDepth)
		}
		v := p.sum()
		p.depth--
		p.want(")")
		return v
	case t.kind == number:
		if v, ok := value(t.text); ok {
			return v
		}
	case t.kind == name && p.peek().is("::") && p.scope.packages[t.text] != nil:
		p.take()
		return p.scope.packages[t.text].constant(p.take(), p.how, p.depth)
	case t.kind == name:
		return p.scope.constant(t, p.how, p.depth)
	case t.kind == macro:
		refuse(t, "write the number", "the macro %s stands in a bound", t.text)
	}
	refuse(t, "", "a bound is expected here, not %s", show(t))
	return 0
}

// value returns the value of a number without x and z.
func value(s string) (int, bool) {
	s = strings.ToLower(strings.ReplaceAll(s, "_", ""))
	base := 10
	width := ""
	if before, digits, ok := strings.Cut(s, "'"); ok {
		digits = strings.TrimPrefix(digits, "s")
		if digits == "" {
			return 0, false
		}
		switch digits[0] {
		case 'b':
			base = 2
		case 'o':
			base = 8
		case 'd':
		case 'h':
			base = 16
		default:
			digits = "d" + digits
			base = 2
		}
		width, s = before, strings.TrimSpace(digits[1:])
	}
	v, ok := new(big.Int).SetString(s, base)
	if !ok || !v.IsInt64() || v.Int64() > 1<<31 || v.Sign() < 0 {
		return 0, false
	}
	n := int(v.Int64())
	if w, err := strconv.Atoi(width); err == nil && w < 32 {
		n &= 1<<w - 1
	}
	return n, true
}
