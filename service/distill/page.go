package distill

import (
	"regexp"
	"strings"

	"dormouse/store/memory"
)

// citeRE finds what a page has behind its statements: notes, and names of paragraphs.
var citeRE = regexp.MustCompile(`\[\^[^\]]*\]|(?:\s+\^[\w-]+)+\s*$`)

// bulletRE finds what a page has in front of an item of a list.
var bulletRE = regexp.MustCompile(`^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?`)

// pages are what stands on pages of another program's memory, a line each. Nobody said it here and nothing shows it, so each is a quote
// that waits for the person.
func pages(t *Turn) (out []Draft) {
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Role != memory.RoleUser || n.Metadata.Kind != memory.KindPage {
			continue
		}
		text := oneLine(citeRE.ReplaceAllString(bulletRE.ReplaceAllString(n.Output, ""), ""))
		text = strings.ReplaceAll(text, "**", "")
		if len(strings.Fields(text)) < 2 {
			continue // a word alone says nothing
		}
		d := Draft{Kind: memory.KindLearning, Summary: shorten(text, MaxSummary), Trust: memory.TrustQuoted, Nodes: []string{n.ID}, page: true}
		if at := n.CreatedAt; at > 0 {
			d.At = &at
		}
		out = append(out, d)
	}
	return out
}
