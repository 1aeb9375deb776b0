package daemon

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"dormouse/service/capture"
	"dormouse/service/redact"
	"dormouse/store/project/edit"
	"dormouse/store/project/shadow"
	"dormouse/store/session"
)

// sampleRoots are the folders of transcripts by agent: the samples that the product carries, and the wider set beside the
// repository where it is.
func sampleRoots(t *testing.T) map[string][]string {
	t.Helper()
	roots := params(t.TempDir(), samples(t)).Config.Capture.Roots
	for _, agent := range []string{"claude-code", "codex"} {
		wide, err := filepath.Abs(filepath.Join("..", "..", "..", "shared", "samples", agent))
		if info, statErr := os.Stat(wide); err == nil && statErr == nil && info.IsDir() {
			roots[agent] = append(roots[agent], wide)
		} else {
			t.Logf("the wide set of samples is not at %s: only those in assets are checked", wide)
		}
	}
	return roots
}

func TestEveryTurnOfTheSamplesThatIsExactLeadsFromBeforeToAfterInBulk(t *testing.T) {
	sessions := session.New(session.Options{Dir: filepath.Join(t.TempDir(), "sessions"), Machine: "m"})
	defer sessions.Close()
	r, err := redact.New(redact.Options{Key: []byte("k")})
	if err != nil {
		t.Fatal(err)
	}
	engine := capture.New(capture.Options{Roots: sampleRoots(t), Env: func(string) string { return "" }, Home: t.TempDir(), Sessions: sessions, Redact: r.Node})
	if err := engine.Scan(t.Context()); err != nil {
		t.Fatal(err)
	}
	store := shadow.New(shadow.Options{Dir: filepath.Join(t.TempDir(), "shadow"),
		Secret:  func(s string) (bool, error) { _, n, err := r.Text(s); return n > 0, err },
		Ignored: func(context.Context, string, []string) (map[string]bool, error) { return nil, nil }})
	all, _, err := sessions.List()
	if err != nil {
		t.Fatal(err)
	}
	sources, checked, kept := map[string]int{}, 0, 0
	for _, m := range all {
		x, err := sessions.Open(m.ID)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := store.Record(t.Context(), shadow.Session{ID: m.ID, Agent: m.Agent, Cwd: m.Cwd, ProjectID: "proj_1", History: x}); err != nil {
			t.Fatal(err)
		}
		turns, err := store.Turns("proj_1", m.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, turn := range turns {
			_, changes, err := store.Changes("proj_1", m.ID, turn.N)
			if err != nil {
				t.Fatal(err)
			}
			for i := range changes {
				c := &changes[i]
				sources[string(c.Before)+" -> "+string(c.After)+" "+c.Why]++
				kept += len(c.New.Text)
				checked += leads(t, x, turn.N, c)
			}
		}
	}
	if _, err := store.Pack("proj_1", 1); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("git", "-C", store.Dir("proj_1"), "fsck", "--strict", "--full").CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
	u, err := store.Usage("proj_1")
	t.Logf("%d sessions, %v; %d turns' files checked; contents of %d bytes take %+v, %v", len(all), sources, checked, kept, u, err)
	if checked == 0 {
		t.Error("no turn was checked")
	}
}

// leads holds a file's recorded sides against the turn's own calls, where both are exact and nobody else took part.
func leads(t *testing.T, x *session.Session, turn int, c *shadow.Change) int {
	t.Helper()
	if c.Before != shadow.Exact || c.After != shadow.Exact || c.Old.Why != "" || c.New.Why != "" || c.Mixed {
		return 0
	}
	nodes, err := x.Turn(turn)
	if err != nil {
		t.Fatal(err)
	}
	state, calls := c.Old.State, 0
	for i := range nodes {
		for _, one := range edit.Of(&nodes[i]) {
			if one.Path != c.Path && one.Path != filepath.Join(x.Meta().Cwd, c.Path) {
				continue
			}
			calls++
			after, ok := one.Apply(state)
			if !ok {
				return 0 // the calls took effect in another order
			}
			state = after
		}
	}
	if calls != c.Edits {
		return 0 // some of them name the file in another way
	}
	if state != c.New.State {
		t.Errorf("turn %d, %s %v: the calls lead to another content than is recorded", turn, c.Path, c.File)
	}
	return 1
}
