// Package vcd writes value change dumps (IEEE 1364-2005, clause 18), which GTKWave and
// other viewers of waveforms read. The values of all steps are given at once; only
// changes are written.
package vcd

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Signal is a word with its value in each step.
type Signal struct {
	// Path is the scopes from the outermost on, and Name the word inside.
	Path []string
	Name string
	// Kind is the kind of variable: "reg", "wire" or "integer".
	Kind string
	// High and Low are the indices of the word's ends; both -1 for a single bit.
	High, Low int
	// Values has, by step, one character a bit, the highest first: 0, 1 or x.
	Values []string
}

// width is the number of bits.
func (s *Signal) width() int {
	if s.High < 0 {
		return 1
	}
	return s.High - s.Low + 1
}

// Write writes the signals. A step takes ten units of time. Signals of one scope should
// stand together. The error is that of w.
func Write(w io.Writer, comment string, signals []Signal) error {
	b := bufio.NewWriter(w)
	if comment != "" {
		fmt.Fprintf(b, "$comment %s $end\n", strings.ReplaceAll(strings.Join(strings.Fields(comment), " "), "$end", "$ end"))
	}
	b.WriteString("$timescale 1ns $end\n")
	var open []string
	steps := 0
	for i := range signals {
		s := &signals[i]
		same := 0
		for same < len(open) && same < len(s.Path) && open[same] == s.Path[same] {
			same++
		}
		for range open[same:] {
			b.WriteString("$upscope $end\n")
		}
		for _, scope := range s.Path[same:] {
			fmt.Fprintf(b, "$scope module %s $end\n", name(scope))
		}
		open = s.Path
		place := ""
		if s.High >= 0 {
			place = fmt.Sprintf(" [%d:%d]", s.High, s.Low)
		}
		fmt.Fprintf(b, "$var %s %d %s %s%s $end\n", s.Kind, s.width(), code(i), name(s.Name), place)
		steps = max(steps, len(s.Values))
	}
	for range open {
		b.WriteString("$upscope $end\n")
	}
	b.WriteString("$enddefinitions $end\n")
	for step := range steps {
		fmt.Fprintf(b, "#%d\n", 10*step)
		for i := range signals {
			s := &signals[i]
			if step >= len(s.Values) || step > 0 && s.Values[step] == s.Values[step-1] {
				continue
			}
			if s.width() == 1 {
				fmt.Fprintf(b, "%s%s\n", s.Values[step], code(i))
			} else {
				fmt.Fprintf(b, "b%s %s\n", s.Values[step], code(i))
			}
		}
	}
	fmt.Fprintf(b, "#%d\n", 10*steps)
	return b.Flush()
}

// code is the identifier of a variable: printable characters.
func code(i int) string {
	const first, count = '!', '~' - '!' + 1
	s := ""
	for {
		s += string(rune(first + i%count))
		if i /= count; i == 0 {
			return s
		}
		i--
	}
}

// name is a name without blanks and without what is no printable ASCII; "" becomes an
// underscore.
func name(s string) string {
	s = strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return '_'
		}
		return r
	}, s)
	if s == "" || s[0] == '$' {
		return "_" + s
	}
	return s
}
