package daemon

import (
	"testing"

	"dormouse/assets"
	"dormouse/service/config"
)

// Each mechanism of the context engine goes by its own switch.
func TestTheEnginesSwitches(t *testing.T) {
	for name, c := range map[string]struct {
		set                  func(*config.Config)
		together, goals, few bool
	}{
		"as they come":    {func(*config.Config) {}, true, false, true},
		"nothing kept":    {func(c *config.Config) { c.Proxy.KeepTogether = false }, false, false, true},
		"goals":           {func(c *config.Config) { c.Proxy.FollowGoals = true }, true, true, true},
		"without vectors": {func(c *config.Config) { c.Proxy.FollowGoals, c.Embed.Provider = true, config.NoVectors }, true, false, true},
		"all objects":     {func(c *config.Config) { c.Proxy.Admission = false }, true, false, false},
	} {
		d := &Daemon{p: Params{Config: config.Default(), Embedding: assets.Embedding()}}
		c.set(&d.p.Config)
		o, err := d.pagerOptions()
		if err != nil {
			t.Fatal(err)
		}
		by, err := d.objectOptions()
		if err != nil {
			t.Fatal(err)
		}
		if o.InUse > 0 != c.together || (o.Goals != nil) != c.goals || by.Admit != c.few || o.Validate() != nil || by.Pager.InUse != o.InUse {
			t.Errorf("%s: %+v", name, o)
		}
	}
}
