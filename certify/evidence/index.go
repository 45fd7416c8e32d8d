package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"netcov/cert"
	"netcov/certify"
	"netcov/internal/jsonsize"
	"netcov/mutant"
)

// Schema names the form of an index, and IndexName its file.
const (
	Schema    = "netcov-evidence/2"
	IndexName = "index.json"
)

// Index is the file that ties mutants, verdicts and evidence. Paths are
// relative to its directory, with slashes.
type Index struct {
	Schema string      `json:"schema"`
	Design IndexDesign `json:"design"`
	Scope  *Scope      `json:"scope,omitempty"` // nil: all that there is
	// Complete claims that no mutant of the scope lacks its verdict.
	Complete   bool            `json:"complete"`
	Properties []IndexProperty `json:"properties"`
	Cells      []IndexCells    `json:"cells,omitempty"`   // of a matrix
	Labels     []Label         `json:"labels,omitempty"`  // where the design's symbols do not tell
	Reasons    *IndexReasons   `json:"reasons,omitempty"` // nil: the run searched for none
	Files      []IndexFile     `json:"files"`             // all but the index, in order of their paths
	// SHA256 is the hash of the index with this field empty: damage shows.
	SHA256 string `json:"sha256"`
}

// IndexDesign is the design. SHA256 is the hash of the file that the user gave;
// File is the copy.
type IndexDesign struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	File   string `json:"file"`
	// Mapped tells that a file of names was given beside an AIGER file.
	Mapped bool `json:"mapped,omitempty"`
}

// IndexFile is a file with its hash.
type IndexFile struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
}

// IndexProperty is one property, or several that are proved and judged as one,
// which fails where one of them does. Index is its position among the design's
// properties, the safety properties first, With are those of the further ones. Kind and Name are those of
// the first.
type IndexProperty struct {
	Index  int         `json:"index"`
	With   []int       `json:"with,omitempty"`
	Kind   string      `json:"kind"` // "bad", "output" or "justice"
	Name   string      `json:"name"`
	Rounds int         `json:"rounds,omitempty"` // of justice, before the certificates' models search for a lasso
	Status cert.Status `json:"status"`
	// Proof proves that it holds, Trace that it fails.
	Proof *IndexCertificate `json:"proof,omitempty"`
	Trace string            `json:"trace,omitempty"`

	Counts       Counts             `json:"counts"`
	Certificates []IndexCertificate `json:"certificates"`
	Mutants      []IndexMutant      `json:"mutants"`
}

// IndexCertificate is a model with its witness circuit.
type IndexCertificate struct {
	Model   string `json:"model"`
	Witness string `json:"witness"`
}

// IndexMutant is one verdict with what proves it.
type IndexMutant struct {
	Kind    string         `json:"kind"` // "latch" or "gate"
	Index   int            `json:"index"`
	Fault   string         `json:"fault"`
	Mux     string         `json:"mux"`
	Verdict mutant.Verdict `json:"verdict"`

	// Of a covered one: the trace, the property that fails at its end (where that is
	// not the first of several), and the mutant's file with this property (which may
	// be absent).
	Trace    string `json:"trace,omitempty"`
	Property *int   `json:"property,omitempty"`
	Model    string `json:"model,omitempty"`
	// Of a notcovered one: position among the property's certificates, or
	// outside of the cone of influence.
	Certificate *int `json:"certificate,omitempty"`
	Outside     bool `json:"outside,omitempty"`
}

// all returns the positions of the entry's properties.
func (p *IndexProperty) all() []int { return append([]int{p.Index}, p.With...) }

// failing returns the property that a covered mutant of the entry names.
func (p *IndexProperty) failing(m *IndexMutant) int {
	if m.Property != nil {
		return *m.Property
	}
	return p.Index
}

// Counts are numbers of mutants by verdict.
type Counts struct {
	Mutants    int `json:"mutants"`
	Covered    int `json:"covered"`
	NotCovered int `json:"notcovered"`
	Unknown    int `json:"unknown"`
}

func (c *Counts) add(v mutant.Verdict) {
	c.Mutants++
	switch v {
	case mutant.Covered:
		c.Covered++
	case mutant.NotCovered:
		c.NotCovered++
	default:
		c.Unknown++
	}
}

// Mutation returns the mutation that the entry speaks of.
func (m *IndexMutant) Mutation() (certify.Mutation, error) {
	out := certify.Mutation{Index: m.Index, Gate: m.Kind == "gate"}
	if m.Kind != "gate" && m.Kind != "latch" {
		return out, fmt.Errorf("unknown kind of node %q", m.Kind)
	}
	var known bool
	if out.Fault, known = mutant.ParseFault(m.Fault); !known {
		return out, fmt.Errorf("unknown fault %q", m.Fault)
	}
	if out.Mux, known = mutant.ParseMux(m.Mux); !known {
		return out, fmt.Errorf("unknown place of the multiplexer %q", m.Mux)
	}
	return out, nil
}

// entry returns the index's entry of a mutation, with no evidence yet.
func entry(m certify.Mutation, v mutant.Verdict) IndexMutant {
	e := IndexMutant{Kind: "latch", Index: m.Index, Fault: m.Fault.String(), Mux: m.Mux.String(), Verdict: v}
	if m.Gate {
		e.Kind = "gate"
	}
	return e
}

// validUTF8 returns a name as an index has it: JSON knows no other bytes.
func validUTF8(name string) string { return strings.ToValidUTF8(name, "\ufffd") }

// encode returns the index as it is stored, its hash filled in.
func (x *Index) encode() ([]byte, error) {
	plain := *x
	plain.SHA256 = ""
	data, err := plain.marshal()
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	plain.SHA256 = hex.EncodeToString(sum[:])
	return plain.marshal()
}

func (x *Index) marshal() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(x)
	return b.Bytes(), err
}

// ReadIndex reads an index. It accepts nothing but what Write has written, byte
// for byte: an index that was damaged, or edited without a new hash, is
// refused.
func ReadIndex(data []byte) (*Index, error) {
	if err := jsonsize.Check(data); err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	x := &Index{}
	if err := d.Decode(x); err != nil {
		return nil, fmt.Errorf("the index is no JSON of the form %s: %w", Schema, err)
	}
	if x.Schema != Schema {
		return nil, fmt.Errorf("the index is of the form %q, %q is due", x.Schema, Schema)
	}
	again, err := x.encode()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(again, data) {
		return nil, errors.New("the index does not match its own hash: it was damaged or edited")
	}
	for i, f := range x.Files {
		if !fs.ValidPath(f.Path) || !filepath.IsLocal(f.Path) || strings.ContainsAny(f.Path, "\\\x00") || f.Path == "." || f.Path == IndexName {
			return nil, fmt.Errorf("the index names the file %q, which is not below its directory", f.Path)
		}
		if i > 0 && f.Path <= x.Files[i-1].Path {
			return nil, fmt.Errorf("the index names the file %q out of order", f.Path)
		}
	}
	return x, nil
}
