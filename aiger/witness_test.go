package aiger_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/aiger/randaig"
)

func TestWitness(t *testing.T) {
	text := "c first\nu4\n1\nb0j1\nc the state\n0x1\n10\nc a comment\n01\n.\n0\nb1\n.\nc between\n2\nj0\n.\nc end"
	got, err := aiger.ReadWitnesses(strings.NewReader(text), "w", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []*aiger.Witness{
		{
			Status: aiger.Fails, Properties: []aiger.Property{{'b', 0}, {'j', 1}},
			Init:   []aiger.Ternary{aiger.False, aiger.Unknown, aiger.True},
			Inputs: [][]aiger.Ternary{{1, 0}, {0, 1}},
		},
		{Status: aiger.Holds, Properties: []aiger.Property{{'b', 1}}},
		{Status: aiger.Undecided, Properties: []aiger.Property{{'j', 0}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("got %v", got)
	}
	var b bytes.Buffer
	if err := aiger.WriteWitness(&b, got...); err != nil {
		t.Fatal(err)
	}
	if want := "1\nb0j1\n0x1\n10\n01\n.\n0\nb1\n.\n2\nj0\n.\n"; b.String() != want {
		t.Errorf("written %q", b.String())
	}
	if err := aiger.WriteWitness(&fullDisk{2}, got...); err == nil {
		t.Error("a failed write is no error")
	}
}

func TestWitnessWithoutLatchesOrInputs(t *testing.T) {
	got, err := aiger.ReadWitnesses(strings.NewReader("1\nb0\n\n\n\n.\n"), "w", nil)
	if err != nil || len(got) != 1 || len(got[0].Init) != 0 || len(got[0].Inputs) != 2 {
		t.Fatalf("%v %v", got, err)
	}
}

func TestWitnessRefusals(t *testing.T) {
	f := reread(t, []byte("aag 3 2 1 1 0 2 0 1\n2\n4\n6 2\n6\n6\n7\n1\n6\n"))
	for text, want := range map[string]string{
		"":                               "w:1: no witness",
		"c only\n":                       "w:2: no witness",
		"3\n":                            "w:1: no status: \"3\"",
		"\n":                             "w:1: no status: the end of the line",
		"1":                              "w:1: the last newline",
		"1 \nb0\n":                       "w:1: the line should end",
		"1\n":                            "w:2: a property is due, found the end of the file",
		"1\n0\n":                         "w:2: a property is due",
		"1\nb\n":                         "w:2: the position",
		"1\nb-1\n":                       "w:2: negative",
		"1\nb2\n0\n00\n.\n":              "w:2: property b2, but the file has 2",
		"1\nj1\n0\n00\n.\n":              "w:2: property j1, but the file has 1",
		"1\nb0 b1\n0\n00\n.\n":           "w:2: the line should end here",
		"1\nb0\n00\n00\n.\n":             "w:3: the initial state has 2 values, 1 are due",
		"1\nb0\n0\n000\n.\n":             "w:4: the inputs of a step has 3 values, 2 are due",
		"1\nb0\n0\n0a\n.\n":              "w:4: the inputs of a step: found \"a\"",
		"1\nb0\n0\n.\n":                  "w:4: the inputs of the first step are due",
		"1\nb0\n0\n00\n":                 "w:5: a line . is due, found the end of the file",
		"1\nb0\n0\n00\n..\n":             "w:5: the line should end here",
		"1\nb0\n0\n00\n.":                "w:5: the last newline",
		"0\nb0\n0\n":                     "w:3: a line . is due",
		"2\nb0\n.\n\n":                   "w:4: no status",
		"1\nb0\n0\n00\n.\n1\nb0\n0\n0\n": "w:9: the inputs of a step has 1 values",
		"1\r\nb0\r\n0\r\n00\r\n.\r\n":    "w:1: carriage return",
	} {
		_, err := aiger.ReadWitnesses(strings.NewReader(text), "w", f)
		if err == nil || !strings.HasPrefix(err.Error(), want) || strings.Count(err.Error(), "\n") > 0 {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
}

func TestWitnessRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 500 {
		f := randaig.New(r, randaig.Everything())
		f.Bads = append(f.Bads, 0)
		var list []*aiger.Witness
		for range 1 + r.IntN(3) {
			list = append(list, randaig.Trace(r, f, 5, 0))
		}
		var b bytes.Buffer
		if err := aiger.WriteWitness(&b, list...); err != nil {
			t.Fatal(err)
		}
		got, err := aiger.ReadWitnesses(&b, "w", f)
		if err != nil || !reflect.DeepEqual(got, list) {
			t.Fatalf("%v\n%v\n%v", err, got, list)
		}
	}
}
