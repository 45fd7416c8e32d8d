// Values of a block, and the operators on them.

package python

import (
	"cmp"
	"fmt"
	"math/bits"
	"regexp"
	"strconv"
	"strings"
)

// value is a string, an int, a bool, nil (None), a list, a tuple, a set, a module or a
// *file. None is ever changed, but for how far a file has been read.
type value any

type (
	list   []value
	tuple  []value
	set    map[string]bool
	module string
	file   struct{ rest string } // what is not read yet
)

// next takes the next line of a file; "" is its end.
func (f *file) next() string {
	line, rest, found := strings.Cut(f.rest, "\n")
	if f.rest = rest; found {
		line += "\n"
	}
	return line
}

// size is what it costs to walk over a value once.
func size(v value) int {
	switch v := v.(type) {
	case string:
		return len(v)
	case list:
		return 16 * len(v)
	case tuple:
		return 16 * len(v)
	case set:
		return 16 * len(v)
	case *file:
		return len(v.rest)
	}
	return 0
}

// typeName is Python's name of a value's type.
func typeName(v value) string {
	switch v.(type) {
	case string:
		return "str"
	case int:
		return "int"
	case bool:
		return "bool"
	case list:
		return "list"
	case tuple:
		return "tuple"
	case set:
		return "set"
	case module:
		return "module"
	case *file:
		return "file"
	}
	return "None"
}

// truth is a value as a condition.
func truth(v value) bool {
	switch v := v.(type) {
	case string:
		return v != ""
	case int:
		return v != 0
	case bool:
		return v
	case list:
		return len(v) > 0
	case tuple:
		return len(v) > 0
	case set:
		return len(v) > 0
	}
	return v != nil
}

// show is str(v), and false for values whose text is not defined here.
func show(v value) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case int:
		return strconv.Itoa(v), true
	case bool:
		if v {
			return "True", true
		}
		return "False", true
	case nil:
		return "None", true
	}
	return "", false
}

// whole is a value as a number: Python's booleans are 0 and 1.
func whole(v value) (int, bool) {
	switch v := v.(type) {
	case int:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// equal is a == b, and false for values that are not compared here.
func equal(a, b value) (same, ok bool) {
	if x, ok := whole(a); ok {
		if y, ok := whole(b); ok {
			return x == y, true
		}
	}
	return plain(a) && plain(b) && a == b, plain(a) && plain(b)
}

// plain reports whether a value is a string, a number, a boolean or None.
func plain(v value) bool {
	_, ok := show(v)
	return ok
}

// binary computes a op b for an operator of values.
func (m *machine) binary(line int, op string, a, b value) (value, error) {
	if err := m.spend(line, size(a)+size(b)); err != nil {
		return nil, err
	}
	wrong := refuse(line, "%s %s %s is not in the part of Python that is read", typeName(a), op, typeName(b))
	switch op {
	case "==", "!=":
		same, ok := equal(a, b)
		if !ok {
			return nil, wrong
		}
		return same == (op == "=="), nil
	case "in", "not in":
		in, ok := contains(a, b)
		if !ok {
			return nil, wrong
		}
		return in == (op == "in"), nil
	}
	if s, ok := a.(string); ok {
		t, both := b.(string)
		n, times := b.(int)
		switch {
		case op == "%":
			return m.formatted(line, s, b)
		case op == "+" && both:
			return s + t, m.spend(line, len(s)+len(t))
		case op == "*" && times:
			n = max(n, 0)
			if n > maxWork {
				n = maxWork
			}
			if err := m.spend(line, n*max(len(s), 1)); err != nil {
				return nil, err
			}
			return strings.Repeat(s, n), nil
		case both:
			return compare(op, s, t, wrong)
		}
		return nil, wrong
	}
	if x, ok := a.(list); ok {
		if y, ok := b.(list); ok && op == "+" {
			return append(append(list{}, x...), y...), m.spend(line, size(a)+size(b))
		}
		return nil, wrong
	}
	x, left := whole(a)
	y, right := whole(b)
	if !left || !right {
		return nil, wrong
	}
	return arithmetic(line, op, x, y, wrong)
}

func compare[T cmp.Ordered](op string, a, b T, wrong error) (value, error) {
	switch op {
	case "<":
		return a < b, nil
	case "<=":
		return a <= b, nil
	case ">":
		return a > b, nil
	case ">=":
		return a >= b, nil
	}
	return nil, wrong
}

// arithmetic computes with numbers of 64 bits; what does not fit is refused.
func arithmetic(line int, op string, a, b int, wrong error) (value, error) {
	large := refuse(line, "a number has more than 64 bits")
	switch op {
	case "+":
		if sum := a + b; (sum > a) == (b > 0) {
			return sum, nil
		}
		return nil, large
	case "-":
		if diff := a - b; (diff < a) == (b > 0) {
			return diff, nil
		}
		return nil, large
	case "*":
		if high, low := bits.Mul64(magnitude(a), magnitude(b)); high != 0 || low > 1<<62 {
			return nil, large
		}
		return a * b, nil
	case "//", "%":
		if b == 0 {
			return nil, refuse(line, "a division by zero")
		}
		quotient, rest := a/b, a%b
		if rest != 0 && (rest < 0) != (b < 0) {
			quotient, rest = quotient-1, rest+b // Python rounds down
		}
		if op == "%" {
			return rest, nil
		}
		return quotient, nil
	}
	return compare(op, a, b, wrong)
}

func magnitude(n int) uint64 {
	if n < 0 {
		return -uint64(n) //nolint:gosec // two's complement is meant
	}
	return uint64(n)
}

// contains is a in b.
func contains(a, b value) (in, ok bool) {
	s, isString := a.(string)
	switch b := b.(type) {
	case set:
		return isString && b[s], plain(a)
	case string:
		return strings.Contains(b, s), isString
	case list:
		return containsEqual(b, a)
	case tuple:
		return containsEqual(b, a)
	}
	return false, false
}

func containsEqual(all []value, v value) (in, ok bool) {
	for _, o := range all {
		same, ok := equal(o, v)
		if same || !ok {
			return same, ok
		}
	}
	return false, plain(v)
}

var conversion = regexp.MustCompile(`%(0?)([1-9][0-9]{0,2})?([dsixX%])|%`)

// formatted is s % v.
func (m *machine) formatted(line int, s string, v value) (value, error) {
	args, several := v.(tuple)
	if !several {
		args = tuple{v}
	}
	var parts []string
	used, done := 0, 0
	for _, at := range conversion.FindAllStringIndex(s, -1) {
		parts = append(parts, s[done:at[0]])
		done = at[1]
		c := conversion.FindStringSubmatch(s[at[0]:at[1]])
		if c[0] == "%%" {
			parts = append(parts, "%")
			continue
		}
		if c[3] == "" || c[3] == "%" {
			return nil, refuse(line, "a %% of the format %q is not in the part of Python that is read", s)
		}
		if used >= len(args) {
			return nil, refuse(line, "the format %q does not fit its values", s)
		}
		part, err := convert(line, c[1], c[2], c[3], args[used])
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
		used++
	}
	if used < len(args) {
		return nil, refuse(line, "the format %q does not fit its values", s)
	}
	return m.join(line, "", append(parts, s[done:]))
}

// convert writes a value as a conversion of a format asks.
func convert(line int, zero, width, conv string, v value) (string, error) {
	if conv == "s" {
		shown, ok := show(v)
		if !ok {
			return "", refuse(line, "the text of a %s is not in the part of Python that is read", typeName(v))
		}
		return fmt.Sprintf("%"+width+"s", shown), nil
	}
	n, ok := whole(v)
	if !ok {
		return "", refuse(line, "%%%s needs a number and has a %s", conv, typeName(v))
	}
	if conv == "i" {
		conv = "d"
	}
	return fmt.Sprintf("%"+zero+width+conv, n), nil
}

// join joins texts, once there is room for the result.
func (m *machine) join(line int, sep string, parts []string) (value, error) {
	total := len(sep) * len(parts)
	for _, p := range parts {
		if total += len(p); total > maxWork {
			break
		}
	}
	if err := m.spend(line, total); err != nil {
		return nil, err
	}
	return strings.Join(parts, sep), nil
}
