package main

import (
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/service/client"
)

func proxyCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "proxy",
		Short: "Stand between your agents and their providers: measure what they take",
		Long: `The proxy passes on what your agents ask the providers of their models and what these answer, byte for byte, and reads from the answers
what each call took: dormouse cost --by purpose shows it. It listens at 127.0.0.1, for agents that you point at it. Your keys go
through it and are neither kept nor logged. "off" has it pass bytes and do nothing else; agents notice no difference.

An agent that was pointed at the proxy needs the running service. dormouse proxy env prints nothing while that is not there, so that
an agent started with it then goes to its provider directly.`,
		Example: `  dormouse proxy on
  eval "$(dormouse proxy env claude-code)" && claude
  dormouse proxy status
  dormouse proxy off      out of the path, while agents go on`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(proxyStatusCommand(a), proxyOnCommand(a), proxyOffCommand(a), proxyEnvCommand(a), proxyRecordCommand(a))
	for _, sub := range cmd.Commands() {
		sub.Long = reflow(sub.Long, a.Width)
	}
	return cmd
}

func proxyStatusCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "status",
		Aliases: []string{"stats"},
		Short:   "How the proxy is, and what passed since the service began",
		Long:    `Tell how the proxy is switched, where it listens, and what passed through it since the service began.`,
		Example: `  dormouse proxy status --json | jq .calls`,
		Args:    takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return ask(cmd.Context(), a, func(c *client.Client) (api.Proxy, error) { return c.Proxy(cmd.Context(), "") }, formatProxy)
		},
	}
}

func proxyOnCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "on",
		Short:   "Listen for agents, and read what their calls take",
		Long:    `Listen for agents, and read what their calls take, now and after each start of the service.`,
		Example: `  dormouse proxy on`,
		Args:    takes(cobra.NoArgs, "no arguments"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.switchProxy(cmd, api.ProxyOn) },
	}
}

func proxyOffCommand(a *app) *cobra.Command {
	shut := false
	cmd := &cobra.Command{
		Use:   "off",
		Short: "Pass bytes and nothing else",
		Long: `Take the proxy out of the path: it goes on passing bytes, so that agents that were pointed at it work on, and neither reads nor
changes anything. With --shut it listens no more; agents that are still pointed at it then fail until they are started without it.`,
		Example: `  dormouse proxy off
  dormouse proxy off --shut`,
		Args: takes(cobra.NoArgs, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if shut {
				return a.switchProxy(cmd, api.ProxyShut)
			}
			return a.switchProxy(cmd, api.ProxyOff)
		},
	}
	cmd.Flags().BoolVar(&shut, "shut", false, "listen no more")
	return cmd
}

func (a *app) switchProxy(cmd *cobra.Command, to string) error {
	return ask(cmd.Context(), a, func(c *client.Client) (api.Proxy, error) { return c.SwitchProxy(cmd.Context(), to) }, formatProxy)
}

// formatProxy tells how the proxy is and what passed.
func formatProxy(v view, x api.Proxy) []string {
	p := &page{view: v}
	switch {
	case x.State == api.ProxyShut:
		p.prose("The proxy is shut: no agent goes through it.", "", nil)
	case x.URL == "":
		p.prose("The proxy does not listen: "+orNone(text.Clean(x.Failure), "dormouse status says why")+".", "", p.Warn)
	case x.State == api.ProxyOff:
		p.prose("The proxy is off: bytes pass, and nothing is read.", "", nil)
	default:
		does := map[bool]string{true: "old results of tools are shortened where that pays, ", false: "bytes pass, "}[x.Pages]
		if x.Tools {
			does += "models may ask the memory, "
		}
		p.prose("The proxy is on: "+does+"and what calls take is read.", "", nil)
	}
	p.gap()
	p.passed(x)
	switch {
	case x.State != api.ProxyOn:
		p.hint("To switch it on:", "dormouse proxy on")
	case x.URL != "" && x.Requests == 0:
		p.hint("To have an agent go through it:", `eval "$(dormouse proxy env claude-code)"`)
	}
	return p.lines
}

func (p *page) passed(x api.Proxy) {
	if x.URL != "" {
		p.field("Listens at", text.Line(x.URL))
	}
	if x.Recording != nil && x.Recording.On {
		p.field("Recording", text.Line(x.Recording.File))
	}
	if x.Requests+x.Refused == 0 {
		return
	}
	p.field("Since", p.when(x.Since))
	p.field("Passed", joined(count(x.Requests, "request"), number(x.Read)+" read"))
	if x.Calls > 0 {
		p.field("Took", joined(count(x.Calls, "call"), number(x.InputTokens)+" tokens in", number(x.CacheReadTokens)+" of them cached", number(x.OutputTokens)+" out"))
	}
	if x.Paged > 0 {
		p.field("Shortened", joined(count(x.Paged, "request"), size(x.SavedBytes)+" less"))
	}
	if x.SentAnew > 0 {
		p.field("Sent anew", count(x.SentAnew, "request")+" that the provider refused as it was changed")
	}
	if x.Offered > 0 {
		p.field("Asked", joined(count(x.Offered, "request")+" had the memory's tools", count(x.Asked.Queries, "question"), number(x.Asked.Restores)+" restored",
			number(x.Asked.Releases)+" released", number(x.Asked.Misses)+" of all missed", count(x.Asked.Rounds, "request")+" more by that"))
	}
	if x.Asked.Forgotten > 0 {
		p.field("Forgotten", count(x.Asked.Forgotten, "answer")+" of the memory, because there are too many in one conversation")
	}
	for _, why := range slices.Sorted(maps.Keys(x.Unoffered)) {
		p.field("Unasked", joined(count(x.Unoffered[why], "request")+" had no tools of the memory's", text.Line(why)))
	}
	for _, why := range slices.Sorted(maps.Keys(x.Untouched)) {
		p.field("Untouched", joined(count(x.Untouched[why], "request"), text.Line(why)))
	}
	var odd []string
	for _, c := range []struct {
		n    int64
		what string
	}{{x.Errors, "answered with an error"}, {x.Unreached, "did not reach the provider"}, {x.Broken, "broke in the middle"}, {x.TooLong, "too long"},
		{x.Refused, "refused: no token, a web page or another machine"}, {x.Untold, "of which the provider told no usage"},
		{x.Unmetered, "whose usage could not be written down"}} {
		if c.n > 0 {
			odd = append(odd, number(c.n)+" "+c.what)
		}
	}
	if len(odd) > 0 {
		p.field("Of them", joined(odd...))
	}
}

// proxyVariables are the environment variables by which agents find their provider, and what follows the proxy's address in each.
var proxyVariables = []struct{ name, upstream, after string }{
	{"ANTHROPIC_BASE_URL", "anthropic", ""},
	{"OPENAI_BASE_URL", "openai", "/v1"},
	{"GOOGLE_GEMINI_BASE_URL", "gemini", ""},
}

// proxyAgents says which of them an agent reads.
var proxyAgents = map[string][]string{"claude-code": {"ANTHROPIC_BASE_URL"}, "codex": {"OPENAI_BASE_URL"}, "gemini-cli": {"GOOGLE_GEMINI_BASE_URL"},
	"qwen": {"OPENAI_BASE_URL"}}

// envLines are the forms of a line that sets a variable, by shell.
var envLines = map[string]string{"sh": "export %s='%s'", "fish": "set -gx %s '%s'", "powershell": "$env:%s = '%s'", "cmd": "set %s=%s"}

// proxySetting is one variable.
type proxySetting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func proxyEnvCommand(a *app) *cobra.Command {
	shell := "sh"
	if runtime.GOOS == "windows" {
		shell = "powershell"
	}
	cmd := &cobra.Command{
		Use:   "env [AGENT]",
		Short: "The variables that point an agent at the proxy",
		Long: `Print the environment variables that point an agent at the proxy, as lines for your shell. The addresses hold a token of the agent's
own: treat them like a password. While the proxy does not listen nothing is printed, and standard error says why.

Any name will do; what passes is told apart by it. Agents that take the address from their settings (opencode, Cline) want the
same one there.`,
		Example: `  eval "$(dormouse proxy env claude-code)" && claude
  dormouse proxy env gemini-cli --shell fish | source
  dormouse proxy env codex --json | jq -r '.[0].value'`,
		Args: takes(cobra.MaximumNArgs(1), "at most one agent"),
		RunE: func(cmd *cobra.Command, args []string) error {
			line, ok := envLines[shell]
			if !ok {
				return usage(cmd, "--shell is one of cmd, fish, powershell and sh, not %q", shell)
			}
			agent := "any"
			if len(args) > 0 {
				agent = args[0]
			}
			return ask(cmd.Context(), a, func(c *client.Client) ([]proxySetting, error) {
				x, err := c.Proxy(cmd.Context(), agent)
				if err != nil {
					return nil, err
				}
				return proxySettings(x, agent)
			}, func(_ view, list []proxySetting) (out []string) {
				for _, s := range list {
					out = append(out, fmt.Sprintf(line, s.Name, s.Value))
				}
				return out
			})
		},
	}
	cmd.Flags().StringVar(&shell, "shell", shell, "sh, fish, powershell or cmd")
	return cmd
}

// proxySettings are the variables of an agent, or all of one that is not known.
func proxySettings(x api.Proxy, agent string) ([]proxySetting, error) {
	if len(x.Bases) == 0 {
		if x.State == api.ProxyShut {
			return nil, errors.New("the proxy is shut; dormouse proxy on has it listen")
		}
		return nil, fmt.Errorf("the proxy does not listen: %s", orNone(x.Failure, "dormouse status says why"))
	}
	out := []proxySetting{}
	for _, v := range proxyVariables {
		if known := proxyAgents[agent]; known != nil && !slices.Contains(known, v.name) {
			continue
		}
		for _, b := range x.Bases {
			if b.Upstream == v.upstream {
				out = append(out, proxySetting{v.name, strings.TrimSuffix(b.URL, "/") + v.after})
			}
		}
	}
	return out, nil
}
