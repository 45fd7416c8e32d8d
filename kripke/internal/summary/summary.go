// Package summary words what the reports of several algorithms say alike.
package summary

import "fmt"

// Circuit names a circuit's size.
func Circuit(registers, inputs int) string {
	count := func(n int, noun string) string {
		if n == 1 {
			return "1 " + noun
		}
		return fmt.Sprintf("%d %ss", n, noun)
	}
	return "circuit, " + count(registers, "register") + ", " + count(inputs, "input")
}

// Conditions names what restricts the paths of a model, to follow its size; it is
// empty where nothing does.
func Conditions(constrained bool, fairnessSets int) string {
	s := ""
	if constrained {
		s = ", an invariant constraint"
	}
	switch fairnessSets {
	case 0:
	case 1:
		s += ", 1 fairness set"
	default:
		s += fmt.Sprintf(", %d fairness sets", fairnessSets)
	}
	return s
}

// Together is the verdict on several specifications: false as soon as one fails,
// true when all hold, nil while that is open or when there are none.
func Together(holds []*bool) *bool {
	all := len(holds) > 0
	for _, h := range holds {
		switch {
		case h == nil:
			all = false
		case !*h:
			return h
		}
	}
	if !all {
		return nil
	}
	return &all
}
