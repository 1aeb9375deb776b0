package config

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"
)

func load(t *testing.T, text string) (Config, string, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Load(path)
	return c, path, err
}

func TestNoFileAndTheTemplateGiveTheDefaults(t *testing.T) {
	c, err := Load(filepath.Join(t.TempDir(), "none.toml"))
	if err != nil || !reflect.DeepEqual(c, Default()) {
		t.Errorf("%+v %v", c, err)
	}
	if c, _, err = load(t, string(Template)); err != nil || !reflect.DeepEqual(c, Default()) {
		t.Errorf("%+v %v", c, err)
	}
	if err := Default().Validate(); err != nil {
		t.Error(err)
	}
}

// TestTemplateNamesEverySettingWithItsDefault uncomments the template and reads it strictly.
func TestTemplateNamesEverySettingWithItsDefault(t *testing.T) {
	text := regexp.MustCompile(`(?m)^# ([a-z_-]+ = |\[)`).ReplaceAllString(string(Template), "$1")
	c, _, err := load(t, text)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Capture.Roots) != 1 || len(c.Redact.Patterns) != 1 || len(c.LLM.Prices) != 1 || len(c.Proxy.Upstreams) != 4 {
		t.Errorf("examples are not read: %+v", c)
	}
	c.Capture.Roots, c.Redact.Patterns, c.LLM.Prices, c.LLM.Args, c.Proxy.Upstreams = nil, nil, nil, nil, nil
	want := Default()
	want.Capture.Agents, want.Capture.Exclude, want.Shadow.Exclude, want.Inject.Except = []string{}, []string{}, []string{}, []string{}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("the template's defaults are\n%+v\nnot\n%+v", c, want)
	}
	out, err := toml.Marshal(Default())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range regexp.MustCompile(`(?m)^([a-z_]+) =`).FindAllStringSubmatch(string(out), -1) {
		if !strings.Contains(string(Template), name[1]+" =") {
			t.Errorf("the template does not name %s", name[1])
		}
	}
}

func TestSettingsAreRead(t *testing.T) {
	c, _, err := load(t, "[sleep]\nidle_after = \"1h30m\"\ndeep_at = \"23:45\"\n[capture]\nagents = [\"codex\"]\nkeep_images = true\n")
	if err != nil {
		t.Fatal(err)
	}
	if time.Duration(c.Sleep.IdleAfter) != 90*time.Minute || time.Duration(c.Sleep.DeepAt) != 23*time.Hour+45*time.Minute || c.Capture.Agents[0] != "codex" || !c.Capture.KeepImages {
		t.Errorf("%+v", c)
	}
}

func TestBadSettingsAreNamedWithFileAndPlace(t *testing.T) {
	for text, want := range map[string][]string{
		"[sleep]\nidle_aftr = \"1h\"":         {"line 2", "sleep.idle_aftr"},
		"[sleep]\n\nidle_after = \"soon\"":    {"line 3", `"soon" is no duration`},
		"[sleep]\ndeep_at = \"25:00\"":        {"line 2", "no time of day"},
		"[sleep":                              {"line 1"},
		"[sleep]\nidle_after = \"2s\"":        {"sleep.idle_after is 2s"},
		"[redact]\npatterns = [\"(\"]":        {"redact.patterns"},
		"[log]\nlevel = \"loud\"":             {"log.level"},
		"[capture]\nrescan = \"100h\"":        {"capture.rescan"},
		"[mcp]\nport = 70000":                 {"mcp.port is 70000"},
		"[sync]\nevery = \"10s\"":             {"sync.every is 10s"},
		"[capture]\nexclude = [\"private\"]":  {"capture.exclude", "private"},
		"[capture]\nagents = \"claude-code\"": {"line 2"},
		"[capture]\nkeep_images = \"yes\"":    {"line 2"},
		"[inject]\nprompt_records = 11":       {"inject.prompt_records is 11"},
		"[inject]\nprompt_bytes = 100":        {"inject.prompt_bytes is 100"},
		"[inject]\nprompt_records = -1":       {"inject.prompt_records is -1"},
	} {
		_, path, err := load(t, text)
		if err == nil {
			t.Errorf("%q is accepted", text)
			continue
		}
		for _, w := range append(want, path, "delete the file") {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%q: the error %q does not say %q", text, err, w)
			}
		}
	}
}
