package capture

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/capture/parsertest"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// keeping is a world whose engine keeps images.
func keeping(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.images = true
	w.restart()
	return w
}

// shown is a turn of a Claude Code transcript in which the person shows images, each as this text in the place of its data.
func shown(w *world, n int, data ...string) string {
	line, answer, _ := strings.Cut(turn(n, w.now, "PROMPT", "seen"), "\n")
	blocks := []any{map[string]string{"type": "text", "text": fmt.Sprint("look ", n)}}
	for _, d := range data {
		blocks = append(blocks, map[string]any{"type": "image", "source": map[string]string{"type": "base64", "media_type": "image/webp", "data": d}})
	}
	content, _ := json.Marshal(blocks)
	return strings.Replace(line, `"PROMPT"`, string(content), 1) + "\n" + answer
}

// kept are the images of the only session, by their SHA-256.
func (w *world) kept() map[string][]byte {
	w.t.Helper()
	x, err := w.store.Open(w.only().ID)
	if err != nil {
		w.t.Fatal(err)
	}
	list, err := x.Images()
	if err != nil {
		w.t.Fatal(err)
	}
	out := map[string][]byte{}
	for sum, f := range list {
		r, err := x.File(f)
		if err != nil {
			w.t.Fatal(err)
		}
		b, err := io.ReadAll(r)
		if err = errors.Join(err, r.Close()); err != nil || !strings.HasSuffix(f.Path, ".png") {
			w.t.Fatal(f.Path, err)
		}
		out[sum] = b
	}
	return out
}

// has checks that the only session keeps these images and no others.
func (w *world) has(want ...[]byte) {
	w.t.Helper()
	got := w.kept()
	for _, p := range want {
		sum := sha256.Sum256(p)
		if !bytes.Equal(got[hex.EncodeToString(sum[:])], p) {
			w.t.Errorf("an image of %d bytes is not there as it was", len(p))
		}
	}
	if len(got) != len(want) {
		w.t.Errorf("%d images are kept, not %d", len(got), len(want))
	}
}

// history is the names and contents of all node files and commits of the only session.
func (w *world) history() string {
	w.t.Helper()
	var out strings.Builder
	for _, args := range [][]string{{"log", "--branches", "--format=%H %s"}, {"ls-tree", "-r", "HEAD"}} {
		c := exec.Command("git", args...)
		x, err := w.store.Open(w.only().ID)
		if err != nil {
			w.t.Fatal(err)
		}
		c.Dir = x.Dir()
		b, err := c.CombinedOutput()
		if err != nil {
			w.t.Fatalf("git %v: %v\n%s", args, err, b)
		}
		out.Write(b)
	}
	return out.String()
}

func TestImagesAreKeptAsTheyAreAndOnceEach(t *testing.T) {
	w := keeping(t)
	small, other, large := parsertest.PNG(t, 30, 30), parsertest.PNG(t, 31, 30), parsertest.LargePNG(t)
	w.write(w.claude(aUUID+".jsonl"), shown(w, 0, parsertest.Base64(small), parsertest.Base64(other))+shown(w, 1, parsertest.Base64(small))+
		shown(w, 2, parsertest.Base64(large), parsertest.Base64(large), parsertest.Base64(small))+turn(3, w.now, "and", "on"))
	w.scan()
	w.has(small, other, large)
	if n := w.nodes(w.only().ID); len(n) != 8 || len(n[4].Metadata.Images) != 3 || len(n[4].Metadata.Files) != 0 || n[4].Metadata.Images[0].Bytes != len(large) {
		t.Errorf("%d nodes, %+v", len(n), n[4].Metadata)
	}
	if s := w.status("claude-code").Skipped; len(s) != 0 {
		t.Errorf("skipped %+v", s)
	}
	if left, _ := os.ReadDir(filepath.Join(w.home, ".dormouse", "run")); len(left) != 0 {
		t.Errorf("temporary files are left: %v", left)
	}
}

func TestCaseC7HistoriesAreTheSameWithImagesAndWithout(t *testing.T) {
	one, two := keeping(t), newWorld(t)
	for _, w := range []*world{one, two} {
		w.write(w.claude(aUUID+".jsonl"), shown(w, 0, parsertest.Base64(parsertest.PNG(t, 30, 30)))+shown(w, 1, parsertest.Base64(parsertest.LargePNG(t)))+turn(2, w.now, "and", "on"))
		w.scan()
	}
	if a, b := one.history(), two.history(); a != b {
		t.Errorf("with images\n%s\nwithout\n%s", a, b)
	}
	if len(one.kept()) != 2 || len(two.kept()) != 0 {
		t.Errorf("%d and %d images", len(one.kept()), len(two.kept()))
	}
}

func TestImagesThatCannotBeKeptAreCountedWithTheReasonAndThePlace(t *testing.T) {
	w := keeping(t)
	huge := append(parsertest.PNG(t, 3, 3), make([]byte, MaxImage)...)
	data := parsertest.Base64(parsertest.PNG(t, 30, 30))
	svg := parsertest.Base64([]byte(`<svg xmlns="http://www.w3.org/2000/svg"><text>words that may be a secret</text></svg>`))
	path := w.claude(aUUID + ".jsonl")
	w.write(path, shown(w, 0, parsertest.Base64(huge))+shown(w, 1, data[:300]+"<masked>"+data[310:])+shown(w, 2, "https://example.org/a.png", svg)+turn(3, w.now, "and", "on"))
	for range 2 {
		w.scan()
		w.has()
		got := w.status("claude-code").Skipped
		for reason, want := range map[string]transcript.Skip{imageTooLarge: {Line: 1, Bytes: int64(len(huge))}, imageDamaged: {Line: 3}, imageElsewhere: {}} {
			times := 1
			if reason == imageElsewhere {
				times = 2
			}
			c := got[reason]
			if c.Times != times || c.Places[0].File != path || c.Places[0].Line != want.Line || want.Bytes > 0 && c.Places[0].Bytes != want.Bytes {
				t.Errorf("%s: %+v", reason, c)
			}
		}
		if len(w.nodes(w.only().ID)) != 8 || len(got) != 3 {
			t.Errorf("%d nodes, skipped %+v", len(w.nodes(w.only().ID)), got)
		}
		w.append(path, "")
		w.restart()
	}
}

func TestSessionsThatWereThereBeforeGetTheirImagesWhenTheyAreWanted(t *testing.T) {
	w := newWorld(t)
	p := parsertest.PNG(t, 30, 30)
	w.write(w.claude(aUUID+".jsonl"), shown(w, 0, parsertest.Base64(p))+turn(1, w.now, "and", "on"))
	w.scan()
	w.has()
	before := w.history()
	w.images = true
	w.restart()
	redacted := 0
	w.redact = func(*memory.Node) (int, error) { redacted++; return 0, nil }
	w.scan()
	w.has(p)
	if w.history() != before {
		t.Error("the history changed")
	}
	gets := w.cursors.gets
	w.scan()
	w.restart()
	w.scan()
	w.has(p)
	if w.history() != before || w.status("claude-code").Nodes != 4 || redacted > 12 {
		t.Errorf("%d nodes, %d redactions, %d cursors", w.status("claude-code").Nodes, redacted, w.cursors.gets-gets)
	}
	w.images = false // what was kept stays, and what comes is not kept
	w.restart()
	w.append(w.claude(aUUID+".jsonl"), shown(w, 2, parsertest.Base64(parsertest.PNG(t, 31, 31))))
	w.scan()
	w.has(p)
	w.images = true
	w.restart()
	w.scan()
	w.has(p, parsertest.PNG(t, 31, 31))
}

func TestSessionsOfALibraryGetTheirImagesWhenTheyAreWanted(t *testing.T) {
	w := newWorld(t)
	p := parsertest.PNG(t, 30, 30)
	thread := `{"id":"T-1","created":1767225600000,"messages":[{"role":"user","messageId":0,"content":[{"type":"text","text":"go"},{"type":"image","source":{"type":"base64","data":"` +
		parsertest.Base64(p) + `","mediaType":"image/png"}}],"meta":{"sentAt":1767225600000}},{"role":"assistant","messageId":1,"content":[{"type":"text","text":"gone"}],"state":{"type":"complete","stopReason":"end_turn"}}]}`
	w.write(filepath.Join(w.home, ".local", "share", "amp", "threads", "T-1.json"), thread)
	w.scan()
	w.has()
	before := w.history()
	w.images = true
	w.restart()
	w.scan()
	w.has(p)
	if w.history() != before {
		t.Error("the history changed")
	}
	w.restart()
	gets := w.cursors.gets
	w.scan()
	if n := w.cursors.gets - gets; n > 40 {
		t.Errorf("a later scan asked for %d cursors", n)
	}
	w.problems(0)
}

func TestAnImageOfATurnThatIsOpenIsKeptAcrossARestart(t *testing.T) {
	w := keeping(t)
	path := w.claude(aUUID + ".jsonl")
	p, q := parsertest.PNG(t, 30, 30), parsertest.PNG(t, 32, 30)
	w.write(path, shown(w, 0, parsertest.Base64(p)))
	w.now = w.now.Add(1)
	w.scan()
	w.has(p)
	w.restart()
	w.append(path, shown(w, 1, parsertest.Base64(q))+turn(2, w.now, "and", "on"))
	w.scan()
	w.has(p, q)
}

func TestImagesAreKeptLaterWhenThereWasNoRoomForThem(t *testing.T) {
	w := keeping(t)
	p := parsertest.PNG(t, 30, 30)
	w.write(w.claude(aUUID+".jsonl"), shown(w, 0, parsertest.Base64(p))+turn(1, w.now, "and", "on"))
	run := filepath.Join(w.home, ".dormouse", "run")
	if err := os.MkdirAll(filepath.Dir(run), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(run, nil, 0o600); err != nil { // no folder can be made in its place
		t.Fatal(err)
	}
	w.scan()
	if got := w.problems(1); !strings.Contains(got[0].What, "keep an image") {
		t.Errorf("%+v", got)
	}
	if err := os.Remove(run); err != nil {
		t.Fatal(err)
	}
	w.now = w.now.Add(lastPause)
	w.scan()
	w.problems(0)
	w.has(p)
}

func TestTheSpoolForgetsWhatNobodyAskedFor(t *testing.T) {
	s := &imageSpool{make: func() (*os.File, error) { return os.CreateTemp(t.TempDir(), "x") }}
	defer s.drop()
	sum := func(i int) string { return fmt.Sprintf("%064d", i) }
	put := func(i int) {
		s.Begin("png")
		s.Add(fmt.Appendf(nil, "image %d", i))
		s.End(memory.Image{SHA256: sum(i), Bytes: 7}, false)
	}
	for i := range 3 * spoolImages {
		put(i)
		put(i) // is there
		s.rest()
	}
	if _, ok := s.find(sum(0)); ok || len(s.now.by)+len(s.before.by) > 2*spoolImages+2 {
		t.Errorf("%d and %d images wait", len(s.now.by), len(s.before.by))
	}
	one, ok := s.find(sum(2*spoolImages + 5))
	b, err := io.ReadAll(one.content)
	if !ok || err != nil || string(b) != fmt.Sprintf("image %d", 2*spoolImages+5) {
		t.Errorf("%q %v", b, err)
	}
}
