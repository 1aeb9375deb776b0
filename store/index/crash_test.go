package index

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

const (
	crashDir   = "DORMOUSE_TEST_CRASH_DIR"
	crashStart = "DORMOUSE_TEST_CRASH_START"
)

var crashOptions = Options{HotDocs: 16, MergeFactor: 2, SegmentDocs: 256, Vectors: hashWords(64)}

// crashStep is what the killed process does as its n-th act: puts, of which one says n, or deletions.
func crashStep(n int) (docs []Doc, gone []string) {
	r := rand.New(rand.NewPCG(uint64(n), 9))
	if n%4 == 3 {
		for range 6 {
			gone = append(gone, fmt.Sprintf("d%d", r.IntN(150)))
		}
		return nil, gone
	}
	for range 1 + r.IntN(12) {
		docs = append(docs, randomDoc(r, fmt.Sprintf("d%d", r.IntN(150))))
	}
	return append(docs, note("act", strconv.Itoa(n))), nil
}

// TestActUntilKilled is the process that is killed by the test below; alone it does nothing.
func TestActUntilKilled(t *testing.T) {
	dir := os.Getenv(crashDir)
	if dir == "" {
		return
	}
	start, err := strconv.Atoi(os.Getenv(crashStart))
	if err != nil {
		t.Fatal(err)
	}
	o := crashOptions
	o.Dir = dir
	o.RestAfter = time.Duration(start%3) * time.Nanosecond // or never, in a third of the processes
	ix := open(t, o)
	for n := start; ; n++ {
		docs, gone := crashStep(n)
		put(t, ix, docs...)
		if err := ix.Delete(t.Context(), gone); err != nil {
			t.Fatal(err)
		}
		fmt.Println("done", n)
	}
}

// TestNothingAcknowledgedIsLostByAKill kills a process that writes, again and again on the same index, and compares what is
// left with all that the process did: the same documents, found with the scores of the definition.
func TestNothingAcknowledgedIsLostByAKill(t *testing.T) {
	t.Parallel()
	o := crashOptions
	o.Dir = filepath.Join(t.TempDir(), "index")
	r := rand.New(rand.NewPCG(3, 3))
	docs := map[string]Doc{}
	next := 0
	for round := range 20 {
		told := actAndKill(t, o.Dir, next, 1+r.IntN(60))
		ix, rebuild, err := Open(o)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		if rebuild {
			t.Fatalf("round %d: a killed process broke the index", round)
		}
		next = replay(t, ix, docs, next)
		if next <= told {
			t.Fatalf("round %d: act %d was acknowledged, the index knows %d", round, told, next-1)
		}
		for range 8 {
			compare(t, ix, docs, randomQuery(r))
			compareVectors(t, ix, docs, randomQuery(r), 64)
		}
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// actAndKill starts the process, waits for a number of acknowledged acts and kills it. It returns the last one it heard of.
func actAndKill(t *testing.T, dir string, start, acts int) (told int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestActUntilKilled$")
	cmd.Env = append(os.Environ(), crashDir+"="+dir, crashStart+"="+strconv.Itoa(start))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	told = start - 1
	for lines := bufio.NewScanner(out); acts > 0 && lines.Scan(); {
		if _, err := fmt.Sscanf(lines.Text(), "done %d", &told); err == nil {
			acts--
		}
	}
	if acts > 0 {
		t.Fatal("the process ended by itself")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	return told
}

// replay does to docs what the process did to the index, from act next on, and returns the first act that it did not do.
func replay(t *testing.T, ix *Index, docs map[string]Doc, next int) int {
	t.Helper()
	last := -1
	if d, ok, err := ix.Get("act"); err != nil {
		t.Fatal(err)
	} else if ok {
		last, _ = strconv.Atoi(d.Body)
	}
	for ; ; next++ {
		puts, gone := crashStep(next)
		if puts != nil && next > last {
			return next
		}
		left := len(docs)
		for _, id := range gone {
			if _, ok := docs[id]; ok {
				left--
			}
		}
		if gone != nil && next > last && ix.Stats().Docs == len(docs) && left != len(docs) {
			return next // the deletions were not yet done
		}
		for _, d := range puts {
			docs[d.ID] = d
		}
		for _, id := range gone {
			delete(docs, id)
		}
	}
}
