package evidence_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"netcov/aiger"
	"netcov/aiger/randaig"
	"netcov/cert"
	"netcov/certify/evidence"
	"netcov/mutant"
)

// forger changes the evidence of a run that it has at hand. All hashes, counts and
// lists are put right afterwards, and a report is written that says the same.
type forger struct {
	*rand.Rand
	t   testing.TB
	dir string
	h   *honest
}

// forgeries are the ways to lie, each applied to an index; false is not applicable.
// Whether the outcome is a lie the oracle tells: some exchange like for like.
var forgeries = map[string]func(g *forger, x *evidence.Index) bool{
	"drop a mutant": func(g *forger, x *evidence.Index) bool {
		p := g.judged(x)
		if p == nil {
			return false
		}
		at := g.IntN(len(p.Mutants))
		p.Mutants = slices.Delete(p.Mutants, at, at+1)
		return true
	},
	"drop a fault of a property": func(g *forger, x *evidence.Index) bool {
		p := g.judged(x)
		fault := g.fault()
		return p != nil && drop(p, func(m *evidence.IndexMutant) bool { return m.Fault == fault })
	},
	"drop a fault": func(g *forger, x *evidence.Index) bool {
		fault := g.fault()
		return dropAll(x, func(m *evidence.IndexMutant) bool { return m.Fault == fault })
	},
	"drop a fault and its scope": func(g *forger, x *evidence.Index) bool {
		fault := g.fault()
		x.Scope.Faults = slices.DeleteFunc(slices.Clone(x.Scope.Faults), func(f string) bool { return f == fault })
		return dropAll(x, func(m *evidence.IndexMutant) bool { return m.Fault == fault })
	},
	"drop a kind of node of a property": func(g *forger, x *evidence.Index) bool {
		p := g.judged(x)
		kind := g.kind()
		return p != nil && drop(p, func(m *evidence.IndexMutant) bool { return m.Kind == kind })
	},
	"drop a kind of node": func(g *forger, x *evidence.Index) bool {
		kind := g.kind()
		return dropAll(x, func(m *evidence.IndexMutant) bool { return m.Kind == kind })
	},
	"drop a node": func(_ *forger, x *evidence.Index) bool {
		return dropAll(x, func(m *evidence.IndexMutant) bool { return m.Index == 0 })
	},
	"drop uncovered mutants": func(_ *forger, x *evidence.Index) bool {
		return dropAll(x, func(m *evidence.IndexMutant) bool { return m.Verdict == mutant.NotCovered })
	},
	"drop all mutants of a property": func(g *forger, x *evidence.Index) bool {
		p := g.judged(x)
		return p != nil && drop(p, func(*evidence.IndexMutant) bool { return true })
	},
	"drop all mutants and the scope": func(_ *forger, x *evidence.Index) bool {
		x.Scope = &evidence.Scope{Nodes: []string{}, Faults: []string{}, Mux: "output"}
		return dropAll(x, func(*evidence.IndexMutant) bool { return true })
	},
	"drop the scope": func(g *forger, x *evidence.Index) bool {
		x.Scope = nil
		p := g.judged(x)
		return p != nil && drop(p, func(m *evidence.IndexMutant) bool { return m.Index == 0 || m.Fault == "one" })
	},
	"drop a property": func(g *forger, x *evidence.Index) bool {
		at := g.IntN(len(x.Properties))
		x.Properties = slices.Delete(x.Properties, at, at+1)
		return true
	},
	"a property twice": func(g *forger, x *evidence.Index) bool {
		x.Properties = append(x.Properties, x.Properties[g.IntN(len(x.Properties))])
		return true
	},
	"properties' certificates": func(g *forger, x *evidence.Index) bool {
		p, q := g.two(x)
		if p == nil {
			return false
		}
		p.Proof, q.Proof, p.Certificates, q.Certificates = q.Proof, p.Proof, q.Certificates, p.Certificates
		return true
	},
	"properties' mutants": func(g *forger, x *evidence.Index) bool {
		p, q := g.two(x)
		if p == nil {
			return false
		}
		p.Mutants, q.Mutants, p.Certificates, q.Certificates = q.Mutants, p.Mutants, q.Certificates, p.Certificates
		return true
	},
	"properties' numbers": func(g *forger, x *evidence.Index) bool {
		p, q := g.two(x)
		if p == nil {
			return false
		}
		p.Index, q.Index, p.Name, q.Name = q.Index, p.Index, q.Name, p.Name
		return true
	},
	"status": func(g *forger, x *evidence.Index) bool {
		p, q := g.two(x)
		if p == nil {
			p = &x.Properties[0]
			q = p
		}
		if p.Status == cert.Holds {
			p.Status, p.Proof, p.Trace, p.Mutants = cert.Fails, nil, q.Trace, []evidence.IndexMutant{}
		} else {
			p.Status, p.Trace, p.Proof = cert.Holds, "", q.Proof
		}
		return true
	},
	"undecided": func(g *forger, x *evidence.Index) bool {
		p := &x.Properties[g.IntN(len(x.Properties))]
		p.Status, p.Proof, p.Trace = cert.Unknown, nil, ""
		if g.IntN(3) > 0 {
			p.Mutants = []evidence.IndexMutant{}
		}
		return true
	},
	"no proof": func(g *forger, x *evidence.Index) bool {
		p := g.judged(x)
		if p != nil {
			p.Proof = nil
		}
		return p != nil
	},
	"verdict turned over": func(g *forger, x *evidence.Index) bool {
		p := g.judged(x)
		if p == nil {
			return false
		}
		m, other := g.mutant(p), g.mutant(p)
		switch {
		case m.Verdict == mutant.Covered && g.IntN(2) == 0:
			m.Verdict, m.Trace, m.Model, m.Outside = mutant.NotCovered, "", "", true
		case m.Verdict == mutant.Covered && len(p.Certificates) > 0:
			c := g.IntN(len(p.Certificates))
			m.Verdict, m.Trace, m.Model, m.Certificate = mutant.NotCovered, "", "", &c
		case m.Verdict == mutant.NotCovered && other.Trace != "":
			m.Verdict, m.Certificate, m.Outside, m.Trace = mutant.Covered, nil, false, other.Trace
		default:
			return false
		}
		return true
	},
	"verdict unknown": func(g *forger, x *evidence.Index) bool {
		p := g.judged(x)
		if p == nil {
			return false
		}
		m := g.mutant(p)
		m.Verdict, m.Trace, m.Model, m.Certificate, m.Outside = mutant.Unknown, "", "", nil, false
		return true
	},
	"two mutants' evidence": func(g *forger, x *evidence.Index) bool {
		p := g.judged(x)
		if p == nil {
			return false
		}
		a, b := g.mutant(p), g.mutant(p)
		a.Verdict, b.Verdict, a.Trace, b.Trace, a.Model, b.Model = b.Verdict, a.Verdict, b.Trace, a.Trace, b.Model, a.Model
		a.Certificate, b.Certificate, a.Outside, b.Outside = b.Certificate, a.Certificate, b.Outside, a.Outside
		return true
	},
	"two mutants' traces": func(g *forger, x *evidence.Index) bool {
		p := g.judged(x)
		if p == nil {
			return false
		}
		a, b := g.mutant(p), g.mutant(p)
		a.Trace, b.Trace = b.Trace, a.Trace
		return true
	},
	"polarity": func(_ *forger, x *evidence.Index) bool { // zero and one of a node
		for i := range x.Properties {
			for j := range x.Properties[i].Mutants {
				if m := &x.Properties[i].Mutants[j]; m.Kind == "latch" && m.Index == 0 {
					f, _ := mutant.ParseFault(m.Fault)
					m.Fault = f.Complement().String()
				}
			}
		}
		return true
	},
	"numbers of nodes": func(g *forger, x *evidence.Index) bool {
		kind := g.kind()
		for i := range x.Properties {
			for j := range x.Properties[i].Mutants {
				if m := &x.Properties[i].Mutants[j]; m.Kind == kind && m.Index < 2 {
					m.Index = 1 - m.Index
				}
			}
		}
		return true
	},
	"number of a node": func(g *forger, x *evidence.Index) bool {
		p := g.judged(x)
		if p == nil {
			return false
		}
		g.mutant(p).Index = g.IntN(40) - 10
		return true
	},
	"kind of a node": func(g *forger, x *evidence.Index) bool {
		p := g.judged(x)
		if p == nil {
			return false
		}
		m := g.mutant(p)
		m.Kind = map[string]string{"latch": "gate", "gate": "latch"}[m.Kind]
		return true
	},
	"a mutant twice": func(g *forger, x *evidence.Index) bool {
		p := g.judged(x)
		if p != nil {
			p.Mutants = append(p.Mutants, *g.mutant(p))
		}
		return p != nil
	},
	"place of the multiplexer": func(_ *forger, x *evidence.Index) bool {
		other := map[string]string{"output": "next", "next": "output"}
		x.Scope.Mux = other[x.Scope.Mux]
		for i := range x.Properties {
			for j := range x.Properties[i].Mutants {
				m := &x.Properties[i].Mutants[j]
				m.Mux = other[m.Mux]
			}
		}
		return true
	},
	"wider scope": func(_ *forger, x *evidence.Index) bool {
		x.Scope.Nodes = []string{"latch", "gate"}
		return true
	},
	"labels exchanged": func(g *forger, x *evidence.Index) bool {
		names := g.h.run.Design.Symbols.Latches
		if len(g.h.run.Design.Latches) < 2 || names[0] == names[1] {
			return false
		}
		x.Labels = []evidence.Label{{Kind: "latch", Name: names[1]}, {Kind: "latch", Index: 1, Name: names[0]}}
		return true
	},
	"label inverted": func(g *forger, x *evidence.Index) bool {
		if len(g.h.run.Design.Latches) == 0 {
			return false
		}
		x.Labels = []evidence.Label{{Kind: "latch", Name: g.h.run.Design.Symbols.Latches[0], Inverted: true}}
		return true
	},
	"label inverted, by a file of names": func(g *forger, x *evidence.Index) bool {
		if len(g.h.run.Design.Latches) == 0 {
			return false
		}
		x.Design.Mapped = true
		x.Labels = []evidence.Label{{Kind: "latch", Name: "x", Inverted: true}}
		return true
	},
	"name of a property": func(g *forger, x *evidence.Index) bool {
		x.Properties[g.IntN(len(x.Properties))].Name = "another"
		return true
	},
	"kind of a property": func(g *forger, x *evidence.Index) bool {
		p := &x.Properties[g.IntN(len(x.Properties))]
		p.Kind = map[string]string{"bad": "output", "output": "justice", "justice": "bad"}[p.Kind]
		return true
	},
	"rounds of justice": func(g *forger, x *evidence.Index) bool {
		p := &x.Properties[g.IntN(len(x.Properties))]
		p.Rounds += []int{-1, 1, 2, 1 << 40}[g.IntN(4)]
		return true
	},
	"reset": func(g *forger, x *evidence.Index) bool {
		return g.edit(x.Design.File, func(f *aiger.File) bool {
			if len(f.Latches) == 0 {
				return false
			}
			l := &f.Latches[g.IntN(len(f.Latches))]
			l.Reset = []aiger.Lit{0, 1, l.Lit}[g.IntN(3)]
			return true
		})
	},
	"gate": func(g *forger, x *evidence.Index) bool {
		return g.edit(x.Design.File, func(f *aiger.File) bool {
			if len(f.Ands) == 0 {
				return false
			}
			f.Ands[g.IntN(len(f.Ands))].Rhs0 ^= 1
			return true
		})
	},
	"witness circuit": func(g *forger, x *evidence.Index) bool {
		p := g.judged(x)
		if p == nil {
			return false
		}
		all := append([]evidence.IndexCertificate{*p.Proof}, p.Certificates...)
		return g.edit(all[g.IntN(len(all))].Witness, func(f *aiger.File) bool {
			switch n := len(f.Ands); {
			case n > 0 && g.IntN(2) == 0:
				f.Ands[g.IntN(n)].Rhs1 ^= 1
			case len(f.Latches) > 0 && g.IntN(2) == 0:
				f.Latches[g.IntN(len(f.Latches))].Reset ^= 1
			default:
				f.Bads[0] = []aiger.Lit{0, 1, f.Bads[0] ^ 1}[g.IntN(3)]
			}
			return true
		})
	},
	"model": func(g *forger, x *evidence.Index) bool {
		p := g.judged(x)
		return p != nil && g.edit(p.Proof.Model, func(f *aiger.File) bool { f.Bads[0] ^= 1; return true })
	},
	"trace": func(g *forger, x *evidence.Index) bool {
		return g.trace(x, func(data []byte) []byte {
			at := g.IntN(len(data))
			if data[at] != '0' && data[at] != '1' {
				return nil
			}
			data[at] ^= 1
			return data
		})
	},
	"steps of a trace": func(g *forger, x *evidence.Index) bool { // a lasso is cut open
		return g.trace(x, func(data []byte) []byte {
			lines := strings.SplitAfter(string(data), "\n")
			if len(lines) < 6 { // status, property, state, steps, end
				return nil
			}
			at := 3 + g.IntN(len(lines)-5)
			return []byte(strings.Join(slices.Delete(lines, at, at+1), ""))
		})
	},
	"reason": func(g *forger, x *evidence.Index) bool {
		e := g.reason(x)
		if e != nil {
			e.Reason = mutant.Reasons()[g.IntN(len(mutant.Reasons()))]
		}
		return e != nil
	},
	"reasons swapped": func(g *forger, x *evidence.Index) bool {
		a, b := g.reason(x), g.reason(x)
		if a == nil || a == b {
			return false
		}
		if g.IntN(2) == 0 { // with what proves them
			a.Invariant, a.Trace, a.Model, b.Invariant, b.Trace, b.Model = b.Invariant, b.Trace, b.Model, a.Invariant, a.Trace, a.Model
		}
		a.Reason, b.Reason = b.Reason, a.Reason
		return true
	},
	"reason with the proof of another": func(g *forger, x *evidence.Index) bool {
		a, b := g.reason(x), g.reason(x)
		if a == nil || a == b {
			return false
		}
		a.Reason, a.Invariant, a.Trace, a.Model = b.Reason, b.Invariant, b.Trace, ""
		return true
	},
	"reason without proof": func(g *forger, x *evidence.Index) bool {
		e := g.reason(x)
		if e == nil || e.Invariant+e.Trace == "" {
			return false
		}
		e.Invariant, e.Trace, e.Model = "", "", ""
		return true
	},
	"drop a reason": func(g *forger, x *evidence.Index) bool {
		if g.reason(x) == nil {
			return false
		}
		at := g.IntN(len(x.Reasons.Mutants))
		x.Reasons.Mutants = slices.Delete(x.Reasons.Mutants, at, at+1)
		return true
	},
	"a reason twice": func(g *forger, x *evidence.Index) bool {
		e := g.reason(x)
		if e != nil {
			x.Reasons.Mutants = append(x.Reasons.Mutants, *e)
		}
		return e != nil
	},
	"a reason of another mutant": func(g *forger, x *evidence.Index) bool {
		e, p := g.reason(x), g.judged(x)
		if e == nil || p == nil {
			return false
		}
		m := g.mutant(p)
		e.Kind, e.Index, e.Fault = m.Kind, m.Index, m.Fault
		return true
	},
	"observation points": func(_ *forger, x *evidence.Index) bool {
		if x.Reasons == nil {
			return false
		}
		x.Reasons.Observe = map[string]string{"outputs": "registers", "registers": "outputs"}[x.Reasons.Observe]
		return true
	},
	"invariant of a reason": func(g *forger, x *evidence.Index) bool {
		e := g.reasonWith(x, func(e *evidence.IndexReason) string { return e.Invariant })
		return e != nil && g.edit(e.Invariant, func(f *aiger.File) bool {
			switch n := len(f.Outputs); {
			case n > 0 && g.IntN(2) == 0:
				at := g.IntN(n)
				f.Outputs = slices.Delete(f.Outputs, at, at+1)
			case n > 0 && g.IntN(2) == 0:
				f.Outputs[g.IntN(n)] ^= 1
			case len(f.Ands) > 0:
				f.Ands[g.IntN(len(f.Ands))].Rhs0 ^= 1
			default:
				f.Outputs = append(f.Outputs, 0)
			}
			return true
		})
	},
	"trace of a reason": func(g *forger, x *evidence.Index) bool {
		e := g.reasonWith(x, func(e *evidence.IndexReason) string { return e.Trace })
		if e == nil {
			return false
		}
		path := filepath.Join(g.dir, filepath.FromSlash(e.Trace))
		data, err := os.ReadFile(path)
		if err != nil {
			return false
		}
		at := len("1\nb0\n") + g.IntN(len(data))
		if at >= len(data) || !strings.Contains("01x", string(data[at])) {
			return false
		}
		data[at] = "01x"[g.IntN(3)]
		return os.WriteFile(path, data, 0o666) == nil
	},
	"miter of a reason": func(g *forger, x *evidence.Index) bool {
		e := g.reasonWith(x, func(e *evidence.IndexReason) string { return e.Model })
		return e != nil && g.edit(e.Model, func(f *aiger.File) bool { f.Bads[0] ^= 1; return true })
	},
	"nothing": func(*forger, *evidence.Index) bool { return true },
}

// judged returns a property that has mutants, nil where none has.
func (g *forger) judged(x *evidence.Index) *evidence.IndexProperty {
	for _, i := range g.Perm(len(x.Properties)) {
		if p := &x.Properties[i]; p.Status == cert.Holds && p.Proof != nil && len(p.Mutants) > 0 {
			return p
		}
	}
	return nil
}

// reason returns the reason of some mutant, nil where none has one.
func (g *forger) reason(x *evidence.Index) *evidence.IndexReason {
	if x.Reasons == nil || len(x.Reasons.Mutants) == 0 {
		return nil
	}
	return &x.Reasons.Mutants[g.IntN(len(x.Reasons.Mutants))]
}

// reasonWith returns the reason of some mutant that names a file, nil where none does.
func (g *forger) reasonWith(x *evidence.Index, file func(*evidence.IndexReason) string) *evidence.IndexReason {
	if x.Reasons == nil {
		return nil
	}
	for _, i := range g.Perm(len(x.Reasons.Mutants)) {
		if e := &x.Reasons.Mutants[i]; file(e) != "" {
			return e
		}
	}
	return nil
}

// two returns two properties, nil where there is one.
func (g *forger) two(x *evidence.Index) (*evidence.IndexProperty, *evidence.IndexProperty) {
	if len(x.Properties) < 2 {
		return nil, nil
	}
	at := g.Perm(len(x.Properties))
	return &x.Properties[at[0]], &x.Properties[at[1]]
}

func (g *forger) fault() string { return mutant.Faults()[g.IntN(len(mutant.Faults()))].String() }
func (g *forger) kind() string  { return []string{"latch", "gate"}[g.IntN(2)] }

func (g *forger) mutant(p *evidence.IndexProperty) *evidence.IndexMutant {
	return &p.Mutants[g.IntN(len(p.Mutants))]
}

// edit changes an AIGER file of the directory.
func (g *forger) edit(path string, change func(f *aiger.File) bool) bool {
	path = filepath.Join(g.dir, filepath.FromSlash(path))
	f, err := aiger.ReadFile(path, aiger.Options{})
	if err != nil || !change(f) {
		return false
	}
	return aiger.WriteFile(path, f) == nil
}

// trace changes a trace of the directory; nil changes nothing.
func (g *forger) trace(x *evidence.Index, change func(data []byte) []byte) bool {
	var traces []string
	for _, f := range x.Files {
		if strings.HasSuffix(f.Path, ".wit") {
			traces = append(traces, f.Path)
		}
	}
	if len(traces) == 0 {
		return false
	}
	path := filepath.Join(g.dir, filepath.FromSlash(traces[g.IntN(len(traces))]))
	data, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	data = change(data)
	return data != nil && os.WriteFile(path, data, 0o666) == nil
}

// drop takes mutants out, and tells whether there were any.
func drop(p *evidence.IndexProperty, which func(*evidence.IndexMutant) bool) bool {
	n := len(p.Mutants)
	p.Mutants = slices.DeleteFunc(p.Mutants, func(m evidence.IndexMutant) bool { return which(&m) })
	return len(p.Mutants) < n
}

func dropAll(x *evidence.Index, which func(*evidence.IndexMutant) bool) bool {
	any := false
	for i := range x.Properties {
		any = drop(&x.Properties[i], which) || any
	}
	return any
}

// tidy puts right what would give a forgery away: counts, certificates and files
// that serve nothing.
func tidy(x *evidence.Index) {
	used := map[string]bool{x.Design.File: true}
	for i := range x.Properties {
		p := &x.Properties[i]
		p.Counts = evidence.Counts{}
		at := map[int]int{}
		certificates := []evidence.IndexCertificate{}
		for j := range p.Mutants {
			m := &p.Mutants[j]
			p.Counts.Mutants++
			switch m.Verdict {
			case mutant.Covered:
				p.Counts.Covered++
			case mutant.NotCovered:
				p.Counts.NotCovered++
			default:
				p.Counts.Unknown++
			}
			used[m.Trace], used[m.Model] = true, true
			if c := m.Certificate; c != nil && *c >= 0 && *c < len(p.Certificates) {
				if _, ok := at[*c]; !ok {
					at[*c] = len(certificates)
					certificates = append(certificates, p.Certificates[*c])
				}
				fresh := at[*c]
				m.Certificate = &fresh
			}
		}
		p.Certificates = certificates
		for _, c := range certificates {
			used[c.Model], used[c.Witness] = true, true
		}
		if p.Proof != nil {
			used[p.Proof.Model], used[p.Proof.Witness] = true, true
		}
		used[p.Trace] = true
	}
	if x.Reasons != nil {
		for _, e := range x.Reasons.Mutants {
			used[e.Invariant], used[e.Trace], used[e.Model] = true, true, true
		}
	}
	x.Files = slices.DeleteFunc(x.Files, func(f evidence.IndexFile) bool { return !used[f.Path] })
}

// TestForger applies every forgery, and pairs of them, to honest evidence of random
// designs, with a report that agrees. Everything stands only over what enumeration
// finds true and complete; and the honest evidence stands.
func TestForger(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 13))
	names := make([]string, 0, len(forgeries))
	for name := range forgeries {
		names = append(names, name)
	}
	slices.Sort(names)
	tally := map[string]map[evidence.Outcome]int{}
	for round := range rounds(50) {
		h := newHonest(t, r, randaig.Everything())
		if h == nil {
			continue
		}
		for _, name := range names {
			if tally[name] == nil {
				tally[name] = map[evidence.Outcome]int{}
			}
			second := "nothing"
			if r.IntN(3) == 0 {
				second = names[r.IntN(len(names))]
			}
			dir := filepath.Join(t.TempDir(), "e")
			if err := os.CopyFS(dir, os.DirFS(h.dir)); err != nil {
				t.Fatal(err)
			}
			var forged *evidence.Index
			applied := true
			complete := r.IntN(2) == 0
			err := evidence.Forge(dir, func(x *evidence.Index) {
				g := &forger{r, t, dir, h}
				applied = forgeries[name](g, x)
				if applied && len(x.Properties) > 0 && x.Scope != nil {
					forgeries[second](g, x)
				}
				if name != "nothing" || second != "nothing" {
					tidy(x)
					x.Complete = complete
				}
				forged = x
			})
			if err != nil {
				t.Fatal(err)
			}
			if !applied {
				continue
			}
			f, err := aiger.ReadFile(h.design, aiger.Options{})
			if err != nil {
				t.Fatal(err)
			}
			claims := reportOf(dir, forged, f)
			design := h.design
			if r.IntN(2) == 0 {
				design = ""
			}
			rep := h.outcome(t, dir, claims, design)
			tally[name][rep.Outcome]++
			lie := h.lies(t, forged)
			switch {
			case rep.Outcome == evidence.Stands && (lie != "" || disagrees(forged, claims)):
				t.Errorf("round %d, %s and %s: everything stands; %s", round, name, second, lie)
			case name == "nothing" && second == "nothing" && rep.Outcome != evidence.Stands:
				t.Errorf("round %d: honest evidence: %v, %v", round, rep.Failures, rep.Partial)
			}
			// What stands must not stand beside another report.
			if rep.Outcome == evidence.Stands && len(claims.Mutants) > 0 {
				at := r.IntN(len(claims.Mutants))
				m := &claims.Mutants[at]
				was := m.Verdict
				if m.Verdict = mutant.Covered; was == mutant.Covered {
					m.Verdict = mutant.NotCovered
				}
				if rep := h.outcome(t, dir, claims, design); rep.Outcome != evidence.Refused {
					t.Errorf("round %d: %s in place of %s in the report: %s", round, m.Verdict, was, rep.Outcome)
				}
				if m.Verdict = was; m.Reason != "" {
					m.Reason = map[bool]string{true: "open", false: "gap"}[m.Reason == "gap"]
					if rep := h.outcome(t, dir, claims, design); rep.Outcome != evidence.Refused {
						t.Errorf("round %d: another reason in the report: %s", round, rep.Outcome)
					}
				}
			}
			os.RemoveAll(dir)
		}
	}
	for _, name := range names {
		t.Log(name, tally[name])
		if refused := tally[name][evidence.Refused] + tally[name][evidence.Partial]; name != "nothing" && refused == 0 && !testing.Short() {
			t.Errorf("%s: never refused", name)
		}
	}
}
