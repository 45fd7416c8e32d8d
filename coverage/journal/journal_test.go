package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"netcov/internal/alloctest"
)

type verdict struct {
	Mutant int
	Word   string
}

func header() Header {
	return Header{Version: "1", Design: "abc", Options: map[string]string{"--fault": "zero,one", "--property": "0"}}
}

func mustOpen(t testing.TB, path string) (*Journal, []json.RawMessage, Dropped) {
	t.Helper()
	j, records, dropped, err := Open(path, header())
	if err != nil {
		t.Fatal(err)
	}
	return j, records, dropped
}

// check checks that records are the first verdicts, and returns how many.
func check(t testing.TB, records []json.RawMessage) int {
	t.Helper()
	for i, r := range records {
		var v verdict
		if err := json.Unmarshal(r, &v); err != nil || v != sample(i) {
			t.Fatalf("record %d is %s: %v", i, r, err)
		}
	}
	return len(records)
}

func sample(i int) verdict { return verdict{i, strings.Repeat("x", i%7) + "\n€"} }

// written makes a journal of n records and returns its path and text.
func written(t testing.TB, n int) (string, []byte) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "run.journal")
	j, _, _ := mustOpen(t, path)
	for i := range n {
		if err := j.Append(sample(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, data
}

func TestAppendAndReopen(t *testing.T) {
	path, _ := written(t, 5)
	j, records, dropped := mustOpen(t, path)
	if check(t, records) != 5 || dropped != 0 {
		t.Errorf("%d records, %d bytes dropped", len(records), dropped)
	}
	if err := j.Append(sample(5), sample(6)); err != nil { // a batch
		t.Fatal(err)
	}
	if err := j.Append(func() {}); err == nil {
		t.Error("a payload that has no JSON form was accepted")
	}
	if _, _, _, err := Open(path, header()); err == nil {
		t.Error("the journal was opened twice")
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if err := j.Append(sample(7)); err == nil {
		t.Error("a closed journal took a record")
	}
	h, records, torn, err := Read(path)
	if err != nil || check(t, records) != 7 || torn || h.Design != "abc" {
		t.Errorf("%v %v %v", h, torn, err)
	}
}

// TestTruncation cuts the file at every byte. What is left is a prefix, and the
// run can go on.
func TestTruncation(t *testing.T) {
	path, data := written(t, 3)
	first := bytes.IndexByte(data, '\n') + 1
	for n := range data {
		os.WriteFile(path, data[:n], 0o666)
		j, records, dropped, err := Open(path, header())
		if n < first {
			var damage *Damage
			if !errors.As(err, &damage) || damage.Line != 1 {
				t.Fatalf("cut to %d bytes: %v", n, err)
			}
			if left, _ := os.ReadFile(path); len(left) != n {
				t.Fatal("a file without a header was written to")
			}
			continue
		}
		if err != nil {
			t.Fatalf("cut to %d bytes: %v", n, err)
		}
		count := check(t, records)
		whole := bytes.LastIndexByte(data[:n], '\n') + 1
		if want := bytes.Count(data[:n], []byte("\n")) - 1; count != want || int(dropped) != n-whole {
			t.Fatalf("cut to %d bytes: %d records, want %d; %d bytes dropped", n, count, want, dropped)
		}
		for i := count; i < 3; i++ {
			if err := j.Append(sample(i)); err != nil {
				t.Fatal(err)
			}
		}
		j.Close()
		if again, _ := os.ReadFile(path); !bytes.Equal(again, data) {
			t.Fatalf("cut to %d bytes: the journal ends differently", n)
		}
	}
}

// TestFlips flips every bit: no wrong record ever comes out, and nothing but the
// last one is ever left out silently.
func TestFlips(t *testing.T) {
	path, data := written(t, 4)
	lastLine := bytes.LastIndexByte(data[:len(data)-1], '\n') // the end of the line before
	for bit := range 8 * len(data) {
		bad := bytes.Clone(data)
		bad[bit/8] ^= 1 << (bit % 8)
		c, err := parse("flipped", bad)
		switch {
		case bit/8 < lastLine && err == nil:
			t.Fatalf("bit %d: the damage was not noticed", bit)
		case err == nil && (c.size == int64(len(bad)) || check(t, c.records) < 2):
			t.Fatalf("bit %d: %d records", bit, len(c.records))
		}
		if bit%97 > 0 {
			continue
		}
		os.WriteFile(path, bad, 0o666)
		j, records, _, err2 := Open(path, header())
		if (err == nil) != (err2 == nil) || err == nil && len(records) != len(c.records) {
			t.Fatalf("bit %d: parsing says %v, Open %v", bit, err, err2)
		}
		if j != nil {
			j.Close()
		}
	}
}

// TestLines removes, doubles and exchanges records.
func TestLines(t *testing.T) {
	path, data := written(t, 6)
	lines := bytes.SplitAfter(data, []byte("\n"))[:7]
	other, _ := written(t, 3)
	otherData, _ := os.ReadFile(other)
	join := func(ls ...[]byte) []byte { return bytes.Join(ls, nil) }
	for name, bad := range map[string][]byte{
		"removed":    join(append(append([][]byte{}, lines[:2]...), lines[3:]...)...),
		"doubled":    join(append(append([][]byte{}, lines[:3]...), lines[2:]...)...),
		"exchanged":  join(lines[0], lines[2], lines[1], lines[3]),
		"two files":  join(data, otherData),
		"no header":  join(lines[1:]...),
		"blank line": join(lines[0], lines[1], []byte("\n"), lines[2]),
		"text":       []byte("to do:\nbuy milk\n"),
		"empty":      nil,
	} {
		os.WriteFile(path, bad, 0o666)
		var damage *Damage
		if _, _, _, err := Open(path, header()); !errors.As(err, &damage) {
			t.Errorf("%s: %v", name, err)
		}
		if left, _ := os.ReadFile(path); !bytes.Equal(left, bad) {
			t.Errorf("%s: the file was changed", name)
		}
	}
}

func TestMismatch(t *testing.T) {
	path, _ := written(t, 1)
	for want, change := range map[string]func(h *Header){
		`the version is "1" there and "2" here`:               func(h *Header) { h.Version = "2" },
		`the design's hash is "abc" there`:                    func(h *Header) { h.Design = "def" },
		`--fault is "zero,one" there and "zero" here`:         func(h *Header) { h.Options["--fault"] = "zero" },
		`--property is "0" there and "(not set)" here`:        func(h *Header) { delete(h.Options, "--property") },
		`--budget is "(not set)" there and "2x" here`:         func(h *Header) { h.Options["--budget"] = "2x" },
		`there and "9" here, --property is "0" there and "1"`: func(h *Header) { h.Options["--fault"], h.Options["--property"] = "9", "1" },
	} {
		h := header()
		change(&h)
		var m *Mismatch
		if _, _, _, err := Open(path, h); !errors.As(err, &m) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// fullDisk writes half of what it is given and fails, while full.
type fullDisk struct {
	*os.File
	full, stuck bool
}

func (f *fullDisk) Write(p []byte) (int, error) {
	if !f.full {
		return f.File.Write(p)
	}
	n, _ := f.File.Write(p[:len(p)/2])
	return n, syscall.ENOSPC
}

func (f *fullDisk) Truncate(n int64) error {
	if f.stuck {
		return syscall.EIO
	}
	return f.File.Truncate(n)
}

// TestFullDisk: a failed record leaves no trace, and the journal can go on.
func TestFullDisk(t *testing.T) {
	path, _ := written(t, 2)
	j, _, _ := mustOpen(t, path)
	disk := &fullDisk{File: j.file.(*os.File)}
	j.file = disk
	for i := 2; i < 5; i++ {
		disk.full = true
		if err := j.Append(sample(i), sample(i)); !errors.Is(err, syscall.ENOSPC) {
			t.Fatal(err)
		}
		if _, records, torn, err := Read(path); err != nil || torn || check(t, records) != i {
			t.Fatal(torn, err)
		}
		disk.full = false
		if err := j.Append(sample(i)); err != nil {
			t.Fatal(err)
		}
	}
	disk.full, disk.stuck = true, true
	if err := j.Append(sample(5)); err == nil {
		t.Fatal("no error")
	}
	disk.full, disk.stuck = false, false
	if err := j.Append(sample(5)); err == nil {
		t.Error("a journal whose end is not known took a record")
	}
	j.Close()
	j, records, dropped := mustOpen(t, path)
	defer j.Close()
	if check(t, records) != 5 || dropped == 0 {
		t.Errorf("%d records, %d bytes dropped", len(records), dropped)
	}
}

func TestConcurrentAppends(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	j, _, _ := mustOpen(t, path)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 10 {
				if err := j.Append("x", "y"); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	j.Close()
	if _, records, torn, err := Read(path); err != nil || torn || len(records) != 160 {
		t.Errorf("%d records, torn %v, %v", len(records), torn, err)
	}
}

// TestKill kills a process that appends, with SIGKILL at random moments, and
// goes on where it stopped: the records are always the first ones, and those
// that the process has reported as written are all there.
func TestKill(t *testing.T) {
	if path := os.Getenv("NETCOV_JOURNAL_TEST"); path != "" {
		appendForEver(path)
	}
	path := filepath.Join(t.TempDir(), "j")
	kills := 100
	if testing.Short() {
		kills = 10
	}
	r := rand.New(rand.NewPCG(1, 1))
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	reached, torn := 0, 0
	for range kills {
		var out bytes.Buffer
		c := exec.Command(program, "-test.run=^TestKill$")
		c.Env = append(os.Environ(), "NETCOV_JOURNAL_TEST="+path)
		c.Stdout = &out
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(r.IntN(25000)) * time.Microsecond)
		c.Process.Kill()
		c.Wait()
		lines := strings.Split(out.String(), "\n")
		if len(lines) > 1 { // the last one may be torn
			n, err := strconv.Atoi(lines[len(lines)-2])
			if err != nil {
				t.Fatal(out.String())
			}
			reached = max(reached, n)
		}
		_, records, isTorn, err := Read(path)
		if errors.Is(err, os.ErrNotExist) && reached == 0 {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if isTorn {
			torn++
		}
		if n := check(t, records); n < reached {
			t.Fatalf("%d records, %d were reported as written", n, reached)
		}
	}
	t.Logf("%d kills, %d torn records, %d records", kills, torn, reached)
	if left, _ := filepath.Glob(path + "*.tmp"); len(left) > kills/2 {
		t.Errorf("temporary files: %v", left)
	}
}

func appendForEver(path string) {
	j, records, _, err := Open(path, header())
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for i := len(records); ; i++ {
		if err := j.Append(sample(i)); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println(i + 1)
	}
}

// FuzzParse: any bytes are read without a panic; what is accepted is what
// Append would have written.
func FuzzParse(f *testing.F) {
	_, data := written(f, 3)
	f.Add(data)
	f.Add(data[:len(data)-5])
	f.Add([]byte("\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var c *content
		var err error
		alloctest.Check(t, len(data), 100, func() { c, err = parse("fuzz", data) })
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("refusal of several lines: %q", err)
			}
			return
		}
		line, last, err := encode(checksum{}, c.header)
		if err != nil {
			t.Fatal(err)
		}
		out := bytes.Clone(line)
		for _, r := range c.records {
			if line, last, err = encode(last, r); err != nil {
				t.Fatal(err)
			}
			out = append(out, line...)
		}
		if last != c.last || !bytes.Equal(out, data[:c.size]) {
			t.Fatalf("%q is written as %q", data, out)
		}
	})
}

// TestManyOpen: of several that open a new journal at the same moment one gets
// it, and the others are told why not.
func TestManyOpen(t *testing.T) {
	for range 30 {
		path := filepath.Join(t.TempDir(), "journal")
		type outcome struct {
			j   *Journal
			err error
		}
		const openers = 8
		done := make(chan outcome)
		for range openers {
			go func() {
				j, _, _, err := Open(path, Header{})
				done <- outcome{j, err}
			}()
		}
		var open []*Journal
		for range openers {
			o := <-done
			if o.err == nil {
				open = append(open, o.j)
			} else if !strings.Contains(o.err.Error(), "another process has the journal open") {
				t.Error(o.err)
			}
		}
		if len(open) != 1 {
			t.Errorf("%d have the journal open", len(open))
		}
		for _, j := range open {
			j.Close()
		}
	}
}
