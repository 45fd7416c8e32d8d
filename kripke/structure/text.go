package structure

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"netcov/internal/visible"
	"netcov/kripke/hoa"
)

// The text form, for structures written by hand:
//
//	# a comment runs to the end of the line
//	structure traffic            # the name; this line may be missing
//	ap red green                 # the propositions, on one line or several
//	init stop                    # the initial states
//	state stop { red } -> stop go
//	state go { green !red } -> stop
//	fair go                      # one line for each Büchi set; may be missing
//
// A state's braces list the propositions that hold; the others do not, and a
// `!p` only says so. Names are runs of characters without white space, braces,
// '#', '!' and '"', or any text in double quotes with \" and \\ for the two.
// The lines may stand in any order.

// ReadFile reads a structure from a HOA file (it starts with "HOA:") or a file
// in the text form.
func ReadFile(path string) (*Structure, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Read(path, data)
}

// Read reads a structure in either form; file names it in error messages.
func Read(file string, data []byte) (*Structure, error) {
	if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("HOA:")) {
		a, err := hoa.Read(file, bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		k, err := FromHOA(a)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		return k, nil
	}
	return readText(file, string(data))
}

type textLine struct {
	number int
	words  []string
	quoted []bool
}

func (l textLine) is(i int, symbol string) bool {
	return i < len(l.words) && l.words[i] == symbol && !l.quoted[i]
}

func readText(file, text string) (*Structure, error) {
	var lines []textLine
	var ap []string
	name := ""
	at := func(l textLine, format string, args ...any) error {
		return fmt.Errorf("%s:%d: %s", file, l.number, fmt.Sprintf(format, args...))
	}
	for i, row := range strings.Split(text, "\n") {
		l, err := splitLine(row)
		l.number = i + 1
		if err != nil {
			return nil, at(l, "%v", err)
		}
		switch {
		case len(l.words) == 0:
		case l.is(0, "structure"):
			if len(l.words) != 2 {
				return nil, at(l, "expected one name after 'structure'")
			}
			name = l.words[1]
		case l.is(0, "ap"):
			ap = append(ap, l.words[1:]...)
		case l.is(0, "init"), l.is(0, "state"), l.is(0, "fair"):
			lines = append(lines, l)
		default:
			return nil, at(l, "a line starts with structure, ap, init, state or fair, not with %q", visible.Short(l.words[0]))
		}
	}
	b := NewBuilder(ap)
	b.Name = name
	arrow := make([]int, len(lines)) // where a state line's successors start
	for i, l := range lines {
		if l.is(0, "state") {
			var err error
			if arrow[i], err = stateHead(b, l); err == nil {
				err = b.err
			}
			if err != nil {
				return nil, at(l, "%v", err)
			}
		}
	}
	for i, l := range lines {
		rest := l.words[1:]
		if l.is(0, "state") {
			rest = l.words[arrow[i]:]
		}
		var states []int
		for _, w := range rest {
			s, ok := b.byName[w]
			if !ok {
				return nil, at(l, "there is no state %q", visible.Short(w))
			}
			states = append(states, s)
		}
		switch l.words[0] {
		case "init":
			b.init = append(b.init, states...)
		case "fair":
			b.AddFair(states...)
		case "state":
			if len(states) == 0 {
				return nil, at(l, "state %q has no successor: %v", visible.Short(l.words[1]), ErrNotTotal)
			}
			for _, t := range states {
				b.AddTransition(b.byName[l.words[1]], t)
			}
		}
	}
	k, err := b.Build()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return k, nil
}

// stateHead adds the state of a line `state NAME { … } -> …` and returns the
// position of its first successor.
func stateHead(b *Builder, l textLine) (int, error) {
	if len(l.words) < 2 {
		return 0, errors.New("expected a state's name after 'state'")
	}
	i := 2
	var holds []string
	if l.is(i, "{") {
		for i++; !l.is(i, "}"); i++ {
			if i >= len(l.words) {
				return 0, errors.New("the label's closing brace is missing")
			}
			if l.is(i, "!") {
				if i++; i >= len(l.words) || l.is(i, "}") {
					return 0, errors.New("expected a proposition after '!'")
				}
				if _, ok := b.index[l.words[i]]; !ok {
					return 0, fmt.Errorf("the proposition %q is not declared", visible.Short(l.words[i]))
				}
				continue
			}
			holds = append(holds, l.words[i])
		}
		i++
	}
	if !l.is(i, "->") {
		return 0, errors.New("expected '->' and the successors after the state's name and label")
	}
	b.AddState(l.words[1], holds...)
	return i + 1, nil
}

func splitLine(row string) (l textLine, err error) {
	for i := 0; i < len(row); {
		c := row[i]
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '#':
			return l, nil
		case c == '{' || c == '}' || c == '!':
			l.words, l.quoted = append(l.words, string(c)), append(l.quoted, false)
			i++
		case c == '"':
			var b strings.Builder
			for i++; i < len(row) && row[i] != '"'; i++ {
				if row[i] == '\\' && i+1 < len(row) {
					i++
				}
				b.WriteByte(row[i])
			}
			if i >= len(row) {
				return l, errors.New("a quoted name is not closed")
			}
			i++
			l.words, l.quoted = append(l.words, b.String()), append(l.quoted, true)
		default:
			j := i
			for j < len(row) && !strings.ContainsRune(" \t\r#{}!\"", rune(row[j])) {
				j++
			}
			l.words, l.quoted = append(l.words, row[i:j]), append(l.quoted, false)
			i = j
		}
	}
	return l, nil
}

func textName(s string) string {
	if s == "" || s == "->" || strings.ContainsAny(s, " \t\r\n#{}!\"") {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
	}
	return s
}

func textNames(b *bufio.Writer, names []string) {
	for _, n := range names {
		fmt.Fprint(b, " ", textName(n))
	}
}

// WriteText writes the structure in the text form.
func (k *Structure) WriteText(w io.Writer) error {
	b := bufio.NewWriter(w)
	if k.Name != "" {
		fmt.Fprintf(b, "structure %s\n", textName(k.Name))
	}
	fmt.Fprint(b, "ap")
	textNames(b, k.AP)
	fmt.Fprint(b, "\ninit")
	for _, s := range k.Initial {
		fmt.Fprint(b, " ", textName(k.States[s]))
	}
	fmt.Fprintln(b)
	for s := range k.Len() {
		fmt.Fprintf(b, "state %s {", textName(k.States[s]))
		textNames(b, k.Label(s))
		fmt.Fprint(b, " } ->")
		for _, t := range k.Successors(s) {
			fmt.Fprint(b, " ", textName(k.States[t]))
		}
		fmt.Fprintln(b)
	}
	for _, f := range k.Fair {
		fmt.Fprint(b, "fair")
		for s := range f.All() {
			fmt.Fprint(b, " ", textName(k.States[s]))
		}
		fmt.Fprintln(b)
	}
	return b.Flush()
}
