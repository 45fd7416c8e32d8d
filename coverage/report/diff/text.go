package diff

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"netcov/coverage/report"
	"netcov/internal/visible"
)

// WriteJSON writes the comparison as one indented JSON object.
func (d *Diff) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	return e.Encode(d)
}

// WriteText writes the comparison for a reader. Of each list at most rows lines are
// shown; 0 shows all.
func (d *Diff) WriteText(w io.Writer, rows int) error {
	var b strings.Builder
	fmt.Fprintf(&b, "coverage: %s → %s\n", share(d.Before.Set), share(d.After.Set))
	for _, n := range d.Notes {
		fmt.Fprintf(&b, "note: %s\n", n)
	}
	list := func(title string, lines []string) {
		if len(lines) == 0 {
			return
		}
		fmt.Fprintf(&b, "\n%s:\n", title)
		for i, l := range lines {
			if rows > 0 && i == rows {
				fmt.Fprintf(&b, "  … and %d more\n", len(lines)-i)
				break
			}
			b.WriteString("  " + visible.Line(l) + "\n")
		}
	}
	changes := func(title string, cs []Change) {
		list(fmt.Sprintf("%s (%s)", title, report.Plural(len(cs), "mutant")), lines(cs))
	}
	changes("covered before, not covered now", d.Lost)
	changes("undecided before, not covered now", d.Gaps)
	changes("covered now, not before", d.Closed)
	changes("decided before, undecided now", d.Undecided)
	list("registers that came", registers(d.Came))
	list("registers that went", registers(d.Went))
	var ps []string
	for _, p := range d.Properties {
		ps = append(ps, fmt.Sprintf("%s %d %s: %s → %s", p.Kind, p.Index, p.Name, cmp.Or(p.Before, "none"), cmp.Or(p.After, "gone")))
	}
	list("properties", ps)
	if len(d.Lost)+len(d.Gaps)+len(d.Closed)+len(d.Undecided)+len(d.Came)+len(d.Went)+len(d.Properties) == 0 {
		b.WriteString("no verdict differs\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func share(c report.Counts) string {
	if c.Unknown > 0 {
		return fmt.Sprintf("%.1f%% to %.1f%% (%d of %d, %d unknown)", 100*c.Low, 100*c.High, c.Covered, c.Mutants, c.Unknown)
	}
	return fmt.Sprintf("%.1f%% (%d of %d)", 100*c.Low, c.Covered, c.Mutants)
}

// lines are the changes, those of one node and kind in one line.
func lines(cs []Change) []string {
	var out []string
	for i := 0; i < len(cs); {
		c := cs[i]
		faults := []string{c.Fault}
		for i++; i < len(cs) && cs[i].Node == c.Node && cs[i].Reason == c.Reason; i++ {
			faults = append(faults, cs[i].Fault)
		}
		l := strings.TrimPrefix(nodeName(c.Node), c.Node.Kind+" ")
		if c.Node.Name == "" {
			l = nodeName(c.Node)
		}
		l += ": " + strings.Join(faults, ", ")
		if c.Reason != "" {
			l += " (" + c.Reason + ")"
		}
		out = append(out, l+at(c.Node.File, c.Node.Line))
	}
	return out
}

func registers(rs []Register) []string {
	var out []string
	for _, r := range rs {
		out = append(out, fmt.Sprintf("%s, %s: %s", r.Name, report.Plural(r.Bits, "bit"), share(r.Counts))+at(r.File, r.Line))
	}
	return out
}

// at is a place in the sources.
func at(file string, line int) string {
	if file == "" {
		return ""
	}
	return fmt.Sprintf("  %s:%d", filepath.Base(file), line)
}
