package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
)

// Follower reads a journal that another process goes on writing.
type Follower struct {
	path   string
	header Header
	size   int64 // bytes of the records that were read, the header's too
	line   int
	last   checksum
}

// Follow returns a follower of the journal at path, of the run that h describes.
// Nothing is read yet.
func Follow(path string, h Header) *Follower { return &Follower{path: path, header: h} }

// Next returns the whole records after those of the last call; it stops after the
// record with which they are at least most bytes. An incomplete last record is left
// for the next call. The error is a *Mismatch or a *Damage, or of the file.
func (f *Follower) Next(most int) ([]json.RawMessage, error) {
	file, err := os.Open(f.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if _, err := file.Seek(f.size, io.SeekStart); err != nil {
		return nil, err
	}
	r := bufio.NewReader(file)
	var records []json.RawMessage
	for read := 0; read < most; {
		text, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return records, err
		}
		payload, sum, ok := decode(f.last, bytes.TrimSuffix(text, []byte("\n")))
		if !ok {
			return records, &Damage{f.path, f.line + 1}
		}
		if f.line == 0 {
			h, ok := readHeader(payload)
			if !ok {
				return nil, &Damage{f.path, 1}
			}
			if err := h.compare(f.path, f.header); err != nil {
				return nil, err
			}
		} else {
			records = append(records, payload)
		}
		f.line++
		f.last = sum
		f.size += int64(len(text))
		read += len(text)
	}
	return records, nil
}
