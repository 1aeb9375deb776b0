package daemon

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"dormouse/service/api"
	"dormouse/service/config"
	"dormouse/service/embed"
	"dormouse/service/pager"
	"dormouse/service/pager/objects"
	"dormouse/store/memory"
)

const (
	// maxKnownObjects is for how many sessions it is remembered which objects they were told to have.
	maxKnownObjects = 64
	// maxLookedFor is in how many of the newest sessions an object is looked for that nobody knows.
	maxLookedFor = 20
)

// knownObjects remembers in which session an object is that was told of. An object's id is made of what it begins with, so that it can be
// found again without: this only saves the search.
type knownObjects struct {
	mu    sync.Mutex
	order []string
	ids   map[string][]string // by session
}

func (k *knownObjects) learn(session string, v *objects.View) {
	var ids []string
	for i := range v.Objects {
		ids = append(append(ids, v.Objects[i].ID), v.Objects[i].Also...)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ids == nil {
		k.ids = map[string][]string{}
	}
	k.order = append(slices.DeleteFunc(k.order, func(s string) bool { return s == session }), session)
	k.ids[session] = ids
	if len(k.order) > maxKnownObjects {
		delete(k.ids, k.order[0])
		k.order = k.order[1:]
	}
}

// of is the session that an object was told of last.
func (k *knownObjects) of(object string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, s := range slices.Backward(k.order) {
		if slices.Contains(k.ids[s], object) {
			return s
		}
	}
	return ""
}

// objectsOf are the objects of a session, as the one who asks may see it.
func (d *Daemon) objectsOf(ctx context.Context, q api.ObjectQuery) (api.Objects, error) {
	if q.Session == "" && q.Object != "" {
		return d.objectAnywhere(ctx, q)
	}
	if q.Session == "" {
		all, err := d.sessionsToLookIn(ctx, q)
		if err != nil {
			return api.Objects{}, err
		}
		if len(all) == 0 {
			return api.Objects{}, notFound("there is no session yet; dormouse agents says what is captured")
		}
		q.Session = all[0].ID
	}
	out, v, err := d.viewOfSession(ctx, q)
	if err != nil || q.Object == "" {
		return out, err
	}
	if x := objectIn(v, q.Object); x != nil {
		out.Object, out.Text = x.ID, x.Text()
		return out, nil
	}
	return api.Objects{}, notFound("session %s has no object %s; dormouse objects --session %s lists those that it has", q.Session, q.Object, q.Session)
}

// objectAnywhere finds the session that holds an object.
func (d *Daemon) objectAnywhere(ctx context.Context, q api.ObjectQuery) (api.Objects, error) {
	all, err := d.sessionsToLookIn(ctx, q)
	if err != nil {
		return api.Objects{}, err
	}
	var in []string
	if s := d.known.of(q.Object); slices.ContainsFunc(all, func(x api.Session) bool { return x.ID == s }) {
		in = append(in, s)
	}
	for _, s := range all[:min(len(all), maxLookedFor)] {
		if !slices.Contains(in, s.ID) {
			in = append(in, s.ID)
		}
	}
	for _, id := range in {
		q.Session = id
		out, v, err := d.viewOfSession(ctx, q)
		if err != nil {
			continue // one that cannot be read does not hide the others; it is told of where it is asked for
		}
		if x := objectIn(v, q.Object); x != nil {
			out.Object, out.Text = x.ID, x.Text()
			return out, nil
		}
		if ctx.Err() != nil {
			return api.Objects{}, ctx.Err()
		}
	}
	return api.Objects{}, notFound("none of the %d newest sessions has an object %s; name its session (--session), or list objects: dormouse objects", len(in), q.Object)
}

// sessionsToLookIn are the sessions that can be meant, the newest first.
func (d *Daemon) sessionsToLookIn(ctx context.Context, q api.ObjectQuery) ([]api.Session, error) {
	all, err := d.listSessions(ctx, api.SessionQuery{Project: q.Project})
	return slices.DeleteFunc(all, func(s api.Session) bool { return s.Missing != "" }), err
}

func (d *Daemon) viewOfSession(ctx context.Context, q api.ObjectQuery) (api.Objects, *objects.View, error) {
	t, err := d.openSession(ctx, api.TranscriptQuery{ID: q.Session, For: q.For})
	if err != nil {
		return api.Objects{}, nil, err
	}
	var nodes []memory.Node
	for _, turn := range t.Turns {
		nodes = append(nodes, turn.Nodes...)
	}
	o, err := d.objectOptions()
	if err != nil {
		return api.Objects{}, nil, err
	}
	v := objects.Of(objects.FromNodes(nodes), o)
	d.known.learn(t.Session.ID, v)
	out := shownObjects(v)
	out.Session = t.Session
	if q.Draw {
		out.Drawing = v.DOT(t.Session.ID)
	}
	return out, v, nil
}

// objectOptions are the settings of the typed view. Its embedder is the table that ships with the program, whatever the settings say of
// searching: a text is compared with many, and none leaves the machine for it.
func (d *Daemon) objectOptions() (objects.Options, error) {
	o := objects.Default()
	o.Admit = d.p.Config.Proxy.Admission
	if !d.p.Config.Proxy.KeepTogether {
		o.Pager.InUse = 0
	}
	if d.p.Embedding == nil || d.p.Config.Embed.Provider == config.NoVectors {
		return o, nil
	}
	t, err := embed.NewTable(d.p.Embedding)
	if err != nil {
		return o, fmt.Errorf("read the embedding table: %w", err)
	}
	o.Embed = t.Vector
	return o, nil
}

// pagerOptions are the settings of the engine that shortens what passes the proxy.
func (d *Daemon) pagerOptions() (pager.Options, error) {
	by, err := d.objectOptions()
	o := by.Pager
	if err == nil && by.Embed != nil && d.p.Config.Proxy.FollowGoals {
		o.Goals = &pager.Goals{Shift: by.NewGoal, Embed: by.Embed, Keep: keptForGoal}
	}
	return o, err
}

// keptForGoal is how many results stay for a new goal.
const keptForGoal = 20

// objectIn is an object by its id, or by the id of one that was joined to it.
func objectIn(v *objects.View, id string) *objects.Object {
	for i := range v.Objects {
		if x := &v.Objects[i]; x.ID == id || slices.Contains(x.Also, id) {
			return x
		}
	}
	return nil
}

func shownObjects(v *objects.View) api.Objects {
	s := v.Stats
	out := api.Objects{Objects: []api.Object{}, Relations: []api.ObjectRelation{}, Refused: []api.RefusedObject{}, Stats: api.ObjectStats{Turns: s.Turns, Blocks: s.Blocks,
		Objects: s.Objects, Bytes: s.Bytes, Tokens: s.Tokens, Mean: s.Mean, Median: s.Median, Types: map[string]int{}, Levels: s.Levels, Superseded: s.Superseded,
		Joined: s.Joined, Goals: s.Goals, Calls: s.Calls, Refused: s.Refused, Quiet: s.Left.Quiet, Other: s.Left.Other, Empty: s.Left.Empty}}
	for t, n := range s.Types {
		out.Stats.Types[string(t)] = n
	}
	for i := range v.Objects {
		x := &v.Objects[i]
		out.Objects = append(out.Objects, api.Object{ID: x.ID, Type: string(x.Type), Title: x.Title, Key: x.Key, Agent: x.Agent, FirstTurn: x.Turns[0], LastTurn: x.Turns[1], Goal: x.Goal,
			Parts: shownParts(x.Parts), Bytes: x.Bytes, Tokens: x.Tokens, Level: x.Level.String(), Superseded: x.Superseded, Also: x.Also})
	}
	for _, r := range v.Relations {
		out.Relations = append(out.Relations, api.ObjectRelation{From: r.From, Kind: string(r.Kind), To: r.To})
	}
	for _, r := range v.Refused {
		out.Refused = append(out.Refused, api.RefusedObject{ID: r.ID, Type: string(r.Type), Title: r.Title, Parts: shownParts(r.Parts), Bytes: r.Bytes, Reason: r.Reason, Score: r.Score})
	}
	return out
}

func shownParts(parts []objects.Part) []api.ObjectPart {
	out := []api.ObjectPart{}
	for _, p := range parts {
		out = append(out, api.ObjectPart{Node: p.Node, Turn: p.Turn, From: p.From, To: p.To})
	}
	return out
}

// pagerSettings tells what the context engine is set to.
func (d *Daemon) pagerSettings(context.Context) (api.Pager, error) {
	p, o := pager.Default(), objects.Default()
	out := api.Pager{Proxy: d.proxyState(), Pages: d.p.Config.Proxy.Page}
	add := func(name, about, format string, args ...any) {
		out.Settings = append(out.Settings, api.PagerSetting{Name: name, Value: fmt.Sprintf(format, args...), About: about})
	}
	add("proxy.page", "old results of tools are shortened on the way, where that pays", "%v", d.p.Config.Proxy.Page)
	add("proxy.tools", "the model is offered tools by which it asks for what was shortened", "%v", d.p.Config.Proxy.Tools)
	add("proxy.keep_together", "files that calls are about stay, with those that they name", "%v", d.p.Config.Proxy.KeepTogether)
	add("proxy.follow_goals", "what does not fit a new goal is shortened at once", "%v", d.p.Config.Proxy.FollowGoals)
	window := "of each model"
	if n := d.p.Config.Proxy.Window; n > 0 {
		window = fmt.Sprint(n, " tokens")
	}
	add("proxy.window", "the model's window, by which pressure is told", "%s", window)
	add("pager.zones", "shares of it at which caution, warning, critical and emergency begin", "%s", strings.Trim(fmt.Sprint(p.Zones), "[]"))
	add("pager.cache_life", "how long the provider's cache is taken to remember a conversation", "%s", p.CacheLife)
	add("pager.caution", "how many times its price a change of the cached prefix has to save", "%g", p.Caution)
	add("pager.output", "messages after which the result of a command or search is shortened", "%d", p.Output)
	add("pager.file", "messages after which a file that was read is shortened", "%d", p.File)
	add("objects.topic", "a prompt that is less similar to what was said before opens a new object", "%g", o.Topic)
	add("objects.goal", "and one that is less similar than this a new goal", "%g", o.Goal)
	add("objects.join", "neighbours of a type that are more similar become one object", "%g", o.Join)
	add("objects.every", "turns after which neighbours are looked at", "%d", o.Every)
	add("objects.split", "tokens beyond which an object is cut", "%d", o.Split)
	add("proxy.admission", "what is not worth it is left out of the objects", "%v", d.p.Config.Proxy.Admission)
	return out, nil
}
