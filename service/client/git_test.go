package client

import (
	"encoding/json"
	"net/http"
	"reflect"
	"testing"

	"dormouse/service/api"
)

func TestCallsAboutProjectGitAskTheirPaths(t *testing.T) {
	asked := ""
	var answer any
	home := service(t, func(w http.ResponseWriter, r *http.Request) {
		asked = r.Method + " " + r.URL.RequestURI()
		if answer == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		_ = json.NewEncoder(w).Encode(answer)
	})
	c := connect(t, Options{Home: home})
	ctx := t.Context()
	turn := api.TurnReport{SessionID: "s", Project: "/x", Turn: 3, Model: "m", Words: "Do it"}
	for _, tt := range []struct {
		asks   string
		answer any
		call   func() (any, error)
	}{
		{"POST /v1/projects/bind?init=true&path=%2Fx", api.Project{ID: "p"}, func() (any, error) { return c.BindInit(ctx, "/x") }},
		{"GET /v1/project?project=p", api.ProjectState{Problem: "x"}, func() (any, error) { return c.Project(ctx, "p") }},
		{"POST /v1/projects/autocommit?on=false&project=p", api.ProjectState{}, func() (any, error) { return c.AutoCommit(ctx, "p", false) }},
		{"GET /v1/commits?agent=true&limit=2&project=p&session=s&since=1&until=2", api.Commits{More: true},
			func() (any, error) {
				return c.Commits(ctx, api.CommitQuery{Project: "p", Session: "s", Agent: true, Since: 1, Until: 2, Limit: 2})
			}},
		{"GET /v1/commit?id=abcd&project=p", api.CommitShown{Cut: true}, func() (any, error) { return c.Commit(ctx, "p", "abcd", 0) }},
		{"GET /v1/commit?bytes=9&id=abcd&project=p", api.CommitShown{}, func() (any, error) { return c.Commit(ctx, "p", "abcd", 9) }},
		{"POST /v1/turn/begin?model=m&project=%2Fx&session=s&turn=3&words=Do+it", nil, func() (any, error) { return nil, c.BeginTurn(ctx, turn) }},
		{"POST /v1/turn/end?model=m&project=%2Fx&session=s&turn=3&words=Do+it", api.TurnOutcome{Commit: "c"}, func() (any, error) { return c.EndTurn(ctx, turn) }},
	} {
		answer = tt.answer
		got, err := tt.call()
		if err != nil || asked != tt.asks || !reflect.DeepEqual(got, tt.answer) {
			t.Errorf("asked %q, want %q; got %+v, %v", asked, tt.asks, got, err)
		}
	}
}
