package farm

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"netcov/aiger"
	"netcov/coverage/campaign"
	"netcov/frontend"
	"netcov/frontend/design"
	"netcov/internal/atomicfile"
	"netcov/netlist"
)

// A farm has its own copy of the design: workers need no yosys, and the merge knows
// the names of the source without reading it again.

// The files of the design: the circuit, an AIGER file as it was and else what the
// netlist says, and what an AIGER file does not tell.
const (
	circuitFile = "design.aiger"
	namesFile   = "design.json"
)

// description is what an AIGER file does not tell of a design.
type description struct {
	Path    string          `json:"path"`
	Kind    string          `json:"kind"`
	Format  string          `json:"format"`
	SHA256  string          `json:"sha256"` // of the source
	Mapped  bool            `json:"mapped,omitempty"`
	Names   []string        `json:"names"` // see names
	Latches []design.Origin `json:"latches,omitempty"`
	Gates   []design.Origin `json:"gates,omitempty"`
	Seen    map[int]int     `json:"seen,omitempty"`
	// Count is the number of gates that can be mutated; the file may have more.
	Count int `json:"count"`
}

// names lists all names of a netlist.
func names(n *netlist.Netlist) []*string {
	var out []*string
	for i := range n.Inputs {
		out = append(out, &n.Inputs[i].Name)
	}
	for i := range n.Latches {
		out = append(out, &n.Latches[i].Name)
	}
	for _, signals := range [][]netlist.Signal{n.Outputs, n.Bads, n.Constraints, n.Fairness} {
		for i := range signals {
			out = append(out, &signals[i].Name)
		}
	}
	for i := range n.Justice {
		out = append(out, &n.Justice[i].Name)
	}
	return out
}

// storeDesign writes the files of the design and returns their hashes.
func (f *Farm) storeDesign(d *campaign.Design) (map[string]string, error) {
	circuit := d.Raw()
	if sum := sha256.Sum256(circuit); hex.EncodeToString(sum[:]) != d.File.SHA256 {
		var b bytes.Buffer
		if err := aiger.WriteASCII(&b, d.File); err != nil {
			return nil, err
		}
		circuit = b.Bytes()
	}
	x := description{
		Path: d.Path, Kind: d.Kind, Format: d.Design.Format, SHA256: d.File.SHA256, Mapped: d.Mapped,
		Latches: d.Design.Latches, Gates: d.Design.Gates, Seen: d.Design.Seen, Count: len(d.Netlist.Gates),
	}
	for _, name := range names(d.Netlist) {
		x.Names = append(x.Names, *name)
	}
	write := func(w io.Writer) error {
		_, err := w.Write(circuit)
		return err
	}
	if err := atomicfile.Write(f.path(circuitFile), write); err != nil {
		return nil, err
	}
	if err := f.writeJSON(namesFile, x); err != nil {
		return nil, err
	}
	sums := map[string]string{}
	for _, name := range []string{circuitFile, namesFile} {
		sum, err := hashOf(f.path(name))
		if err != nil {
			return nil, err
		}
		sums[name] = sum
	}
	return sums, nil
}

func hashOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// loadDesign reads the files of the design, which must have these hashes.
func (f *Farm) loadDesign(ctx context.Context, sums map[string]string) (*campaign.Design, error) {
	for _, name := range []string{circuitFile, namesFile} {
		sum, err := hashOf(f.path(name))
		if err != nil {
			return nil, err
		}
		if sum != sums[name] {
			return nil, fmt.Errorf("%s is not what farm.json says; restore the file, or make a new farm", f.path(name))
		}
	}
	var x description
	if err := readJSON(f.path(namesFile), &x); err != nil {
		return nil, err
	}
	s, err := frontend.Open(ctx, []string{f.path(circuitFile)}, frontend.Options{Lenient: true})
	if err != nil {
		return nil, err
	}
	refuse := func(what string) error {
		return fmt.Errorf("%s: %s; restore the file, or make a new farm", f.path(namesFile), what)
	}
	n := s.Design.Netlist
	list := names(n)
	if x.Count < 0 || x.Count > len(n.Gates) {
		return nil, refuse("there are more gates than in the design")
	}
	n.Gates = n.Gates[:x.Count]
	switch {
	case x.SHA256 != f.Header.Design:
		return nil, refuse("the design is another one than that of farm.json")
	case len(x.Names) != len(list):
		return nil, refuse("the names are not those of the design's nodes")
	case len(x.Latches) != 0 && len(x.Latches) != len(n.Latches) || len(x.Gates) != 0 && len(x.Gates) != len(n.Gates):
		return nil, refuse("the places in the source are not those of the design's nodes")
	}
	for latch, gate := range x.Seen {
		if latch < 0 || latch >= len(n.Latches) || gate < 0 || gate >= len(n.Gates) {
			return nil, refuse("what registers show is not of the design's nodes")
		}
	}
	for i, name := range x.Names {
		*list[i] = name
	}
	s.Path, s.Kind, s.Mapped, s.Copy = x.Path, x.Kind, x.Mapped, f.path(circuitFile)
	s.File.SHA256 = x.SHA256
	s.Design.File, s.Design.Format, s.Design.SHA256 = x.Path, x.Format, x.SHA256
	s.Design.Latches, s.Design.Gates, s.Design.Seen = x.Latches, x.Gates, x.Seen
	return campaign.New(s), nil
}
