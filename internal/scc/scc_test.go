package scc

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRandom compares with the transitive closure.
func TestRandom(t *testing.T) {
	shared := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(9)
		edges := make([][]int32, n)
		reach := make([][]bool, n)
		for v := range edges {
			reach[v] = make([]bool, n)
			reach[v][v] = true
			for range r.IntN(3) {
				w := int32(r.IntN(n + 1)) // n is no node
				edges[v] = append(edges[v], w)
				if int(w) < n {
					reach[v][w] = true
				}
			}
		}
		for k := range n {
			for i := range n {
				for j := range n {
					reach[i][j] = reach[i][j] || reach[i][k] && reach[k][j]
				}
			}
		}
		roots := All(n)
		if r.IntN(2) == 0 {
			roots = []int32{int32(r.IntN(n)), int32(r.IntN(n))}
		}
		c := Find(n, roots, func(v int32) []int32 { return edges[v] }, func(w int32) int32 { return w })
		for i := range n {
			if reached := slices.ContainsFunc(roots, func(v int32) bool { return reach[v][i] }); reached != (c.Of[i] >= 0) {
				t.Fatalf("seed %d: node %d is in component %d, reached: %v", seed, i, c.Of[i], reached)
			} else if !reached {
				continue
			}
			if !slices.Contains(c.Members[c.Of[i]], int32(i)) {
				t.Fatalf("seed %d: node %d is missing in its component", seed, i)
			}
			for j := range n {
				switch same := c.Of[i] == c.Of[j]; {
				case same != (reach[i][j] && reach[j][i]):
					t.Fatalf("seed %d: nodes %d and %d in one component: %v", seed, i, j, same)
				case reach[i][j] && c.Of[j] > c.Of[i]:
					t.Fatalf("seed %d: node %d leads from component %d up to %d", seed, i, c.Of[i], c.Of[j])
				case same && i != j:
					shared++
				}
			}
		}
		total := 0
		for _, m := range c.Members {
			total += len(m)
		}
		if placed := len(slices.DeleteFunc(slices.Clone(c.Of), func(k int32) bool { return k < 0 })); total != placed {
			t.Fatalf("seed %d: %d members of %d nodes", seed, total, placed)
		}
	}
	if shared < 1000 {
		t.Errorf("only %d pairs share a component", shared)
	}
}
