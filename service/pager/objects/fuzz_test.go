package objects

import (
	"encoding/json"
	"testing"

	"dormouse/service/pager"
)

// FuzzEveryByteIsInOneObject feeds conversations of any kind: calls without results, results without calls, ids twice, bytes that are no
// text. Each byte of each block is in exactly one object, refused or left out; nothing is related to what is not there.
func FuzzEveryByteIsInOneObject(f *testing.F) {
	f.Add([]byte("uhello world\x00c1Read\x00r1package a\x00adone"))
	f.Add([]byte("r9orphan\x00c1Bash\x00c1Bash\x00r1\xff\xfe\x00r1again\x00q\x00o\x00u now let's go\x00cXTodoWrite"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var msgs []Message
		m := Message{}
		for len(data) > 0 {
			n := 0
			for n < len(data) && data[n] != 0 {
				n++
			}
			piece := data[:n]
			data = data[min(len(data), n+1):]
			if len(piece) == 0 {
				continue
			}
			b, r := pager.Block{Kind: pager.Text, Text: string(piece[1:])}, Ref{}
			user := false
			switch piece[0] {
			case 'u':
				user = true
			case 'c':
				b = pager.Block{Kind: pager.Call, ID: string(piece[1:min(2, len(piece))]), Tool: string(piece[min(2, len(piece)):]), Input: json.RawMessage(`{"file_path":"` + string(piece) + `","command":"ls"}`)}
			case 'r':
				user = true
				b = pager.Block{Kind: pager.Result, ID: string(piece[1:min(2, len(piece))]), Text: string(piece)}
			case 'q':
				r.Quiet = true
			case 's':
				user, r.Summary = true, true
			case 'o':
				b.Kind = pager.Other
			}
			if user != m.User && len(m.Blocks) > 0 {
				msgs, m = append(msgs, m), Message{}
			}
			m.User = user
			m.put(b, r)
		}
		msgs = append(msgs, m)
		o := Default()
		o.Embed, o.Every, o.Split, o.Admit = words, 1, 100, len(msgs)%2 == 0
		s := New(o, "")
		for _, m := range msgs {
			s.Add(m)
		}
		v := s.View(nil)
		in := make([]int, len(s.blocks))
		ids := map[string]bool{}
		for _, x := range v.Objects {
			if ids[x.ID] {
				t.Fatalf("the id %s twice", x.ID)
			}
			ids[x.ID] = true
			bytes := 0
			for _, p := range x.Parts {
				in[p.Block] += p.To - p.From
				bytes += p.To - p.From
			}
			if bytes != x.Bytes || len(x.Text()) != bytes+len(x.Parts)-1 {
				t.Fatalf("%+v has %d bytes", x, bytes)
			}
		}
		for _, r := range v.Refused {
			for _, p := range r.Parts {
				in[p.Block] += p.To - p.From
			}
		}
		left := 0
		for i := range s.blocks {
			switch n := s.blocks[i].size(); {
			case in[i] == n && n > 0:
			case in[i] == 0:
				left++
			default:
				t.Fatalf("block %d of %d bytes is in objects with %d", i, n, in[i])
			}
		}
		if l := v.Stats.Left; left > l.Quiet+l.Other+l.Empty+empties(s) {
			t.Fatalf("%d blocks are nowhere, counted %+v", left, l)
		}
		for _, r := range v.Relations {
			if !ids[r.From] || !ids[r.To] || r.From == r.To {
				t.Fatalf("%+v is between what is not there", r)
			}
		}
	})
}

// empties are results without a byte, which are in their call's object with nothing.
func empties(s *Store) (n int) {
	for i := range s.blocks {
		if s.blocks[i].Kind == pager.Result && s.blocks[i].size() == 0 {
			n++
		}
	}
	return n
}
