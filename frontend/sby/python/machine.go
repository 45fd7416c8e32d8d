// Running a block: names, the work it may do, and the functions and methods there are.

package python

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWork is how many bytes a block may handle in all, each operation counting as some.
const maxWork = 32 << 20

// maxBlock is how long a block may be.
const maxBlock = 64 << 10

// Env is what a block sees of the world.
type Env struct {
	Task string // "" for None
	Tags []string
	// Read returns the bytes of a file that a block opens.
	Read func(name string) ([]byte, error)
	// List returns the names in a folder.
	List func(name string) ([]string, error)
}

// Output is a line that a block writes, and the line of the block that did so.
type Output struct {
	Text string
	Line int
}

// Run interprets a block. Errors are *Error.
func Run(block string, env Env) ([]Output, error) {
	if len(block) > maxBlock {
		return nil, refuse(1, "the block has more than %d bytes", maxBlock)
	}
	tokens, err := lex(block)
	if err != nil {
		return nil, err
	}
	p := &parser{tokens: tokens}
	program, err := p.block(end)
	if err != nil {
		return nil, err
	}
	m := &machine{env: env, names: map[string]value{"task": nil}}
	if env.Task != "" {
		m.names["task"] = env.Task
	}
	tags := set{}
	for _, t := range env.Tags {
		tags[t] = true
	}
	m.names["tags"] = tags
	return m.output, m.run(program)
}

type machine struct {
	env    Env
	names  map[string]value
	output []Output
	work   int
}

type (
	expression func(*machine) (value, error)
	statement  func(*machine) error
)

// run executes statements.
func (m *machine) run(all []statement) error {
	for _, s := range all {
		if err := s(m); err != nil {
			return err
		}
	}
	return nil
}

// spend counts an operation on n bytes.
func (m *machine) spend(line, n int) error {
	if m.work += 16 + min(n, maxWork); m.work > maxWork {
		return refuse(line, "the block does too much: more than %d million bytes are handled", maxWork>>20)
	}
	return nil
}

// each walks over the items of a value.
func (m *machine) each(line int, v value, do func(value) error) error {
	var items []value
	switch v := v.(type) {
	case *file:
		for text := v.next(); text != ""; text = v.next() {
			if err := do(text); err != nil {
				return err
			}
		}
		return nil
	case list:
		items = v
	case tuple:
		items = v
	case string:
		for _, c := range v {
			items = append(items, string(c))
		}
	case set:
		for s := range v {
			items = append(items, s)
		}
		slices.SortFunc(items, func(a, b value) int { return strings.Compare(a.(string), b.(string)) })
	default:
		return refuse(line, "a loop over a %s is not in the part of Python that is read", typeName(v))
	}
	for _, item := range items {
		if err := do(item); err != nil {
			return err
		}
	}
	return nil
}

// texts are the items of a value, all of them strings.
func (m *machine) texts(line int, v value) ([]string, error) {
	var all []string
	err := m.each(line, v, func(item value) error {
		s, ok := item.(string)
		if !ok {
			return refuse(line, "a %s stands where only strings are read", typeName(item))
		}
		all = append(all, s)
		return m.spend(line, 0)
	})
	return all, err
}

// call is a function or a method: its line, its shown name and its arguments, the
// receiver of a method first.
type call struct {
	line int
	name string
	args []value
}

func (c call) wrong() error {
	var types []string
	for _, a := range c.args {
		types = append(types, typeName(a))
	}
	return refuse(c.line, "%s with the arguments (%s) is not in the part of Python that is read", c.name, strings.Join(types, ", "))
}

// str returns the i-th argument as a string; without one ok is false.
func (c call) str(i int) (s string, ok bool) {
	if i < len(c.args) {
		s, ok = c.args[i].(string)
	}
	return s, ok
}

type function func(m *machine, c call) (value, error)

// functions are the built-in ones; a name of theirs cannot be assigned.
var functions = map[string]function{
	"output": func(m *machine, c call) (value, error) {
		s, ok := c.str(0)
		if !ok || len(c.args) != 1 {
			return nil, c.wrong()
		}
		m.output = append(m.output, Output{s, c.line})
		return nil, nil
	},
	"str": func(_ *machine, c call) (value, error) {
		if len(c.args) == 1 {
			if s, ok := show(c.args[0]); ok {
				return s, nil
			}
		}
		return nil, c.wrong()
	},
	"int": func(_ *machine, c call) (value, error) {
		if len(c.args) == 1 {
			if n, ok := whole(c.args[0]); ok {
				return n, nil
			}
			if s, ok := c.str(0); ok && digits.MatchString(s) {
				return strconv.Atoi(s)
			}
		}
		return nil, c.wrong()
	},
	"len": func(_ *machine, c call) (value, error) {
		if len(c.args) == 1 {
			switch v := c.args[0].(type) {
			case string:
				return utf8.RuneCountInString(v), nil
			case list, tuple, set:
				return size(v) / 16, nil
			}
		}
		return nil, c.wrong()
	},
	"range": func(m *machine, c call) (value, error) {
		from, to := 0, 0
		ok := len(c.args) == 1 || len(c.args) == 2
		if ok {
			to, ok = c.args[len(c.args)-1].(int)
		}
		if ok && len(c.args) == 2 {
			from, ok = c.args[0].(int)
		}
		if !ok {
			return nil, c.wrong()
		}
		all := list{}
		for i := from; i < to; i++ {
			if err := m.spend(c.line, 16); err != nil {
				return nil, err
			}
			all = append(all, i)
		}
		return all, nil
	},
	"sorted": func(m *machine, c call) (value, error) {
		if len(c.args) != 1 {
			return nil, c.wrong()
		}
		names, err := m.texts(c.line, c.args[0])
		slices.Sort(names)
		return listOf(names), err
	},
	"open": func(m *machine, c call) (value, error) {
		name, ok := c.str(0)
		if mode, given := c.str(1); !ok || len(c.args) > 2 || len(c.args) == 2 && (!given || mode != "r") {
			return nil, refuse(c.line, "open is read for a name alone, or a name and \"r\"")
		}
		bytes, err := m.env.Read(name)
		switch {
		case err != nil:
			return nil, refuse(c.line, "%v", err)
		case !utf8.Valid(bytes):
			return nil, refuse(c.line, "%s is no text in UTF-8", name)
		}
		return &file{strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(bytes))}, m.spend(c.line, len(bytes))
	},
}

// digits are what int() reads here.
var digits = regexp.MustCompile(`^[0-9]{1,18}$`)

func listOf(texts []string) list {
	all := list{}
	for _, t := range texts {
		all = append(all, t)
	}
	return all
}

// blank is a blank for Python's strip and split.
func blank(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

// ofStrings are the methods of strings.
var ofStrings = map[string]function{
	"strip":  stripping(strings.TrimFunc, strings.Trim),
	"lstrip": stripping(strings.TrimLeftFunc, strings.TrimLeft),
	"rstrip": stripping(strings.TrimRightFunc, strings.TrimRight),
	"startswith": func(_ *machine, c call) (value, error) {
		if prefix, ok := c.str(1); ok && len(c.args) == 2 {
			s, _ := c.str(0)
			return strings.HasPrefix(s, prefix), nil
		}
		return nil, c.wrong()
	},
	"endswith": func(_ *machine, c call) (value, error) {
		if suffix, ok := c.str(1); ok && len(c.args) == 2 {
			s, _ := c.str(0)
			return strings.HasSuffix(s, suffix), nil
		}
		return nil, c.wrong()
	},
	"replace": func(m *machine, c call) (value, error) {
		s, _ := c.str(0)
		old, ok := c.str(1)
		by, ok2 := c.str(2)
		if !ok || !ok2 || len(c.args) != 3 {
			return nil, c.wrong()
		}
		if err := m.spend(c.line, len(s)+strings.Count(s, old)*len(by)); err != nil {
			return nil, err
		}
		return strings.ReplaceAll(s, old, by), nil
	},
	"split": func(m *machine, c call) (value, error) {
		s, _ := c.str(0)
		if len(c.args) == 1 {
			return listOf(strings.FieldsFunc(s, blank)), m.spend(c.line, 16*len(s))
		}
		sep, ok := c.str(1)
		if !ok || sep == "" || len(c.args) != 2 {
			return nil, c.wrong()
		}
		return listOf(strings.Split(s, sep)), m.spend(c.line, 16*len(s))
	},
	"join": func(m *machine, c call) (value, error) {
		if len(c.args) != 2 {
			return nil, c.wrong()
		}
		parts, err := m.texts(c.line, c.args[1])
		if err != nil {
			return nil, err
		}
		s, _ := c.str(0)
		return m.join(c.line, s, parts)
	},
	"format": func(m *machine, c call) (value, error) {
		s, _ := c.str(0)
		pieces := strings.Split(s, "{}")
		if strings.ContainsAny(strings.Join(pieces, ""), "{}") || len(c.args) != len(pieces) {
			return nil, refuse(c.line, "the format %q: one {} for each value is read", s)
		}
		parts := []string{pieces[0]}
		for i, v := range c.args[1:] {
			shown, ok := show(v)
			if !ok {
				return nil, c.wrong()
			}
			parts = append(parts, shown, pieces[i+1])
		}
		return m.join(c.line, "", parts)
	},
}

func stripping(blanks func(string, func(rune) bool) string, chars func(string, string) string) function {
	return func(_ *machine, c call) (value, error) {
		s, _ := c.str(0)
		if len(c.args) == 1 {
			return blanks(s, blank), nil
		}
		if set, ok := c.str(1); ok && len(c.args) == 2 {
			return chars(s, set), nil
		}
		return nil, c.wrong()
	}
}

var ofFiles = map[string]function{
	"read": func(_ *machine, c call) (value, error) {
		f := c.args[0].(*file)
		if len(c.args) != 1 {
			return nil, c.wrong()
		}
		all := f.rest
		f.rest = ""
		return all, nil
	},
	"readlines": func(m *machine, c call) (value, error) {
		if len(c.args) != 1 {
			return nil, c.wrong()
		}
		lines, err := m.texts(c.line, c.args[0])
		return listOf(lines), err
	},
}

var ofModules = map[string]map[string]function{
	"os": {"listdir": func(m *machine, c call) (value, error) {
		name, ok := c.str(1)
		if !ok || len(c.args) != 2 {
			return nil, c.wrong()
		}
		names, err := m.env.List(name)
		if err != nil {
			return nil, refuse(c.line, "%v", err)
		}
		slices.Sort(names)
		return listOf(names), m.spend(c.line, 16*len(names))
	}},
}

// method returns a method of a value.
func method(line int, v value, name string) (function, error) {
	shown := typeName(v) + "." + name
	var f function
	switch v := v.(type) {
	case string:
		f = ofStrings[name]
	case *file:
		f = ofFiles[name]
	case module:
		f, shown = ofModules[string(v)][name], string(v)+"."+name
	}
	if f == nil {
		return nil, refuse(line, "%s is not in the part of Python that is read", shown)
	}
	return f, nil
}
