package main

import (
	"strings"
	"testing"

	"dormouse/cmd/internal/text"
	"dormouse/service/osservice"
)

// reports are the ways in which a service can be, by name.
func reports() map[string]serviceReport {
	home := "/home/robin/.dormouse"
	unit := osservice.Status{System: "systemd user unit", Place: "/home/robin/.config/systemd/user/dormouse.service", State: osservice.Stopped}
	with := func(change func(*osservice.Status)) osservice.Status {
		s := unit
		s.Installed, s.Enabled = true, true
		change(&s)
		return s
	}
	in := func(state osservice.State, detail string) osservice.Status {
		return with(func(s *osservice.Status) { s.State, s.Detail = state, detail })
	}
	return map[string]serviceReport{
		"off":          {Home: home, System: unit},
		"by-hand":      {Home: home, System: unit, Answers: true, PID: 4711, Phase: "active"},
		"hung-by-hand": {Home: home, System: unit, Hung: "the Dormouse service does not answer"},
		"hung":         {Home: home, System: in(osservice.Running, ""), Hung: "the Dormouse service does not answer"},
		"well": {Home: home, Answers: true, PID: 4711, Phase: "asleep",
			System: with(func(s *osservice.Status) { s.State, s.Linger = osservice.Running, "no" }),
			Tray: osservice.Status{Installed: true, Enabled: true, System: "XDG autostart entry",
				Place: "/home/robin/.config/autostart/dormouse-tray.desktop"}},
		"lingers":    {Home: home, Answers: true, PID: 1, System: with(func(s *osservice.Status) { s.State, s.Linger = osservice.Running, "yes" })},
		"beside":     {Home: home, Answers: true, PID: 4711, System: in(osservice.Stopped, "")},
		"stopped":    {Home: home, System: in(osservice.Stopped, "")},
		"failed":     {Home: home, System: in(osservice.Failed, "it ended with exit code 1")},
		"waits":      {Home: home, System: in(osservice.Starting, "waits before it starts it again: it ended with signal")},
		"outdated":   {Home: home, Answers: true, PID: 4711, System: with(func(s *osservice.Status) { s.State, s.Outdated = osservice.Running, true })},
		"switched":   {Home: home, Answers: true, PID: 4711, System: with(func(s *osservice.Status) { s.State, s.Enabled = osservice.Running, false })},
		"unknown":    {Home: home, Answers: true, PID: 4711, System: in(osservice.Unknown, "the systemd user manager does not answer")},
		"hostile \\": {Home: home, System: in(osservice.Failed, "\x1b[31mred\nline")},
	}
}

func TestEveryStateOfTheServiceIsToldWithWhatToDo(t *testing.T) {
	for name, r := range reports() {
		for _, line := range formatService(viewOf(80), r) {
			if strings.ContainsAny(line, "\x1b\n") {
				t.Errorf("%s: what others say reaches the terminal: %q", name, line)
			}
		}
		if strings.HasPrefix(name, "hostile") {
			continue
		}
		golden(t, "service-"+name, formatService(viewOf(80), r))
		for _, width := range []int{60, 100} {
			for _, line := range formatService(viewOf(width), r) {
				if text.Width(line) > width {
					t.Errorf("%s at %d columns: %q", name, width, line)
				}
			}
		}
	}
	golden(t, "service-done", formatSaid(viewOf(80), said{Done: "Installed: Dormouse starts when you log on.", Notes: []string{"A note."}, Service: reports()["well"]}))
	golden(t, "service-brief", formatSaid(viewOf(80), said{Done: "Uninstalled.", Notes: []string{"Your memory stays."}, brief: true}))
}
