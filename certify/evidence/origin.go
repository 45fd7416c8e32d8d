package evidence

import (
	"bytes"
	"errors"

	"netcov/aiger"
)

// The evidence proves things about the stored design. Whether that is the file
// of which the index has name and hash is a second question, which has an answer
// in two cases only: the stored file has that hash itself, or the user gives the
// file. Otherwise name and hash are what the run claims. The name always is.

// Origin is how the hash of the design is known.
type Origin string

// The origins.
const (
	Claimed Origin = "claimed" // by the run
	Stored  Origin = "stored"  // the stored design has it
	Given   Origin = "given"   // the user's file has it, and says the same
)

// compareDesign compares the stored copy with the hash, and with the user's file.
func (v *verifier) compareDesign() {
	v.report.Origin = Claimed
	if v.files[v.index.Design.File] == v.index.Design.SHA256 {
		v.report.Origin = Stored
	}
	path := v.opt.Design
	if path == "" {
		return
	}
	data, err := ReadPlain(path)
	var f *aiger.File
	if err == nil {
		f, err = aiger.Read(bytes.NewReader(data), path, aiger.Options{Lenient: true})
	}
	var refused *aiger.Error
	if errors.As(err, &refused) {
		v.fail(path, "this is no AIGER file, and only those can be compared: %v", err)
		return
	}
	if err != nil {
		v.fail(path, "the design cannot be read: %v", err)
		return
	}
	if f.SHA256 != v.index.Design.SHA256 {
		v.fail(path, "the evidence is about another file: its SHA-256 is %s", v.index.Design.SHA256)
		return
	}
	var given, stored bytes.Buffer
	write := aiger.WriteASCII
	if f.Binary {
		write = aiger.WriteBinary
	}
	if err := errors.Join(write(&given, f), write(&stored, v.design)); err != nil || !bytes.Equal(given.Bytes(), stored.Bytes()) {
		v.fail(v.index.Design.File, "the stored design differs from %s", path)
		return
	}
	v.report.Origin = Given
}
