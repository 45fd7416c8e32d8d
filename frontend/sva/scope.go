// Declarations and where they are seen: modules, packages and the rest of the
// file, and generate blocks within a module.

package sva

import "slices"

// decl is a property, sequence or let declaration.
type decl struct {
	kind       string
	at         token
	conditions []condition
	params     []token // between the parentheses
	body       []token
	scope      *scope
}

// event is a clocking block, default or named, or a default disable iff.
type event struct {
	at         token
	conditions []condition
	name       string  // of a clocking block
	toks       []token // of its event, or of the condition
}

// parameter is a local parameter with its value, or one that may be overridden.
type parameter struct {
	at         token
	conditions []condition
	local      bool
	ranged     bool
	value      []token
}

type scope struct {
	name      string
	parent    *scope
	decls     map[string][]*decl
	params    map[string][]parameter
	clockings []event
	defaults  []event // default clocking
	disables  []event // default disable iff
	packages  map[string]*scope
	imports   []string // packages whose names are seen
	generate  bool     // a generate block
	iface     bool     // an interface
	pkg       bool     // a package
	end       int      // token; 0: the end of the source
}

func newScope(name string, parent *scope) *scope {
	s := &scope{name: name, parent: parent, decls: map[string][]*decl{}, params: map[string][]parameter{}}
	if parent != nil {
		s.packages = parent.packages
	} else {
		s.packages = map[string]*scope{}
	}
	return s
}

// around lists the scopes that a name is looked for in: each one before the packages
// that it imports, and that before what it lies in.
func (s *scope) around() []*scope {
	var list []*scope
	for ; s != nil; s = s.parent {
		list = append(list, s)
		for _, name := range s.imports {
			if p := s.packages[name]; p != nil {
				list = append(list, p)
			}
		}
	}
	return list
}

// find returns the declaration of a name, nil without one.
func (s *scope) find(t token, how choice) *decl {
	for _, s := range s.around() {
		var found *decl
		for _, d := range s.decls[t.text] {
			if !how.holds(t, d.conditions) {
				continue
			}
			if found != nil {
				refuse(t, "give them different names", "%s is declared twice here", t.text)
			}
			found = d
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// constant returns the value of a local parameter.
func (s *scope) constant(t token, how choice, depth int) int {
	const cure = "write the number, or a local parameter of numbers"
	if depth++; depth > maxDepth {
		refuse(t, "", "local parameters refer to each other")
	}
	for _, in := range s.around() {
		var found *parameter
		for i, p := range in.params[t.text] {
			if !how.holds(t, p.conditions) {
				continue
			}
			if found != nil {
				refuse(t, cure, "%s is declared twice here", t.text)
			}
			found = &in.params[t.text][i]
		}
		if found == nil {
			continue
		}
		if !found.local && !in.pkg {
			refuse(t, cure, "the bound %s is a parameter or genvar, of which there may be several values", t.text)
		}
		if found.ranged {
			refuse(t, cure, "the bound %s is a local parameter with a range", t.text)
		}
		p := &parser{toks: closeTokens(flatten(found.value, how), t), scope: in, how: how, spec: &spec{}, depth: depth}
		v := p.sum()
		if r := p.peek(); r.kind != end {
			refuse(t, cure, "the value of %s is not a sum or product of numbers", t.text)
		}
		return v
	}
	refuse(t, cure, "the bound %s is no number", t.text)
	return 0
}

// closeTokens ends a list with a token of kind end, placed at t.
func closeTokens(toks []token, t token) []token {
	return append(slices.Clip(toks), token{kind: end, line: t.line, column: t.column})
}

// clocking returns the clocking block of a name, and the scope that it stands in; nil
// without one.
func (s *scope) clocking(t token, how choice) (*event, *scope) {
	for ; s != nil; s = s.parent {
		for i, e := range s.clockings {
			if e.name == t.text && how.holds(t, e.conditions) {
				return &s.clockings[i], s
			}
		}
	}
	return nil, nil
}

// clock resolves an event: names of clocking blocks become their events.
func (s *scope) clock(toks []token, how choice) []token {
	toks = flatten(toks, how)
	for len(toks) > 2 && toks[0].is("(") && closing(toks, 0) == len(toks)-1 {
		toks = toks[1 : len(toks)-1]
	}
	if len(toks) == 1 && toks[0].kind == name {
		if e, in := s.clocking(toks[0], how); e != nil {
			return in.clock(e.toks, how)
		}
	}
	if len(toks) == 0 {
		panic("an event without tokens")
	}
	at := toks[0]
	if !at.is("posedge") && !at.is("negedge") || len(toks) < 2 {
		refuse(at, "write posedge or negedge", "the clock %s has no edge", join(toks))
	}
	for _, t := range toks[1:] {
		switch t.text {
		case "iff":
			refuse(t, "put the condition into the property", "a clock with iff is not supported")
		case "or", ",":
			refuse(t, "use one clock", "several clock edges are not supported")
		case "posedge", "negedge", "edge":
			refuse(t, "use one clock", "several clock edges are not supported")
		case "$global_clock":
			refuse(t, "", "$global_clock is not supported")
		}
	}
	return toks
}

// one returns the event of a list that holds here, nil without one.
func (s *scope) one(what string, list func(*scope) []event, at token, how choice) *event {
	for ; s != nil; s = s.parent {
		var found *event
		for i, e := range list(s) {
			if how.holds(at, e.conditions) {
				if found != nil {
					refuse(e.at, "keep one", "a second %s here", what)
				}
				found = &list(s)[i]
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}
