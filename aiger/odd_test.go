package aiger

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"netcov/internal/shared"
)

// place is the form of every refusal: the file, a line or byte, what, the cure.
var place = regexp.MustCompile(`^odd\.a[ai]g:( byte)? ?\d+: [^\n]+; [^\n]+$`)

// odd cases: what the strict and the lenient reader make of one oddity each.
// want is part of the strict refusal, "" for none.
var odd = []struct {
	name, text string
	strict     bool
	lenient    bool
	want       string
}{
	{"binary without gates", "aig 2 2 0 1 0\n5\n", true, true, ""},
	{"outputs beside bad states", "aag 1 0 1 2 0 1\n2 2\n3\n2\n2\n", true, true, ""},
	{"byte order mark", "\xef\xbb\xbfaag 1 1 0 1 0\n2\n3\n", false, true, "byte order mark"},
	{"text behind c", "aag 1 1 0 1 0\n2\n3\nc made by hand\n", false, false, "odd.aag:4: a line starts with c"},
	{"text behind c after a constraint", "aag 1 1 0 1 0 0 1\n2\n3\n2\nc made by hand\n", false, false, "odd.aag:5: a line starts with c"},
	{"comment where a constraint is due", "aag 1 1 0 1 0 0 1\n2\n3\nc made by hand\n", false, false, "constraint literal is due"},
	{"comment without last newline", "aag 1 1 0 1 0\n2\n3\nc\nlast words", false, true, "last newline"},
	{"comment that looks like symbols", "aag 1 1 0 1 0\n2\n3\nc\ni0 x\ni0 x\n", true, true, ""},
	{"false constraint", "aag 1 0 1 0 0 1 1\n2 2\n2\n0\n", true, true, ""},
	{"constant outputs", "aag 0 0 0 2 0\n1\n0\n", true, true, ""},
	{"combinational cycle", "aag 3 1 0 1 2\n2\n6\n4 6 2\n6 4 2\n", false, false, "odd.aag:4: AND gate 4 depends on itself"},
	{"combinational self-loop", "aag 1 0 0 0 1\n2 2 3\n", false, false, "cycle"},
	{"two blanks in the header", "aag 1  1 0 1 0\n2\n3\n", false, false, "odd.aag:1: header field I"},
	{"one bad state twice", "aag 1 0 1 0 0 2\n2 3\n3\n3\n", true, true, ""},
	{"one name twice", "aag 2 2 0 1 0\n2\n4\n5\ni0 same\ni1 same\no0 same\n", true, true, ""},
	{"two symbols for one latch", "aag 1 0 1 1 0\n2 3\n2\nl0 a\nl0 b\n", false, false, "odd.aag:5: a second symbol for l0"},
	{"nothing at all in it", "aag 0 0 0 0 0\n", true, true, ""},
	{"empty name", "aag 1 1 0 1 0\n2\n3\no0 \n", true, true, ""},
	{"ten header numbers", "aag 1 1 0 1 0 0 0 0 0 0\n2\n3\n", false, false, "more than 9"},
	{"M out of proportion", "aag 2147483647 1 0 1 0\n2\n3\n", false, false, "out of proportion"},
	{"implicit inputs out of proportion", "aig 2147483647 2147483647 0 0 0\n", false, false, "out of proportion"},
	{"more gates than bytes", "aig 99999 1 0 0 99998\n", false, false, "promises"},
	{"more outputs than bytes", "aag 0 0 0 2147483647 0\n", false, false, "promises"},
	{"justice", "aag 1 0 1 0 0 0 0 2\n2 3\n1\n2\n2\n3\n2\n", true, true, ""},
	{"empty justice", "aag 0 0 0 0 0 0 0 1\n0\n", true, true, ""},
	{"more justice than bytes", "aag 0 0 0 0 0 0 0 1\n2147483647\n", false, false, "do not fit"},
	{"leading zero", "aag 1 1 0 1 0\n2\n003\n", true, true, ""},
	{"negative literal", "aag 1 1 0 1 0\n2\n-3\n", false, false, "odd.aag:3: negative number"},
	{"no bad states", "aag 1 0 1 1 0\n2 3\n3\n", true, true, ""},
	{"last newline missing", "aag 1 1 0 1 0\n2\n3", false, true, "last newline"},
	{"inputs in any order, gaps", "aag 9 2 0 1 1\n18\n4\n6\n6 18 5\ni1 second\n", true, true, ""},
	{"odd input", "aag 1 1 0 1 0\n3\n2\n", false, false, "odd.aag:2: an input is defined by the odd literal 3"},
	{"constant input", "aag 1 1 0 1 0\n0\n2\n", false, false, "constant"},
	{"defined twice", "aag 2 1 1 0 0\n2\n2 3\n", false, false, "odd.aag:3: literal 2 is already an input"},
	{"number beyond 32 bits", "aag 4294967296 1 0 1 0\n2\n3\n", false, false, "4294967296"},
	{"number of forty digits", "aag 1 1 0 1 0\n1000000000000000000000000000000000000000\n3\n", false, false, "odd.aag:2"},
	{"reset above M", "aag 1 0 1 1 0\n2 3 5\n3\n", false, false, "odd.aag:2: a reset literal 5"},
	{"cyclic resets", "aag 2 0 2 0 0\n2 2 5\n4 4 2\n", false, false, "cycle of resets"},
	{"cyclic resets through a gate", "aag 4 1 2 0 1\n2\n4 4 6\n6 6 8\n8 4 2\n", false, false, "cycle of resets"},
	{"reset to itself through a gate", "aag 3 1 1 0 1\n2\n4 4 6\n6 4 2\n", false, false, "odd.aag:3: the reset of latch 4"},
	{"reset function", "aag 4 1 2 0 1\n2\n4 4 6\n6 6 8\n8 2 2\n", true, true, ""},
	{"reset function of an uninitialised latch", "aag 2 0 2 0 0\n2 2 2\n4 4 3\n", true, true, ""},
	{"reset to the negation", "aag 1 0 1 1 0\n2 2 3\n3\n", false, false, "odd.aag:2: latch 2 is reset to its own negation"},
	{"reset to 1", "aag 1 0 1 1 0\n2 2 1\n3\n", true, true, ""},
	{"reset to 0", "aag 1 0 1 1 0\n2 2 0\n3\n", true, true, ""},
	{"no reset", "aag 1 0 1 1 0\n2 3 2\n3\n", true, true, ""},
	{"four header numbers", "aag 1 1 0 1\n2\n3\n", false, false, "at least 5"},
	{"names with blanks and brackets", "aag 1 1 0 1 0\n2\n3\ni0 a  b [7]\no0 größe\n", true, true, ""},
	{"symbol without name", "aag 1 1 0 1 0\n2\n3\no0\n", false, false, "odd.aag:4: symbol o0 has no name"},
	{"symbol of nothing", "aag 1 1 0 1 0\n2\n3\no1 x\n", false, false, "odd.aag:4: symbol o1"},
	{"text behind the tables", "aag 1 1 0 1 0\n2\n3\n\xffwhat\n", false, false, "odd.aag:4: neither"},
	{"undefined literal", "aag 3 1 0 1 0\n2\n5\n", false, false, "odd.aag:3: output 5 is undefined"},
	{"undefined operand", "aag 3 1 0 0 1\n2\n6 2 4\n", false, false, "odd.aag:3: operand 4"},
	{"undefined reset", "aag 3 0 1 0 0\n2 3 4\n", false, false, "odd.aag:2: reset 4"},
	{"undefined justice literal", "aag 3 1 0 0 0 0 0 2\n2\n1\n1\n2\n4\n", false, false, "odd.aag:6: justice property 4"},
	{"empty file", "", false, false, "empty"},
	{"mark alone", "\xef\xbb\xbf", false, false, "byte order mark"},
	{"another format", "p cnf 3 2\n", false, false, "no AIGER file"},
	{"bad state without latches", "aag 1 1 0 0 0 1\n2\n3\n", true, true, ""},
	{"carriage returns", "aag 1 1 0 1 0\r\n2\r\n3\r\ni0 x\r\nc\r\nhi\r\n", false, true, "odd.aag:1: carriage return"},
	{"carriage return in a symbol line", "aag 1 1 0 1 0\n2\n3\ni0 x\r\n", false, true, "odd.aag:4: carriage return"},
	{"blank lines at the end", "aag 1 1 0 1 0\n2\n3\n\n\r\n\n", false, true, "odd.aag:4: blank line"},
	{"blank line before symbols", "aag 1 1 0 1 0\n2\n3\n\ni0 x\n", false, false, "odd.aag:4: blank line before"},
	{"blank line in a table", "aag 1 1 0 1 0\n\n2\n3\n", false, false, "odd.aag:2: an input literal is due"},
	{"blank at the end of a line", "aag 1 1 0 1 0\n2 \n3\n", false, false, "odd.aag:2"},
	{"tabulator", "aag 2 1 1 0 0\n2\n4\t2\n", false, false, "odd.aag:3: a blank"},
	{"M too small", "aag 1 1 1 0 0\n2\n4 2\n", false, false, "odd.aag:1: M = 1 is less"},
	{"M too large in binary", "aig 2 1 0 1 0\n2\n", false, false, "odd.aag:1: M = 2 differs"},
	{"binary gate above its operands", "aig 2 1 0 0 1\n\x02\x00", true, true, ""},
	{"binary gate on itself", "aig 2 1 0 0 1\n\x00\x02", false, false, "odd.aag: byte 14: AND gate 0"},
	{"binary operand below zero", "aig 2 1 0 0 1\n\x05\x00", false, false, "differences 5 and 0"},
	{"binary operands reversed", "aig 2 1 0 0 1\n\x02\x03", false, false, "differences 2 and 3"},
	{"binary difference too long", "aig 2 1 0 0 1\n\xff\xff\xff\xff\x7f\x00", false, false, "byte 14: a difference has more than 32 bits"},
	{"binary gates truncated", "aig 2 1 0 0 1\n\x82", false, false, "the file ends within the AND gates"},
	{"binary symbol in the wrong place", "aig 2 1 0 0 1\n\x02\x00i1 x\n", false, false, "odd.aag: byte 18: symbol i1"},
}

func TestOdd(t *testing.T) {
	for _, c := range odd {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(c.text), "odd.aag", Options{})
			checkOdd(t, "strict", err, c.strict)
			if err != nil && (c.want == "" || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("strict: %v\nwant %q in it", err, c.want)
			}
			_, err = Read(strings.NewReader(c.text), "odd.aag", Options{Lenient: true})
			checkOdd(t, "lenient", err, c.lenient)
		})
	}
}

func checkOdd(t *testing.T, mode string, err error, accept bool) {
	t.Helper()
	if (err == nil) != accept {
		t.Errorf("%s: accept is %v, want %v (%v)", mode, err == nil, accept, err)
	}
	if err == nil {
		return
	}
	var refusal *Error
	if !errors.As(err, &refusal) || !place.MatchString(err.Error()) {
		t.Errorf("%s: the refusal has not the form \"file:line: what; cure\": %q", mode, err)
	}
}

// TestOddShared reads the hand-made files of the shared benchmark folder.
func TestOddShared(t *testing.T) {
	dir := shared.Dir(t, "aiger-odd")
	table, err := os.ReadFile(filepath.Join(dir, "expected.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(table)), "\n")[1:]
	if len(rows) < 30 {
		t.Fatalf("%d rows", len(rows))
	}
	for _, row := range rows {
		cell := strings.Split(row, "\t")
		data, err := os.ReadFile(filepath.Join(dir, cell[0]))
		if err != nil {
			t.Fatal(err)
		}
		for i, mode := range []string{"strict", "lenient"} {
			_, err := Read(bytes.NewReader(data), "odd.aag", Options{Lenient: i == 1})
			checkOdd(t, cell[0]+" "+mode, err, cell[1+i] == "accept")
			if err != nil {
				t.Logf("%s %s: %v", cell[0], mode, err)
			}
		}
	}
}
