package daemon

import (
	"bufio"
	"context"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"dormouse/assets"
	"dormouse/service/api"
)

// childHome and childRoots tell a child process of the tests to be the service.
const (
	childHome  = "DORMOUSE_TEST_DAEMON_HOME"
	childRoots = "DORMOUSE_TEST_DAEMON_ROOTS"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(actClaude); dir != "" {
		playClaude(dir)
		os.Exit(0)
	}
	if dir := os.Getenv(childHome); dir != "" {
		p := params(dir, os.Getenv(childRoots))
		if at, err := time.Parse(time.RFC3339, os.Getenv(childNight)); err == nil {
			bedtime(&p, at)
		}
		p.Report = func(r Report) { _, _ = io.WriteString(os.Stdout, r.Stage+"\n") }
		if err := New(p).Run(context.Background()); err != nil {
			_, _ = io.WriteString(os.Stderr, err.Error()+"\n")
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// kills is how often a service is killed: more under `make stress`.
func kills() int {
	if os.Getenv("DORMOUSE_STRESS") != "" {
		return 200
	}
	return 20
}

func TestServiceKilledAtAnyMomentLosesNothingAndDoublesNothing(t *testing.T) {
	roots := samples(t)
	calm, began := t.TempDir(), time.Now()
	if err := start(t, params(calm, roots)).stop(); err != nil {
		t.Fatal(err)
	}
	span := time.Since(began) // kills are spread over the time that the work takes
	dir, r := t.TempDir(), rand.New(rand.NewPCG(7, 11))
	stages := map[string]int{}
	for i := range kills() {
		stages[killed(t, dir, roots, time.Duration(r.Int64N(int64(span))))]++
		if i%5 == 4 { // now and then all is begun anew, so that the early stages are hit too
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		}
	}
	s := start(t, params(dir, roots))
	st, err := s.Status(t.Context())
	if err != nil || len(st.Problems) > 0 {
		t.Errorf("problems %q, %v", st.Problems, err)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	sound(t, dir)
	if got, want := published(t, dir), published(t, calm); got != want {
		t.Errorf("published after kills:\n%s\nwithout:\n%s", got, want)
	}
	if got, want := histories(t, dir), histories(t, calm); got != want {
		t.Errorf("sessions after kills:\n%s\nwithout:\n%s", got, want)
	}
	t.Logf("killed in %v", stages)
}

// killed runs a service as a child and kills it after a while. It returns the last stage that it was in.
func killed(t *testing.T, dir, roots string, after time.Duration) string {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), childHome+"="+dir, childRoots+"="+roots)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	c.Stderr = &said
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	timer := time.AfterFunc(after, func() { _ = c.Process.Kill() })
	defer timer.Stop()
	last := "start"
	for lines := bufio.NewScanner(out); lines.Scan(); {
		last = lines.Text()
	}
	_ = c.Wait()
	if said.Len() > 0 {
		t.Errorf("killed after %v, the service said %s", after, said.String())
	}
	return last
}

// histories lists the commits of all sessions: equal nodes give equal commits.
func histories(t *testing.T, homeDir string) string {
	t.Helper()
	var out []string
	for _, dir := range repositories(t, homeDir)[1:] {
		out = append(out, filepath.Base(dir)+" "+strings.Join(strings.Fields(git(t, dir, "log", "--format=%H")), " "))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func TestOrderOfSessionsDoesNotShow(t *testing.T) {
	all := samples(t)
	var files []string
	err := filepath.WalkDir(all, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			files = append(files, p)
		}
		return err
	})
	if err != nil || len(files) < 9 {
		t.Fatalf("%v %v", files, err)
	}
	want := ""
	for seed := range 3 {
		order := rand.New(rand.NewPCG(uint64(seed), 1)).Perm(len(files))
		dir, roots := t.TempDir(), t.TempDir()
		for _, part := range [][]int{order[:3], order[3:6], order[6:]} {
			for _, i := range part {
				moveIn(t, files[i], all, roots)
			}
			if err := start(t, params(dir, roots)).stop(); err != nil {
				t.Fatal(err)
			}
		}
		got := published(t, dir)
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("order %v:\n%s\nthe first order:\n%s", order, got, want)
		}
	}
}

// moveIn copies a file to the same place below another root.
func moveIn(t *testing.T, file, from, to string) {
	t.Helper()
	rel, err := filepath.Rel(from, file)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(to, rel)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLiveSessionIsFollowedAndLearnedFromWhenToldTo(t *testing.T) {
	all, roots := samples(t), t.TempDir()
	var file string
	_ = filepath.WalkDir(filepath.Join(all, filepath.FromSlash(assets.SampleClaude)), func(p string, d fs.DirEntry, err error) error {
		if err == nil && strings.Contains(p, "agents-md-evaluator") && d.Type().IsRegular() {
			file = p
		}
		return err
	})
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rel, _ := filepath.Rel(all, file)
	path := filepath.Join(roots, rel)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	s := start(t, params(t.TempDir(), roots))
	changes := make(chan api.Change, 1000)
	go func() {
		for c, err := range s.Events(t.Context()) {
			if err != nil {
				return
			}
			changes <- c
		}
	}()
	half := len(whole) / 2
	if err := os.WriteFile(path, whole[:half], 0o600); err != nil { // ends in the middle of a line
		t.Fatal(err)
	}
	awaitChange(t, changes, "session_updated")
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(whole[half:]); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	awaitChange(t, changes, "session_updated")
	slept, err := s.Sleep(t.Context())
	if err != nil || slept.Run.Counts.Events == 0 {
		t.Fatalf("%+v %v", slept, err)
	}
	line, err := s.Timeline(t.Context(), api.TimelineQuery{})
	if err != nil || line.Total != slept.Run.Counts.Events {
		t.Errorf("%d events in the timeline, %+v, %v", line.Total, slept.Run.Counts, err)
	}
}

func awaitChange(t *testing.T, changes <-chan api.Change, kind string) {
	t.Helper()
	for {
		select {
		case c := <-changes:
			if c.Type == kind {
				return
			}
		case <-t.Context().Done():
			t.Fatalf("no %s", kind)
		}
	}
}
