// Package waiver reads, writes and applies waivers: decisions of people that a mutant
// needs no property, with a reason, and often an owner and a last day. They stand in a
// TOML file:
//
//	[[waiver]]
//	node = "fifo.store[*]"     # * stands for any characters, ? for one
//	fault = "zero,one"         # default: all
//	property = "fifo.full_*"   # only in runs whose properties all match; default: any run
//	reason = "data path: compared by simulation"
//	owner = "A. Designer"
//	expires = 2027-06-30       # the last day; default: never
//
// A waiver takes mutants that are not covered, or undecided, out of the counts. One that
// is covered counts as ever.
package waiver

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"netcov/coverage/report"
	"netcov/mutant"
)

// Waiver is an entry of a file.
type Waiver struct {
	Node     string `toml:"node"`
	Fault    string `toml:"fault,omitempty"`
	Property string `toml:"property,omitempty"`
	Reason   string `toml:"reason"`
	Owner    string `toml:"owner,omitempty"`
	Expires  Date   `toml:"expires,omitempty"`
}

// Date is a day; the zero value is none.
type Date struct{ time.Time }

// UnmarshalTOML takes a date of TOML, or a text such as "2027-06-30".
func (d *Date) UnmarshalTOML(v any) error {
	text, ok := v.(string)
	if t, is := v.(time.Time); is {
		text, ok = t.Format(time.DateOnly), t.Equal(time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location()))
	}
	if !ok {
		return errors.New("give a date, such as 2027-06-30")
	}
	day, err := ParseDate(text)
	*d = day
	return err
}

// ParseDate reads a day, such as 2027-06-30.
func ParseDate(s string) (Date, error) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Date{}, fmt.Errorf("%q is no date: give one such as 2027-06-30", s)
	}
	return Date{t}, nil
}

// String is the day as ParseDate takes it, "" for none.
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	return d.Format(time.DateOnly)
}

// over reports whether the day is before the day of a moment.
func (d Date) Over(now time.Time) bool {
	return !d.IsZero() && now.Format(time.DateOnly) > d.String()
}

// Parse reads a file of waivers. The error names what is wrong and where.
func Parse(data []byte) ([]Waiver, error) {
	var f struct {
		Waivers []Waiver `toml:"waiver"`
	}
	meta, err := toml.NewDecoder(bytes.NewReader(data)).Decode(&f)
	if err != nil {
		return nil, tomlError(err)
	}
	if left := meta.Undecoded(); len(left) > 0 {
		return nil, fmt.Errorf("there is no key %q; a [[waiver]] has node, fault, property, reason, owner, expires", left[0].String())
	}
	for i := range f.Waivers {
		if err := f.Waivers[i].check(); err != nil {
			return nil, fmt.Errorf("waiver %d (%s): %w", i+1, f.Waivers[i].Node, err)
		}
	}
	return f.Waivers, nil
}

// wrongType is how the reader of TOML tells a value that a key does not take.
var wrongType = regexp.MustCompile(`^toml: line (\d+) \(last key "([^"]*)"\): incompatible types`)

// tomlError is an error of TOML in one line, with its place.
func tomlError(err error) error {
	var p toml.ParseError
	if m := wrongType.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("line %s: %s has a value of a wrong type; give a text in quotes, or a date for expires", m[1], strings.TrimPrefix(m[2], "waiver."))
	}
	if !errors.As(err, &p) {
		return err
	}
	return fmt.Errorf("line %d: %s", p.Position.Line, strings.TrimSpace(strings.ReplaceAll(p.Message, "\n", " ")))
}

func (w *Waiver) check() error {
	if w.Node == "" {
		return errors.New("node is missing: name a node, such as fifo.count[3] or latch:7")
	}
	if strings.TrimSpace(w.Reason) == "" {
		return errors.New("reason is missing: say why no property is needed")
	}
	for _, f := range w.faults() {
		if _, known := mutant.ParseFault(f); !known {
			return fmt.Errorf("there is no fault %q; the faults are %s", f, strings.Join(mutant.Words(mutant.Faults()), ", "))
		}
	}
	return nil
}

// faults lists the faults that the waiver speaks of; none: all.
func (w *Waiver) faults() []string {
	if w.Fault == "" {
		return nil
	}
	var out []string
	for _, f := range strings.Split(w.Fault, ",") {
		out = append(out, strings.TrimSpace(f))
	}
	return out
}

// Entry is the waiver as text for a file.
func (w *Waiver) Entry() (string, error) {
	if err := w.check(); err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("[[waiver]]\n")
	for _, f := range []struct{ key, value string }{{"node", w.Node}, {"fault", w.Fault}, {"property", w.Property}, {"reason", w.Reason}, {"owner", w.Owner}} {
		if f.value == "" {
			continue
		}
		if err := toml.NewEncoder(&b).Encode(map[string]string{f.key: f.value}); err != nil {
			return "", err
		}
	}
	if !w.Expires.IsZero() {
		fmt.Fprintf(&b, "expires = %s\n", w.Expires)
	}
	return b.String(), nil
}

// takes reports whether a waiver is about a fault.
func (w *Waiver) takes(fault string) bool {
	fs := w.faults()
	return len(fs) == 0 || slices.Contains(fs, fault)
}

// asked reports whether the waiver is about a run over these properties.
func (w *Waiver) asked(properties []report.Property) bool {
	return w.Property == "" || !slices.ContainsFunc(properties, func(p report.Property) bool {
		return !match(w.Property, p.Name) && !match(w.Property, fmt.Sprint(p.Index))
	})
}

// about reports whether the waiver is about a node: its name, its register, or such as
// latch:7.
func (w *Waiver) about(n report.Node) bool {
	return n.Name != "" && match(w.Node, n.Name) || n.Register != "" && match(w.Node, n.Register) ||
		match(w.Node, fmt.Sprintf("%s:%d", n.Kind, n.Index))
}

// Apply takes what is waived on the day of now out of the counts of a report. Of several
// waivers that speak of a mutant, the first that is in force counts.
func Apply(r *report.Report, list []Waiver, now time.Time) {
	out := make([]report.Waiver, len(list))
	var asked []int // waivers that are about this run
	for i, w := range list {
		out[i] = report.Waiver{
			Node: w.Node, Fault: w.Fault, Property: w.Property, Reason: w.Reason, Owner: w.Owner, Expires: w.Expires.String(),
			State: report.WaiverUnused,
		}
		if w.Expires.Over(now) {
			out[i].State = report.WaiverExpired
		}
		if w.asked(r.Properties) {
			asked = append(asked, i)
		}
	}
	var node *report.Node
	var about []int // waivers about the node
	of := func(m report.Mutant) []int {
		if node == nil || *node != m.Node {
			node, about = &m.Node, nil
			for _, i := range asked {
				if list[i].about(m.Node) {
					about = append(about, i)
				}
			}
		}
		var out []int
		for _, i := range about {
			if list[i].takes(m.Fault) {
				out = append(out, i)
			}
		}
		return out
	}
	// What is covered needs no waiver: one that speaks of nothing else is stale.
	covered, open := make([]bool, len(list)), make([]bool, len(list))
	for m := range r.Rows() {
		for _, i := range of(m) {
			if m.Verdict == mutant.Covered {
				covered[i] = true
			} else {
				open[i] = true
			}
		}
	}
	for i := range list {
		if covered[i] && !open[i] && out[i].State == report.WaiverUnused {
			out[i].State = report.WaiverStale
		}
	}
	r.Waive(out, func(m report.Mutant) int {
		for _, i := range of(m) {
			if out[i].State != report.WaiverExpired {
				return i
			}
		}
		return -1
	})
}

// match reports whether a name fits a pattern, in which * stands for any characters and
// ? for one.
func match(pattern, name string) bool {
	p, s := []rune(pattern), []rune(name)
	star, from := -1, 0
	i, j := 0, 0
	for j < len(s) {
		switch {
		case i < len(p) && p[i] == '*':
			star, from = i, j
			i++
		case i < len(p) && (p[i] == '?' || p[i] == s[j]):
			i++
			j++
		case star >= 0: // the last star takes one more
			from++
			i, j = star+1, from
		default:
			return false
		}
	}
	for i < len(p) && p[i] == '*' {
		i++
	}
	return i == len(p)
}
