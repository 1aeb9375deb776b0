package objects

import (
	"strings"
	"unicode/utf8"
)

// cutParts are an object's blocks in pieces of at most Split tokens. It is cut where its topic shifts most, as far as that is known, and
// between lines; only a line that is too long by itself is cut between characters.
func (s *Store) cutParts(x *segment) (pieces [][]Part) {
	limit := s.o.Split * BytesPerToken
	var piece []Part
	room := limit
	flush := func() {
		if len(piece) > 0 {
			pieces, piece, room = append(pieces, piece), nil, limit
		}
	}
	for _, i := range x.blocks {
		e := &s.blocks[i]
		part := Part{Block: i, Node: e.ref.Node, Turn: e.ref.Turn, To: e.size()}
		if part.To > room && (part.To <= limit || room < limit/2) {
			flush()
		}
		if part.To <= room {
			piece, room = append(piece, part), room-part.To
			continue
		}
		text := e.content()
		for len(text)-part.From > room {
			at := part.From + s.cutAt(text[part.From:part.From+room+1])
			piece = append(piece, Part{Block: i, Node: part.Node, Turn: part.Turn, From: part.From, To: at})
			part.From = at
			flush()
		}
		if part.From < part.To {
			piece, room = append(piece, part), room-(part.To-part.From)
		}
	}
	flush()
	return pieces
}

// maxPlaces is how many places for a cut are compared.
const maxPlaces = 12

// cutAt is where a text is cut whose last byte is one too many: from its middle on, behind an empty line if there is one.
func (s *Store) cutAt(text string) int {
	limit := len(text) - 1
	half := limit / 2
	if places := emptyLines(text[:limit], half); len(places) > 0 {
		return s.shiftsMost(text, places)
	}
	if n := strings.LastIndexByte(text[half:limit], '\n'); n >= 0 {
		return half + n + 1
	}
	at := limit
	for at > half && !utf8.RuneStart(text[at]) {
		at--
	}
	if at <= half { // no text at all
		return limit
	}
	return at
}

// emptyLines are the places behind empty lines, the last of many.
func emptyLines(text string, from int) (out []int) {
	for i := from; ; {
		n := strings.Index(text[i:], "\n\n")
		if n < 0 {
			break
		}
		i += n + 2
		out = append(out, i)
	}
	return out[max(0, len(out)-maxPlaces):]
}

// shiftsMost is the place at which what stands before is least like what stands behind; the last where that is not known.
func (s *Store) shiftsMost(text string, places []int) int {
	best, least := places[len(places)-1], s.o.Topic
	if s.o.Embed == nil {
		return best
	}
	const beside = 1200
	for _, at := range places {
		before, behind := text[max(0, at-beside):at], text[at:min(len(text), at+beside)]
		if near, ok := cosine(s.o.Embed(strings.ToValidUTF8(before, "")), s.o.Embed(strings.ToValidUTF8(behind, ""))); ok && near < least {
			best, least = at, near
		}
	}
	return best
}
