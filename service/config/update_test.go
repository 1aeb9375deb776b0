package config

import (
	"strings"
	"testing"
)

func TestAFeedIsAnAddressThatTellsNothingWithItsKey(t *testing.T) {
	for text, want := range map[string]string{
		`feed = "https://example.org/releases.json"
key = "RWQ"`: "",
		`feed = "http://127.0.0.1:8080/releases.json"
key = "RWQ"`: "",
		`feed = "/srv/releases.json"
key = "RWQ"`: "",
		`feed = "~/releases.json"
key = "RWQ"`: "",
		`feed = "https://example.org/releases.json"`: "go together",
		`key = "RWQ"`: "go together",
		`feed = "http://example.org/releases.json"
key = "RWQ"`: "must be an https address",
		`feed = "releases.json"
key = "RWQ"`: "must be an https address",
		`feed = "https://example.org/releases.json?id=7"
key = "RWQ"`: "nothing about you",
		`feed = "https://me@example.org/releases.json"
key = "RWQ"`: "nothing about you",
	} {
		_, _, err := load(t, "[update]\n"+strings.ReplaceAll(text, `\n`, "\n"))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
