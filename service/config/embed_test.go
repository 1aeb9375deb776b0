package config

import (
	"strings"
	"testing"
)

func TestSettingsOfAnEmbeddingModelAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		"provider = \"oracle\"":                                         "embed.provider",
		"provider = \"ollama\"":                                         "embed.model is not set",
		"provider = \"azure\"\nmodel = \"m\"":                           "embed.base_url is not set",
		"provider = \"cohere\"\nmodel = \"m\"\nbase_url = \"http://h\"": "at its own address",
		"provider = \"vertex\"\nmodel = \"m\"":                          "embed.project",
		"base_url = \"localhost:1\"":                                    "embed.base_url must be",
		"base_url = \"http://me:pw@host\"":                              "no name and password",
		"base_url = \"http://host?key=1\"":                              "must end before",
		"key_file = \"keys/a\"":                                         "embed.key_file",
		"timeout = \"10ms\"":                                            "embed.timeout",
		"max_text = 3":                                                  "embed.max_text",
		"parallel = 0":                                                  "embed.parallel",
		"query_prefix = \"" + strings.Repeat("x", 1001) + "\"":          "embed.query_prefix",
		"dims = 3": "there is no setting embed.dims",
	} {
		if _, _, err := load(t, "[embed]\n"+text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	c, _, err := load(t, "[embed]\nprovider = \"ollama\"\nmodel = \"nomic-embed-text\"\nbase_url = \"http://10.0.0.5:11434\"\nquery_prefix = \"search_query: \"")
	if err != nil || !c.Embed.Remote() || c.Embed.Timeout != defaultEmbed().Timeout {
		t.Errorf("%+v, %v", c.Embed, err)
	}
	for _, local := range []string{StaticVectors, NoVectors} {
		if c, _, err := load(t, "[embed]\nprovider = \""+local+"\""); err != nil || c.Embed.Remote() {
			t.Errorf("%s: %+v, %v", local, c.Embed, err)
		}
	}
}
