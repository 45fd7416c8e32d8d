package structure

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Class is how a drawing shows a state.
type Class uint8

// The classes: states of which nothing is said, covered, uncovered and
// unreachable ones.
const (
	Plain Class = iota
	Covered
	Uncovered
	Unreachable
)

// Fill colours that stay apart in grey print and for the colour-blind.
var classStyle = [...]string{
	Plain:       `fillcolor="white"`,
	Covered:     `fillcolor="#9fd3a8"`,
	Uncovered:   `fillcolor="#f4b183", penwidth=2`,
	Unreachable: `fillcolor="#e8e8e8", fontcolor="#808080", color="#808080", style="filled,dashed"`,
}

var className = [...]string{Plain: "", Covered: "covered", Uncovered: "uncovered", Unreachable: "unreachable"}

// WriteDot draws the structure as a Graphviz graph: each state with its name
// and label, coloured by its class, and a legend of the classes that occur.
// A nil class draws every state plainly. The title may be empty.
func (k *Structure) WriteDot(w io.Writer, title string, class func(state int) Class) error {
	if class == nil {
		class = func(int) Class { return Plain }
	}
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "digraph structure {")
	fmt.Fprintln(b, "  rankdir=LR;")
	fmt.Fprintln(b, `  node [shape=box, style="filled,rounded", fontname="Helvetica", fontsize=10];`)
	if title != "" {
		fmt.Fprintf(b, "  label=%s; labelloc=t; fontname=\"Helvetica\";\n", dotQuote(title))
	}
	var used [len(classStyle)]bool
	for s := range k.Len() {
		c := class(s)
		used[c] = true
		fmt.Fprintf(b, "  n%d [label=%s, %s];\n", s, dotQuote(k.States[s]+"\n{"+strings.Join(k.Label(s), ", ")+"}"), classStyle[c])
	}
	for _, s := range k.Initial {
		fmt.Fprintf(b, "  i%d [shape=point]; i%d -> n%d;\n", s, s, s)
	}
	for s := range k.Len() {
		for _, t := range k.Successors(s) {
			fmt.Fprintf(b, "  n%d -> n%d;\n", s, t)
		}
	}
	for c := Covered; int(c) < len(used); c++ {
		if used[c] {
			fmt.Fprintf(b, "  legend%d [label=%q, %s];\n", c, className[c], classStyle[c])
		}
	}
	fmt.Fprintln(b, "}")
	return b.Flush()
}

func dotQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}
