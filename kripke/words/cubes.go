package words

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"netcov/kripke/structure"
)

// mostWork bounds a description, in values looked at.
const mostWork = 1 << 26

// mostCubes is how many conditions are still a description.
const mostCubes = 256

// All describes a set that has every state.
const All = "all"

// Describe lists conditions on words that together hold in the states of one set and
// in none of the other, each as general as dropping and widening one word after the
// other makes it. It is nil where a state's name is of another form, and where the
// sets are too large or take more than 256 conditions.
func (v *Vocabulary) Describe(in, out []string) []string {
	c := v.cubes(in, out)
	if c == nil {
		return nil
	}
	var lines []string
	for _, q := range c.found {
		lines = append(lines, c.write(q))
	}
	return lines
}

// cube gives the values that each word may have; nil is any.
type cube [][]bool

// cover is the search for cubes. States are rows of value numbers.
type cover struct {
	v       *Vocabulary
	in, out [][]int
	values  [][]string        // of each word, in order
	apart   [][]structure.Set // the rows of out in which a word has another value than this
	found   []cube
}

func (v *Vocabulary) cubes(in, out []string) *cover {
	if v == nil || len(in) == 0 || (len(in)+1)*(len(out)+1)*len(v.words) > mostWork {
		return nil
	}
	c := &cover{v: v}
	rows := make([][]string, 0, len(in)+len(out))
	for _, s := range slices.Concat(in, out) {
		values := v.values(s)
		if values == nil {
			return nil
		}
		rows = append(rows, values)
	}
	numbered := make([][]int, len(rows))
	for i := range rows {
		numbered[i] = make([]int, len(v.words))
	}
	for w := range v.words {
		var values []string
		seen := map[string]int{}
		for _, r := range rows {
			if _, ok := seen[r[w]]; !ok {
				seen[r[w]] = 0
				values = append(values, r[w])
			}
		}
		slices.SortFunc(values, compareValues)
		for n, value := range values {
			seen[value] = n
		}
		for i, r := range rows {
			numbered[i][w] = seen[r[w]]
		}
		c.values = append(c.values, values)
	}
	c.in, c.out = numbered[:len(in)], numbered[len(in):]
	for w, values := range c.values {
		sets := make([]structure.Set, len(values))
		for n := range values {
			sets[n] = structure.FullSet(len(c.out))
		}
		for i, r := range c.out {
			sets[r[w]].Flip(i)
		}
		c.apart = append(c.apart, sets)
	}
	for left := c.in; len(left) > 0; {
		if len(c.found) == mostCubes {
			return nil
		}
		q := c.grow(left[0])
		c.found = append(c.found, q)
		left = slices.DeleteFunc(slices.Clone(left), q.has)
	}
	return c
}

func (q cube) has(row []int) bool {
	for w, values := range q {
		if values != nil && !values[row[w]] {
			return false
		}
	}
	return true
}

// grow generalises one state: it drops every word without which the words that are
// kept, and those not yet asked, still tell all rows of the other set apart; then it
// widens those that are left.
func (c *cover) grow(seed []int) cube {
	// What is false tells a reader less than what is true, and a bit less than a word.
	order := make([]int, len(seed))
	for w := range order {
		order[w] = w
	}
	rank := func(w int) int {
		switch c.values[w][seed[w]] {
		case truth[0]:
			return 0
		case truth[1]:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b, a)) })
	later := make([]structure.Set, len(order)+1)
	later[len(order)] = structure.NewSet(len(c.out))
	for k := len(order) - 1; k >= 0; k-- {
		later[k] = later[k+1].Clone()
		later[k].Union(c.apart[order[k]][seed[order[k]]])
	}
	q := make(cube, len(seed))
	kept := structure.NewSet(len(c.out))
	for k, w := range order {
		others := kept.Clone()
		others.Union(later[k+1])
		if others.Count() == len(c.out) {
			continue
		}
		q[w] = make([]bool, len(c.values[w]))
		q[w][seed[w]] = true
		kept.Union(c.apart[w][seed[w]])
	}
	for w := range q {
		if q[w] == nil {
			continue
		}
		open := structure.FullSet(len(c.out)) // rows that only this word tells apart
		for x, allowed := range q {
			if x != w && allowed != nil {
				open.Subtract(c.outside(x, allowed))
			}
		}
		for n := range q[w] {
			q[w][n] = true
		}
		for i := range open.All() {
			q[w][c.out[i][w]] = false
		}
	}
	return q
}

// outside is the rows of the other set in which a word has none of the values.
func (c *cover) outside(w int, allowed []bool) structure.Set {
	out := structure.FullSet(len(c.out))
	for n, ok := range allowed {
		if ok {
			out.Intersect(c.apart[w][n])
		}
	}
	return out
}

// compareValues orders numbers by value, before anything else.
func compareValues(a, b string) int {
	x, isX := new(big.Int).SetString(a, 10)
	y, isY := new(big.Int).SetString(b, 10)
	switch {
	case isX && isY:
		return x.Cmp(y)
	case isX:
		return -1
	case isY:
		return 1
	}
	return strings.Compare(a, b)
}

// write writes a cube as a formula.
func (c *cover) write(q cube) string {
	var parts []string
	for w, allowed := range q {
		if allowed == nil {
			continue
		}
		name, values := c.v.words[w].name, c.values[w]
		var list []string
		numbers := true
		for n, value := range values {
			if allowed[n] {
				list = append(list, value)
			}
			_, ok := new(big.Int).SetString(value, 10)
			numbers = numbers && ok
		}
		switch {
		case len(list) == 1 && list[0] == truth[1]:
			parts = append(parts, name)
		case len(list) == 1 && list[0] == truth[0]:
			parts = append(parts, "!"+name)
		case len(list) == 1:
			parts = append(parts, name+" = "+list[0])
		default:
			if numbers {
				list = ranges(values, allowed)
			}
			if len(list) == 1 {
				parts = append(parts, name+" in "+list[0])
			} else {
				parts = append(parts, fmt.Sprintf("%s in {%s}", name, strings.Join(list, ", ")))
			}
		}
	}
	if len(parts) == 0 {
		return All
	}
	return strings.Join(parts, " & ")
}

// ranges joins allowed values with no other known value between them.
func ranges(values []string, allowed []bool) []string {
	var out []string
	for n := 0; n < len(values); n++ {
		if !allowed[n] {
			continue
		}
		last := n
		for last+1 < len(values) && allowed[last+1] {
			last++
		}
		switch {
		case last == n:
			out = append(out, values[n])
		default:
			out = append(out, values[n]+".."+values[last])
		}
		n = last
	}
	return out
}
