package localapi

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"dormouse/service/api"
)

func TestChangesReachTheBackendWithWhatWasSaid(t *testing.T) {
	said := ""
	note := func(format string, args ...any) { said = fmt.Sprintf(format, args...) }
	b := Backend{
		Pause: func(_ context.Context, until int64) (api.Status, error) {
			note("pause %d", until)
			return api.Status{}, nil
		},
		Sync: func(context.Context) (api.Synced, error) { note("sync"); return api.Synced{}, nil },
		SyncSetup: func(_ context.Context, c api.SyncChoice) (api.Synced, error) {
			note("setup %s", c.URL)
			return api.Synced{}, nil
		},
		SwitchProxy: func(_ context.Context, to string) (api.Proxy, error) { note("proxy %s", to); return api.Proxy{}, nil },
		RecordProxy: func(_ context.Context, file string, limit int64) (api.Proxy, error) {
			note("record %s %d", file, limit)
			return api.Proxy{}, nil
		},
		Bind: func(_ context.Context, p string) (api.Project, error) { note("bind %s", p); return api.Project{}, nil },
		Unbind: func(_ context.Context, p string) (api.Project, error) {
			note("unbind %s", p)
			return api.Project{}, nil
		},
		RenameProject: func(_ context.Context, p, name string) (api.Project, error) {
			note("rename %s %s", p, name)
			return api.Project{}, nil
		},
	}
	for _, c := range []struct{ path, query, want string }{
		{api.PathPause, "until=0", "pause 0"},
		{api.PathPause, "until=-1", "pause -1"},
		{api.PathPause, "until=1790000000", "pause 1790000000"},
		{api.PathSync, "", "sync"},
		{api.PathProxySwitch, "to=shut", "proxy shut"},
		{api.PathProxyRecord, "file=%2Fx&limit=2000000", "record /x 2000000"}, {api.PathProxyRecord, "", "record  104857600"},
		{api.PathSyncSetup, "url=" + url.QueryEscape("git@host:me/m.git"), "setup git@host:me/m.git"},
		{api.PathSyncSetup, "url=", "setup "},
		{api.PathBind, "path=%2Fsrc%2Fx", "bind /src/x"},
		{api.PathUnbind, "project=p1", "unbind p1"},
		{api.PathProjectRename, "project=p1&name=The+shop", "rename p1 The shop"}, {api.PathProjectRename, "project=p1", "rename p1 "},
	} {
		said = ""
		w := ask(t, b, http.MethodPost, c.path+"?"+c.query, nil)
		if w.Code != http.StatusOK || said != c.want {
			t.Errorf("%s?%s: %d, said %q, want %q", c.path, c.query, w.Code, said, c.want)
		}
		if w := ask(t, b, http.MethodGet, c.path, nil); w.Code != http.StatusMethodNotAllowed {
			t.Errorf("GET %s: %d", c.path, w.Code)
		}
		wantError(t, ask(t, Backend{}, http.MethodPost, c.path+"?"+c.query, nil), http.StatusNotFound, api.CodeNotFound, "does not offer")
	}
	for _, c := range []struct{ path, query, want string }{
		{api.PathProxySwitch, "", "to"}, {api.PathProxySwitch, "to=away", "on, off or shut"},
		{api.PathProxyRecord, "file=x", "absolute"}, {api.PathProxyRecord, "file=%2Fx&limit=2", "limit"},
		{api.PathPause, "", "until"}, {api.PathPause, "until=-2", "until"}, {api.PathPause, "until=soon", "until"},
		{api.PathBind, "", "path"}, {api.PathUnbind, "project=", "project"}, {api.PathProjectRename, "name=x", "project"}, {api.PathSync, "x=1", "x"},
		{api.PathSyncSetup, "url=" + strings.Repeat("x", maxText+1), "longer"},
	} {
		said = ""
		wantError(t, ask(t, b, http.MethodPost, c.path+"?"+c.query, nil), http.StatusBadRequest, api.CodeBadRequest, c.want)
		if said != "" {
			t.Errorf("%s?%s reached the backend: %s", c.path, c.query, said)
		}
	}
}
