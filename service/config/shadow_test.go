package config

import (
	"strings"
	"testing"
)

func TestSettingsOfTheShadowHistoryAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		"[shadow]\nmax_file = 10":        "shadow.max_file is 10",
		"[shadow]\nexclude = [\"a[\"]":   "shadow.exclude",
		"[shadow]\nmax_file = 200000000": "shadow.max_file",
	} {
		if _, _, err := load(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	c, _, err := load(t, "[shadow]\nenabled = false\nexclude = [\"*.pem\"]\nmax_file = 2048")
	if err != nil || c.Shadow.Enabled || len(c.Shadow.Exclude) != 1 || c.Shadow.MaxFile != 2048 {
		t.Errorf("%+v, %v", c.Shadow, err)
	}
}
