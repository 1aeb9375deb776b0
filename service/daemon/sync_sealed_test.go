package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/assets"
	"dormouse/service/api"
)

// TestTwoLaptopsThroughAnEncryptedStick is the run of the README: learn on one, let the other in by a code, ask there, refuse there, and
// it stays refused on the first.
func TestTwoLaptopsThroughAnEncryptedStick(t *testing.T) {
	bare, pA, pB := remote(t), learnedFrom(t, assets.SampleClaude), learnedFrom(t, assets.SampleCodex)
	dirA, dirB, a := pA.Home.Dir(), pB.Home.Dir(), start(t, pA)
	if res, err := a.SyncChoose(t.Context(), api.SyncChoice{URL: bare, Encrypt: true}); err != nil || !res.Sent || !res.Sync.Encrypted {
		t.Fatalf("%+v %v", res, err)
	}
	b := start(t, pB)
	var e *api.Error
	if _, err := b.SyncSetup(t.Context(), bare); !errors.As(err, &e) || e.Code != api.CodeBadRequest || !strings.Contains(e.Message, "devices invite") {
		t.Errorf("without a code: %v", err)
	}
	if _, err := b.Invite(t.Context()); !errors.As(err, &e) || e.Code != api.CodeBadRequest {
		t.Errorf("a code for nothing: %v", err)
	}
	code, err := a.Invite(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	joined := make(chan error, 1)
	go func() {
		res, err := b.SyncChoose(t.Context(), api.SyncChoice{URL: bare, Code: code.Code})
		if err == nil && res.Received == 0 {
			err = errors.New("nothing came in")
		}
		joined <- err
	}()
	for waiting := true; waiting; { // as dormouse devices invite does
		if _, err := a.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-joined:
			if waiting = false; err != nil {
				t.Fatal(err)
			}
		default:
		}
	}
	if _, err := a.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	if summaries(t, a) != summaries(t, b) {
		t.Errorf("a tells\n%s\nb\n%s", summaries(t, a), summaries(t, b))
	}
	ds, err := a.Devices(t.Context())
	if err != nil || len(ds.Devices) != 2 {
		t.Fatal(ds, err)
	}
	home2 := ds.Devices[1].ID
	theirs, err := b.Sessions(t.Context(), api.SessionQuery{Limit: 1})
	if err != nil || len(theirs) != 1 {
		t.Fatal(theirs, err)
	}
	if _, err := a.Session(t.Context(), theirs[0].ID, nil); !errors.As(err, &e) || e.Code != api.CodeElsewhere || !strings.Contains(e.Message, home2) {
		t.Errorf("a session of the other machine: %v", err)
	}
	line, err := b.Timeline(t.Context(), api.TimelineQuery{Limit: 1})
	if err != nil || len(line.Events) != 1 {
		t.Fatal(line, err)
	}
	id := line.Events[0].ID
	if _, err := b.Decide(t.Context(), api.Decide{Action: api.DoRefuse, ID: id, Reason: "not so"}); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*service{b, a} {
		if _, err := s.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := a.Sleep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(summaries(t, a), id+" ") {
		t.Error("what was refused on the other is there after a sleep")
	}
	ds, err = a.Devices(t.Context())
	if err != nil || !ds.Encrypted || len(ds.Devices) != 2 || !ds.Devices[0].This || ds.Devices[1].Entries == 0 || ds.Devices[1].Seen == 0 || ds.Devices[1].Name == "" {
		t.Errorf("%+v %v", ds, err)
	}
	if info, err := os.Stat(filepath.Join(dirA, keysFile)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	out, err := a.Revoke(t.Context(), ds.Devices[1].ID)
	if err != nil || out.Kept || !out.Device.Revoked {
		t.Fatalf("%+v %v", out, err)
	}
	if _, err := b.Sync(t.Context()); !errors.As(err, &e) || !strings.Contains(e.Message, "revoked") {
		t.Errorf("the revoked one: %v", err)
	}
	sound(t, dirA)
	sound(t, dirB)
}
