package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"
)

// Some designs with ABC's flags left out: no disagreement, and nothing goes on
// afterwards.
func TestRun(t *testing.T) {
	defer goleak.VerifyNone(t)
	var out strings.Builder
	args := []string{"--rounds", "60", "--time", "60s", "--seed", "3", "-o", filepath.Join(t.TempDir(), "wrong.aag")}
	if err := run(context.Background(), args, &out); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(out.String(), "60 designs") || !strings.Contains(out.String(), "no disagreement") {
		t.Error(out.String())
	}
}

func TestRefusesFlags(t *testing.T) {
	if err := run(context.Background(), []string{"--abc", "abc", "--abc-every", "0"}, nil); err == nil {
		t.Error("--abc-every 0 is taken")
	}
}
