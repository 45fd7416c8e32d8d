package abc

import (
	"context"
	"math/rand/v2"
	"testing"

	"netcov/aiger/explicit"
	"netcov/aiger/randaig"
)

// TestAgainstEnumeration compares ABC's answers with those of enumeration, on
// designs with all kinds of resets and with constraints.
func TestAgainstEnumeration(t *testing.T) {
	program := Find()
	if program == "" {
		t.Skip("ABC is not installed")
	}
	r := rand.New(rand.NewPCG(1, 1))
	count := map[bool]int{}
	for range 4 {
		var questions []Question
		for len(questions) < 40 {
			f := randaig.New(r, randaig.Everything())
			bads := len(f.Bads)
			if bads == 0 {
				bads = len(f.Outputs)
			}
			for p := range bads {
				questions = append(questions, Question{f, p})
			}
		}
		fails, err := Fails(context.Background(), program, questions)
		if err != nil {
			t.Fatal(err)
		}
		for i, q := range questions {
			count[fails[i]]++
			if want := explicit.Fails(q.File, q.Property); fails[i] != want {
				t.Errorf("property %d fails: %v, enumeration says %v\n%+v", q.Property, fails[i], want, q.File)
			}
		}
	}
	if count[true] < 20 || count[false] < 20 {
		t.Errorf("one-sided sample: %v", count)
	}
}
