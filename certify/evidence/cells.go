package evidence

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"netcov/cert"
	"netcov/certify"
)

// The cells of a matrix of properties and mutants: what is proved of single safety
// properties on mutants, beside the verdicts of the entries. An entry that proves several
// properties as one names one property that fails on a mutant; another one may fail there
// too, or hold. A property that fails has a trace, one that holds an invariant, which
// cells share.

// Cell is what is proved of one property on one mutant: that it fails, by a Trace with
// the free value after the inputs, or that it holds, by an Invariant.
type Cell struct {
	Property int
	certify.Mutation
	Trace     *cert.Trace
	Invariant *cert.Invariant
}

// IndexCells are cells with the same evidence. With Trace, the one property fails on each
// of the mutants; with Certificate, all of the properties hold on each.
type IndexCells struct {
	Properties  []int             `json:"properties"`
	Trace       string            `json:"trace,omitempty"`
	Certificate *IndexCertificate `json:"certificate,omitempty"`
	Mutants     []IndexNode       `json:"mutants"`
}

// IndexNode is a mutant without a verdict.
type IndexNode struct {
	Kind  string `json:"kind"`
	Index int    `json:"index"`
	Fault string `json:"fault"`
	Mux   string `json:"mux"`
}

// mutation returns the mutation that it names.
func (n IndexNode) mutation() (certify.Mutation, error) {
	m := IndexMutant{Kind: n.Kind, Index: n.Index, Fault: n.Fault, Mux: n.Mux}
	return m.Mutation()
}

// cellFolder is where the files of cells are.
const cellFolder = "cells"

// cells writes the cells of a run. Traces come first, in the order of the cells.
func (w *writer) cells(cells []Cell) error {
	all := propertiesOf(w.design)
	checkers := map[int]*certify.Checker{}
	traces := map[string]string{}
	failing := map[replay]int{} // → position in the index
	properties := map[sharedKey]map[certify.Mutation][]int{}
	var order []sharedKey
	for _, c := range cells {
		if c.Property < 0 || c.Property >= len(all) || all[c.Property].kind == KindJustice || (c.Trace == nil) == (c.Invariant == nil) {
			return fmt.Errorf("the cell of property %d and %v has no evidence that cells have", c.Property, c.Mutation)
		}
		if c.Invariant != nil {
			key := sharedKey{c.Invariant, c.Mux}
			if properties[key] == nil {
				properties[key] = map[certify.Mutation][]int{}
				order = append(order, key)
			}
			properties[key][c.Mutation] = append(properties[key][c.Mutation], c.Property)
			continue
		}
		if checkers[c.Property] == nil {
			checkers[c.Property] = checkerOf(w.design, 0, c.Property)
		}
		q := &propertyWriter{writer: w, k: checkers[c.Property], folder: cellFolder, traces: traces}
		path, err := q.trace("", c.Trace, &c.Mutation)
		if err != nil {
			return fmt.Errorf("property %d, %v: %w", c.Property, c.Mutation, err)
		}
		r := replay{path, c.Property}
		at, known := failing[r]
		if !known {
			at = len(w.index.Cells)
			failing[r] = at
			w.index.Cells = append(w.index.Cells, IndexCells{Properties: []int{c.Property}, Trace: path})
		}
		w.index.Cells[at].add(c.Mutation)
	}
	for _, key := range order {
		if err := w.heldCells(key, properties[key]); err != nil {
			return err
		}
	}
	return nil
}

func (x *IndexCells) add(m certify.Mutation) {
	e := entry(m, 0)
	x.Mutants = append(x.Mutants, IndexNode{e.Kind, e.Index, e.Fault, e.Mux})
}

// heldCells writes a certificate for each set of properties that an invariant proves on
// mutants.
func (w *writer) heldCells(key sharedKey, properties map[certify.Mutation][]int) error {
	mutants := map[string][]certify.Mutation{}
	lists := map[string][]int{}
	for m, list := range properties {
		slices.Sort(list)
		list = slices.Compact(list)
		name := fmt.Sprint(list)
		mutants[name], lists[name] = append(mutants[name], m), list
	}
	for _, name := range slices.Sorted(maps.Keys(mutants)) {
		ms := mutants[name]
		slices.SortFunc(ms, func(a, b certify.Mutation) int { return cmp.Compare(a.String(), b.String()) })
		x := IndexCells{Properties: lists[name]}
		q := &propertyWriter{writer: w, k: checkerOf(w.design, 0, lists[name]...), folder: cellFolder}
		c, err := q.pair(fmt.Sprintf("c%d", len(w.index.Cells)), key.inv, ms)
		if err != nil {
			return fmt.Errorf("the properties %v on %v: %w", lists[name], ms[0], err)
		}
		x.Certificate = &c
		for _, m := range ms {
			x.add(m)
		}
		w.index.Cells = append(w.index.Cells, x)
	}
	return nil
}

// cells checks what an index says of cells, and makes the tasks for their evidence.
func (v *verifier) cells() {
	held := map[int]bool{}
	for i := range v.index.Properties {
		if p := &v.index.Properties[i]; p.Status == cert.Holds && p.Kind != KindJustice {
			for _, at := range p.all() {
				held[at] = true
			}
		}
	}
	for i := range v.index.Cells {
		x := &v.index.Cells[i]
		if err := v.someCells(x, held); err != nil {
			v.fail(fmt.Sprintf("cells %d", i), "%v", err)
		}
	}
}

func (v *verifier) someCells(x *IndexCells, held map[int]bool) error {
	if len(x.Properties) == 0 || len(x.Mutants) == 0 || (x.Trace == "") == (x.Certificate == nil) || x.Trace != "" && len(x.Properties) > 1 {
		return errors.New("they need mutants, and a trace with one property, or a certificate")
	}
	for k, p := range x.Properties {
		if !held[p] || k > 0 && x.Properties[k-1] >= p {
			return fmt.Errorf("property %d is no safety property that holds on the design, or is out of order", p)
		}
	}
	var ms []certify.Mutation
	seen := map[certify.Mutation]bool{}
	for _, n := range x.Mutants {
		m, err := n.mutation()
		if err == nil && seen[m] {
			err = fmt.Errorf("%v is listed twice", m)
		}
		if err == nil && n.Mux != v.scope.Mux {
			err = fmt.Errorf("%v is not of the scope", m)
		}
		if err != nil {
			return err
		}
		seen[m] = true
		ms = append(ms, m)
	}
	k := checkerOf(v.design, 0, x.Properties...)
	q := &propertyVerifier{verifier: v, k: k, where: fmt.Sprintf("properties %s", ranges(x.Properties)), single: map[int]*certify.Checker{}}
	for _, n := range x.Mutants {
		for _, p := range x.Properties {
			v.mark(cell{p, node{n.Kind, n.Index, n.Fault}}, x.Trace != "")
		}
	}
	if x.Trace != "" {
		r := replay{x.Trace, x.Properties[0]}
		q.single[r.property], q.traces = k, map[replay][]certify.Mutation{r: ms}
		q.trace(r)
		return nil
	}
	q.served = map[int][]certify.Mutation{0: ms}
	q.p = &IndexProperty{Certificates: []IndexCertificate{*x.Certificate}}
	q.certificate(0)
	return nil
}

// cell is a property on a mutant.
type cell struct {
	property int
	node
}

// known is what evidence shows of a cell.
type known struct{ fails, holds bool }

func (v *verifier) mark(c cell, fails bool) {
	k := v.known[c]
	v.known[c] = known{k.fails || fails, k.holds || !fails}
}

// knownCells gathers what all of the evidence shows of cells of safety properties: what
// the index says of them, and what follows from the entries.
func (v *verifier) knownCells() {
	for i := range v.index.Properties {
		p := &v.index.Properties[i]
		for j := range p.Mutants {
			e := &p.Mutants[j]
			n := node{e.Kind, e.Index, e.Fault}
			switch {
			case e.Trace != "":
				v.mark(cell{p.failing(e), n}, true)
			case e.Certificate != nil || e.Outside:
				for _, at := range p.all() {
					v.mark(cell{at, n}, false)
				}
			}
		}
	}
}

// cells compares what a report with a matrix says of cells with the evidence. What the
// report says beyond the evidence is no lie: it is counted.
func (c *comparison) cells() {
	if !c.claims.Matrix {
		return
	}
	c.knownCells()
	checkers := map[int]*certify.Checker{}
	open := 0
	for i := range c.claims.Mutants {
		m := &c.claims.Mutants[i]
		k := node{m.Node.Kind, m.Node.Index, m.Fault}
		mutation, err := IndexNode{k.kind, k.index, k.fault, c.claims.Mux}.mutation()
		if err != nil {
			continue // which mutants says
		}
		for _, p := range c.claims.Properties {
			if p.Status != cert.Holds || slices.Contains(m.Unknown, p.Index) {
				continue
			}
			fails := slices.Contains(m.Fail, p.Index)
			e := c.known[cell{p.Index, k}]
			switch {
			case fails && e.holds || !fails && e.fails:
				c.fail(k.String(), "the report says that property %d %s on it, the evidence that it %s", p.Index, word(fails), word(!fails))
			case e.fails, e.holds, !fails && c.outside(checkers, p.Index, mutation):
			default:
				open++
			}
		}
	}
	if open > 0 {
		c.partial("%d cells of the matrix have no evidence of their own", open)
	}
}

func word(fails bool) string {
	if fails {
		return "fails"
	}
	return "holds"
}

// outside reports whether the node of a mutant is outside of the cone of a property.
func (c *comparison) outside(checkers map[int]*certify.Checker, property int, m certify.Mutation) bool {
	if property < 0 || property >= len(propertiesOf(c.verifier.design)) {
		return false
	}
	if checkers[property] == nil {
		checkers[property] = checkerOf(c.verifier.design, 0, property)
	}
	outside, err := checkers[property].Outside(m)
	return err == nil && outside
}
