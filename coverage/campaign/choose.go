package campaign

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"netcov/mutant"
)

// Choose returns the positions of the properties that a user asks for: a number, a
// name, or "all". The error is a ChoiceError where there is none of that name.
func (d *Design) Choose(which string) ([]int, error) {
	ps := d.Netlist.Properties()
	if len(ps) == 0 {
		return nil, fmt.Errorf("%s: there is no property: no output, no bad-state literal, no assertion; add one", d.Path)
	}
	if which == "all" {
		all := make([]int, len(ps))
		for i := range all {
			all[i] = i
		}
		return all, nil
	}
	var named []int
	for i, p := range ps {
		if p.Name == which {
			named = append(named, i)
		}
	}
	if len(named) == 1 {
		return named, nil
	}
	if len(named) > 1 {
		return nil, choicef("%d properties are called %q; give the number instead", len(named), which)
	}
	i, err := strconv.Atoi(which)
	if err != nil || i < 0 || i >= len(ps) {
		return nil, choicef("%s has no property %q; it has %d, numbered from 0", d.Path, which, len(ps))
	}
	return []int{i}, nil
}

// Registers returns the nodes of a register: all bits of a name, one bit, or latch:N. A
// name may leave out scopes as long as one register fits.
func (d *Design) Registers(which string) ([]mutant.Target, error) {
	if number, ok := strings.CutPrefix(which, "latch:"); ok {
		i, err := strconv.Atoi(number)
		if err != nil || i < 0 || i >= len(d.Netlist.Latches) {
			return nil, choicef("%s has no latch %q; it has %d, numbered from 0", d.Path, number, len(d.Netlist.Latches))
		}
		return []mutant.Target{{Index: i}}, nil
	}
	describe := d.Describe()
	by := map[string][]mutant.Target{}
	var names []string
	for i := range d.Netlist.Latches {
		t := d.register(i)
		n := describe(t)
		for _, name := range slices.Compact([]string{n.Register, n.Name}) {
			fits := name != "" && (name == which || strings.HasSuffix(name, "."+which))
			if !fits {
				continue
			}
			if by[name] == nil {
				names = append(names, name)
			}
			by[name] = append(by[name], t)
		}
	}
	for _, name := range names {
		if name == which {
			return by[name], nil
		}
	}
	switch len(names) {
	case 0:
		return nil, choicef("%s has no register %q; netcov info lists the registers, and latch:N names one by its number", d.Path, which)
	case 1:
		return by[names[0]], nil
	}
	return nil, choicef("several registers are called %q: %s; give more of the name", which, strings.Join(names, ", "))
}
