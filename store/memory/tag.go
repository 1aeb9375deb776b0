package memory

import (
	"cmp"
	"slices"
)

// Tag is one word of a project's vocabulary: a line of tags/vocabulary.jsonl. Its id is unique within its scope.
type Tag struct {
	ID           string     `json:"id"` // "tag.<slug>"
	Name         string     `json:"name"`
	Description  string     `json:"description"`
	Provenance   Provenance `json:"provenance"` // of its first use
	Scope        Scope      `json:"scope"`
	SupersededBy Ref        `json:"superseded_by"`
	Extra        Extra      `json:"-"`
}

// TypeTag is the first part of a tag's id.
const TypeTag = "tag"

// TagID is "tag.<slug>".
func TagID(name string) string { return EntityID(TypeTag, name) }

// TagAlias is another name of one tag, or of the parts into which a tag was split: a line of tags/aliases.jsonl. What was
// filed under the name is found by it as before.
type TagAlias struct {
	ID    string   `json:"id"`
	Alias string   `json:"alias"`
	Tags  []string `json:"tags"` // ids, sorted
	// SessionID is the session in which alone the alias holds; null where it is the project's. It becomes the project's by a
	// decision only: two sessions agree, or the person.
	SessionID    Ref        `json:"session_id"`
	Reason       string     `json:"reason"` // synonym, spelling, plural, split, stated
	Provenance   Provenance `json:"provenance"`
	Scope        Scope      `json:"scope"`
	SupersededBy Ref        `json:"superseded_by"`
	Extra        Extra      `json:"-"`
}

// TagSummary is the rolling summary of what was filed under a tag: a line of tags/summaries.jsonl. It names the turns that it
// covers and where it stops.
type TagSummary struct {
	ID      string `json:"id"`
	Tag     string `json:"tag"` // id
	Summary string `json:"summary"`
	Covers  []Turn `json:"covers"` // sorted by session and turn
	// CoversThrough is the time of the newest turn that it covers; null where none has a known time.
	CoversThrough *int64     `json:"covers_through"`
	MadeBy        string     `json:"made_by"`
	Provenance    Provenance `json:"provenance"`
	Scope         Scope      `json:"scope"`
	SupersededBy  Ref        `json:"superseded_by"`
	// From stands in the log alone: the ids of the records that a model made the text of. It counts while all of them are there.
	From  []string `json:"from,omitempty"`
	Extra Extra    `json:"-"`

	from []string
}

// Turn names one turn of a session by its first node.
type Turn struct {
	SessionID string `json:"session_id"`
	NodeID    string `json:"node_id"`
}

// TagClaim is the claim key of a tag: it exists in its scope.
func TagClaim(t *Tag) ClaimKey { return claim(string(t.Scope), "tag", t.ID) }

// TagAliasClaim is the claim key of an alias: what it stands for, and where.
func TagAliasClaim(a *TagAlias) ClaimKey {
	tags := slices.Sorted(slices.Values(a.Tags))
	return claim(append([]string{string(a.Scope), "tag_alias", fold(a.Alias), string(a.SessionID)}, tags...)...)
}

// TagAliasID derives an alias's id from its claim key.
func TagAliasID(key ClaimKey) string { return "ta_" + digest(12, "tag_alias", string(key)) }

// TagSummaryClaim is the claim key of a tag's summary: each tag has one.
func TagSummaryClaim(t *TagSummary) ClaimKey { return claim(string(t.Scope), "tag_summary", t.Tag) }

// TagSummaryID derives a tag summary's id from its claim key.
func TagSummaryID(key ClaimKey) string { return "ts_" + digest(12, "tag_summary", string(key)) }

type (
	plainTag        Tag
	plainTagAlias   TagAlias
	plainTagSummary TagSummary
)

var (
	tagFields        = fieldNames(Tag{})
	tagAliasFields   = fieldNames(TagAlias{})
	tagSummaryFields = fieldNames(TagSummary{})
)

// MarshalJSON writes the known fields in their order, then the unknown ones.
func (t Tag) MarshalJSON() ([]byte, error) {
	t.Provenance.NodeIDs = orEmpty(t.Provenance.NodeIDs)
	return encodeWith(plainTag(t), t.Extra)
}

// UnmarshalJSON keeps unknown fields in Extra.
func (t *Tag) UnmarshalJSON(b []byte) (err error) {
	t.Extra, err = decodeWith(b, (*plainTag)(t), tagFields)
	return err
}

// MarshalJSON writes the known fields in their order, then the unknown ones.
func (a TagAlias) MarshalJSON() ([]byte, error) {
	a.Tags = orEmpty(a.Tags)
	a.Provenance.NodeIDs = orEmpty(a.Provenance.NodeIDs)
	return encodeWith(plainTagAlias(a), a.Extra)
}

// UnmarshalJSON keeps unknown fields in Extra.
func (a *TagAlias) UnmarshalJSON(b []byte) (err error) {
	a.Extra, err = decodeWith(b, (*plainTagAlias)(a), tagAliasFields)
	return err
}

// MarshalJSON writes the known fields in their order, then the unknown ones.
func (t TagSummary) MarshalJSON() ([]byte, error) {
	if t.Covers == nil {
		t.Covers = []Turn{}
	}
	t.Provenance.NodeIDs = orEmpty(t.Provenance.NodeIDs)
	return encodeWith(plainTagSummary(t), t.Extra)
}

// UnmarshalJSON keeps unknown fields in Extra.
func (t *TagSummary) UnmarshalJSON(b []byte) (err error) {
	t.Extra, err = decodeWith(b, (*plainTagSummary)(t), tagSummaryFields)
	return err
}

// joinTags merges b into a; the name is that of the earlier sighting.
func joinTags(a, b *Tag) {
	if cmp.Or(b.Provenance.Compare(a.Provenance), cmp.Compare(b.Name, a.Name)) < 0 {
		a.Name = b.Name
	}
	a.Description = max(a.Description, b.Description)
	a.Provenance = joinProvenance(a.Provenance, b.Provenance)
	a.SupersededBy = max(a.SupersededBy, b.SupersededBy)
	a.Extra = joinExtra(a.Extra, b.Extra)
}

func joinTagAliases(a, b *TagAlias) {
	a.Alias, a.Reason = max(a.Alias, b.Alias), max(a.Reason, b.Reason)
	a.Tags = union(a.Tags, b.Tags)
	a.Provenance = joinProvenance(a.Provenance, b.Provenance)
	a.SupersededBy = max(a.SupersededBy, b.SupersededBy)
	a.Extra = joinExtra(a.Extra, b.Extra)
}

// joinTagSummaries keeps the summary that covers more, and of equal ones the greater text: what a summary covers is told of
// its own text, so that two cannot be mixed.
func joinTagSummaries(a, b *TagSummary) {
	from, extra := joinProvenance(a.Provenance, b.Provenance), joinExtra(a.Extra, b.Extra)
	if cmp.Or(cmp.Compare(len(b.Covers), len(a.Covers)), compareTurns(b.Covers, a.Covers), cmp.Compare(b.MadeBy, a.MadeBy), cmp.Compare(b.Summary, a.Summary)) > 0 {
		*a = *b
	}
	a.Provenance, a.Extra = from, extra
}

func compareTurns(a, b []Turn) int {
	return slices.CompareFunc(a, b, func(x, y Turn) int {
		return cmp.Or(cmp.Compare(x.SessionID, y.SessionID), cmp.Compare(x.NodeID, y.NodeID))
	})
}
