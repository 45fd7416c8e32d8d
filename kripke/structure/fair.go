package structure

// FairPaths is the set of nodes of a graph from which an infinite path starts that
// meets each of the sets infinitely often. Nodes are 0…n-1; one without successors
// starts no infinite path.
//
// Such a path ends in a strongly connected component that has an edge and meets all
// sets. Tarjan's search finds the components in an order in which successors come
// first, so one pass also tells from which components such a one is reached.
func FairPaths(n int, successors func(s int) []int32, fair []Set) Set {
	good := NewSet(n)
	number := make([]int32, n) // from 1 in the order of the search
	low := make([]int32, n)
	done := NewSet(n)
	var count int32
	var open []int32 // visited nodes whose component is not known yet
	type frame struct{ s, next int32 }
	var stack []frame
	visit := func(s int32) {
		count++
		number[s], low[s] = count, count
		open = append(open, s)
		stack = append(stack, frame{s, 0})
	}
	close := func(root int32) {
		first := len(open) - 1
		for open[first] != root {
			first--
		}
		part := open[first:]
		open = open[:first]
		inner, out := false, false // an edge inside, one to a good component
		met := make([]bool, len(fair))
		for _, s := range part {
			for _, t := range successors(int(s)) {
				if !done.Has(int(t)) {
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
		for _, s := range part {
			done.Add(int(s))
			if inner || out {
				good.Add(int(s))
			}
		}
	}
	for root := range int32(n) {
		if number[root] != 0 {
			continue
		}
		visit(root)
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			s := f.s
			if to := successors(int(s)); int(f.next) < len(to) {
				t := to[f.next]
				f.next++
				if number[t] == 0 {
					visit(t)
				} else if !done.Has(int(t)) {
					low[s] = min(low[s], number[t])
				}
				continue
			}
			stack = stack[:len(stack)-1]
			if len(stack) > 0 {
				p := stack[len(stack)-1].s
				low[p] = min(low[p], low[s])
			}
			if low[s] == number[s] {
				close(s)
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
