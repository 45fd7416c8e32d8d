package main

import (
	"fmt"
	"strconv"

	"github.com/spf13/pflag"

	"netcov/aiger"
	"netcov/netlist"
)

// inputFlags are the flags of every command that reads a design.
type inputFlags struct {
	lenient bool
}

func (f *inputFlags) add(fs *pflag.FlagSet) {
	fs.BoolVar(&f.lenient, "lenient", false, "accept CRLF, a byte order mark, a missing last newline, blank lines at the end (default false)")
}

// input is a design as a command works on it.
type input struct {
	path    string
	file    *aiger.File
	netlist *netlist.Netlist
}

func (f *inputFlags) read(path string) (*input, error) {
	file, err := aiger.ReadFile(path, aiger.Options{Lenient: f.lenient})
	if err != nil {
		return nil, err
	}
	return &input{path, file, netlist.FromAIGER(file)}, nil
}

// choose returns the positions of the properties that a --property flag asks
// for: a number, a name, or "all".
func (in *input) choose(which string) ([]int, error) {
	ps := in.netlist.Properties()
	if len(ps) == 0 {
		return nil, fmt.Errorf("%s: there is no property: no output, no bad-state literal; add one", in.path)
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
		return nil, usagef("%d properties are called %q; give the number instead", len(named), which)
	}
	i, err := strconv.Atoi(which)
	if err != nil || i < 0 || i >= len(ps) {
		return nil, usagef("%s has no property %q; it has %d, numbered from 0", in.path, which, len(ps))
	}
	return []int{i}, nil
}
