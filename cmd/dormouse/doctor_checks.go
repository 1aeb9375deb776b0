package main

import (
	"context"
	"runtime/debug"
	"strings"

	"dormouse/service/connect"
	"dormouse/service/doctor"
	"dormouse/service/osservice"
	"dormouse/store/home"
)

// versions says which program looks.
func (a *app) versions() doctor.Check {
	return doctor.Check{Name: "version", Look: func(context.Context) []doctor.Finding {
		info, _ := debug.ReadBuildInfo()
		b := buildOf(info)
		return []doctor.Finding{doctor.Found(doctor.OK, "", "Dormouse %s for %s, state folder format %d", b.Version, b.System, home.Format)}
	}}
}

// unit looks at what the operating system starts at log-on.
func (a *app) unit(h home.Home) doctor.Check {
	return doctor.Check{Name: "log-on", Look: func(ctx context.Context) []doctor.Finding {
		var st osservice.Status
		err := a.withService(func(s *hosted) (err error) {
			st, err = s.entry.Status(ctx)
			return err
		})
		switch {
		case err != nil:
			return []doctor.Finding{doctor.Found(doctor.Warn, "dormouse service status says more", "what the system starts cannot be told: %v", err)}
		case !st.Installed:
			return []doctor.Finding{doctor.Found(doctor.OK, "", "not started at log-on; dormouse service install has it so")}
		case st.Outdated:
			return []doctor.Finding{doctor.Found(doctor.Warn, "dormouse service install", "the %s %s starts another program than this one, or differently than it would now", st.System, st.Place)}
		case !st.Enabled:
			return []doctor.Finding{doctor.Found(doctor.Warn, "dormouse service install", "the %s %s is there and not heeded", st.System, st.Place)}
		case st.State == osservice.Failed:
			return []doctor.Finding{doctor.Found(doctor.Fail, "dormouse service logs says why; then: dormouse service start", "the %s has given up: %s", st.System, st.Detail)}
		case st.Linger == "no":
			return []doctor.Finding{doctor.Found(doctor.OK, "", "%s; it ends when you log out, unless: loginctl enable-linger", st.System)}
		}
		return []doctor.Finding{doctor.Found(doctor.OK, "", "%s", st.System)}
	}}
}

// howToStart is how a service that does not run is started: by the system, where that knows it already.
func (a *app) howToStart(ctx context.Context) string {
	var st osservice.Status
	err := a.withService(func(s *hosted) (err error) {
		st, err = s.entry.Status(ctx)
		return err
	})
	if err == nil && st.Installed && !st.Outdated {
		return "dormouse service start"
	}
	return "dormouse up, or dormouse service install to have it always"
}

// hooksCheck looks at the agents' hooks: those of ours that name another program, or are none any more.
func (a *app) hooksCheck(user string) doctor.Check {
	return doctor.Check{Name: "hooks", Look: func(context.Context) []doctor.Finding {
		hook, err := a.hookBinary()
		var out []doctor.Finding
		connected, homeless := []string{}, []string{}
		for _, agent := range connect.Table() {
			if agent.HasHooks() && agent.Folder(a.Env, user) == "" {
				homeless = append(homeless, agent.Name)
				continue
			}
			out1, ok := a.hooksFound(agent, user, hook, err)
			if ok {
				connected = append(connected, agent.Name)
			}
			out = append(out, out1...)
		}
		if len(homeless) > 0 {
			out = append(out, doctor.Found(doctor.Warn, "set HOME to your home folder", "there is no home folder to look for the settings of %s in", strings.Join(homeless, ", ")))
		}
		switch {
		case len(out) > 0:
			return out
		case len(connected) > 0:
			return []doctor.Finding{doctor.Found(doctor.OK, "", "connected: %s", strings.Join(connected, ", "))}
		}
		return []doctor.Finding{doctor.Found(doctor.OK, "", "no agent is connected, and none has to be; dormouse agents connect NAME does")}
	}}
}

// hooksFound is what is wrong with one agent's hooks, and whether they are there as they should be.
func (a *app) hooksFound(agent connect.Agent, user, hook string, noHook error) (out []doctor.Finding, connected bool) {
	if !agent.HasHooks() {
		return nil, false
	}
	take, err := agent.Disconnect(a.Env, user)
	if err != nil {
		return []doctor.Finding{doctor.Found(doctor.Warn, "mend the file; dormouse agents says more", "%s: %v", agent.Name, err)}, false
	}
	if take.Nothing() {
		return nil, false // none of ours
	}
	if noHook != nil {
		return []doctor.Finding{doctor.Found(doctor.Warn, "install Dormouse whole, or take its hooks out: dormouse agents disconnect "+agent.Name, "%s calls hooks of Dormouse, and %v", agent.Name, noHook)}, false
	}
	as, err := a.linking(a.Env).Asking(agent)
	if err != nil {
		return nil, true // the settings are told of above
	}
	plan, err := as.Connect(a.Env, user, hook)
	if err != nil || plan.Nothing() {
		return nil, err == nil
	}
	return []doctor.Finding{doctor.Found(doctor.Warn, "dormouse agents connect "+agent.Name,
		"the hooks in %s name another program than %s, or are not those of this version, so %s reports nothing or less", plan.Path, hook, agent.Name).
		Mend("connect "+agent.Name+" once more, in "+plan.Path, plan.Apply)}, false
}
