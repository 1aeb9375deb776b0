package config

import (
	"strings"
	"testing"
)

func TestSettingsOfAModelAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		"[distill]\nextractor = \"magic\"":                            "distill.extractor",
		"[distill]\nextractor = \"model\"":                            "llm.provider is not set",
		"[llm]\nprovider = \"oracle\"":                                "llm.provider",
		"[llm]\nprovider = \"anthropic\"":                             "llm.model is not set",
		"[llm]\nbase_url = \"localhost:1234\"":                        "llm.base_url",
		"[llm]\nbase_url = \"http://me:pw@host/v1\"":                  "llm.key_file",
		"[llm]\ntimeout = \"1s\"":                                     "llm.timeout",
		"[llm]\ninput_tokens = 5":                                     "llm.input_tokens",
		"[llm]\noutput_tokens = 5":                                    "llm.output_tokens",
		"[llm]\nmax_tokens = -1":                                      "negative",
		"[llm]\nkey_file = \"keys/a\"":                                "llm.key_file",
		"[llm.prices.m]\ninput = -1.0":                                "llm.prices",
		"[llm]\nprovider = \"codex\"\nmax_tokens = 0":                 "needs a bound",
		"[llm]\nprovider = \"openai\"\nmodel = \"m\"\nmax_cost = 1.0": "[llm.prices.\"m\"]",
	} {
		if _, _, err := load(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	c, _, err := load(t, "[distill]\nextractor = \"model\"\n[llm]\nprovider = \"openai\"\nmodel = \"m/1\"\nbase_url = \"http://127.0.0.1:11434/v1\"\n"+
		"key_file = \"~/key\"\nmax_cost = 0.5\n[llm.prices.\"m/1\"]\ninput = 0.3\noutput = 2.0")
	if err != nil || c.LLM.Price() == nil || c.LLM.Price().Output != 2 || c.Distill.Extractor != Model {
		t.Errorf("%+v, %v", c.LLM, err)
	}
	if _, _, err := load(t, "[llm]\nprovider = \"claude\"\nmax_cost = 0.5"); err != nil {
		t.Errorf("the command line that tells its cost: %v", err)
	}
	if (LLM{}).Price() != nil {
		t.Error("a price of nothing")
	}
}
