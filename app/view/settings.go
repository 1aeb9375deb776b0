package view

import (
	"context"
	"reflect"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"dormouse/app/model"
	"dormouse/app/theme"
	"dormouse/app/view/kit"
)

// settingsPage shows the settings by group, and changes them.
type settingsPage struct {
	w       *Window
	all     *fyne.Container
	field   *kit.Entry
	stale   *fyne.Container // says that what runs is older
	restart *kit.Button
	file    *kit.Text
	groups  *kit.List
	right   *fyne.Container
	scroll  *container.Scroll
	frame   *fyne.Container
	shown   model.SettingsPage
	group   string // id of the one that is shown
	words   string // that are looked for
	fields  map[string]fyne.Focusable
	kept    string // the setting that had the keyboard when it was changed
}

// The measures of the settings, in pixels at scale 1.
const (
	groupsWidth  = 176
	controlWidth = 270
)

func newSettingsPage(w *Window) *settingsPage {
	p := &settingsPage{w: w, all: container.NewStack(), right: container.NewStack(), file: kit.NewText("").Small().Mono().Muted().Cut()}
	p.field = w.kit.Entry(model.SettingsFind.Text(), func(s string) { p.words = s; p.draw() })
	p.restart = w.kit.Button(model.RestartNow.Text(), nil, p.restartNow)
	note := kit.Line(12, 1, sign(model.Warn, 13), kit.NewText(model.SettingsStale.Text()).Cut(), p.restart)
	p.stale = kit.Inset(kit.Box(theme.ColorCaution, note), 12, 0, 0, 0)
	p.groups = w.kit.List(func() int { return len(p.shown.Groups) }, func() fyne.CanvasObject { return newGroupItem() },
		func(i int, o fyne.CanvasObject) { o.(*groupItem).name.Set(p.shown.Groups[i].Name) })
	p.groups.Follow(func(i int) { p.pick(p.shown.Groups[i].ID) })
	title := kit.Column(4, kit.NewText(model.Pages()[PageSettings].Name).Title(), p.file)
	head := kit.Column(0, kit.TopLine(12, 0, title, kit.Fixed(kit.Outlined(p.field), 230)), p.stale)
	body := &fyne.Container{Layout: beside(groupsWidth), Objects: []fyne.CanvasObject{kit.Inset(p.groups, 0, 0, 12, 14), p.right}}
	p.frame = framed(head, body)
	return p
}

func (p *settingsPage) object() fyne.CanvasObject { return p.all }

func (p *settingsPage) touched(u model.Update) bool { return u.Topics&model.TopicStatus != 0 }

func (p *settingsPage) find() { p.w.p.Parent.Canvas().Focus(p.field) }

func (p *settingsPage) enterList() { p.w.p.Parent.Canvas().Focus(p.groups) }

// escape ends the search.
func (p *settingsPage) escape() bool {
	if p.words == "" {
		return false
	}
	p.field.SetText("")
	return true
}

func (p *settingsPage) load() { ask(p.w, p.w.p.Presenter.Settings, p.show) }

func (p *settingsPage) show(page model.SettingsPage) {
	if len(p.all.Objects) > 0 && reflect.DeepEqual(page, p.shown) {
		return
	}
	p.shown = page
	if p.w.inTrouble(p.all, page.Trouble) {
		return
	}
	p.file.Set(page.File)
	toggle(p.stale, page.Restart)
	p.all.Objects = []fyne.CanvasObject{p.frame}
	if !slices.ContainsFunc(page.Groups, func(g model.SettingGroup) bool { return g.ID == p.group }) && len(page.Groups) > 0 {
		p.group = page.Groups[0].ID
	}
	p.groups.Refresh()
	p.draw()
	p.all.Refresh()
	if f := p.fields[p.kept]; f != nil { // what is drawn anew has lost the keyboard
		p.w.p.Parent.Canvas().Focus(f)
	}
	p.kept = ""
}

// choose marks the group that is shown.
func (p *settingsPage) choose() {
	if i := slices.IndexFunc(p.shown.Groups, func(g model.SettingGroup) bool { return g.ID == p.group }); i >= 0 {
		p.groups.Select(i)
	}
}

// pick shows a group.
func (p *settingsPage) pick(id string) {
	if p.group == id && p.words == "" {
		return
	}
	p.group = id
	if p.words != "" {
		p.words = ""
		p.field.SetText("")
	}
	p.draw()
}

// FindSetting shows the settings that have some words.
func (w *Window) FindSetting(words string) {
	w.Show(PageSettings)
	w.settings.field.SetText(words)
}

// draw shows the settings of the group, or those that are looked for.
func (p *settingsPage) draw() {
	p.scroll = nil // of what was shown before
	rows := p.shown.Shown(p.group, p.words)
	if p.words != "" { // what is found is of any group
		p.groups.UnselectAll()
	} else {
		p.choose()
	}
	name, about := model.SettingsFound.Text(), ""
	for _, g := range p.shown.Groups {
		if p.words == "" && g.ID == p.group {
			name, about = g.Name, g.About
		}
	}
	head := kit.Column(3, kit.NewText(name).Heading())
	if about != "" {
		head.Add(kit.Prose(about, theme.ColorMuted))
	}
	if len(rows) == 0 {
		head.Add(kit.Prose(model.SettingsNone.Text(), theme.ColorMuted))
	}
	all := kit.Column(16, head)
	p.fields = map[string]fyne.Focusable{}
	for _, row := range rows {
		all.Add(kit.Rule())
		all.Add(p.setting(row))
	}
	p.scroll = container.NewVScroll(kit.Inset(kit.Narrow(kit.Card(all), 860), 2, 24, 24, 10))
	p.right.Objects = []fyne.CanvasObject{p.scroll}
	p.right.Refresh()
	spread(p.scroll)
}

// relay lays the settings out anew, after one of them has become higher or lower.
func (p *settingsPage) relay() { spread(p.scroll) }

// setting is one setting: what it is for, and how it is changed.
func (p *settingsPage) setting(row model.SettingRow) fyne.CanvasObject {
	title := kit.Line(8, kit.NoGrow, kit.NewText(row.Title).Bold(), kit.NewText(row.ID).Mono().Muted())
	said := kit.Column(5, title)
	if row.Help != "" {
		said.Add(kit.Small(row.Help, theme.ColorMuted))
	}
	default_, grow := kit.NewText(row.Default).Small().Muted(), 0
	if row.Kind == model.SettingRows { // what takes it back stays near it
		grow = kit.NoGrow
	} else {
		default_.Cut()
	}
	below := kit.Line(6, grow, default_)
	if row.Changed {
		below.Add(p.w.kit.Link(model.SettingReset.Text(), func() {
			p.change(row, func(ctx context.Context) model.Notice { return p.w.p.Presenter.ResetSetting(ctx, row) })
		}))
	}
	if row.Kind == model.SettingRows { // needs the room
		return kit.Column(8, said, newSettingTable(p, row).all, below)
	}
	return kit.TopLine(20, 0, said, kit.Fixed(kit.Column(5, p.control(row), below), controlWidth))
}

// control is the field of a setting.
func (p *settingsPage) control(row model.SettingRow) fyne.CanvasObject {
	switch row.Kind {
	case model.SettingSwitch:
		box := p.w.kit.Check(model.SettingOn.Text(), func(on bool) { p.set(row, strconv.FormatBool(on)) })
		box.Checked = row.Value == "true"
		p.fields[row.ID] = box
		return box
	case model.SettingChoice:
		choose := p.w.kit.Select(func(label string) { p.set(row, idOf(row.Choices, label)) })
		labels, chosen := labelsOf(row.Choices, row.Value)
		choose.Offer(labels, chosen)
		p.fields[row.ID] = choose
		return kit.Outlined(choose)
	case model.SettingInFile:
		return kit.NewText(model.SettingByHand.Text()).Muted()
	}
	return p.word(row)
}

// word is the field of a setting of one line.
func (p *settingsPage) word(row model.SettingRow) fyne.CanvasObject {
	var entry *kit.Entry
	save := newSettingSave(p, row, func() { entry.SetText(row.Value) })
	entry = p.w.kit.Entry("", func(s string) { save.now(s, "") })
	entry.Text = row.Value
	entry.OnSubmitted = func(string) { save.do() }
	entry.Keys = func(e *fyne.KeyEvent) bool { return e.Name == fyne.KeyEscape && save.undone() }
	p.fields[row.ID] = entry
	return kit.Column(0, kit.Outlined(entry), save.all)
}

// set changes a setting, where that is another value.
func (p *settingsPage) set(row model.SettingRow, value string) {
	if value != row.Value {
		p.change(row, func(ctx context.Context) model.Notice { return p.w.p.Presenter.SetSetting(ctx, row, value) })
	}
}

// change has a setting changed, and gives its field the keyboard again. What was typed stays where it is refused; a switch or a choice
// goes back.
func (p *settingsPage) change(row model.SettingRow, do func(context.Context) model.Notice) {
	p.kept = row.ID
	p.w.act(do, func() {
		if row.Kind == model.SettingSwitch || row.Kind == model.SettingChoice {
			p.shown.Rows = nil // has it drawn anew
		}
	})
}

func (p *settingsPage) restartNow() {
	p.restart.SetText(model.Restarting.Text())
	p.restart.Disable()
	p.w.act(func(ctx context.Context) model.Notice { return p.w.p.Presenter.Restart(ctx, p.w.p.Start) }, func() {
		p.restart.SetText(model.RestartNow.Text())
		p.restart.Enable()
	})
}

// groupItem is a group in the list.
type groupItem struct {
	widget.BaseWidget
	all  *fyne.Container
	name *kit.Text
}

func newGroupItem() *groupItem {
	i := &groupItem{name: kit.NewText("").Cut().In(base.ColorNameForeground)}
	i.all = kit.Inset(i.name, 8, 10, 8, 10)
	i.ExtendBaseWidget(i)
	return i
}

// CreateRenderer is Fyne's.
func (i *groupItem) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(i.all) }
