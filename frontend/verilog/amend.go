// What this package adds to the module between yosys' two parts, in yosys' own text
// format: which trigger of a property is the clock, which variables are no state,
// and a read port for each memory that is written and never read, as yosys drops
// these when it maps memories to registers.

package verilog

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// amend rewrites the file, if there is something to add.
func amend(path string, m *module, inv *inventory) error {
	ports := unreadPorts(m)
	if ports == "" && len(inv.triggered)+len(inv.temporary) == 0 {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	end := bytes.LastIndex(text, []byte("\nend\n"))
	if end < 0 {
		return fmt.Errorf("yosys wrote a netlist without an end")
	}
	var out bytes.Buffer
	markClock := inv.clockMarker()
	for line := range bytes.Lines(text[:end+1]) {
		out.WriteString(markClock(inv.markTemporary(string(line))))
	}
	out.WriteString(ports)
	out.Write(text[end+1:])
	return os.WriteFile(path, out.Bytes(), 0o600)
}

// unreadPorts returns a read port for each memory that has none.
func unreadPorts(m *module) string {
	read := map[string]bool{}
	for _, c := range m.Cells {
		if c.Type == "$memrd" || c.Type == "$memrd_v2" {
			read[memoryName(c)] = true
		}
	}
	var ports strings.Builder
	for i, name := range sortedKeys(m.Memories) {
		if read[name] {
			continue
		}
		mem := m.Memories[name]
		wire := fmt.Sprintf("$netcov$unread$%d", i)
		fmt.Fprintf(&ports, "  wire width %d %s\n", mem.Width, wire)
		fmt.Fprintf(&ports, "  cell $memrd $netcov$read$%d\n", i)
		fmt.Fprintf(&ports, "    parameter \\MEMID \"\\\\%s\"\n", name)
		fmt.Fprintf(&ports, "    parameter \\ABITS 32\n    parameter \\WIDTH %d\n", mem.Width)
		ports.WriteString("    parameter \\CLK_ENABLE 0\n    parameter \\CLK_POLARITY 0\n    parameter \\TRANSPARENT 0\n")
		fmt.Fprintf(&ports, "    connect \\CLK 1'x\n    connect \\EN 1'x\n    connect \\ADDR 32'%032b\n    connect \\DATA %s\n  end\n", mem.Offset, wire)
	}
	return ports.String()
}
