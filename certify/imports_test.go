package certify_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The second opinion depends on no engine, and on nothing that an engine is made
// of: it reads the AIGER file and judges values.
func TestImportsNoEngine(t *testing.T) {
	values := []string{"netcov/aiger", "netcov/aiger/sim", "netcov/aig", "netcov/cert", "netcov/mutant"}
	if extra := without(deps(t, "netcov/certify"), append(values, "netcov/certify")); len(extra) > 0 {
		t.Errorf("the second opinion imports %v", extra)
	}
	// Evidence has the names of a source beside it, and so the type of a netlist.
	names := []string{"netcov/certify", "netcov/certify/evidence", "netcov/frontend/yosysmap", "netcov/frontend/design", "netcov/netlist", "netcov/sat"}
	if extra := without(deps(t, "netcov/certify/evidence"), append(values, names...)); len(extra) > 0 {
		t.Errorf("evidence imports %v", extra)
	}
}

// deps lists the project's packages that one depends on, helpers left out.
func deps(t *testing.T, pkg string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", pkg).Output()
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, p := range strings.Fields(string(out)) {
		if strings.HasPrefix(p, "netcov/") && !strings.HasPrefix(p, "netcov/internal/") {
			list = append(list, p)
		}
	}
	if !slices.Contains(list, pkg) {
		t.Fatalf("%s is not among %v", pkg, list)
	}
	return list
}

func without(list, allowed []string) []string {
	return slices.DeleteFunc(list, func(p string) bool { return slices.Contains(allowed, p) })
}
