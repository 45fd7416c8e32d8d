// Where the bytes come from: a file, a reader, standard input, each compressed
// with gzip or not. The whole input is held while it is parsed, so that a
// header's numbers can be checked against the length of the data.

package aiger

import (
	"io"
	"os"

	"netcov/internal/slurp"
)

// Options says how to read.
type Options struct {
	// Lenient accepts CRLF line ends, a byte order mark, a missing last newline,
	// and blank lines at the end.
	Lenient bool
	// MaxBytes bounds the uncompressed size; 0 is 4 GiB. It guards against
	// compressed files that unpack to more than the machine holds.
	MaxBytes int64
}

// ReadFile reads the AIGER file at path; "-" is standard input. Data compressed
// with gzip is recognised by its first bytes, whatever the file is called.
// Refusals are *Error; failures to read are those of package os.
func ReadFile(path string, opt Options) (*File, error) {
	if path == "-" {
		return Read(os.Stdin, "standard input", opt)
	}
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return Read(in, path, opt)
}

// Read reads one AIGER file to the end of r; name is what errors call it. Data
// compressed with gzip is unpacked.
func Read(r io.Reader, name string, opt Options) (*File, error) {
	data, sum, err := slurp.All(r, name, opt.MaxBytes, "a\xef")
	if err != nil {
		return nil, err
	}
	f, err := parse(data, name, opt)
	if err != nil {
		return nil, err
	}
	f.SHA256 = sum
	return f, nil
}
