package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"netcov/coverage"
	"netcov/coverage/matrix"
	"netcov/internal/visible"
)

// Which property fails on which mutant, and what that says of the properties: package
// matrix has the numbers.

// Matrix is what a matrix of properties and mutants says of the properties. A number
// that unknown cells leave open is given by its least and its greatest value.
type Matrix struct {
	Budget  string `json:"budget"`
	Cells   int    `json:"cells"`
	Unknown int    `json:"unknown"`
	Stopped string `json:"stopped,omitempty"`
	// Properties are those that hold, in the order of the design.
	Properties []MatrixProperty `json:"properties"`
	Set        Levels           `json:"set"`
	Smallest   Smallest         `json:"smallest"`
	Order      []Addition       `json:"order"`
	Seconds    float64          `json:"seconds"`
}

// Levels are numbers of mutants: those in the cone of influence, of these those that
// the proof depends on (absent where that is not known), of these those covered.
type Levels struct {
	Cone        int  `json:"cone"`
	Used        *int `json:"used,omitempty"`
	CoveredLow  int  `json:"covered_low"`
	CoveredHigh int  `json:"covered_high"`
}

// MatrixProperty is what one property adds to the set.
type MatrixProperty struct {
	Index int `json:"index"`
	Levels
	// AloneLow and AloneHigh are the mutants that no other property covers.
	AloneLow  int `json:"alone_low"`
	AloneHigh int `json:"alone_high"`
	// Redundant: others cover all that it covers.
	Redundant matrix.Answer `json:"redundant"`
	// Idle is why the property covers nothing, where it does: a word, and in words.
	Idle       string `json:"idle,omitempty"`
	IdleDetail string `json:"idle_detail,omitempty"`
}

// Smallest is a choice of properties that covers what all cover.
type Smallest struct {
	Properties []int `json:"properties"`
	// AtLeast is the number that every such choice has at least. Optimal: this one has
	// no more, whatever is unknown.
	AtLeast int  `json:"at_least"`
	Optimal bool `json:"optimal"`
	// Method is "exact" or "greedy".
	Method string `json:"method"`
}

// Addition is a property in the order in which properties add most.
type Addition struct {
	Index   int `json:"index"`
	Adds    int `json:"adds"`
	Covered int `json:"covered"` // by all so far
}

// Failing lists the properties that fail on a mutant, and those of which it is not known.
type Failing struct {
	Fail    []int `json:"fail"`
	Unknown []int `json:"unknown"`
}

// AddMatrix adds the matrix to the report.
func (r *Report) AddMatrix(m *matrix.Matrix, budget string) {
	r.cells = m
	out := &Matrix{
		Budget: budget, Cells: m.Cells(), Unknown: m.Unknown(), Stopped: m.Stopped, Set: levels(m.Whole), Seconds: m.Time.Seconds(),
		Properties: []MatrixProperty{}, Order: []Addition{},
		Smallest: Smallest{Properties: append([]int{}, m.Smallest.Properties...), AtLeast: m.Smallest.Least, Optimal: m.Smallest.Exact, Method: m.Smallest.Method},
	}
	for _, s := range m.Shares {
		out.Properties = append(out.Properties, MatrixProperty{
			Index: s.Property, Levels: levels(s.Levels), AloneLow: s.Alone.Low, AloneHigh: s.Alone.High,
			Redundant: s.Redundant, Idle: s.Idle.Kind.String(), IdleDetail: s.Idle.Detail,
		})
	}
	for _, a := range m.Order {
		out.Order = append(out.Order, Addition{a.Property, a.Adds, a.Covered})
	}
	r.Matrix = out
}

func levels(l matrix.Levels) Levels {
	out := Levels{Cone: l.Cone, CoveredLow: l.Covered.Low, CoveredHigh: l.Covered.High}
	if l.Used >= 0 {
		out.Used = &l.Used
	}
	return out
}

// matrixSection has the table of what each property adds, and in the rows of mutants the
// properties that fail.
var matrixSection = section{
	row: func(r *Report, j *coverage.Judgement, m *Mutant) {
		if r.cells != nil {
			fail, open := r.cells.Failing(matrix.Mutant{Target: j.Target, Fault: j.Fault})
			m.Properties = &Failing{append([]int{}, fail...), append([]int{}, open...)}
		}
	},
	single: func(r *Report) string {
		if r.Matrix == nil {
			return ""
		}
		return "its matrix"
	},
	afterProperties: (*Report).writeMatrix,
	time: func(r *Report) string {
		if r.Matrix == nil {
			return ""
		}
		return fmt.Sprintf("%.2f s for the matrix", r.Matrix.Seconds)
	},
	markdown: (*Report).writeMatrixMarkdown,
	columns: func(r *Report) []string {
		if r.Matrix == nil {
			return nil
		}
		return []string{"fail", "unknown"}
	},
	cells: func(m *Mutant) []string {
		if m.Properties == nil {
			return nil
		}
		return []string{numbers(m.Properties.Fail), numbers(m.Properties.Unknown)}
	},
}

// numbers are the numbers of properties in one cell.
func numbers(list []int) string {
	words := make([]string, len(list))
	for i, n := range list {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, " ")
}

// between words a number that unknown cells may leave open.
func between(low, high int) string {
	if low == high {
		return fmt.Sprint(low)
	}
	return fmt.Sprintf("%d to %d", low, high)
}

// used words the number of mutants that a proof depends on.
func (l Levels) used() string {
	if l.Used == nil {
		return "-"
	}
	return fmt.Sprint(*l.Used)
}

// note says in words what is wrong with a property, "" for nothing.
func (p MatrixProperty) note() string {
	switch {
	case p.Idle != "":
		why := p.IdleDetail
		if strings.HasPrefix(p.Idle, "vacuous") {
			why = "vacuous: " + why
		}
		return "covers nothing: " + why
	case p.Redundant == matrix.Yes:
		return "redundant"
	case p.Redundant == matrix.Maybe:
		return "redundant, if what is unknown is not covered"
	}
	return ""
}

// worstFirst are the properties of the matrix: those that cover nothing, then
// the redundant ones, then by what they alone cover.
func (m *Matrix) worstFirst() []MatrixProperty {
	out := slices.Clone(m.Properties)
	rank := func(p MatrixProperty) int {
		switch {
		case p.Idle != "":
			return 0
		case p.Redundant == matrix.Yes:
			return 1
		case p.Redundant == matrix.Maybe:
			return 2
		}
		return 3
	}
	slices.SortStableFunc(out, func(a, b MatrixProperty) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.AloneLow, b.AloneLow), cmp.Compare(a.CoveredLow, b.CoveredLow))
	})
	return out
}

// added is a row of the table of what each property adds.
type added struct {
	Number, Name, Cone, Used, Covers, Alone, Seconds, Note string

	idle bool
}

// adds are the rows of that table, and of the whole set as the last.
func (r *Report) adds() (rows []added, set added) {
	of := map[int]Property{}
	for _, p := range r.Properties {
		of[p.Index] = p
	}
	seconds := func(x float64) string { return fmt.Sprintf("%.2f", x) }
	for _, x := range r.Matrix.worstFirst() {
		p := of[x.Index]
		rows = append(rows, added{
			p.number(), visible.Line(p.short()), fmt.Sprint(x.Cone), x.used(), between(x.CoveredLow, x.CoveredHigh),
			between(x.AloneLow, x.AloneHigh), seconds(p.Seconds), visible.Line(x.note()), x.Idle != "",
		})
	}
	s := r.Matrix.Set
	return rows, added{"the set", "", fmt.Sprint(s.Cone), s.used(), between(s.CoveredLow, s.CoveredHigh), "", seconds(r.Summary.CheckSeconds), "", false}
}

// names are those of properties, for a list.
func (r *Report) names(indices []int) []string {
	of := map[int]Property{}
	for _, p := range r.Properties {
		of[p.Index] = p
	}
	out := make([]string, len(indices))
	for k, i := range indices {
		out[k] = visible.Line(of[i].short())
	}
	return out
}

// redundant lists the properties that cover something, and others cover all of it.
func (m *Matrix) redundant() []int {
	var out []int
	for _, x := range m.Properties {
		if x.Idle == "" && x.Redundant == matrix.Yes {
			out = append(out, x.Index)
		}
	}
	return out
}

// trust tells how to read the levels.
const trust = "trust what a property covers: what is in its cone need not have an effect, another proof may use less, and on a covered mutant it fails, however it was proved"

// writeMatrix writes the table of properties, the worst first, and what follows.
func (r *Report) writeMatrix(p *page) {
	m := r.Matrix
	if m == nil {
		return
	}
	p.WriteString("\n")
	p.sentence("what each property adds, the least first:")
	g := grid{
		header: []string{"property", "name", "in the cone", "proof uses", "covers", "alone", "proof s", "note"},
		right:  map[int]bool{2: true, 3: true, 4: true, 5: true, 6: true},
	}
	rows, set := r.adds()
	left := 0
	if p.opt.Rows > 0 {
		left = max(0, len(rows)-p.opt.Rows)
	}
	for _, x := range append(rows[:len(rows)-left:len(rows)-left], set) {
		colour := yellow
		if x.idle {
			colour = red
		}
		g.rows = append(g.rows, []string{x.Number, x.Name, x.Cone, x.Used, x.Covers, x.Alone, x.Seconds, p.paint(colour, x.Note)})
	}
	p.WriteString(g.render(p.opt.Width))
	p.more(left)
	p.sentence(trust)
	if names := r.names(m.redundant()); len(names) > 0 {
		p.sentence("redundant, each given the others: " + shorten(names, p.opt.Rows))
	}
	p.sentence(fmt.Sprintf("%s: %s", m.Smallest.words(len(m.Properties)), shorten(r.names(m.Smallest.Properties), p.opt.Rows)))
	var order []int
	for _, a := range m.Order {
		order = append(order, a.Index)
	}
	names := r.names(order)
	for k, a := range m.Order {
		names[k] += fmt.Sprintf(" (+%d: %d)", a.Adds, a.Covered)
	}
	p.sentence("in the order in which they add most: " + shorten(names, p.opt.Rows))
	if m.Unknown > 0 {
		p.sentence(m.open())
	}
}

// open says what the unknown cells mean.
func (m *Matrix) open() string {
	return fmt.Sprintf("%d of %d cells are unknown (%s): each range goes from none of them covered to all of them", m.Unknown, m.Cells, m.Stopped)
}

// writeMatrixMarkdown lists the properties that need a look.
func (r *Report) writeMatrixMarkdown(b *strings.Builder) {
	m := r.Matrix
	if m == nil {
		return
	}
	list := func(indices []int) string {
		names := r.names(indices)
		for k := range names {
			names[k] = md(names[k])
		}
		return strings.Join(names, ", ")
	}
	for _, x := range m.worstFirst() {
		if x.Idle != "" {
			fmt.Fprintf(b, "- %s %s\n", list([]int{x.Index}), md(x.note()))
		}
	}
	if redundant := m.redundant(); len(redundant) > 0 {
		fmt.Fprintf(b, "\nRedundant, each given the others: %s\n", list(redundant))
	}
	fmt.Fprintf(b, "\n%s: %s\n", m.Smallest.words(len(m.Properties)), list(m.Smallest.Properties))
	if m.Unknown > 0 {
		fmt.Fprintf(b, "\n%s\n", m.open())
	}
}

// matrixTable is the matrix as the page shows it.
type matrixTable struct {
	Rows            []added
	Smallest, Trust string // in words
}

// MatrixTable is what the template matrix.html shows; nil without a matrix.
func (d *pageData) MatrixTable() *matrixTable {
	m := d.Matrix
	if m == nil {
		return nil
	}
	rows, set := d.adds()
	t := &matrixTable{
		Rows:     append(rows, set),
		Smallest: m.Smallest.words(len(m.Properties)) + ": " + strings.Join(d.names(m.Smallest.Properties), ", ") + ".",
		Trust:    strings.ToUpper(trust[:1]) + trust[1:],
	}
	if m.Unknown > 0 {
		t.Trust += "; " + m.open()
	}
	return t
}

// short names a property in a list.
func (p Property) short() string {
	if p.Name != "" {
		return p.Name
	}
	return fmt.Sprint(p.Index)
}

// shorten joins names, of which rows are shown; 0 shows all.
func shorten(names []string, rows int) string {
	if len(names) == 0 {
		return "none"
	}
	more := ""
	if rows > 0 && len(names) > rows {
		more = fmt.Sprintf(", … and %d more", len(names)-rows)
		names = names[:rows]
	}
	return strings.Join(names, ", ") + more
}

// words says how small the choice is, of so many properties.
func (s Smallest) words(all int) string {
	what := fmt.Sprintf("%d of %s cover the same", len(s.Properties), Plural(all, "property"))
	switch {
	case s.Optimal:
		return what + ", and no fewer do"
	case s.Method == "exact":
		return fmt.Sprintf("%s, as far as is known; at least %d are needed", what, s.AtLeast)
	}
	return fmt.Sprintf("%s (found greedily; at least %d are needed)", what, s.AtLeast)
}
