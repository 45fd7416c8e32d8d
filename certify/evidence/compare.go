package evidence

import (
	"encoding/json"
	"fmt"
	"os"

	"netcov/internal/plainfile"
)

// reportJSON is what is read of a report of the form netcov/1.
type reportJSON struct {
	Schema string `json:"schema"`
	Design struct {
		SHA256 string `json:"sha256"`
	} `json:"design"`
	Options struct {
		Mux string `json:"mux"`
	} `json:"options"`
	Properties []struct {
		Index  int    `json:"index"`
		Kind   string `json:"kind"`
		Status Status `json:"status"`
	} `json:"properties"`
	Mutants []struct {
		Node struct {
			Kind  string `json:"kind"`
			Index int    `json:"index"`
		} `json:"node"`
		Fault    string  `json:"fault"`
		Property int     `json:"property"`
		Verdict  Verdict `json:"verdict"`
	} `json:"mutants"`
}

// verdictKey is a mutant under a property.
type verdictKey struct {
	property   int
	kind       string
	index      int
	fault, mux string
}

// String names the mutant as failures do.
func (k verdictKey) String() string {
	return fmt.Sprintf("property %d, %s at %s %d", k.property, k.fault, k.kind, k.index)
}

// compareReport checks that a report claims what the evidence proves: the same
// design, properties and verdicts, not one more or less.
func (v *verifier) compareReport() {
	path := v.opt.Report
	if path == "" {
		return
	}
	err := plainfile.Check(path)
	var data []byte
	if err == nil {
		data, err = os.ReadFile(path)
	}
	if err != nil {
		v.fail(path, "the report cannot be read: %v", err)
		return
	}
	var r reportJSON
	if err := json.Unmarshal(data, &r); err != nil || r.Schema != "netcov/1" {
		v.fail(path, "the report is no JSON report of the form netcov/1")
		return
	}
	if r.Design.SHA256 != v.index.Design.SHA256 {
		v.fail(path, "the report is about another design")
	}
	status := map[int]Status{}
	verdicts := map[verdictKey]Verdict{}
	for i := range v.index.Properties {
		p := &v.index.Properties[i]
		status[p.Index] = p.Status
		for _, m := range p.Mutants {
			verdicts[verdictKey{p.Index, m.Kind, m.Index, m.Fault, m.Mux}] = m.Verdict
		}
	}
	for _, p := range r.Properties {
		if p.Kind == "justice" {
			continue // liveness is not judged
		}
		where := fmt.Sprintf("property %d", p.Index)
		if s, ok := status[p.Index]; !ok {
			v.fail(where, "the report has it, the evidence has not")
		} else if s != p.Status {
			v.fail(where, "the report says %q, the evidence %q", p.Status, s)
		}
		delete(status, p.Index)
	}
	for index := range status {
		v.fail(fmt.Sprintf("property %d", index), "the evidence has it, the report has not")
	}
	for _, m := range r.Mutants {
		k := verdictKey{m.Property, m.Node.Kind, m.Node.Index, m.Fault, r.Options.Mux}
		if s, ok := verdicts[k]; !ok {
			v.fail(k.String(), "the report has it, the evidence has not")
		} else if s != m.Verdict {
			v.fail(k.String(), "the report says %q, the evidence %q", m.Verdict, s)
		}
		delete(verdicts, k)
	}
	for k := range verdicts {
		v.fail(k.String(), "the evidence has it, the report has not")
	}
}
