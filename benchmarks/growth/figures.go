package main

import (
	"fmt"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
)

// draw writes a figure of the times and one of the memory.
func draw(dir string, points []point) error {
	if err := figure(filepath.Join(dir, "growth-time.svg"), "Time over size", "CPU seconds", points, func(p point) float64 { return max(p.seconds, 0.01) }); err != nil {
		return err
	}
	return figure(filepath.Join(dir, "growth-memory.svg"), "Peak memory over size", "MiB", points, func(p point) float64 { return p.mib })
}

// figure draws a line for each family and command, with logarithmic axes; check is
// dashed.
func figure(path, title, label string, points []point, value func(point) float64) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, "latches", label
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.LogTicks{Prec: -1}, plot.LogTicks{Prec: -1}
	p.Legend.Top, p.Legend.Left = true, true
	for i, f := range families {
		for dashes, command := range []string{"cover", "check"} {
			var line plotter.XYs
			for _, x := range points {
				if x.family == f.name && x.command == command {
					line = append(line, plotter.XY{X: float64(x.latches), Y: value(x)})
				}
			}
			if len(line) == 0 {
				continue
			}
			l, err := plotter.NewLine(line)
			if err != nil {
				return err
			}
			l.Color, l.Dashes = plotutil.Color(i), plotutil.Dashes(dashes)
			p.Add(l)
			p.Legend.Add(fmt.Sprintf("%s, %s", command, f.name), l)
		}
	}
	return p.Save(6*vg.Inch, 4.5*vg.Inch, path)
}
