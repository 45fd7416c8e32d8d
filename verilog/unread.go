// Memories that are written and never read: yosys drops them when it maps
// memories to registers. They get a read port that nothing uses.

package verilog

import (
	"bytes"
	"fmt"
	"os"
	"strings"
)

// keepUnread adds a read port to each memory that has none, in yosys' own text
// format for the module.
func keepUnread(path string, m *module) error {
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
	if ports.Len() == 0 {
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
	text = append(text[:end+1:end+1], append([]byte(ports.String()), text[end+1:]...)...)
	return os.WriteFile(path, text, 0o600)
}
