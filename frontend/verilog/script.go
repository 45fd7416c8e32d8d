// The scripts that yosys runs. They come in two parts, so that what the netlist
// cannot express is refused before the costly part.

package verilog

import (
	_ "embed"
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
	b.WriteString(o.readPart(o.readCommand(), ""))
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

// readCommand returns the command that reads the sources.
func (o Options) readCommand() string {
	var read strings.Builder
	read.WriteString("read_verilog -sv -formal")
	for _, d := range o.Defines {
		read.WriteString(" " + quote("-D"+d))
	}
	for _, d := range o.Include {
		read.WriteString(" " + quote("-I"+d))
	}
	files := o.read
	if files == nil {
		files = o.Files
	}
	for _, f := range files {
		read.WriteString(" " + quote(f))
	}
	return read.String()
}

// hierarchyCommand returns the command that finds the top module.
func (o Options) hierarchyCommand() string {
	if o.Top != "" {
		return "hierarchy -simcheck -top " + quote(o.Top)
	}
	return "hierarchy -simcheck -auto-top"
}

// readPart returns part 1, which begins with the command that reads the sources. dir
// is put before the names of the files in between.
func (o Options) readPart(read, dir string) string {
	return strings.NewReplacer("@READ@", read, "@HIERARCHY@", o.hierarchyCommand(), "@FF@", flipFlops, "@DIR@", dir).Replace(readScript)
}

// mapPart returns part 2, with or without the file pre.json.
func (o Options) mapPart(dir string, pre bool) string {
	write := ""
	if pre {
		write = `write_json "` + dir + `pre.json"`
	}
	drop := "t:$live @live %d t:$fair t:$cover"
	if o.Covers {
		drop = "t:$assert t:$live t:$fair"
	}
	return strings.NewReplacer("@FF@", flipFlops, "@DIR@", dir, "@PRE@", write, "@DROP@", drop).Replace(mapScript)
}

// quote makes one argument of a script of a text without quotes.
func quote(s string) string {
	if strings.ContainsAny(s, " \t;#") {
		return `"` + s + `"`
	}
	return s
}
