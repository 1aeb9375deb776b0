package session

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"dormouse/store/disk"
	"dormouse/store/gitrepo"
)

// linksFile is a copy of what is told by the branches, their newest trees, the commits and the headers of the committed nodes: which
// nodes and commits there are, which node follows on which, of which turn it is, and how the lanes fork. Without it every node has to be
// read to open a turn, and the tree of every branch to open a session. It is derived: it is believed while its branches are those that
// git names, lies in .git and never leaves the machine, is written without fsync, and can be deleted.
const linksFile = "dormouse-links"

// A links file is a row of segments, one for each batch that committed. Numbers are little-endian, in 4 bytes each.
//
//	signature, CRC-32C of what follows, its length without these three
//	places of the first node and the first commit, counts of nodes, commits, names and lanes
//	names: length, bytes
//	lanes that are new or changed: place, parent, shared nodes, committed nodes, last turn, time in two numbers, 20 bytes of the newest
//	commit, branch with its length before it, count of what lies beside history/, and of each the mode, 20 bytes, and the name
//	nodes: 20 bytes of the blob's name, lane, and the bond; then the lengths of their names in a byte each; then the names
//	commits: 20 bytes of the name, parent, turn, newest
const (
	linkSignature = "DML2"
	linkHead      = len(linkSignature) + 8
	linkCounts    = 6 * 4
	linkNode      = 20 + 5*4
	linkMark      = 20 + 3*4
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// saved is what a links file holds.
type saved struct {
	bonds
	entries []entry
	lanes   lanes
	marks   []mark
	kept    kept
}

// readLinks reads a session's links file up to what is not whole; nothing where there is none.
func readLinks(dir string) (saved, error) {
	f, err := os.Open(filepath.Join(dir, ".git", linksFile))
	if errors.Is(err, fs.ErrNotExist) {
		return saved{}, nil
	}
	if err != nil {
		return saved{}, err
	}
	defer f.Close() //nolint:errcheck // opened for reading
	info, err := f.Stat()
	if err != nil || info.Size() > maxLinks {
		return saved{}, err
	}
	raw := make([]byte, info.Size())
	if _, err := io.ReadFull(f, raw); err != nil {
		return saved{}, err
	}
	return parseLinks(raw), nil
}

// maxLinks is more than the links file of the longest session has.
const maxLinks = 1 << 29

// parseLinks reads segments up to the first that is cut off, damaged or does not follow on. What is wrong with a segment shows in its
// sum before any of it is taken, so one that is taken in part was made by hand, and nothing of the file is believed.
func parseLinks(raw []byte) saved {
	var s saved
	for rest := raw; ; {
		body, ok := segmentOf(rest)
		if !ok {
			break
		}
		if !s.segment(body) {
			return saved{}
		}
		n := linkHead + len(body)
		rest, s.kept.size = rest[n:], s.kept.size+int64(n)
	}
	if !s.whole() {
		return saved{}
	}
	s.kept = kept{nodes: len(s.list), marks: len(s.marks), names: len(s.bonds.names), size: s.kept.size}
	for i := range s.lanes.all {
		s.kept.tips = append(s.kept.tips, s.lanes.all[i].tip)
	}
	return s
}

// segmentOf is the content of the first segment of raw.
func segmentOf(raw []byte) (body []byte, ok bool) {
	if len(raw) < linkHead+linkCounts || string(raw[:len(linkSignature)]) != linkSignature {
		return nil, false
	}
	size := linkHead + int(binary.LittleEndian.Uint32(raw[8:]))
	if size > len(raw) || size < linkHead+linkCounts || crc32.Checksum(raw[8:size], castagnoli) != binary.LittleEndian.Uint32(raw[4:]) {
		return nil, false
	}
	return raw[linkHead:size], true
}

// segment takes a segment's content; false when something in it does not fit.
func (s *saved) segment(body []byte) bool {
	in := cursor{left: body}
	first, firstMark, nodes, marks, names, lanes := in.number(), in.number(), in.number(), in.number(), in.number(), in.number()
	if int(first) != len(s.list) || int(firstMark) != len(s.marks) || nodes < 0 || marks < 0 {
		return false
	}
	for ; names > 0 && !in.bad; names-- {
		s.bonds.names = append(s.bonds.names, in.text())
	}
	for ; lanes > 0 && !in.bad; lanes-- {
		s.readLane(&in)
	}
	if in.bad || len(in.left) < int(nodes)*(linkNode+1) {
		return false
	}
	fixed, lengths := in.take(int(nodes)*linkNode), in.take(int(nodes))
	long := 0
	for _, n := range lengths {
		long += int(n)
	}
	if len(in.left) != long+int(marks)*linkMark {
		return false
	}
	return s.readNodes(fixed, lengths, string(in.take(long))) && s.readMarks(in.left)
}

// readLane adds a lane, or changes one.
func (s *saved) readLane(in *cursor) {
	at, parent, shared := in.number(), in.number(), in.number()
	l := newLane(int(parent), int(shared))
	l.committed, l.lastTurn = int(in.number()), int(in.number())
	l.when = int64(uint32(in.number())) | int64(in.number())<<32
	l.tip, l.ref = in.oid(), in.text()
	for n := in.number(); n > 0 && !in.bad; n-- {
		l.rest = append(l.rest, gitrepo.TreeEntry{Mode: uint32(in.number()), OID: in.oid(), Name: in.text()})
	}
	switch {
	case in.bad || at < 0 || int(at) > len(s.lanes.all) || parent < none || parent >= at || shared < 0:
		in.bad = true
	case int(at) == len(s.lanes.all):
		s.lanes.all = append(s.lanes.all, l)
	default:
		l.own = s.lanes.all[at].own
		s.lanes.all[at] = l
	}
}

// readNodes adds nodes, if what they refer to is there. Their names are parts of text.
func (s *saved) readNodes(raw, lengths []byte, text string) bool {
	n, names := len(lengths), int32(len(s.bonds.names))
	total := int32(len(s.list) + n)
	s.list, s.entries, s.lanes.of = slices.Grow(s.list, n), slices.Grow(s.entries, n), slices.Grow(s.lanes.of, n)
	ref := func(at int32) bool { return at < total && (at >= none || far(at) >= 0 && far(at) < names) }
	for ; len(raw) > 0; raw, lengths = raw[linkNode:], lengths[1:] {
		lane := int32At(raw, 20)
		b := bond{turn: int32At(raw, 24), parent: int32At(raw, 28), calledBy: int32At(raw, 32), agent: int32At(raw, 36)}
		if b.turn < 0 || !ref(b.parent) || !ref(b.calledBy) || b.agent < 0 || b.agent > names || lane < 0 || int(lane) >= len(s.lanes.all) {
			return false
		}
		e := entry{name: text[:lengths[0]], oid: gitrepo.OID(raw)}
		if _, _, _, ok := parseName(e.name); !ok {
			return false
		}
		text = text[lengths[0]:]
		s.list, s.entries = append(s.list, b), append(s.entries, e)
		s.lanes.add(int(lane))
	}
	return true
}

// readMarks adds commits, if what they refer to is there.
func (s *saved) readMarks(raw []byte) bool {
	s.marks = slices.Grow(s.marks, len(raw)/linkMark)
	for ; len(raw) > 0; raw = raw[linkMark:] {
		m := mark{oid: gitrepo.OID(raw), parent: int32At(raw, 20), turn: int32At(raw, 24), newest: int32At(raw, 28)}
		if m.newest < 0 || int(m.newest) >= len(s.list) || m.parent < none || int(m.parent) >= len(s.marks) {
			return false
		}
		s.marks = append(s.marks, m)
	}
	return true
}

// whole reports whether the lanes have the nodes that they say.
func (s *saved) whole() bool {
	for i := range s.lanes.all {
		l := &s.lanes.all[i]
		if l.committed != l.len() || l.parent == none && l.shared > 0 || l.parent != none && l.shared > s.lanes.all[l.parent].len() {
			return false
		}
	}
	return true
}

func int32At(raw []byte, at int) int32 { return int32(binary.LittleEndian.Uint32(raw[at:])) }

// cursor takes bytes and numbers from a segment. Once there is not enough, it is bad and gives nothing.
type cursor struct {
	left []byte
	bad  bool
}

func (c *cursor) take(n int) []byte {
	if n < 0 || n > len(c.left) {
		c.left, c.bad = nil, true
		return nil
	}
	out := c.left[:n]
	c.left = c.left[n:]
	return out
}

func (c *cursor) number() int32 {
	if raw := c.take(4); raw != nil {
		return int32At(raw, 0)
	}
	return none
}

func (c *cursor) text() string { return string(c.take(int(c.number()))) }

func (c *cursor) oid() (oid gitrepo.OID) {
	copy(oid[:], c.take(len(oid)))
	return oid
}

// appendLinks adds to a session's links file what is not in it. It gives what is in it then.
func appendLinks(dir string, s *state) (kept, error) {
	k := s.kept
	seg := s.encodeLinks(k)
	f, err := disk.OpenFile(filepath.Join(dir, ".git", linksFile), os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return k, fmt.Errorf("write links: %w", err)
	}
	info, err := f.Stat()
	if err == nil && info.Size() != k.size {
		err = f.Truncate(k.size) // what was cut off or did not fit
	}
	if err == nil {
		_, err = f.WriteAt(seg, k.size)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return k, fmt.Errorf("write links: %w", err)
	}
	now := kept{nodes: s.committed, marks: len(s.marks), names: len(s.bonds.names), size: k.size + int64(len(seg))}
	for _, l := range s.committedLanes() {
		now.tips = append(now.tips, l.tip)
	}
	return now, nil
}

// committedLanes are the lanes that have commits: those that were there first.
func (s *state) committedLanes() []lane {
	n := len(s.lanes.all)
	for n > 0 && s.lanes.all[n-1].tip.IsZero() {
		n--
	}
	return s.lanes.all[:n]
}

// encodeLinks is the segment of what is committed and not kept.
func (s *state) encodeLinks(k kept) []byte {
	w := segmentWriter{raw: make([]byte, linkHead, linkHead+linkCounts+(s.committed-k.nodes)*(linkNode+40)+(len(s.marks)-k.marks)*linkMark)}
	names := s.bonds.names[k.names:]
	var changed []int
	for i, l := range s.committedLanes() {
		if i >= len(k.tips) || l.tip != k.tips[i] {
			changed = append(changed, i)
		}
	}
	w.put(k.nodes, k.marks, s.committed-k.nodes, len(s.marks)-k.marks, len(names), len(changed))
	for _, n := range names {
		w.text(n)
	}
	for _, i := range changed {
		w.lane(i, &s.lanes.all[i])
	}
	for i := k.nodes; i < s.committed; i++ {
		x := s.bonds.list[i]
		w.raw = append(w.raw, s.entries[i].oid[:]...)
		w.put(int(s.lanes.of[i]), int(x.turn), int(x.parent), int(x.calledBy), int(x.agent))
	}
	for i := k.nodes; i < s.committed; i++ {
		w.raw = append(w.raw, byte(len(s.entries[i].name)))
	}
	for i := k.nodes; i < s.committed; i++ {
		w.raw = append(w.raw, s.entries[i].name...)
	}
	for _, m := range s.marks[k.marks:] {
		w.raw = append(w.raw, m.oid[:]...)
		w.put(int(m.parent), int(m.turn), int(m.newest))
	}
	return w.sealed()
}

type segmentWriter struct{ raw []byte }

func (w *segmentWriter) put(list ...int) {
	for _, n := range list {
		w.raw = binary.LittleEndian.AppendUint32(w.raw, uint32(n))
	}
}

func (w *segmentWriter) text(s string) {
	w.put(len(s))
	w.raw = append(w.raw, s...)
}

func (w *segmentWriter) lane(i int, l *lane) {
	w.put(i, l.parent, l.shared, l.committed, l.lastTurn, int(uint32(l.when)), int(l.when>>32))
	w.raw = append(w.raw, l.tip[:]...)
	w.text(l.ref)
	w.put(len(l.rest))
	for _, e := range l.rest {
		w.put(int(e.Mode))
		w.raw = append(w.raw, e.OID[:]...)
		w.text(e.Name)
	}
}

// sealed puts signature, sum and length before the content.
func (w *segmentWriter) sealed() []byte {
	copy(w.raw, linkSignature)
	binary.LittleEndian.PutUint32(w.raw[8:], uint32(len(w.raw)-linkHead))
	binary.LittleEndian.PutUint32(w.raw[4:], crc32.Checksum(w.raw[8:], castagnoli))
	return w.raw
}
