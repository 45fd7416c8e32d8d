package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"netcov/coverage/journal"
)

// TestForgedJournal: a journal whose records are whole but false is refused in
// one line. What was decided of the properties before is reported.
func TestForgedJournal(t *testing.T) {
	dir := t.TempDir()
	design, good, forged := filepath.Join(dir, "d.aag"), filepath.Join(dir, "good"), filepath.Join(dir, "forged")
	if err := os.WriteFile(design, []byte("aag 5 1 3 0 1 2\n2\n4 5\n6 4\n8 8\n10\n8\n10 4 6\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, e := call(t, "cover", design, "--journal", good); code != exitDone {
		t.Fatal(e)
	}
	header, records, _, err := journal.Read(good)
	if err != nil {
		t.Fatal(err)
	}
	j, _, _, err := journal.Open(forged, header)
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	for _, text := range records {
		var r map[string]any
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatal(err)
		}
		if trace, ok := r["trace"].(map[string]any); ok && r["property"] == 1.0 {
			inputs := trace["inputs"].([]any)
			trace["inputs"] = inputs[:len(inputs)-1]
			changed++
		}
		if err := j.Append(r); err != nil {
			t.Fatal(err)
		}
	}
	j.Close()
	if changed == 0 {
		t.Fatal("no trace to change")
	}
	code, o, e := call(t, "cover", design, "--journal", forged, "--rows", "0")
	if code != exitFailure || strings.Count(e, "\n") != 1 || !strings.Contains(e, forged+": the journal cannot be taken up; remove it") {
		t.Errorf("exit code %d, %s", code, e)
	}
	if o != "" {
		t.Errorf("there is a report of a part of the set:\n%s", o)
	}
	if code, o, _ := call(t, "cover", design, "--journal", good); code != exitDone || !strings.Contains(o, " bad 1 ") {
		t.Errorf("the true journal: exit code %d\n%s", code, o)
	}
}
