package report

import (
	"fmt"
	"strings"

	"netcov/internal/visible"
	"netcov/kripke/structure"
)

// Bounds of what a page draws: beyond them a drawing takes long and shows little.
const (
	mostBoxes = 60   // states with their names; more are dots
	mostDots  = 600  // states
	mostSteps = 6000 // transitions
)

// drawing is a picture with places: boxes with names or, where there are many states,
// dots, in rows; and steps between them.
type drawing struct {
	Width, Height float64
	Boxes         bool
	Many          bool // steps: they are drawn faintly
	Whole         int  // states, where neighbours are drawn as one; 0 where they are not
	States        []drawnState
	Steps         []drawnStep
	Initial       []string // paths of arrows into initial states
}

type drawnState struct {
	X, Y, W, H         float64 // of the middle, and the size
	Class, Name, Label string
	Title              string // all of both
	Covered            string // positions of signals
}

type drawnStep struct {
	From, To    int
	Path, Class string
}

// draw places a picture.
func draw(p *picture) (*drawing, error) {
	p = p.merged(mostBoxes)
	g := p.graph
	if g.Len() > mostDots || g.Transitions() > mostSteps {
		return nil, fmt.Errorf("%s are too many for a drawing: at most %d states and %d transitions are drawn", g.Size(), mostDots, mostSteps)
	}
	d := &drawing{Whole: p.whole, Boxes: g.Len() <= mostBoxes, Many: g.Transitions() > 3*g.Len()}
	w, h, gapX, gapY, wide := 132.0, 36.0, 24.0, 46.0, 8 // of boxes, and how many stand side by side
	if !d.Boxes {
		w, h, gapX, gapY, wide = 14, 14, 14, 34, 40
	}
	d.States = make([]drawnState, g.Len())
	row := make([]int, g.Len())
	rows := 0
	for _, layer := range layers(g) {
		for len(layer) > 0 {
			part := layer[:min(wide, len(layer))]
			layer = layer[len(part):]
			for i, s := range part {
				row[s] = rows
				d.States[s] = drawnState{X: (float64(i) - float64(len(part)-1)/2) * (w + gapX), Y: float64(rows) * (h + gapY), W: w, H: h}
			}
			rows++
		}
	}
	left := 0.0
	for _, s := range d.States {
		left = min(left, s.X-w/2)
	}
	const margin = 24
	for s := range d.States {
		x := &d.States[s]
		x.X, x.Y = x.X-left+margin, x.Y+h/2+margin
		d.Width, d.Height = max(d.Width, x.X+w/2+3*margin), max(d.Height, x.Y+h/2+margin)
		label := strings.Join(g.Label(s), ", ")
		name := g.States[s]
		x.Title = visible.Line(name + ": " + label)
		if p.whole > 0 { // how many states, and which
			x.Title = visible.Line(name)
			name, label, _ = strings.Cut(name, ", ")
		}
		x.Name, x.Label = brief(name), brief(label)
		x.Class = [...]string{structure.Plain: "plain", structure.Covered: "covered", structure.Uncovered: "uncovered", structure.Unreachable: "unreachable"}[p.class[s]]
		x.Covered = strings.Trim(fmt.Sprint(p.covered[s]), "[]")
	}
	for _, s := range g.Initial {
		x := d.States[s]
		d.Initial = append(d.Initial, fmt.Sprintf("M%.1f,%.1f L%.1f,%.1f", x.X-w/4, x.Y-h/2-16, x.X-w/4, x.Y-h/2))
	}
	missing := map[[2]int]bool{}
	for _, step := range p.missing {
		missing[step] = true
	}
	for s := range g.Len() {
		for _, t := range g.Successors(s) {
			step := drawnStep{From: s, To: int(t), Path: path(d.States[s], d.States[t], row[t]-row[s], s == int(t))}
			if missing[[2]int{s, int(t)}] {
				step.Class = "missing"
			}
			d.Steps = append(d.Steps, step)
		}
	}
	return d, nil
}

// path is a curve from one state to another that stands so many rows below: downwards
// from edge to edge, along a row, and upwards round the right.
func path(from, to drawnState, down int, loop bool) string {
	x, y := from.X+from.W/2, from.Y
	switch {
	case loop:
		return fmt.Sprintf("M%.1f,%.1f c20,-14 20,18 0,8", x, y-4)
	case down > 0:
		bend := (to.Y - from.Y - from.H) / 2
		return fmt.Sprintf("M%.1f,%.1f C%.1f,%.1f %.1f,%.1f %.1f,%.1f", from.X, y+from.H/2, from.X, y+from.H/2+bend, to.X, to.Y-to.H/2-bend, to.X, to.Y-to.H/2)
	case down == 0: // below the row to the right, above it to the left
		half, bulge := from.H/2, 22.0
		if to.X < from.X {
			half, bulge = -half, -bulge
		}
		return fmt.Sprintf("M%.1f,%.1f C%.1f,%.1f %.1f,%.1f %.1f,%.1f", from.X, y+half, from.X, y+half+bulge, to.X, y+half+bulge, to.X, y+half)
	}
	out := 18 + 4*float64(-down)
	return fmt.Sprintf("M%.1f,%.1f C%.1f,%.1f %.1f,%.1f %.1f,%.1f", x, y, x+out, y, to.X+to.W/2+out, to.Y, to.X+to.W/2, to.Y)
}

// brief is as much of a name as a box has room for.
func brief(name string) string {
	const room = 18
	short := []rune(visible.Line(name))
	if len(short) > room {
		return string(short[:room-1]) + "…"
	}
	return string(short)
}
