package embed

// The pieces of a word are the overlapping groups of shortest to longest characters of the word between < and >.
const (
	shortest = 3
	longest  = 5
)

// Subwords gives the buckets of a word's pieces, from 0 to buckets-1, some perhaps more than once. Only words of three and more
// letters from a to z have pieces: what a table knows of other scripts is in its words.
func Subwords(word []byte, buckets int, yield func(bucket int)) {
	if len(word) < 3 || len(word) > maxRun || buckets == 0 {
		return
	}
	for _, c := range word {
		if c < 'a' || c > 'z' {
			return
		}
	}
	var marked [maxRun + 2]byte
	marked[0] = '<'
	n := 1 + copy(marked[1:], word)
	marked[n] = '>'
	n++
	for i := range n {
		h := uint32(fnvOffset)
		for j := i; j < n && j < i+longest; j++ {
			h = (h ^ uint32(marked[j])) * fnvPrime
			if j-i+1 >= shortest {
				yield(int(mix(h) % uint32(buckets)))
			}
		}
	}
}

// FNV-1a.
const (
	fnvOffset = 2166136261
	fnvPrime  = 16777619
)

// hash is where a word is looked for.
func hash(word []byte) uint32 {
	h := uint32(fnvOffset)
	for _, c := range word {
		h = (h ^ uint32(c)) * fnvPrime
	}
	return mix(h)
}

// mix spreads a hash over its lower bits.
func mix(h uint32) uint32 {
	h ^= h >> 15
	h *= 0x2c1b3c6d
	return h ^ h>>12
}
