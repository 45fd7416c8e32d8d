package yosysmap

import (
	"strconv"
	"strings"

	"netcov/frontend/design"
)

// ParseSymbol reads an AIGER symbol as a bit of a register: "top.u1.count[3]".
// It knows the form of yosys' own symbol tables: several names with blanks
// between them, "!" before one that is stored inverted.
func ParseSymbol(symbol string) design.Origin {
	var es []entry
	wide := map[string]bool{}
	for _, word := range strings.Fields(symbol) {
		e := entry{name: word}
		if e.name, e.inverted = strings.CutPrefix(word, "!"); e.name == "" {
			continue
		}
		if name, bit, ok := splitIndex(e.name); ok {
			e.name, e.bit = name, bit
			wide[name] = true
		}
		es = append(es, e)
	}
	if len(es) == 0 {
		return design.Origin{Bit: -1}
	}
	return origin(best(es, nil), wide)
}

// splitIndex takes the last index off a name.
func splitIndex(name string) (base string, bit int, ok bool) {
	at := strings.LastIndexByte(name, '[')
	if at <= 0 || !strings.HasSuffix(name, "]") {
		return name, 0, false
	}
	bit, err := strconv.Atoi(name[at+1 : len(name)-1])
	return name[:at], bit, err == nil && bit >= 0
}
