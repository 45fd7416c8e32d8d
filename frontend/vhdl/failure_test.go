package vhdl

import "testing"

// A run that failed becomes one line that says what to do.
func TestFailure(t *testing.T) {
	g := &ghdl{files: []string{"top.vhd"}}
	for said, want := range map[string]string{
		"vhdl.1.vhd:3:7:warning: unused\nvhdl.1.vhd:4:8: no declaration for \"x\"\n":                                   `top.vhd:4:8: ghdl: no declaration for "x"; correct the source there`,
		"*** GHDL Bug occurred ***\nException E raised\nraised STORAGE_ERROR : heap exhausted\nCall stack\n0x1\n***\n": "ghdl broke down: STORAGE_ERROR : heap exhausted; look for ranges that are too large, or install another version of ghdl",
		"\nghdl: cannot find entity x\n": "ghdl failed: ghdl: cannot find entity x; correct the source, or name another top entity",
	} {
		if got := g.failure(said).Error(); got != want {
			t.Errorf("%q:\n got %s\nwant %s", said, got, want)
		}
	}
}
