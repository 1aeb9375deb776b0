package distill

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"dormouse/store/memory"
)

// entry is what a model is shown of one node.
type entry struct {
	alias   string // by which the model names it: n1, n2 ... Ids of nodes would cost tokens and could be guessed
	node    *memory.Node
	turn    *chunkTurn
	speaker string
	text    string
	line    string // JSON
}

// The speakers, as the model is told them.
const (
	speakerPerson = "person"
	speakerAgent  = "agent"
	speakerTool   = "tool"
)

// chunkTurn is a turn in a chunk.
type chunkTurn struct {
	found   turnFound
	turn    *Turn
	scan    *scan
	entries []*entry
}

// chunk is turns that are shown to a model at once.
type chunk struct {
	turns []*chunkTurn
	bytes int // of all lines
	next  int // number of the next alias
	texts map[*memory.Node]*textOf
	known []string // names of tags that the model was shown
}

// limit is how much of each text is shown, in bytes.
type limit struct{ person, agent, input, output int }

// limits are tried in order until a turn fits.
var limits = []limit{{8000, 6000, 600, 1500}, {6000, 3000, 300, 400}, {3000, 1200, 150, 0}}

// newChunkTurn lays out a turn for a model within room bytes, as far as that can be. Nodes in settled are left out.
func newChunkTurn(f turnFound, t *Turn, settled map[string]bool, clean func(string) (string, error), room int) (*chunkTurn, error) {
	c := &chunkTurn{found: f, turn: t, scan: look(t)}
	for _, l := range limits {
		c.entries = nil
		size := 0
		for i := range c.scan.nodes {
			e := c.show(i, l, settled)
			if e == nil {
				continue
			}
			if clean != nil {
				text, err := clean(e.text)
				if err != nil {
					return nil, fmt.Errorf("take secrets out of node %s: %w", e.node.ID, err)
				}
				e.text = text
			}
			size += len(e.text) + 100
			c.entries = append(c.entries, e)
		}
		if size <= room {
			break
		}
	}
	if !slices.ContainsFunc(c.entries, func(e *entry) bool { return e.speaker != speakerTool }) {
		c.entries = nil // nobody said anything: there is nothing to remember
	}
	return c, nil
}

// show is the entry of a node; nil for one that is not to be read: injected, by the client, a summary, settled, or without text.
func (c *chunkTurn) show(i int, l limit, settled map[string]bool) *entry {
	n := &c.scan.nodes[i]
	e := &entry{node: n, turn: c}
	switch {
	case settled[n.ID]:
		return nil
	case n.Role == memory.RoleUser:
		if n.Metadata.Kind != memory.KindPrompt {
			return nil
		}
		e.speaker, e.text = speakerPerson, ends(n.Output, l.person)
	case n.Role == memory.RoleAssistant:
		e.speaker, e.text = speakerAgent, ends(n.Output, l.agent)
	default:
		c.call(e, i, l)
	}
	if strings.TrimSpace(e.text) == "" {
		return nil
	}
	return e
}

// call shows a tool call, or what the person said to one.
func (c *chunkTurn) call(e *entry, i int, l limit) {
	n := e.node
	if said := c.scan.answered(i, n); len(said) > 0 {
		var words []string
		for _, r := range said {
			words = append(words, r.text)
		}
		e.speaker, e.text = speakerPerson, strings.Join(words, "\n")
		return
	}
	e.speaker = speakerTool
	input := command(n)
	if input == "" {
		input = string(n.Input)
	}
	parts := []string{n.Name + " " + ends(input, l.input)}
	for _, f := range n.Metadata.Edits[:min(len(n.Metadata.Edits), 8)] {
		parts = append(parts, f.Op+" "+relative(f.Path, c.turn.root()))
	}
	if n.Metadata.Status != "" && n.Metadata.Status != memory.StatusOK {
		parts = append(parts, "status "+string(n.Metadata.Status))
	}
	e.text = strings.TrimSpace(strings.Join(append(parts, ends(n.Output, l.output)), "\n"))
}

// ends are a text's start and end, at most n bytes of them, and how much is left out.
func ends(s string, n int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s
	}
	if n < 100 {
		return ""
	}
	return s[:clampRune(s, n*2/3)] + fmt.Sprintf(" [... %d bytes left out ...] ", len(s)-n) + tail(s, n/3)
}

// add takes a turn into the chunk and names its entries.
func (c *chunk) add(t *chunkTurn) error {
	for _, e := range t.entries {
		c.next++
		e.alias = fmt.Sprintf("n%d", c.next)
		raw, err := memory.Encode(struct {
			ID      string `json:"id"`
			Turn    int    `json:"turn"`
			Speaker string `json:"speaker"`
			Text    string `json:"text"`
		}{e.alias, t.turn.N, e.speaker, e.text})
		if err != nil {
			return err
		}
		e.line = string(raw)
		c.bytes += len(e.line) + 1
	}
	c.turns = append(c.turns, t)
	return nil
}

// entries are those of all turns.
func (c *chunk) entries() []*entry {
	var out []*entry
	for _, t := range c.turns {
		out = append(out, t.entries...)
	}
	return out
}

// size is about how many bytes a turn adds.
func (t *chunkTurn) size() int {
	n := 0
	for _, e := range t.entries {
		n += len(e.text) + len(e.text)/20 + 60
	}
	return n
}

// quoted is a text as JSON, to stand among instructions.
func quoted(s string) string {
	raw, err := json.Marshal(oneLine(head(s, 200)))
	if err != nil {
		return `""`
	}
	return string(raw)
}
