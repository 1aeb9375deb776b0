package mcptools

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"dormouse/service/api"
)

// The addresses of the resources.
const (
	coreURI   = "dormouse://core"
	entityURI = "dormouse://entity/"
	markdown  = "text/markdown"
)

// pageBytes is the longest page of a resource.
const pageBytes = 32 << 10

func (t *Tools) addResources(s *mcp.Server, dir string) {
	read := func(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return t.resource(ctx, r, dir)
	}
	s.AddResource(&mcp.Resource{URI: coreURI, Name: "core", Title: "Core of this project's memory", MIMEType: "text/plain",
		Description: "The page that a session in this project begins with, at most 2,048 bytes."}, read)
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: coreURI + "/{project}", Name: "core of a project", MIMEType: "text/plain",
		Description: "The same, of a project by id; only that of the project that you work in is shown."}, read)
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: entityURI + "{+id}", Name: "page of an entity", MIMEType: markdown,
		Description: "All that is known of a file, commit, tool, error, library ...: its facts, relations and history."}, read)
}

func (t *Tools) resource(ctx context.Context, r *mcp.ReadResourceRequest, dir string) (*mcp.ReadResourceResult, error) {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	folders, ask := t.rooted.folders(ctx, asker{r.Session, r.Params.InputResponses})
	if ask {
		return &mcp.ReadResourceResult{InputRequests: whereAreYou()}, nil
	}
	if len(folders) == 0 && dir != "" {
		folders = []string{dir}
	}
	text, kind, err := t.read(ctx, r.Params.URI, folders, t.agentOf(r.Session))
	var u *unsure
	switch {
	case errors.As(err, &u):
		return nil, fmt.Errorf("%s: %s", u.why, strings.Join(u.candidates, "; "))
	case err != nil:
		return nil, errors.New(explain(err))
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: kind, Text: text}}}, nil
}

func (t *Tools) read(ctx context.Context, uri string, folders []string, agent string) (text, kind string, err error) {
	named := ""
	if rest, ok := strings.CutPrefix(uri, coreURI+"/"); ok {
		if named, err = url.PathUnescape(rest); err != nil {
			return "", "", fmt.Errorf("%s is no address of a resource", clip(uri, 100))
		}
	}
	at, err := t.locate(ctx, folders, named)
	if err != nil {
		return "", "", err
	}
	if rest, ok := strings.CutPrefix(uri, entityURI); ok {
		id, err := url.PathUnescape(rest)
		if err != nil {
			return "", "", fmt.Errorf("%s is no address of a resource", clip(uri, 100))
		}
		text, err := t.entityPage(ctx, id, at, agent)
		return text, markdown, err
	}
	core, err := t.m.Core(ctx, at.id)
	return core.Text, "text/plain", err
}

// entityPage is all that is known of an entity, as far as the agent may see it.
func (t *Tools) entityPage(ctx context.Context, id string, at place, agent string) (string, error) {
	g, err := t.m.Graph(ctx, api.GraphQuery{Entity: id, Hops: 1, Project: at.id, For: agent})
	if err != nil {
		return "", err
	}
	facts, err := t.m.Facts(ctx, api.FactQuery{Subject: g.Center.ID, Project: at.id, For: agent, All: true, Limit: 100})
	if e := (*api.Error)(nil); err != nil && (!errors.As(err, &e) || e.Code != api.CodeNotFound) {
		return "", err
	}
	lines := []string{heading(g.Center.ID + " in " + at.label()), "# " + line(g.Center.Name), "", "`" + line(g.Center.ID) + "`"}
	section := func(title string, list []item) {
		if len(list) == 0 {
			return
		}
		lines = append(lines, "", "## "+title)
		for _, it := range list {
			lines = append(lines, "- "+strings.TrimPrefix(it.shown(), "· "))
		}
	}
	var held []item
	for _, f := range facts.Facts {
		held = append(held, factItem(f, facts.Missing[f.Fact.Provenance.SessionID]))
	}
	section("Facts", held)
	all := graphItems(g)
	of := func(what string) []item {
		return slices.DeleteFunc(slices.Clone(all[1:]), func(it item) bool { return it.What != what })
	}
	section("Relations", of("relation"))
	section("History", of("event"))
	return wholeLines(strings.Join(lines, "\n")+"\n", pageBytes), nil
}

// wholeLines cuts a text to at most n bytes at the end of a line, and says so.
func wholeLines(s string, n int) string {
	const rest = "(there is more; memory_graph_neighbors gives it page by page)\n"
	if len(s) <= n {
		return s
	}
	s = s[:n-len(rest)]
	return s[:strings.LastIndexByte(s, '\n')+1] + rest
}
