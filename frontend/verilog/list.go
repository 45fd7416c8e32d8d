// Lists of sources, as simulators read them with -f and -F.

package verilog

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"netcov/frontend/verilog/preprocess"
)

// maxLists is more than any project has.
const maxLists = 1000

// word is an entry of a list, or a part of one.
type word struct {
	text string
	line int
}

// list is a file that names sources.
type list struct {
	path  string
	own   bool // names are relative to its folder, as -F has it
	words []word
	at    int
}

// readList reads a list: names of files, +incdir+DIR, +define+NAME, +libext+.v, and
// -I, -D, -U, -G, -f, -F, -y, -v with their values. After -f a name is relative to the
// working folder, or, if there is no such file, to the list's; after -F to the list's.
func (o *Options) readList(path string, own bool, depth int) error {
	if depth > 20 {
		return &Error{File: path, What: "lists include each other", Cure: "remove the cycle of -f entries"}
	}
	if o.lists++; o.lists > maxLists {
		return &Error{File: path, What: fmt.Sprintf("more than %d lists are read", maxLists), Cure: "include each list once"}
	}
	data, err := preprocess.ReadFile(path)
	if err != nil {
		return err
	}
	l := &list{path: path, own: own}
	if err := l.split(string(data)); err != nil {
		return err
	}
	for ; l.at < len(l.words); l.at++ {
		if err := o.entry(l, depth); err != nil {
			return err
		}
	}
	return nil
}

// split makes words of a text. Comments begin where a word could; quotes hold blanks
// together; ${NAME}, $(NAME) and $NAME are variables of the environment.
func (l *list) split(text string) error {
	line := 1
	for at := 0; at < len(text); {
		rest := text[at:]
		switch c := text[at]; {
		case c == '\n':
			line++
			at++
		case c <= ' ':
			at++
		case c == '#' || strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				return nil
			}
			at += end
		case strings.HasPrefix(rest, "/*"):
			comment, _, ended := strings.Cut(rest[2:], "*/")
			if !ended {
				return &Error{File: l.path, Line: line, What: "this comment has no end", Cure: "add */"}
			}
			line += strings.Count(comment, "\n")
			at += len(comment) + 4
		default:
			var w strings.Builder
			quoted := false
			for ; at < len(text) && (text[at] > ' ' || quoted && text[at] != '\n'); at++ {
				if text[at] == '"' {
					quoted = !quoted
				} else {
					w.WriteByte(text[at])
				}
			}
			if quoted {
				return &Error{File: l.path, Line: line, What: "this name has no closing quote", Cure: `add "`}
			}
			expanded, err := l.expand(w.String(), line)
			if err != nil {
				return err
			}
			l.words = append(l.words, word{expanded, line})
		}
	}
	return nil
}

var variable = regexp.MustCompile(`\$(?:\{(\w+)\}|\((\w+)\)|(\w+))`)

// expand replaces variables of the environment.
func (l *list) expand(text string, line int) (string, error) {
	var unknown string
	out := variable.ReplaceAllStringFunc(text, func(found string) string {
		name := strings.Trim(found, "${}()")
		value, ok := os.LookupEnv(name)
		if !ok {
			unknown = name
		}
		return value
	})
	if unknown != "" {
		return "", &Error{File: l.path, Line: line, What: fmt.Sprintf("the environment has no variable %s", unknown), Cure: "set it"}
	}
	return out, nil
}

// name finds the file or folder that an entry names.
func (l *list) name(text string) string {
	if filepath.IsAbs(text) {
		return text
	}
	beside := filepath.Join(filepath.Dir(l.path), text)
	if l.own || !exists(text) && exists(beside) {
		return beside
	}
	return text
}

// value returns what stands behind a flag, on the same word or as the next.
func (l *list) value(flag string) (string, error) {
	w := l.words[l.at]
	if w.text != flag {
		return strings.TrimPrefix(w.text[len(flag):], "="), nil
	}
	if l.at++; l.at >= len(l.words) || l.words[l.at].line != w.line {
		return "", &Error{File: l.path, Line: w.line, What: flag + " without a value", Cure: "write it on the same line"}
	}
	return l.words[l.at].text, nil
}

// ignored are entries that say nothing about the circuit; -timescale may have a value.
var ignored = regexp.MustCompile(`^(-sv|-sverilog|-g20\d\d(-\w+)?|\+v2k|-full64|[-+]timescale[=+].*|-override_timescale=.*)$`)

// entry takes the entry at the current word.
func (o *Options) entry(l *list, depth int) error {
	w := l.words[l.at]
	each := func(prefix string, take func(string)) {
		for _, part := range strings.Split(w.text[len(prefix):], "+") {
			if part != "" {
				take(part)
			}
		}
	}
	flag := ""
	for _, f := range []string{"-timescale", "--top", "-top", "-I", "-D", "-U", "-G", "-f", "-F", "-y", "-v"} {
		if w.text == f || len(f) == 2 && strings.HasPrefix(w.text, f) && !ignored.MatchString(w.text) {
			flag = f
			break
		}
	}
	switch {
	case flag != "":
		v, err := l.value(flag)
		if err != nil {
			return err
		}
		return o.flag(l, flag, v, depth)
	case strings.HasPrefix(w.text, "+incdir+"):
		each("+incdir+", func(d string) { o.Include = append(o.Include, l.name(d)) })
	case strings.HasPrefix(w.text, "+define+"):
		each("+define+", func(d string) { o.Defines = append(o.Defines, d) })
	case strings.HasPrefix(w.text, "+libext+"):
		each("+libext+", func(e string) { o.LibExts = append(o.LibExts, e) })
	case ignored.MatchString(w.text):
	case w.text == "":
	case w.text[0] == '-' || w.text[0] == '+':
		return &Error{File: l.path, Line: w.line, What: fmt.Sprintf("unknown entry %q", w.text), Cure: "a list holds file names, +incdir+, +define+, +libext+, -I, -D, -U, -G, -f, -F, -y, -v and -top"}
	default:
		o.Files = append(o.Files, l.name(w.text))
	}
	return nil
}

// flag takes a flag with its value.
func (o *Options) flag(l *list, flag, v string, depth int) error {
	switch flag {
	case "-I":
		o.Include = append(o.Include, l.name(v))
	case "-D":
		o.Defines = append(o.Defines, v)
	case "-G":
		o.Params = append(o.Params, v)
	case "-U":
		o.Undefine = append(o.Undefine, v)
	case "-y":
		o.LibDirs = append(o.LibDirs, l.name(v))
	case "-v":
		o.LibFiles = append(o.LibFiles, l.name(v))
	case "-top", "--top":
		if o.Top == "" {
			o.Top = v
		}
	case "-f", "-F":
		return o.readList(l.name(v), flag == "-F", depth+1)
	}
	return nil
}
