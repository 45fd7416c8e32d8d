package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"netcov/coverage/report"
	"netcov/internal/visible"
	"netcov/project"
)

const projectHelp = `

Without FILE, the project of netcov.toml in this folder runs (see netcov init). Flags of
the command line replace its settings.`

// runsProject makes a command without arguments run a project, whose file it puts into
// ran then.
func runsProject(c *cobra.Command, ran *string) {
	var file string
	c.Flags().StringVar(&file, "project", project.File, "file of the project that runs where no FILE is named")
	check, run := c.Args, c.RunE
	asked := func(args []string) bool {
		if len(args) > 0 {
			return false
		}
		_, err := os.Stat(file)
		return err == nil || c.Flags().Changed("project")
	}
	c.Args = func(c *cobra.Command, args []string) error {
		switch {
		case len(args) > 0 && c.Flags().Changed("project"):
			return errors.New("--project goes without FILE")
		case asked(args):
			return nil
		}
		return check(c, args)
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		if asked(args) && !c.Flags().Changed("file-list") && !c.Flags().Changed("show-script") {
			var set []string
			var err error
			if args, set, err = applyProject(c.Flags(), file); err != nil {
				return err
			}
			*ran = file
			return inProject(run(c, args), file, set)
		}
		return run(c, args)
	}
}

// inProject names the project's file in an error of usage about a flag that it has set.
func inProject(err error, file string, set []string) error {
	var e *exitError
	if !errors.As(err, &e) || e.code != exitUsage {
		return err
	}
	flag, _, _ := strings.Cut(strings.TrimPrefix(e.msg, "--"), " ")
	if !strings.HasPrefix(e.msg, "--") || !slices.Contains(set, flag) {
		return err
	}
	return usagef("%s: %s", file, e.msg)
}

// applyProject sets the flags that are not given as a project says, and returns its
// files and the names of these flags.
func applyProject(flags *pflag.FlagSet, file string) (design, set []string, err error) {
	var forms []string
	for _, f := range report.Formats() {
		forms = append(forms, f.Name)
	}
	p, err := project.Read(file, forms)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range p.Settings {
		flag := flags.Lookup(s.Flag)
		// The forms of a report are none of the answers of check.
		if flag == nil || flag.Changed || s.Flag == "format" && flag.Value.Type() != "stringArray" {
			continue
		}
		for _, v := range s.Values {
			if err := flags.Set(s.Flag, v); err != nil {
				return nil, nil, fmt.Errorf("%s: %s: %w", file, s.Flag, err)
			}
		}
		set = append(set, s.Flag)
	}
	return p.Design, set, nil
}

func newInitCommand() *cobra.Command {
	var top string
	var force bool
	c := &cobra.Command{
		Use:   "init [FILE...]",
		Short: "Write netcov.toml, so that netcov cover alone runs the project",
		Long: `Writes netcov.toml in this folder. Without FILE, the design is the SymbiYosys project
(.sby) that is here, or else the SystemVerilog and Verilog files that are here. A
SymbiYosys project may be followed by the name of its task.`,
		RunE: func(c *cobra.Command, args []string) error {
			if _, err := os.Lstat(project.File); err == nil && !force {
				return fmt.Errorf("%s is there already; --force writes it anew", project.File)
			}
			design := args
			if len(design) == 0 {
				var err error
				if design, err = project.Find("."); err != nil {
					return err
				}
			}
			if i := slices.IndexFunc(design, func(p string) bool { _, err := os.Stat(p); return err != nil }); i >= 0 && (i != 1 || !strings.HasSuffix(design[0], ".sby")) {
				return fmt.Errorf("there is no file %s", design[i])
			}
			if err := project.Write(project.File, design, top); err != nil {
				return err
			}
			_, err := fmt.Fprintf(c.OutOrStdout(), "%s: the design is %s; next: netcov cover\n", project.File, visible.Line(strings.Join(design, " ")))
			return err
		},
	}
	c.Flags().StringVar(&top, "top", "", "Verilog: top module (default: found)")
	c.Flags().BoolVar(&force, "force", false, "overwrite a netcov.toml that is there (default false)")
	return c
}
