// Package growth measures how the time of an algorithm grows with the number of
// states, and draws it.
package growth

import (
	"fmt"
	"log"
	"math"
	"syscall"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
)

// CPU returns the CPU time that the process has used, in seconds.
func CPU() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		log.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// Series is one algorithm's runs: X the states, Y the seconds.
type Series struct {
	Name   string
	Points plotter.XYs
	// Least is the time in seconds below which a run says nothing of growth.
	Least float64
}

// Slope is the exponent of the power law fitted to the runs that take long enough
// to count: NaN where these are fewer than two.
func (s Series) Slope() float64 {
	var long plotter.XYs
	for _, p := range s.Points {
		if p.Y >= s.Least {
			long = append(long, p)
		}
	}
	return Exponent(long)
}

// Exponent fits a straight line to the logarithms of the points, by least
// squares, and returns its slope.
func Exponent(points plotter.XYs) float64 {
	if len(points) < 2 {
		return math.NaN()
	}
	var n, sx, sy, sxx, sxy float64
	for _, p := range points {
		x, y := math.Log(p.X), math.Log(p.Y)
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// Draw writes the series as a picture with logarithmic axes. x names the states.
func Draw(path, title, x string, all []Series) error {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, "seconds (CPU)"
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = powersOfTwo{}, plot.LogTicks{Prec: -1}
	p.Legend.Top, p.Legend.Left = true, true
	p.Add(plotter.NewGrid())
	var lines []any
	for _, s := range all {
		if len(s.Points) > 0 {
			lines = append(lines, fmt.Sprintf("%s, |W|^%.2f", s.Name, s.Slope()), s.Points)
		}
	}
	if err := plotutil.AddLinePoints(p, lines...); err != nil {
		return err
	}
	return p.Save(15*vg.Centimeter, 10.5*vg.Centimeter, path)
}

// powersOfTwo marks every second power of two.
type powersOfTwo struct{}

// Ticks lists the marks of an axis.
func (powersOfTwo) Ticks(low, high float64) []plot.Tick {
	var ticks []plot.Tick
	for e := 0; e < 63; e += 2 {
		if v := math.Exp2(float64(e)); v >= low && v <= high {
			ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprintf("2^%d", e)})
		}
	}
	return ticks
}
