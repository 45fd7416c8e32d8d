package propset

import (
	"context"
	"math/bits"
	"slices"
	"strings"
	"time"

	"netcov/cert"
	"netcov/internal/clock"
	"netcov/interp"
	"netcov/netlist"
)

// scheduler gives the clusters slices in turn, so that an easy one is never
// behind a hard one.
type scheduler struct {
	runs  []*run
	res   *Result
	quick bool // one round only
}

// firstSlice is the time of an engine's first slice; each round doubles it.
const firstSlice = 200 * time.Millisecond

func (s *scheduler) all(ctx context.Context) error {
	for slice := firstSlice; len(s.runs) > 0 && ctx.Err() == nil; slice *= 2 {
		left := s.runs[:0]
		for _, r := range s.runs {
			if ctx.Err() == nil {
				if err := r.round(ctx, slice); err != nil {
					return err
				}
			}
			if len(r.open) > 0 {
				left = append(left, r)
			}
		}
		clear(s.runs[len(left):])
		s.runs = left
		if s.quick {
			break
		}
	}
	for _, r := range s.runs {
		for _, i := range r.open {
			s.res.Bounds[r.c.properties[i]] = r.bound(i)
		}
	}
	return nil
}

// run is the work on one cluster. Properties are positions in its model's Bads.
type run struct {
	c      *cluster
	number int
	opt    *Options
	m      *netlist.Model
	open   []int

	layers  []cert.Layer // R1, R2, …; their properties are positions
	told    int          // those that answers have had: see Options.Layers
	lemmas  []int        // the properties that they prove
	proved  []int        // of these, those of the running round
	by      []string     // the engines that proved them
	cones   [][]uint64   // by property: the latches of its cone, made on demand
	bounded *interp.BoundedSet
	induct  *interp.Induction
	joint   *joint
	singles map[int]*single
	turn    int  // of singles
	merged  bool // signal correspondence is done
	last    int  // largest bound of k-induction so far

	ctx   context.Context // of the whole run
	slice time.Duration   // that each engine has in this round
}

func newRun(c *cluster, opt *Options) *run {
	r := &run{c: c, opt: opt, singles: map[int]*single{}}
	for i := range c.properties {
		r.open = append(r.open, i)
	}
	return r
}

// engine works on the open properties until they are answered or ctx ends.
type engine struct {
	work  func(ctx context.Context) error
	share int // slices a round
}

// engines lists the engines in the order of their turns.
func (r *run) engines() []engine {
	if r.opt.Quick {
		return []engine{{r.induction, 1}}
	}
	return []engine{{r.induction, inductionShare}, {r.correspondence, 1}, {r.oneByOne, 1}, {r.search, 1}, {r.conjunction, 1}}
}

// inductionShare is the share of k-induction, which answers most and makes all
// others cheaper.
const inductionShare = 5

// Shares is the number of slices in a round.
const Shares = inductionShare + 4

// prepare makes the model, when the cluster's first turn comes.
func (r *run) prepare() {
	if r.m == nil {
		r.m = r.c.compile()
		r.restart()
	}
}

// restart makes the engines of the set anew, for a new model.
func (r *run) restart() {
	r.bounded = interp.NewBoundedSet(r.m, r.opt.interp(EngineBounded))
	r.induct = interp.NewInduction(r.m, r.opt.interp(EngineInduction))
	var answered []int
	for i := range r.m.Bads {
		if !slices.Contains(r.open, i) {
			answered = append(answered, i)
		}
	}
	r.bounded.Drop(answered...)
	r.induct.Drop(answered...)
	r.induct.Assume(r.lemmas...)
	r.cones = nil
}

// round gives each engine a slice.
func (r *run) round(ctx context.Context, slice time.Duration) error {
	r.ctx, r.slice = ctx, slice
	r.prepare()
	for _, e := range r.engines() {
		if len(r.open) == 0 || ctx.Err() != nil {
			break
		}
		limited, cancel := clock.LimitWork(ctx, time.Duration(e.share)*slice)
		err := e.work(limited)
		cancel()
		if err != nil {
			return err
		}
	}
	return r.tell()
}

// bound is the number of steps within which an open property does not fail.
func (r *run) bound(property int) int {
	b := -1
	if r.bounded != nil {
		b = r.bounded.Bound()
	}
	if r.joint != nil {
		b = max(b, r.joint.depth)
	}
	if s := r.singles[property]; s != nil {
		b = max(b, s.depth)
	}
	return b
}

// fail tells that properties fail at the end of a trace of the model.
func (r *run) fail(engine string, properties []int, t *cert.Trace) error {
	r.close(properties)
	r.induct.Drop(properties...)
	r.bounded.Drop(properties...)
	return r.opt.Found(&Answer{Properties: r.names(properties), Trace: r.c.trace(t), Engine: engine, Cluster: r.number})
}

// hold notes that properties hold: an invariant proves them given the earlier layers.
func (r *run) hold(engine string, properties []int, inv *cert.Invariant) {
	r.layers = append(r.layers, cert.Layer{Properties: properties, Invariant: inv})
	r.proves(engine, properties)
}

// proves notes that the last layers prove properties.
func (r *run) proves(engine string, properties []int) {
	r.close(properties)
	r.lemmas = append(r.lemmas, properties...)
	r.induct.Assume(properties...)
	r.bounded.Drop(properties...)
	r.proved = append(r.proved, properties...)
	if !slices.Contains(r.by, engine) {
		r.by = append(r.by, engine)
	}
}

// tell gives all that was proved in a round one invariant.
func (r *run) tell() error {
	if len(r.proved) == 0 {
		return nil
	}
	a := &Answer{Properties: r.names(r.proved), Engine: strings.Join(r.by, ", "), Cluster: r.number}
	if r.opt.Layers {
		for _, l := range r.layers[r.told:] {
			l.Properties = r.names(l.Properties)
			if l.Invariant != nil {
				l.Invariant = r.c.invariant(l.Invariant)
			}
			a.Layers = append(a.Layers, l)
		}
		r.told = len(r.layers)
	} else {
		var all []*cert.Invariant
		for _, l := range r.layers {
			all = append(all, l.Invariant)
		}
		a.Invariant = r.c.invariant(cert.Conjunction(all...))
	}
	r.proved, r.by = nil, nil
	return r.opt.Found(a)
}

// close takes properties off those that are open.
func (r *run) close(properties []int) {
	r.open = slices.DeleteFunc(r.open, func(i int) bool { return slices.Contains(properties, i) })
	for _, i := range properties {
		delete(r.singles, i)
	}
}

// names returns the caller's positions of properties.
func (r *run) names(properties []int) []int {
	list := make([]int, len(properties))
	for n, i := range properties {
		list[n] = r.c.properties[i]
	}
	return list
}

// lemmasFor returns the lemmas that read no register that properties and
// constraints do not read: what costs the engines nothing.
func (r *run) lemmasFor(properties []int) []int {
	if len(r.lemmas) == 0 {
		return nil
	}
	cone := slices.Clone(r.cone(properties[0]))
	for _, i := range properties[1:] {
		for w, x := range r.cone(i) {
			cone[w] |= x
		}
	}
	var list []int
next:
	for _, l := range r.lemmas {
		for w, x := range r.cone(l) {
			if x&^cone[w] != 0 {
				continue next
			}
		}
		list = append(list, l)
	}
	return list
}

// cone returns the latches that a property or the constraints depend on.
func (r *run) cone(property int) []uint64 {
	if r.cones == nil {
		r.cones = make([][]uint64, len(r.m.Bads))
	}
	if r.cones[property] == nil {
		set := make([]uint64, (len(r.m.Latches)+63)/64)
		for i, in := range r.m.Cone(r.m.Bads[property], r.m.Constraint) {
			if in {
				set[i/64] |= 1 << (i % 64)
			}
		}
		r.cones[property] = set
	}
	return r.cones[property]
}

// coneSize is the number of these latches.
func (r *run) coneSize(property int) int {
	n := 0
	for _, w := range r.cone(property) {
		n += bits.OnesCount64(w)
	}
	return n
}
