package verilog

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

// TestDecodeCells: random cells, with names of pins that hold brackets, quotes and
// escapes, and without directions, are what encoding/json reads.
func TestDecodeCells(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 3))
	names := []string{"A", "B", "Y", "a[0]", `q"]: [ 1`, "b\\c", "é", "x:y", ""}
	values := []string{"0", "1", "x", "z"}
	want := map[bit]string{bit0: `"0"`, bit1: `"1"`, bitX: `"x"`, bitZ: `"z"`}
	for range 2000 {
		directions, connections := map[string]string{}, map[string][]any{}
		for _, name := range names {
			if r.IntN(2) == 0 {
				continue
			}
			if r.IntN(3) > 0 {
				directions[name] = []string{"input", "output", "inout"}[r.IntN(3)]
			}
			connections[name] = []any{}
			for range r.IntN(4) {
				if r.IntN(2) == 0 {
					connections[name] = append(connections[name], values[r.IntN(4)])
				} else {
					connections[name] = append(connections[name], r.IntN(1<<20))
				}
			}
		}
		text, err := json.MarshalIndent(map[string]any{"type": "$_X_", "port_directions": directions, "connections": connections}, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		d := &netlistDecoder{
			Decoder: json.NewDecoder(bytes.NewReader(text)), src: &sources{},
			attributes: map[string]map[string]string{}, terminals: map[string][]*terminal{}, words: map[string]string{},
		}
		c, err := d.cell()
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		got := map[string]string{}
		for _, p := range c.pins {
			list := []string{}
			for _, b := range p.nets {
				if s, ok := want[b]; ok {
					list = append(list, s)
				} else {
					list = append(list, fmt.Sprint(b))
				}
			}
			got[p.name] = fmt.Sprint(p.output, list)
		}
		expected := map[string]string{}
		for name, nets := range connections {
			list := []string{}
			for _, n := range nets {
				b, err := json.Marshal(n)
				if err != nil {
					t.Fatal(err)
				}
				list = append(list, string(b))
			}
			expected[name] = fmt.Sprint(directions[name] == "output", list)
		}
		if !reflect.DeepEqual(got, expected) {
			t.Fatalf("%v\nwant %v\n%s", got, expected, text)
		}
	}
}
