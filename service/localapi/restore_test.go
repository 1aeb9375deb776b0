package localapi

import (
	"context"
	"net/http"
	"testing"

	"dormouse/service/api"
)

func TestSetupThatRestoresIsToldFromOneThatDoesNot(t *testing.T) {
	said := ""
	b := Backend{SyncRestore: func(_ context.Context, u string) (api.Synced, error) { said = u; return api.Synced{}, nil }}
	if w := ask(t, b, http.MethodPost, api.PathSyncSetup+"?url=%2Fsrv%2Fm.git&restore=true", nil); w.Code != http.StatusOK || said != "/srv/m.git" {
		t.Errorf("%d %s, said %q", w.Code, w.Body, said)
	}
	wantError(t, ask(t, b, http.MethodPost, api.PathSyncSetup+"?url=%2Fsrv%2Fm.git", nil), http.StatusNotFound, api.CodeNotFound, "does not offer")
	wantError(t, ask(t, b, http.MethodPost, api.PathSyncSetup+"?restore=true", nil), http.StatusBadRequest, api.CodeBadRequest, "url")
	wantError(t, ask(t, b, http.MethodPost, api.PathSyncSetup+"?url=x&restore=yes", nil), http.StatusBadRequest, api.CodeBadRequest, "restore")
}
