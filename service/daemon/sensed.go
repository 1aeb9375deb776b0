package daemon

import (
	"context"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
	"unicode"

	"dormouse/service/config"
	"dormouse/service/embed"
	"dormouse/service/machine"
	"dormouse/service/sleep"
)

// senses are what tells whether somebody is there.
type senses struct {
	prompted atomic.Int64 // when the person last wrote to an agent, Unix milliseconds
	grew     atomic.Int64 // when a session last got something, likewise
	metered  atomic.Bool
}

// prompts are the agents' names of the events that come from the person, in small letters without marks.
var prompts = map[string]bool{"userpromptsubmit": true, "userpromptsubmitted": true, "beforesubmitprompt": true, "beforeagent": true, "sessionstart": true}

// noticeHook notes that the person is there, where a hook says so.
func (s *senses) noticeHook(event string, now time.Time) {
	name := strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, event)
	if prompts[name] {
		s.prompted.Store(now.UnixMilli())
	}
}

// machineNow is what sleep is told of the machine.
func (d *Daemon) machineNow(ctx context.Context) sleep.Machine {
	var r machine.Reading
	if d.p.Machine != nil {
		r = d.p.Machine(ctx)
	}
	m := sleep.Machine{Input: r.Idle, Locked: r.Locked == machine.Yes, Load: r.Load, Metered: r.Metered == machine.Yes}
	if r.OnBattery == machine.Yes {
		m.Battery = r.Charge // where the charge is not told, it hinders nothing
	}
	if at := d.senses.prompted.Load(); at != 0 {
		m.Prompted = time.UnixMilli(at)
	}
	if at := d.senses.grew.Load(); at != 0 {
		m.Grew = time.UnixMilli(at)
	}
	if d.modelled() && d.loop.Health().Phase == sleep.Asleep {
		m.Load = nil // a model on this machine works for us
	}
	d.senses.metered.Store(m.Metered)
	return m
}

// frugal reports whether nothing is to be sent that costs.
func (d *Daemon) frugal() bool { return d.senses.metered.Load() && !d.p.Config.Sleep.OnMetered }

// paid reports whether what reads the sessions is asked over the network: an endpoint of this machine's own costs nothing.
func (d *Daemon) paid() bool { return d.modelled() && elsewhere(d.p.Config.LLM.BaseURL) }

// elsewhere reports whether an endpoint is not on this machine; without an address it is the provider's own.
func elsewhere(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return true
	}
	host := u.Hostname()
	return host != "localhost" && host != "::1" && !strings.HasPrefix(host, "127.")
}

// metered is what is said of what waits for a network that costs nothing.
const metered = "the network costs by what is sent (sleep.on_metered)"

// embedsHere reports whether the embedding model is on this machine.
func (d *Daemon) embedsHere() bool {
	c := d.p.Config.Embed
	if c.BaseURL == "" {
		return c.Provider == embed.Ollama || c.Provider == embed.LocalAI
	}
	return !elsewhere(c.BaseURL)
}

// embedCaps are the settings of the embedding model; one on this machine has no caps.
func (d *Daemon) embedCaps() config.Embed {
	c := d.p.Config.Embed
	if d.embedsHere() {
		c.MaxTokens, c.MaxTokensMonth, c.MaxCost, c.MaxCostMonth = 0, 0, 0, 0
	}
	return c
}

// holdEmbedding says why the embedding model may not be asked now.
func (d *Daemon) holdEmbedding() string {
	if d.embedsHere() || !d.frugal() {
		return ""
	}
	return metered
}
