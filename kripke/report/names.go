package report

import (
	"fmt"
	"strings"
)

// width is the length in bytes at which a list that may be cut is cut.
const width = 240

// list joins names: with semicolons when they have blanks. With most > 0 it
// shows that many at most, and says how many more there are.
func list(names []string, most int) string {
	sep := " "
	if len(names) > 0 && strings.Contains(names[0], " ") {
		sep = "; "
	}
	return join(names, most, sep)
}

func join(names []string, most int, sep string) string {
	var b strings.Builder
	for i, n := range names {
		if most > 0 && (i == most || i > 0 && b.Len()+len(n) > width) {
			fmt.Fprintf(&b, " and %d more", len(names)-i)
			break
		}
		if i > 0 {
			b.WriteString(sep)
		}
		b.WriteString(n)
	}
	return b.String()
}

// describeStates writes a set of states, by the values of words where there are some.
func describeStates(names, words []string, most int) string {
	if len(words) > 0 {
		return join(words, most, "; ")
	}
	return list(names, most)
}
