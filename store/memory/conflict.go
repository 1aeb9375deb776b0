package memory

import (
	"slices"
	"strings"
)

// singleVerbs are those of which a subject has one object at a time.
var singleVerbs = toSet(strings.Fields(`is is-at is-in is-on is-called is-named named lives-in works-at works-for located-at runs-on
listens-on defaults-to default default-branch due deadline owned-by maintained-by version has-version licensed-under written-in deployed-to
hosted-on released-as migrated-to replaced-by`))

// SingleValued reports whether a subject has one object of this verb at a time, so that a second one contradicts the first.
// "uses" and "prefers" are not: somebody may use two things.
func SingleValued(verb string) bool { return singleVerbs[strings.ReplaceAll(fold(verb), " ", "-")] }

// topic is what two facts have to share to be able to contradict each other.
type topic struct {
	scope         Scope
	subject, verb string
}

func topicOf(f *Fact) topic { return topic{f.Scope, fold(f.Subject), fold(f.Verb)} }

// Contradict reports whether two facts cannot hold both: of one scope, subject and verb, in windows that overlap, they name
// different objects of a verb that takes one, or one denies what the other says. That a fact mentions another one's subject
// is no contradiction.
func Contradict(a, b *Fact) bool {
	if topicOf(a) != topicOf(b) || !a.overlaps(b) || ended(a) || ended(b) {
		return false
	}
	x, y := claimObject(a.Object), claimObject(b.Object)
	if x == y {
		return false
	}
	return SingleValued(a.Verb) || strings.TrimPrefix(x, "not ") == strings.TrimPrefix(y, "not ")
}

func ended(f *Fact) bool {
	return f.Status == StatusCeased || f.Status == StatusAbandoned || f.Status == StatusPlanned && f.ValidFrom == nil
}

// Overrules reports whether one of two facts that contradict each other takes the other's place: it was stated later, by
// somebody who is trusted at least as much.
func Overrules(later, earlier *Fact) bool {
	a, b := later.Begins(), earlier.Begins()
	return a != nil && b != nil && *a > *b && later.Trust.Rank() <= earlier.Trust.Rank()
}

// contest finds the facts that contradict another one and overrule it not, nor are overruled: the less trusted of the two is
// contested, of equal ones both. Nothing is decided by that; a person is asked.
func (s *State) contest() {
	clear(s.contested)
	by := map[topic][]*Fact{}
	for _, f := range s.Facts {
		if f.SupersededBy == "" {
			by[topicOf(f)] = append(by[topicOf(f)], f)
		}
	}
	for _, facts := range by {
		for i, f := range facts {
			for _, g := range facts[i+1:] {
				if Contradict(f, g) {
					s.contestPair(f, g)
				}
			}
		}
	}
}

func (s *State) contestPair(f, g *Fact) {
	note := func(f, g *Fact) {
		c := s.contested[f.Ref()]
		c.Reason, c.Contests = "it contradicts another fact, and neither overrules the other", union(c.Contests, []string{g.ID})
		s.contested[f.Ref()] = c
	}
	switch a, b := f.Trust.Rank(), g.Trust.Rank(); {
	case s.Confirmed[f.Ref()] != "" && s.Confirmed[g.Ref()] != "": // the person knows of both
	case s.Confirmed[g.Ref()] != "" || a > b && s.Confirmed[f.Ref()] == "":
		note(f, g)
	case s.Confirmed[f.Ref()] != "" || b > a:
		note(g, f)
	default:
		note(f, g)
		note(g, f)
	}
}

// Topic lists the facts of the same scope, subject and verb as a fact, superseded ones too, by id. The fact itself is not
// among them.
func (s *State) Topic(f *Fact) []*Fact {
	t := topicOf(f)
	var out []*Fact
	for _, g := range s.Facts {
		if g.ID != f.ID && topicOf(g) == t {
			out = append(out, g)
		}
	}
	slices.SortFunc(out, func(a, b *Fact) int { return strings.Compare(a.ID, b.ID) })
	return out
}
