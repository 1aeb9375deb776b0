package model

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dormouse/app/lang"
	"dormouse/service/api"
	"dormouse/service/client"
	"dormouse/service/config"
)

func (f *fake) Settings(context.Context) (api.Settings, error) {
	return f.settings, f.note("settings", "")
}
func (f *fake) SetSetting(_ context.Context, c api.SettingChange) (api.Settings, error) {
	return f.settings, f.note("set", "%s", c.Values().Encode())
}
func (f *fake) Stop(context.Context) error {
	err := f.note("stop", "")
	if err == nil {
		f.set(func() { f.err = map[string]error{"": client.ErrNotRunning} })
	}
	return err
}

func settingsFake() *fake {
	return &fake{settings: api.Settings{File: "/home/robin/.dormouse/config.toml", Restart: true, Settings: []api.Setting{
		{Name: "capture.agents", Section: "capture", Help: "whose sessions", Kind: api.SettingList, Value: "codex\ngoose"},
		{Name: "capture.keep_images", Section: "capture", Help: "keep them", Kind: api.SettingYes, Value: "true", Default: "false"},
		{Name: "capture.roots", Section: "capture", Help: "folders", Kind: api.SettingTable},
		{Name: "llm.provider", Section: "llm", Help: "which one", Kind: api.SettingText, Choices: []string{"", "claude"}},
		{Name: "llm.base_url", Section: "llm", Help: "the end", Kind: api.SettingText, Value: "http://x", Default: "http://x"},
		{Name: "llm.key_env", Section: "llm", Help: "the end", Kind: api.SettingText},
		{Name: "new.thing", Section: "new", Kind: api.SettingNumber, Value: "7", Default: "7"}}}}
}

func TestSettingsAreShownByGroupWithTheirHelp(t *testing.T) {
	page := presenter(settingsFake()).Settings(t.Context())
	if page.File != "~/.dormouse/config.toml" || !page.Restart || len(page.Groups) != 3 || page.Groups[0].Name != "Capture" || page.Groups[1].Name != "Language model" || page.Groups[2].Name != "New" {
		t.Fatalf("%+v", page)
	}
	want := []SettingRow{
		{ID: "capture.agents", Group: "capture", Title: "Agents", Help: "whose sessions", Kind: SettingRows, Value: "codex\ngoose", Default: "Default: none", Changed: true,
			Columns: []SettingColumn{{}}, Cells: [][]string{{"codex"}, {"goose"}}},
		{ID: "capture.keep_images", Group: "capture", Title: "Keep images", Help: "keep them", Kind: SettingSwitch, Value: "true", Default: "Default: off", Changed: true},
		{ID: "capture.roots", Group: "capture", Title: "Roots", Help: "folders", Kind: SettingInFile}}
	if got := page.Shown("capture", ""); !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	want = []SettingRow{
		{ID: "llm.provider", Group: "llm", Title: "Provider", Help: "which one", Kind: SettingChoice, Default: "Default: none", Choices: []Choice{{"", "none"}, {"claude", "claude"}}},
		{ID: "llm.base_url", Group: "llm", Title: "Base address", Help: "the end", Value: "http://x", Default: "Default: http://x"},
		{ID: "llm.key_env", Group: "llm", Title: "Key environment variable", Default: "Default: none"}} // its help stands above
	if got := page.Shown("llm", ""); !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
	for words, want := range map[string]string{"KEEP images": "capture.keep_images", "llm end": "llm.base_url llm.key_env", "nothing": ""} {
		var got []string
		for _, row := range page.Shown("new", words) {
			got = append(got, row.ID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q", words, got)
		}
	}
}

func TestASettingIsChangedAndGivenItsDefault(t *testing.T) {
	f := settingsFake()
	p := presenter(f)
	row := SettingRow{ID: "log.level", Title: "Level"}
	if n := p.SetSetting(t.Context(), row, ""); n.Text != "Level is changed. It holds from the next start of Dormouse." || n.Tone != Good {
		t.Errorf("%+v", n)
	}
	f.settings.Restart = false
	if n := p.ResetSetting(t.Context(), row); n.Text != "Level has its default again." {
		t.Errorf("%+v", n)
	}
	if want := []string{"set name=log.level&value=", "set name=log.level&reset=true"}; !reflect.DeepEqual(f.asked, want) {
		t.Errorf("asked %q", f.asked)
	}
	f.err = map[string]error{"set": &api.Error{Code: api.CodeBadRequest, Message: "log.level is loud"}}
	if n := p.SetSetting(t.Context(), row, "loud"); n.Tone != Warn || n.Text != "log.level is loud." {
		t.Errorf("%+v", n)
	}
}

func TestSettingsThatCannotBeReadSayWhatToMend(t *testing.T) {
	f := &fake{err: map[string]error{"settings": &api.Error{Code: api.CodeBadRequest, Message: "line 3: there is no setting x"}}}
	if page := presenter(f).Settings(t.Context()); page.Trouble == nil || page.Trouble.Title != "The settings cannot be read" || !strings.Contains(page.Trouble.Text, "ine 3") {
		t.Errorf("%+v", page.Trouble)
	}
	f.err["settings"] = client.ErrNotRunning
	if page := presenter(f).Settings(t.Context()); page.Trouble == nil || !page.Trouble.Start {
		t.Errorf("%+v", page.Trouble)
	}
}

// slow is a service that goes on answering for a while after it was told to stop.
type slow struct {
	*fake
	left int
}

func (s *slow) Status(ctx context.Context) (api.Status, error) {
	if s.left--; s.left > 0 {
		return api.Status{}, nil
	}
	return s.fake.Status(ctx)
}

func TestARestartStartsOnceTheOldOneIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &slow{fake: &fake{}, left: 4}
		p := New(Options{Backend: func() Backend { return f }})
		started := 0
		n := p.Restart(t.Context(), func(ctx context.Context) error {
			if _, err := f.Status(ctx); err == nil {
				t.Error("started while the old one runs")
			}
			started++
			return nil
		})
		if started != 1 || n.Tone != Good {
			t.Errorf("%d, %+v", started, n)
		}
		f.left = 1000
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if n := p.Restart(ctx, func(context.Context) error { started++; return nil }); n.Tone == Good || started != 1 {
			t.Errorf("%d, %+v", started, n)
		}
	})
	f := &fake{err: map[string]error{"stop": errors.New("no")}}
	if n := presenter(f).Restart(t.Context(), func(context.Context) error { t.Error("started"); return nil }); n.Tone != Bad {
		t.Errorf("%+v", n)
	}
}

func TestEverySettingHasWordsInEveryLanguage(t *testing.T) {
	t.Cleanup(func() { lang.Use("en") })
	for _, id := range lang.Tags[1:] {
		if lang.Use(id) != id {
			t.Fatal(id)
		}
		for _, s := range config.Settings() {
			for _, text := range []string{s.Name(), Clean(s.Help)} {
				if got, ok := lang.Setting(text); !ok || got == "" {
					t.Errorf("settings.%s.json lacks %q", id, text)
				}
			}
			row := settingRow(api.Setting{Name: s.Name(), Section: s.Section, Help: s.Help})
			if want, _ := lang.Setting(s.Name()); row.Title != want || row.Help == Clean(s.Help) {
				t.Errorf("%s, %s: %q, %q", id, s.Name(), row.Title, row.Help)
			}
		}
	}
	if got := len(config.LanguageTags); got != len(lang.Tags)+1 {
		t.Errorf("%d languages can be set", got)
	}
}
