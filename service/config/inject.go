package config

import (
	"fmt"
	"slices"

	"dormouse/service/inject"
)

// Inject says what the agents whose hooks are connected are told of the memory.
type Inject struct {
	// Core has a session told the core memory of its project when it begins.
	Core bool `toml:"core"`
	// PromptRecords is how many records a prompt is answered with at most; 0 is none.
	PromptRecords int `toml:"prompt_records"`
	// PromptBytes bounds what is told at a prompt, its frame included.
	PromptBytes int `toml:"prompt_bytes"`
	// SubAgents has sub-agents told, too.
	SubAgents bool `toml:"sub_agents"`
	// Except are the agents that are told nothing.
	Except []string `toml:"except"`
}

// The bounds of Inject.
const (
	maxPromptRecords                = 10
	minPromptBytes, mostPromptBytes = 512, 4096
)

func defaultInject() Inject { return Inject{Core: true, PromptBytes: 1024} }

// Moments are those at which an agent is told something.
func (c Inject) Moments(agent string) (out []inject.Moment) {
	if slices.Contains(c.Except, agent) {
		return nil
	}
	for m, on := range map[inject.Moment]bool{inject.Start: c.Core, inject.Prompt: c.PromptRecords > 0, inject.Child: c.Core && c.SubAgents} {
		if on {
			out = append(out, m)
		}
	}
	slices.Sort(out)
	return out
}

func (c Inject) validate() (errs []error) {
	if c.PromptRecords < 0 || c.PromptRecords > maxPromptRecords {
		errs = append(errs, fmt.Errorf("inject.prompt_records is %d: it must be from 0 to %d", c.PromptRecords, maxPromptRecords))
	}
	if c.PromptBytes < minPromptBytes || c.PromptBytes > mostPromptBytes {
		errs = append(errs, fmt.Errorf("inject.prompt_bytes is %d: it must be from %d to %d", c.PromptBytes, minPromptBytes, mostPromptBytes))
	}
	return errs
}
