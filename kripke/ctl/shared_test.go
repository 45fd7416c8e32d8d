package ctl

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/internal/shared"
	"netcov/kripke/circuit"
	"netcov/kripke/formula"
	"netcov/kripke/structure"
	"netcov/netlist"
)

type sharedCase struct {
	Formula       string
	Covered       map[string][]string
	CoveredFree   map[string][]string `json:"covered_free"`
	CoveredEmpty  map[string][]string `json:"covered_empty"`
	Fixed0Free    []string            `json:"fixed0_covered_free"`
	Fixed1Free    []string            `json:"fixed1_covered_free"`
	Fixed0Empty   []string            `json:"fixed0_covered_empty"`
	Fixed1Empty   []string            `json:"fixed1_covered_empty"`
	SignalKinds   map[string]string   `json:"signal_kinds"`
	ControlStates []string            `json:"control_states"`
}

func sharedCases(t *testing.T, kind string, run func(t *testing.T, base string, c sharedCase, f formula.Formula)) {
	files, _ := filepath.Glob(filepath.Join(shared.Dir(t, "kripke-cases"), kind, "*.json"))
	if len(files) < 50 {
		t.Errorf("only %d cases", len(files))
	}
	for _, file := range files {
		var c sharedCase
		data, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &c)
		}
		if err != nil {
			t.Fatal(err)
		}
		f, err := formula.Parse(c.Formula, formula.CTL)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(file), func(t *testing.T) { run(t, strings.TrimSuffix(file, ".json"), c, f) })
	}
}

func expectCovers(t *testing.T, m *Model, f formula.Formula, opt Options, want map[string][]string) *Problem {
	t.Helper()
	p := problem(t, m, f, opt)
	for signal, states := range want {
		c, err := p.Cover(context.Background(), signal)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.Sorted(slices.Values(c.Covered))
		states = slices.Sorted(slices.Values(states))
		if !slices.Equal(got, states) {
			t.Errorf("%s: covered for %s: %v, want %v", opt.Algorithm, signal, got, states)
		}
	}
	return p
}

func TestSharedStructures(t *testing.T) {
	sharedCases(t, "ctl", func(t *testing.T, base string, c sharedCase, f formula.Formula) {
		k, err := structure.ReadFile(base + ".hoa")
		if err != nil {
			t.Fatal(err)
		}
		m, err := StructureModel(k)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range algorithms {
			expectCovers(t, m, f, Options{Algorithm: a}, c.Covered)
		}
	})
}

func TestSharedCircuits(t *testing.T) {
	sharedCases(t, "circuit", func(t *testing.T, base string, c sharedCase, f formula.Formula) {
		file, err := aiger.ReadFile(base+".aag", aiger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		cc, err := circuit.FromNetlist(netlist.FromAIGER(file), "")
		if err != nil {
			t.Fatal(err)
		}
		m, err := CircuitModel(cc)
		if err != nil {
			t.Fatal(err)
		}
		for name, kind := range c.SignalKinds {
			if s, err := m.signal(name, f); err != nil || s.Kind != kind {
				t.Errorf("%s is %s (%v), want %s", name, s.Kind, err, kind)
			}
		}
		for _, a := range algorithms {
			for _, empty := range []bool{false, true} {
				covers, fixed0, fixed1 := c.CoveredFree, c.Fixed0Free, c.Fixed1Free
				if empty {
					covers, fixed0, fixed1 = c.CoveredEmpty, c.Fixed0Empty, c.Fixed1Empty
				}
				p := expectCovers(t, m, f, Options{Algorithm: a, EmptyFirst: empty}, covers)
				for v, want := range map[bool][]string{false: fixed0, true: fixed1} {
					got, err := p.Fixed(context.Background(), v)
					if err != nil || !slices.Equal(got, want) {
						t.Errorf("%s: fixing to %v covers %v (%v), want %v", a, v, got, err, want)
					}
				}
			}
		}
	})
}
