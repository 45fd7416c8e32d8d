package verilog

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"netcov/frontend/verilog/preprocess"
)

func TestBits(t *testing.T) {
	for text, want := range map[string][]bit{
		`[ 2, "0", "1", 345678, "x", "z" ]`: {2, bit0, bit1, 345678, bitX, bitZ},
		`[]`:                                {},
		`["1"]`:                             {bit1},
		`[10,11]`:                           {10, 11},
	} {
		var got bits
		if err := json.Unmarshal([]byte(text), &got); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %v, %v", text, got, err)
		}
	}
	var b bits
	for _, text := range []string{`[-1]`, `["q"]`, `[99999999999]`, `{"a":1}`, `5`, `"1"`} {
		if err := json.Unmarshal([]byte(text), &b); err == nil {
			t.Errorf("%s was accepted: %v", text, b)
		}
	}
}

func TestPlaces(t *testing.T) {
	for src, want := range map[string]string{
		"a.v:12.3-14.5":                                           "a.v 12.3 14.5",
		"dir/a b.v:1.2-1.9|dir/a b.v:7.1-8.2":                     "dir/a b.v 1.2 1.9",
		"/usr/share/yosys/techmap.v:270.2-271.3|a.v:5.1-5.2":      "a.v 5.1 5.2",
		"/tmp/netcov-yosys-123/carry.v:2.2-7.3|C:/x.v:9.1-9.2":    "C:/x.v 9.1 9.2",
		"/tmp/netcov-yosys-123/formal.v:2.2-7.3|formal.v:3.1-3.2": "formal.v 3.1 3.2",
		"a.v:0.0-0.0": " 0.0 0.0",
		"":            " 0.0 0.0",
	} {
		p := placeOf(map[string]string{"src": src})
		if got := describePlace(p); got != want {
			t.Errorf("%q: got %q, want %q", src, got, want)
		}
	}
}

func describePlace(p place) string {
	return fmt.Sprintf("%s %d.%d %d.%d", p.file, p.line, p.col, p.endLine, p.endCol)
}

func TestContains(t *testing.T) {
	p := place{"a.v", 5, 10, 7, 3}
	for _, c := range []struct {
		q    place
		want bool
	}{
		{place{"a.v", 5, 10, 7, 3}, true},
		{place{"a.v", 6, 1, 6, 99}, true},
		{place{"a.v", 5, 9, 6, 1}, false},
		{place{"a.v", 7, 1, 7, 4}, false},
		{place{"b.v", 6, 1, 6, 2}, false},
	} {
		if p.contains(c.q) != c.want {
			t.Errorf("%v: want %v", c.q, c.want)
		}
	}
}

func TestNextToken(t *testing.T) {
	lines := strings.Split("x = 1; /* synthesis full_case */\n\n  \n`default_nettype none \n  assert (x);\n", "\n")
	for _, c := range []struct{ line, col, want int }{
		{1, 1, 1}, {1, 7, 5}, {2, 1, 5}, {5, 3, 5}, {5, 14, 0}, {9, 1, 0},
	} {
		if got := nextToken(lines, c.line, c.col); got != c.want {
			t.Errorf("after %d.%d: line %d, want %d", c.line, c.col, got, c.want)
		}
	}
}

func TestNaturalOrder(t *testing.T) {
	names := []string{"m[10]", "m[2]", "a", "m[2].x", "m[02]", "m", "b12c", "b2c"}
	slices.SortFunc(names, func(a, b string) int {
		switch {
		case naturalLess(a, b):
			return -1
		case naturalLess(b, a):
			return 1
		}
		return 0
	})
	want := []string{"a", "b2c", "b12c", "m", "m[2]", "m[02]", "m[2].x", "m[10]"}
	if !slices.Equal(names, want) && !slices.Equal(names, []string{"a", "b2c", "b12c", "m", "m[02]", "m[2]", "m[2].x", "m[10]"}) {
		t.Errorf("order %v", names)
	}
}

func TestYosysErrors(t *testing.T) {
	for said, want := range map[string]string{
		"a.v:12: ERROR: syntax error, unexpected ';'\n":                                 "a.v:12: yosys: syntax error, unexpected ';'; correct the source there, or leave it out with a define",
		"ERROR: Multiple edge sensitive events found for this signal at b.v:3.1-4.2!\n": "b.v:3: yosys: Multiple edge sensitive events found for this signal at b.v:3.1-4.2!; correct the source there, or leave it out with a define",
		"terminate called\nSegmentation fault\n":                                        "yosys failed: Segmentation fault; run it with the script to see more",
	} {
		if got := (&sources{}).yosysError(said, nil).Error(); got != want {
			t.Errorf("%q:\n got %s\nwant %s", said, got, want)
		}
	}
}

func FuzzNames(f *testing.F) {
	f.Add("a.v:12.3-14.5|b.v:1.1-2.2", "mem[2]", "u.x", 3, 4)
	f.Fuzz(func(t *testing.T, src, a, b string, line, col int) {
		placeOf(map[string]string{"src": src})
		nextToken(strings.Split(src, "\n"), line, col)
		if naturalLess(a, b) && naturalLess(b, a) {
			t.Errorf("%q and %q each come first", a, b)
		}
		h := &hierarchy{top: "top", modules: map[string]string{"": "top", "u": "child"}}
		h.owner(a)
		h.privateOwner(b)
		(&builder{h: h, pre: &module{}, inv: &inventory{}}).describe(registerBit{net: "$" + a}, nil)
	})
}

// TestDeepNesting: a yosys that ends without a word is told by the place of the deepest
// brackets, where these are deep.
func TestDeepNesting(t *testing.T) {
	for depth, want := range map[int]string{
		deepNesting + 2: "b.v:2: yosys failed, and brackets are nested 502 deep here",
		deepNesting - 2: "yosys failed: Aborted",
	} {
		text := "x\n" + strings.Repeat("(", depth) + strings.Repeat(")", depth)
		s := &sources{texts: []preprocess.Text{{Text: []byte(text), Lines: []preprocess.Place{{File: "b.v", Line: 1}, {File: "b.v", Line: 2}}}}}
		if err := s.yosysError("Aborted\n", errors.New("exit status 134")); !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
