package config

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
)

// Proxy says where the proxy between agents and their providers listens, and where the providers are. Whether it does is no setting:
// dormouse proxy switches it.
type Proxy struct {
	Port       int   `toml:"port"`        // at the loopback
	MaxRequest int64 `toml:"max_request"` // bytes
	// Page has old results of tools be shortened on their way to the provider, where that pays.
	Page bool `toml:"page"`
	// Tools has models be offered tools that ask the memory and bring back what was shortened, unseen by their agents.
	Tools bool `toml:"tools"`
	// KeepTogether has files that calls are about, and those that they name, stay whole for some messages where old results are shortened.
	KeepTogether bool `toml:"keep_together"`
	// FollowGoals has what does not belong to a new goal be shortened at once.
	FollowGoals bool `toml:"follow_goals"`
	// Admission leaves what other objects hold already out of a session's objects.
	Admission bool `toml:"admission"`
	// Window is the models' window in tokens; 0 is what is known of each model.
	Window int `toml:"window"`
	// Upstreams are addresses of providers by name, over those that are known and beside them.
	Upstreams map[string]string `toml:"upstreams"`
}

func defaultProxy() Proxy {
	return Proxy{Port: 38246, MaxRequest: 1 << 30, KeepTogether: true, Admission: true}
}

var upstreamName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

func (p Proxy) validate() (errs []error) {
	if p.Port < 0 || p.Port > 65535 {
		errs = append(errs, fmt.Errorf("proxy.port is %d: it must be from 0 to 65535", p.Port))
	}
	if p.MaxRequest < 1<<20 || p.MaxRequest > 16<<30 {
		errs = append(errs, fmt.Errorf("proxy.max_request is %d: it must be from 1048576 to 17179869184 bytes", p.MaxRequest))
	}
	if p.Window != 0 && (p.Window < 1000 || p.Window > 100_000_000) {
		errs = append(errs, fmt.Errorf("proxy.window is %d: it must be 0 or from 1000 to 100000000 tokens", p.Window))
	}
	for name, at := range p.Upstreams {
		if !upstreamName.MatchString(name) {
			errs = append(errs, fmt.Errorf("proxy.upstreams: %q is no name: take small letters, digits and hyphens", name))
		}
		if err := checkUpstream(at); err != nil {
			errs = append(errs, fmt.Errorf("proxy.upstreams.%s: %w", name, err))
		}
	}
	return errs
}

// checkUpstream holds an address to what a caller's key may be sent to: an encrypted connection, or this machine.
func checkUpstream(at string) error {
	u, err := url.Parse(at)
	if err != nil || u.Hostname() == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fmt.Errorf("%q is no address such as \"https://api.example.com\"", at)
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("the address must hold no name, password, query or fragment")
	}
	ip := net.ParseIP(u.Hostname())
	if u.Scheme == "http" && u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("%q is not encrypted, and your agents' keys would go there: take https", at)
	}
	return nil
}
