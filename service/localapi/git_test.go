package localapi

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"dormouse/service/api"
)

func TestQuestionsAboutProjectGitReachTheBackendChecked(t *testing.T) {
	said := ""
	note := func(format string, args ...any) { said = fmt.Sprintf(format, args...) }
	b := Backend{
		BindInit: func(_ context.Context, p string) (api.Project, error) { note("init %s", p); return api.Project{}, nil },
		Project: func(_ context.Context, p string) (api.ProjectState, error) {
			note("project %s", p)
			return api.ProjectState{}, nil
		},
		AutoCommit: func(_ context.Context, p string, on bool) (api.ProjectState, error) {
			note("autocommit %s %v", p, on)
			return api.ProjectState{}, nil
		},
		Commits: func(_ context.Context, q api.CommitQuery) (api.Commits, error) {
			note("commits %+v", q)
			return api.Commits{Commits: []api.Commit{{ID: "x"}}}, nil
		},
		Commit: func(_ context.Context, p, id string, n int, agent string) (api.CommitShown, error) {
			note("commit %s %s %d%s", p, id, n, agent)
			return api.CommitShown{}, nil
		},
		BeginTurn: func(_ context.Context, r api.TurnReport) error { note("begin %+v", r); return nil },
		EndTurn: func(_ context.Context, r api.TurnReport) (api.TurnOutcome, error) {
			note("end %+v", r)
			return api.TurnOutcome{}, nil
		},
	}
	const get, post = http.MethodGet, http.MethodPost
	for _, c := range []struct{ method, path, query, want string }{
		{post, api.PathBind, "path=%2Fx&init=true", "init /x"},
		{get, api.PathProject, "project=p", "project p"},
		{post, api.PathAutoCommit, "project=p&on=true", "autocommit p true"},
		{post, api.PathAutoCommit, "project=p&on=false", "autocommit p false"},
		{get, api.PathCommits, "project=p&agent=true&since=5&until=9&limit=3", "commits {Project:p Session: Agent:true Since:5 Until:9 Limit:3 For:}"},
		{get, api.PathCommits, "session=cc_1", "commits {Project: Session:cc_1 Agent:false Since:0 Until:0 Limit:50 For:}"},
		{get, api.PathCommits, "project=p&for=codex", "commits {Project:p Session: Agent:false Since:0 Until:0 Limit:50 For:codex}"},
		{get, api.PathCommit, "project=p&id=abcd&bytes=9&for=codex", "commit p abcd 9codex"},
		{get, api.PathCommit, "project=p&id=abcd", "commit p abcd 262144"},
		{get, api.PathCommit, "project=p&id=abcd&bytes=10", "commit p abcd 10"},
		{post, api.PathTurnBegin, "session=s&project=%2Fx&turn=3&model=m&words=Do+it", "begin {SessionID:s Project:/x Turn:3 Model:m Words:Do it}"},
		{post, api.PathTurnEnd, "session=s&project=p", "end {SessionID:s Project:p Turn:0 Model: Words:}"},
	} {
		said = ""
		w := ask(t, b, c.method, c.path+"?"+c.query, nil)
		if w.Code >= 300 || said != c.want || strings.Contains(w.Body.String(), `"links":null`) || strings.Contains(w.Body.String(), `"files":null`) {
			t.Errorf("%s?%s: %d %s, said %q, want %q", c.path, c.query, w.Code, w.Body, said, c.want)
		}
		wantError(t, ask(t, Backend{}, c.method, c.path+"?"+c.query, nil), http.StatusNotFound, api.CodeNotFound, "does not offer")
	}
	for _, c := range []struct{ method, path, query, want string }{
		{post, api.PathBind, "path=%2Fx&init=perhaps", "init"},
		{get, api.PathProject, "", "project"},
		{post, api.PathAutoCommit, "project=p", "on has to be"},
		{post, api.PathAutoCommit, "project=p&on=true,false", "on has to be"},
		{post, api.PathAutoCommit, "on=true", "project"},
		{get, api.PathCommits, "", "project or session"},
		{get, api.PathCommits, "project=p&limit=0", "limit"},
		{get, api.PathCommit, "project=p", "id"},
		{get, api.PathCommit, "id=abcd", "project"},
		{get, api.PathCommit, "project=p&id=a&bytes=999999999", "bytes"},
		{post, api.PathTurnBegin, "project=p", "session"},
		{post, api.PathTurnEnd, "session=s&project=p&turn=-1", "turn"},
	} {
		said = ""
		wantError(t, ask(t, b, c.method, c.path+"?"+c.query, nil), http.StatusBadRequest, api.CodeBadRequest, c.want)
		if said != "" {
			t.Errorf("%s?%s reached the backend: %s", c.path, c.query, said)
		}
	}
}
