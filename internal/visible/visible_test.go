package visible

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		"größe [3] …─":   "größe [3] …─",
		"two\nlines":     "two\nlines",
		"a\x1b[31mred":   `a\x1b[31mred`,
		"tab\tbell\a":    `tab\tbell\a`,
		"\u202eback":     `\u202eback`,
		"bad \xff\ufffd": `bad \xff` + "\ufffd",
		`"quoted\"`:      `"quoted\"`,
	} {
		if got := Text(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := Line("a\nb\r"); got != `a\nb\r` {
		t.Errorf("%q", got)
	}
}

func TestShort(t *testing.T) {
	for in, want := range map[string]string{
		"":                                 "",
		strings.Repeat("a", excerpt):       strings.Repeat("a", excerpt),
		strings.Repeat("a", excerpt+1):     strings.Repeat("a", excerpt) + "…",
		strings.Repeat("é", excerpt):       strings.Repeat("é", excerpt/2) + "…",
		"a" + strings.Repeat("é", excerpt): "a" + strings.Repeat("é", excerpt/2-1) + "…",
		strings.Repeat("\x80", 2*excerpt):  strings.Repeat("\x80", excerpt-utf8.UTFMax) + "…",
	} {
		if got := Short(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
