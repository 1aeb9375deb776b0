package daemon

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"dormouse/assets"
	"dormouse/store/home"
)

// planted is a token as GitHub makes them; it is put together here, so that no scanner takes this file for a leak.
const planted = "gh" + "p_to3P8l3Ie2Fmxnl7lCFwzD6NIsssTCTCAa5O"

// structure are the members whose texts the adapters go by, and what names the project: the folder of the work and its remote.
var structure = map[string]bool{
	"type": true, "subtype": true, "role": true, "name": true, "status": true, "phase": true, "kind": true, "op": true, "version": true,
	"timestamp": true, "id": true, "uuid": true, "parentUuid": true, "logicalParentUuid": true, "leafUuid": true, "sessionId": true,
	"messageId": true, "requestId": true, "tool_use_id": true, "call_id": true, "turn_id": true, "cwd": true, "signature": true, "data": true,
	"encrypted_content": true, "repository_url": true,
}

// plant appends the token to every text in v, also inside of texts that are JSON themselves.
func plant(v any) any {
	switch v := v.(type) {
	case string:
		var inner map[string]any
		if json.Unmarshal([]byte(v), &inner) == nil {
			b, _ := json.Marshal(plant(inner))
			return string(b)
		}
		return v + " " + planted
	case []any:
		for i := range v {
			v[i] = plant(v[i])
		}
	case map[string]any:
		for k := range v {
			if !structure[k] {
				v[k] = plant(v[k])
			}
		}
	}
	return v
}

// plantIn rewrites a transcript with the token in every text, and gives it a title by the person.
func plantIn(path string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 64<<20)
	session := ""
	for lines.Scan() {
		var v map[string]any
		if json.Unmarshal(lines.Bytes(), &v) != nil {
			continue
		}
		if s, ok := v["sessionId"].(string); ok {
			session = s
		}
		b, err := json.Marshal(plant(v))
		if err != nil {
			return err
		}
		out.Write(append(b, '\n'))
	}
	if session != "" {
		out.WriteString(`{"type":"custom-title","customTitle":"use ` + planted + `","sessionId":"` + session + "\"}\n")
	}
	return os.WriteFile(path, out.Bytes(), 0o600)
}

// eachOfIndex shows the keys and values of an index that is closed, since those of its files are parted and shortened, and counts them.
func eachOfIndex(t *testing.T, dir string, show func(where, content string)) (n int) {
	t.Helper()
	db, err := badger.Open(badger.DefaultOptions(dir).WithLogger(nil).WithCompression(options.None))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.View(func(txn *badger.Txn) error {
		it := txn.NewIterator(badger.IteratorOptions{AllVersions: true, PrefetchValues: true, PrefetchSize: 100})
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			n++
			show("a key of the index", string(it.Item().Key()))
			if err := it.Item().Value(func(v []byte) error { show("a value of the index", string(v)); return nil }); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestCaseX1ASecretInAnyTextOfATranscriptIsNowhereInTheStateFolder(t *testing.T) {
	roots, dir := samples(t), t.TempDir()
	err := filepath.WalkDir(roots, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".jsonl") {
			return err
		}
		return plantIn(p)
	})
	if err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(roots, filepath.FromSlash(assets.SampleCodex), "rollout-2026-01-01T00-00-00-019f1111-2222-7333-8444-555555555555.jsonl.zst")
	if err := os.WriteFile(broken, []byte("not packed: "+planted+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := params(dir, roots)
	var log bytes.Buffer // the handler takes turns
	p.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s := start(t, p)
	st, err := s.Status(t.Context())
	if err != nil || st.Counts.Sessions != 9 || st.Counts.Nodes < 400 || st.Counts.Events == 0 || st.Counts.Redacted < 1000 {
		t.Errorf("%v, counts %+v", err, st.Counts)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	body := planted[len("ghp_"):]
	leak := func(where, content string) {
		low := strings.ToLower(content) // search keeps words in lower case
		if i := strings.Index(low, strings.ToLower(body)); i >= 0 {
			t.Errorf("%s holds the secret: %q", where, low[max(0, i-80):min(len(low), i+60)])
		}
	}
	err = filepath.WalkDir(home.At(dir).Dir(), func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		leak("the name "+p, p)
		b, err := os.ReadFile(p)
		leak(p, string(b))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	leak("the log", log.String())
	if !strings.Contains(log.String(), "capture failed") || !strings.Contains(strings.Join(st.Problems, "\n"), filepath.Base(broken)) {
		t.Errorf("the file that cannot be read is not told: problems %q, log\n%s", st.Problems, log.String())
	}
	leak("the problems", strings.Join(st.Problems, "\n"))
	if n := eachOfIndex(t, home.At(dir).Index(), leak); n < 500 {
		t.Errorf("the index has %d entries", n)
	}
	for _, repository := range repositories(t, dir) {
		leak(repository, git(t, repository, "cat-file", "--batch-all-objects", "--batch"))
	}
}
