package main

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dormouse/service/api"
	_ "modernc.org/sqlite"
)

// noise is a picture that no other number gives, and that does not compress.
func noise(t *testing.T, n int) []byte {
	t.Helper()
	p := image.NewGray(image.Rect(0, 0, 40+n, 40))
	r := rand.New(rand.NewPCG(1, uint64(n)))
	for i := range p.Pix {
		p.Pix[i] = byte(r.Uint32())
	}
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// placeImages writes the transcripts of all agents into a home folder, each with its own image.
func placeImages(t *testing.T, user string) (images [][]byte) {
	t.Helper()
	for i, a := range agentImages {
		p := noise(t, i)
		images = append(images, p)
		text := strings.ReplaceAll(a.text, "IMAGE", base64.StdEncoding.EncodeToString(p))
		path := filepath.Join(user, filepath.FromSlash(a.path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(text, "CREATE") {
			makeDatabase(t, path, strings.Split(strings.TrimSpace(text), "\n"))
		} else if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if a.agent == "openprogram" {
			meta := `{"id":"local_1","created_at":1767225600,"updated_at":1767225600,"head_id":"u1"}`
			if err := os.WriteFile(filepath.Join(filepath.Dir(filepath.Dir(path)), "meta.json"), []byte(meta), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return images
}

// makeDatabase runs statements. BLOB is a message of a chat of Cursor's, which a last blob names.
func makeDatabase(t *testing.T, path string, statements []string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range statements {
		message, chat := strings.CutPrefix(q, "BLOB ")
		if chat {
			sum := sha256.Sum256([]byte(message))
			root := append([]byte{0x0a, 0x20}, sum[:]...)
			rootSum := sha256.Sum256(root)
			head := fmt.Sprintf(`{"agentId":"81111111-2222-3333-4444-555555555555","latestRootBlobId":"%x","name":"T","createdAt":1760000000000}`, rootSum)
			q = fmt.Sprintf("INSERT INTO blobs VALUES ('%x', x'%x'), ('%x', x'%x'); INSERT INTO meta VALUES ('0', '%x')", sum, message, rootSum, root, head)
		}
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
}

// upWithImages starts the service over the transcripts of all agents and imports the exports.
func upWithImages(t *testing.T, user, settings string) *running {
	t.Helper()
	home := filepath.Join(user, ".dormouse")
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	r := up(t, user, "Ctrl-C stops.")
	for _, a := range agentImages {
		if a.imported {
			if got := askIn(t, user, "import", filepath.Join(user, a.path)); got.code != exitOK {
				t.Fatalf("%s: %+v", a.name, got)
			}
		}
	}
	return r
}

// sessionWith is the session of an agent that names an image, and whether it is kept.
func sessionWith(t *testing.T, user, agent, sum string) (id string, kept bool) {
	t.Helper()
	var list []api.Session
	if err := json.Unmarshal([]byte(askIn(t, user, "sessions", "--agent", agent, "--json").out), &list); err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		got := askIn(t, user, "show", s.ID, "--json").out
		var x api.Transcript
		if err := json.Unmarshal([]byte(got), &x); err != nil {
			t.Fatal(err)
		}
		for _, turn := range x.Turns {
			for _, n := range turn.Nodes {
				for _, i := range n.Metadata.Images {
					if i.SHA256 == sum {
						return s.ID, len(x.Images) == 1 && x.Images[sum].SHA256 == sum && x.Images[sum].Bytes == int64(i.Bytes)
					}
				}
			}
		}
	}
	t.Fatalf("no session of %s names the image", agent)
	return "", false
}

func TestTheImagesOfEveryAgentAreKeptAndComeBackByteForByte(t *testing.T) {
	user := t.TempDir()
	images := placeImages(t, user)
	r := upWithImages(t, user, "[capture]\nkeep_images = true\n")
	for i, a := range agentImages {
		t.Run(a.name, func(t *testing.T) {
			sum := sumOf(string(images[i]))
			id, kept := sessionWith(t, user, a.agent, sum)
			if got := askIn(t, user, "show", id, "--file", sum[:12]); !kept || got.code != exitOK || got.out != string(images[i]) {
				t.Errorf("kept: %v; %d bytes came back of %d: %s", kept, len(got.out), len(images[i]), got.err)
			}
			if got := askIn(t, user, "show", id).out; !strings.Contains(got, "· image, png, ") || !strings.Contains(got, "--file "+sum[:12]) {
				t.Errorf("show does not name it:\n%s", got)
			}
		})
	}
	everyAgentHasATest(t, user)
	if got := askIn(t, user, "status", "--json").out; strings.Contains(got, "not kept") {
		t.Errorf("some are said not to be kept: %s", got)
	}
	r.stop(t)
	for _, dir := range sessionFolders(t, user) {
		if out := gitIn(t, dir, "fsck", "--strict", "--full"); len(out) > 0 {
			t.Errorf("git fsck in %s: %s", dir, out)
		}
	}
	if left := traces(t, user, images); len(left) != len(images) {
		t.Errorf("%d of %d images are in the state folder", len(left), len(images))
	}
}

func TestNothingOfAnImageIsStoredUnlessThePersonWantsIt(t *testing.T) {
	user := t.TempDir()
	images := placeImages(t, user)
	r := upWithImages(t, user, "")
	for i, a := range agentImages {
		sum := sumOf(string(images[i]))
		id, kept := sessionWith(t, user, a.agent, sum)
		if got := askIn(t, user, "show", id, "--file", sum[:12]); kept || got.code == exitOK || !strings.Contains(got.err, "capture.keep_images") {
			t.Errorf("%s: kept: %v, %+v", a.name, kept, got)
		}
	}
	r.stop(t)
	if left := traces(t, user, images); len(left) > 0 {
		t.Errorf("some bytes of the images %v are in the state folder", left)
	}
}

// everyAgentHasATest is for the next adapter: a transcript with an image, or a reason why there is none.
func everyAgentHasATest(t *testing.T, user string) {
	t.Helper()
	none := map[string]string{"aider": "its history is a text", "antigravity-cli": "its transcripts hold none", "chatgpt": "its exports name files"}
	var st api.Status
	if err := json.Unmarshal([]byte(askIn(t, user, "status", "--json").out), &st); err != nil || len(st.Agents) < 15 {
		t.Fatal(len(st.Agents), err)
	}
	for _, a := range st.Agents {
		tested := slices.ContainsFunc(agentImages, func(i agentImage) bool { return i.agent == a.Name })
		if tested == (none[a.Name] != "") {
			t.Errorf("%s: has a test %v, needs none because %q", a.Name, tested, none[a.Name])
		}
	}
}

// traces are the images of which some bytes lie in the state folder, decoded or as base64, in files or in objects of git.
func traces(t *testing.T, user string, images [][]byte) (found []int) {
	t.Helper()
	seen := map[int]bool{}
	look := func(b []byte) {
		for i, p := range images {
			middle := p[len(p)/2:][:48]
			for shift := range 3 { // base64 depends on the place
				text := base64.StdEncoding.EncodeToString(middle[shift:][:45])
				if bytes.Contains(b, middle) || bytes.Contains(b, []byte(text[4:56])) {
					seen[i] = true
				}
			}
		}
	}
	err := filepath.WalkDir(filepath.Join(user, ".dormouse"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		look(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range sessionFolders(t, user) {
		look(gitIn(t, dir, "cat-file", "--batch-all-objects", "--batch"))
	}
	for i := range seen {
		found = append(found, i)
	}
	slices.Sort(found)
	return found
}

func sessionFolders(t *testing.T, user string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(user, ".dormouse", "sessions", "*", ".git"))
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	for i := range list {
		list[i] = filepath.Dir(list[i])
	}
	return list
}

func gitIn(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	out, err := c.Output()
	if err != nil {
		t.Fatalf("git %v: %v", args, err)
	}
	return out
}
