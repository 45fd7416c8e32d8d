package project

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"pgregory.net/rapid"
)

var forms = []string{"text", "json", "html"}

const full = `
design = ["rtl/a.sv", "/b.sv"]
top = "a"
define = ["FORMAL", "N=3"]
parameter = { DEPTH = 8, NAME = "x" }
include = ["inc"]
fault = ["zero", "one"]
budget = "2x"
jobs = 2
waivers = "w.toml"
fail-under = 80
fail-on-regression = true

[outputs]
text = "-"
json = "out/r.json"
evidence = "proofs"
`

func TestParse(t *testing.T) {
	p, err := Parse([]byte(full), "sub/netcov.toml", forms)
	if err != nil {
		t.Fatal(err)
	}
	due := &Project{
		Path: "sub/netcov.toml", Design: []string{"sub/rtl/a.sv", "/b.sv"},
		Settings: []Setting{
			{"top", []string{"a"}},
			{"define", []string{"FORMAL", "N=3"}},
			{"parameter", []string{"DEPTH=8", "NAME=x"}},
			{"include", []string{"sub/inc"}},
			{"fault", []string{"zero,one"}},
			{"budget", []string{"2x"}},
			{"jobs", []string{"2"}},
			{"waivers", []string{"sub/w.toml"}},
			{"fail-under", []string{"80"}},
			{"fail-on-regression", []string{"true"}},
			{"evidence", []string{"sub/proofs"}},
			{"format", []string{"json=sub/out/r.json", "text"}},
		},
	}
	if !reflect.DeepEqual(p, due) {
		t.Errorf("%+v\n%+v", p, due)
	}
}

// TestTask: the task of a project of SymbiYosys is no file.
func TestTask(t *testing.T) {
	p, err := Parse([]byte(`design = ["a.sby", "prove"]`), "sub/netcov.toml", forms)
	if err != nil || !reflect.DeepEqual(p.Design, []string{"sub/a.sby", "prove"}) {
		t.Errorf("%+v %v", p, err)
	}
}

func TestRefusals(t *testing.T) {
	for text, due := range map[string]string{
		"":                                  "design is missing",
		"design = []":                       "design is missing",
		"design = \"a.v\"":                  "design: give a list in brackets",
		"design = [3.5, {}]":                "design: give a text",
		"design = [\"a.v\"]\ntopp = \"a\"":  `there is no key "topp"; the keys are design, top`,
		"design = [\"a.v\"]\nparameter = 3": "parameter: give a table",
		"design = [\"a.v\"]\ntop = [1]":     "top: give a text",
		"design = [\"a.v\"]\n[outputs]\npdf = \"x\"": `outputs: there is no output "pdf"`,
		"design = [\"a.v\"]\n[outputs]\njson = true": "outputs: json: give a path",
		"design = [\"a.v\"\ntop = 3":                 "line 2",
	} {
		if _, err := Parse([]byte(text), "netcov.toml", forms); err == nil || !strings.Contains(err.Error(), due) {
			t.Errorf("%q: %v; %q is due", text, err, due)
		}
	}
}

// TestParseAnything: any text is read, or refused in one line.
func TestParseAnything(t *testing.T) {
	value := rapid.SampledFrom([]string{`"a"`, "3", "true", "-1.5", `["a", "b"]`, "{ A = 1 }", "[[1]]", "2020-01-01", "{}", "[]"})
	key := rapid.SampledFrom(append(keyNames(), "outputs", "other"))
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(0, 5).Draw(t, "keys") {
			fmt.Fprintf(&b, "%s = %s\n", key.Draw(t, "key"), value.Draw(t, "value"))
		}
		data := []byte(b.String())
		if rapid.IntRange(0, 9).Draw(t, "random") == 0 {
			data = rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		}
		p, err := Parse(data, "netcov.toml", forms)
		if err != nil && strings.ContainsAny(err.Error(), "\n\r") {
			t.Fatalf("several lines: %q", err)
		}
		if err == nil && len(p.Design) == 0 {
			t.Fatal("no design")
		}
	})
}

// TestWrite: what is written is read, whatever the files are called.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		design := rapid.SliceOfN(rapid.StringMatching(`[a-z"'\\ #é]{1,9}\.sv`), 1, 3).Draw(t, "design")
		top := rapid.StringMatching(`[a-z\\"]{0,5}`).Draw(t, "top")
		file := filepath.Join(dir, File)
		if err := Write(file, design, top); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Parse(data, File, forms)
		if err != nil || !reflect.DeepEqual(p.Design, design) {
			t.Fatalf("%v: %q, %q are due", err, p, design)
		}
		if top != "" && !reflect.DeepEqual(p.Settings[0], Setting{"top", []string{top}}) {
			t.Fatalf("%+v", p.Settings)
		}
		var v map[string]any
		if _, err := toml.Decode(string(data), &v); err != nil {
			t.Fatal(err)
		}
	})
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	if _, err := Find(dir); err == nil {
		t.Error("something is found in an empty folder")
	}
	touch := func(name string) {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	touch("b.v")
	touch("a.sv")
	if got, err := Find(dir); err != nil || !reflect.DeepEqual(got, []string{"a.sv", "b.v"}) {
		t.Error(got, err)
	}
	touch("p.sby")
	if got, err := Find(dir); err != nil || !reflect.DeepEqual(got, []string{"p.sby"}) {
		t.Error(got, err)
	}
	touch("q.sby")
	if _, err := Find(dir); err == nil || !strings.Contains(err.Error(), "p.sby, q.sby") {
		t.Error(err)
	}
}
