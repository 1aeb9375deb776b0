package localapi

import (
	"context"
	"net/http"
	"testing"

	"dormouse/service/api"
)

func TestSetupThatRestoresIsToldFromOneThatDoesNot(t *testing.T) {
	said := api.SyncChoice{}
	b := Backend{SyncSetup: func(_ context.Context, c api.SyncChoice) (api.Synced, error) { said = c; return api.Synced{}, nil }}
	if w := ask(t, b, http.MethodPost, api.PathSyncSetup+"?url=%2Fsrv%2Fm.git&restore=true", nil); w.Code != http.StatusOK || said != (api.SyncChoice{URL: "/srv/m.git", Restore: true}) {
		t.Errorf("%d %s, said %+v", w.Code, w.Body, said)
	}
	if w := ask(t, b, http.MethodPost, api.PathSyncSetup+"?url=h%3Am&know=true&trust=SHA256%3Aa", nil); w.Code != http.StatusOK || said != (api.SyncChoice{URL: "h:m", Know: true, Trust: "SHA256:a"}) {
		t.Errorf("%d %s, said %+v", w.Code, w.Body, said)
	}
	wantError(t, ask(t, Backend{}, http.MethodPost, api.PathSyncSetup+"?url=%2Fsrv%2Fm.git", nil), http.StatusNotFound, api.CodeNotFound, "does not offer")
	wantError(t, ask(t, b, http.MethodPost, api.PathSyncSetup+"?restore=true", nil), http.StatusBadRequest, api.CodeBadRequest, "url")
	wantError(t, ask(t, b, http.MethodPost, api.PathSyncSetup+"?url=x&restore=yes", nil), http.StatusBadRequest, api.CodeBadRequest, "restore")
}
