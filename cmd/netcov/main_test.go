package main

import (
	"encoding/csv"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"netcov/coverage/report"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"netcov": command})
}

// command is main; with the environment variable NETCOV_PARANOID, cover and check
// run with --paranoid.
func command() {
	args := os.Args[1:]
	if os.Getenv("NETCOV_PARANOID") != "" && len(args) > 1 && (args[0] == "cover" || args[0] == "check") && !slices.Contains(args, "--solver") {
		args = append(args, "--paranoid")
	}
	os.Exit(run(args, os.Stdin, os.Stdout, os.Stderr))
}

// designs is the folder of the project's own designs.
const designs = "../../benchmarks/designs"

// TestScripts runs the sessions under testdata/script.
func TestScripts(t *testing.T) { scripts(t, testscript.Params{Dir: "testdata/script"}) }

// TestScriptsParanoid runs the sessions about mutation coverage and model
// checking again, with all internal checks on.
func TestScriptsParanoid(t *testing.T) {
	var files []string
	for _, name := range []string{"check", "cover", "journal", "usage"} {
		files = append(files, filepath.Join("testdata/script", name+".txtar"))
	}
	scripts(t, testscript.Params{Files: files}, "NETCOV_PARANOID", "1")
}

// scripts runs sessions with a variable of the environment set.
func scripts(t *testing.T, p testscript.Params, env ...string) {
	root, err := filepath.Abs(designs)
	if err != nil {
		t.Fatal(err)
	}
	p.Setup = func(e *testscript.Env) error {
		e.Setenv("DESIGNS", root)
		if len(env) > 0 {
			e.Setenv(env[0], env[1])
		}
		return nil
	}
	p.RequireExplicitExec = true
	p.Cmds = map[string]func(*testscript.TestScript, bool, []string){"exits": exits}
	testscript.Run(t, p)
}

// exits runs a command and compares its exit code: exits CODE COMMAND ARG...
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if err != nil {
		status := err.Error()
		n, convErr := strconv.Atoi(strings.TrimPrefix(status, "exit status "))
		if convErr != nil {
			ts.Fatalf("%s: %v", args[1], err)
		}
		got = n
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// capture runs the command in this process.
func capture(t *testing.T, args ...string) (code int, out, errOut string) {
	t.Helper()
	var o, e strings.Builder
	code = run(args, strings.NewReader(""), &o, &e)
	return code, o.String(), e.String()
}

// TestDesignsAsExpected compares the verdicts on every design of the repository
// with its table, all internal checks on.
func TestDesignsAsExpected(t *testing.T) {
	tables, err := filepath.Glob(filepath.Join(designs, "*.expected.tsv"))
	if err != nil || len(tables) < 6 {
		t.Fatalf("%d tables, %v", len(tables), err)
	}
	for _, table := range tables {
		design := strings.TrimSuffix(table, ".expected.tsv") + ".aag"
		t.Run(filepath.Base(design), func(t *testing.T) {
			verdicts := func(args ...string) map[string]string {
				code, out, errOut := capture(t, append([]string{"cover", "--format", "json", "--paranoid", design}, args...)...)
				if code != 0 {
					t.Fatalf("exit code %d: %s", code, errOut)
				}
				var r report.Report
				if err := json.Unmarshal([]byte(out), &r); err != nil {
					t.Fatal(err)
				}
				got := map[string]string{}
				for _, m := range r.Mutants {
					got[strconv.Itoa(m.Node.Index)+" "+m.Node.Name+" "+m.Fault] = m.Verdict.String()
				}
				return got
			}
			set := map[string]string{}
			byProperty := map[string][][]string{}
			for _, row := range readTable(t, table) {
				byProperty[row[0]] = append(byProperty[row[0]], row[1:])
				if key := strings.Join(row[1:4], " "); set[key] != "covered" {
					set[key] = row[4]
				}
			}
			for p, rows := range byProperty {
				got := verdicts("--property", p)
				if len(rows) != len(got) {
					t.Errorf("property %s: %d mutants, the table has %d", p, len(got), len(rows))
				}
				for _, row := range rows {
					if key := strings.Join(row[:3], " "); got[key] != row[3] {
						t.Errorf("property %s, %s: got %q, want %q", p, key, got[key], row[3])
					}
				}
			}
			if got := verdicts(); !maps.Equal(got, set) {
				t.Errorf("the set: %v, the table has %v", got, set)
			}
		})
	}
}

func readTable(t *testing.T, path string) [][]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = '\t'
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// TestReportsFitSchema validates JSON reports of all outcomes.
func TestReportsFitSchema(t *testing.T) {
	schema, err := jsonschema.UnmarshalJSON(strings.NewReader(string(report.JSONSchema)))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("netcov/2", schema); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("netcov/2")
	if err != nil {
		t.Fatal(err)
	}
	failing := filepath.Join(t.TempDir(), "failing.aag")
	if err := os.WriteFile(failing, []byte("aag 1 0 1 1 0\n2 3\n2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{filepath.Join(designs, "arbiter.aag")},
		{filepath.Join(designs, "constrained.aag"), "--nodes", "all", "--mux", "next"},
		{filepath.Join(designs, "fifo.aag"), "--budget", "1ms"},
		{filepath.Join(designs, "fifo.aag"), "--timeout", "1us"},
		{filepath.Join(designs, "arbiter.aag"), "--cascade", "dac10", "--engine", "interp", "--stop-at", "50%"},
		{failing},
	} {
		_, out, errOut := capture(t, append([]string{"cover", "--format", "json"}, args...)...)
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
		if err != nil {
			t.Fatalf("%v: %v; %s", args, err, errOut)
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("%v: %v", args, err)
		}
	}
}
