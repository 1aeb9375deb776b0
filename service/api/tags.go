package api

import (
	"net/url"

	"dormouse/store/memory"
)

// PathTags lists the tags of a vocabulary, and what is filed under one.
const PathTags = "/v1/tags" // ?tag=&project=&limit=&for=

// TagQuery asks for tags; empty fields do not filter.
type TagQuery struct {
	Tag     string // a name of a tag: its own, an older one, an alias, in any form
	Project string // id or name
	Limit   int    // of tags, or of the segments of a tag
	For     string // see For
}

// Values are the query's parameters in a request.
func (q TagQuery) Values() url.Values {
	return values("tag", q.Tag, "project", q.Project, "limit", number(int64(q.Limit)), "for", q.For)
}

// Tags are tags, those of most turns first. Where one was asked for, these are all that its name stands for, and Segments are what is
// filed under them, the newest first.
type Tags struct {
	Tags     []TagShown     `json:"tags"`
	Total    int            `json:"total"` // of what the limit cuts
	Segments []SegmentShown `json:"segments"`
	// Missing holds, by session id, why pointers into a session lead nowhere.
	Missing map[string]string `json:"missing,omitempty"`
}

// TagShown is a tag and how it is used.
type TagShown struct {
	Tag      memory.Tag         `json:"tag"`
	Names    []string           `json:"names"` // by which it is found, too
	Parts    []string           `json:"parts"` // of a tag that was split
	Summary  *memory.TagSummary `json:"summary"`
	Segments int                `json:"segments"`
	Turns    int                `json:"turns"`
	Sessions int                `json:"sessions"`
}

// SegmentShown is a segment and where it is opened.
type SegmentShown struct {
	Segment memory.Segment `json:"segment"`
	Turn    int            `json:"turn,omitempty"` // its first one, from 1; 0 where it is not known
	Turns   int            `json:"turns"`          // how many it sums up
	Time    *int64         `json:"time"`           // of its newest turn
}
