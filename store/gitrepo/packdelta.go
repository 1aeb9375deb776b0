package gitrepo

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// AddDelta stores an object as what differs from another one of the same kind that was added to the same pack before, by any
// of the writer's methods; whole where that is not smaller. The reader of an object reads all that it is made from, so chains
// have to be kept short by the caller. delta reports whether it was stored so.
func (w *PackWriter) AddDelta(k Kind, content []byte, base OID, baseContent []byte) (oid OID, delta bool, err error) {
	oid = Sum(k, content)
	at, ok := w.offsetOf(base)
	if !ok {
		return oid, false, fmt.Errorf("pack object %s: its base %s: %w", oid, base, ErrNotFound)
	}
	d := lineDelta(baseContent, content)
	if len(d) >= len(content)*3/4 {
		return oid, false, w.entry(oid, k, len(content), nil, content)
	}
	return oid, true, w.entry(oid, offsetDelta, len(d), backOffset(w.offset-at), d)
}

// lineDelta makes content out of base: runs of lines that are in both are copied, the rest is inserted. It takes time in
// proportion to both.
func lineDelta(base, content []byte) []byte {
	d := binary.AppendUvarint(nil, uint64(len(base)))
	d = binary.AppendUvarint(d, uint64(len(content)))
	starts := map[string]int{} // the last place of every line
	for at := 0; at < len(base); {
		end := lineEnd(base, at)
		starts[string(base[at:end])] = at
		at = end
	}
	kept, next := 0, 0 // content[kept:] is not in the delta yet; next is where the last copy ended in base
	for at := 0; at < len(content); {
		end := lineEnd(content, at)
		from, ok := next, bytes.HasPrefix(base[min(next, len(base)):], content[at:end])
		if !ok {
			from, ok = starts[string(content[at:end])]
		}
		if !ok {
			at = end
			continue
		}
		n := end - at
		for at+n < len(content) && from+n < len(base) && content[at+n] == base[from+n] {
			n++
		}
		for at > kept && from > 0 && content[at-1] == base[from-1] {
			at, from, n = at-1, from-1, n+1
		}
		d = appendInsert(d, content[kept:at])
		for done := 0; done < n; {
			take := min(n-done, copyMax)
			d = appendCopy(d, uint32(from+done), uint32(take))
			done += take
		}
		at += n
		kept, next = at, from+n
	}
	return appendInsert(d, content[kept:])
}

func lineEnd(b []byte, at int) int {
	if i := bytes.IndexByte(b[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(b)
}

// appendInsert adds "insert these bytes", at most 127 at a time.
func appendInsert(d, b []byte) []byte {
	for len(b) > 0 {
		n := min(len(b), 127)
		d = append(append(d, byte(n)), b[:n]...)
		b = b[n:]
	}
	return d
}
