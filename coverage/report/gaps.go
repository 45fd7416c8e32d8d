package report

import (
	"fmt"
	"slices"

	"netcov/coverage/waveform"
	"netcov/internal/visible"
)

// Gap is a mutant that goes unnoticed where all could see it, and a run that shows it.
type Gap struct {
	Node  Node
	Fault string // as the report has it
	Waves *waveform.Waves
}

// ShowGaps gives the page the runs of gaps; left is the number of those that are left
// out. Other forms, and a report that is read again, have none.
func (r *Report) ShowGaps(list []Gap, left int) { r.gaps, r.gapsLeft = list, left }

// pageGaps are the gaps of a page.
type pageGaps struct {
	List []pageGap
	Left int
}

// pageGap is a gap as a drawing.
type pageGap struct {
	Title string
	wave
}

// wave is a drawing of a run: a row for each word, with a lane for both sides, or one for
// each where they differ.
type wave struct {
	Width, Height int
	Notes         string // what is left out
	Ticks         []waveText
	Rows          []waveRow
}

type waveText struct {
	X, Y int
	Text string
}

type waveRow struct {
	What, Name string
	Y          int   // of the first lane
	Differs    []int // of its first difference: where it begins and how high it is; nil for none
	Lanes      []lane
}

// lane is a signal over time: paths of known values, and of unknown ones.
type lane struct {
	Class         string // same, design or mutant
	Y             int
	Path, Unknown string
	Values        []waveText
}

// Places in a drawing.
const (
	waveLabel = 200 // width of the names
	waveStep  = 52
	waveHigh  = 14 // of a lane, low to high
	waveRoom  = 22 // from one lane to the next
)

// gapList draws the gaps.
func (r *Report) gapList() *pageGaps {
	if len(r.gaps) == 0 {
		return nil
	}
	out := &pageGaps{Left: r.gapsLeft}
	for _, g := range r.gaps {
		rows, from, left := g.Waves.Rows()
		w := drawWaves(rows, from)
		if left > 0 {
			w.Notes = fmt.Sprintf("… and %d more words that differ", left)
		}
		title := g.Node.Name
		if title == "" {
			title = fmt.Sprintf("%s %d", g.Node.Kind, g.Node.Index)
		}
		out.List = append(out.List, pageGap{visible.Line(title) + ", " + g.Fault, w})
	}
	return out
}

// drawWaves draws rows whose first value is that of a step.
func drawWaves(rows []waveform.Row, from int) wave {
	w := wave{}
	y := 24
	for _, x := range rows {
		row := waveRow{What: x.What, Name: visible.Line(x.Name), Y: y}
		lanes := []lane{drawLane("same", x.Values[0], x.Wide, y)}
		if !slices.Equal(x.Values[0], x.Values[1]) {
			lanes = []lane{drawLane("design", x.Values[0], x.Wide, y), drawLane("mutant", x.Values[1], x.Wide, y+waveRoom)}
		}
		y += waveRoom * len(lanes)
		if x.First >= from {
			row.Differs = []int{waveLabel + (x.First-from)*waveStep, y - row.Y}
		}
		row.Lanes = lanes
		w.Rows = append(w.Rows, row)
		w.Width = max(w.Width, waveLabel+len(x.Values[0])*waveStep+8)
		y += 4
	}
	w.Height = y
	if len(rows) > 0 {
		for i := range rows[0].Values[0] {
			w.Ticks = append(w.Ticks, waveText{waveLabel + i*waveStep + waveStep/2, 14, fmt.Sprint(from + i)})
		}
	}
	return w
}

// drawLane draws the values of one side: a line that is low or high, or, for a word, a box
// with its value as long as that stays. Unknown values are a line in the middle.
func drawLane(class string, values []string, wide bool, y int) lane {
	l := lane{Class: class, Y: y}
	level := map[string]int{"0": y + waveHigh, "1": y}
	for i := 0; i < len(values); {
		end := i + 1
		for end < len(values) && values[end] == values[i] {
			end++
		}
		a, b := waveLabel+i*waveStep, waveLabel+end*waveStep
		switch at, known := level[values[i]]; {
		case values[i] == "x":
			l.Unknown += fmt.Sprintf("M%d,%d H%d ", a, y+waveHigh/2, b)
		case !wide && known:
			move := "M"
			if i > 0 && values[i-1] != "x" {
				move = "L"
			}
			l.Path += fmt.Sprintf("%s%d,%d H%d ", move, a, at, b)
		default:
			l.Path += fmt.Sprintf("M%d,%d L%d,%d H%d L%d,%d L%d,%d H%d Z ", a, y+waveHigh/2, a+4, y, b-4, b, y+waveHigh/2, b-4, y+waveHigh, a+4)
			l.Values = append(l.Values, waveText{(a + b) / 2, y + waveHigh - 3, visible.Cut(values[i], 7*(end-i))})
		}
		i = end
	}
	return l
}
