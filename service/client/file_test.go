package client

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"dormouse/service/api"
)

func TestAFileIsTakenOnlyWhenItCameWhole(t *testing.T) {
	content := strings.Repeat("x", 100_000)
	b := sha256.Sum256([]byte(content))
	sum := hex.EncodeToString(b[:])
	home := service(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(api.HeaderSHA256, sum)
		w.Header().Set("Content-Length", "100000")
		switch r.URL.Query().Get("node") {
		case "torn":
			_, _ = w.Write([]byte(content[:70_000]))
		case "wrong":
			_, _ = w.Write([]byte(strings.Replace(content, "x", "y", 1)))
		case "hung":
			_, _ = w.Write([]byte(content[:70_000]))
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		default:
			_, _ = w.Write([]byte(content))
		}
	})
	c := connect(t, Options{Home: home})
	hasty := connect(t, Options{Home: home, Timeout: 300 * time.Millisecond})
	for node, want := range map[string]error{"": nil, "torn": ErrTorn, "wrong": ErrTorn, "hung": ErrHung} {
		var out strings.Builder
		by := c
		if errors.Is(want, ErrHung) {
			by = hasty
		}
		n, err := by.SessionFile(t.Context(), api.FileQuery{ID: "cc_1", Node: node, SHA256: sum[:8]}, &out)
		if !errors.Is(err, want) || n != int64(out.Len()) || want == nil && out.String() != content {
			t.Errorf("%q: %d of %d bytes, %v", node, n, out.Len(), err)
		}
	}
	full := errors.New("no space left")
	if _, err := c.SessionFile(t.Context(), api.FileQuery{ID: "cc_1", SHA256: sum}, failing{full}); !errors.Is(err, full) || errors.Is(err, ErrTorn) {
		t.Errorf("a writer that fails: %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
