package interp

import (
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"netcov/aig"
	"netcov/aiger"
	"netcov/cert"
	"netcov/certify"
	"netcov/internal/shared"
	"netcov/mutant"
	"netcov/netlist"
	"netcov/proof"
	"netcov/sat"
)

// benchmark is a file of a shared folder with an expected status.
type benchmark struct {
	path, status string
	ands         int
}

// benchmarks lists the files of a shared folder that have at most so many ANDs,
// every nth of them.
func benchmarks(tb testing.TB, folder, column string, maxAnds, nth int) []benchmark {
	tb.Helper()
	dir := shared.Dir(tb, filepath.Join("bench", folder))
	f, err := os.Open(filepath.Join(dir, "index.tsv"))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.FieldsPerRecord = '\t', -1
	rows, err := r.ReadAll()
	if err != nil {
		tb.Fatal(err)
	}
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	var bs []benchmark
	for _, row := range rows[1:] {
		if ands, _ := strconv.Atoi(row[at["ands"]]); ands <= maxAnds {
			bs = append(bs, benchmark{filepath.Join(dir, row[at["file"]]), row[at[column]], ands})
		}
	}
	var some []benchmark
	for i := 0; i < len(bs); i += nth {
		some = append(some, bs[i])
	}
	return some
}

// load compiles the first property of a file that is no liveness property.
func load(tb testing.TB, path string) (*aiger.File, *netlist.Model) {
	tb.Helper()
	f, err := aiger.ReadFile(path, aiger.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	n := netlist.FromAIGER(f)
	ps := n.Properties()
	if len(ps) == 0 || ps[0].Kind == netlist.PropertyJustice {
		return nil, nil
	}
	return f, netlist.Compile(n, ps[0].Bad, nil, mutant.AtOutput)
}

// TestSharedVerdicts checks, on shared benchmarks, that verdicts agree with the
// known status, that traces replay, and that invariants pass a checker that
// shares no code with the engine. NETCOV_LIMIT is the time a file (default
// 0.1 s).
func TestSharedVerdicts(t *testing.T) {
	limit, nth := 100*time.Millisecond, 12
	if d, err := time.ParseDuration(os.Getenv("NETCOV_LIMIT")); err == nil {
		limit, nth = d, 1
	} else if testing.Short() {
		nth = 30
	}
	count := map[string]int{}
	bs := benchmarks(t, "hwmcc08", "status", math.MaxInt, nth)
	bs = append(bs, benchmarks(t, "aiger19", "expected", math.MaxInt, nth)...)
	for i, b := range bs {
		f, m := load(t, b.path)
		if f == nil {
			continue
		}
		opts := append(variants(), Options{}, Options{}, Options{})
		opt := opts[i%len(opts)]
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		res, err := Check(ctx, m, opt)
		cancel()
		if err != nil {
			t.Fatalf("%s: %v", b.path, err)
		}
		count[b.status+" "+res.Status.String()]++
		k := certify.NewChecker(f, 0)
		switch res.Status {
		case cert.Holds:
			if b.status == "unsafe" || b.status == "sat" {
				t.Errorf("%s, %+v: holds, but is known to fail", b.path, opt)
			}
			err = k.Invariant(context.Background(), res.Invariant, nil)
		case cert.Fails:
			if b.status == "safe" || b.status == "unsat" {
				t.Errorf("%s, %+v: fails, but is known to hold", b.path, opt)
			}
			err = k.Trace(res.Trace)
		}
		if err != nil {
			t.Errorf("%s, %+v: %v", b.path, opt, err)
		}
	}
	t.Log(count)
}

// TestSharedInterpolants checks interpolants of real refutations, as the proof
// gives them and reduced, by queries to another solver on an encoding of their
// own: A implies the interpolant, the interpolant contradicts B. That it speaks
// of shared variables only is in its type: it is a set of states.
func TestSharedInterpolants(t *testing.T) {
	nth := 6
	if testing.Short() {
		nth = 40
	}
	checked := 0
	for _, b := range benchmarks(t, "hwmcc08", "status", 700, nth) {
		_, m := load(t, b.path)
		if b.status != "safe" {
			continue
		}
		for _, backward := range []bool{false, true} {
			checked += checkImages(t, b.path, m, backward)
		}
	}
	if checked == 0 {
		t.Fatal("no interpolant was checked")
	}
	t.Log(checked, "interpolants")
}

// checkImages computes some images and checks them; it returns how many.
func checkImages(t *testing.T, name string, m *netlist.Model, backward bool) int {
	t.Helper()
	const k = 3
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	mt := &meter{ctx: ctx, left: math.MaxInt64}
	e := newByProofs(m, &Options{}, backward)
	e.restart(k)
	for n := range 3 {
		from := e.from
		if e.img.solve(mt, from) != sat.Unsat {
			return n
		}
		image := e.img.image(mt)
		if image == aig.Undef {
			return n
		}
		raw := e.img.build.Interpolant(e.img.s.Proof(), nil)
		if got := e.sets.intern(mt, e.img.raw, raw, func(n aig.Node) int { return e.img.latch[n] }); got != image && ctx.Err() == nil {
			t.Errorf("%s: an interpolant is reduced to two different sets", name)
		}
		for _, reduced := range []bool{false, true} {
			root, g, latch := raw, e.img.raw, func(n aig.Node) int { return e.img.latch[n] }
			if reduced {
				root, g, latch = image, e.sets.g, func(n aig.Node) int { return e.sets.at[n] }
			}
			a, b := newSides(m, k, backward)
			if from != everything {
				a.assert(e.sets.g, from, func(n aig.Node) int { return e.sets.at[n] }, backward)
			} else {
				a.s.AddClause(a.f.Lit(0, m.Bad))
			}
			a.assert(g, root.Not(), latch, !backward)
			b.assert(g, root, latch, false)
			if a.s.Solve(ctx) == sat.Sat {
				t.Errorf("%s, backward %v, reduced %v: A does not imply the interpolant", name, backward, reduced)
			}
			if b.s.Solve(ctx) == sat.Sat {
				t.Errorf("%s, backward %v, reduced %v: the interpolant does not contradict B", name, backward, reduced)
			}
		}
		e.from = image
	}
	return 3
}

// side is one side of an image's partition, encoded for itself in gini. The
// shared state is that of frame seam.
type side struct {
	m    *netlist.Model
	s    *proof.Gini
	f    *netlist.Frames
	seam int
}

func newSide(m *netlist.Model, initial bool) *side {
	d := &side{m: m, s: proof.NewGini()}
	d.f = netlist.NewFrames(m, netlist.FramesOptions{Sink: netlist.SingleSink(d.s), Initial: initial})
	return d
}

// newSides encodes A without its set, and B. Backwards, B is the runs of
// exactly k-1 steps from an initial state: a part of what the engine takes.
func newSides(m *netlist.Model, k int, backward bool) (a, b *side) {
	a, b = newSide(m, false), newSide(m, backward)
	a.s.AddClause(a.f.Lit(0, m.Constraint))
	if backward {
		b.seam = k - 1
		for t := range k - 1 {
			b.s.AddClause(b.f.Lit(t, m.Constraint))
		}
		return a, b
	}
	// One literal for each frame that may be the bad one.
	var some []sat.Lit
	for t := range k {
		here := sat.MkLit(b.s.NewVar(), false)
		b.s.AddClause(here.Not(), b.f.Lit(t, m.Bad))
		for u := range t + 1 {
			b.s.AddClause(here.Not(), b.f.Lit(u, m.Constraint))
		}
		some = append(some, here)
	}
	b.s.AddClause(some...)
	return a, b
}

// assert adds a set of states, of the seam or of the frame after it.
func (d *side) assert(g *aig.Graph, root aig.Lit, latch func(aig.Node) int, next bool) {
	enc := newEncoder(g, d.s, func(n aig.Node) sat.Lit {
		l := d.m.Latches[latch(n)]
		if next {
			return d.f.Lit(d.seam, l.Next)
		}
		return d.f.Lit(d.seam, l.Lit)
	})
	d.s.AddClause(enc.lit(root))
}
