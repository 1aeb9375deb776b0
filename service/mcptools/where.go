package mcptools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dormouse/service/api"
)

// locator finds projects.
type locator interface {
	Locate(ctx context.Context, what []string) (api.Located, error)
	Projects(context.Context) ([]api.Project, error)
}

// place is where an agent works: the project whose memory it sees. The zero project is one of which nothing is known yet.
type place struct {
	id, name string
	note     string // what the agent has to know of it
}

// label names a place's project in an answer.
func (p place) label() string {
	switch {
	case p.id == "":
		return ""
	case p.name == "" || p.name == p.id:
		return p.id
	}
	return p.name + " (" + p.id + ")"
}

// unsure says that it cannot be told which project is meant.
type unsure struct {
	why        string
	candidates []string
}

func (u *unsure) Error() string { return u.why }

// maxCandidates is how many projects are named to choose from.
const maxCandidates = 30

// locate finds the project that an agent works in from its folders, and checks the one that it names against that. An agent is
// never shown another project than the one that it works in.
func (t *Tools) locate(ctx context.Context, folders []string, named string) (place, error) {
	var at api.Located
	if len(folders) > 0 {
		var err error
		if at, err = t.m.Locate(ctx, folders); err != nil {
			return place{}, err
		}
	}
	sure := len(folders) > 0 && len(at.Wide) == 0 && len(at.Projects)+len(at.New) == 1
	if named != "" {
		return t.named(ctx, named, at, sure, folders)
	}
	switch {
	case sure && len(at.Projects) == 1:
		return placeOf(at.Projects[0]), nil
	case sure:
		return place{note: "nothing is known of the project in " + at.New[0] + " yet; what is global was looked through"}, nil
	}
	return t.whichOne(ctx, at, folders)
}

func placeOf(p api.Project) place { return place{id: p.ID, name: p.Name} }

// whichOne asks for the project, with those that it may be.
func (t *Tools) whichOne(ctx context.Context, at api.Located, folders []string) (place, error) {
	list := slices.Concat(at.Projects, at.Candidates)
	why := "it is not clear which project is meant: you work in " + strings.Join(folders, ", ")
	if len(folders) == 0 {
		why = "it is not known in which folder you work"
		var err error
		if list, err = t.m.Projects(ctx); err != nil {
			return place{}, err
		}
	}
	if len(list) == 0 {
		return place{note: "no project is known here; what is global was looked through. Name a project if you mean one"}, nil
	}
	return place{}, &unsure{why: why + ". Say which: call again with project set to one of these (name, id or path)", candidates: describe(list)}
}

// describe names projects to choose from, each once.
func describe(list []api.Project) (out []string) {
	for _, p := range list {
		if s := line(p.Name + " " + p.ID + " " + p.Path); !slices.Contains(out, s) && len(out) < maxCandidates {
			out = append(out, s)
		}
	}
	return out
}

// named is the project that the agent names, where it may see it.
func (t *Tools) named(ctx context.Context, name string, at api.Located, sure bool, folders []string) (place, error) {
	found, err := t.m.Locate(ctx, []string{localPath(name)})
	if e := (*api.Error)(nil); errors.As(err, &e) {
		return place{}, errors.New(e.Message)
	}
	if err != nil {
		return place{}, err
	}
	if len(found.Projects) != 1 {
		return place{}, fmt.Errorf("no project is called %q here", clip(name, 100))
	}
	p := found.Projects[0]
	same := func(q api.Project) bool { return q.ID == p.ID }
	known := slices.Concat(at.Projects, at.Candidates)
	if anywhere := len(known) == 0 && !sure; len(folders) > 0 && !anywhere && !slices.ContainsFunc(known, same) {
		where := strings.Join(folders, ", ")
		if sure && len(at.Projects) == 1 {
			where = at.Projects[0].Name
		}
		return place{}, fmt.Errorf("you work in %s, and the memory of another project, %s, is not shown there", where, p.Name)
	}
	return placeOf(p), nil
}

// agentOf is the agent's name as Dormouse calls it.
func (t *Tools) agentOf(s *mcp.ServerSession) string {
	if t.o.Agent != "" {
		return t.o.Agent
	}
	if p := s.InitializeParams(); p != nil && p.ClientInfo != nil {
		return agentNamed(p.ClientInfo.Name)
	}
	return unknownAgent
}

const unknownAgent = "mcp-client"

// clients are how agents' MCP clients call themselves, as a part of the name, and whose they are. The order counts.
var clients = []struct{ part, agent string }{
	{"claude-code", "claude-code"}, {"claude code", "claude-code"}, {"codex", "codex"}, {"gemini", "gemini-cli"}, {"qwen", "qwen"}, {"cursor", "cursor"},
	{"opencode", "opencode"}, {"copilot", "copilot-cli"}, {"goose", "goose"}, {"cline", "cline"}, {"roo", "roo"}, {"kilo", "kilo"},
	{"antigravity", "antigravity-cli"}, {"amp", "amp"}, {"pi-coding", "pi"},
}

// agentNamed is the agent whose client has a name; a client that is not known is an agent of its own.
func agentNamed(client string) string {
	low := strings.ToLower(line(client))
	for _, c := range clients {
		if strings.Contains(low, c.part) {
			return c.agent
		}
	}
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, clip(low, 40))
	if name = strings.Trim(name, "-"); name == "" {
		return unknownAgent
	}
	return name
}
