package mutant

import "testing"

// TestVerdictWords: each verdict is read back from its word, and no other word is one.
func TestVerdictWords(t *testing.T) {
	for v := range Verdict(len(verdictWords)) {
		text, err := v.MarshalText()
		var again Verdict
		if err != nil || again.UnmarshalText(text) != nil || again != v || string(text) != v.String() {
			t.Errorf("%v is read as %v", v, again)
		}
	}
	for _, word := range []string{"", "great", "Covered", "not covered"} {
		if v := NotCovered; v.UnmarshalText([]byte(word)) == nil {
			t.Errorf("%q is read as %v", word, v)
		}
	}
}
