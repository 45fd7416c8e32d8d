package verilog

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"netcov/frontend/verilog/preprocess"
)

func enumerationsOf(text string) *enumerations {
	t := &preprocess.Text{Text: []byte(text), Lines: make([]preprocess.Place, 1+strings.Count(text, "\n"))}
	e := &enumerations{}
	e.take(scan(t))
	e.resolve()
	return e
}

// TestEnumerations: which variables show names, and of which values.
func TestEnumerations(t *testing.T) {
	const types = "package p; typedef enum logic [1:0] {IDLE, RUN = 2'd2, DONE} state_t; endpackage\n"
	const names = "2 0:IDLE 2:RUN 3:DONE"
	for _, tc := range []struct{ text, want string }{
		{types + "module m import p::*; (input clk); state_t s = IDLE, n; endmodule", "n=" + names + "; s=" + names},
		{types + "module m(input p::state_t a, b, output logic c, output p::state_t d); endmodule", "a=" + names + "; b=" + names + "; d=" + names},
		{types + "module m; p::state_t s [0:3], t; endmodule", "t=" + names},
		{types + "module m; p::state_t s; always_ff @(posedge c) begin s <= p::RUN; end endmodule", "s=" + names},
		{types + "module m; if (A) begin p::state_t s; end else begin logic [3:0] s; end endmodule", ""},
		{types + "package q; typedef enum {A} state_t; endpackage module m import q::*; (); state_t s; endmodule", ""},
		{types + "package q; typedef enum {A} state_t; endpackage module m; q::state_t s; endmodule", "s=32 0:A"},
		{"module m; enum {A, B} s, t = A; endmodule", "s=32 0:A 1:B; t=32 0:A 1:B"},
		{"module m; typedef enum reg [2:0] {A = 3'b1_00, B = 3'h2, C = 7} t; t s; endmodule", "s=3 2:B 4:A 7:C"},
		{"module m; typedef enum logic {NO, YES} t; t s; endmodule module n; t s; endmodule", "s=1 0:NO 1:YES"},
		// What is not understood shows numbers.
		{"module m; typedef enum logic [1:0] {A = X + 1, B} t; t s; endmodule", ""},
		{"module m; typedef enum logic [W-1:0] {A, B} t; t s; endmodule", ""},
		{"module m; typedef enum logic [1:0] {A[3], B} t; t s; endmodule", ""},
		{"module m; typedef enum logic {A, B, C} t; t s; endmodule", ""},
		{"module m; typedef enum logic [1:0] {A = 2'bx1, B} t; t s; endmodule", ""},
	} {
		var got []string
		m := enumerationsOf(tc.text).scope("m")
		for _, name := range slices.Sorted(maps.Keys(m.variables)) {
			v := m.variables[name]
			if v == nil {
				continue
			}
			of := fmt.Sprintf("%s=%d", name, v.width)
			for _, k := range slices.Sorted(maps.Keys(v.names)) {
				of += fmt.Sprintf(" %d:%s", k, v.names[k])
			}
			got = append(got, of)
		}
		if s := strings.Join(got, "; "); s != tc.want {
			t.Errorf("%s\n gives %s\n want  %s", tc.text, s, tc.want)
		}
	}
}

// TestEnumerationsOfAnything: no order of tokens is a crash.
func TestEnumerationsOfAnything(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 1))
	words := strings.Fields("module m package p endmodule enum typedef logic [ ] { } ( ) , ; : = 1 2'b1 ' a b automatic signed p :: t")
	for range 20000 {
		var text []string
		for range r.IntN(14) {
			text = append(text, words[r.IntN(len(words))])
		}
		enumerationsOf(strings.Join(text, " "))
	}
}
