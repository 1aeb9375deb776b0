package text

import (
	"slices"
	"strings"
)

// gap is between two columns.
const gap = 2

// Column is one column of a table.
type Column struct {
	Title string
	// Right sets numbers flush right.
	Right bool
	// Min is the width to which the column may be cut where the table is too wide; 0 for never.
	Min int
	// Drop is how soon the column is left out where cutting does not help: the greatest first, 0 never.
	Drop int
	// Tail keeps the end of what is cut, for paths.
	Tail  bool
	Paint func(string) string
}

// Table is rows of clean one-line cells, one for each column.
type Table struct {
	Columns []Column
	Rows    [][]string
	// Head is how the titles look; nil leaves them out.
	Head func(string) string
}

// Lines sets the table in at most width columns; 0 or less sets no limit. Columns that are empty in every row are left out.
func (t Table) Lines(width int) []string {
	shown, sizes := t.fit(width)
	var out []string
	if t.Head != nil {
		titles := make([]string, len(t.Columns))
		for i, c := range t.Columns {
			titles[i] = c.Title
		}
		out = append(out, t.line(titles, shown, sizes, true))
	}
	for _, row := range t.Rows {
		out = append(out, t.line(row, shown, sizes, false))
	}
	return out
}

// fit chooses the columns that are shown and their widths.
func (t Table) fit(width int) (shown, sizes []int) {
	sizes = make([]int, len(t.Columns))
	for i, c := range t.Columns {
		for _, row := range t.Rows {
			sizes[i] = max(sizes[i], Width(row[i]))
		}
		if sizes[i] == 0 {
			continue
		}
		if t.Head != nil {
			sizes[i] = max(sizes[i], Width(c.Title))
		}
		shown = append(shown, i)
	}
	if width <= 0 {
		return shown, sizes
	}
	least := func(i int) int {
		if m := t.Columns[i].Min; m > 0 {
			return min(m, sizes[i])
		}
		return sizes[i]
	}
	for total(shown, least) > width {
		i := t.toDrop(shown)
		if i < 0 {
			break
		}
		shown = slices.DeleteFunc(shown, func(j int) bool { return j == i })
	}
	for total(shown, func(i int) int { return sizes[i] }) > width {
		i := widest(shown, func(i int) int { return sizes[i] - least(i) })
		if i < 0 {
			break
		}
		sizes[i]--
	}
	return shown, sizes
}

func total(shown []int, size func(int) int) int {
	n := gap * max(0, len(shown)-1)
	for _, i := range shown {
		n += size(i)
	}
	return n
}

// widest is the column with the most to give, or -1.
func widest(shown []int, spare func(int) int) int {
	best := -1
	for _, i := range shown {
		if spare(i) > 0 && (best < 0 || spare(i) > spare(best)) {
			best = i
		}
	}
	return best
}

// toDrop is the column that is left out next, or -1.
func (t Table) toDrop(shown []int) int {
	best := -1
	for _, i := range shown {
		if d := t.Columns[i].Drop; d > 0 && (best < 0 || d > t.Columns[best].Drop) {
			best = i
		}
	}
	return best
}

func (t Table) line(cells []string, shown, sizes []int, head bool) string {
	var b strings.Builder
	for n, i := range shown {
		c, size := t.Columns[i], sizes[i]
		cell := Cut(cells[i], size)
		if c.Tail && !head {
			cell = CutLeft(cells[i], size)
		}
		blank := strings.Repeat(" ", max(0, size-Width(cell)))
		if n == len(shown)-1 && !c.Right {
			blank = ""
		}
		switch {
		case head:
			cell = t.Head(cell)
		case c.Paint != nil:
			cell = c.Paint(cell)
		}
		if c.Right {
			cell = blank + cell
		} else {
			cell += blank
		}
		if n > 0 {
			b.WriteString(strings.Repeat(" ", gap))
		}
		b.WriteString(cell)
	}
	return strings.TrimRight(b.String(), " ")
}
