package evidence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"netcov/aiger"
)

// A directory of evidence may come from anybody. Nothing is read but regular files
// below it, no link is followed out of it, and no file is read that is larger than
// what it stands for can need: the size is asked first. What begins with another
// byte than its kind does is not read to its end.

// The bounds of sizes, in bytes. No design that fits into the memory needs more.
const (
	maxFile    = 1 << 30 // of any file
	maxIndex   = 1 << 28 // of the index: some hundred thousand mutants
	freeFile   = 16 << 20
	witnessPer = 4096    // of a witness circuit, for each byte of its model
	maxSteps   = 1 << 22 // of a trace
)

// kindOfFile is what a file must begin with, and its name in messages.
type kindOfFile struct{ begin, name string }

var (
	indexFile   = kindOfFile{"{", "an index"}
	circuitFile = kindOfFile{"a", "an AIGER file"}
	traceFile   = kindOfFile{"012cu", "a trace in AIGER's witness format"}
)

// readBelow reads a regular file below the directory of root.
func readBelow(root *os.Root, path string, kind kindOfFile, most int64) ([]byte, error) {
	if info, err := root.Stat(path); err != nil {
		return nil, outside(err)
	} else if err := plain(info); err != nil {
		return nil, err
	}
	// Whatever took the file's place since then must not make opening wait.
	f, err := root.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, outside(err)
	}
	defer f.Close()
	return readOpen(f, kind, most)
}

// ReadPlain reads a regular file that the user names, of at most 1 GiB. Errors do
// not name it.
func ReadPlain(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = plain(info)
	}
	if err != nil {
		return nil, reason(err)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, reason(err)
	}
	defer f.Close()
	return readOpen(f, kindOfFile{}, maxFile)
}

func plain(info fs.FileInfo) error {
	if !info.Mode().IsRegular() {
		return errors.New("this is no regular file")
	}
	return nil
}

// readOpen reads an open file if it is regular, of its kind, and not too large.
func readOpen(f *os.File, kind kindOfFile, most int64) ([]byte, error) {
	info, err := f.Stat()
	if err == nil {
		err = plain(info)
	}
	if err != nil {
		return nil, reason(err)
	}
	most = min(most, maxFile)
	if info.Size() > most {
		return nil, fmt.Errorf("the file has %d bytes, at most %d are due", info.Size(), most)
	}
	first := make([]byte, min(2, info.Size()))
	if _, err := io.ReadFull(f, first); err != nil {
		return nil, reason(err)
	}
	if kind.begin != "" {
		switch {
		case len(first) == 2 && first[0] == 0x1f && first[1] == 0x8b:
			return nil, fmt.Errorf("the file is packed with gzip; evidence has %s as it is", kind.name)
		case len(first) == 0 || !strings.Contains(kind.begin, string(first[0])):
			return nil, fmt.Errorf("this is not %s", kind.name)
		}
	}
	data := make([]byte, info.Size())
	copy(data, first)
	if _, err := io.ReadFull(f, data[len(first):]); err != nil {
		return nil, reason(err)
	}
	if n, _ := f.Read(make([]byte, 1)); n > 0 {
		return nil, errors.New("the file grows while it is read")
	}
	return data, nil
}

// outside is what is wrong with a file below the directory.
func outside(err error) error {
	if cause := reason(err); cause.Error() != "path escapes from parent" {
		return cause
	}
	return errors.New("a link leads out of the directory; put the file itself there")
}

// reason is an error without the path, where a message names that already.
func reason(err error) error {
	var cause *os.PathError
	if errors.As(err, &cause) {
		return cause.Err
	}
	return err
}

// load returns the bytes of a listed file of at most that size, or nil after naming
// the failure.
func (v *verifier) load(path string, kind kindOfFile, most int64) []byte {
	v.lock.Lock()
	want, listed := v.files[path]
	v.used[path] = true
	v.lock.Unlock()
	if !listed {
		v.fail(path, "the file is not listed in the index")
		return nil
	}
	data, err := readBelow(v.root, path, kind, most)
	if err != nil {
		v.fail(path, "the file cannot be read: %v", err)
		return nil
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != want {
		v.fail(path, "the file was changed: its hash is not that of the index")
		return nil
	}
	return data
}

// circuit loads an AIGER file, or returns nil after naming the failure.
func (v *verifier) circuit(path string, most int64) *aiger.File {
	data := v.load(path, circuitFile, most)
	if data == nil {
		return nil
	}
	f, err := aiger.Read(bytes.NewReader(data), path, aiger.Options{})
	if err != nil {
		v.fail(path, "%v", err)
		return nil
	}
	return f
}

// same checks that a stored file is, byte for byte, the model that the design
// gives, and returns that model's size.
func (v *verifier) same(path string, model *aiger.File) int64 {
	var due bytes.Buffer
	if err := aiger.WriteBinary(&due, model); err != nil {
		v.fail(path, "the model cannot be rebuilt: %v", err)
		return 0
	}
	data := v.load(path, circuitFile, int64(due.Len()))
	if data != nil && !bytes.Equal(due.Bytes(), data) {
		v.fail(path, "the file is not the model that the design gives")
	}
	return int64(due.Len())
}
