package visible

import "testing"

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
