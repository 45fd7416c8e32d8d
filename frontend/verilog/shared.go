// Variables that several blocks share, such as an integer that counts the loops of
// all of them. For yosys each block drives the variable, so that it has several
// drivers. Where nothing but the blocks mentions it, each block gets a variable of
// its own; a block that then reads what it has not set itself is refused. Only
// signed words of 32 bits are taken for such variables: a register of another kind
// that two blocks assign is a mistake in the design.

package verilog

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
)

// sharedPrefix starts the names of such variables.
const sharedPrefix = "$netcov$shared$"

// separateShared reads the sources again with the shared variables separated, where
// a register has several drivers. It returns the names of these variables.
func (r *run) separateShared(ctx context.Context, p *part1) ([]string, error) {
	if r.slang != withoutSlang || !severalDrivers(p.flat) {
		return nil, nil
	}
	warnings := r.warnings // the second reading gives no others
	raw := r.path("raw.il")
	text := r.src.readCommand() + "\n" + r.opt.hierarchyCommand() + "\nwrite_rtlil \"" + raw + "\"\n"
	if err := r.script(ctx, "raw.ys", text); err != nil {
		return nil, err
	}
	names, err := separate(raw)
	if err != nil || len(names) == 0 {
		r.warnings = warnings
		return nil, err
	}
	*p, err = r.read(ctx, "read_rtlil \""+raw+"\"")
	r.warnings = warnings
	if err != nil {
		return nil, err
	}
	return names, sharedRead(p.flat)
}

// severalDrivers reports whether a register's net has another driver or is tied to
// a constant.
func severalDrivers(m *module) bool {
	seen := map[bit]bool{}
	flops := map[bit]bool{}
	for _, c := range m.Cells {
		for _, p := range c.pins {
			if !p.output {
				continue
			}
			for _, b := range p.nets {
				flop := isFlipFlop(c.Type)
				if flop && b < 0 || seen[b] && (flop || flops[b]) {
					return true
				}
				seen[b] = true
				flops[b] = flops[b] || flop
			}
		}
	}
	return false
}

// separate gives each block its own copy of the variables that it shares with other
// blocks only, in yosys' text of modules before proc. It returns their names.
func separate(path string) ([]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lines := strings.SplitAfter(string(text), "\n")
	var names []string
	for first := 0; first < len(lines); first++ {
		if !strings.HasPrefix(lines[first], "module ") {
			continue
		}
		last := first
		for last < len(lines)-1 && lines[last] != "end\n" {
			last++
		}
		names = append(names, separateModule(lines[first:last])...)
		first = last
	}
	return names, os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600)
}

// separateModule does it for the lines of a module, in place.
func separateModule(lines []string) []string {
	declared := map[string]int{}         // wire → its line
	blocks := map[string]map[int][]int{} // wire → block → lines that mention it
	read := map[string]bool{}            // wires that something else reads
	runs := map[string]map[int]bool{}    // wire → blocks that assign it after the beginning
	block, inside, initial := 0, false, false
	for i, line := range lines {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "attribute" {
			continue
		}
		switch {
		case strings.HasPrefix(line, "  wire "):
			declared[words[len(words)-1]] = i
			continue
		case strings.HasPrefix(line, "  process "):
			block++
			inside = true
			continue
		case inside && line == "  end\n":
			inside = false
			continue
		case inside && words[0] == "sync":
			initial = words[1] == "init"
		}
		for k, w := range words[1:] {
			w = strings.Trim(w, "{}")
			if !strings.HasPrefix(w, `\`) {
				continue
			}
			updated := words[0] == "update" && k == 0
			kept := words[0] == "assign" && len(words) == 3 && k == 1 && strings.HasPrefix(strings.TrimLeft(words[1][1:], "0123456789"), w+"[")
			if !inside || !updated && !kept {
				read[w] = true
				continue
			}
			if blocks[w] == nil {
				blocks[w], runs[w] = map[int][]int{}, map[int]bool{}
			}
			blocks[w][block] = append(blocks[w][block], i)
			if updated && !initial {
				runs[w][block] = true
			}
		}
	}
	var names []string
	for _, name := range sortedKeys(blocks) {
		at, ok := declared[name]
		if !ok || read[name] || len(runs[name]) < 2 || !strings.HasPrefix(lines[at], "  wire width 32 signed "+name) {
			continue
		}
		names = append(names, strings.TrimPrefix(name, `\`))
		wire := lines[at]
		for _, b := range slices.Sorted(maps.Keys(blocks[name])) {
			own := fmt.Sprintf("%s%d%s", sharedPrefix, b, strings.ReplaceAll(name, `\`, "$"))
			lines[at] += strings.TrimSuffix(wire, name+"\n") + own + "\n"
			for _, i := range blocks[name][b] {
				words := strings.Split(strings.TrimSuffix(lines[i], "\n"), " ")
				for k, w := range words {
					if w == name {
						words[k] = own
					}
				}
				lines[i] = strings.Join(words, " ") + "\n"
			}
		}
	}
	return names
}

// sharedRead refuses a variable that was separated and that a block reads before it
// sets it.
func sharedRead(m *module) error {
	private := map[bit]string{}
	for name, n := range m.Netnames {
		if at := strings.Index(name, sharedPrefix); at >= 0 {
			for _, b := range n.Bits {
				private[b] = name[strings.LastIndexByte(name, '$')+1:]
			}
		}
	}
	isPrivate := map[*cell]bool{}
	for _, c := range m.Cells {
		if isFlipFlop(c.Type) && slices.ContainsFunc(c.pin("Q"), func(b bit) bool { return private[b] != "" }) {
			isPrivate[c] = true
		}
	}
	if len(isPrivate) == 0 {
		return nil
	}
	read := readFromRoots(m, isPrivate)
	for _, name := range sortedKeys(m.Cells) {
		if c := m.Cells[name]; isPrivate[c] {
			for _, b := range c.pin("Q") {
				if read[b] {
					return refuse(placeOf(c.Attributes), "give each block a variable of its own",
						"two drivers of %s: several blocks assign it, and one reads it before it sets it", private[b])
				}
			}
		}
	}
	return nil
}
