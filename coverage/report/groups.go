package report

import (
	"cmp"
	"slices"

	"netcov/mutant"
)

// Group counts the mutants of a register, or of an instance of a module.
type Group struct {
	Name   string `json:"name"`
	Module string `json:"module,omitempty"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Bits   int    `json:"bits"`
	Counts
}

// groups gathers nodes by register and by instance.
type groups struct{ registers, instances *grouping }

type grouping struct {
	at    map[string]int
	list  []Group
	nodes map[string]map[Node]bool
}

func newGroups() *groups { return &groups{newGrouping(), newGrouping()} }

func newGrouping() *grouping {
	return &grouping{at: map[string]int{}, nodes: map[string]map[Node]bool{}}
}

func (g *groups) add(n Node, verdict mutant.Verdict) {
	if n.Register == "" {
		return
	}
	g.registers.add(n.Register, Group{Name: n.Register, Module: n.Module, File: n.File, Line: n.Line}, n, verdict)
	if n.Instance != "" {
		g.instances.add(n.Instance, Group{Name: n.Instance, Module: n.Module}, n, verdict)
	}
}

func (g *grouping) add(key string, fresh Group, n Node, verdict mutant.Verdict) {
	i, ok := g.at[key]
	if !ok {
		i = len(g.list)
		g.at[key] = i
		g.list = append(g.list, fresh)
		g.nodes[key] = map[Node]bool{}
	}
	if !g.nodes[key][n] {
		g.nodes[key][n] = true
		g.list[i].Bits++
	}
	g.list[i].Add(verdict)
}

// sorted returns the groups, the least covered first.
func (g *grouping) sorted() []Group {
	for i := range g.list {
		g.list[i].finish()
	}
	slices.SortStableFunc(g.list, func(a, b Group) int {
		return cmp.Or(cmp.Compare(a.Low, b.Low), cmp.Compare(b.Mutants, a.Mutants))
	})
	return g.list
}
