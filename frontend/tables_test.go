package frontend

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// TestSamplesComplete: each kind that a content tells has a sample, or is read by yosys
// and has the head of one here.
func TestSamplesComplete(t *testing.T) {
	heads := map[string]string{
		"rtlil": "# Generated\nautoidx 1\nmodule \\top\nend\n",
		"blif":  "# a toggle\n.model top\n.end\n",
	}
	for _, k := range kinds {
		_, sampled := samples[k.name]
		head, netlist := heads[k.name]
		switch {
		case k.sniff == nil:
			if len(k.extensions) == 0 {
				t.Errorf("%s: neither a name nor a content tells it", k.name)
			}
		case !sampled && !netlist:
			t.Errorf("%s: give it a row in samples", k.name)
		case netlist && !k.sniff([]byte(head)):
			t.Errorf("%s: it does not know %q", k.name, head)
		}
		for _, other := range kinds {
			if other.name != k.name && other.sniff != nil && netlist && other.sniff([]byte(head)) {
				t.Errorf("%q is taken for %s", head, other.name)
			}
		}
	}
}

// TestSchemaFormats: the schema of reports has the kinds that are circuits.
func TestSchemaFormats(t *testing.T) {
	text, err := os.ReadFile("../coverage/report/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Properties struct {
			Design struct {
				Properties struct{ Format struct{ Enum []string } }
			}
		}
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, k := range kinds {
		if !k.graph && k.name != "sby" { // a project is one of Verilog or VHDL
			want = append(want, k.name)
		}
	}
	got := schema.Properties.Design.Properties.Format.Enum
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the schema has the formats %v, the table %v", got, want)
	}
}
