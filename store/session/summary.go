package session

import (
	"encoding/binary"
	"hash/crc32"
	"maps"
	"os"
	"slices"

	"dormouse/store/home"
	"dormouse/store/memory"
)

// The summary is a copy of all meta.json files in one, so that the first list after a start looks at them and does not read them. It
// is derived: each entry is believed while its file has the stamp that it had, and a summary that is damaged counts as none.
//
// It is a signature, the CRC-32C of what follows, the number of entries, and the entries: the key, the stamp, the session's fields in
// their order. Numbers are varints, texts have their lengths before them.
const (
	summarySignature = "DMS1"
	summaryHead      = len(summarySignature) + 4
	maxSummary       = 1 << 30
)

// readSummary reads the summary; nothing where there is none, or none that is whole.
func readSummary(path string) map[string]*knownMeta {
	info, err := os.Stat(path)
	if err != nil || info.Size() > maxSummary {
		return map[string]*knownMeta{}
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return map[string]*knownMeta{}
	}
	return parseSummary(raw)
}

func writeSummary(path string, data []byte) error { return home.WriteFile(path, data) }

func parseSummary(raw []byte) map[string]*knownMeta {
	none := map[string]*knownMeta{}
	if len(raw) < summaryHead || string(raw[:len(summarySignature)]) != summarySignature ||
		crc32.Checksum(raw[summaryHead:], castagnoli) != binary.LittleEndian.Uint32(raw[len(summarySignature):]) {
		return none
	}
	in := summaryReader{text: string(raw[summaryHead:])}
	n := in.number()
	if n < 0 || n > int64(len(in.text)) {
		return none
	}
	all := make([]knownMeta, n)
	out := make(map[string]*knownMeta, n)
	for i := range all {
		k := &all[i]
		key := in.string()
		k.stamp = stamp{size: in.number(), time: in.number(), changed: in.number(), inode: uint64(in.number())}
		fields(&in, &k.meta)
		out[key] = k
	}
	if in.bad || in.text != "" {
		return none
	}
	return out
}

func encodeSummary(all map[string]*knownMeta) []byte {
	w := summaryWriter{raw: make([]byte, 0, len(all)*320)}
	n := int64(len(all))
	w.int64(&n)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		k := *all[key]
		inode := int64(k.stamp.inode)
		w.str(&key)
		for _, v := range []*int64{&k.stamp.size, &k.stamp.time, &k.stamp.changed, &inode} {
			w.int64(v)
		}
		fields(&w, &k.meta)
	}
	return sealed(w.raw)
}

// sealed puts signature and sum before the entries.
func sealed(entries []byte) []byte {
	raw := binary.LittleEndian.AppendUint32([]byte(summarySignature), crc32.Checksum(entries, castagnoli))
	return append(raw, entries...)
}

// coder reads or writes fields.
type coder interface {
	str(*string)
	int64(*int64)
}

// fields passes all fields of a session to a coder, in the order of the file.
func fields(c coder, m *memory.Session) {
	for _, s := range []*string{&m.ID, &m.Title, &m.Agent, &m.AgentSessionID, &m.ProjectID, &m.Cwd, &m.GitBranch, &m.Model, (*string)(&m.HeadID),
		&m.Machine, (*string)(&m.RootID), &m.TitleBy, &m.ForkOf} {
		c.str(s)
	}
	c.int64(&m.CreatedAt)
	c.int64(&m.UpdatedAt)
	for _, n := range []*int{&m.Nodes, &m.Turns, &m.Redacted} {
		v := int64(*n)
		c.int64(&v)
		*n = int(v)
	}
	for _, b := range []*bool{&m.TitleAsked, &m.Pinned} {
		v := int64(0)
		if *b {
			v = 1
		}
		c.int64(&v)
		*b = v != 0
	}
}

type summaryWriter struct{ raw []byte }

func (w *summaryWriter) int64(v *int64) { w.raw = binary.AppendVarint(w.raw, *v) }

func (w *summaryWriter) str(s *string) {
	w.raw = append(binary.AppendVarint(w.raw, int64(len(*s))), *s...)
}

// summaryReader takes texts out of one long one, so that they take no memory of their own.
type summaryReader struct {
	text string
	bad  bool
}

func (r *summaryReader) number() (v int64) {
	r.int64(&v)
	return v
}

func (r *summaryReader) string() (s string) {
	r.str(&s)
	return s
}

func (r *summaryReader) int64(v *int64) {
	var u uint64
	for i := 0; i < min(len(r.text), binary.MaxVarintLen64); i++ {
		b := r.text[i]
		u |= uint64(b&0x7f) << (7 * i)
		if b < 0x80 {
			r.text = r.text[i+1:]
			*v = int64(u>>1) ^ -int64(u&1)
			return
		}
	}
	r.text, r.bad, *v = "", true, 0
}

func (r *summaryReader) str(s *string) {
	n := r.number()
	if n < 0 || n > int64(len(r.text)) {
		r.text, r.bad, *s = "", true, ""
		return
	}
	*s, r.text = r.text[:n], r.text[n:]
}
