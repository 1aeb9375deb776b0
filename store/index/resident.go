package index

// What a live document takes in memory beside its vector's code, in bytes: its number, length, time and hash, and its part of the sets.
const residentDoc = 24

// Resident is about how many bytes of memory the index holds as long as it is open, for its documents: it grows with their number, and no
// garbage collector can make it less. What the database and a merge take comes on top, and does not grow.
func (ix *Index) Resident() (n int64) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	for _, p := range ix.pieces {
		n += int64(p.cols.count()) * residentDoc
		for _, v := range p.vecs {
			if v != nil {
				n += int64(8 * (cap(v.heads) + cap(v.tails)))
				if v.fine != nil { // also before they are made
					n += int64(p.cols.count() * nibbleBytes(v.words))
				}
			}
		}
	}
	return n
}
