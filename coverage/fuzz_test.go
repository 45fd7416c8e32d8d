package coverage

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"netcov/aiger"
	"netcov/coverage/journal"
	"netcov/mutant"
	"netcov/netlist"
)

// FuzzResume takes any records up as those of an earlier run, each on a line.
// Nothing panics or hangs, and a run that accepts them comes to the right verdicts.
func FuzzResume(f *testing.F) {
	file, err := aiger.Read(strings.NewReader("aag 6 1 3 1 2 2 0\n2\n4 5\n6 4\n8 2\n12\n10\n12\n10 4 6\n12 11 2\n"), "d", aiger.Options{})
	if err != nil {
		f.Fatal(err)
	}
	n := netlist.FromAIGER(file)
	opt := Options{Targets: []mutant.Target{{Index: 0}, {Index: 1}, {Index: 2}, {Gate: true, Index: 0}, {Gate: true, Index: 1}}}
	truth := [2]map[mutant.Target]map[mutant.Fault]mutant.Verdict{}
	for property := range 2 {
		path := filepath.Join(f.TempDir(), "journal")
		j, _, _, err := journal.Open(path, journal.Header{})
		if err != nil {
			f.Fatal(err)
		}
		opt.Journal = j
		res, err := Run(context.Background(), file, n, property, opt)
		if err != nil {
			f.Fatal(err)
		}
		j.Close()
		truth[property] = map[mutant.Target]map[mutant.Fault]mutant.Verdict{}
		for _, m := range res.Mutants {
			if truth[property][m.Target] == nil {
				truth[property][m.Target] = map[mutant.Fault]mutant.Verdict{}
			}
			truth[property][m.Target][m.Fault] = m.Verdict
		}
		_, records, _, err := journal.Read(path)
		if err != nil {
			f.Fatal(err)
		}
		for k := range len(records) + 1 {
			f.Add(bytes.Join(raw(records[:k]), []byte("\n")), uint8(property))
		}
	}
	opt.Journal = nil
	f.Fuzz(func(t *testing.T, data []byte, property uint8) {
		which := int(property) % 2
		opt := opt
		opt.Resume = []Source{{}}
		for line := range bytes.Lines(data) {
			opt.Resume[0].Records = append(opt.Resume[0].Records, json.RawMessage(line))
		}
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		res, err := Run(ctx, file, n, which, opt)
		if err != nil {
			return
		}
		for _, m := range res.Mutants {
			if m.Verdict != truth[which][m.Target][m.Fault] {
				t.Errorf("%v %v is %v", m.Target, m.Fault, m.Verdict)
			}
		}
	})
}

func raw(records []json.RawMessage) [][]byte {
	var out [][]byte
	for _, r := range records {
		out = append(out, r)
	}
	return out
}
