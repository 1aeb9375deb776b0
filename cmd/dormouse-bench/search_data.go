package main

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"dormouse/store/index"
	"dormouse/store/memory"
)

// chunks cuts documents of real text, always the same for a seed and the same files, without holding the text in memory.
type chunks struct {
	paths []string
	seed  uint64
	mean  int // bytes
	// passes counts how often all files were gone through in the last run: from the second on, chunks overlap earlier ones.
	passes int
}

// newChunks finds the files. No folder means Go's own sources and the modules that the go command has downloaded.
func newChunks(dirs []string, seed uint64, mean int) (*chunks, error) {
	if len(dirs) == 0 {
		out, err := exec.Command("go", "env", "GOROOT", "GOMODCACHE").Output()
		if err != nil {
			return nil, fmt.Errorf("find text to make documents of (--corpus DIR names a folder with source code): %w", err)
		}
		dirs = strings.Fields(string(out))
	}
	c := &chunks{seed: seed, mean: mean}
	for _, dir := range dirs {
		found, err := textFiles(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		c.paths = append(c.paths, found...)
	}
	if len(c.paths) == 0 {
		return nil, fmt.Errorf("%s hold no .go, .md, .txt or .py file to make documents of", strings.Join(dirs, ", "))
	}
	r := rand.New(rand.NewPCG(seed, 1))
	r.Shuffle(len(c.paths), func(i, j int) { c.paths[i], c.paths[j] = c.paths[j], c.paths[i] })
	return c, nil
}

// each calls fn with n documents, in batches.
func (c *chunks) each(n int, fn func([]index.Doc) error) error {
	r := rand.New(rand.NewPCG(c.seed, 2))
	var batch []index.Doc
	made := 0
	for c.passes = 0; made < n; c.passes++ {
		before := made
		for _, path := range c.paths {
			text, err := readSmall(path)
			if err != nil || !utf8.Valid(text) {
				continue
			}
			rest := string(text[min(len(text), 211*c.passes):])
			for made < n && len(rest) > 200 {
				body := ""
				body, rest = cutChunk(rest, c.length(r))
				batch = append(batch, chunkDoc(made, body, path))
				if made++; len(batch) == 256 || made == n {
					if err := fn(batch); err != nil {
						return err
					}
					batch = batch[:0]
				}
			}
		}
		if made == before {
			return errors.New("the files hold no text to make documents of")
		}
	}
	return nil
}

// largestFile is where a file is taken for data that a program wrote, in bytes.
const largestFile = 1 << 20

// readSmall reads a file; of one that is too large it gives nothing.
func readSmall(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil || info.Size() > largestFile {
		return nil, err
	}
	return os.ReadFile(path)
}

// length draws how long a chunk is: log-normal, as messages are.
func (c *chunks) length(r *rand.Rand) int {
	const sigma = 0.8
	median := float64(c.mean) / math.Exp(sigma*sigma/2)
	return max(40, int(median*math.Exp(sigma*r.NormFloat64())))
}

// cutChunk takes about n bytes off the front, to the end of a line where one is near.
func cutChunk(text string, n int) (chunk, rest string) {
	if n >= len(text) {
		return text, ""
	}
	if i := strings.IndexByte(text[n:], '\n'); i >= 0 && i < n/4 {
		n += i + 1
	}
	for n < len(text) && !utf8.RuneStart(text[n]) {
		n++
	}
	return text[:n], text[n:]
}

// The shape of the made memory.
const (
	chunksASession    = 200
	sessionsAProject  = 50
	chunkSecondsApart = 90
)

// chunkDoc is a document such as a turn gives.
func chunkDoc(n int, body, path string) index.Doc {
	session := n / chunksASession
	project := fmt.Sprintf("%012x", 0xabc000+session/sessionsAProject)
	h := fnv.New64a()
	_, _ = h.Write([]byte(body))
	return index.Doc{
		ID: fmt.Sprintf("turn:cc_%08x/%06d/%d", session, n%chunksASession/2, n%2), Kind: index.KindTurn, Scope: memory.ProjectScope(project), Project: project,
		Session: fmt.Sprintf("cc_%08x", session), Turn: n % chunksASession / 2, Nodes: []string{fmt.Sprintf("%012x", h.Sum64()>>16)},
		Time: int64(1_600_000_000 + n*chunkSecondsApart), Trust: memory.TrustObserved, Body: body, Path: filepath.Base(path),
	}
}

// searchQuery is what is asked.
type searchQuery struct {
	text   string
	vector []float32
}

// drawQueries takes words that stand beside each other in evenly spread documents: one to six of them, as people ask.
func drawQueries(docs []string, seed uint64) (out []searchQuery) {
	r := rand.New(rand.NewPCG(seed, 3))
	for _, body := range docs {
		words := strings.FieldsFunc(body, func(c rune) bool { return c != '_' && noLetter(c) })
		words = keepLong(words)
		n := 1 + r.IntN(6)
		if len(words) < n {
			continue
		}
		at := r.IntN(len(words) - n + 1)
		out = append(out, searchQuery{text: strings.Join(words[at:at+n], " ")})
	}
	return out
}

func noLetter(c rune) bool { return c|0x20 < 'a' || c|0x20 > 'z' }

func keepLong(words []string) []string {
	out := words[:0]
	for _, w := range words {
		if len(w) > 2 {
			out = append(out, w)
		}
	}
	return out
}

func makeFolder(dir string) error { return os.MkdirAll(dir, 0o700) }
