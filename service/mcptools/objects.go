package mcptools

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"dormouse/service/api"
)

// typed tells what sessions are made of.
type typed interface {
	Objects(context.Context, api.ObjectQuery) (api.Objects, error)
	Pager(context.Context) (api.Pager, error)
}

var (
	objectTypes = []string{"file_context", "tool_result", "error_context", "plan", "design_decision", "debugging_session", "conversation_phase", "external_reference"}
	sessionAt   = param{name: "session_id", max: 100, about: "Default: this project's newest."}
	objectRE    = regexp.MustCompile(`^ob_[0-9a-f]{12}$`)
)

func (t *Tools) objectsTool() tool {
	return tool{name: "memory_objects", title: "What a session is made of", run: t.objects,
		about:  "List a session's objects: files read, results, errors, plans, decisions, stretches of debugging, talk, pages; with turns and sizes.",
		params: []param{sessionAt, {name: "type", oneOf: objectTypes}, limitParam(40, 200), cursorParam}}
}

func (t *Tools) inspectTool() tool {
	return tool{name: "memory_inspect", title: "One object of a session", run: t.inspect,
		about:  "Show an object in full, with what it is related to.",
		params: []param{{name: "object_id", needed: true, max: 40, about: "As memory_objects gives it, such as ob_0123456789ab."}, sessionAt, limitParam(40, 200), cursorParam}}
}

func (t *Tools) relationsTool() tool {
	return tool{name: "memory_graph", title: "How a session's objects are related", run: t.relations,
		about:  "List the relations among a session's objects: references, depends_on, parent_of, supersedes.",
		params: []param{sessionAt, limitParam(60, 200), cursorParam}}
}

func (t *Tools) configTool() tool {
	return tool{name: "memory_config", title: "How the context engine is set", run: t.config,
		about: "What the context engine does to this machine's sessions, and its settings; they can be read, not changed."}
}

// objectsOf asks for the objects of a session of the project that the agent works in.
func (t *Tools) objectsOf(ctx context.Context, c *call, object string) (api.Objects, error) {
	id := strings.TrimPrefix(c.text("session_id"), "session:")
	if id != "" && !sessionRE.MatchString(id) {
		return api.Objects{}, fmt.Errorf("session_id has to be the id of a session such as cc_1a2b3c4d, not %q; memory_search and memory_timeline give them", clip(id, 60))
	}
	if c.place.id == "" {
		return api.Objects{}, errors.New("this folder is of no project that Dormouse knows, and sessions of others are not shown")
	}
	got, err := t.m.Objects(ctx, api.ObjectQuery{Session: id, Project: c.place.id, Object: object, For: c.agent})
	var e *api.Error
	switch {
	case errors.As(err, &e) && e.Code == api.CodeNotFound && object != "":
		return got, fmt.Errorf("there is no object %s there; memory_objects lists those of a session", object)
	case errors.As(err, &e) && e.Code == api.CodeNotFound && id != "":
		return got, fmt.Errorf("there is no session %s here; memory_search and memory_timeline give those that there are", id)
	case err == nil && got.Session.ProjectID != c.place.id:
		return api.Objects{}, fmt.Errorf("session %s is not one of this project, and others are not shown", got.Session.ID)
	}
	return got, err
}

func (t *Tools) objects(ctx context.Context, c *call) (*page, error) {
	got, err := t.objectsOf(ctx, c, "")
	if err != nil {
		return nil, err
	}
	var list []item
	for _, o := range got.Objects {
		if k := c.text("type"); k == "" || k == o.Type {
			list = append(list, objectItem(got.Session.ID, o))
		}
	}
	items, more := some(list, c.from, c.number("limit"))
	return &page{title: "objects of " + titleOf(got.Session), items: items, more: more, total: len(list)}, nil
}

func objectItem(session string, o api.Object) item {
	it := item{What: "object", ID: o.ID, Kind: o.Type, Text: clip(line(o.Title), 160), Session: session, Turn: o.FirstTurn, Open: open(session, o.FirstTurn)}
	it.Note = fmt.Sprintf("%d tokens", o.Tokens)
	if o.LastTurn > o.FirstTurn {
		it.Note += fmt.Sprintf(", to turn %d", o.LastTurn)
	}
	if o.Superseded != "" {
		it.Note += ", newer: " + o.Superseded
	}
	return it
}

func (t *Tools) inspect(ctx context.Context, c *call) (*page, error) {
	id := strings.ToLower(c.text("object_id"))
	if !objectRE.MatchString(id) {
		return nil, fmt.Errorf("object_id has to be the id of an object such as ob_0123456789ab, not %q; memory_objects lists them", clip(id, 60))
	}
	got, err := t.objectsOf(ctx, c, id)
	if err != nil {
		return nil, err
	}
	titles := objectTitles(got)
	var list []item
	for _, o := range got.Objects {
		if o.ID == got.Object {
			list = append(list, objectItem(got.Session.ID, o))
		}
	}
	for _, r := range got.Relations {
		if r.From == got.Object || r.To == got.Object {
			list = append(list, relationItem(r, titles))
		}
	}
	list = append(list, blocks("content", clean(got.Text), c.piece())...)
	items, more := some(list, c.from, c.number("limit"))
	return &page{title: "object " + got.Object + " of " + titleOf(got.Session), items: items, more: more, total: len(list)}, nil
}

func (t *Tools) relations(ctx context.Context, c *call) (*page, error) {
	got, err := t.objectsOf(ctx, c, "")
	if err != nil {
		return nil, err
	}
	titles := objectTitles(got)
	list := make([]item, 0, len(got.Relations))
	for _, r := range got.Relations {
		list = append(list, relationItem(r, titles))
	}
	items, more := some(list, c.from, c.number("limit"))
	return &page{title: "relations of the objects of " + titleOf(got.Session), items: items, more: more, total: len(list)}, nil
}

// objectTitles are what objects are called in relations.
func objectTitles(x api.Objects) map[string]string {
	out := map[string]string{}
	for _, o := range x.Objects {
		out[o.ID] = fmt.Sprintf("%s (%s %s)", o.ID, o.Type, clip(line(o.Title), 60))
	}
	return out
}

func relationItem(r api.ObjectRelation, titles map[string]string) item {
	return item{What: "relation", Kind: r.Kind, Text: fmt.Sprintf("%s ──%s──► %s", titles[r.From], r.Kind, titles[r.To])}
}

func (t *Tools) config(ctx context.Context, _ *call) (*page, error) {
	got, err := t.m.Pager(ctx)
	if err != nil {
		return nil, err
	}
	does := "sessions through it pass as they are"
	if got.Pages && got.Proxy == api.ProxyOn {
		does = "in sessions through it, old results of tools are shortened where that pays"
	}
	p := &page{title: "settings of the context engine"}
	p.items = append(p.items, item{What: "setting", Text: "the proxy is " + got.Proxy + ": " + does})
	for _, s := range got.Settings {
		p.items = append(p.items, item{What: "setting", ID: s.Name, Text: line(s.About) + ": " + line(s.Value)})
	}
	return p, nil
}
