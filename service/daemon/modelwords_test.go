package daemon

import (
	"strings"
	"testing"

	"dormouse/service/api"
)

// TestWhatAProviderRepeatsIsRedactedWhereverItIsTold has a provider repeat a secret that is not its key in its refusal.
func TestWhatAProviderRepeatsIsRedactedWhereverItIsTold(t *testing.T) {
	for name, words := range map[string]string{
		"by its look": "the request holds " + planted + ", which is not taken",
		"by its name": "the request holds the password is " + "sunshine" + "flower",
	} {
		t.Run(name, func(t *testing.T) {
			secret := map[string]string{"by its look": planted, "by its name": "sunshine" + "flower"}[name]
			k := newChatter(t, func(int, string) (int, string) { return 400, words + strings.Repeat(" and so on", 100) })
			p := modelParams(t, k.URL, 1)
			s := start(t, p)
			st := until(t, s, "the reason", func(st api.Status) bool { return st.LLM.Why != "" })
			got, err := s.TryModel(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, said := range []string{st.LLM.Why, got.Failure} {
				if strings.Contains(said, secret) || !strings.Contains(said, "the request holds") || !strings.Contains(said, "[redacted:") || len(said) > 400 {
					t.Errorf("%d bytes: %s", len(said), said)
				}
			}
			if err := s.stop(); err != nil {
				t.Fatal(err)
			}
			secretIn(t, p.Home.Dir(), secret)
		})
	}
}
