package objects

import (
	"crypto/sha256"
	"encoding/hex"
)

// derived is the id of an object that follows from another one.
func derived(id, what string) string {
	sum := sha256.Sum256([]byte(id + "\x00" + what))
	return "ob_" + hex.EncodeToString(sum[:6])
}

// joins are the types of which neighbours can be one thing. A file, a plan and a decision are each their own.
var joins = map[Type]bool{ToolResult: true, ErrorContext: true, ConversationPhase: true, ExternalReference: true}

// join looks at what came since it was looked at last, and joins neighbours of one type that are alike. The newest object is left
// alone: it may still grow.
func (s *Store) join() {
	s.joined = s.turn
	var before *segment
	for _, x := range s.segs[s.from:max(s.from, len(s.segs)-1)] {
		if len(x.blocks) == 0 || x.refused != "" || x.into != nil {
			continue
		}
		if before != nil && s.alike(before, x) {
			s.merge(before, x)
			continue
		}
		before = x
	}
	s.from = max(s.from, len(s.segs)-1)
}

func (s *Store) alike(a, b *segment) bool {
	if a.kind != b.kind || !joins[a.kind] || a.goal != b.goal || len(a.needs)+len(b.needs) > 0 || (a.size(s)+b.size(s))/BytesPerToken > s.o.Split {
		return false
	}
	if b == s.phase || b == s.debug || s.pending(a) || s.pending(b) { // it goes on
		return false
	}
	if s.o.Embed == nil {
		return a.key != "" && a.key == b.key
	}
	near, ok := cosine(s.vector(a), s.vector(b))
	return ok && near > s.o.Join
}

// pending says whether a call's result is still to come.
func (s *Store) pending(x *segment) bool {
	for _, p := range s.calls {
		if p == x {
			return true
		}
	}
	return false
}

func (s *Store) merge(a, b *segment) {
	for _, i := range b.blocks {
		a.put(s, i)
	}
	b.into, b.blocks = a, nil
	a.also = append(append(a.also, b.id), b.also...)
	if a.key != b.key {
		a.key = ""
	}
}

// whole is the object that an object is now part of.
func (x *segment) whole() *segment {
	for x != nil && x.into != nil {
		x = x.into
	}
	return x
}
