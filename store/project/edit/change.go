package edit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"
	"regexp"
	"strings"

	"dormouse/store/memory"
)

// Ops of a change.
const (
	Create = "create"
	Update = "update"
	Delete = "delete"
)

// Change is one edit of one file, as its tool call tells it.
type Change struct {
	Path string // as the call names it
	Op   string
	// Before is the content before the change, where the call shows it.
	Before *string
	// BeforeSum is that content's Sum, also where the content itself is not shown; empty where neither is.
	BeforeSum string
	// Whole is the whole content after it, Replace the pieces that were replaced one after the other, Hunks the places that
	// differ. Each is empty where the call does not show it.
	Whole   *string
	Replace []Replacement
	Hunks   []Hunk
	// Diff is the change for a reader, as the call shows it.
	Diff string
	// Masked reports that a secret was taken out of what the call shows, so that contents are not known.
	Masked bool
}

// Replacement is a piece of text that was replaced: the only one, or all of them.
type Replacement struct {
	Old, New string
	All      bool
}

// placeholder stands where a secret was taken out.
var placeholder = regexp.MustCompile(`\[redacted:[a-z0-9-]{1,40}:[0-9a-f]{6}\]`)

// Of lists the changes of a tool call that did what it was asked for.
func Of(n *memory.Node) []Change {
	if n.Role != memory.RoleTool || n.Metadata.Status != memory.StatusOK && n.Metadata.Status != "" {
		return nil
	}
	var out []Change
	for _, e := range n.Metadata.Edits {
		if e.Path == "" {
			continue
		}
		c := Change{Path: e.Path, Op: e.Op, Before: e.Before, BeforeSum: e.BeforeSum, Diff: e.Diff}
		c.Hunks, _ = ParseHunks(e.Diff)
		c.shownWhole()
		if n.Metadata.Clipped == nil {
			c.arguments(n.Input)
		}
		c.Masked = n.Metadata.Redacted > 0 && c.masked()
		out = append(out, c)
	}
	return out
}

// shownWhole takes a diff of a file that came or went for its content.
func (c *Change) shownWhole() {
	switch whole, ok := added(c.Diff); {
	case c.Op == Create && ok:
		c.Whole, c.Hunks = &whole, nil
	case c.Op == Create && len(c.Hunks) == 1:
		if text, ok := patch("", c.Hunks); ok {
			c.Whole, c.Hunks = &text, nil
		}
	case c.Op == Delete && len(c.Hunks) == 1 && c.Before == nil:
		if text, ok := patch("", flip(c.Hunks)); ok {
			c.Before = &text
		}
	}
}

// Sum names a content: the first 32 hex digits of its SHA-256.
func Sum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// input are the arguments by which agents hand edits to their tools.
type input struct {
	FilePath  string `json:"file_path"`
	FilePath2 string `json:"filePath"`
	replacement
	Content *string       `json:"content"`
	Edits   []replacement `json:"edits"`
}

type replacement struct {
	Old  *string `json:"old_string"`
	Old2 *string `json:"oldString"`
	New  *string `json:"new_string"`
	New2 *string `json:"newString"`
	All  bool    `json:"replace_all"`
	All2 bool    `json:"replaceAll"`
}

func (r *replacement) get() (Replacement, bool) {
	old, now := r.Old, r.New
	if old == nil {
		old = r.Old2
	}
	if now == nil {
		now = r.New2
	}
	if old == nil || now == nil {
		return Replacement{}, false
	}
	return Replacement{Old: *old, New: *now, All: r.All || r.All2}, true
}

// arguments adds what the arguments of a call show of the change of the one file that they name.
func (c *Change) arguments(raw json.RawMessage) {
	var in input
	if len(raw) == 0 || raw[0] != '{' || json.Unmarshal(raw, &in) != nil {
		return
	}
	if named := in.FilePath + in.FilePath2; named == "" || path.Base(slashed(named)) != path.Base(slashed(c.Path)) {
		return
	}
	if one, ok := in.get(); ok {
		c.Replace = []Replacement{one}
	} else {
		for i := range in.Edits {
			one, ok := in.Edits[i].get()
			if !ok {
				c.Replace = nil
				return
			}
			c.Replace = append(c.Replace, one)
		}
	}
	if len(c.Replace) == 0 && in.Content != nil && c.Op != Delete {
		c.Whole = in.Content
	}
}

func slashed(p string) string { return strings.ReplaceAll(p, `\`, "/") }

func (c *Change) masked() bool {
	texts := []string{c.Path, c.Diff}
	for _, t := range []*string{c.Before, c.Whole} {
		if t != nil {
			texts = append(texts, *t)
		}
	}
	for _, r := range c.Replace {
		texts = append(texts, r.Old, r.New)
	}
	for _, t := range texts {
		if placeholder.MatchString(t) {
			return true
		}
	}
	return false
}
