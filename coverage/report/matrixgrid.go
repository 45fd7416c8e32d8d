package report

import (
	"cmp"
	"fmt"

	"netcov/internal/visible"
)

// The matrix as a picture: a row for each register, a column for each property, and a
// square whose height is the share of the register's mutants on which the property fails.

// Bounds of the picture, and the side of a square.
const (
	mostGridRows = 400
	mostGridCols = 400
	gridSide     = 14
	gridLabel    = 220
	gridHead     = 40
)

// matrixGrid is the picture.
type matrixGrid struct {
	Width, Height      int
	Columns            []gridColumn
	Rows               []gridRow
	RowsLeft, ColsLeft int
}

type gridColumn struct {
	X            int
	Number, Name string
}

type gridRow struct {
	Name  string
	Y     int
	Cells []gridCell
}

// gridCell is a square: where it begins, how high it is, and whether unknown cells stand
// behind it.
type gridCell struct {
	X, Y, Height int
	Open         bool
	Title        string
}

// MatrixGrid is the picture of the matrix; nil without one.
func (r *Report) MatrixGrid() *matrixGrid {
	if r.Matrix == nil {
		return nil
	}
	g := &matrixGrid{}
	of := map[int]Property{}
	for _, p := range r.Properties {
		of[p.Index] = p
	}
	column := map[int]int{}
	for i, p := range r.Matrix.Properties {
		if i == mostGridCols {
			g.ColsLeft = len(r.Matrix.Properties) - i
			break
		}
		column[p.Index] = i
		g.Columns = append(g.Columns, gridColumn{gridLabel + i*gridSide, fmt.Sprint(p.Index), visible.Line(of[p.Index].short())})
	}
	type tally struct {
		name       string
		mutants    int
		fail, open []int
	}
	var all []*tally
	at := map[string]*tally{}
	for m := range r.Rows() {
		if m.Properties == nil || m.Waiver != nil {
			continue
		}
		name := cmp.Or(m.Node.Register, m.Node.Name, fmt.Sprint(m.Node.Kind, " ", m.Node.Index))
		t := at[name]
		if t == nil {
			t = &tally{name: visible.Line(name), fail: make([]int, len(g.Columns)), open: make([]int, len(g.Columns))}
			at[name] = t
			all = append(all, t)
		}
		t.mutants++
		for _, list := range []struct {
			properties []int
			count      []int
		}{{m.Properties.Fail, t.fail}, {m.Properties.Unknown, t.open}} {
			for _, p := range list.properties {
				if i, shown := column[p]; shown {
					list.count[i]++
				}
			}
		}
	}
	for k, t := range all {
		if k == mostGridRows {
			g.RowsLeft = len(all) - k
			break
		}
		row := gridRow{Name: t.name, Y: gridHead + k*gridSide}
		for i, c := range g.Columns {
			if t.fail[i]+t.open[i] == 0 {
				continue
			}
			height := max(2, (gridSide-2)*t.fail[i]/t.mutants)
			cell := gridCell{X: c.X + 1, Y: row.Y + gridSide - 1 - height, Height: height, Open: t.fail[i] == 0}
			cell.Title = fmt.Sprintf("%s, %s: fails on %d of %s", t.name, c.Name, t.fail[i], Plural(t.mutants, "mutant"))
			if t.open[i] > 0 {
				cell.Title += fmt.Sprintf(", unknown of %d", t.open[i])
			}
			row.Cells = append(row.Cells, cell)
		}
		g.Rows = append(g.Rows, row)
	}
	g.Width, g.Height = gridLabel+len(g.Columns)*gridSide+4, gridHead+len(g.Rows)*gridSide+4
	return g
}
