package main

import (
	"embed"
	"fmt"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"netcov/project"
)

//go:embed essays/*.txt
var essays embed.FS

// newEssays returns the topics of netcov help that are no commands: one for each file, and
// the keys of a project's file.
func newEssays() []*cobra.Command {
	var out []*cobra.Command
	add := func(name, text string) {
		title, _, _ := strings.Cut(text, "\n")
		out = append(out, &cobra.Command{Use: name, Short: title, Long: strings.TrimSpace(text)})
	}
	files, err := essays.ReadDir("essays")
	if err != nil {
		panic(err) // they are in the program
	}
	for _, f := range files {
		text, err := essays.ReadFile(path.Join("essays", f.Name()))
		if err != nil {
			panic(err)
		}
		add(strings.TrimSuffix(f.Name(), ".txt"), string(text))
	}
	add("project", projectEssay())
	return out
}

// projectEssay describes netcov.toml.
func projectEssay() string {
	var b strings.Builder
	b.WriteString(`Projects: netcov.toml

netcov cover and netcov check without FILE run the project of netcov.toml in this folder,
or of --project FILE. netcov init writes one. Each key is a flag of netcov cover, and
flags of the command line replace it. Paths are relative to the folder of the file.

`)
	for _, k := range project.Keys() {
		fmt.Fprintf(&b, "  %-20s %s\n", k.Name, k.Help)
	}
	b.WriteString(`
Lists stand in brackets, such as fault = ["zero", "one"], and parameters in a table, such
as parameter = { DEPTH = 8 }. The table outputs has the forms of the report, and folders:

  [outputs]
  text = "-"                 # - is standard output
  json = "out/netcov.json"
  html = "out/netcov.html"
  evidence = "out/proofs"    # vcd and witness-dir, too
`)
	return b.String()
}
