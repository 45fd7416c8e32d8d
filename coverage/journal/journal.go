// Package journal keeps what a long run has settled on disk, so that the run can
// go on after it was killed, after a power cut, and after the disk was full.
//
// A journal is a text file, a line a record:
//
//	<checksum> <JSON>
//
// The first record is the header: what the run is about. The checksum is the
// first 8 bytes of the SHA-256 of the checksum before it and the JSON text, in
// hexadecimal, so that a record that is changed, lost, or out of place shows.
//
// Records are only ever appended, and are on the disk before Append returns. So
// a crash can spoil no more than the last line: Open drops it. Damage anywhere
// else is refused, and so is a journal of another run. The file itself comes to
// be with its header in it, or not at all, and a file that is no journal is never
// written to.
package journal

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"

	"netcov/internal/plainfile"
)

// Journal is an open journal. Its methods may be called by several goroutines.
type Journal struct {
	mu   sync.Mutex
	path string
	file storage
	size int64    // bytes of whole records
	last checksum // of the last record
	err  error    // set when the end of the file is no longer known
}

// storage is the part of *os.File that a journal needs.
type storage interface {
	io.WriteSeeker
	io.Closer
	Truncate(size int64) error
	Sync() error
}

// Dropped is what Open found at the end of a file: the bytes of a torn last
// record, which are gone.
type Dropped int64

// Open opens the journal at path for the run that h describes, and returns its
// records after the header, in order. It makes a new one where there is none. A
// journal of another run is refused with a *Mismatch, a damaged one with a
// *Damage. Only one process may have it open.
func Open(path string, h Header) (*Journal, []json.RawMessage, Dropped, error) {
	if err := plainfile.Check(path); err != nil {
		return nil, nil, 0, err
	}
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		// Another process may have been faster: its journal is locked below.
		if err := create(path, h, nil); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, nil, 0, err
		}
		file, err = os.OpenFile(path, os.O_RDWR, 0)
	}
	if err != nil {
		return nil, nil, 0, err
	}
	j := &Journal{path: path, file: file}
	records, dropped, err := j.load(file, h)
	if err != nil {
		file.Close()
		return nil, nil, 0, err
	}
	return j, records, dropped, nil
}

// load reads the file under its lock and makes it ready to append to.
func (j *Journal) load(file *os.File, h Header) ([]json.RawMessage, Dropped, error) {
	if err := lock(file); err != nil {
		return nil, 0, fmt.Errorf("%s: another process has the journal open: %w", j.path, err)
	}
	var buf bytes.Buffer
	if info, err := file.Stat(); err == nil {
		buf.Grow(int(info.Size()) + bytes.MinRead) // one allocation
	}
	if _, err := buf.ReadFrom(file); err != nil {
		return nil, 0, err
	}
	data := buf.Bytes()
	c, err := parse(j.path, data)
	if err != nil {
		return nil, 0, err
	}
	if err := c.header.compare(j.path, h); err != nil {
		return nil, 0, err
	}
	j.size, j.last = c.size, c.last
	if dropped := int64(len(data)) - c.size; dropped > 0 {
		if err := j.rewind(); err != nil {
			return nil, 0, err
		}
		return c.records, Dropped(dropped), nil
	}
	_, err = j.file.Seek(j.size, io.SeekStart)
	return c.records, 0, err
}

// rewind takes off what stands after the last whole record.
func (j *Journal) rewind() error {
	if err := j.file.Truncate(j.size); err != nil {
		return err
	}
	if _, err := j.file.Seek(j.size, io.SeekStart); err != nil {
		return err
	}
	return j.file.Sync()
}

// Write creates a journal with these records, whole or not at all, and replaces one
// that is there.
func Write(path string, h Header, records []json.RawMessage) error {
	temp := fmt.Sprintf("%s.%08x.new", path, rand.Uint32())
	if err := create(temp, h, records); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		os.Remove(temp)
		return err
	}
	return syncDir(filepath.Dir(path))
}

// create writes a journal that holds its header and some records, whole or not at
// all.
func create(path string, h Header, records []json.RawMessage) (err error) {
	temp := fmt.Sprintf("%s.%08x.tmp", path, rand.Uint32())
	file, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			file.Close()
			os.Remove(temp)
		}
	}()
	w := bufio.NewWriter(file)
	line, sum, err := encode(checksum{}, h.stored())
	if err != nil {
		return err
	}
	for k := 0; ; k++ {
		if _, err := w.Write(line); err != nil {
			return err
		}
		if k == len(records) {
			break
		}
		if line, sum, err = encode(sum, records[k]); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	// Link fails where a file came to be meanwhile; rename would replace it.
	if err := os.Link(temp, path); err == nil {
		os.Remove(temp)
	} else if errors.Is(err, fs.ErrExist) {
		return err
	} else if err := os.Rename(temp, path); err != nil { // no hard links here
		return err
	}
	return syncDir(filepath.Dir(path))
}

// Append adds a record for each payload, which is encoded as JSON. When it
// returns nil they are on the disk. When it fails (a full disk), the journal is as
// it was before; later calls may succeed.
func (j *Journal) Append(payloads ...any) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err != nil {
		return j.err
	}
	var lines bytes.Buffer
	last := j.last
	for _, p := range payloads {
		line, sum, err := encode(last, p)
		if err != nil {
			return fmt.Errorf("%s: %w", j.path, err)
		}
		lines.Write(line)
		last = sum
	}
	_, err := j.file.Write(lines.Bytes())
	if err == nil {
		err = j.file.Sync()
	}
	if err != nil {
		if undo := j.rewind(); undo != nil {
			j.err = fmt.Errorf("%s: the journal cannot be written any more: %w", j.path, errors.Join(err, undo))
		}
		return err
	}
	j.size += int64(lines.Len())
	j.last = last
	return nil
}

// Close closes the file.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.err == nil {
		j.err = fmt.Errorf("%s: the journal is closed", j.path)
	}
	return j.file.Close()
}

// Read returns the header and the records of the journal at path without opening
// it for writing; torn reports whether the last record is incomplete.
func Read(path string) (h Header, records []json.RawMessage, torn bool, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Header{}, nil, false, err
	}
	c, err := parse(path, data)
	if err != nil {
		return Header{}, nil, false, err
	}
	return c.header.Header, c.records, c.size < int64(len(data)), nil
}

// content is a parsed journal.
type content struct {
	header  storedHeader
	records []json.RawMessage
	size    int64 // bytes of whole records
	last    checksum
}

// Damage is a record, not the last one, that is not what was written.
type Damage struct {
	Path string
	Line int
}

// Error returns one line.
func (d *Damage) Error() string {
	if d.Line == 1 {
		return fmt.Sprintf("%s:1: this is no journal, or its header is damaged; name another file", d.Path)
	}
	return fmt.Sprintf("%s:%d: the record is damaged; restore the file, or delete it and start anew", d.Path, d.Line)
}

// parse reads a journal. Only the last line may be torn, and not the header.
func parse(path string, data []byte) (*content, error) {
	c := &content{}
	for line := 1; int(c.size) < len(data); line++ {
		rest := data[c.size:]
		end := bytes.IndexByte(rest, '\n')
		torn := end < 0 || end == len(rest)-1 // nothing follows
		text := rest
		if end >= 0 {
			text = rest[:end]
		}
		payload, sum, ok := decode(c.last, text)
		ok = ok && end >= 0
		switch {
		case !ok && torn && line > 1:
			return c, nil
		case !ok:
			return nil, &Damage{path, line}
		case line == 1:
			if c.header, ok = readHeader(payload); !ok {
				return nil, &Damage{path, line}
			}
		default:
			c.records = append(c.records, payload)
		}
		c.last = sum
		c.size += int64(end) + 1
	}
	if c.size == 0 {
		return nil, &Damage{path, 1}
	}
	return c, nil
}
