// Package vhdl reads VHDL with assertions in PSL through ghdl (T. Gingold), which writes
// a design as Verilog. That goes to the Verilog front end: with the names of signals for
// registers, immediate assertions in the place of ghdl's, and the places in the user's
// files (rewrite.go).
package vhdl

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"netcov/frontend/design"
	"netcov/frontend/verilog"
	"netcov/frontend/verilog/preprocess"
	"netcov/internal/confine"
	"netcov/internal/scratch"
)

// Load reads VHDL sources into a design; the top entity and its generics are the
// options' Top and Params. Errors are *verilog.Error, or those of reading files and of
// the context.
func Load(ctx context.Context, files []string, o verilog.Options) (*design.Design, error) {
	dir, remove, err := scratch.Dir("netcov-ghdl-")
	if err != nil {
		return nil, err
	}
	defer remove()
	g := &ghdl{dir: dir, files: files, limits: o.Bounded()}
	h := sha256.New()
	for i, f := range files {
		data, err := preprocess.ReadFile(f)
		if err != nil {
			return nil, err
		}
		h.Write(data)
		g.texts = append(g.texts, strings.Split(string(data), "\n"))
		if err := os.WriteFile(filepath.Join(dir, copyName(i)), data, 0o600); err != nil {
			return nil, err
		}
	}
	bounded, end := context.WithTimeout(ctx, g.limits.Time)
	defer end()
	text, err := g.synthesise(bounded, o)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	written, err := rewrite(text, g)
	if err != nil {
		return nil, err
	}
	o.Files, o.Params = files, nil
	o.Written = &verilog.Written{
		Format: "vhdl", Texts: []preprocess.Text{written}, Sum: hex.EncodeToString(h.Sum(nil)),
		Notes: []string{"read by ghdl: a signal that nothing reads, and what PSL adds for vacuity, are not there"},
	}
	o.Top, err = topModule(text)
	if err != nil {
		return nil, err
	}
	return verilog.Load(ctx, o)
}

// topModule is the last module that ghdl wrote.
func topModule(text string) (string, error) {
	all := regexp.MustCompile(`(?m)^module (\S+)`).FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return "", &verilog.Error{What: "ghdl wrote no module", Cure: "report this with the source"}
	}
	return all[len(all)-1][1], nil
}

// ghdl runs the program in a folder of its own.
type ghdl struct {
	dir    string
	files  []string
	texts  [][]string // their lines
	limits verilog.Options
}

func copyName(i int) string { return fmt.Sprintf("vhdl.%d.vhd", i+1) }

var ownName = regexp.MustCompile(`^vhdl\.(\d+)\.vhd$`)

// file returns the user's name of a copy.
func (g *ghdl) file(name string) string {
	if i := g.number(name); i >= 0 {
		return g.files[i]
	}
	return name
}

// number is the position of the file of which a name is the copy's, -1 for none.
func (g *ghdl) number(name string) int {
	if m := ownName.FindStringSubmatch(filepath.Base(name)); m != nil {
		if i, _ := strconv.Atoi(m[1]); i >= 1 && i <= len(g.files) {
			return i - 1
		}
	}
	return -1
}

var identifier = regexp.MustCompile(`^[A-Za-z]\w*`)

// word is the identifier at a place, in small letters; "" for none. Columns count bytes
// from 1, a tab as one that goes to the next multiple of eight.
func (g *ghdl) word(name string, line, column int) string {
	i := g.number(name)
	if i < 0 || line < 1 || line > len(g.texts[i]) {
		return ""
	}
	at := 1
	for k, c := range []byte(g.texts[i][line-1]) {
		if at >= column {
			return strings.ToLower(identifier.FindString(g.texts[i][line-1][k:]))
		}
		if at++; c == '\t' {
			at = (at-2)/8*8 + 9
		}
	}
	return ""
}

// options are those of all runs: VHDL of 2008, PSL in comments too.
var options = []string{"--std=08", "-fpsl"}

func (g *ghdl) synthesise(ctx context.Context, o verilog.Options) (string, error) {
	var copies []string
	for i := range g.files {
		copies = append(copies, copyName(i))
	}
	if _, err := g.run(ctx, slices.Concat([]string{"-a"}, options, copies)); err != nil {
		return "", err
	}
	top := o.Top
	if top == "" {
		found, err := g.run(ctx, []string{"--find-top", "--std=08"})
		if err != nil {
			return "", err
		}
		if top = strings.TrimSpace(found); top == "" || strings.ContainsAny(top, " \n") {
			return "", &verilog.Error{What: "there is no single top entity", Cure: "name it", Option: "Top"}
		}
	}
	args := slices.Concat([]string{"--synth"}, options)
	for _, p := range o.Params {
		args = append(args, "-g"+p)
	}
	return g.run(ctx, append(args, "--out=verilog", top))
}

var complaint = regexp.MustCompile(`(?m)^(vhdl\.\d+\.vhd):(\d+):(\d+):(?:error: )? ?(.*)$`)

// raised is what ghdl says of an exception of its own.
var raised = regexp.MustCompile(`(?m)^raised (.+)$`)

// run returns what a run writes.
func (g *ghdl) run(ctx context.Context, args []string) (string, error) {
	var out, said bytes.Buffer
	err := confine.Run(ctx, g.dir, g.limits.Memory, func(cmd *exec.Cmd) {
		cmd.Dir = g.dir
		cmd.Stdout, cmd.Stderr = &out, &said
	}, "ghdl", args...)
	limit := g.limits.Limit(ctx, "ghdl", err)
	switch {
	case limit != nil:
		return "", limit
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.Is(err, exec.ErrNotFound):
		return "", &verilog.Error{What: "cannot run ghdl, which reads VHDL", Cure: "install it (Debian and Ubuntu: apt-get install ghdl)"}
	case err == nil:
		return out.String(), nil
	}
	return "", g.failure(said.String() + out.String())
}

// failure is what a run that failed has said, in one line.
func (g *ghdl) failure(text string) error {
	for _, m := range complaint.FindAllStringSubmatch(text, -1) {
		if strings.Contains(m[4], "warning") || strings.Contains(m[0], ":note:") {
			continue
		}
		e := &verilog.Error{File: g.file(m[1]), What: "ghdl: " + m[4], Cure: "correct the source there"}
		e.Line, _ = strconv.Atoi(m[2])
		e.Column, _ = strconv.Atoi(m[3])
		return e
	}
	if m := raised.FindStringSubmatch(text); m != nil {
		return &verilog.Error{What: "ghdl broke down: " + m[1], Cure: "look for ranges that are too large, or install another version of ghdl"}
	}
	last := strings.Split(strings.TrimSpace(text), "\n")
	return &verilog.Error{What: "ghdl failed: " + strings.TrimSpace(last[len(last)-1]), Cure: "correct the source, or name another top entity", Option: "Top"}
}
