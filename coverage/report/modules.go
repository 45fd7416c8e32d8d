package report

import (
	"fmt"
	"maps"
	"regexp"
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
// registers of its own stands there for those below it; where there is only one of those,
// the two have one row.
func (r *Report) moduleTree() []pageModule {
	all := map[string]*pageModule{}
	for _, g := range r.Summary.ByInstance {
		parts := strings.Split(g.Name, ".")
		for n := range parts {
			path := strings.Join(parts[:n+1], ".")
			m := all[path]
			if m == nil {
				m = &pageModule{Path: visible.Line(path), Name: visible.Line(parts[n])}
				all[path] = m
			}
			if path == g.Name {
				m.Module = visible.Line(g.Module)
			}
			m.Bits += g.Bits
			m.join(g.Counts)
		}
	}
	below := map[string]int{} // instances directly below one
	for path := range all {
		if at := strings.LastIndex(path, "."); at >= 0 {
			below[path[:at]]++
		}
	}
	var out []pageModule
	depth, prefix := map[string]int{}, ""
	for _, path := range slices.SortedFunc(maps.Keys(all), naturally) {
		m := all[path]
		at := strings.LastIndex(path, ".")
		m.Depth, m.Name = 0, prefix+m.Name
		if at >= 0 {
			m.Depth = depth[path[:at]]
		}
		if m.Module == "" && below[path] == 1 { // a step on the way to the only one below it
			depth[path], prefix = m.Depth, m.Name+"."
			continue
		}
		depth[path], prefix = m.Depth+1, ""
		m.finish()
		out = append(out, *m)
	}
	return out
}

// number is one in a name.
var number = regexp.MustCompile(`\d+`)

// naturally compares paths part by part, numbers in them by their values.
func naturally(a, b string) int {
	padded := func(path string) []string {
		return strings.Split(number.ReplaceAllStringFunc(path, func(n string) string { return fmt.Sprintf("%20s", n) }), ".")
	}
	return slices.Compare(padded(a), padded(b))
}
