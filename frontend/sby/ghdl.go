package sby

import (
	"slices"
	"strings"
)

// ghdl understands the command of yosys' plugin for VHDL: options, files, and -e with the
// top entity. The files go to the VHDL front end, which runs ghdl itself.
func (s *script) ghdl(l line, args []string) error {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "-e" && i+2 == len(args) && len(s.vhdl) > 0:
			s.top = line{args[i+1], l.no}
			return nil
		case a == "-e":
			return s.p.refuse(l, "write ghdl FILES -e ENTITY", "ghdl -e without files before it, or with more than an entity after it")
		case strings.HasPrefix(a, "-g") && strings.Contains(a, "="):
			s.params = append(s.params, a[2:])
		case a == "--std=08" || a == "-fpsl":
		case strings.HasPrefix(a, "-"):
			return s.p.refuse(l, "remove it: VHDL is read as that of 2008, with PSL", "ghdl %s is not supported", a)
		default:
			file := s.folder.file(a)
			if _, within := s.folder.texts[file]; file == "" || within {
				return s.p.refuse(l, "list it in [files]", "there is no file %s in the project's [files]", a)
			}
			s.vhdl = append(s.vhdl, file)
		}
	}
	return s.p.refuse(l, "write ghdl FILES -e ENTITY", "ghdl without -e and the top entity")
}

// loads reports whether the command makes a plugin of yosys known that is not needed here.
func loads(args []string) bool { return slices.Equal(args, []string{"-i", "ghdl"}) }
