// The scripts that yosys runs. They come in two parts, so that what the netlist
// cannot express is refused before the costly part.

package verilog

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed read.ys
var readScript string

//go:embed map.ys
var mapScript string

//go:embed bypass.v
var bypassMap string

//go:embed carry.v
var carryMap string

//go:embed formal.v
var formalMap string

// techMaps are the technology maps that the scripts name.
var techMaps = []struct{ name, text string }{{"bypass.v", bypassMap}, {"carry.v", carryMap}, {"formal.v", formalMap}}

// flipFlops selects all cells that store something.
const flipFlops = "t:$dff t:$dffe t:$adff t:$adffe t:$sdff t:$sdffe t:$sdffce t:$aldff t:$aldffe " +
	"t:$dffsr t:$dffsre t:$dlatch t:$adlatch t:$dlatchsr t:$sr t:$ff"

// Script returns the yosys script for the options, as a user could run it in a
// folder with the technology maps, which follow as comments.
func Script(o Options) (string, error) {
	o, err := o.resolved()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	read, err := o.userCommand()
	if err != nil {
		return "", err
	}
	b.WriteString(o.readPart(read, ""))
	b.WriteString("\ndesign -reset\n\n")
	b.WriteString(o.mapPart("", true))
	for _, m := range techMaps {
		comment(&b, m.name, m.text)
	}
	return b.String(), nil
}

func comment(b *strings.Builder, name, text string) {
	b.WriteString("\n# " + name + ":\n")
	for line := range strings.Lines(text) {
		b.WriteString("#   " + line)
	}
}

// userCommand returns a command that reads the sources as they are, for a user who
// runs the script. netcov gives yosys texts without directives instead.
func (o Options) userCommand() (string, error) {
	command := "# netcov replaces macros and `include itself, and gives yosys the texts (read_verilog -nopp).\nread_verilog -sv -formal -nodpi"
	var words []string
	for _, d := range o.Defines {
		words = append(words, "-D"+d)
	}
	for _, d := range o.Include {
		words = append(words, "-I"+d)
	}
	for _, f := range o.Files {
		if strings.ContainsAny(f[:1], "-+~<") {
			f = "./" + f
		}
		words = append(words, f)
	}
	for _, w := range words {
		if strings.ContainsAny(w, "\"\\\n\r*?[") {
			return "", &Error{What: fmt.Sprintf("%q cannot stand in a script of yosys", w), Cure: "rename it"}
		}
		command += " " + quote(w)
	}
	return command, nil
}

// hierarchyCommand returns the command that finds the top module.
func (o Options) hierarchyCommand() string {
	command := "hierarchy -simcheck -auto-top"
	if o.Top != "" {
		command = "hierarchy -simcheck -top " + quote(o.Top)
	}
	for _, p := range o.Params {
		name, value, _ := strings.Cut(p, "=")
		command += " -chparam " + name + " " + value
	}
	return command
}

// readPart returns part 1, which begins with the command that reads the sources. dir
// is put before the names of the files in between.
func (o Options) readPart(read, dir string) string {
	return strings.NewReplacer("@READ@", read, "@HIERARCHY@", o.hierarchyCommand(), "@FORMAL@", strings.Join(o.Formal, "\n"), "@FF@", flipFlops, "@DIR@", dir).Replace(readScript)
}

// mapPart returns part 2, with or without the file pre.json.
func (o Options) mapPart(dir string, pre bool) string {
	write := ""
	if pre {
		write = `write_json "` + dir + `pre.json"`
	}
	drop := "t:$live @live %d t:$fair @fair %d t:$cover"
	if o.Covers {
		drop = "t:$assert t:$live t:$fair"
	}
	one, several, early := "", "", ""
	if o.Multiclock {
		one, several = "# not with several clocks: ", "-D NETCOV_SEVERAL_CLOCKS"
		if o.EarlyAssumes {
			early = "chformal -early t:$assume @toolff"
		}
	}
	return strings.NewReplacer("@FF@", flipFlops, "@DIR@", dir, "@PRE@", write, "@DROP@", drop, "@ONE@", one, "@SEVERAL@", several, "@EARLY@", early).Replace(mapScript)
}

// quote makes one argument of a script of a text without quotes.
func quote(s string) string {
	if strings.ContainsAny(s, " \t;#") {
		return `"` + s + `"`
	}
	return s
}
