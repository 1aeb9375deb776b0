package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"
)

// varying is what differs from run to run without meaning anything: ids, times, durations, numbers of processes and ports.
var varying = []*regexp.Regexp{
	regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`),
	regexp.MustCompile(`\w*scripted\d+|(msg|toolu|call|resp|fc|ses|prt|req)[_-]?(scripted)?[0-9A-Za-z]{0,40}[0-9][0-9A-Za-z]*`),
	regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d[:-]\d\d([:-]\d\d(\.\d+)?)?Z?(-[0-9a-f]{8})?`),
	regexp.MustCompile(`Chunk ID: \w+|"ordinal":\d+|"(history|sampled_through)_sequence":\d+`),
	regexp.MustCompile(`127\.0\.0\.1:\d+`),
	regexp.MustCompile(`\b[0-9a-f]{12,64}\b`),
	regexp.MustCompile(`\b\d+(\.\d+)?(ms|s)\b`),
	regexp.MustCompile(`\b\d{2,}(\.\d+)?\b`),
}

// normal replaces what varies.
func normal(s string) string {
	for i, re := range varying {
		s = re.ReplaceAllString(s, fmt.Sprintf("<%d>", i))
	}
	s = strings.ReplaceAll(s, `"parentUuid":null`, `"parentUuid":"<0>"`) // what a hook told may stand before the first message
	return strings.TrimSpace(s)
}

// hookContext is what Gemini CLI puts in front of a prompt for a hook.
var hookContext = regexp.MustCompile(`<hook_context>.*?</hook_context>(\\n)*`)

// serverContext is what Gemini CLI writes at the end of its first message for servers of tools that tell what they are for.
var serverContext = regexp.MustCompile(`<loaded_context>.*?</loaded_context>(\\n)*`)

// hookTraces are kinds of records that agents write about hooks and servers of tools, which are there with Dormouse and not without.
var hookTraces = regexp.MustCompile(`^(hook_|async_hook|stop_hook|mcp_instructions_delta)`)

// normalLines are the records of a transcript without those about hooks and what they told, each normalised and with its fields in order. Links
// between records go too: a record about a hook stands in the chain.
func normalLines(text string) string {
	var out []string
	for line := range strings.Lines(text) {
		r := gjson.Parse(line)
		kind := r.Get("attachment.type").String() + r.Get("subtype").String()
		line = serverContext.ReplaceAllString(hookContext.ReplaceAllString(line, ""), "")
		r = gjson.Parse(line)
		if strings.Contains(line, beginMark) || !r.IsObject() || hookTraces.MatchString(kind) || r.Get("type").String() == "last-prompt" {
			continue
		}
		out = append(out, normal(r.Get("@ugly").Raw))
	}
	return strings.Join(out, "\n")
}
