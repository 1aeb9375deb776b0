package daemon

import (
	"errors"
	"os"
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/service/config"
)

func valueOf(t *testing.T, s api.Settings, name string) api.Setting {
	t.Helper()
	for _, x := range s.Settings {
		if x.Name == name {
			return x
		}
	}
	t.Fatalf("there is no %s", name)
	return api.Setting{}
}

func TestASettingIsChangedInTheFileAndTakenUpByTheNextStart(t *testing.T) {
	p := params(t.TempDir(), t.TempDir())
	if err := p.Home.Create(); err != nil {
		t.Fatal(err)
	}
	file := p.Home.Config()
	if err := os.WriteFile(file, []byte("# mine\n[log]\nlevel = \"warn\" # quiet\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	p.Config = cfg
	s := start(t, p)
	all, err := s.Settings(t.Context())
	if err != nil || all.File != file || all.Restart || len(all.Settings) != len(config.Settings()) {
		t.Fatalf("%+v, %v", all, err)
	}
	if x := valueOf(t, all, "log.level"); x.Value != "warn" || x.Default != "info" || x.Kind != api.SettingText || len(x.Choices) != 4 || x.Help == "" {
		t.Errorf("%+v", x)
	}
	all, err = s.SetSetting(t.Context(), api.SettingChange{Name: "log.level", Value: "debug"})
	if err != nil || !all.Restart || valueOf(t, all, "log.level").Value != "debug" {
		t.Errorf("%+v, %v", all, err)
	}
	if text, _ := os.ReadFile(file); string(text) != "# mine\n[log]\nlevel = 'debug' # quiet\n" {
		t.Errorf("%s", text)
	}
	before, _ := os.ReadFile(file)
	var refused *api.Error
	for name, c := range map[string]api.SettingChange{
		"log.level is":        {Name: "log.level", Value: "loud"},
		"a whole number":      {Name: "mcp.port", Value: "many"},
		"from 1m to 24h":      {Name: "sync.every", Value: "5s"},
		"cannot read":         {Name: "capture.agents", Value: "codex\nnobody"},
		"is told anything":    {Name: "inject.except", Value: "nobody"},
		"no setting":          {Name: "no.such", Value: "x"},
		"no object of JSON":   {Name: "capture.roots", Value: "x"},
		"is not encrypted":    {Name: "proxy.upstreams", Value: `{"a":"http://example.com"}`},
		"is no duration":      {Name: "sync.every", Value: "soon"},
		"name is missing"[:4]: {Value: "x"},
	} {
		if _, err := s.SetSetting(t.Context(), c); !errors.As(err, &refused) || !strings.Contains(refused.Message, name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if all, err = s.SetSetting(t.Context(), api.SettingChange{Name: "log.level", Value: "info", Try: true}); err != nil || valueOf(t, all, "log.level").Value != "info" {
		t.Errorf("a value that may be was refused: %v", err)
	}
	if text, _ := os.ReadFile(file); string(text) != string(before) {
		t.Errorf("what was refused or tried changed the file: %s", text)
	}
	if all, err = s.SetSetting(t.Context(), api.SettingChange{Name: "log.level", Reset: true}); err != nil || valueOf(t, all, "log.level").Value != "info" {
		t.Errorf("%+v, %v", all, err)
	}
	roots := api.SettingChange{Name: "capture.roots", Value: `{"codex":["/nowhere"]}`}
	if all, err = s.SetSetting(t.Context(), roots); err != nil || !all.Restart || valueOf(t, all, roots.Name).Value != roots.Value || len(valueOf(t, all, roots.Name).Columns) != 1 {
		t.Errorf("%+v, %v", valueOf(t, all, roots.Name), err)
	}
	if _, err = s.SetSetting(t.Context(), api.SettingChange{Name: roots.Name, Reset: true}); err != nil {
		t.Error(err)
	}
	if all, err = s.SetSetting(t.Context(), api.SettingChange{Name: "log.level", Value: "warn"}); err != nil || all.Restart {
		t.Errorf("the file says what runs, but a start anew is wanted: %v", err)
	}
}

func TestSettingsThatCannotBeReadAreSaidAndNotWrittenOver(t *testing.T) {
	p := params(t.TempDir(), t.TempDir())
	s := start(t, p)
	file := p.Home.Config()
	if err := os.WriteFile(file, []byte("[log]\nlevel = 'loud'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var refused *api.Error
	if _, err := s.Settings(t.Context()); !errors.As(err, &refused) || !strings.Contains(refused.Message, file) {
		t.Errorf("%v", err)
	}
	if _, err := s.SetSetting(t.Context(), api.SettingChange{Name: "mcp.port", Value: "0"}); !errors.As(err, &refused) {
		t.Errorf("%v", err)
	}
	if text, _ := os.ReadFile(file); string(text) != "[log]\nlevel = 'loud'\n" {
		t.Errorf("%s", text)
	}
}

func TestTheDemosSettingsAreNotChanged(t *testing.T) {
	p := params(t.TempDir(), t.TempDir())
	p.Demo = true
	s := start(t, p)
	var refused *api.Error
	if _, err := s.SetSetting(t.Context(), api.SettingChange{Name: "log.level", Value: "warn"}); !errors.As(err, &refused) || refused.Code != api.CodeForbidden {
		t.Errorf("%v", err)
	}
}
