// What yosys is given: not the sources, but texts without directives under plain
// names in a private folder, and copies of the files that $readmemh reads. So no
// name of a file, no macro and no `include reaches yosys, and yosys cannot open a
// file on the word of a design unless it is one that was copied. Places in what
// yosys writes and says are those of the texts; they are turned back as they are
// read.

package verilog

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"netcov/frontend/verilog/preprocess"
)

// sourceFolder is the folder in which yosys runs, inside of the scratch folder.
const sourceFolder = "sources"

// sources is all that is read.
type sources struct {
	texts    []preprocess.Text
	memories []memoryFile
	sum      string // SHA-256 of the bytes of all files that are read
	notes    []string
	lines    map[string][]string // file → its lines as yosys gets them

	asserting []asserting
	enums     enumerations
	bound     []bound
	aliases   int // nets that bind gave to modules

	readings []Reading // of the texts
	folder   preprocess.Folder
	command  string // that reads a netlist in the place of texts
	netlist  string // file of the netlist

	modern  *token     // the first construct that slang is asked to read; nil: none
	initial [][][2]int // parts of each text that were initial blocks of properties
}

// sourceName is the name of the i-th text.
func sourceName(i int) string { return fmt.Sprintf("netcov.%d.v", i+1) }

// takeSources reads the sources and refuses what may not reach yosys or what yosys
// would pass over in silence.
func takeSources(o *Options) (*sources, error) {
	if o.Netlist != nil {
		return takeNetlist(o.Netlist, o.Files[0]), nil
	}
	if o.Written != nil {
		return &sources{texts: o.Written.Texts, readings: make([]Reading, len(o.Written.Texts)), lines: map[string][]string{}, sum: o.Written.Sum, notes: o.Written.Notes}, nil
	}
	macros := map[string]string{"YOSYS": "1"} // as in yosys
	if len(o.Reads) == 0 {
		macros["FORMAL"] = "1"
	}
	for _, name := range o.Undefine {
		delete(macros, name)
	}
	maps.Copy(macros, macroTable(o.Defines))
	from := preprocess.Options{Include: o.Include, Defines: macros, Folder: o.Folder}
	if len(o.Reads) > 0 {
		from.Macros = func(file int) preprocess.Macros { return o.reading(file).macros() }
	}
	read, err := o.preprocess(from)
	if err != nil {
		return nil, err
	}
	s := &sources{texts: read.Texts, lines: map[string][]string{}, folder: o.Folder}
	for i := range s.texts {
		s.readings = append(s.readings, o.reading(i))
	}
	h := sha256.New()
	for _, f := range read.Read {
		h.Write(f.Data)
	}
	for i := range s.texts {
		tokens, note := withoutExports(&s.texts[i], scan(&s.texts[i]))
		s.notes = append(s.notes, note...)
		tokens = withoutDeferral(&s.texts[i], tokens)
		if err := refuseTokens(tokens); err != nil {
			return nil, err
		}
		s.findModern(tokens)
		s.notes = append(s.notes, switchedOff(tokens)...)
		s.asserting = append(s.asserting, assertingModules(tokens)...)
		s.enums.take(tokens)
		if err := s.findMemories(&s.texts[i], tokens, folders(*o)); err != nil {
			return nil, err
		}
	}
	for _, m := range s.memories {
		h.Write(m.data)
	}
	s.sum = hex.EncodeToString(h.Sum(nil))
	s.notes = append(s.notes, notTaken(read.Skipped)...)
	return s, nil
}

// preprocess reads the files, and then those of libraries until nothing is missing
// that they have.
func (o *Options) preprocess(from preprocess.Options) (*preprocess.Result, error) {
	for {
		from.Files = o.Files
		read, err := preprocess.Run(from)
		var refusal *preprocess.Error
		if errors.As(err, &refusal) {
			return nil, &Error{File: refusal.File, Line: refusal.Line, What: refusal.What, Cure: refusal.Cure, Option: refusal.Option}
		} else if err != nil {
			return nil, err
		}
		more, err := o.fromLibraries(read.Texts)
		if err != nil || len(more) == 0 {
			return read, err
		}
		o.Files = append(o.Files, more...)
	}
}

// index lists the lines of each file.
func (s *sources) index() {
	for _, t := range s.texts {
		for i, line := range strings.Split(strings.TrimSuffix(string(t.Text), "\n"), "\n") {
			if i >= len(t.Lines) {
				break
			}
			at := t.Lines[i]
			for len(s.lines[at.File]) < at.Line {
				s.lines[at.File] = append(s.lines[at.File], "")
			}
			if old := &s.lines[at.File][at.Line-1]; len(*old) < len(line) {
				*old = line
			}
		}
	}
}

// write puts all into the folder in which yosys runs.
func (s *sources) write(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	for i, t := range s.texts {
		text := fmt.Sprintf("`file_push \"%s\"\n%s\n`file_pop\n", sourceName(i), t.Text) // as yosys' own preprocessor does it
		if err := os.WriteFile(filepath.Join(dir, sourceName(i)), []byte(text), 0o600); err != nil {
			return err
		}
	}
	for _, m := range s.memories {
		path := filepath.Join(dir, m.name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(path, m.data, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// flagged reports whether a project reads a text with options of yosys' own parser.
func (s *sources) flagged() bool {
	return slices.ContainsFunc(s.readings, func(r Reading) bool { return len(r.Flags) > 0 })
}

// readCommand returns the commands with which yosys reads the texts: one for all that
// are read alike.
func (s *sources) readCommand() string {
	if s.command != "" {
		return s.command
	}
	var commands []string
	for i := range s.texts {
		options := " -sv -formal"
		switch r := s.readings[i]; {
		case r.Old && r.Design:
			options = ""
		case r.Old:
			options = " -formal"
		case r.Design:
			options = " -sv"
		}
		command := "read_verilog" + strings.Join(append([]string{options}, s.readings[i].Flags...), " ") + " -nodpi -nopp "
		if last := len(commands) - 1; last >= 0 && strings.HasPrefix(commands[last], command+"netcov.") {
			commands[last] += " " + sourceName(i)
		} else {
			commands = append(commands, command+sourceName(i))
		}
	}
	return strings.Join(commands, "\n")
}

// names lists the texts as arguments.
func (s *sources) names() string {
	var list strings.Builder
	for i := range s.texts {
		list.WriteString(" " + sourceName(i))
	}
	return list.String()
}

var ownPlace = regexp.MustCompile(`netcov\.(\d+)\.v:(\d+)(?:\.(\d+)-(\d+)\.(\d+))?`)

// restore turns the places of texts into those of the files, in whatever yosys
// wrote.
func (s *sources) restore(text string) string {
	if !strings.Contains(text, "netcov.") {
		return text
	}
	return ownPlace.ReplaceAllStringFunc(text, func(found string) string {
		m := ownPlace.FindStringSubmatch(found)
		from, ok := s.origin(m[1], m[2])
		if !ok {
			return found
		}
		if m[3] == "" {
			return fmt.Sprintf("%s:%d", from.File, from.Line)
		}
		to, ok := s.origin(m[1], m[4])
		if !ok || to.File != from.File || to.Line < from.Line {
			to = from
		}
		return fmt.Sprintf("%s:%d.%s-%d.%s", from.File, from.Line, m[3], to.Line, m[5])
	})
}

// origin returns the place of a line of a text; yosys counts lines from 0 in some
// of its messages.
func (s *sources) origin(text, line string) (preprocess.Place, bool) {
	t, err := strconv.Atoi(text)
	if err != nil || t < 1 || t > len(s.texts) {
		return preprocess.Place{}, false
	}
	l, err := strconv.Atoi(line)
	if err != nil || l < 0 {
		return preprocess.Place{}, false
	}
	return s.texts[t-1].At(l), true
}
