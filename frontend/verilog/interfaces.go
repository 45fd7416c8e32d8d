// Interfaces with yosys' own parser: the signals of an instance are nets of the module
// that has it, and the instance itself has nets of its own, to which nothing connects
// these. Logic and properties within an interface read the wrong ones.

package verilog

// refuseInterfaces refuses interfaces that have more than signals.
func refuseInterfaces(modules map[string]*module) error {
	for _, name := range sortedKeys(modules) {
		m := modules[name]
		if m.Attributes["is_interface"] == "" {
			continue
		}
		for _, c := range sortedKeys(m.Cells) {
			if at := placeOf(m.Cells[c].Attributes); at.line > 0 {
				return refuse(at, "read it by a yosys with slang", "interface %s has logic or properties of its own, which yosys' own parser does not connect", moduleName(name, m))
			}
		}
	}
	return nil
}
