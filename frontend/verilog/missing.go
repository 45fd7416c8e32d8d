// Where an instance stands whose module yosys misses: it says only the names.

package verilog

import (
	"context"
	"errors"
	"os"
	"regexp"
	"strings"
)

var (
	missingBody = regexp.MustCompile("Module `\\\\?(\\S+)' referenced in module .* in cell `\\\\?(\\S+)' is ")
	rtlilSource = regexp.MustCompile(`^\s*attribute \\src "(.*)"`)
)

// placeInstance gives such a refusal its place: the sources are read once more,
// without the hierarchy. Any other refusal stays as it is.
func (r *run) placeInstance(ctx context.Context, refusal error) error {
	var e *Error
	if r.slang != withoutSlang || !errors.As(refusal, &e) || e.File != "" {
		return refusal
	}
	names := missingBody.FindStringSubmatch(e.What)
	if names == nil {
		return refusal
	}
	raw := r.path("raw.il")
	if r.script(ctx, "raw.ys", r.src.readCommand()+"\nwrite_rtlil \""+raw+"\"\n") != nil {
		return refusal
	}
	text, err := os.ReadFile(raw)
	if err != nil {
		return refusal
	}
	src := ""
	for line := range strings.Lines(string(text)) {
		if m := rtlilSource.FindStringSubmatch(line); m != nil {
			src = r.src.restore(m[1])
		}
		if strings.TrimSpace(line) == `cell \`+names[1]+` \`+names[2] {
			p := placeOf(map[string]string{"src": src})
			e.File, e.Line = p.file, p.line
			break
		}
	}
	return e
}
