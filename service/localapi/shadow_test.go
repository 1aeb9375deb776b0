package localapi

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"dormouse/service/api"
)

func TestQuestionsAboutTheShadowHistoryReachTheBackendChecked(t *testing.T) {
	said := ""
	turnText := func(n *int) string {
		if n == nil {
			return "all"
		}
		return fmt.Sprint(*n)
	}
	b := Backend{
		Diff: func(_ context.Context, id string, turn *int) (api.Diff, error) {
			said = fmt.Sprintf("diff %s %s", id, turnText(turn))
			return api.Diff{}, nil
		},
		Restore: func(_ context.Context, q api.RestoreQuery) (api.Restored, error) {
			said = fmt.Sprintf("restore %s %s %s %s %v", q.ID, turnText(q.Turn), q.Side, q.Dir, q.Force)
			return api.Restored{}, nil
		},
		SetShadow: func(_ context.Context, p string, on bool) (api.ProjectState, error) {
			said = fmt.Sprintf("shadow %s %v", p, on)
			return api.ProjectState{}, nil
		},
	}
	const get, post = http.MethodGet, http.MethodPost
	for _, c := range []struct{ method, path, query, want string }{
		{get, api.PathDiff, "id=c", "diff c all"},
		{get, api.PathDiff, "id=c&turn=0", "diff c 0"},
		{post, api.PathRestore, "id=c&side=after&dir=%2Fx", "restore c all after /x false"},
		{post, api.PathRestore, "id=c&turn=4&side=before&dir=%2Fx%20y&force=true", "restore c 4 before /x y true"},
		{post, api.PathShadow, "project=p&on=true", "shadow p true"},
		{post, api.PathShadow, "project=p&on=false", "shadow p false"},
	} {
		said = ""
		w := ask(t, b, c.method, c.path+"?"+c.query, nil)
		if w.Code >= 300 || said != c.want || strings.Contains(w.Body.String(), `"files":null`) || strings.Contains(w.Body.String(), `"turns":null`) {
			t.Errorf("%s?%s: %d %s, said %q, want %q", c.path, c.query, w.Code, w.Body, said, c.want)
		}
		wantError(t, ask(t, Backend{}, c.method, c.path+"?"+c.query, nil), http.StatusNotFound, api.CodeNotFound, "does not offer")
	}
	for _, c := range []struct{ method, path, query, want string }{
		{get, api.PathDiff, "", "id is needed"},
		{get, api.PathDiff, "id=c&turn=-1", "turn has to be"},
		{post, api.PathRestore, "id=c&side=left&dir=%2Fx", "before or after"},
		{post, api.PathRestore, "id=c&side=after&dir=here", "whole path"},
		{post, api.PathRestore, "id=c&side=after&dir=%2Fx&force=maybe", "true or false"},
		{post, api.PathShadow, "project=p", "on is needed"},
	} {
		wantError(t, ask(t, b, c.method, c.path+"?"+c.query, nil), http.StatusBadRequest, api.CodeBadRequest, c.want)
	}
}
