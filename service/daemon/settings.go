package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"dormouse/service/api"
	"dormouse/service/capture"
	"dormouse/service/config"
	"dormouse/service/redact"
	"dormouse/store/home"
)

// allSettings are those of the file, which may have been changed since the service took them up.
func (d *Daemon) allSettings(context.Context) (api.Settings, error) {
	text, err := d.settingsFile()
	if err != nil {
		return api.Settings{}, err
	}
	c, err := config.Check(text, d.p.Home.Config())
	if err != nil {
		return api.Settings{}, &api.Error{Code: api.CodeBadRequest, Message: err.Error()}
	}
	return d.settingsOf(c), nil
}

func (d *Daemon) settingsOf(c config.Config) api.Settings {
	out := api.Settings{File: d.p.Home.Config(), Restart: !d.p.Demo && !d.runsWith(c)}
	for _, s := range config.Settings() {
		x := api.Setting{Name: s.Name(), Section: s.Section, Help: s.Help, Kind: string(s.Kind), Choices: s.Choices,
			Value: c.ValueOf(s), Default: config.Default().ValueOf(s)}
		for _, col := range s.Columns() {
			x.Columns = append(x.Columns, api.SettingColumn{Key: col.Key, Kind: string(col.Kind)})
		}
		out.Settings = append(out.Settings, x)
	}
	return out
}

// runsWith reports whether the service took up such settings.
func (d *Daemon) runsWith(c config.Config) bool {
	for _, s := range config.Settings() {
		if c.ValueOf(s) != d.p.Config.ValueOf(s) {
			return false
		}
	}
	return true
}

// settingsFile is the text of the file; the template where there is none.
func (d *Daemon) settingsFile() ([]byte, error) {
	text, err := os.ReadFile(d.p.Home.Config())
	if errors.Is(err, fs.ErrNotExist) {
		return config.Template, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the settings: %w", err)
	}
	return text, nil
}

// setSetting changes one setting in the file, or says what it would be after a change that is only tried. A value that cannot be is refused,
// and the file stays as it is.
func (d *Daemon) setSetting(_ context.Context, c api.SettingChange) (api.Settings, error) {
	bad := func(err error) (api.Settings, error) {
		return api.Settings{}, &api.Error{Code: api.CodeBadRequest, Message: err.Error()}
	}
	if d.p.Demo {
		return api.Settings{}, &api.Error{Code: api.CodeForbidden, Message: "this is the demo, whose settings are not kept; start your own memory with: dormouse up"}
	}
	s, ok := config.Find(c.Name)
	if !ok {
		return api.Settings{}, notFound("there is no setting %s", c.Name)
	}
	d.deciding.Lock()
	defer d.deciding.Unlock()
	text, err := d.settingsFile()
	if err != nil {
		return api.Settings{}, err
	}
	if _, err := config.Check(text, d.p.Home.Config()); err != nil {
		return bad(err)
	}
	change := func(text []byte, s config.Setting) ([]byte, error) { return config.Set(text, s, c.Value) }
	if c.Reset {
		change = config.Reset
	}
	if text, err = change(text, s); err != nil {
		return bad(err)
	}
	got, err := config.Check(text, d.p.Home.Config())
	if err != nil {
		return bad(wrong(got, err))
	}
	if err := startable(got); err != nil {
		return bad(err)
	}
	if c.Try {
		return d.settingsOf(got), nil
	}
	if err := home.WriteFile(d.p.Home.Config(), text); err != nil {
		return api.Settings{}, fmt.Errorf("write the settings: %w", err)
	}
	d.publish("status", "settings")
	return d.settingsOf(got), nil
}

// startable says what of settings the next start would refuse, beside what Validate does.
func startable(c config.Config) error {
	_, agents := chosen(capture.Table(), c.Capture.Agents)
	_, dirs := (&Params{Config: c, Env: os.Getenv}).excluded()
	_, patterns := redact.New(redact.Options{Key: make([]byte, 32), Extra: c.Redact.Patterns})
	return errors.Join(agents, knownAgents(c.Inject.Except), dirs, patterns)
}

// wrong is what is wrong with settings, without the advice to mend a file that was not written.
func wrong(c config.Config, err error) error {
	if said := c.Validate(); said != nil {
		return said
	}
	return err
}
