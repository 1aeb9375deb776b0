//go:build unix

package osservice

import (
	"context"
	"fmt"

	"github.com/kardianos/service"
)

// managed is what systemd and launchd have in common: a file of ours that kardianos/service puts in its place.
type managed struct {
	o    Options
	file string
	text func(made int) string
	// option is the one of kardianos/service that takes a finished file.
	option string
	open   func(service.Interface, *service.Config) (service.Service, error)
}

func (m managed) place() string { return m.file }

func (m managed) have() (string, error) { return read(m.file) }

func (m managed) want(have string) string { return m.text(madeIn(have) + missing(m.file)) }

// service is the program as kardianos/service knows it. Its text is only used by Install.
func (m managed) service(text string) (service.Service, error) {
	p := m.o.Program
	name := p.Name
	if m.option == optionLaunchd {
		name = launchLabel(p)
	}
	s, err := m.open(nil, &service.Config{Name: name, DisplayName: p.Title, Executable: p.Exe, Arguments: p.Args,
		Option: service.KeyValue{"UserService": true, m.option: text}})
	if err != nil {
		return nil, fmt.Errorf("speak to the system's service manager: %w", err)
	}
	return s, nil
}

// The options of kardianos/service that take a finished file.
const (
	optionSystemd = "SystemdScript"
	optionLaunchd = "LaunchdConfig"
)

func (m managed) install(text string) error {
	s, err := m.service(text)
	if err != nil {
		return err
	}
	return s.Install()
}

func (m managed) uninstall() error {
	s, err := m.service("")
	if err != nil {
		return err
	}
	return s.Uninstall()
}

func (m managed) start(context.Context) error {
	s, err := m.service("")
	if err != nil {
		return err
	}
	return s.Start()
}

func (m managed) stop(context.Context) error {
	s, err := m.service("")
	if err != nil {
		return err
	}
	return s.Stop()
}
