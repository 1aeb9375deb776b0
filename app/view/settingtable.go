package view

import (
	"slices"

	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/view/kit"
)

// settingTable edits a setting that has rows: a list, or a table of config.toml.
type settingTable struct {
	p      *settingsPage
	row    model.SettingRow
	cells  [][]string
	all    *fyne.Container
	rows   *fyne.Container
	save   *settingSave
	fields [][]fyne.Focusable
	add    *kit.Button
}

func newSettingTable(p *settingsPage, row model.SettingRow) *settingTable {
	t := &settingTable{p: p, row: row, rows: kit.Column(6)}
	t.save = newSettingSave(p, row, t.back)
	t.add = p.w.kit.Button(model.SettingAdd.Text(), base.ContentAddIcon(), t.more)
	t.all = kit.Column(6, t.rows, kit.Line(0, kit.NoGrow, t.add), t.save.all)
	t.fill()
	return t
}

// fill shows the value as it is in the file.
func (t *settingTable) fill() {
	t.cells = nil
	for _, row := range t.row.Cells {
		t.cells = append(t.cells, slices.Clone(row))
	}
	t.draw()
}

// back takes back what was typed.
func (t *settingTable) back() {
	t.fill()
	t.typed()
	t.p.w.p.Parent.Canvas().Focus(t.p.fields[t.row.ID])
}

func (t *settingTable) draw() {
	t.rows.Objects, t.fields = nil, nil
	if len(t.row.Columns) > 1 && len(t.cells) > 0 {
		heads := kit.Columns(8)
		for _, c := range t.row.Columns {
			heads.Add(kit.NewText(c.Title).Small().Muted().Cut())
		}
		t.rows.Add(kit.Line(6, 0, heads, kit.Fixed(kit.Space(1), removeWidth)))
	}
	for i := range t.cells {
		t.rows.Add(t.line(i))
	}
	t.p.fields[t.row.ID] = t.add
	if len(t.fields) > 0 {
		t.p.fields[t.row.ID] = t.fields[0][0]
	}
	t.rows.Refresh()
	t.p.relay()
}

// removeWidth is the width of the button at the end of a row, in pixels at scale 1.
const removeWidth = 36

// line is the fields of one row, and what takes it out.
func (t *settingTable) line(i int) fyne.CanvasObject {
	line := kit.Columns(8)
	var fields []fyne.Focusable
	for j, c := range t.row.Columns {
		changed := func(s string) { t.cells[i][j] = s; t.typed() }
		if c.Lines {
			lines := t.p.w.kit.Lines(t.cells[i][j], "", 2, changed)
			lines.Keys = t.key
			fields = append(fields, lines)
			line.Add(kit.Outlined(lines))
			continue
		}
		entry := t.p.w.kit.Entry("", changed)
		entry.Text, entry.Keys = t.cells[i][j], t.key
		entry.OnSubmitted = func(string) { t.save.do() }
		fields = append(fields, entry)
		line.Add(kit.Outlined(entry))
	}
	t.fields = append(t.fields, fields)
	remove := t.p.w.kit.Button("", base.ContentRemoveIcon(), func() { t.less(i) })
	remove.Importance = widget.LowImportance
	return kit.TopLine(6, 0, line, kit.Fixed(remove, removeWidth))
}

// key has Escape take back what was typed before it does anything else.
func (t *settingTable) key(e *fyne.KeyEvent) bool { return e.Name == fyne.KeyEscape && t.save.undone() }

// more adds an empty row and gives it the keyboard.
func (t *settingTable) more() {
	t.cells = append(t.cells, make([]string, len(t.row.Columns)))
	t.draw()
	t.typed()
	t.p.w.p.Parent.Canvas().Focus(t.fields[len(t.fields)-1][0])
}

// less takes a row out.
func (t *settingTable) less(i int) {
	t.cells = slices.Delete(t.cells, i, i+1)
	t.draw()
	t.typed()
	t.p.w.p.Parent.Canvas().Focus(t.add)
}

func (t *settingTable) typed() { t.save.now(t.row.Written(t.cells)) }
