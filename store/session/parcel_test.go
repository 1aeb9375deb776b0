package session

import (
	"bytes"
	"errors"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"dormouse/store/memory"
)

// exported is a session of several turns, a retry and a long text, and its parcel.
func exported(t *testing.T) (*Session, []byte) {
	t.Helper()
	x := ensure(t, newStore(t), "one")
	add(t, x, true, true, talk(1, 4)...)
	b := x.Begin(false)
	f, err := b.File(strings.NewReader(strings.Repeat("a long text\n", 100_000)), "txt")
	if err != nil {
		t.Fatal(err)
	}
	long := talk(4, 6)
	long[0].Metadata.Files = []memory.File{f}
	fork := long[1]
	fork.ID, fork.ParentID, fork.Output = "forked", memory.Ref(long[0].ID), "another answer"
	for _, n := range append(long, fork) {
		if _, err := b.Append(n); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Close(true); err != nil {
		t.Fatal(err)
	}
	if err := x.Update(func(m *memory.Session) { m.Title, m.Machine, m.Pinned = "What we said", "aa", true }); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := x.Export(&out); err != nil {
		t.Fatal(err)
	}
	return x, out.Bytes()
}

func TestAParcelMakesTheSameSessionCommitForCommit(t *testing.T) {
	x, parcel := exported(t)
	s := newStore(t)
	y, err := s.Import(x.Meta().ID, bytes.NewReader(parcel))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(all(t, y), all(t, x)) {
		t.Error("other nodes came in")
	}
	refs := func(x *Session) string { return stock(t, x.Dir(), "for-each-ref", "refs/heads") }
	if refs(x) != refs(y) || !strings.Contains(refs(x), "retry-") {
		t.Errorf("branches of the one\n%s\nand the other\n%s", refs(x), refs(y))
	}
	if got, want := y.Meta(), x.Meta(); got.Title != want.Title || got.Machine != "aa" || !got.Pinned || got.Nodes != want.Nodes || got.Turns != want.Turns {
		t.Errorf("%+v, want %+v", got, want)
	}
	for _, n := range all(t, y) {
		for _, f := range n.Metadata.Files {
			r, err := y.File(f)
			if err != nil {
				t.Fatal(err)
			}
			if raw, err := io.ReadAll(r); err != nil || int64(len(raw)) != f.Bytes || r.Close() != nil {
				t.Errorf("%d bytes, %v", len(raw), err)
			}
		}
	}
	sound(t, y)
	if _, err := s.Import(x.Meta().ID, bytes.NewReader(parcel)); !errors.Is(err, ErrThere) {
		t.Errorf("a second time: %v", err)
	}
	if err := s.Drop(x.Meta().ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Open(x.Meta().ID); !errors.Is(err, ErrNotFound) || errors.Is(err, ErrDeleted) {
		t.Errorf("dropped: %v", err)
	}
	if _, err := s.Import(x.Meta().ID, bytes.NewReader(parcel)); err != nil {
		t.Errorf("it does not come back: %v", err)
	}
}

func TestADamagedParcelMakesNoSession(t *testing.T) {
	x, parcel := exported(t)
	id := x.Meta().ID
	s := newStore(t)
	for name, bad := range map[string]string{
		"empty":               "",
		"cut in a line":       string(parcel[:len(parcel)-10]),
		"cut in a text":       string(parcel[:bytes.Index(parcel, []byte("a long text"))+1000]),
		"no node":             string(parcel[:bytes.IndexByte(parcel, '\n')+1]),
		"another session's":   strings.Replace(string(parcel), id, "cc_00000000", 1),
		"of nobody":           strings.Replace(string(parcel), `"machine":"aa"`, `"machine":""`, 1),
		"another text":        strings.Replace(string(parcel), "a long text", "a wrong text", 1),
		"other text, as long": strings.Replace(string(parcel), "a long text", "a wrong tex", 1),
		"newer":               strings.Replace(string(parcel), `"dormouse_session":1`, `"dormouse_session":2`, 1),
		"no JSON":             string(parcel) + "{broken\n",
		"a path for an id":    strings.Replace(string(parcel), `"id":"forked"`, `"id":"../forked"`, 1),
	} {
		if bad == string(parcel) {
			t.Fatalf("%s: nothing was changed", name)
		}
		if _, err := s.Import(id, strings.NewReader(bad)); err == nil {
			t.Errorf("%s: taken", name)
		}
		if _, err := s.Open(id); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	entries, err := os.ReadDir(s.opts.Dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) || len(entries) > 0 {
		t.Errorf("left: %v %v", entries, err)
	}
	if _, err := s.Import(id, bytes.NewReader(parcel)); err != nil {
		t.Errorf("after that the whole one is not taken: %v", err)
	}
}

func FuzzImport(f *testing.F) {
	f.Add([]byte(`{"dormouse_session":1,"meta":{"id":"cc_11111111","agent":"a","agent_session_id":"b","machine":"aa"}}` + "\n" +
		`{"node":{"id":"n1","role":"user","output":"x","metadata":{"turn":1,"kind":"prompt"}}}` + "\n"))
	f.Fuzz(func(t *testing.T, parcel []byte) {
		s := newStore(t)
		x, err := s.Import("cc_11111111", bytes.NewReader(parcel))
		if err == nil && x.Len() == 0 {
			t.Error("a session without a node")
		}
	})
}
