// Tasks and tags: which lines of a project a task has. Each line of the section [tasks]
// names tasks and the groups that they belong to; a line that begins with "name:" is
// there for that task or group alone, one with "~name:" for all others. Such a mark on
// a line of its own begins a block, which goes on to the next or to "--".

package sby

import (
	"regexp"
	"slices"
	"strings"
)

// python is the mark at the beginning of a block of Python, between dashes.
const python = "pycode-begin"

// tagging collects the tasks and decides on lines.
type tagging struct {
	p        *project
	task     string
	tasks    []string // all, in their order
	defaults []string // those that are run unless one is named
	names    map[string]bool
	active   map[string]bool // task and groups
	matched  bool

	inTasks bool
	block   bool // a block is open
	skip    bool // and it is not this task's
}

// selectTask returns the lines for a task. Without a name it takes the only one.
func (p *project) selectTask(text, task string) ([]line, error) {
	t, lines, err := p.tag(text, task)
	if err != nil {
		return nil, err
	}
	candidates := t.tasks
	if len(t.defaults) > 0 {
		candidates = t.defaults
	}
	switch {
	case task == "" && len(candidates) == 1:
		p.task = candidates[0]
		_, lines, err = p.tag(text, p.task)
		return lines, err
	case task == "" && len(candidates) > 1:
		return nil, p.refuse(line{}, "name one of them after the file: "+strings.Join(t.tasks, ", "), "the project has %d tasks", len(t.tasks))
	case task != "" && len(t.tasks) == 0:
		return nil, p.refuse(line{}, "name none", "the project has no tasks, so %q is none", task)
	case task != "" && !t.matched:
		return nil, p.refuse(line{}, "it has "+strings.Join(t.tasks, ", "), "the project has no task %q", task)
	}
	p.task = task
	return lines, nil
}

// tag walks over all lines.
func (p *project) tag(text, task string) (*tagging, []line, error) {
	t := &tagging{p: p, task: task, names: map[string]bool{}, active: map[string]bool{}}
	var lines []line
	no := 0
	for raw := range strings.Lines(text) {
		no++
		l := line{strings.TrimRight(raw, "\r\n"), no}
		if strings.TrimSpace(l.text) == "--"+python+"--" {
			return nil, nil, p.refuse(l, "let SymbiYosys write the task out (its option dumpcfg), and give that", "%s: a block of Python, which netcov does not run", python)
		}
		keep, err := t.line(&l)
		if err != nil {
			return nil, nil, err
		}
		if keep {
			lines = append(lines, l)
		}
	}
	return t, lines, nil
}

// line decides on a line, and takes the mark off.
func (t *tagging) line(l *line) (keep bool, err error) {
	if t.inTasks && strings.HasPrefix(l.text, "[") {
		t.inTasks = false
	}
	if t.inTasks {
		return false, t.define(*l)
	}
	if t.block && strings.TrimSpace(l.text) == "--" {
		t.block, t.skip = false, false
		return false, nil
	}
	name, rest, found := strings.Cut(l.text, ":")
	plain := strings.TrimPrefix(name, "~")
	switch {
	case found && t.names[plain]:
		mine := t.active[plain] == (plain == name)
		l.text = strings.TrimLeft(rest, " \t")
		if l.text == "" {
			t.block, t.skip = true, !mine
			return false, nil
		}
		return mine && !t.skip, nil
	case len(t.names) > 0 && unknownTag.MatchString(l.text):
		return false, t.p.refuse(*l, "list it in [tasks]", "%q is no task and no group", strings.TrimSuffix(strings.Fields(l.text)[0], ":"))
	}
	if l.text == "[tasks]" {
		t.inTasks = true
		return false, nil
	}
	return !t.skip, nil
}

// unknownTag is a line that begins as one for a task does.
var unknownTag = regexp.MustCompile(`^\S+:(\s|$)`)

// define reads a line of the section [tasks]: tasks, or one task and its groups.
func (t *tagging) define(l line) error {
	if strings.HasPrefix(l.text, "#") {
		return nil
	}
	left, right, several := strings.Cut(l.text, ":")
	tasks, groups := strings.Fields(left), strings.Fields(right)
	if strings.Contains(right, ":") {
		return t.p.refuse(l, "write the tasks, a colon, and their groups", "a line of [tasks] with two colons")
	}
	if !several && len(tasks) > 1 {
		tasks, groups = tasks[:1], tasks[1:]
	}
	for _, g := range groups {
		if g != "default" && !isPattern(g) {
			t.names[g] = true
		}
	}
	for _, name := range tasks {
		if !isPattern(name) {
			if !slices.Contains(t.tasks, name) {
				t.tasks = append(t.tasks, name)
			}
			if slices.Contains(groups, "default") && !slices.Contains(t.defaults, name) {
				t.defaults = append(t.defaults, name)
			}
			t.names[name] = true
		}
		ok, err := t.match(l, name, t.task)
		if err != nil {
			return err
		}
		if t.task == "" || !ok {
			continue
		}
		t.matched = true
		t.active[name] = true
		for _, g := range groups {
			for known := range t.names {
				ok, err := t.match(l, g, known)
				if err != nil {
					return err
				}
				if ok && g != "default" {
					t.active[known] = true
				}
			}
		}
	}
	return nil
}

// isPattern reports whether a name is a regular expression.
func isPattern(name string) bool { return strings.ContainsAny(name, "(?*.[]|)") }

// match reports whether a name, or a regular expression, fits the whole of another.
func (t *tagging) match(l line, pattern, name string) (bool, error) {
	if !isPattern(pattern) {
		return pattern == name, nil
	}
	re, err := regexp.Compile(`^(?:` + pattern + `)$`)
	if err != nil {
		return false, t.p.refuse(l, "correct it", "%q is no regular expression", pattern)
	}
	return re.MatchString(name), nil
}
