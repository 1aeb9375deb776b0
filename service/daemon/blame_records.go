package daemon

import (
	"cmp"
	"slices"

	"dormouse/service/api"
	"dormouse/store/memory"
)

// records adds the memories that come from the turns of the blocks, and those that name the file under one of its names.
func (x *blamer) records(out *api.Blame, names []string) {
	if out.Project.ID == "" {
		return
	}
	entities, told := map[string]bool{}, map[string]bool{} // names of the file; sessions of the blocks
	for _, n := range names {
		entities["file."+n] = true
	}
	for _, b := range out.Blocks {
		for _, t := range b.Turns {
			told[t.SessionID] = true
		}
	}
	type found struct {
		api.BlameRecord
		from  memory.Provenance
		names bool // the file
	}
	var all []found
	v := view(out.Project.ID)
	x.d.served(func(s *memory.State) {
		for _, e := range s.Events {
			naming := slices.ContainsFunc(e.Entities, func(id string) bool { return entities[id] })
			if v.Sees(e.Scope) && e.SupersededBy == "" && e.Trust != memory.TrustQuoted && (told[e.Provenance.SessionID] || naming) {
				all = append(all, found{api.BlameRecord{ID: e.ID, Kind: e.Kind, Text: e.Summary, Trust: e.Trust}, e.Provenance, naming})
			}
		}
		for _, f := range s.Facts {
			if v.Sees(f.Scope) && f.SupersededBy == "" && f.Trust != memory.TrustQuoted && told[f.Provenance.SessionID] {
				all = append(all, found{api.BlameRecord{ID: f.ID, Kind: kindFact, Text: f.Text(), Trust: f.Trust}, f.Provenance, false})
			}
		}
	})
	type place struct {
		session string
		turn    int
	}
	of, used := map[place][]api.BlameRecord{}, map[string]bool{}
	var naming []api.BlameRecord
	for _, f := range all {
		r := f.BlameRecord
		r.SessionID = f.from.SessionID
		if f.from.EventTime != nil {
			r.Time = *f.from.EventTime
		}
		if len(f.from.NodeIDs) > 0 {
			r.Turn = x.d.turnOf(r.SessionID, f.from.NodeIDs[0])
		}
		of[place{r.SessionID, r.Turn}] = append(of[place{r.SessionID, r.Turn}], r)
		if f.names {
			naming = append(naming, r)
		}
	}
	for i := range out.Blocks {
		b := &out.Blocks[i]
		for _, t := range b.Turns {
			if t.Turn > 0 {
				b.Records = append(b.Records, of[place{t.SessionID, t.Turn}]...)
			}
		}
		b.Records = mostTelling(b.Records)
		for _, r := range b.Records {
			used[r.ID] = true
		}
	}
	out.Records = mostTelling(slices.DeleteFunc(naming, func(r api.BlameRecord) bool { return used[r.ID] }))
}

// kindFact stands for what holds, among the kinds of events.
const kindFact memory.Kind = "fact"

// mostTelling are a few of some records: decisions, then what holds, then findings, then the rest, each the newest first.
func mostTelling(list []api.BlameRecord) []api.BlameRecord {
	rank := map[memory.Kind]int{memory.KindDecision: 0, kindFact: 1, memory.KindLearning: 2, memory.KindWork: 3}
	of := func(k memory.Kind) int {
		if n, ok := rank[k]; ok {
			return n
		}
		return len(rank)
	}
	slices.SortFunc(list, func(a, b api.BlameRecord) int {
		return cmp.Or(cmp.Compare(of(a.Kind), of(b.Kind)), cmp.Compare(b.Time, a.Time), cmp.Compare(a.ID, b.ID))
	})
	return list[:min(len(list), maxBlameRecords)]
}
