package main

import (
	"strings"
	"testing"

	"dormouse/service/api"
	"dormouse/service/connect"
)

func TestWhatAnAgentIsAboutToDeleteIsTold(t *testing.T) {
	at := func(r api.AtRisk) string {
		return strings.Join(strings.Fields(strings.Join(formatAgents(viewOf(200), agentsReport{Running: true,
			Agents: []agentReport{{Agent: api.Agent{Name: "claude-code", AtRisk: r}, State: connect.State{Installed: true, Hooks: connect.Connected}}}}, false), " ")), " ")
	}
	soon, past := unix("2030-05-04 18:20"), unix("2020-05-04 18:20")
	for want, r := range map[string]api.AtRisk{
		"At risk: 3 transcripts · 2.0 MB not captured yet and gone within 7 days. claude-code deletes what was not changed for 30 days; it may delete the first of them 2030-05-04 18:20.": {KeptDays: 30, Files: 3, Bytes: 2_000_000, Next: soon},
		"Not all of claude-code is captured yet.": {KeptDays: 30, Next: soon},
		"it may delete them any time.":            {KeptDays: 1, Files: 1, Next: past},
	} {
		if got := at(r); !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	if got := at(api.AtRisk{KeptDays: 30}); strings.Contains(got, "delete") {
		t.Error(got)
	}
}
