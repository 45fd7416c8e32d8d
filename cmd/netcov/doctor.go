package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"netcov/aiger/abc"
	"netcov/coverage/report"
	"netcov/frontend/verilog"
	"netcov/internal/visible"
)

func newDoctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Say which other programs netcov finds, their versions, and what they are for",
		Long: `Looks for the programs that netcov runs and those that its tests compare it
with, and says what each is for, its version, and how to install what is missing.
AIGER, SMV and BTOR2 need no other program.`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(c.Context(), doctorTime)
			defer cancel()
			_, err := io.WriteString(c.OutOrStdout(), visible.Text(diagnosis(ctx)))
			return err
		},
	}
}

// doctorTime is how long all programs together may take to tell their versions.
const doctorTime = 30 * time.Second

// tool is a program beside yosys.
type tool struct {
	names   []string
	version []string // arguments that make it tell its version
	use     string
	debian  string // package
}

var tools = []tool{
	{[]string{"ghdl"}, []string{"--version"}, "reads VHDL, beside yosys", "ghdl"},
	{[]string{"dot"}, []string{"-V"}, "draws state graphs as SVG (--dot)", "graphviz"},
	{[]string{"iverilog"}, []string{"-V"}, "tests: simulates Verilog", "iverilog"},
	{abc.Names, []string{"-q", "version"}, "tests, fuzzer: model checks AIGER files", "berkeley-abc"},
	{[]string{"minisat"}, nil, "tests: solves SAT problems", "minisat"},
	{[]string{"spin"}, []string{"-V"}, "tests: translates LTL", "spin"},
}

var versionNumber = regexp.MustCompile(`\d+\.\d+(\.\d+)*`)

// diagnosis is the answer of the command.
func diagnosis(ctx context.Context) string {
	t := report.NewTable("program", "version", "found", "used for")
	var missing []string
	found := verilog.Programs(ctx)
	var notes []string
	slang, works := false, false
	for i, p := range found {
		version, where, use := p.Version, fmt.Sprintf("%s (%s)", p.Path, p.Source), "an alternative: --yosys"
		if p.Problem != "" {
			version, use = "-", "does not run: "+p.Problem
		} else if !p.Tested {
			oldest, newest := verilog.TestedVersions()
			notes = append(notes, fmt.Sprintf("yosys %s is outside of the versions that netcov is tested with, %s to %s", p.Version, oldest, newest))
		}
		if i == 0 && p.Problem == "" {
			use = "reads Verilog"
		}
		works = works || p.Problem == ""
		if p.Slang {
			slang = true
			version += ", with slang"
		}
		t.AppendRow(table.Row{"yosys", version, where, use})
	}
	if len(found) == 0 {
		t.AppendRow(table.Row{"yosys", "-", "not found", "reads Verilog"})
	}
	if !works {
		missing = append(missing, "yosys")
	}
	for _, tool := range tools {
		path := lookUp(tool.names)
		if path == "" {
			t.AppendRow(table.Row{tool.names[0], "-", "not found", tool.use})
			missing = append(missing, tool.debian)
			continue
		}
		t.AppendRow(table.Row{tool.names[0], toolVersion(ctx, path, tool.version), path, tool.use})
	}
	var b strings.Builder
	b.WriteString(t.Render() + "\n")
	for _, n := range notes {
		b.WriteString("note: " + n + "\n")
	}
	switch {
	case len(missing) > 0:
		fmt.Fprintf(&b, "install what is missing: make tools (in the folder of netcov's sources), or apt-get install %s\n", strings.Join(missing, " "))
	case !slang:
		b.WriteString("no yosys with slang is there, which reads all of SystemVerilog: make tools (in the folder of netcov's sources) installs one\n")
	default:
		b.WriteString("nothing is missing\n")
	}
	return b.String()
}

func lookUp(names []string) string {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// toolVersion returns the first number with a point of what a program says, or a
// minus.
func toolVersion(ctx context.Context, path string, args []string) string {
	if args == nil {
		return "-"
	}
	said, _ := exec.CommandContext(ctx, path, args...).CombinedOutput() // some end with a failure
	if v := versionNumber.Find(said); v != nil {
		return string(v)
	}
	return "-"
}
