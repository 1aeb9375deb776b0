package model

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"dormouse/app/lang"
	"dormouse/service/api"
)

// SettingsPage is what a person can set.
type SettingsPage struct {
	Trouble *Trouble
	Groups  []SettingGroup
	Rows    []SettingRow // of all groups, in the order of the file
	File    string
	// Restart says that the file says something else than what runs.
	Restart bool
}

// SettingGroup is a section of the settings.
type SettingGroup struct{ ID, Name, About string }

// SettingKind is how a setting is changed.
type SettingKind int

// The kinds of setting.
const (
	SettingWord   SettingKind = iota // a line of text, a number or a time
	SettingRows                      // rows of one or more values
	SettingSwitch                    // on or off
	SettingChoice                    // one of a few
	SettingInFile                    // changed in the file alone
)

// SettingRow is one setting.
type SettingRow struct {
	ID, Group string
	Title     string
	Help      string
	Kind      SettingKind
	Value     string // as the service writes it; true or false for SettingSwitch
	Default   string // in words
	Changed   bool   // from its default
	Choices   []Choice
	// Columns and Cells are the value of SettingRows; Written makes a value of them.
	Columns []SettingColumn
	Cells   [][]string
}

// settingGroups are the sections of config.toml, and what they are about.
func settingGroups() []SettingGroup {
	return []SettingGroup{
		{"capture", lang.Say("Capture"), lang.Say("Whose sessions are read, and where from.")},
		{"redact", lang.Say("Secrets"), lang.Say("What is taken out before anything is written, beside what Dormouse knows as a secret.")},
		{"sleep", lang.Say("Sleep"), lang.Say("When it learns from what was captured.")},
		{"distill", lang.Say("Learning"), lang.Say("What reads your sessions for what is worth remembering.")},
		{"llm", lang.Say("Language model"), lang.Say("Which one is asked, if any, and what that may cost.")},
		{"inject", lang.Say("What agents are told"), lang.Say("What connected agents are told, and when.")},
		{"embed", lang.Say("Search by meaning"), lang.Say("What finds what has the same meaning in other words.")},
		{"sync", lang.Say("Sync"), lang.Say("How the memory travels to your other machines.")},
		{"shadow", lang.Say("File history"), lang.Say("Which files are kept as your agents changed them.")},
		{"mcp", lang.Say("Agents' tools"), lang.Say("How agents ask the memory over HTTP.")},
		{"proxy", lang.Say("Proxy"), lang.Say("What passes between your agents and the providers of their models.")},
		{"window", lang.Say("Window"), lang.Say("How window, tray and notifications speak.")},
		{"notify", lang.Say("Notifications"), lang.Say("When the tray keeps what it has to tell to itself.")},
		{"update", lang.Say("Updates"), lang.Say("Where it is asked for new releases, if at all.")},
		{"log", lang.Say("Log"), lang.Say("What the service writes down about itself.")},
	}
}

// Settings asks for all settings.
func (p *Presenter) Settings(ctx context.Context) SettingsPage {
	s, err := p.o.Backend().Settings(ctx)
	if e, ok := asRefusal(err); ok && e.Code == api.CodeBadRequest { // the file is broken, and says how
		return SettingsPage{Trouble: &Trouble{Title: lang.Say("The settings cannot be read"), Text: sentence(e.Message)}}
	}
	if err != nil {
		return SettingsPage{Trouble: troubleOf(err)}
	}
	page := SettingsPage{File: p.style().path(s.File), Restart: s.Restart}
	for _, x := range s.Settings {
		page.Rows = append(page.Rows, settingRow(x))
		if !slices.ContainsFunc(page.Groups, func(g SettingGroup) bool { return g.ID == x.Section }) {
			page.Groups = append(page.Groups, settingGroup(x.Section))
		}
	}
	return page
}

func settingGroup(id string) SettingGroup {
	all := settingGroups()
	i := slices.IndexFunc(all, func(g SettingGroup) bool { return g.ID == id })
	if i < 0 {
		return SettingGroup{ID: id, Name: keyWords(id)}
	}
	return all[i]
}

func settingRow(x api.Setting) SettingRow {
	_, key, _ := strings.Cut(x.Name, ".")
	row := SettingRow{ID: x.Name, Group: x.Section, Title: keyWords(key), Help: Clean(x.Help), Value: x.Value, Changed: x.Value != x.Default}
	if title, ok := lang.Setting(x.Name); ok {
		row.Title = title
	}
	if help, ok := lang.Setting(row.Help); ok {
		row.Help = help
	}
	switch {
	case x.Kind == api.SettingTable, x.Kind == api.SettingList:
		var ok bool
		if row.Columns, row.Cells, ok = rowsOf(x); !ok {
			row.Kind, row.Changed = SettingInFile, false
			return row
		}
		row.Kind = SettingRows
	case x.Kind == api.SettingYes:
		row.Kind = SettingSwitch
		row.Default = lang.Say("Default: {value}", lang.Say("off"))
		if x.Default == "true" {
			row.Default = lang.Say("Default: {value}", lang.Say("on"))
		}
		return row
	case len(x.Choices) > 0:
		row.Kind = SettingChoice
		for _, c := range x.Choices {
			row.Choices = append(row.Choices, Choice{ID: c, Label: choiceWord(x.Name, c)})
		}
		row.Default = lang.Say("Default: {value}", choiceWord(x.Name, x.Default))
		return row
	}
	row.Default = lang.Say("Default: {value}", lang.Say("none"))
	if x.Default != "" {
		row.Default = lang.Say("Default: {value}", list(strings.Fields(x.Default)))
	}
	return row
}

// languages are the languages of the window, each in its own words.
var languages = map[string]string{"en": "English", "de": "Deutsch", "zh": "中文"}

func choiceWord(setting, c string) string {
	switch {
	case setting == "window.language" && c == "":
		return lang.Say("that of the system")
	case setting == "window.language":
		return cmp.Or(languages[c], c)
	case c == "":
		return lang.Say("none")
	}
	return c
}

// keyForms are words of keys that are written in another way.
var keyForms = map[string]string{"url": "address", "dir": "folder", "mcp": "MCP", "http": "HTTP", "env": "environment variable", "llm": "language model"}

// keyWords is a key of the file as words.
func keyWords(key string) string {
	words := strings.FieldsFunc(key, func(r rune) bool { return r == '_' || r == '-' })
	for i, w := range words {
		if form := keyForms[w]; form != "" {
			words[i] = form
		}
	}
	text := strings.Join(words, " ")
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}

// Shown are the rows of a group, or, where there are words to look for, those of any group that hold all of them. What several settings share
// is said once.
func (p SettingsPage) Shown(group, words string) []SettingRow {
	var out []SettingRow
	help := ""
	wanted := strings.Fields(strings.ToLower(words))
	for _, row := range p.Rows {
		text := strings.ToLower(row.Title + " " + row.ID + " " + row.Help)
		missing := slices.ContainsFunc(wanted, func(w string) bool { return !strings.Contains(text, w) })
		if missing || len(wanted) == 0 && row.Group != group {
			continue
		}
		row.Help, help = unless(row.Help, help), row.Help
		out = append(out, row)
	}
	return out
}

func unless(s, same string) string {
	if s == same {
		return ""
	}
	return s
}

// SetSetting changes a setting in the file. A value that cannot be is told, and nothing is changed.
func (p *Presenter) SetSetting(ctx context.Context, row SettingRow, value string) Notice {
	return p.changeSetting(ctx, api.SettingChange{Name: row.ID, Value: value}, lang.Say("{setting} is changed.", row.Title))
}

// ResetSetting gives a setting its default.
func (p *Presenter) ResetSetting(ctx context.Context, row SettingRow) Notice {
	return p.changeSetting(ctx, api.SettingChange{Name: row.ID, Reset: true}, lang.Say("{setting} has its default again.", row.Title))
}

func (p *Presenter) changeSetting(ctx context.Context, c api.SettingChange, done string) Notice {
	s, err := p.o.Backend().SetSetting(ctx, c)
	if e, ok := asRefusal(err); ok && e.Code == api.CodeBadRequest { // it begins with the setting's name
		return Notice{Tone: Warn, Text: Clean(e.Message) + "."}
	}
	if err != nil {
		return failed(lang.Say("Changing the setting"), err)
	}
	if s.Restart {
		done = joined(" ", done, lang.Say("It holds from the next start of Dormouse."))
	}
	return Notice{Tone: Good, Text: done}
}

// stopEvery is how often it is looked whether the service has stopped.
const stopEvery = 100 * time.Millisecond

// Restart stops the service, waits until it is gone, and has it started again.
func (p *Presenter) Restart(ctx context.Context, start func(context.Context) error) Notice {
	if err := p.o.Backend().Stop(ctx); err != nil {
		return failed(lang.Say("Stopping"), err)
	}
	for {
		if _, err := p.o.Backend().Status(ctx); err != nil {
			break
		}
		select {
		case <-ctx.Done():
			return failed(lang.Say("Stopping"), ctx.Err())
		case <-time.After(stopEvery):
		}
	}
	return Started(start(ctx))
}
