package distill

import (
	"maps"
	"regexp"

	"dormouse/service/distill/tagging"
)

// fullText is the whole turn on the main conversation: its first and last node, and how many bytes were said and done in it.
type fullText struct {
	from, to string
	bytes    int
	at       *int64 // of the first node
}

// sameTag is a statement that two names are one tag's, in canonical form, and the node that makes it.
type sameTag struct{ name, tag, node string }

var scopeRE = regexp.MustCompile(`^(?:feat|fix|chore|docs|refactor|tests?|perf|build|ci|style|revert)\(([^)]{2,40})\)!?:`)

// addTags tags a turn in which something is worth remembering, and hands on what the branch has been about.
func (s *scan) addTags(ex *Extraction, picked []Draft) {
	same := s.turn.Prior.SameTags
	for _, e := range s.equal {
		name, tag := tagging.Canonical(e.Other), tagging.Canonical(e.Name)
		if name == "" || tag == "" || name == tag || len(same) >= maxParts || same[name] == tag {
			continue
		}
		if same = maps.Clone(same); same == nil {
			same = map[string]string{}
		}
		same[name] = tag
		ex.SameTags = append(ex.SameTags, sameTag{name, tag, s.nodes[e.node].ID})
	}
	ex.Next.SameTags = same
	ex.Full = s.full()
	e := tagging.Evidence{Project: []string{s.turn.Project.Name, base(s.turn.Project.Root)}}
	for _, f := range s.edited() {
		e.Files = append(e.Files, f.path)
	}
	for _, a := range s.acts {
		if m := scopeRE.FindStringSubmatch(a.text); a.what == "commit" && m != nil {
			e.Scopes = append(e.Scopes, m[1])
		}
		if a.what == "install" {
			e.Libraries = append(e.Libraries, a.id)
		}
	}
	for _, d := range picked {
		e.Lines = append(e.Lines, d.Summary)
	}
	ex.About = e
}

func (s *scan) full() fullText {
	f := fullText{from: s.nodes[0].ID, to: s.nodes[len(s.nodes)-1].ID}
	for i := range s.nodes {
		n := &s.nodes[i]
		f.bytes += len(n.Output) + len(n.Input)
		if f.at == nil && n.CreatedAt != 0 {
			at := n.CreatedAt
			f.at = &at
		}
	}
	return f
}
