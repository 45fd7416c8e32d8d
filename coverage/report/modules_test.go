package report

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestModuleTree: each instance stands below its own, with the sum of all whose path
// begins with its own.
func TestModuleTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := &Report{}
		seen := map[string]bool{}
		for range rapid.IntRange(1, 8).Draw(t, "instances") {
			path := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "g[2]", "g[10]"}), 1, 4).Draw(t, "path"), ".")
			if path = "top." + path; seen[path] {
				continue
			}
			seen[path] = true
			g := Group{Name: path, Module: "m", Bits: rapid.IntRange(1, 5).Draw(t, "bits")}
			g.Mutants = 3 * g.Bits
			r.Summary.ByInstance = append(r.Summary.ByInstance, g)
		}
		var stack []string
		shown := map[string]bool{}
		for _, m := range r.moduleTree() {
			bits := 0
			for _, g := range r.Summary.ByInstance {
				if g.Name == m.Path || strings.HasPrefix(g.Name, m.Path+".") {
					bits += g.Bits
				}
			}
			if m.Bits != bits || m.Mutants != 3*bits {
				t.Errorf("%s has %d bits, not %d", m.Path, m.Bits, bits)
			}
			stack = append(stack[:m.Depth], m.Name)
			if got := strings.Join(stack, "."); got != m.Path {
				t.Errorf("%s stands where %s is due", m.Path, got)
			}
			shown[m.Path] = true
		}
		for path := range seen {
			if !shown[path] {
				t.Errorf("%s is not shown", path)
			}
		}
	})
	r := &Report{}
	for i := range 3 {
		r.Summary.ByInstance = append(r.Summary.ByInstance, Group{Name: fmt.Sprintf("t.g[%d].u", 5*i), Module: "m"})
	}
	var names []string
	for _, m := range r.moduleTree() {
		names = append(names, m.Name)
	}
	if got := strings.Join(names, " "); got != "t g[0].u g[5].u g[10].u" {
		t.Error(got)
	}
}
