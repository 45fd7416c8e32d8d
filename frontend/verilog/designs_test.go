package verilog

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
)

// The project's own designs: what their source has, counted by hand.
var ownDesigns = []struct {
	file, define     string
	registers        string // name:bits, in the order of the source
	asserts, assumes int
}{
	{"fifo.v", "WEAK", "fifo.store[0]:4 fifo.store[1]:4 fifo.store[2]:4 fifo.store[3]:4 fifo.head:3 fifo.tail:3 fifo.count:3", 1, 0},
	{"fifo.v", "STRONG", "fifo.store[0]:4 fifo.store[1]:4 fifo.store[2]:4 fifo.store[3]:4 fifo.head:3 fifo.tail:3 fifo.count:3 fifo.following:1 fifo.place:3 fifo.word:4", 6, 0},
	{"arbiter.v", "WEAK", "arbiter.grant:4 arbiter.last:2", 1, 0},
	{"arbiter.v", "STRONG", "arbiter.grant:4 arbiter.last:2 arbiter.started:1", 9, 0},
	{"uart_tx.v", "WEAK", "uart_tx.line:1 uart_tx.divider:2 uart_tx.left:4 uart_tx.shift:9", 1, 0},
	{"uart_tx.v", "STRONG", "uart_tx.line:1 uart_tx.divider:2 uart_tx.left:4 uart_tx.shift:9 uart_tx.byte_sent:8 uart_tx.started:1", 11, 0},
	{"fsm.v", "WEAK", "fsm.state:2 fsm.timer:3", 1, 0},
	{"fsm.v", "STRONG", "fsm.state:2 fsm.timer:3 fsm.started:1", 12, 0},
	{"ram.v", "WEAK", "ram.dout:4 ram.hit:1 ram.words[0]:4 ram.words[1]:4 ram.words[2]:4 ram.words[3]:4 ram.valid:4", 1, 1},
	{"ram.v", "STRONG", "ram.dout:4 ram.hit:1 ram.words[0]:4 ram.words[1]:4 ram.words[2]:4 ram.words[3]:4 ram.valid:4 ram.seen:1 ram.content:4 ram.started:1", 7, 1},
	{"pair.v", "WEAK", "pair.receiver.count:2 pair.sender.count:3", 1, 0},
	{"pair.v", "STRONG", "pair.started:1 pair.receiver.count:2 pair.receiver.seen_reset:1 pair.sender.count:3 pair.sender.seen_reset:1", 7, 0},
	{"fifo.v", "STRONG CONCURRENT", "fifo.store[0]:4 fifo.store[1]:4 fifo.store[2]:4 fifo.store[3]:4 fifo.head:3 fifo.tail:3 fifo.count:3 fifo.following:1 fifo.place:3 fifo.word:4", 6, 0},
	{"arbiter.v", "STRONG CONCURRENT", "arbiter.grant:4 arbiter.last:2", 9, 0},
	{"uart_tx.v", "STRONG CONCURRENT", "uart_tx.line:1 uart_tx.divider:2 uart_tx.left:4 uart_tx.shift:9 uart_tx.byte_sent:8", 11, 0},
	{"fsm.v", "STRONG CONCURRENT", "fsm.state:2 fsm.timer:3", 12, 0},
	{"ram.v", "STRONG CONCURRENT", "ram.dout:4 ram.hit:1 ram.words[0]:4 ram.words[1]:4 ram.words[2]:4 ram.words[3]:4 ram.valid:4 ram.seen:1 ram.content:4", 7, 1},
	{"pair.v", "STRONG CONCURRENT", "pair.receiver.count:2 pair.sender.count:3", 7, 0},
}

func TestOwnDesigns(t *testing.T) {
	for _, c := range ownDesigns {
		t.Run(c.file+"/"+c.define, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && c.define == "WEAK" {
				t.Skip("one set of assertions is enough")
			}
			b := mustLoad(t, Options{Files: []string{designs + c.file}, Defines: strings.Fields(c.define)})
			var groups []string
			bits := map[string]int{}
			for _, o := range b.d.Latches {
				if o.Artefact {
					continue
				}
				if bits[o.Register] == 0 {
					groups = append(groups, o.Register)
				}
				bits[o.Register]++
			}
			for i, g := range groups {
				groups[i] = fmt.Sprintf("%s:%d", g, bits[g])
			}
			if got := strings.Join(groups, " "); got != c.registers {
				t.Errorf("registers\n got %s\nwant %s", got, c.registers)
			}
			if len(b.n.Bads) != c.asserts || len(b.n.Constraints) != c.assumes {
				t.Errorf("%d asserts and %d assumes, want %d and %d", len(b.n.Bads), len(b.n.Constraints), c.asserts, c.assumes)
			}
			checkPlaces(t, b)
			neverBad(t, b)
		})
	}
}

// checkPlaces reads the lines that origins speak of: a register's line declares
// it, an assert's line has the word assert and its label.
func checkPlaces(t *testing.T, b *builder) {
	t.Helper()
	lines := map[string][]string{}
	line := func(file string, at int) string {
		if lines[file] == nil {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			lines[file] = strings.Split(string(text), "\n")
		}
		if at < 1 || at > len(lines[file]) {
			return ""
		}
		return lines[file][at-1]
	}
	index := regexp.MustCompile(`\[\d+\]$`)
	for _, o := range b.d.Latches {
		if o.Artefact {
			continue
		}
		name := index.ReplaceAllString(o.Register[strings.LastIndexByte(o.Register, '.')+1:], "")
		if text := line(o.File, o.Line); !strings.Contains(text, "reg") || !strings.Contains(text, name) {
			t.Errorf("register %s is said to be declared at %s:%d: %q", o.Register, o.File, o.Line, text)
		}
		if !strings.HasPrefix(o.Register, o.Instance+".") {
			t.Errorf("register %s in instance %s", o.Register, o.Instance)
		}
	}
	for i, o := range b.d.Properties {
		text := line(o.File, o.Line)
		if !strings.Contains(text, "assert") {
			t.Errorf("assert %s is said to be at %s:%d: %q", b.n.Bads[i].Name, o.File, o.Line, text)
		}
		if label := o.Register[strings.LastIndexByte(o.Register, '.')+1:]; !strings.Contains(o.Register, "assert:") && !strings.Contains(text, label+":") {
			t.Errorf("assert %s is said to be at %s:%d: %q", b.n.Bads[i].Name, o.File, o.Line, text)
		}
	}
	for i, o := range b.d.Gates {
		if o.Line > 0 && line(o.File, o.Line) == "" {
			t.Errorf("gate %d is said to be at %s:%d", i, o.File, o.Line)
		}
	}
}

// neverBad runs a design whose assertions hold.
func neverBad(t *testing.T, b *builder) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for range 60 {
		s := start(b.n, func() bool { return r.IntN(2) == 0 })
		weight := 1 + r.IntN(6)
		for range 50 {
			inputs := make([]bool, len(b.n.Inputs))
			for i := range inputs {
				inputs[i] = r.IntN(2) == 0
				if strings.HasSuffix(b.n.Inputs[i].Name, ".rst") {
					inputs[i] = r.IntN(10*weight) == 0
				}
			}
			s.eval(inputs)
			for _, c := range b.n.Constraints {
				if !s.value(c.Lit) { // rst_n in the first step
					inputs[inputNamed(t, b.n, b.h.full("rst_n"))] = false
					s.eval(inputs)
				}
			}
			for _, bad := range b.n.Bads {
				if s.value(bad.Lit) {
					t.Fatalf("%s fails", bad.Name)
				}
			}
			s.step()
		}
	}
}

// TestPairOrigins spells out one design's origins.
func TestPairOrigins(t *testing.T) {
	b := mustLoad(t, Options{Files: []string{designs + "pair.v"}, Defines: []string{"STRONG"}})
	var got []string
	for i, o := range b.d.Latches {
		if !o.Artefact {
			got = append(got, fmt.Sprintf("%s %d %s %s", b.n.Latches[i].Name, o.Bit, o.Instance, o.Module))
		}
	}
	want := []string{
		"pair.started -1 pair pair",
		"pair.receiver.count[0] 0 pair.receiver credit",
		"pair.receiver.count[1] 1 pair.receiver credit",
		"pair.receiver.seen_reset -1 pair.receiver credit",
		"pair.sender.count[0] 0 pair.sender credit",
		"pair.sender.count[1] 1 pair.sender credit",
		"pair.sender.count[2] 2 pair.sender credit",
		"pair.sender.seen_reset -1 pair.sender credit",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("latches\n%s", strings.Join(got, "\n"))
	}
	got = nil
	for i, p := range b.n.Properties() {
		got = append(got, p.Name+" "+b.d.Properties[i].Instance)
	}
	want = []string{
		"pair.range pair", "pair.sum pair", "pair.taken pair", "pair.given pair", "pair.same pair",
		"pair.receiver.restarted pair.receiver", "pair.sender.restarted pair.sender",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("properties\n%s", strings.Join(got, "\n"))
	}
}
