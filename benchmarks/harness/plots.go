package main

import (
	"math"
	"path/filepath"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// draw writes the figures as SVG.
func draw(dir string, rows []*row) error {
	held := slices.DeleteFunc(slices.Clone(rows), func(r *row) bool { return r.status != "holds" || r.mutants == 0 })
	if len(held) == 0 {
		return nil
	}
	for name, figure := range map[string]func([]*row) (*plot.Plot, error){
		"naive.svg": scatter, "tests.svg": histogram, "accuracy.svg": curves,
	} {
		p, err := figure(held)
		if err != nil {
			return err
		}
		if p == nil {
			continue
		}
		if err := p.Save(6*vg.Inch, 4.5*vg.Inch, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// scatter sets netcov's time against the naive loop's, file by file.
func scatter(rows []*row) (*plot.Plot, error) {
	var points plotter.XYs
	for _, r := range rows {
		if r.naive > 0 {
			points = append(points, plotter.XY{X: r.naive, Y: max(r.check+r.cover, 1e-3)})
		}
	}
	return against("Model checking and coverage of all mutants", "ABC pdr, mutant by mutant (s, estimated)", "netcov (s)", points)
}

// drawSets sets netcov's check of a set of properties against the better of ABC's two
// methods.
func drawSets(dir string, rows []*setRow) error {
	var points plotter.XYs
	for _, r := range rows {
		best := r.ind
		if best < 0 || r.pdr >= 0 && r.pdr < best {
			best = r.pdr
		}
		if best >= 0 && r.held == r.properties {
			points = append(points, plotter.XY{X: max(best, 1e-2), Y: max(r.checkCPU, 1e-2)})
		}
	}
	p, err := against("Proof of a set of properties", "the better of ABC's ind and pdr (CPU s)", "netcov check (CPU s)", points)
	if p == nil || err != nil {
		return err
	}
	return p.Save(6*vg.Inch, 4.5*vg.Inch, filepath.Join(dir, "proofs.svg"))
}

// against draws points with logarithmic axes and the diagonal, or nothing where there
// is no point.
func against(title, x, y string, points plotter.XYs) (*plot.Plot, error) {
	if len(points) == 0 {
		return nil, nil
	}
	p := plot.New()
	p.Title.Text = title
	p.X.Label.Text, p.Y.Label.Text = x, y
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	s, err := plotter.NewScatter(points)
	if err != nil {
		return nil, err
	}
	low, high := math.Inf(1), 0.0
	for _, q := range points {
		low, high = min(low, q.X, q.Y), max(high, q.X, q.Y)
	}
	diagonal, err := plotter.NewLine(plotter.XYs{{X: low, Y: low}, {X: high, Y: high}})
	if err != nil {
		return nil, err
	}
	p.Add(s, diagonal, plotter.NewGrid())
	return p, nil
}

// histogram counts the verdicts of each test over all files (DAC10, figure 3).
func histogram(rows []*row) (*plot.Plot, error) {
	var names []string
	covered, not := map[string]float64{}, map[string]float64{}
	for _, r := range rows {
		for _, t := range r.tests {
			if !slices.Contains(names, t.Test) {
				names = append(names, t.Test)
			}
			covered[t.Test] += float64(t.Covered)
			not[t.Test] += float64(t.NotCovered)
		}
	}
	var a, b plotter.Values
	for _, n := range names {
		a, b = append(a, not[n]), append(b, covered[n])
	}
	p := plot.New()
	p.Title.Text, p.Y.Label.Text = "Verdicts by test", "mutants"
	first, err := plotter.NewBarChart(a, vg.Points(18))
	if err != nil {
		return nil, err
	}
	second, err := plotter.NewBarChart(b, vg.Points(18))
	if err != nil {
		return nil, err
	}
	first.Color = colour(0)
	second.Color = colour(1)
	second.StackOn(first)
	p.Add(first, second)
	p.Legend.Add("not covered", first)
	p.Legend.Add("covered", second)
	p.Legend.Top = true
	p.NominalX(names...)
	p.X.Tick.Label.Rotation = math.Pi / 5
	p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = -0.9, -0.4
	return p, nil
}

// curves draws accuracy against overhead: quartiles and the share of files with
// at least 90% (DAC10, figure 4).
func curves(rows []*row) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text = "Accuracy over time"
	p.X.Label.Text, p.Y.Label.Text = "times the model checking of the design", "accuracy"
	p.Y.Min, p.Y.Max = 0, 1.02
	lines := map[string]func([]float64) float64{
		"first quartile": func(x []float64) float64 { return quantile(x, .25) },
		"median":         func(x []float64) float64 { return quantile(x, .5) },
		"third quartile": func(x []float64) float64 { return quantile(x, .75) },
		"files with at least 90%": func(x []float64) float64 {
			n := 0
			for _, v := range x {
				if v >= 0.9 {
					n++
				}
			}
			return float64(n) / float64(len(x))
		},
	}
	for i, name := range []string{"first quartile", "median", "third quartile", "files with at least 90%"} {
		var points plotter.XYs
		for t := 0.0; t <= 10; t += 0.1 {
			var x []float64
			for _, r := range rows {
				x = append(x, r.accuracyAt(t))
			}
			points = append(points, plotter.XY{X: t, Y: lines[name](x)})
		}
		l, err := plotter.NewLine(points)
		if err != nil {
			return nil, err
		}
		l.Color = colour(i)
		l.Width = vg.Points(1.5)
		p.Add(l)
		p.Legend.Add(name, l)
	}
	p.Legend.YOffs = vg.Points(10)
	return p, nil
}
