package effort

import (
	"slices"
	"sync"
	"testing"
)

func TestEngines(t *testing.T) {
	var e Engines
	e.Of("idle")
	var group sync.WaitGroup
	for k := range 8 {
		group.Go(func() {
			c := e.Of("b")
			c.Query(1, 2, 3)
			c.Frame(k)
			c.Clause()
			c.Generalisation()
			e.Of("a").Frame(1)
		})
	}
	group.Wait()
	want := []Engine{
		{Engine: "a", Frames: 1},
		{Engine: "b", Queries: 8, Decisions: 8, Conflicts: 16, Propagations: 24, Frames: 7, Clauses: 8, Generalisations: 8},
	}
	if got := e.List(); !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	// Where nobody asks for figures, nothing is counted and nothing breaks.
	var none *Engines
	c := none.Of("a")
	c.Query(1, 1, 1)
	c.Frame(1)
	c.Clause()
	c.Generalisation()
	if none.List() != nil {
		t.Error("figures of nobody")
	}
}
