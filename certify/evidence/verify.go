package evidence

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/mutant"
)

// Options say how evidence is verified.
type Options struct {
	// Solver decides the queries.
	Solver certify.Solver
	// Design is the path of the design file that the evidence must be about; ""
	// leaves that to the reader, who may compare with the stored copy.
	Design string
	// Labels are what the design's file of names tells, beside its symbols; nil
	// where none is given.
	Labels []Label
	// Claims are those of a report that must say the same; nil for none.
	Claims *Claims
	// Jobs is the number of workers; 0 is one a core.
	Jobs int
	// Progress is told how many pieces of evidence are checked, of how many.
	Progress func(done, total int)
}

// Failure is something that does not stand. Where names a file, a property or a
// mutant.
type Failure struct {
	Where string `json:"where"`
	What  string `json:"what"`
}

// String returns one line.
func (f Failure) String() string { return f.Where + ": " + f.What }

// Report is the outcome of a verification.
type Report struct {
	Design       IndexDesign `json:"design"`
	Origin       Origin      `json:"origin"` // of the design's hash
	Scope        string      `json:"scope"`  // which mutants are due
	Properties   int         `json:"properties"`
	Files        int         `json:"files"`
	Certificates int         `json:"certificates"` // checked, those of the design included
	Traces       int         `json:"traces"`       // replayed
	Mutants      Counts      `json:"mutants"`      // as claimed
	// Reasons counts the mutants that are not covered by their reasons; empty where the
	// run searched for none.
	Reasons map[string]int `json:"reasons,omitempty"`
	// Partial says what the evidence leaves out, or what of the claims it cannot
	// verify. It is empty when everything is checked.
	Partial  []string  `json:"partial"`
	Failures []Failure `json:"failures"`
	Seconds  float64   `json:"seconds"`
	Outcome  Outcome   `json:"outcome"`
}

// Outcome is what a verification comes to.
type Outcome string

// The outcomes. Everything stands where no claim fails, and nothing is missing of
// what the scope and the design demand, or of what a report says.
const (
	Stands  Outcome = "stands"
	Partial Outcome = "partial"
	Refused Outcome = "fails"
)

// Stands reports whether no claim fails. The evidence may still be partial.
func (r *Report) Stands() bool { return len(r.Failures) == 0 }

// outcome sums a report up.
func (r *Report) outcome() Outcome {
	switch {
	case len(r.Failures) > 0:
		return Refused
	case len(r.Partial) > 0:
		return Partial
	}
	return Stands
}

// Verify re-checks everything in dir from its files alone. What does not stand is
// listed in the report; an error means that checking could not begin, or that ctx
// ended.
func Verify(ctx context.Context, dir string, opt Options) (*Report, error) {
	start := time.Now()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("there is no evidence to verify: %w", err)
	}
	defer root.Close()
	data, err := readBelow(root, IndexName, indexFile, maxIndex)
	if err != nil {
		return nil, fmt.Errorf("there is no evidence to verify: %s: %w", filepath.Join(dir, IndexName), err)
	}
	v := &verifier{root: root, opt: opt, files: map[string]string{}, used: map[string]bool{}, depths: map[string]int{}, known: map[cell]known{}, left: map[string][]int{}}
	v.report.Partial, v.report.Failures, v.report.Reasons = []string{}, []Failure{}, map[string]int{}
	if err := v.all(ctx, data); err != nil {
		return nil, err
	}
	slices.SortStableFunc(v.report.Failures, func(a, b Failure) int { return cmp.Compare(a.Where, b.Where) })
	v.report.Seconds, v.report.Outcome = time.Since(start).Seconds(), v.report.outcome()
	return &v.report, nil
}

type verifier struct {
	root   *os.Root
	opt    Options
	index  *Index
	scope  *Scope
	design *aiger.File
	// rulings are the verdicts by all properties together.
	rulings map[node]*ruling
	// explained are the mutants that have a reason; nil where the index has none.
	explained map[node]mutant.Reason
	labels    map[labelKey]Label
	// Labels that the design's symbols do not tell, and those of inverted nodes.
	unnamed, inverted int
	tasks             []task
	known             map[cell]known
	left              map[string][]int // what is left out → of which properties
	lefts             []string         // its keys, in order

	lock   sync.Mutex
	files  map[string]string // path → hash
	used   map[string]bool
	depths map[string]int // path → last step of a trace
	report Report
}

// task is one piece of evidence to check. It returns an error only when ctx has
// ended.
type task func(ctx context.Context) error

func (v *verifier) fail(where, format string, args ...any) {
	v.lock.Lock()
	defer v.lock.Unlock()
	v.report.Failures = append(v.report.Failures, Failure{where, fmt.Sprintf(format, args...)})
}

func (v *verifier) all(ctx context.Context, data []byte) error {
	var err error
	if v.index, err = ReadIndex(data); err != nil {
		v.fail(IndexName, "%v", err)
		return nil
	}
	v.report.Design, v.report.Files = v.index.Design, len(v.index.Files)
	for _, f := range v.index.Files {
		v.files[f.Path] = f.SHA256
	}
	if v.design = v.circuit(v.index.Design.File, maxFile); v.design == nil {
		return nil
	}
	if v.scope = v.index.Scope; v.scope == nil {
		v.scope = v.index.widest()
	} else if err := v.scope.check(v.design); err != nil {
		v.fail(IndexName, "%v", err)
		return nil
	}
	v.report.Scope = v.scope.String()
	v.compareDesign()
	v.labels = v.allLabels()
	seen := map[int]bool{}
	for i := range v.index.Properties {
		p := &v.index.Properties[i]
		twice := false
		for _, at := range p.all() {
			if seen[at] {
				v.fail(fmt.Sprintf("property %d", at), "it is listed twice")
				twice = true
			}
			seen[at] = true
		}
		if !twice {
			v.property(p)
		}
	}
	v.cells()
	v.together()
	v.reasons()
	v.leftOut()
	v.unnamedProperties()
	if err := v.run(ctx); err != nil {
		return err
	}
	if v.opt.Claims != nil {
		v.compareClaims(v.opt.Claims)
		v.unproved()
	}
	for _, f := range v.index.Files {
		if !v.used[f.Path] {
			v.fail(f.Path, "the file belongs to no verdict")
		}
	}
	return nil
}

// run works the tasks off.
func (v *verifier) run(ctx context.Context) error {
	jobs := v.opt.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(jobs)
	done := 0
	for _, check := range v.tasks {
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			err := check(ctx)
			v.lock.Lock()
			defer v.lock.Unlock()
			done++
			if v.opt.Progress != nil {
				v.opt.Progress(done, len(v.tasks))
			}
			return err
		})
	}
	return group.Wait()
}

// property checks what an index says of one property, and makes the tasks for
// its evidence.
func (v *verifier) property(p *IndexProperty) {
	where := fmt.Sprintf("property %d", p.Index)
	all := propertiesOf(v.design)
	for _, at := range p.all() {
		if at < 0 || at >= len(all) {
			v.fail(fmt.Sprintf("property %d", at), "the design has %d properties", len(all))
			return
		}
		if len(p.With) > 0 && all[at].kind == KindJustice {
			v.fail(fmt.Sprintf("property %d", at), "it is a justice property, and stands together with others")
			return
		}
	}
	if len(p.With) > 0 && p.Status != cert.Holds {
		v.fail(where, "it stands together with other properties, but does not hold")
		return
	}
	if most := certify.MostRounds; p.Rounds != 0 && (all[p.Index].kind != KindJustice || p.Status != cert.Holds) || p.Rounds < 0 || p.Rounds > most {
		v.fail(where, "the search for a lasso begins after %d rounds; justice properties that hold can have up to %d, others none", p.Rounds, most)
		return
	}
	if own := all[p.Index]; own != (property{p.Kind, p.Name}) {
		v.fail(where, "it is called %s %q, in the design %s %q", p.Kind, p.Name, own.kind, own.name)
	}
	v.report.Properties += len(p.all())
	q := &propertyVerifier{verifier: v, p: p, k: checkerOf(v.design, p.Rounds, p.all()...), where: where, single: map[int]*certify.Checker{}}
	q.original()
	if p.Status != cert.Holds && len(p.Mutants) > 0 {
		v.fail(where, "mutants are judged although the property does not hold on the design")
	}
	var counts Counts
	for i := range p.Mutants {
		counts.add(p.Mutants[i].Verdict)
		q.mutant(&p.Mutants[i])
	}
	if p.Status == cert.Unknown {
		v.leave(p.Index, "undecided on the design")
	}
	if counts != p.Counts {
		v.fail(where, "the counts of the index are %+v, its mutants give %+v", p.Counts, counts)
	}
	for i := range p.Certificates {
		q.certificate(i)
	}
	for _, r := range q.order {
		q.trace(r)
	}
}

// together unites the verdicts of all properties.
func (v *verifier) together() {
	var err error
	if v.rulings, err = v.scope.rulings(v.index, v.design); err != nil {
		v.fail(IndexName, "%v", err)
		return
	}
	missing := v.scope.without(v.rulings, v.design)
	if v.index.Complete && len(missing) > 0 && v.index.Scope != nil {
		v.fail(IndexName, "mutants are missing: %v", missing)
	}
	for _, m := range missing {
		v.partial("%s", m)
	}
	for _, r := range v.rulings {
		if verdict, complete := r.verdict(); complete {
			v.report.Mutants.add(verdict)
		}
	}
	if m := v.report.Mutants; m.Unknown > 0 {
		v.partial("%d of %d mutants are unknown", m.Unknown, m.Mutants)
	}
}

// propertyVerifier checks what belongs to one property.
type propertyVerifier struct {
	*verifier
	p     *IndexProperty
	k     *certify.Checker
	where string

	single map[int]*certify.Checker   // by property: of it alone
	served map[int][]certify.Mutation // by certificate
	traces map[replay][]certify.Mutation
	order  []replay
}

// replay is a trace at whose end a property is said to fail.
type replay struct {
	path     string
	property int
}

// alone returns the checker of one property.
func (q *propertyVerifier) alone(property int) *certify.Checker {
	if q.single[property] == nil {
		q.single[property] = checkerOf(q.design, q.p.Rounds, property)
	}
	return q.single[property]
}

func (q *propertyVerifier) name(m certify.Mutation) string {
	return fmt.Sprintf("%s, %v", q.where, m)
}

// original checks the status of the property on the design.
func (q *propertyVerifier) original() {
	p := q.p
	switch {
	case p.Status == cert.Holds && p.Proof != nil && p.Trace == "":
		q.tasks = append(q.tasks, func(ctx context.Context) error {
			return q.check(ctx, *p.Proof, q.where+", on the design", nil)
		})
	case p.Status == cert.Fails && p.Trace != "" && p.Proof == nil:
		q.tasks = append(q.tasks, func(context.Context) error {
			w := q.witness(p.Trace, inTraces(q.design, p.Index))
			if w == nil {
				return nil
			}
			if err := q.k.Replay(w); err != nil {
				q.fail(p.Trace, "%v", err)
			}
			q.replayed()
			return nil
		})
	case p.Status == cert.Unknown && p.Proof == nil && p.Trace == "":
	default:
		q.fail(q.where, "the evidence does not fit the status %q", p.Status)
	}
}

// mutant checks that an entry has what its verdict needs, and gathers the
// mutants of each certificate and trace.
func (q *propertyVerifier) mutant(e *IndexMutant) {
	m, err := e.Mutation()
	if err != nil {
		q.fail(q.where, "%v", err)
		return
	}
	outside, err := q.k.Outside(m)
	if err != nil {
		q.fail(q.where, "%v", err)
		return
	}
	trace, certificate := e.Trace != "", e.Certificate != nil
	if e.Property != nil && !trace {
		q.fail(q.name(m), "a property is said to fail on it, without a trace")
		return
	}
	switch {
	case e.Verdict == mutant.Unknown && !trace && !certificate && !e.Outside && e.Model == "":
	case e.Verdict == mutant.Covered && trace && !certificate && !e.Outside:
		if q.traces == nil {
			q.traces = map[replay][]certify.Mutation{}
		}
		r := replay{e.Trace, q.p.failing(e)}
		if !slices.Contains(q.p.all(), r.property) {
			q.fail(q.name(m), "property %d is said to fail on it, which is none of these", r.property)
			return
		}
		if q.traces[r] == nil {
			q.order = append(q.order, r)
		}
		q.traces[r] = append(q.traces[r], m)
		k := q.alone(r.property)
		if e.Model != "" {
			q.tasks = append(q.tasks, func(context.Context) error {
				if model, err := k.Mutant(m); err != nil {
					q.fail(q.name(m), "%v", err)
				} else {
					q.same(e.Model, model)
				}
				return nil
			})
		}
	case e.Verdict == mutant.NotCovered && certificate && !trace && !e.Outside && e.Model == "":
		if c := *e.Certificate; c < 0 || c >= len(q.p.Certificates) {
			q.fail(q.name(m), "there is no certificate %d", c)
			return
		}
		if q.served == nil {
			q.served = map[int][]certify.Mutation{}
		}
		q.served[*e.Certificate] = append(q.served[*e.Certificate], m)
	case e.Verdict == mutant.NotCovered && e.Outside && !trace && !certificate && e.Model == "":
		if !outside {
			q.fail(q.name(m), "the node is inside the cone of influence")
		}
	default:
		q.fail(q.name(m), "the evidence does not fit the verdict %q", e.Verdict)
	}
}

// certificate checks one that mutants share.
func (q *propertyVerifier) certificate(i int) {
	c, ms := q.p.Certificates[i], q.served[i]
	if len(ms) == 0 {
		q.fail(c.Witness, "the certificate belongs to no mutant")
		return
	}
	where := q.name(ms[0])
	if len(ms) > 1 {
		where += fmt.Sprintf(" and %d more", len(ms)-1)
	}
	q.tasks = append(q.tasks, func(ctx context.Context) error { return q.check(ctx, c, where, ms) })
}

// check checks a certificate against the model that the design gives.
func (q *propertyVerifier) check(ctx context.Context, c IndexCertificate, where string, ms []certify.Mutation) error {
	model, err := q.k.Model(ms)
	if err != nil {
		q.fail(where, "%v", err)
		return nil
	}
	witness := q.circuit(c.Witness, freeFile+witnessPer*q.same(c.Model, model))
	if witness == nil {
		return nil
	}
	if err := certify.CheckWitness(ctx, q.opt.Solver, model, witness); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		q.fail(where, "%s: %v", c.Witness, err)
		return nil
	}
	q.lock.Lock()
	defer q.lock.Unlock()
	q.report.Certificates++
	return nil
}

// trace replays a trace on its mutants.
func (q *propertyVerifier) trace(r replay) {
	k, path := q.alone(r.property), r.path
	q.tasks = append(q.tasks, func(context.Context) error {
		w := q.witness(path, aiger.Property{Kind: inTraces(q.design, r.property).Kind}) // the mutant's file has one
		if w == nil {
			return nil
		}
		ms := q.traces[r]
		own, err := q.asDesignTrace(w, ms)
		if err == nil {
			err = k.Replay(own, ms...)
		}
		if err != nil { // which ones?
			for _, m := range ms {
				own, err := q.asDesignTrace(w, []certify.Mutation{m})
				if err == nil {
					err = k.Replay(own, m)
				}
				if err != nil {
					q.fail(q.name(m), "%s: %v", path, err)
				}
			}
			return nil
		}
		q.replayed()
		return nil
	})
}

func (v *verifier) replayed() {
	v.lock.Lock()
	defer v.lock.Unlock()
	v.report.Traces++
}

// traceSize bounds the file of a trace that starts with the values of so many latches.
func (v *verifier) traceSize(latches int) int64 {
	row := int64(len(v.design.Inputs) + len(": free value\n"))
	return freeFile + int64(latches) + row*maxSteps
}

// asDesignTrace returns the trace of a mutant's file as one of the design: the
// latches that a fault adds are taken off. It must fit all of ms.
func (q *propertyVerifier) asDesignTrace(w *aiger.Witness, ms []certify.Mutation) (*aiger.Witness, error) {
	latches, inputs := len(q.design.Latches), len(q.design.Inputs)
	own := *w
	for _, m := range ms {
		due := latches + m.Added()
		if len(w.Init) != due || slices.Contains(w.Init[latches:], aiger.True) {
			return nil, fmt.Errorf("the initial state does not fit the mutant, which has %d latches", due)
		}
		due = inputs
		if m.HasFree() {
			due++
		}
		if n := len(w.Inputs[0]); n != due {
			return nil, fmt.Errorf("the steps have %d inputs, %d are due", n, due)
		}
	}
	own.Init = w.Init[:latches]
	return &own, nil
}

// witness loads a trace that says that one property fails.
func (q *propertyVerifier) witness(path string, property aiger.Property) *aiger.Witness {
	data := q.load(path, traceFile, q.traceSize(len(q.design.Latches)))
	if data == nil {
		return nil
	}
	all, err := aiger.ReadWitnesses(bytes.NewReader(data), path, nil)
	if err != nil {
		q.fail(path, "%v", err)
		return nil
	}
	if len(all) != 1 || all[0].Status != aiger.Fails || !slices.Equal(all[0].Properties, []aiger.Property{property}) {
		q.fail(path, "the file does not say that property %v fails, and nothing else", property)
		return nil
	}
	q.lock.Lock()
	defer q.lock.Unlock()
	q.depths[path] = lastStep(all[0])
	return all[0]
}
