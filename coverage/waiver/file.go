package waiver

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"netcov/internal/atomicfile"
	"netcov/internal/plainfile"
)

// Read reads a file of waivers.
func Read(path string) ([]Waiver, error) {
	_, list, err := read(path)
	return list, err
}

func read(path string) (string, []Waiver, error) {
	if err := plainfile.CheckText(path); err != nil {
		return "", nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", nil, err
	}
	list, err := Parse(data)
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", path, err)
	}
	return string(data), list, nil
}

// Add adds a waiver at the end of a file, which is made where there is none. What the
// file has stays as it is, comments too.
func Add(path string, w Waiver) error {
	entry, err := w.Entry()
	if err != nil {
		return err
	}
	text, list, err := read(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if text != "" {
		text = strings.TrimRight(text, "\n") + "\n\n"
	}
	text += entry
	if again, err := Parse([]byte(text)); err != nil || len(again) != len(list)+1 {
		return fmt.Errorf("%s: an entry at its end would not be read as one; make [[waiver]] the form of each entry", path)
	}
	return atomicfile.Write(path, func(to io.Writer) error {
		_, err := io.WriteString(to, text)
		return err
	})
}
