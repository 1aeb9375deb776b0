package localapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"dormouse/service/api"
	"dormouse/store/memory"
)

func TestAFileIsAnsweredAsItIs(t *testing.T) {
	closed := 0
	var asked api.FileQuery
	b := Backend{File: func(_ context.Context, q api.FileQuery) (memory.File, io.ReadCloser, error) {
		asked = q
		return memory.File{Bytes: 5, SHA256: "abcdef"}, closing{strings.NewReader("hello"), &closed}, nil
	}}
	w := ask(t, b, http.MethodGet, api.PathSessionFile+"?"+api.FileQuery{ID: "cc_1", Node: "n", SHA256: "abcd"}.Values().Encode(), nil)
	if w.Code != http.StatusOK || w.Body.String() != "hello" || w.Header().Get(api.HeaderSHA256) != "abcdef" ||
		w.Header().Get("Content-Length") != "5" || closed != 1 || asked != (api.FileQuery{ID: "cc_1", Node: "n", SHA256: "abcd"}) {
		t.Errorf("%d %q %v, closed %d times, asked %+v", w.Code, w.Body, w.Header(), closed, asked)
	}
	b.File = func(context.Context, api.FileQuery) (memory.File, io.ReadCloser, error) {
		broken := io.MultiReader(strings.NewReader("he"), iotest.ErrReader(errors.New("damaged")))
		return memory.File{Bytes: 5}, closing{broken, &closed}, nil
	}
	if w := ask(t, b, http.MethodGet, api.PathSessionFile+"?id=cc_1&sha256=abcd", nil); w.Body.String() != "he" || closed != 2 {
		t.Errorf("of a damaged file came %q, closed %d times", w.Body, closed)
	}
	for query, want := range map[string]string{"sha256=abcd": "id", "id=cc_1": "sha256", "id=cc_1&sha256=ABCD": "digits", "id=cc_1&sha256=abc": "digits"} {
		wantError(t, ask(t, b, http.MethodGet, api.PathSessionFile+"?"+query, nil), http.StatusBadRequest, api.CodeBadRequest, want)
	}
}

type closing struct {
	io.Reader
	times *int
}

func (c closing) Close() error { *c.times++; return nil }
