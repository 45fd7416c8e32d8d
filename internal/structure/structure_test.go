// Package structure holds the tests of how the packages stand to each other, and the
// documentation to the commands.
package structure

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// floors are the folders of the program, the lowest first. A folder imports itself and
// lower floors only.
var floors = []string{
	"aig sat mutant internal",
	"aiger cert proof",
	"netlist liveness",
	"frontend ic3 interp scorr stimulus",
	"certify explore lasso propset",
	"coverage kripke",
	"farm project",
	"cmd benchmarks",
}

// forbidden are imports of lower floors that would tie together what has nothing to do
// with each other: from, to.
var forbidden = map[string]string{
	"farm":     "kripke",
	"frontend": "ic3 interp scorr stimulus",
}

// room is the folder that a package belongs to.
func room(pkg string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(pkg, "netcov/"), "/")
	return first
}

// TestImportsGoDownwards: commands stand on coverage and kripke, these on engines and
// front ends, and all on values.
func TestImportsGoDownwards(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "netcov/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	floor := map[string]int{}
	for i, rooms := range floors {
		for _, r := range strings.Fields(rooms) {
			floor[r] = i
		}
	}
	seen := 0
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		from := room(words[0])
		if _, known := floor[from]; !known {
			t.Errorf("%s stands on no floor", from)
		}
		for _, to := range words[1:] {
			if !strings.HasPrefix(to, "netcov/") || room(to) == from {
				continue
			}
			seen++
			if floor[room(to)] >= floor[from] || slices.Contains(strings.Fields(forbidden[from]), room(to)) {
				t.Errorf("%s imports %s", words[0], to)
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d imports are seen", seen)
	}
}

var flag = regexp.MustCompile(`(^|[^-\w])--[a-z][a-z-]+`)

// argument is a text that is nothing but a flag: one that another program is given.
var argument = regexp.MustCompile(`^"--[a-z-]+(=[^ ]*)?"$`)

// TestLibrariesNameNoFlags: what a flag is called only the command knows.
func TestLibrariesNameNoFlags(t *testing.T) {
	root := "../.."
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		if d.IsDir() {
			if rel == "cmd" || rel == "benchmarks" || strings.HasPrefix(d.Name(), ".") && rel != "." {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		set := token.NewFileSet()
		f, err := parser.ParseFile(set, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING && flag.MatchString(l.Value) && !argument.MatchString(l.Value) {
				t.Errorf("%v: the text %s names a flag", set.Position(l.Pos()), l.Value)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
