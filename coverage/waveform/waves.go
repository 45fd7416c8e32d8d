package waveform

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"netcov/aiger"
	"netcov/aiger/sim"
	"netcov/internal/vcd"
)

// Waves are the values of words on both sides of a pair, or on the design alone.
type Waves struct {
	Words []Word
	Steps int
	// Values has, by side (design, mutant), word and step, one character a bit, the
	// highest first: 0, 1 or x.
	Values [2][][]string
	// Fault is the position of the word in which the mutated register is, -1 for a gate.
	Fault int
}

// Run runs a trace on the design and on the mutant. A nondet fault takes the last value
// of each row.
func Run(f *aiger.File, w *aiger.Witness, fault sim.Fault, words []Word) (*Waves, error) {
	r := &Waves{Words: words, Steps: len(w.Inputs), Fault: -1}
	for i := range words {
		if words[i].Kind == Register && slices.ContainsFunc(words[i].Bits, func(l aiger.Lit) bool { return l>>1 == fault.Var }) {
			r.Fault = i
		}
	}
	for side, at := range []*sim.Fault{nil, &fault} {
		if err := r.run(f, w, side, at); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// RunDesign runs a trace on the design alone.
func RunDesign(f *aiger.File, w *aiger.Witness, words []Word) (*Waves, error) {
	r := &Waves{Words: words, Steps: len(w.Inputs), Fault: -1}
	return r, r.run(f, w, 0, nil)
}

// run runs a trace on one side.
func (r *Waves) run(f *aiger.File, w *aiger.Witness, side int, fault *sim.Fault) error {
	m, err := newMachine(f, w, fault)
	if err != nil {
		return err
	}
	r.Values[side] = make([][]string, len(r.Words))
	for _, row := range w.Inputs {
		next := m.eval(row)
		for i := range r.Words {
			var b strings.Builder
			for _, l := range r.Words[i].Bits {
				b.WriteString(m.read(l).String())
			}
			r.Values[side][i] = append(r.Values[side][i], b.String())
		}
		m.state = next
	}
	return nil
}

// Differs is the first step in which a word is known to differ, -1 for none.
func (r *Waves) Differs(word int) int {
	for step := range r.Steps {
		a, b := r.Values[0][word][step], r.Values[1][word][step]
		for i := range a {
			if a[i] != b[i] && a[i] != 'x' && b[i] != 'x' {
				return step
			}
		}
	}
	return -1
}

// VCD writes both sides as a value change dump: the scopes design and mutant, each with
// the hierarchy of the names.
func (r *Waves) VCD(w io.Writer, comment string) error {
	var all []vcd.Signal
	steps := vcd.Signal{Path: []string{"netcov"}, Name: "step", Kind: "integer", High: 31, Low: 0}
	for step := range r.Steps {
		bits := strconv.FormatInt(int64(step), 2)
		steps.Values = append(steps.Values, strings.Repeat("0", 32-len(bits))+bits)
	}
	all = append(all, steps)
	for side, scope := range []string{"design", "mutant"} {
		first := len(all)
		for i := range r.Words {
			word := &r.Words[i]
			parts := strings.Split(word.Name, ".")
			s := vcd.Signal{
				Path: append([]string{"netcov", scope}, parts[:len(parts)-1]...), Name: parts[len(parts)-1],
				Kind: "wire", High: word.High, Low: word.Low, Values: r.Values[side][i],
			}
			if word.Kind == Register {
				s.Kind = "reg"
			}
			all = append(all, s)
		}
		slices.SortStableFunc(all[first:], func(a, b vcd.Signal) int { return slices.Compare(a.Path, b.Path) })
	}
	return vcd.Write(w, comment, all)
}
