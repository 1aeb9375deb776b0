package index

import (
	"encoding/binary"
	"fmt"

	"dormouse/store/memory"
)

// encode writes a document: its texts with their lengths, its numbers, one flag.
func encode(d *Doc) []byte {
	out := make([]byte, 0, len(d.Title)+len(d.Body)+len(d.Path)+256)
	for _, s := range []string{d.ID, string(d.Kind), string(d.Scope), d.Project, d.Session, d.Label, string(d.Trust), d.Title, d.Body, d.Path} {
		out = binary.AppendUvarint(out, uint64(len(s)))
		out = append(out, s...)
	}
	out = binary.AppendVarint(out, int64(d.Turn))
	out = binary.AppendVarint(out, d.Time)
	flag := uint64(0)
	if d.Superseded {
		flag = 1
	}
	out = binary.AppendUvarint(out, flag)
	for _, list := range [][]string{d.Nodes, d.Names} {
		out = binary.AppendUvarint(out, uint64(len(list)))
		for _, s := range list {
			out = binary.AppendUvarint(out, uint64(len(s)))
			out = append(out, s...)
		}
	}
	return out
}

func decode(buf []byte) (Doc, error) {
	r := reader{buf: buf}
	d := Doc{
		ID: r.string(), Kind: Kind(r.string()), Scope: memory.Scope(r.string()), Project: r.string(), Session: r.string(),
		Label: r.string(), Trust: memory.Trust(r.string()), Title: r.string(), Body: r.string(), Path: r.string(),
		Turn: int(r.varint()), Time: r.varint(), Superseded: r.uvarint() == 1,
	}
	for _, list := range []*[]string{&d.Nodes, &d.Names} {
		for n := r.uvarint(); n > 0 && !r.bad; n-- {
			*list = append(*list, r.string())
		}
	}
	if r.bad || len(r.buf) > 0 {
		return Doc{}, fmt.Errorf("%w: document", errCorrupt)
	}
	return d, nil
}
