package sva

import "strings"

// join writes tokens on one line.
func join(toks []token) string {
	var b strings.Builder
	for i, t := range toks {
		if i > 0 && (t.blank || glued(toks[i-1], t)) {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}

// glued reports whether two tokens without a blank between them would become
// another token.
func glued(a, b token) bool {
	if a.kind == symbol && b.kind == symbol {
		for _, o := range operators {
			if strings.HasPrefix(o, a.text) && strings.HasPrefix(o[len(a.text):], b.text[:1]) {
				return true
			}
		}
		return false
	}
	return a.kind != symbol && b.kind != symbol
}
