package structure

import "netcov/internal/scc"

// FairPaths is the set of nodes of a graph from which an infinite path starts that
// meets each of the sets infinitely often. Nodes are 0…n-1; one without successors
// starts no infinite path.
//
// Such a path ends in a strongly connected component that has an edge and meets all
// sets. Components come after those that they lead to, so one pass also tells from which
// of them such a one is reached.
func FairPaths(n int, successors func(s int) []int32, fair []Set) Set {
	good := NewSet(n)
	c := scc.Find(n, scc.All(n), func(s int32) []int32 { return successors(int(s)) }, func(t int32) int32 { return t })
	for id, part := range c.Members {
		inner, out := false, false // an edge inside, one to a good component
		met := make([]bool, len(fair))
		for _, s := range part {
			for _, t := range successors(int(s)) {
				if c.Of[t] == int32(id) {
					inner = true
				} else if good.Has(int(t)) {
					out = true
				}
			}
			for i, f := range fair {
				met[i] = met[i] || f.Has(int(s))
			}
		}
		for _, m := range met {
			inner = inner && m
		}
		if inner || out {
			for _, s := range part {
				good.Add(int(s))
			}
		}
	}
	return good
}

// FairStates is the set of states from which a fair path starts.
func (k *Structure) FairStates() Set {
	if len(k.Fair) == 0 {
		return FullSet(k.Len())
	}
	return FairPaths(k.Len(), k.Successors, k.Fair)
}

// FairPart is k with its fair paths and no dead ends beside them: what starts no fair
// path is not initial, and no step leads there from states that do. States keep their
// numbers. There may be no initial state left.
func (k *Structure) FairPart() *Structure {
	fair := k.FairStates()
	if fair.Count() == k.Len() {
		return k
	}
	r := &Structure{
		Name: k.Name, AP: k.AP, States: k.States, Fair: k.Fair, labels: k.labels, index: k.index,
		offsets: make([]int32, k.Len()+1),
	}
	for _, s := range k.Initial {
		if fair.Has(s) {
			r.Initial = append(r.Initial, s)
		}
	}
	for s := range k.Len() {
		for _, t := range k.Successors(s) {
			if fair.Has(int(t)) || !fair.Has(s) {
				r.targets = append(r.targets, t)
			}
		}
		r.offsets[s+1] = int32(len(r.targets))
	}
	return r
}
