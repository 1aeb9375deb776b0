package config

import (
	"strings"
	"testing"
)

func TestTheReferenceTellsOfEverySettingWithItsDefault(t *testing.T) {
	page, err := Reference()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"## [sleep]", "### idle_after\n\nlength of time · default `\"30m\"`", "### deep_at\n\ntime of day · default `\"03:00\"`",
		"### agents\n\nlist of texts · default `[]`", "### provider\n\ntext · default `\"static\"`", "### max_load\n\nnumber · default `0.5`",
		"default `\"20h\"`", "### roots\n\ntable\n", "```toml\n[capture.roots]\nclaude-code = ",
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the reference does not say %q", want)
		}
	}
	if n := strings.Count(string(page), "### "); n < 50 {
		t.Errorf("it tells of %d settings", n)
	}
}

func TestWhatTheReferenceAndTheCodeDoNotShareIsAnError(t *testing.T) {
	old := Template
	defer func() { Template = old }()
	for text, want := range map[string]string{
		strings.Replace(string(old), "# level = ", "# volume = ", 1): "log.volume, which is no setting",
		strings.Replace(string(old), "# level = ", "# level ", 1):    "does not tell of log.level",
	} {
		Template = []byte(text)
		if _, err := Reference(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
