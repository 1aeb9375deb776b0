package localapi

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"dormouse/service/api"
)

func TestObjectsAreAskedForAsTheyWereNamed(t *testing.T) {
	var got api.ObjectQuery
	b := Backend{Objects: func(_ context.Context, q api.ObjectQuery) (api.Objects, error) { got = q; return api.Objects{}, nil },
		Pager: func(context.Context) (api.Pager, error) { return api.Pager{Proxy: "off"}, nil }}
	want := api.ObjectQuery{Session: "cc_1", Project: "p", Object: "ob_0123456789ab", Draw: true, For: "codex"}
	w := ask(t, b, http.MethodGet, api.PathObjects+"?"+want.Values().Encode(), nil)
	if w.Code != http.StatusOK || got != want || !strings.Contains(w.Body.String(), `"objects":[]`) || !strings.Contains(w.Body.String(), `"relations":[]`) {
		t.Errorf("%d %+v %s", w.Code, got, w.Body)
	}
	if w := ask(t, b, http.MethodGet, api.PathPager, nil); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"proxy":"off"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	got = api.ObjectQuery{}
	for _, object := range []string{"ob_1", "x", "ob_0123456789abc"} {
		wantError(t, ask(t, b, http.MethodGet, api.PathObjects+"?object="+object, nil), http.StatusBadRequest, api.CodeBadRequest, "such as ob_")
	}
	if got != (api.ObjectQuery{}) {
		t.Errorf("reached the backend: %+v", got)
	}
	wantError(t, ask(t, Backend{}, http.MethodGet, api.PathObjects, nil), http.StatusNotFound, api.CodeNotFound, "does not offer")
	wantError(t, ask(t, Backend{}, http.MethodGet, api.PathPager, nil), http.StatusNotFound, api.CodeNotFound, "does not offer")
}
