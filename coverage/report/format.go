package report

import (
	"cmp"
	"io"
	"slices"
)

// Format is a form in which a report is written. Each stands in a file of its own
// and registers itself, so that a further one touches nothing else.
type Format struct {
	Name string // as users give it
	Help string // what it is for, a few words
	// Write writes the report. An error says why the report has no such form, or
	// comes from w.
	Write func(r *Report, w io.Writer, opt Rendering) error
}

// Rendering is what a form may need beside the report.
type Rendering struct {
	// Rows bounds the table of nodes of forms for readers; 0 shows all.
	Rows int
	// HowAll says how to see all rows, where some are left out.
	HowAll string
	// Width is that of the terminal, in columns; 0 wraps nothing.
	Width int
	// Colour allows the text form to use colours.
	Colour bool
	// Brief asks the text form for one line.
	Brief bool
	// Explain says how to see more of a node, "" where there is no way; nil: there is
	// none.
	Explain func(n Node) string
	// Source returns the text of a source file that the report names, or false.
	// Nil: no sources are shown.
	Source func(file string) (string, bool)
}

var formats []Format

func register(f Format) { formats = append(formats, f) }

// Formats lists the forms, text first.
func Formats() []Format {
	out := slices.Clone(formats)
	slices.SortFunc(out, func(a, b Format) int {
		text := func(f Format) int {
			if f.Name == "text" {
				return 0
			}
			return 1
		}
		return cmp.Or(text(a)-text(b), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// FindFormat returns the form of a name, and whether there is one.
func FindFormat(name string) (Format, bool) {
	i := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, false
	}
	return formats[i], true
}
