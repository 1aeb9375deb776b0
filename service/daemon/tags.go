package daemon

import (
	"context"

	"dormouse/service/api"
	"dormouse/service/recall"
	"dormouse/store/memory"
)

// tags lists the vocabulary, or what is filed under one of its names.
func (d *Daemon) tags(ctx context.Context, q api.TagQuery) (api.Tags, error) {
	id, err := d.projectID(ctx, q.Project)
	if err != nil {
		return api.Tags{}, err
	}
	out := api.Tags{Tags: []api.TagShown{}, Segments: []api.SegmentShown{}}
	var from []memory.Provenance
	d.served(func(s *memory.State) {
		v, project := viewFor(id, q.For), within(id, q.For)
		list := recall.Tags(s, recall.TagQuery{View: v, Project: project, Name: q.Tag})
		if out.Total = len(list); q.Tag == "" {
			list = list[:min(q.Limit, len(list))]
		}
		for _, t := range list {
			out.Tags = append(out.Tags, tagShown(t))
		}
		if q.Tag == "" {
			return
		}
		keys := recall.TagsNamed(s, v, q.Tag)
		if len(keys) == 0 {
			err = unknownTag(s, v, q.Tag)
			return
		}
		segs := recall.Tagged(s, keys, project)
		out.Total = len(segs)
		for _, g := range segs[:min(q.Limit, len(segs))] {
			out.Segments = append(out.Segments, api.SegmentShown{Segment: *g, Turns: len(g.Turns()), Time: g.Until()})
			from = append(from, memory.Provenance{SessionID: g.Full.SessionID, NodeIDs: []string{g.Full.FromNode}})
		}
	})
	if err != nil {
		return api.Tags{}, err
	}
	for i, p := range from {
		out.Segments[i].Turn = d.turnOf(p.SessionID, p.NodeIDs[0])
	}
	out.Missing = d.missingOf(from)
	return out, nil
}

func tagShown(t recall.TagInfo) api.TagShown {
	out := api.TagShown{Tag: *t.Tag, Names: t.Names, Parts: t.Parts, Summary: t.Summary, Segments: t.Segments, Turns: t.Turns, Sessions: t.Sessions}
	if out.Names == nil {
		out.Names = []string{}
	}
	if out.Parts == nil {
		out.Parts = []string{}
	}
	return out
}

// unknownTag is the error for a name that the vocabulary does not know, with what it may have meant.
func unknownTag(s *memory.State, v memory.View, name string) error {
	e := notFound("no tag is called %s; dormouse tags lists them", name)
	if near := recall.TagsNear(s, v, name); len(near) > 0 {
		return &api.Error{Code: api.CodeAmbiguous, Message: "no tag is called " + name + "; there are names like it", Candidates: near}
	}
	return e
}

// taggedIDs are the documents that are about the tags which a name stands for; nil without a name.
func (d *Daemon) taggedIDs(v memory.View, name string) (ids []string, err error) {
	if name == "" {
		return nil, nil
	}
	var filed recall.Filed
	d.served(func(s *memory.State) {
		keys := recall.TagsNamed(s, v, name)
		if len(keys) == 0 {
			err = unknownTag(s, v, name)
			return
		}
		filed = recall.FiledUnder(s, keys)
	})
	if err != nil {
		return nil, err
	}
	return filed.IDs(d.index, d.turnOf)
}
