package crash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dormouse/service/api"
	"dormouse/store/home"
)

// kills is how often a service is killed: more under `make stress`.
func kills() int {
	if os.Getenv("DORMOUSE_STRESS") != "" {
		return 200
	}
	return 20
}

func TestServiceKilledAtAnyMomentLosesNothingAndDoublesNothing(t *testing.T) {
	calm := bed{home: t.TempDir(), roots: samples(t), at: clock}
	began := time.Now()
	calm.through(t)
	span := time.Since(began) // kills are spread over the time that the work takes
	b, r := calm, rand.New(rand.NewPCG(7, 11))
	b.home = t.TempDir()
	const caughtUp = "problems" // what a service says at last
	stages := map[string]int{}
	for i := range kills() {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(r.Int64N(int64(span))))
		last, _, _ := strings.Cut(b.start(ctx, t).end(t), " ")
		stages[last]++
		cancel()
		if last == caughtUp || i%5 == 4 { // there is nothing left to be killed at; and the early stages are to be hit often
			if err := os.RemoveAll(b.home); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.through(t)
	sound(t, b.home)
	same(t, "after kills", b.home, calm.home)
	if len(stages) < 3 {
		t.Errorf("it was killed in %v alone", stages)
	}
	t.Logf("killed in %v", stages)
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
		b := bed{home: t.TempDir(), roots: t.TempDir(), at: clock}
		for _, part := range [][]int{order[:3], order[3:6], order[6:]} {
			for _, i := range part {
				moveIn(t, files[i], all, b.roots)
			}
			b.through(t)
		}
		got := published(t, b.home)
		if want == "" {
			want = got
		}
		if got != want || !strings.Contains(got, "core.md") {
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
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, data, 0o600)); err != nil {
		t.Fatal(err)
	}
}

// nightsFile is where a service keeps its nights.
const nightsFile = "sleep.json"

// nightOf is the last night that a service has kept.
func nightOf(t *testing.T, homeDir string) (n api.Night) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(homeDir, nightsFile))
	if err != nil {
		return n
	}
	var kept struct{ Nights []api.Night }
	if err := json.Unmarshal(b, &kept); err != nil {
		t.Fatal(err)
	}
	if len(kept.Nights) > 0 {
		n = kept.Nights[len(kept.Nights)-1]
	}
	return n
}

// newest is when anything happened last in the sessions of a state folder.
func newest(t *testing.T, homeDir string) (at time.Time) {
	t.Helper()
	metas, err := filepath.Glob(filepath.Join(home.At(homeDir).Sessions(), "*", "meta.json"))
	if err != nil || len(metas) == 0 {
		t.Fatal(metas, err)
	}
	for _, m := range metas {
		var meta struct {
			UpdatedAt int64 `json:"updated_at"`
		}
		b, err := os.ReadFile(m)
		if err := errors.Join(err, json.Unmarshal(b, &meta)); err != nil || meta.UpdatedAt == 0 {
			t.Fatal(m, err)
		}
		if x := time.Unix(meta.UpdatedAt, 0); x.After(at) {
			at = x
		}
	}
	return at
}

func TestKilledInMidSleepItGoesOnAndLosesNothing(t *testing.T) {
	probe := bed{home: t.TempDir(), roots: samples(t), at: clock}
	probe.through(t)
	now := newest(t, probe.home).Add(time.Hour)
	lay := func() bed { // a memory that has missed three nights
		dir := t.TempDir()
		kept := fmt.Sprintf(`{"since":%d,"wanted":0,"nights":[]}`, now.AddDate(0, 0, -3).Unix())
		if err := os.WriteFile(filepath.Join(dir, nightsFile), []byte(kept), 0o600); err != nil {
			t.Fatal(err)
		}
		return bed{home: dir, roots: probe.roots, at: now, night: true}
	}
	through := func(b bed) api.Night {
		t.Helper()
		p := b.start(t.Context(), t)
		for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			if n := nightOf(t, b.home); n.Ended != 0 {
				p.stop(t)
				return n
			}
		}
		t.Fatalf("the night does not end: %+v", nightOf(t, b.home))
		return api.Night{}
	}
	calm := lay()
	want := through(calm)
	span := time.Duration(0)
	for _, st := range want.Stages {
		span += time.Duration(st.Milliseconds) * time.Millisecond
	}
	if want.Counts.Nodes == 0 || want.Due == 0 {
		t.Fatalf("the night had nothing to do: %+v", want)
	}
	b := lay()
	rounds, inside := 5, 0
	if kills() > 20 {
		rounds = 40
	}
	for i := range rounds {
		ctx, cancel := context.WithCancel(t.Context())
		p := b.start(ctx, t)
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
			if nightOf(t, b.home).Began != 0 {
				break // it sleeps, or has slept
			}
		}
		time.Sleep(span * time.Duration(i) / time.Duration(rounds+1))
		cancel()
		p.end(t)
		if n := nightOf(t, b.home); n.Began != 0 && n.Ended == 0 {
			inside++
		}
	}
	if inside == 0 {
		t.Error("it was never killed in its sleep")
	}
	got := through(b)
	if got.Counts.Events != want.Counts.Events || got.Counts.Nodes != want.Counts.Nodes || len(got.Failures()) > 0 {
		t.Errorf("after kills %+v\nwithout %+v", got, want)
	}
	same(t, "after kills in its sleep", b.home, calm.home)
	sound(t, b.home)
}
