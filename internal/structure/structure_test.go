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
	"strings"
	"testing"
)

// room is the part of the program that a package belongs to.
func room(pkg string) string {
	path := strings.TrimPrefix(pkg, "netcov/")
	switch path {
	case "kripke/structure", "kripke/hoa", "kripke/formula", "kripke/automaton", "kripke/bdd":
		return "value" // forms of structures, formulas and sets, which other rooms know, too
	}
	first, _, _ := strings.Cut(path, "/")
	return first
}

// forbidden are the imports that would go upwards, or across: from, to.
var forbidden = map[string]string{
	"farm":     "cmd benchmarks kripke",
	"coverage": "cmd benchmarks kripke farm",
	"kripke":   "cmd benchmarks coverage certify farm",
	"frontend": "cmd benchmarks farm coverage certify kripke ic3 interp propset liveness",
	"value":    "cmd benchmarks farm coverage certify kripke ic3 interp proof propset liveness frontend",
	"":         "cmd benchmarks farm coverage kripke frontend", // engines and values
}

// TestImportsGoDownwards: commands stand on coverage and kripke, these on engines
// and front ends, and all on values.
func TestImportsGoDownwards(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "netcov/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		from := room(words[0])
		if from == "cmd" || from == "benchmarks" || from == "internal" {
			continue
		}
		if words[0] == "netcov/certify/evidence" { // reads names as front ends do: certify has a test of its own
			continue
		}
		banned, known := forbidden[from]
		if !known {
			banned = forbidden[""]
		}
		for _, to := range words[1:] {
			if !strings.HasPrefix(to, "netcov/") {
				continue
			}
			seen++
			if strings.Contains(" "+banned+" ", " "+room(to)+" ") {
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
