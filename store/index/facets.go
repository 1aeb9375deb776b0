package index

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"dormouse/store/memory"
)

// facets says which documents of a segment have a property: the scope, the kind, the session, the project, superseded.
type facets map[string]*roaring.Bitmap

const superseded = "x"

func scopeFacet(s memory.Scope) string   { return "s:" + string(s) }
func kindFacet(k Kind) string            { return "k:" + string(k) }
func sessionFacet(session string) string { return "n:" + session }
func projectFacet(project string) string { return "p:" + project }

// facetsOf names the properties of a document.
func facetsOf(d *Doc) []string {
	out := []string{scopeFacet(d.Scope), kindFacet(d.Kind)}
	if d.Session != "" {
		out = append(out, sessionFacet(d.Session))
	}
	if d.Project != "" {
		out = append(out, projectFacet(d.Project))
	}
	if d.Superseded {
		out = append(out, superseded)
	}
	return out
}

func (f facets) add(name string, local uint32) {
	b := f[name]
	if b == nil {
		b = roaring.New()
		f[name] = b
	}
	b.Add(local)
}

func (f facets) encode() ([]byte, error) {
	out := binary.AppendUvarint(nil, uint64(len(f)))
	for _, name := range slices.Sorted(maps.Keys(f)) {
		b := f[name]
		b.RunOptimize()
		raw, err := b.ToBytes()
		if err != nil {
			return nil, fmt.Errorf("write the documents of %s: %w", name, err)
		}
		out = binary.AppendUvarint(out, uint64(len(name)))
		out = append(out, name...)
		out = binary.AppendUvarint(out, uint64(len(raw)))
		out = append(out, raw...)
	}
	return out, nil
}

func decodeFacets(buf []byte) (facets, error) {
	r := reader{buf: buf}
	n := r.uvarint()
	out := facets{}
	for range n {
		name := r.string()
		raw := r.bytes(r.uvarint())
		if r.bad {
			return nil, errCorrupt
		}
		b, err := decodeBitmap(raw)
		if err != nil {
			return nil, err
		}
		out[name] = b
	}
	return out, nil
}

func decodeBitmap(raw []byte) (*roaring.Bitmap, error) {
	b := roaring.New()
	if err := b.UnmarshalBinary(raw); err != nil {
		return nil, fmt.Errorf("%w: bitmap: %w", errCorrupt, err)
	}
	return b, nil
}
