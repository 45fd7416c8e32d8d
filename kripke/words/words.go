// Package words describes sets of states by the values of words: registers of
// several bits, ranges and enumerations, such as `count in 0..9 & !busy`. A
// description holds among the states that are known, which are the reachable ones;
// the others are don't-cares.
package words

import (
	"cmp"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Vocabulary splits the name of a state into the values of its words.
type Vocabulary struct {
	words []word
	// values are those of a state's name, one for each word; nil for a name of
	// another form.
	values func(name string) []string
}

type word struct {
	name string
	bits []int // positions in the name of a control state, the lowest bit first
}

var bitName = regexp.MustCompile(`^(.+)\[([0-9]+)\]$`)

// OfRegisters is the vocabulary of control states that are written as one bit for
// each register; registers name[i] are the bits of one word.
func OfRegisters(registers []string) *Vocabulary {
	type bit struct{ index, position int }
	of := map[string][]bit{}
	var names []string
	for i, r := range registers {
		name, index := r, 0
		if m := bitName.FindStringSubmatch(r); m != nil {
			if n, err := strconv.Atoi(m[2]); err == nil {
				name, index = m[1], n
			}
		}
		if of[name] == nil {
			names = append(names, name)
		}
		of[name] = append(of[name], bit{index, i})
	}
	v := &Vocabulary{}
	for _, name := range names {
		bits := of[name]
		slices.SortFunc(bits, func(a, b bit) int { return cmp.Compare(a.index, b.index) })
		w := word{name: name}
		for _, b := range bits {
			w.bits = append(w.bits, b.position)
		}
		if len(bits) == 1 {
			w.name = registers[bits[0].position]
		}
		v.words = append(v.words, w)
	}
	v.values = func(state string) []string {
		if len(state) != len(registers) || strings.Trim(state, "01") != "" {
			return nil
		}
		out := make([]string, len(v.words))
		for i, w := range v.words {
			if len(w.bits) == 1 {
				out[i] = truth[state[w.bits[0]]-'0']
				continue
			}
			digits := make([]byte, len(w.bits))
			for k, position := range w.bits {
				digits[len(digits)-1-k] = state[position]
			}
			n, _ := new(big.Int).SetString(string(digits), 2)
			out[i] = n.String()
		}
		return out
	}
	return v
}

var truth = [2]string{"FALSE", "TRUE"}

// wordValue is a value of an SMV word, such as 0ud8_5.
var wordValue = regexp.MustCompile(`^(-?)0[us]d[0-9]+_([0-9]+)$`)

// OfAssignments is the vocabulary of states that are written as name=value for each
// variable, with blanks between them; nil when a state is not.
func OfAssignments(states []string) *Vocabulary {
	if len(states) == 0 {
		return nil
	}
	v := &Vocabulary{}
	split := func(state string) (names, values []string) {
		for _, part := range strings.Fields(state) {
			name, value, ok := strings.Cut(part, "=")
			if !ok {
				return nil, nil
			}
			if m := wordValue.FindStringSubmatch(value); m != nil {
				value = m[1] + m[2]
			}
			names, values = append(names, name), append(values, value)
		}
		return names, values
	}
	names, _ := split(states[0])
	for _, name := range names {
		v.words = append(v.words, word{name: name})
	}
	v.values = func(state string) []string {
		found, values := split(state)
		if !slices.Equal(found, names) {
			return nil
		}
		return values
	}
	for _, s := range states {
		if len(names) == 0 || v.values(s) == nil {
			return nil
		}
	}
	return v
}

// Short writes a state by what is not 0 or FALSE in it; names of another form stay as
// they are.
func (v *Vocabulary) Short(state string) string {
	if v == nil {
		return state
	}
	values := v.values(state)
	if values == nil {
		return state
	}
	var parts []string
	for i, w := range v.words {
		switch values[i] {
		case truth[0]:
		case truth[1]:
			parts = append(parts, w.name)
		default:
			if values[i] != "0" || w.bits == nil { // 0 may be one of several values of a variable
				parts = append(parts, w.name+"="+values[i])
			}
		}
	}
	if len(parts) == 0 {
		return "all 0"
	}
	return strings.Join(parts, " ")
}
