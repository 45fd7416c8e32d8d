package circuit

import "fmt"

// Size describes the circuit in a few words.
func (c *Circuit) Size() string {
	s := fmt.Sprintf("circuit, %s, %s", count(len(c.Controls), "register"), count(len(c.Inputs), "input"))
	if n := len(c.Choices); n > 0 {
		s += ", " + count(n, "choice")
	}
	return s
}

// Conditions names what restricts the paths of a model, to follow its size; it is
// empty where nothing does.
func Conditions(constrained bool, fairnessSets int) string {
	s := ""
	if constrained {
		s = ", an invariant constraint"
	}
	if fairnessSets > 0 {
		s += ", " + count(fairnessSets, "fairness set")
	}
	return s
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
