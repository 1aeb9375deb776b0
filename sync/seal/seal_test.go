package seal

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"filippo.io/age"
)

func identity(t testing.TB) *age.X25519Identity {
	t.Helper()
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func deviceOf(id *age.X25519Identity, machine string) Device {
	return Device{Machine: machine, Recipient: id.Recipient().String(), Name: "name of " + machine}
}

func TestRingIsTakenFromCompanionsAlone(t *testing.T) {
	a, b := identity(t), identity(t)
	first := NewRing(deviceOf(a, "aa")).With(deviceOf(b, "bb"))
	raw, err := first.Seal()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := OpenRing(raw, b, first); err != nil || got.Generation() != 1 || len(got.Devices) != 2 {
		t.Fatalf("%+v %v", got, err)
	}
	if _, err := OpenRing(raw, identity(t), Ring{}); !errors.Is(err, ErrNoDevice) {
		t.Errorf("a stranger: %v", err)
	}
	second, ok := first.Without("bb")
	if !ok || second.Generation() != 2 || !first.Before(second) || second.Before(first) || len(second.Left) != 1 {
		t.Fatalf("%+v %v", second, ok)
	}
	raw, err = second.Seal()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := OpenRing(raw, a, first); err != nil || got.Generation() != 2 {
		t.Errorf("a newer ring of a companion: %+v %v", got, err)
	}
	if _, err := OpenRing(raw, b, first); !errors.Is(err, ErrNoDevice) {
		t.Errorf("the revoked one: %v", err)
	}
	// The revoked machine knows the first key. Who has taken the second one is not led back by it.
	forged, _ := first.Without("aa")
	forged = forged.With(deviceOf(a, "aa"))
	raw, _ = forged.Seal()
	if _, err := OpenRing(raw, a, second); !errors.Is(err, ErrForked) {
		t.Errorf("a ring that the revoked machine made: %v", err)
	}
	leap, _ := forged.Without("bb") // a later generation, in which the one that the revoked machine does not know is another, or is left out
	leap = leap.With(deviceOf(b, "bb"))
	raw, _ = leap.Seal()
	if _, err := OpenRing(raw, a, second); !errors.Is(err, ErrForked) {
		t.Errorf("a later ring that the revoked machine made: %v", err)
	}
	leap.Keys = []Dated{leap.Keys[0], leap.Keys[2]}
	raw, _ = leap.Seal()
	if got, err := OpenRing(raw, a, second); !errors.Is(err, ErrNotOurs) {
		t.Errorf("a later ring of the revoked machine's that leaves out what it does not know: %+v %v", got, err)
	}
	if got, err := OpenRing(raw, b, first); err != nil || got.Generation() != 3 {
		t.Errorf("who has not heard of the revocation cannot tell, and has to take it: %+v %v", got, err)
	}
	raw, _ = NewRing(deviceOf(a, "aa")).Seal()
	if _, err := OpenRing(raw, a, second); !errors.Is(err, ErrNotOurs) {
		t.Errorf("a stranger's ring: %v", err)
	}
}

func TestSegmentIsOpenedByTheKeyInForceAlone(t *testing.T) {
	ring := NewRing(deviceOf(identity(t), "aa"))
	s := Segment{Log: "log/aa/2026-06-18.jsonl", From: 12, Data: bytes.Repeat([]byte(`{"a":"line"}`+"\n"), 1000)}
	raw, err := ring.SealSegment(s)
	if err != nil {
		t.Fatal(err)
	}
	if len(raw) > 1000 || bytes.Contains(raw, []byte("2026")) {
		t.Errorf("%d bytes", len(raw))
	}
	got, err := ring.OpenSegment(raw)
	if err != nil || got.Log != s.Log || got.From != s.From || !bytes.Equal(got.Data, s.Data) {
		t.Fatalf("%v", err)
	}
	for i := range raw { // every byte is vouched for
		bad := bytes.Clone(raw)
		bad[i] ^= 1
		if got, err := ring.OpenSegment(bad); err == nil {
			t.Fatalf("byte %d of %d may be changed: %q", i, len(raw), got.Log)
		}
		if _, err := ring.OpenSegment(raw[:i]); err == nil {
			t.Fatalf("it may be cut off at %d of %d", i, len(raw))
		}
	}
	next, _ := ring.With(deviceOf(identity(t), "bb")).Without("bb")
	if _, err := next.OpenSegment(raw); !errors.Is(err, ErrNotOurs) {
		t.Errorf("under an earlier key: %v", err)
	}
	if a, b := ring.Name(s), next.Name(s); a == b || len(a) != 32 || strings.Trim(a, "0123456789abcdef") != "" {
		t.Errorf("names %s %s", a, b)
	}
	moved := s
	moved.From++
	if ring.Name(s) == ring.Name(moved) {
		t.Error("two segments have one name")
	}
}

func TestSizesOfSegmentsTellLittle(t *testing.T) {
	r := NewRing(deviceOf(identity(t), "aa"))
	rng := rand.New(rand.NewPCG(1, 2))
	size := func(n int) int {
		t.Helper()
		data := make([]byte, n)
		for i := range data {
			data[i] = byte(rng.IntN(256)) // packs to no less than itself
		}
		raw, err := r.SealSegment(Segment{Log: "log/aa/2026-06-18.jsonl", Data: data})
		if err != nil {
			t.Fatal(err)
		}
		if len(raw) > maxSegment || n > 4096 && len(raw) > n*115/100+1024 {
			t.Errorf("%d bytes became %d", n, len(raw))
		}
		if got, err := r.OpenSegment(raw); err != nil || !bytes.Equal(got.Data, data) {
			t.Fatalf("%d bytes: %v", n, err)
		}
		return len(raw)
	}
	if size(10) != size(300) || size(9_000) != size(9_100) || size(9_000) == size(10_500) || size(MaxData-1000) != size(MaxData-10_000) {
		t.Error("the size tells the length")
	}
	size(MaxData)
	for n, want := range map[int]int{1: 512, 512: 512, 513: 544, 9_000: 9_216, 100_000: 100_352, 1 << 20: 1 << 20} {
		if got := padded(n); got != want {
			t.Errorf("%d bytes are filled up to %d, want %d", n, got, want)
		}
	}
}

func TestCutAndOpenLoseNothing(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789"), MaxData/10*5/2)
	at := int64(7)
	for _, s := range Cut("log/aa/x.jsonl", 7, data) {
		if s.From != at || len(s.Data) > MaxData || len(s.Data) == 0 {
			t.Errorf("from %d, %d bytes", s.From, len(s.Data))
		}
		at += int64(len(s.Data))
	}
	if at != 7+int64(len(data)) {
		t.Errorf("ends at %d", at)
	}
}

func TestCodeVouchesForBothSidesAndOpensNothingByItself(t *testing.T) {
	code, young := NewCode(), identity(t)
	if len(code) != 11 || code == NewCode() {
		t.Errorf("code %s", code)
	}
	ring := NewRing(deviceOf(identity(t), "aa"))
	mine, err := NewCodeKey(" " + strings.ToLower(code) + "\n")
	if err != nil {
		t.Fatal(err)
	}
	raw, err := mine.Close(Request{deviceOf(young, "bb")})
	if err != nil || bytes.Contains(raw, []byte("name of")) {
		t.Fatal(err)
	}
	if _, _, err := OpenRequest(raw, "00000-00000"); err == nil {
		t.Error("another code opens it")
	}
	req, theirs, err := OpenRequest(raw, code)
	if err != nil || req.Machine != "bb" {
		t.Fatalf("%+v %v", req, err)
	}
	answer, err := theirs.Answer(ring.With(req.Device), req.Device)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := mine.OpenAnswer(answer, young); err != nil || len(got.Devices) != 2 {
		t.Errorf("%+v %v", got, err)
	}
	if _, err := mine.OpenAnswer(answer, identity(t)); !errors.Is(err, ErrNoDevice) {
		t.Errorf("the code alone: %v", err)
	}
	if _, err := mine.OpenAnswer(raw, young); err == nil {
		t.Error("a request is taken for an answer")
	}
	other, _ := NewCodeKey("00000-00000")
	forged, _ := other.Answer(NewRing(deviceOf(young, "bb")), req.Device)
	if _, err := mine.OpenAnswer(forged, young); err == nil {
		t.Error("who does not know the code can answer")
	}
	for _, bad := range []string{"", "1234", "7K3QX-90MTBU", "7K3QX_90MTB"} {
		if _, err := NewCodeKey(bad); err == nil {
			t.Errorf("%q is a code", bad)
		}
	}
}

// FuzzFromTheRemote reads what an enemy may have put there as each of the things that it may stand for.
func FuzzFromTheRemote(f *testing.F) {
	id := identity(f)
	ring := NewRing(deviceOf(id, "aa"))
	seg, _ := ring.SealSegment(Segment{"log/aa/2026-06-18.jsonl", 0, []byte("{}\n")})
	keys, _ := ring.Seal()
	body, _ := ring.encode()
	f.Add(seg)
	f.Add(keys)
	f.Add(body)
	f.Add([]byte(`{"ring":{"keys":[{"generation":1}]},"macs":[""]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if s, err := ring.OpenSegment(raw); err == nil && !bytes.Equal(s.Data, []byte("{}\n")) {
			t.Error("a segment was forged")
		}
		if r, err := OpenRing(raw, id, ring); err == nil && r.Generation() != 1 {
			t.Error("a ring was forged")
		}
		if r, err := decodeRing(raw, ring); err == nil && !bytes.Equal(r.Keys[0].Key, ring.Keys[0].Key) {
			t.Error("a ring was forged")
		}
		k := CodeKey{salt: make([]byte, saltSize), key: make([]byte, keyBytes)}
		if _, err := k.open("answer", raw); err == nil {
			t.Error("an answer was forged")
		}
	})
}
