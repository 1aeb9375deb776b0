package daemon

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dormouse/assets"
	"dormouse/service/api"
	"dormouse/service/config"
	"dormouse/store/gitrepo"
	"dormouse/store/home"
	"dormouse/sync/gitsync"
)

// remote makes an empty repository to exchange through.
func remote(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "memory.git")
	git(t, t.TempDir(), "init", "-q", "--bare", "-b", "main", dir)
	return dir
}

// half lays out the sample sessions of one agent alone.
func half(t *testing.T, agent string) string {
	t.Helper()
	all := samples(t)
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, filepath.FromSlash(agent)), os.DirFS(filepath.Join(all, filepath.FromSlash(agent)))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// summaries is the timeline as the local API tells it, in the order of ids.
func summaries(t *testing.T, s *service) string {
	t.Helper()
	line, err := s.Timeline(t.Context(), api.TimelineQuery{Limit: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range line.Events {
		b.WriteString(e.ID + " " + e.Summary + "\n")
	}
	return b.String()
}

func TestTwoServicesLearnFromDifferentSessionsAndEndEqualThroughARemote(t *testing.T) {
	bare, pA, pB := remote(t), learnedFrom(t, assets.SampleClaude), learnedFrom(t, assets.SampleCodex)
	dirA, dirB, a, b := pA.Home.Dir(), pB.Home.Dir(), start(t, pA), start(t, pB)
	onlyA, onlyB := summaries(t, a), summaries(t, b)
	if onlyA == "" || onlyB == "" || onlyA == onlyB {
		t.Fatal("the two have nothing different to learn")
	}
	changes := make(chan api.Change, 1000)
	go func() {
		for c, err := range a.Events(t.Context()) {
			if err != nil {
				return
			}
			changes <- c
		}
	}()
	if st, err := a.Status(t.Context()); err != nil || st.Sync.Remote != "" || partNamed(st, "sync").State != "off" {
		t.Errorf("before: %+v %v", st.Sync, err)
	}
	if res, err := a.SyncSetup(t.Context(), bare); err != nil || !res.Sent || res.Sync.Remote != bare || res.Sync.Machines != 1 {
		t.Fatalf("%+v %v", res, err)
	}
	if res, err := b.SyncSetup(t.Context(), bare); err != nil || !res.Sent || res.Received == 0 || res.Sync.Machines != 2 {
		t.Fatalf("%+v %v", res, err)
	}
	if res, err := a.Sync(t.Context()); err != nil || res.Sent { // an exchange in the background may have brought it already
		t.Fatalf("%+v %v", res, err)
	}
	theirs, err := b.Sessions(t.Context(), api.SessionQuery{Limit: 1})
	if err != nil || len(theirs) != 1 {
		t.Fatalf("%d sessions, %v", len(theirs), err)
	}
	var e *api.Error
	if _, err := a.Session(t.Context(), theirs[0].ID, nil); !errors.As(err, &e) || e.Code != api.CodeElsewhere || !strings.Contains(e.Message, theirs[0].ID) {
		t.Errorf("a session of the other machine: %v", err)
	}
	awaitChange(t, changes, "synced")
	both := summaries(t, a)
	if both != summaries(t, b) {
		t.Errorf("a tells\n%s\nb\n%s", both, summaries(t, b))
	}
	for _, l := range strings.Split(onlyA+onlyB, "\n") {
		if !strings.Contains(both, l) {
			t.Errorf("lost: %s", l)
		}
	}
	found, err := a.Search(t.Context(), api.SearchQuery{Words: strings.SplitN(onlyB, " ", 2)[1], Kinds: []string{"event"}, Limit: 5})
	if err != nil || len(found.Hits) == 0 {
		t.Errorf("what came in is not found: %+v %v", found, err)
	}
	if got, want := published(t, dirA), published(t, dirB); got != want {
		t.Errorf("a publishes\n%s\nb\n%s", got, want)
	}
	st, err := a.Status(t.Context())
	if p := partNamed(st, "sync"); err != nil || p.State != "ok" || p.LastOK == 0 || st.Sync.LastOK == 0 || len(st.Problems) > 0 {
		t.Errorf("%+v %+v %q %v", p, st.Sync, st.Problems, err)
	}
	// A session that both have is distilled once.
	if err := b.stop(); err != nil {
		t.Fatal(err)
	}
	before := git(t, dirB+"/memory", "rev-parse", "main")
	b = start(t, params(dirB, half(t, assets.SampleClaude)))
	if got := summaries(t, b); got != both {
		t.Errorf("a second look at the same sessions tells\n%s\nnot\n%s", got, both)
	}
	if after := git(t, dirB+"/memory", "rev-parse", "main"); after != before {
		t.Error("what the other machine has dealt with was distilled again:\n" + git(t, dirB+"/memory", "log", "-3", "--stat", "--format=%s"))
	}
	sound(t, dirA)
	sound(t, dirB)
}

func partNamed(st api.Status, name string) api.Part {
	for _, p := range st.Parts {
		if p.Name == name {
			return p
		}
	}
	return api.Part{}
}

func TestServiceExchangesAtStartAndAfterASleepByItself(t *testing.T) {
	bare, dir, roots := remote(t), t.TempDir(), half(t, assets.SampleCodex)
	first := start(t, params(dir, roots))
	if _, err := first.SyncSetup(t.Context(), bare); err != nil {
		t.Fatal(err)
	}
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}
	o := start(t, learnedFrom(t, assets.SampleClaude))
	if _, err := o.SyncSetup(t.Context(), bare); err != nil {
		t.Fatal(err)
	}
	s := start(t, params(dir, roots))
	awaitState(t, s, func(st api.Status) bool { return st.Sync.LastOK != 0 && st.Sync.Machines == 2 })
	tip := git(t, bare, "rev-parse", "main")
	// The clock of the test stands still, so what is new has to be older than its last node.
	give := filepath.Join(roots, filepath.FromSlash(assets.SampleCodex), "2026", "01", "01")
	if err := os.MkdirAll(give, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(give, "rollout-2026-01-01T10-00-00-0199aaaa-0000-7000-8000-000000000001.jsonl"), []byte(codexTalk), 0o600); err != nil {
		t.Fatal(err)
	}
	st, err := s.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	awaitState(t, s, func(now api.Status) bool { return now.Counts.Sessions > st.Counts.Sessions })
	if slept, err := s.Sleep(t.Context()); err != nil || slept.Run.Counts.Nodes == 0 {
		t.Fatalf("%+v %v", slept, err)
	}
	awaitState(t, s, func(api.Status) bool { return git(t, bare, "rev-parse", "main") != tip })
}

// codexTalk is a short session of Codex.
const codexTalk = `{"timestamp":"2026-01-01T10:00:00.000Z","type":"session_meta","payload":{"id":"0199aaaa-0000-7000-8000-000000000001","timestamp":"2026-01-01T10:00:00.000Z","cwd":"/home/dev/app","originator":"codex_cli_rs","cli_version":"0.50.0"}}
{"timestamp":"2026-01-01T10:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Please always use tabs in this project."}]}}
{"timestamp":"2026-01-01T10:00:02.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"I will use tabs from now on."}]}}
`

// awaitState waits until the status is as it should be.
func awaitState(t *testing.T, s *service, ok func(api.Status) bool) {
	t.Helper()
	for t.Context().Err() == nil {
		st, err := s.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if ok(st) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func TestRefusalsOfSyncReachThePersonWithTheWayOut(t *testing.T) {
	bare, p := remote(t), learnedFrom(t, assets.SampleCodex)
	dir, s := p.Home.Dir(), start(t, p)
	var e *api.Error
	if _, err := s.Sync(t.Context()); !errors.As(err, &e) || e.Code != api.CodeBadRequest || !strings.Contains(e.Message, "dormouse sync setup URL") {
		t.Errorf("without a remote: %v", err)
	}
	if _, err := s.SyncSetup(t.Context(), "https://me:secret@host/m.git"); !errors.As(err, &e) || e.Code != api.CodeBadRequest || strings.Contains(e.Message, "secret") {
		t.Errorf("with a password: %v", err)
	}
	if _, err := s.SyncSetup(t.Context(), filepath.Join(dir, "none.git")); err == nil || !strings.Contains(err.Error(), "git init --bare") {
		t.Errorf("no repository: %v", err)
	}
	if _, err := s.SyncSetup(t.Context(), bare); err != nil {
		t.Fatal(err)
	}
	git(t, bare, "update-ref", "-d", "refs/heads/main")
	for range 3 {
		if _, err := s.Sync(t.Context()); !errors.As(err, &e) || !strings.Contains(e.Message, "restore-remote") {
			t.Errorf("rewound: %v", err)
		}
	}
	st, err := s.Status(t.Context())
	if p := partNamed(st, "sync"); err != nil || p.State != "amber" || st.Sync.Failed < 3 || !strings.Contains(st.Sync.Failure, "rewound") {
		t.Errorf("%+v %+v %v", p, st.Sync, err)
	}
	if res, err := s.SyncRestore(t.Context(), bare); err != nil || !res.Sent || res.Sync.Failed != 0 {
		t.Errorf("restore: %+v %v", res, err)
	}
	if res, err := s.SyncSetup(t.Context(), ""); err != nil || res.Sync.Remote != "" {
		t.Errorf("off: %+v %v", res, err)
	}
	if st, err := s.Status(t.Context()); err != nil || partNamed(st, "sync").State != "off" || st.Sync.Failed != 0 {
		t.Errorf("%+v %v", st.Sync, err)
	}
}

func TestLogThatWasNotTakenIsAProblemInTheStatus(t *testing.T) {
	bare, pB := remote(t), learnedFrom(t, assets.SampleCodex)
	dirB, a, b := pB.Home.Dir(), start(t, learnedFrom(t, assets.SampleClaude)), start(t, pB)
	for _, s := range []*service{a, b, a} {
		if _, err := s.SyncSetup(t.Context(), bare); err != nil {
			t.Fatal(err)
		}
	}
	clone := filepath.Join(t.TempDir(), "clone")
	git(t, t.TempDir(), "clone", "-q", bare, clone)
	machine, err := home.At(dirB).Machine()
	if err != nil {
		t.Fatal(err)
	}
	logs, err := filepath.Glob(filepath.Join(clone, "log", machine, "*.jsonl"))
	if err != nil || len(logs) == 0 {
		t.Fatal(err)
	}
	if err := os.WriteFile(logs[0], []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	git(t, clone, "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qam", "tamper")
	git(t, clone, "push", "-q")
	before := summaries(t, a)
	if _, err := a.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	st, err := a.Status(t.Context())
	if err != nil || st.Sync.Aside != 1 || len(st.Problems) != 1 || !strings.Contains(st.Problems[0], "stays in force") || summaries(t, a) != before {
		t.Errorf("%+v %q %v", st.Sync, st.Problems, err)
	}
}

func TestTheDemosMemoryIsNotCarriedAnywhere(t *testing.T) {
	p := params(t.TempDir(), t.TempDir())
	p.Demo = true
	s := start(t, p)
	var e *api.Error
	if _, err := s.SyncSetup(t.Context(), remote(t)); !errors.As(err, &e) || e.Code != api.CodeForbidden {
		t.Errorf("%v", err)
	}
}

func TestExchangesComeInTheirTimeAndFailedOnesWithGrowingPauses(t *testing.T) {
	repo := t.TempDir() // without a remote, so that nothing is told of this machine
	git(t, repo, "init", "-q")
	synctest.Test(t, func(t *testing.T) {
		d := New(Params{Config: config.Config{Sync: config.Sync{Every: config.Duration(10 * time.Minute)}}})
		d.sync.soon = make(chan struct{}, 1)
		d.sync.Syncer = gitsync.New(gitsync.Options{Repo: gitrepo.Open(repo)})
		ctx, cancel := context.WithCancel(t.Context())
		began := time.Now()
		if !d.awaitSync(ctx, 10*time.Minute) || time.Since(began) != 10*time.Minute {
			t.Errorf("came after %v", time.Since(began))
		}
		began = time.Now()
		d.syncSoon()
		d.syncSoon()
		if !d.awaitSync(ctx, 10*time.Minute) || time.Since(began) != syncGather {
			t.Errorf("after a sleep it came after %v", time.Since(began))
		}
		cancel()
		if d.awaitSync(ctx, time.Minute) {
			t.Error("goes on after the end")
		}
		var pauses []string
		for range 8 {
			_, _ = d.exchange(t.Context(), func(context.Context) (gitsync.Result, error) { return gitsync.Result{}, errors.New("offline") })
			pauses = append(pauses, d.pauseAfter(errors.New("offline")).String())
		}
		if got := strings.Join(pauses, " "); got != "30s 1m0s 2m0s 4m0s 8m0s 10m0s 10m0s 10m0s" || d.syncing.report().State != "amber" {
			t.Errorf("pauses %s, %+v", got, d.syncing.report())
		}
	})
}
