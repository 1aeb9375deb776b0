package distill

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"dormouse/service/distill/alias"
	"dormouse/service/distill/tagging"
	"dormouse/store/memory"
)

func tagIDs(names []string) (ids []string) {
	for _, n := range names {
		if id := memory.TagID(n); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// countHits counts the names that lead to the tag of another name.
func (r *reconciler) countHits(scope memory.Scope, session string, names []string) {
	for _, s := range []*memory.State{r.batch, r.state} {
		for _, a := range s.TagAliases {
			if a.Scope == scope && (a.SessionID == "" || string(a.SessionID) == session) && a.SupersededBy == "" && slices.Contains(names, a.Alias) {
				r.counts.TagHits++
			}
		}
	}
}

// repointTags is repoint for tags.
func (r *reconciler) repointTags(moved func(memory.Provenance) (memory.Provenance, bool)) {
	for _, t := range r.state.TagList() {
		c := *t
		p, ok := moved(t.Provenance)
		if c.Provenance = p; ok {
			r.edit(memory.RecordTag, r.state.ClaimOf(t), t.ID, t.Scope, t, &c, p.EventTime)
		}
	}
}

// vocabulary writes the names that earned it into the vocabulary of their project.
func (r *reconciler) vocabulary() {
	earned := r.state.Earned()
	for _, k := range slices.SortedFunc(maps.Keys(earned), compareKeys) {
		e := earned[k]
		t := &memory.Tag{ID: k.ID, Name: strings.TrimPrefix(k.ID, memory.TypeTag+"."), Scope: k.Scope, Provenance: firstUse(e.First, r.now)}
		r.tag(t, fmt.Sprintf("rule: %d segments of %d sessions worked on it", e.Segments, e.Sessions))
	}
}

// firstUse is the provenance of a tag that a segment is the first to bear out.
func firstUse(g *memory.Segment, now int64) memory.Provenance {
	first := g.Turns()[0]
	project, _ := g.Scope.Project()
	return memory.Provenance{ProjectID: project, SessionID: g.Full.SessionID, NodeIDs: []string{first.Node}, EventTime: first.At, IngestionTime: now}
}

// tag proposes a word of the vocabulary, unless it is there, refused or forgotten. What is spelt nearly like a word that is there is a
// suggestion that waits for the person.
func (r *reconciler) tag(t *memory.Tag, reason string) {
	claim := memory.TagClaim(t)
	old := r.state.Tags[memory.Key{Scope: t.Scope, ID: t.ID}]
	if _, barred := r.state.Barred(claim); barred || old != nil && t.Provenance.Compare(old.Provenance) >= 0 {
		return
	}
	r.add(memory.RecordTag, claim, t.ID, t.Scope, t, t.Provenance.EventTime, reason)
	if old == nil {
		r.counts.Tags++
		r.nearTags(t)
	}
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

// tagUses are the tags of each segment of a scope, by tag.
func tagUses(s *memory.State) (uses map[memory.Key][][]string, total map[memory.Scope]int) {
	uses, total = map[memory.Key][][]string{}, map[memory.Scope]int{}
	for _, g := range s.SegmentList() {
		if len(g.Tags) > 0 {
			total[g.Scope]++
		}
		for _, id := range g.Tags {
			k := memory.Key{Scope: g.Scope, ID: id}
			uses[k] = append(uses[k], g.Tags)
		}
	}
	return uses, total
}

// tend looks after the vocabulary of each project once its turns were dealt with: it takes in what earned it, and judges the tags that
// cover much.
func (r *reconciler) tend() {
	r.vocabulary()
	uses, total := tagUses(r.state)
	for _, t := range r.state.TagList() {
		k := memory.Key{Scope: t.Scope, ID: t.ID}
		if n := len(uses[k]); t.SupersededBy == "" && n >= judgedFrom && 100*n >= judgedShare*total[t.Scope] {
			r.verdict(t, tagging.Judge(t.ID, uses[k], total[t.Scope]))
		}
	}
}

// Tags with fewer uses, or a smaller share of the turns in hundredths, are not judged, and no line is written for them.
const (
	judgedFrom  = 40
	judgedShare = 35
)

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
	d.Proposal.Parts = slices.Sorted(slices.Values(v.Parts))
	for s := range r.state.Suggestions {
		if s.Action == memory.ActionSplit && s.Record == t.Ref() {
			return // one waits already
		}
	}
	r.suggest(d)
}
