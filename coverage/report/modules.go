package report

import (
	"maps"
	"slices"
	"strings"

	"netcov/internal/visible"
)

// pageModule is an instance in the tree of modules, with what it and all below it have.
type pageModule struct {
	Path, Name, Module string
	Depth              int
	Bits               int
	Counts
}

// moduleTree lists the instances, each before those below it. An instance without
// registers of its own stands there for those below it.
func (r *Report) moduleTree() []pageModule {
	all := map[string]*pageModule{}
	for _, g := range r.Summary.ByInstance {
		parts := strings.Split(g.Name, ".")
		for n := range parts {
			path := strings.Join(parts[:n+1], ".")
			m := all[path]
			if m == nil {
				m = &pageModule{Path: visible.Line(path), Name: visible.Line(parts[n]), Depth: n}
				all[path] = m
			}
			if path == g.Name {
				m.Module = visible.Line(g.Module)
			}
			m.Bits += g.Bits
			m.join(g.Counts)
		}
	}
	var out []pageModule
	for _, path := range slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return slices.Compare(strings.Split(a, "."), strings.Split(b, "."))
	}) {
		all[path].finish()
		out = append(out, *all[path])
	}
	return out
}
