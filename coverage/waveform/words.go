package waveform

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"netcov/aiger"
)

// Kind is what a word is in its design.
type Kind uint8

// The kinds of words.
const (
	Input Kind = iota
	Register
	Output
)

// String returns the word used in tables.
func (k Kind) String() string { return [...]string{"input", "register", "output"}[k] }

// Word is a named group of bits: neighbours with one name and indices.
type Word struct {
	Kind Kind
	Name string // hierarchical, without the index
	// High and Low are the indices of the ends; both -1 for a single bit.
	High, Low int
	// Bits are the literals, the highest first.
	Bits []aiger.Lit
	// Names are those of values; nil: numbers are shown.
	Names map[uint64]string
}

// String is the name with its range.
func (w *Word) String() string {
	switch {
	case w.High < 0:
		return w.Name
	case w.High == w.Low:
		return fmt.Sprintf("%s[%d]", w.Name, w.Low)
	}
	return fmt.Sprintf("%s[%d:%d]", w.Name, w.High, w.Low)
}

// Words groups the inputs, registers and outputs of a file. register gives the name of
// the register that a latch stores ("" for none), the literal that shows it, and whether
// it is all of the register: an index in its name is then no bit's.
func Words(f *aiger.File, register func(latch int) (name string, shown aiger.Lit, whole bool)) []Word {
	var all []Word
	at := map[string]int{}
	add := func(k Kind, name, other string, l aiger.Lit, whole bool) {
		if name == "" {
			name = other
		}
		base, bit := split(name)
		if whole {
			base, bit = name, -1
		}
		key := fmt.Sprint(k, base)
		if i, known := at[key]; known && bit >= 0 && all[i].High >= 0 {
			switch w := &all[i]; bit {
			case w.High + 1:
				w.High++
				w.Bits = slices.Insert(w.Bits, 0, l)
				return
			case w.Low - 1:
				w.Low--
				w.Bits = append(w.Bits, l)
				return
			}
		}
		at[key] = len(all)
		all = append(all, Word{Kind: k, Name: base, High: bit, Low: bit, Bits: []aiger.Lit{l}})
	}
	for i, l := range f.Inputs {
		add(Input, f.Symbols.Inputs[i], fmt.Sprintf("input_%d", i), l, false)
	}
	for i := range f.Latches {
		name, shown, whole := register(i)
		add(Register, name, fmt.Sprintf("latch_%d", i), shown, whole)
	}
	for i, l := range f.Outputs {
		add(Output, f.Symbols.Outputs[i], fmt.Sprintf("output_%d", i), l, false)
	}
	// A register that is an output stands there once.
	return slices.DeleteFunc(all, func(w Word) bool {
		return w.Kind == Output && slices.ContainsFunc(all, func(r Word) bool { return r.Kind == Register && r.Name == w.Name && slices.Equal(r.Bits, w.Bits) })
	})
}

// split takes the index off a name such as u1.count[3]; -1 for none.
func split(name string) (base string, bit int) {
	if !strings.HasSuffix(name, "]") {
		return name, -1
	}
	open := strings.LastIndexByte(name, '[')
	if open <= 0 {
		return name, -1
	}
	bit, err := strconv.Atoi(name[open+1 : len(name)-1])
	if err != nil || bit < 0 {
		return name, -1
	}
	return name[:open], bit
}
