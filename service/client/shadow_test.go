package client

import (
	"encoding/json"
	"net/http"
	"reflect"
	"testing"

	"dormouse/service/api"
)

func TestCallsAboutTheShadowHistoryAskTheirPaths(t *testing.T) {
	asked := ""
	var answer any
	home := service(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r.Method + " " + r.URL.RequestURI()
		_ = json.NewEncoder(w).Encode(answer)
	})
	c := connect(t, Options{Home: home})
	ctx, turn := t.Context(), 3
	for _, tt := range []struct {
		asks   string
		answer any
		call   func() (any, error)
	}{
		{"GET /v1/diff?id=c", api.Diff{SessionID: "c"}, func() (any, error) { return c.Diff(ctx, "c", nil) }},
		{"GET /v1/diff?id=c&turn=3", api.Diff{Turn: &turn}, func() (any, error) { return c.Diff(ctx, "c", &turn) }},
		{"POST /v1/restore?dir=%2Fx&force=true&id=c&side=before&turn=3", api.Restored{Written: 1},
			func() (any, error) {
				return c.Restore(ctx, api.RestoreQuery{ID: "c", Turn: &turn, Side: "before", Dir: "/x", Force: true})
			}},
		{"POST /v1/projects/shadow?on=false&project=p", api.ProjectState{Problem: "x"}, func() (any, error) { return c.SetShadow(ctx, "p", false) }},
	} {
		answer = tt.answer
		got, err := tt.call()
		if err != nil || asked != tt.asks || !reflect.DeepEqual(got, tt.answer) {
			t.Errorf("asked %q, want %q; got %+v, %v", asked, tt.asks, got, err)
		}
	}
}
