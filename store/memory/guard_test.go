package memory

import (
	"strings"
	"testing"
)

// stated are sentences in which a secret of words alone is given away, with the secret.
var stated = [][2]string{
	{"The password for the staging database is winterfell.", "winterfell"},
	{"Use the password sunshine for the demo account.", "sunshine"},
	{"The passphrase is correct horse battery staple, and it never changes.", "horse battery staple"},
	{"Log in as bob / monkey on the wiki.", "monkey"},
	{"Credentials are bob / letmein", "letmein"},
	{"Decided to use hunter2 as the root password.", "hunter2"},
	{"The username and password are bob and dragon.", "dragon"},
	{"Passwort für den Server ist sonnenblume", "sonnenblume"},
	{"Wifi password:\n\n    swordfish", "swordfish"},
	{"The password is `monkey`, as before.", "monkey"},
	{"数据库密码是dragonfly，请勿外传", "dragonfly"},
	{"PIN is 4821", "4821"},
	{"_authToken=550e8400-e29b-41d4-a716-446655440000", "e29b"},
	{"The API key is abcd1234efgh", "abcd1234efgh"},
}

func TestGuardTakesOutWhatIsGivenToTheNameOfASecret(t *testing.T) {
	for _, s := range stated {
		clean := Guard(s[0])
		if strings.Contains(clean, s[1]) || !strings.Contains(clean, guarded) {
			t.Errorf("%q became %q", s[0], clean)
		}
		if again := Guard(clean); again != clean {
			t.Errorf("%q became %q at the second time", clean, again)
		}
	}
}

func TestGuardKeepsWhatFollows(t *testing.T) {
	if got, want := Guard("The password is sunshine and the host is db1."), "The password is "+guarded+" and the host is db1."; got != want {
		t.Errorf("got %q", got)
	}
}

// TestAnOldRecordIsServedWithoutWhatItGivesAway folds decisions as they lie in logs of before: the log and its claims stay as they are, so that a
// refusal still bars, and what is served and drawn from them is the same on every machine.
func TestAnOldRecordIsServedWithoutWhatItGivesAway(t *testing.T) {
	e := sampleEvent("s", 5, "n1", "The password for the staging database is winterfell.")
	f := Fact{ID: "f1", Subject: "staging password", Verb: "is", Object: "winterfell", Scope: Global, Provenance: e.Provenance}
	ds := []Decision{addDecision(t, 1, "a", RecordEvent, EventClaim(&e), e.ID, e), addDecision(t, 2, "b", RecordFact, FactClaim(&f), f.ID, f)}
	s := Fold(ds)
	if out := published(t, s); strings.Contains(out, "winterfell") || strings.Count(out, guarded) != 2 {
		t.Errorf("served %s", out)
	}
	if got := s.ClaimOf(s.Events[e.ID]); got != EventClaim(&e) {
		t.Errorf("the claim became %s", got)
	}
	refuse := addDecision(t, 3, "a", RecordEvent, EventClaim(&e), e.ID, e)
	refuse.Accepted = false
	if s := Fold(append(ds, refuse)); s.Events[e.ID] != nil {
		t.Error("a refused record is back")
	}
}

func TestAProposalHoldsNoStatedSecret(t *testing.T) {
	e := sampleEvent("s", 5, "n1", "Log in with bob / monkey.")
	p, err := Propose(&e)
	if err != nil || strings.Contains(string(p.Record), "monkey") || p.ClaimKey != EventClaim(&e) {
		t.Errorf("%s, %v", p.Record, err)
	}
}

func FuzzGuard(f *testing.F) {
	for _, s := range stated {
		f.Add(s[0])
	}
	f.Fuzz(func(t *testing.T, text string) {
		clean := Guard(text)
		if again := Guard(clean); again != clean {
			t.Errorf("%q, then %q", clean, again)
		}
	})
}
