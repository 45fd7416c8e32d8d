// Memories that are initialised twice: every yosys runs $readmemh and $readmemb
// before the assignments of initial blocks, wherever they stand, so that a loop that
// clears a memory first wins over the file that should fill it.

package verilog

import (
	"fmt"
	"regexp"
	"strings"
)

// initialisedTwice returns a note for each such memory.
func initialisedTwice(m *module, h *hierarchy) []string {
	words := map[string]int{} // memory → cells that initialise it
	first := map[string]place{}
	for _, name := range m.cellsOf(func(kind string) bool { return kind == "$meminit" || kind == "$meminit_v2" }) {
		c := m.Cells[name]
		memory := memoryName(c)
		words[memory]++
		if p := placeOf(c.Attributes); p.line > 0 && (first[memory].line == 0 || p.line < first[memory].line) {
			first[memory] = p
		}
	}
	var notes []string
	for _, memory := range sortedKeys(words) {
		assigned := first[memory]
		if words[memory] < 2 || assigned.line == 0 {
			continue
		}
		if line := readMemoryLine(strings.Join(h.source(assigned.file), "\n"), memory[strings.LastIndexByte(memory, '.')+1:]); line > assigned.line {
			notes = append(notes, fmt.Sprintf("memory %s: the assignments at %s:%d win over the file that is read at line %d, since yosys reads it first; assign only the words that the file does not give",
				h.full(memory), assigned.file, assigned.line, line))
		}
	}
	return notes
}

// readMemoryLine returns the line of the last task that reads a file into the memory,
// 0 where there is none.
func readMemoryLine(text, memory string) int {
	task := regexp.MustCompile(`\$readmem[hb]\s*\([^;]*[,\s]` + regexp.QuoteMeta(memory) + `\s*[,)]`)
	at := 0
	for _, found := range task.FindAllStringIndex(text, -1) {
		at = 1 + strings.Count(text[:found[0]], "\n")
	}
	return at
}
