package hoa

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"netcov/kripke/formula"
)

// Write writes an automaton in the form that Read reads. Labels stand where
// the automaton has them.
func Write(w io.Writer, a *Automaton) error {
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "HOA: v1")
	if a.Name != "" {
		fmt.Fprintf(b, "name: %s\n", quote(a.Name))
	}
	fmt.Fprintf(b, "States: %d\n", len(a.States))
	for _, s := range a.Start {
		fmt.Fprintf(b, "Start: %d\n", s)
	}
	fmt.Fprintf(b, "AP: %d", len(a.AP))
	index := map[string]int{}
	for i, p := range a.AP {
		fmt.Fprintf(b, " %s", quote(p))
		index[p] = i
	}
	fmt.Fprintln(b)
	fmt.Fprintln(b, acceptanceHeader(a.AccSets))
	if a.StateLabelled() && len(a.States) > 0 {
		fmt.Fprintln(b, "properties: state-labels explicit-labels")
	} else {
		fmt.Fprintln(b, "properties: trans-labels explicit-labels")
	}
	fmt.Fprintln(b, "--BODY--")
	for i := range a.States {
		s := &a.States[i]
		fmt.Fprint(b, "State:")
		writeLabel(b, s.Label, index, " [", "]")
		fmt.Fprintf(b, " %d", i)
		if s.Name != "" {
			fmt.Fprintf(b, " %s", quote(s.Name))
		}
		writeAcc(b, s.Acc)
		fmt.Fprintln(b)
		for _, e := range s.Edges {
			writeLabel(b, e.Label, index, "[", "] ")
			fmt.Fprint(b, e.To)
			writeAcc(b, e.Acc)
			fmt.Fprintln(b)
		}
	}
	fmt.Fprintln(b, "--END--")
	return b.Flush()
}

func acceptanceHeader(sets int) string {
	switch sets {
	case 0:
		return "acc-name: all\nAcceptance: 0 t"
	case 1:
		return "acc-name: Buchi\nAcceptance: 1 Inf(0)"
	}
	var infs []string
	for i := range sets {
		infs = append(infs, fmt.Sprintf("Inf(%d)", i))
	}
	return fmt.Sprintf("acc-name: generalized-Buchi %d\nAcceptance: %d %s", sets, sets, strings.Join(infs, "&"))
}

func writeAcc(b *bufio.Writer, acc []int) {
	if len(acc) > 0 {
		text := fmt.Sprint(acc)
		fmt.Fprintf(b, " {%s}", text[1:len(text)-1])
	}
}

func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// writeLabel prints a propositional formula with !, & and | over numbers.
func writeLabel(b *bufio.Writer, f formula.Formula, index map[string]int, before, after string) {
	if f == (formula.Formula{}) {
		return
	}
	b.WriteString(before)
	const (
		inOr = iota
		inAnd
		inNot
	)
	var write func(f formula.Formula, context int)
	write = func(f formula.Formula, context int) {
		switch f.Op() {
		case formula.OpTrue:
			b.WriteByte('t')
		case formula.OpFalse:
			b.WriteByte('f')
		case formula.OpAtom:
			fmt.Fprint(b, index[f.Name()])
		case formula.OpNot:
			b.WriteByte('!')
			write(f.Left(), inNot)
		default:
			sign, inner := "|", inOr
			if f.Op() == formula.OpAnd {
				sign, inner = "&", inAnd
			}
			if inner < context {
				b.WriteByte('(')
			}
			write(f.Left(), inner)
			b.WriteString(sign)
			// A right operand of the same kind is grouped to keep the tree.
			write(f.Right(), min(inner+1, inNot))
			if inner < context {
				b.WriteByte(')')
			}
		}
	}
	if !plainLabel(f) {
		f = formula.NNF(f)
	}
	write(f, inOr)
	b.WriteString(after)
}

func plainLabel(f formula.Formula) bool {
	for _, g := range formula.Subformulas(f) {
		switch g.Op() {
		case formula.OpTrue, formula.OpFalse, formula.OpAtom, formula.OpNot, formula.OpAnd, formula.OpOr:
		default:
			return false
		}
	}
	return true
}
