package minheap

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHeap compares random pushes and pops with a sorted list.
func TestHeap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var h Heap
	var want []int32
	for range 20000 {
		if len(want) == 0 || r.IntN(2) == 0 {
			x := int32(r.IntN(50))
			h.Push(x)
			want = append(want, x)
			slices.Sort(want)
			continue
		}
		if got := h.Pop(); got != want[0] {
			t.Fatalf("%d, want %d", got, want[0])
		}
		want = want[1:]
	}
}
