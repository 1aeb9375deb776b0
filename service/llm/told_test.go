package llm

import (
	"errors"
	"net/http"
	"strings"
	"testing"
)

func TestWhatAProviderRepeatsOfOthersSecretsIsCleanedAndBounded(t *testing.T) {
	const secret = "a secret of somebody"
	clean := func(o *Options) {
		o.Clean = func(s string) string { return strings.ReplaceAll(s, secret, "[gone]") }
	}
	for _, w := range wires {
		for name, c := range map[string]struct {
			answer http.HandlerFunc
			kind   Kind
		}{
			"in an error":            {fails(400, "invalid_request_error", "you sent "+secret+strings.Repeat(" and more", 2000)), Request},
			"where its cut would be": {fails(400, "invalid_request_error", strings.Repeat("x", maxDetail-10)+secret+strings.Repeat("x", 500)), Request},
			"after all tries":        {fails(500, "api_error", secret), Server},
			"in an answer":           {w.says(`{"` + secret + `":1,"a":"` + secret + `"}`), BadAnswer},
		} {
			b := newBed(t, w.provider, newScript(t, c.answer).URL, clean)
			p := ask
			p.Check = func(string) error { return errors.New(secret + strings.Repeat("y", 900)) }
			_, err := b.Complete(t.Context(), p)
			f := failureOf(err)
			if f.Kind != c.kind || len(f.Detail) > maxDetail+len("…") {
				t.Errorf("%s, %s: %s, %d bytes: %v", w.provider, name, f.Kind, len(f.Detail), err)
			}
			if strings.Contains(f.Detail, secret[:8]) || !strings.Contains(f.Detail, "[gone") {
				t.Errorf("%s, %s: %s", w.provider, name, f.Detail)
			}
		}
	}
}
