// Package lrat checks proofs of unsatisfiability in LRAT text form (Cruz-Filipe,
// Heule, Hunt, Kaufmann, Schneider-Kamp, CADE 2017). It shares nothing with the
// solver that wrote the proof.
//
// Each step must follow from its hints by unit propagation in the order given:
// every hint but the last becomes unit, the last becomes false. Steps that
// introduce new variables (RAT, with negative hints) are refused.
package lrat

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Check reads a proof for the clauses, whose numbers are 1, 2, … in their
// order, and returns nil when it derives the empty clause. An error names the
// line of the proof.
func Check(clauses [][]int, proof io.Reader) error {
	c := checker{clauses: make(map[int][]int, len(clauses))}
	for i, cl := range clauses {
		c.clauses[i+1] = cl
		c.last = i + 1
		for _, l := range cl {
			c.vars = max(c.vars, l, -l)
		}
	}
	sc := bufio.NewScanner(proof)
	sc.Buffer(make([]byte, 1<<16), 1<<30)
	for line := 1; sc.Scan(); line++ {
		done, err := c.step(strings.Fields(sc.Text()))
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		if done {
			return nil
		}
	}
	if err := sc.Err(); err != nil {
		return err
	}
	return errors.New("the proof ends without the empty clause")
}

type checker struct {
	clauses map[int][]int
	last    int // greatest clause number so far
	vars    int // greatest variable of the formula
	// The literals set true in this step: 2v and 2v+1 stand for v and -v, and
	// those whose stamp is the step's are true.
	stamps []uint64
	now    uint64
}

func index(l int) int {
	if l < 0 {
		return 1 - 2*l
	}
	return 2 * l
}

func (c *checker) isTrue(l int) bool {
	i := index(l)
	return i < len(c.stamps) && c.stamps[i] == c.now
}

func (c *checker) setTrue(l int) {
	i := index(l)
	if i >= len(c.stamps) {
		c.stamps = append(c.stamps, make([]uint64, i+1-len(c.stamps))...)
	}
	c.stamps[i] = c.now
}

// step checks a line and reports whether it derives the empty clause.
func (c *checker) step(fields []string) (bool, error) {
	if len(fields) == 0 || fields[0] == "c" {
		return false, nil
	}
	if len(fields) > 1 && fields[1] == "d" {
		return false, c.delete(fields[2:])
	}
	nums := make([]int, len(fields))
	for i, f := range fields {
		n, err := strconv.Atoi(f)
		if err != nil {
			return false, fmt.Errorf("%q is no number", f)
		}
		if n > math.MaxInt32 || n < -math.MaxInt32 {
			return false, fmt.Errorf("%d is too large", n)
		}
		nums[i] = n
	}
	id := nums[0]
	if id <= c.last {
		return false, fmt.Errorf("clause number %d is not greater than %d", id, c.last)
	}
	lits, hints, err := split(nums[1:])
	if err != nil {
		return false, err
	}
	for _, l := range lits {
		if l > c.vars || -l > c.vars {
			return false, fmt.Errorf("clause %d: the formula has no variable %d", id, max(l, -l))
		}
	}
	if err := c.propagate(lits, hints); err != nil {
		return false, fmt.Errorf("clause %d: %w", id, err)
	}
	c.clauses[id] = lits
	c.last = id
	return len(lits) == 0, nil
}

// split parts "literals 0 hints 0".
func split(nums []int) (lits, hints []int, err error) {
	i := 0
	for i < len(nums) && nums[i] != 0 {
		i++
	}
	if i == len(nums) || len(nums) < i+2 || nums[len(nums)-1] != 0 {
		return nil, nil, errors.New("want: number, literals, 0, hints, 0")
	}
	lits, hints = nums[:i], nums[i+1:len(nums)-1]
	for _, h := range hints {
		if h == 0 {
			return nil, nil, errors.New("a third 0")
		}
		if h < 0 {
			return nil, nil, errors.New("RAT steps (negative hints) are not supported")
		}
	}
	return lits, hints, nil
}

// propagate assumes the negation of the clause and follows the hints.
func (c *checker) propagate(lits, hints []int) error {
	c.now++
	for _, l := range lits {
		if c.isTrue(l) {
			return errors.New("the clause is a tautology")
		}
		c.setTrue(-l)
	}
	for i, h := range hints {
		cl, ok := c.clauses[h]
		if !ok {
			return fmt.Errorf("hint %d names no clause that is there", h)
		}
		unit := 0
		for _, l := range cl {
			switch {
			case c.isTrue(-l) || l == unit:
			case c.isTrue(l):
				return fmt.Errorf("hint %d is satisfied", h)
			case unit != 0:
				return fmt.Errorf("hint %d is not unit", h)
			default:
				unit = l
			}
		}
		if unit == 0 {
			if i < len(hints)-1 {
				return fmt.Errorf("hint %d is false, but is not the last hint", h)
			}
			return nil
		}
		c.setTrue(unit)
	}
	return errors.New("no hint becomes false")
}

func (c *checker) delete(fields []string) error {
	if len(fields) == 0 || fields[len(fields)-1] != "0" {
		return errors.New("deletion does not end in 0")
	}
	for _, f := range fields[:len(fields)-1] {
		id, err := strconv.Atoi(f)
		if err != nil {
			return fmt.Errorf("%q is no number", f)
		}
		if _, ok := c.clauses[id]; !ok {
			return fmt.Errorf("deletion of clause %d, which is not there", id)
		}
		delete(c.clauses, id)
	}
	return nil
}
