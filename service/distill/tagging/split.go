package tagging

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Verdict says whether a tag covers too much, and why it does or does not.
type Verdict struct {
	Tag    string
	Split  bool
	Parts  []string // tags, the largest first; none where it is not split
	Reason string   // in words for people; never empty
}

// The measures of a tag that covers too much.
const (
	manyUses  = 40 // fewer uses are no burden, whatever their share
	broad     = 35 // hundredths of the project's turns
	partShare = 12 // hundredths of the tag's uses that a part has at least
	partsMust = 55 // hundredths of the tag's uses that all parts cover together
	maxParts  = 6
)

// Judge looks at the uses of a tag, each the tags of one turn, and says whether the tag is to fall into parts. total is the number
// of tagged turns of the project.
func Judge(tag string, uses [][]string, total int) Verdict {
	v := Verdict{Tag: tag}
	share := 100 * len(uses) / max(1, total)
	switch {
	case len(uses) < manyUses:
		v.Reason = fmt.Sprintf("it is used %d times, and below %d a tag is no burden", len(uses), manyUses)
		return v
	case share < broad:
		v.Reason = fmt.Sprintf("it covers %d %% of the turns, and up to %d %% a tag still tells turns apart", share, broad)
		return v
	}
	with := map[string]int{}
	for _, tags := range uses {
		for _, t := range tags {
			if t != tag {
				with[t]++
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(with), func(a, b string) int { return cmp.Or(cmp.Compare(with[b], with[a]), cmp.Compare(a, b)) })
	for _, t := range names {
		if 100*with[t] >= partShare*len(uses) && len(v.Parts) < maxParts {
			v.Parts = append(v.Parts, t)
		}
	}
	covered := 0
	for _, tags := range uses {
		if slices.ContainsFunc(tags, func(t string) bool { return slices.Contains(v.Parts, t) }) {
			covered++
		}
	}
	if len(v.Parts) < 2 || 100*covered < partsMust*len(uses) {
		v.Reason = fmt.Sprintf("it covers %d %% of the turns, but no two other tags divide them: the %d largest cover %d %%", share, len(v.Parts), 100*covered/len(uses))
		v.Parts = nil
		return v
	}
	v.Split = true
	v.Reason = fmt.Sprintf("it covers %d %% of the turns, and %d other tags divide %d %% of them", share, len(v.Parts), 100*covered/len(uses))
	return v
}
