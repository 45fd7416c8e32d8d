package campaign

import (
	"maps"
	"testing"

	"netcov/netlist"
)

// TestAntecedentsOf: covers find their assertions by name, by order among equal names,
// and not at all where only some of these have an antecedent.
func TestAntecedentsOf(t *testing.T) {
	named := func(names ...string) *Design {
		n := &netlist.Netlist{}
		for _, name := range names {
			n.Bads = append(n.Bads, netlist.Signal{Name: name})
		}
		return &Design{Netlist: n}
	}
	assertions := named("m.a", "m.assert:m.sv:3", "m.assert:m.sv:3#2", "m.assert:m.sv:7", "m.assert:m.sv:7#2", "m.b")
	covers := named("m.cover:m.sv:1", "m.assert:m.sv:3__antecedent", "m.assert:m.sv:3__antecedent#2", "m.assert:m.sv:7__antecedent", "m.b__antecedent", "m.gone__antecedent")
	want := map[int]int{1: 1, 2: 2, 4: 5}
	if got := antecedentsOf(assertions, covers); !maps.Equal(got, want) {
		t.Errorf("found %v, want %v", got, want)
	}
}
