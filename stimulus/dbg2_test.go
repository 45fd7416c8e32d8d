package stimulus

import (
	"fmt"
	"netcov/aig"
	"netcov/aiger"
	"netcov/netlist"
	"testing"
)

func show(c *conditions, l aig.Lit, d int) string {
	s := ""
	if l.Neg() {
		s = "!"
	}
	switch c.g.Kind(l.Node()) {
	case aig.KindConst:
		if l == aig.True {
			return "1"
		}
		return "0"
	case aig.KindInput:
		return s + fmt.Sprint("i", c.inputAt[l.Node()])
	case aig.KindLatch:
		i, _ := c.latch(l.Node())
		return s + fmt.Sprint("L", i, "r", c.m.Latches[i].Reset)
	}
	if d == 0 {
		return s + "..."
	}
	a, b := c.g.Fanins(l.Node())
	return s + "(" + show(c, a, d-1) + " " + show(c, b, d-1) + ")"
}
func TestDbg2(t *testing.T) {
	for _, name := range []string{"nusmvguidancep6", "nusmvtcasp2", "nusmvreactorp4", "pdtviseisenberg1"} {
		f, err := aiger.ReadFile("/work/shared/bench/hwmcc08/"+name+".aig", aiger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		n := netlist.FromAIGER(f)
		m := netlist.Compile(n, n.Properties()[0].Bad, nil, 0)
		c := newConditions(m)
		fmt.Println(name, "bad", show(c, c.edge(m.Bad), 4))
		for _, l := range c.needed() {
			fmt.Println("  ", show(c, l, 0), "next", show(c, c.next(l.Node()), 4))
		}
	}
}
