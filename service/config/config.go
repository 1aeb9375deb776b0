// Package config is the one place where settings are named, given their defaults, read and checked. A state folder's
// config.toml holds them all.
//
// It never reads the environment and never changes a file that the person has written.
package config

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// Template is the config.toml that a new state folder gets: every setting with its default in a comment.
//
//go:embed config.toml
var Template []byte

// Config holds every setting.
type Config struct {
	Capture Capture `toml:"capture"`
	Redact  Redact  `toml:"redact"`
	Sleep   Sleep   `toml:"sleep"`
	Distill Distill `toml:"distill"`
	LLM     LLM     `toml:"llm"`
	Inject  Inject  `toml:"inject"`
	Embed   Embed   `toml:"embed"`
	Sync    Sync    `toml:"sync"`
	Shadow  Shadow  `toml:"shadow"`
	MCP     MCP     `toml:"mcp"`
	Proxy   Proxy   `toml:"proxy"`
	Update  Update  `toml:"update"`
	Window  Window  `toml:"window"`
	Notify  Notify  `toml:"notify"`
	Log     Log     `toml:"log"`
}

// Capture says whose sessions are read, and where.
type Capture struct {
	// Agents are the agents to read; empty means all that are known.
	Agents []string `toml:"agents"`
	// Roots replaces the folders of an agent's transcripts, by agent.
	Roots map[string][]string `toml:"roots"`
	// Exclude are folders: what took place in one of them is not captured. Each is absolute or begins with "~/" or a variable.
	Exclude []string `toml:"exclude"`
	// Rescan is how often all folders are looked through, beside the file system's own notices.
	Rescan Duration `toml:"rescan"`
	// KeepImages has the images stored that transcripts hold. Redaction cannot look into them.
	KeepImages bool `toml:"keep_images"`
}

// Redact says what is a secret beside the built-in rules.
type Redact struct {
	Patterns []string `toml:"patterns"` // regular expressions of Go
}

// Sleep says when the memory is consolidated.
type Sleep struct {
	IdleAfter Duration  `toml:"idle_after"`
	DeepAt    ClockTime `toml:"deep_at"`
	// QuietAfter, MaxLoad and OnBattery say what the quiet moment is that a deep sleep waits for, WaitAtMost for how long it does.
	QuietAfter Duration `toml:"quiet_after"`
	MaxLoad    float64  `toml:"max_load"`   // of all processors, by others than Dormouse
	OnBattery  int      `toml:"on_battery"` // percent
	WaitAtMost Duration `toml:"wait_at_most"`
	// OnMetered allows sync and paid models where the network costs by what is sent.
	OnMetered bool `toml:"on_metered"`
}

func (s Sleep) validate() (errs []error) {
	within := func(name string, d Duration, least, most time.Duration) {
		if v := time.Duration(d); v < least || v > most {
			errs = append(errs, fmt.Errorf("sleep.%s is %s: it must be from %s to %s", name, v, least, most))
		}
	}
	within("quiet_after", s.QuietAfter, 10*time.Second, 12*time.Hour)
	within("wait_at_most", s.WaitAtMost, time.Hour, 14*24*time.Hour)
	if s.MaxLoad < 0.05 || s.MaxLoad > 1 {
		errs = append(errs, fmt.Errorf("sleep.max_load is %v: it must be from 0.05 to 1, which is all processors", s.MaxLoad))
	}
	if s.OnBattery < 0 || s.OnBattery > 100 {
		errs = append(errs, fmt.Errorf("sleep.on_battery is %d: it must be from 0 to 100 percent", s.OnBattery))
	}
	return errs
}

// Sync says when the memory is exchanged with other machines. The remote is no setting: dormouse sync setup keeps it in the
// memory's own repository.
type Sync struct {
	Every Duration `toml:"every"`
	// Sessions is SessionsHome or SessionsOnDemand.
	Sessions string `toml:"sessions"`
}

// Whether sessions travel.
const (
	SessionsHome     = "home"      // they stay on the machine that captured them
	SessionsOnDemand = "on-demand" // they are put onto the remote, and fetched one by one when they are opened elsewhere
)

// Shadow says which files that agents edited are kept, turn by turn, in the shadow histories of the projects that the person bound.
type Shadow struct {
	Enabled bool     `toml:"enabled"`
	Exclude []string `toml:"exclude"`  // patterns of path.Match, from the project's folder on
	MaxFile int      `toml:"max_file"` // bytes
}

// Window says how window, tray and notifications look.
type Window struct {
	Language string `toml:"language"` // one of LanguageTags
}

// LanguageTags are the languages that the window speaks; the empty one is that of the system.
var LanguageTags = []string{"", "en", "de", "zh"}

func (w Window) validate() error {
	if !slices.Contains(LanguageTags, w.Language) {
		return fmt.Errorf("window.language is %q: it must be \"en\", \"de\" or \"zh\", or empty for the system's", w.Language)
	}
	return nil
}

// MCP says whether agents can ask the memory over HTTP too, beside the bridge that they start themselves.
type MCP struct {
	HTTP bool `toml:"http"`
	Port int  `toml:"port"` // at the loopback
}

// Log says what the service writes to its log.
type Log struct {
	Level string `toml:"level"` // debug, info, warn or error
}

// Duration is a length of time such as "30m".
type Duration time.Duration

// UnmarshalText reads a duration as Go writes it.
func (d *Duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	if err != nil {
		return fmt.Errorf("%q is no duration: write it as \"30m\" or \"1h30m\"", b)
	}
	*d = Duration(v)
	return nil
}

// MarshalText writes a duration as Go does.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// Notify says when the tray keeps what it has to tell to itself.
type Notify struct {
	// QuietFrom and QuietTo are when quiet hours begin and end; equal times are none.
	QuietFrom ClockTime `toml:"quiet_from"`
	QuietTo   ClockTime `toml:"quiet_to"`
}

// ClockTime is a time of day, as the length of time since midnight.
type ClockTime time.Duration

// UnmarshalText reads a time of day such as "03:00".
func (c *ClockTime) UnmarshalText(b []byte) error {
	t, err := time.Parse("15:04", string(b))
	if err != nil {
		return fmt.Errorf("%q is no time of day: write it as \"03:00\"", b)
	}
	*c = ClockTime(time.Duration(t.Hour())*time.Hour + time.Duration(t.Minute())*time.Minute)
	return nil
}

// MarshalText writes a time of day as "03:00".
func (c ClockTime) MarshalText() ([]byte, error) {
	d := time.Duration(c)
	return fmt.Appendf(nil, "%02d:%02d", int(d.Hours()), int(d.Minutes())%60), nil
}

// Default is every setting at its default.
func Default() Config {
	return Config{
		Capture: Capture{Rescan: Duration(time.Minute)},
		Sleep: Sleep{IdleAfter: Duration(30 * time.Minute), DeepAt: ClockTime(3 * time.Hour), QuietAfter: Duration(5 * time.Minute),
			MaxLoad: 0.5, OnBattery: 50, WaitAtMost: Duration(20 * time.Hour)},
		Distill: Distill{Extractor: Rules},
		LLM:     defaultLLM(),
		Inject:  defaultInject(),
		Embed:   defaultEmbed(),
		Sync:    Sync{Every: Duration(10 * time.Minute), Sessions: SessionsHome},
		Shadow:  Shadow{Enabled: true, MaxFile: 5 << 20},
		MCP:     MCP{Port: 38245},
		Proxy:   defaultProxy(),
		Log:     Log{Level: "info"},
	}
}

// Load reads a config.toml over the defaults. A file that is not there gives the defaults. An error names the file, the
// line and what to do.
func Load(file string) (Config, error) {
	c := Default()
	b, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return c, fmt.Errorf("read settings: %w", err)
	}
	return decode(b, file)
}

// decode reads the text of a config.toml over the defaults.
func decode(b []byte, file string) (Config, error) {
	c := Default()
	d := toml.NewDecoder(bytes.NewReader(b)).DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return c, fmt.Errorf("settings: %s%s; mend the line, or delete the file to get the defaults", file, explain(err))
	}
	if err := c.Validate(); err != nil {
		return c, fmt.Errorf("settings: %s: %w; mend it, or delete the file to get the defaults", file, err)
	}
	return c, nil
}

// explain turns a decoder's error into ", line 3: what is wrong".
func explain(err error) string {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) && len(strict.Errors) > 0 {
		row, _ := strict.Errors[0].Position()
		return fmt.Sprintf(", line %d: there is no setting %s", row, strings.Join(strict.Errors[0].Key(), "."))
	}
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		row, _ := decode.Position()
		return fmt.Sprintf(", line %d: %s", row, strings.TrimPrefix(decode.Error(), "toml: "))
	}
	return ": " + err.Error()
}

// absolute reports whether a path is from the root on.
func absolute(path string) bool { return filepath.IsAbs(path) }

// SlogLevel is the level as log/slog knows it.
func (l Log) SlogLevel() slog.Level {
	var level slog.Level
	if err := level.UnmarshalText([]byte(l.Level)); err != nil {
		return slog.LevelInfo // Validate has refused it
	}
	return level
}

// fromRoot begins a folder that is none of this system's from the root on: with the home folder, a variable, a drive, or a share.
var fromRoot = regexp.MustCompile(`^(~([/\\]|$)|\$\w|\$\{\w|%\w+%|[A-Za-z]:[/\\]|\\\\|/)`)

// Validate says what is wrong with the settings, each with its name.
func (c Config) Validate() error {
	var errs []error
	if d := time.Duration(c.Sleep.IdleAfter); d < time.Minute || d > 24*time.Hour {
		errs = append(errs, fmt.Errorf("sleep.idle_after is %s: it must be from 1m to 24h", d))
	}
	errs = append(errs, c.Sleep.validate()...)
	if d := time.Duration(c.Capture.Rescan); d < 10*time.Second || d > time.Hour {
		errs = append(errs, fmt.Errorf("capture.rescan is %s: it must be from 10s to 1h", d))
	}
	for _, dir := range c.Capture.Exclude {
		if !filepath.IsAbs(dir) && !fromRoot.MatchString(dir) {
			errs = append(errs, fmt.Errorf("capture.exclude: %q is no folder from the root on; begin it with /, ~/ or a variable such as $WORK (on Windows with a drive, ~/ or %%WORK%%)", dir))
		}
	}
	if d := time.Duration(c.Sync.Every); d < time.Minute || d > 24*time.Hour {
		errs = append(errs, fmt.Errorf("sync.every is %s: it must be from 1m to 24h", d))
	}
	if v := c.Sync.Sessions; v != SessionsHome && v != SessionsOnDemand {
		errs = append(errs, fmt.Errorf("sync.sessions is %q: it must be %q or %q", v, SessionsHome, SessionsOnDemand))
	}
	errs = append(errs, c.LLM.validate(c.Distill.Extractor)...)
	errs = append(errs, c.Inject.validate()...)
	errs = append(errs, c.Update.validate()...)
	errs = append(errs, c.Window.validate())
	errs = append(errs, c.Embed.validate(c.LLM.Prices[c.Embed.Model].Input > 0)...)
	for _, p := range c.Redact.Patterns {
		if _, err := regexp.Compile(p); err != nil {
			errs = append(errs, fmt.Errorf("redact.patterns: %q is no regular expression: %w; correct this pattern or take it out of the list", p, err))
		}
	}
	if n := c.Shadow.MaxFile; n < 1<<10 || n > 100<<20 {
		errs = append(errs, fmt.Errorf("shadow.max_file is %d: it must be from 1024 to 104857600 bytes", n))
	}
	for _, p := range c.Shadow.Exclude {
		if _, err := path.Match(p, "x"); err != nil {
			errs = append(errs, fmt.Errorf("shadow.exclude: %q: %w", p, err))
		}
	}
	if n := c.MCP.Port; n < 0 || n > 65535 {
		errs = append(errs, fmt.Errorf("mcp.port is %d: it must be from 0 to 65535", n))
	}
	errs = append(errs, c.Proxy.validate()...)
	switch c.Log.Level {
	case "debug", "info", "warn", "error":
	default:
		errs = append(errs, fmt.Errorf("log.level is %q: it must be debug, info, warn or error", c.Log.Level))
	}
	return errors.Join(errs...)
}
