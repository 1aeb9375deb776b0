package distill

import (
	"slices"
	"strings"

	"dormouse/service/distill/alias"
	"dormouse/service/distill/tagging"
	"dormouse/store/memory"
)

// miscTag is the primary tag of a turn whose subject no rule tells.
const miscTag = "misc"

// maxSegment is how long the summary of a segment is at most, in bytes.
const maxSegment = 400

// offerTags proposes the tags of a turn, the names that it states to be one, and the segment that sums it up by the lines that are
// remembered of it.
func (w *walk) offerTags(r *reconciler, f *turnFound, lines []string) {
	ex := &f.ex
	for _, s := range ex.SameTags {
		p := w.provenance([]string{s.node}, ex.Full.at, nil, r.now)
		r.sameTag(s, p)
	}
	if len(lines) == 0 || ex.Full.from == "" {
		return
	}
	p := w.provenance([]string{ex.Full.from}, ex.Full.at, nil, r.now)
	scope := memory.ProjectScope(p.ProjectID)
	var ids []string
	r.counts.TagHits += ex.TagHits
	for _, said := range ex.Tags {
		name := r.tagName(scope, said)
		if name != said {
			r.counts.TagHits++
		}
		if id := memory.TagID(name); !slices.Contains(ids, id) && r.tag(&memory.Tag{ID: id, Name: name, Scope: scope, Provenance: p}) {
			ids = append(ids, id)
		}
	}
	primary := memory.TagID(miscTag)
	if len(ids) > 0 {
		primary = ids[0]
	}
	summary := joinLines(lines, maxSegment)
	seg := &memory.Segment{Tags: slices.Sorted(slices.Values(ids)), PrimaryTag: primary, Summary: summary, Scope: scope, MadeBy: r.maker(),
		Full:  memory.Span{SessionID: p.SessionID, FromNode: ex.Full.from, ToNode: ex.Full.to},
		Ratio: ratio(len(summary), ex.Full.bytes)}
	r.segment(seg, p)
}

// maker is what makes summaries: the rules, or a model.
func (r *reconciler) maker() string {
	if m := strings.TrimSpace(strings.TrimPrefix(r.model, "model ")); m != "" {
		return m
	}
	return Extractor
}

// ratio is bytes of the summary per byte of the full text, in ten-thousandths, so that every machine writes the same digits.
func ratio(summary, full int) float64 { return float64(10000*summary/max(1, full)) / 10000 }

// joinLines are lines as one text, as many as fit whole.
func joinLines(lines []string, room int) string {
	out := ""
	for _, l := range lines {
		if out != "" && len(out)+2+len(l) > room {
			break
		}
		if out != "" {
			out += "; "
		}
		out += l
	}
	return out
}

func (r *reconciler) segment(s *memory.Segment, p memory.Provenance) {
	claim := memory.SegmentClaim(s)
	s.ID = memory.SegmentID(claim)
	if r.barred(claim) || r.state.Segments[s.ID] != nil || r.batch.Segments[s.ID] != nil {
		return
	}
	r.counts.Segments++
	r.add(memory.RecordSegment, claim, s.ID, s.Scope, s, p.EventTime, "rule: a turn with something to remember")
}

// repointTags is repoint for segments and tags.
func (r *reconciler) repointTags(moved func(memory.Provenance) (memory.Provenance, bool)) {
	for _, s := range r.state.SegmentList() {
		c := *s
		p, ok := moved(memory.Provenance{SessionID: s.Full.SessionID, NodeIDs: []string{s.Full.FromNode, s.Full.ToNode}})
		if c.Full.SessionID = p.SessionID; ok {
			r.edit(memory.RecordSegment, r.state.ClaimOf(s), s.ID, s.Scope, s, &c, nil)
		}
	}
	for _, t := range r.state.TagList() {
		c := *t
		p, ok := moved(t.Provenance)
		if c.Provenance = p; ok {
			r.edit(memory.RecordTag, r.state.ClaimOf(t), t.ID, t.Scope, t, &c, p.EventTime)
		}
	}
}

// tagName is the tag that a name stands for by a decision of the project; the name itself where there is none.
func (r *reconciler) tagName(scope memory.Scope, name string) string {
	for _, s := range []*memory.State{r.batch, r.state} {
		for _, a := range s.TagAliases {
			if a.Scope == scope && a.SessionID == "" && a.SupersededBy == "" && a.Alias == name && len(a.Tags) == 1 {
				return strings.TrimPrefix(a.Tags[0], memory.TypeTag+".")
			}
		}
	}
	return name
}

// tag proposes a word of the vocabulary; false where it is refused or forgotten. What is spelt nearly like a word that is there is
// a suggestion that waits for the person.
func (r *reconciler) tag(t *memory.Tag) bool {
	claim := memory.TagClaim(t)
	if r.barred(claim) {
		return false
	}
	key := memory.Key{Scope: t.Scope, ID: t.ID}
	for _, s := range []*memory.State{r.state, r.batch} {
		if old := s.Tags[key]; old != nil && t.Provenance.Compare(old.Provenance) >= 0 {
			return true
		}
	}
	fresh := r.state.Tags[key] == nil && r.batch.Tags[key] == nil
	r.add(memory.RecordTag, claim, t.ID, t.Scope, t, t.Provenance.EventTime, "rule: seen in a turn")
	if fresh {
		r.counts.Tags++
		r.nearTags(t)
	}
	return true
}

// nearTags suggests to join a new tag with those that are spelt nearly like it.
func (r *reconciler) nearTags(t *memory.Tag) {
	seen := map[string]bool{t.ID: true}
	for _, s := range []*memory.State{r.batch, r.state} {
		for _, o := range s.TagList() {
			if o.Scope != t.Scope || seen[o.ID] {
				continue
			}
			seen[o.ID] = true
			if why := nearTag(t.Name, o.Name); why != "" {
				a, b := t, o
				if a.ID < b.ID {
					a, b = b, a
				}
				r.suggest(memory.Decision{Action: memory.ActionMerge, Reason: "rule: " + why + ", which a person has to decide on", EventDate: t.Provenance.EventTime,
					Proposal: memory.Proposal{Kind: memory.RecordTag, ClaimKey: memory.TagClaim(a), RecordID: a.ID, Scope: a.Scope, By: b.ID}})
			}
		}
	}
}

func nearTag(a, b string) string {
	if alias.Misspelt(a, b) {
		return "their names differ in one letter"
	}
	if v := alias.Compare(a, b); v.Degree >= alias.Near {
		return v.Reason
	}
	return ""
}

// suggest writes a suggestion, once, unless the person declined it.
func (r *reconciler) suggest(d memory.Decision) {
	d.Proposal.Candidate = true
	what := memory.Suggested(&d)
	for _, m := range []map[memory.Suggestion]string{r.state.Declined, r.state.Suggestions, r.batch.Suggestions} {
		if _, there := m[what]; there {
			return
		}
	}
	r.counts.Candidates++
	r.decide(d)
}

// sameTag notes that a session calls two names one. What two sessions say becomes the project's.
func (r *reconciler) sameTag(s sameTag, p memory.Provenance) {
	a := &memory.TagAlias{Alias: s.name, Tags: []string{memory.TagID(s.tag)}, SessionID: memory.Ref(p.SessionID), Reason: "stated",
		Provenance: p, Scope: memory.ProjectScope(p.ProjectID)}
	r.tagAlias(a, "rule: a session calls "+s.name+" and "+s.tag+" one")
	if !r.agreed(a) {
		return
	}
	all := *a
	all.SessionID, all.Reason = "", "synonym"
	r.tagAlias(&all, "rule: two sessions call "+s.name+" and "+s.tag+" one")
}

func (r *reconciler) tagAlias(a *memory.TagAlias, reason string) {
	claim := memory.TagAliasClaim(a)
	a.ID = memory.TagAliasID(claim)
	if r.barred(claim) || r.state.TagAliases[a.ID] != nil || r.batch.TagAliases[a.ID] != nil {
		return
	}
	r.add(memory.RecordTagAlias, claim, a.ID, a.Scope, a, a.Provenance.EventTime, reason)
}

// agreed reports whether another session says the same.
func (r *reconciler) agreed(a *memory.TagAlias) bool {
	for _, s := range []*memory.State{r.state, r.batch} {
		for _, o := range s.TagAliases {
			if o.Scope == a.Scope && o.SessionID != "" && o.SessionID != a.SessionID && o.Alias == a.Alias && slices.Equal(o.Tags, a.Tags) {
				return true
			}
		}
	}
	return false
}

// tagUses are the tags of each segment of a scope, by the names that stand for them now, and the segments themselves by tag.
func tagUses(s *memory.State, scope memory.Scope) (uses map[string][][]string, of map[string][]*memory.Segment, total int) {
	uses, of = map[string][][]string{}, map[string][]*memory.Segment{}
	for _, seg := range s.SegmentList() {
		if seg.Scope != scope || len(seg.Tags) == 0 {
			continue
		}
		total++
		var names []string
		for _, id := range seg.Tags {
			id = s.MergedInto(memory.RecordRef{Kind: memory.RecordTag, Scope: scope, ID: id})
			names = append(names, strings.TrimPrefix(id, memory.TypeTag+"."))
		}
		slices.Sort(names)
		for _, n := range slices.Compact(names) {
			uses[n] = append(uses[n], names)
			of[n] = append(of[n], seg)
		}
	}
	return uses, of, total
}

// tend looks after the vocabulary of each project once its turns were dealt with: it judges the tags that cover much, and draws up
// the summaries of those that grew.
func (r *reconciler) tend() {
	scopes := map[memory.Scope]bool{}
	for _, t := range r.state.Tags {
		scopes[t.Scope] = true
	}
	for _, scope := range sortedScopes(scopes) {
		uses, of, total := tagUses(r.state, scope)
		for _, t := range r.state.TagList() {
			if t.Scope != scope || t.SupersededBy != "" || len(of[t.Name]) == 0 {
				continue
			}
			if n := len(uses[t.Name]); n >= judgedFrom && 100*n >= judgedShare*total {
				r.verdict(t, tagging.Judge(t.Name, uses[t.Name], total))
			}
			r.summariseTag(t, of[t.Name])
		}
	}
}

// Tags with fewer uses, or a smaller share of the turns in hundredths, are not judged, and no line is written for them.
const (
	judgedFrom  = 40
	judgedShare = 35
)

func sortedScopes(m map[memory.Scope]bool) []memory.Scope {
	out := make([]memory.Scope, 0, len(m))
	for s := range m {
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

// verdict writes what was found of a tag that covers much: a suggestion to split it, which waits for the person, or a no with its
// reason, each once.
func (r *reconciler) verdict(t *memory.Tag, v tagging.Verdict) {
	d := memory.Decision{Action: memory.ActionSplit, Reason: "rule: " + v.Reason, EventDate: t.Provenance.EventTime,
		Proposal: memory.Proposal{Kind: memory.RecordTag, ClaimKey: memory.TagClaim(t), RecordID: t.ID, Scope: t.Scope}}
	if len(r.state.SplitInto(t.Ref())) > 0 {
		return
	}
	if !v.Split {
		if _, said := r.state.Declined[memory.Suggested(&d)]; said {
			return
		}
		d.By, d.PolicyVersion, d.ObservedAt = memory.ByRule, memory.PolicyVersion, r.now
		r.counts.Refused++
		r.out = append(r.out, d)
		return
	}
	for _, p := range v.Parts {
		d.Proposal.Parts = append(d.Proposal.Parts, memory.TagID(p))
	}
	slices.Sort(d.Proposal.Parts)
	for s := range r.state.Suggestions {
		if s.Action == memory.ActionSplit && s.Record == t.Ref() {
			return // one waits already
		}
	}
	r.suggest(d)
}
