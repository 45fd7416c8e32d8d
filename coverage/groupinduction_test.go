package coverage

import "testing"

// TestHardQuestions lets each question be hard, so that it is split: what GROUPINDUCTION
// still settles is right, and no more than without.
func TestHardQuestions(t *testing.T) {
	defer func(easy, part int64) { easyConflicts, partConflicts = easy, part }(easyConflicts, partConflicts)
	usualEasy, usualPart := easyConflicts, partConflicts
	with, without := 0, 0
	randomOracles(t, 37, rounds(t, 1500), func(o *oracle) {
		opt := Options{Tests: []string{TestGroupInduction}}
		easyConflicts, partConflicts = usualEasy, usualPart
		all, _ := o.run(t, opt)
		easyConflicts, partConflicts = 1, 1
		some, _ := o.run(t, opt)
		if some > all {
			t.Fatalf("%d are settled where questions are split, %d else", some, all)
		}
		with, without = with+some, without+all
	})
	if with < without/2 || with == without {
		t.Fatalf("%d of %d are settled where questions are split", with, without)
	}
}
