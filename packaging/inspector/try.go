package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// try is one call of the inspector, and what its answer has to hold.
type try struct {
	args []string
	want []string
}

var tries = []try{
	{[]string{"--method", "tools/list"}, []string{"memory_search", "memory_timeline", "memory_graph_neighbors", "memory_open_session", "memory_git_log", "memory_git_show",
		"memory_remember_when", "memory_core", "memory_query", "memory_propose", "memory_stats", "max_bytes"}},
	{[]string{"--method", "tools/call", "--tool-name", "memory_search", "--tool-arg", "query=gateway port"}, []string{"8443", "session_id", "memory_open_session"}},
	{[]string{"--method", "tools/call", "--tool-name", "memory_query", "--tool-arg", "question=which port does the gateway listen on"}, []string{"8443"}},
	{[]string{"--method", "tools/call", "--tool-name", "memory_stats"}, []string{"sessions of this project: 1"}},
	{[]string{"--method", "tools/call", "--tool-name", "memory_graph_neighbors", "--tool-arg", "entity=x", "hops=1000"}, []string{"from 1 to 5, not 1000"}},
	{[]string{"--method", "resources/list"}, []string{"dormouse://core"}},
	{[]string{"--method", "resources/read", "--uri", "dormouse://core"}, []string{"Dormouse memory: project shop"}},
}

func (b *bench) tryAll() error {
	var at struct{ URL, Header string }
	out, err := b.command(b.program, "mcp", "url", "--json").Output()
	if err == nil {
		err = json.Unmarshal(out, &at)
	}
	if err != nil {
		return fmt.Errorf("ask for the address: %w", err)
	}
	faults := 0
	for way, how := range map[string]struct{ server, more []string }{
		"stdio": {server: []string{b.program, "mcp"}},
		"http":  {[]string{at.URL + "?project=" + b.project}, []string{"--transport", "http", "--header", at.Header}},
	} {
		for _, t := range tries {
			out, err := b.command(b.binary(), slices.Concat([]string{"--cli"}, how.server, t.args, how.more)...).CombinedOutput()
			for _, w := range t.want {
				if !strings.Contains(string(out), w) {
					faults++
					fmt.Printf("%s %v: no %q (%v) in\n%s\n", way, t.args, w, err, out[:min(len(out), 2000)])
				}
			}
		}
		fmt.Printf("%s: %d calls\n", way, len(tries))
	}
	if faults > 0 {
		return fmt.Errorf("%d answers were not as they should be", faults)
	}
	return nil
}
