// Package slurp reads a whole input into memory: a file or a stream, compressed with
// gzip or not, within limits. Compressed data is recognised by its first bytes,
// whatever the file is called; what unpacks out of all proportion is refused.
package slurp

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

const defaultMaxBytes = 4 << 30

// All returns the uncompressed data of r, at most so many bytes (0: 4 GiB), and the
// hash of its raw bytes. What does not begin with one of the given bytes is refused
// by the parser anyway, and may have no end: of that only the beginning is
// returned. Without any, all is read.
func All(r io.Reader, name string, most int64, begin string) (data []byte, sum string, err error) {
	if most <= 0 {
		most = defaultMaxBytes
	}
	hash := sha256.New()
	tee := &counted{r: io.TeeReader(r, hash)}
	raw := bufio.NewReaderSize(tee, 1<<14)
	var in io.Reader = raw
	size, packed := sizeOf(r), false
	if magic, _ := raw.Peek(2); len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		unpack, err := gzip.NewReader(raw)
		if err != nil {
			return nil, "", fmt.Errorf("%s: damaged gzip data (%w); compress the file anew", name, err)
		}
		in, size, packed = &unpacked{r: counted{r: unpack}, from: tee}, 0, true
	}
	start := bufio.NewReaderSize(in, 1<<14)
	if c, err := start.Peek(1); err == nil && begin != "" && strings.IndexByte(begin, c[0]) < 0 {
		size, most = 0, 1<<12
		in = io.LimitReader(start, most)
	} else {
		in = start
	}
	var buf bytes.Buffer
	buf.Grow(int(min(size, most)) + bytes.MinRead) // one allocation for a plain file
	if _, err := buf.ReadFrom(io.LimitReader(in, most+1)); err != nil {
		if packed && !errors.Is(err, errInflated) {
			return nil, "", fmt.Errorf("%s: damaged gzip data (%w); compress the file anew", name, err)
		}
		return nil, "", fmt.Errorf("%s: %w", name, err)
	}
	if int64(buf.Len()) > most {
		return nil, "", fmt.Errorf("%s: more than %d bytes of data; raise the limit if the machine has room for it", name, most)
	}
	return buf.Bytes(), hex.EncodeToString(hash.Sum(nil)), nil
}

// counted counts the bytes that were read.
type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// Compressed data may become large, or much larger than it was, but not both:
// netlists that repeat themselves are packed to a hundredth.
const (
	freeUnpacked = 256 << 20
	maxInflation = 200
)

var errInflated = fmt.Errorf("the gzip data unpacks to more than %d times its size; unpack it before, if that is right", maxInflation)

// unpacked is the data that gzip makes of what is read from another reader.
type unpacked struct {
	r    counted
	from *counted
}

func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.r.Read(p)
	if u.r.n > freeUnpacked && u.r.n/maxInflation > u.from.n {
		return n, errInflated
	}
	return n, err
}

// sizeOf returns the size of r when it is a regular file or held in memory, else 0.
func sizeOf(r io.Reader) int64 {
	if held, ok := r.(interface{ Len() int }); ok {
		return int64(held.Len())
	}
	file, ok := r.(*os.File)
	if !ok {
		return 0
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}
