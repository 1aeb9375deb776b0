package connect

import (
	"slices"

	"dormouse/service/inject"
)

// Asking is the agent with hooks that tell it something at these moments, as far as it takes anything then.
func (a Agent) Asking(moments ...inject.Moment) Agent {
	a.asks, a.Events = map[string]bool{}, slices.Clone(a.Events)
	for _, m := range moments {
		event := inject.Of(a.Name).Event(m)
		if event == "" {
			continue
		}
		a.asks[event] = true
		if !slices.Contains(a.Events, event) {
			a.Events = append(a.Events, event)
		}
	}
	return a
}

// Asks reports whether the agent is told something at one moment at least.
func (a Agent) Asks() bool { return len(a.asks) > 0 }

// Reports reports whether the agent's file has hooks of ours with this binary for every event that the agent reports, whatever else they do:
// an older connection, or one that was made with other settings.
func (a Agent) Reports(env func(string) string, home, hook string) (bool, error) {
	p, err := a.open(env, home)
	if err != nil || p.Before == nil {
		return false, err
	}
	if a.plugin != nil {
		return a.isPluginOf(p.Before, hook), nil
	}
	base, _ := Find(Table(), a.Name)
	for _, event := range base.Events {
		there := false
		for _, asks := range []bool{false, true} {
			has, err := document{p.Before}.has(event, command(hook, event, a.Name, asks))
			if err != nil {
				return false, unreadable(p.Path, err)
			}
			there = there || has
		}
		if !there {
			return false, nil
		}
	}
	return true, nil
}
