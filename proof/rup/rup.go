// Package rup checks certificates that consist of clauses alone, each implied by
// reverse unit propagation from the formula and the clauses before it (Goldberg
// and Novikov, DATE 2003): DRAT files without RAT steps, and the certificates
// that gophersat prints. It shares nothing with the solvers.
package rup

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Check reads a certificate, a clause a line that ends in 0 or in d and such a
// clause for a deletion, and returns nil when it derives the empty clause. An
// error names the line.
func Check(clauses [][]int, certificate io.Reader) error {
	c := newChecker()
	for _, cl := range clauses {
		c.add(cl)
	}
	if c.conflict {
		return nil
	}
	sc := bufio.NewScanner(certificate)
	sc.Buffer(make([]byte, 1<<16), 1<<30)
	for line := 1; sc.Scan(); line++ {
		f := strings.Fields(sc.Text())
		if len(f) == 0 || f[0] == "c" {
			continue
		}
		deletion := f[0] == "d"
		if deletion {
			f = f[1:]
		}
		cl, err := parse(f)
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		if deletion {
			if !c.delete(cl) {
				return fmt.Errorf("line %d: deletion of a clause that is not there", line)
			}
			continue
		}
		if !c.implied(cl) {
			return fmt.Errorf("line %d: unit propagation does not yield the clause %v", line, cl)
		}
		c.add(cl)
		if c.conflict {
			return nil
		}
	}
	if err := sc.Err(); err != nil {
		return err
	}
	return errors.New("the certificate ends without the empty clause")
}

func parse(fields []string) ([]int, error) {
	if len(fields) == 0 || fields[len(fields)-1] != "0" {
		return nil, errors.New("the clause does not end in 0")
	}
	var cl []int
	for _, f := range fields[:len(fields)-1] {
		n, err := strconv.Atoi(f)
		if err != nil || n == 0 {
			return nil, fmt.Errorf("%q is no literal", f)
		}
		cl = append(cl, n)
	}
	return cl, nil
}

// checker keeps clauses with two watched literals and the consequences of the
// unit clauses.
type checker struct {
	clauses  [][]int
	byKey    map[string][]int // indices, by sorted literals
	watches  map[int][]int    // by literal
	value    map[int]bool     // true literals
	trail    []int
	conflict bool // the clauses propagate to a conflict
}

func newChecker() *checker {
	return &checker{byKey: map[string][]int{}, watches: map[int][]int{}, value: map[int]bool{}}
}

func key(cl []int) string {
	s := slices.Clone(cl)
	slices.Sort(s)
	return fmt.Sprint(slices.Compact(s))
}

func (c *checker) add(cl []int) {
	i := len(c.clauses)
	k := key(cl)
	c.byKey[k] = append(c.byKey[k], i)
	// Literals that may still become true come first.
	cl = slices.Clone(cl)
	slices.Sort(cl)
	cl = slices.Compact(cl)
	slices.SortStableFunc(cl, func(a, b int) int {
		fa, fb := c.value[-a], c.value[-b]
		switch {
		case fa == fb:
			return 0
		case fb:
			return -1
		}
		return 1
	})
	c.clauses = append(c.clauses, cl)
	if len(cl) > 1 {
		c.watches[cl[0]] = append(c.watches[cl[0]], i)
		c.watches[cl[1]] = append(c.watches[cl[1]], i)
	}
	switch {
	case len(cl) == 0 || c.value[-cl[0]]:
		c.conflict = true
	case (len(cl) == 1 || c.value[-cl[1]]) && !c.value[cl[0]]:
		c.assign(cl[0])
		c.conflict = c.conflict || !c.propagate(len(c.trail)-1)
	}
}

// delete takes a clause out. Units stay in force, as in the tools of the SAT
// competitions.
func (c *checker) delete(cl []int) bool {
	k := key(cl)
	at := c.byKey[k]
	if len(at) == 0 {
		return false
	}
	i := at[len(at)-1]
	c.byKey[k] = at[:len(at)-1]
	if len(c.clauses[i]) > 1 {
		for _, l := range c.clauses[i][:2] {
			c.watches[l] = slices.DeleteFunc(c.watches[l], func(j int) bool { return j == i })
		}
	}
	return true
}

func (c *checker) assign(l int) {
	c.value[l] = true
	c.trail = append(c.trail, l)
}

// implied reports whether the clause's negation propagates to a conflict.
func (c *checker) implied(cl []int) bool {
	start := len(c.trail)
	ok := true
	for _, l := range cl {
		if c.value[l] {
			ok = false
			break
		}
		if !c.value[-l] {
			c.assign(-l)
		}
	}
	ok = ok && c.propagate(start)
	for _, l := range c.trail[start:] {
		delete(c.value, l)
	}
	c.trail = c.trail[:start]
	return !ok
}

// propagate follows the trail from a place on and returns false on a conflict.
func (c *checker) propagate(from int) bool {
	for q := from; q < len(c.trail); q++ {
		f := -c.trail[q]
		ws := c.watches[f]
		kept := ws[:0]
		for n, i := range ws {
			cl := c.clauses[i]
			if cl[0] == f {
				cl[0], cl[1] = cl[1], cl[0]
			}
			if c.value[cl[0]] {
				kept = append(kept, i)
				continue
			}
			k := 2
			for k < len(cl) && c.value[-cl[k]] {
				k++
			}
			if k < len(cl) {
				cl[1], cl[k] = cl[k], f
				c.watches[cl[1]] = append(c.watches[cl[1]], i)
				continue
			}
			kept = append(kept, i)
			if c.value[-cl[0]] {
				kept = append(kept, ws[n+1:]...)
				c.watches[f] = kept
				return false
			}
			c.assign(cl[0])
		}
		c.watches[f] = kept
	}
	return true
}
