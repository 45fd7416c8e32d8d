package stimulus

import (
	"context"
	"fmt"
	"netcov/aiger"
	"netcov/netlist"
	"testing"
	"time"
)

func TestDbg(t *testing.T) {
	for _, name := range []string{"nusmvguidancep6", "nusmvtcasp2", "nusmvreactorp4", "pdtviseisenberg1", "pdtvissoap2", "bjrb07amba3andenv", "pdtvisns3p05", "pdtvisbakery2"} {
		f, err := aiger.ReadFile("/work/shared/bench/hwmcc08/"+name+".aig", aiger.Options{})
		if err != nil {
			t.Fatal(err)
		}
		n := netlist.FromAIGER(f)
		m := netlist.Compile(n, n.Properties()[0].Bad, nil, 0)

		begin := time.Now()
		ch := New(context.Background(), m)
		fmt.Print(name, " ", ch != nil, " ", time.Since(begin))
		if ch != nil {
			fmt.Print(" ", len(ch.later.ops), " first ", ch.first != nil, " graph ", m.Graph.Size())
		}
		fmt.Println()
	}
}
