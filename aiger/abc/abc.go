// Package abc asks Berkeley's ABC whether properties of AIGER files fail. The
// fuzzer and tests compare with it where it is installed.
package abc

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"netcov/aiger"
)

// Names are those under which ABC may be installed.
var Names = []string{"berkeley-abc", "abc"}

// Find returns the path of ABC, or "".
func Find() string {
	for _, name := range Names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// Question is a property of a file: a position among the bad-state literals or,
// where there are none, among the outputs.
type Question struct {
	File     *aiger.File
	Property int
}

var status = regexp.MustCompile(`(?m)^Status\s*=\s*(-?\d+)`)

// Fails answers all the questions by ABC's pdr, in one process: true where the
// property fails. It is an error when ABC does not decide each of them.
func Fails(ctx context.Context, program string, questions []Question) ([]bool, error) {
	dir, err := os.MkdirTemp("", "netcov-abc-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var script strings.Builder
	for i, q := range questions {
		f, err := plain(q.File, q.Property)
		if err != nil {
			return nil, err
		}
		name := fmt.Sprintf("m%d.aig", i)
		if err := aiger.WriteFile(filepath.Join(dir, name), f); err != nil {
			return nil, err
		}
		fmt.Fprintf(&script, "read_aiger %s\npdr\nprint_status\n", name)
	}
	if err := os.WriteFile(filepath.Join(dir, "script"), []byte(script.String()), 0o666); err != nil {
		return nil, err
	}
	c := exec.CommandContext(ctx, program, "-q", "source script")
	c.Dir = dir
	out, err := c.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %s", program, err, out)
	}
	lines := status.FindAllSubmatch(out, -1)
	if len(lines) != len(questions) {
		return nil, fmt.Errorf("%s answers %d of %d questions: %s", program, len(lines), len(questions), out)
	}
	fails := make([]bool, len(questions))
	for i, l := range lines {
		switch string(l[1]) {
		case "0":
			fails[i] = true
		case "1":
		default:
			return nil, fmt.Errorf("%s leaves question %d open: %s", program, i, out)
		}
	}
	return fails, nil
}
