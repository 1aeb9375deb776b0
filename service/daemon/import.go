package daemon

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"dormouse/service/api"
	"dormouse/service/capture"
)

// importable says what an import takes, for those who gave it something else.
const importable = "what can be imported: the data export of ChatGPT or Claude.ai (the .zip as it was downloaded, its folder, or its " +
	"conversations.json), what \"opencode export\" wrote, a copy of an opencode*.db, of opencode's folder storage, and of Cursor's " +
	"state.vscdb, and a state folder of OpenProgram or a part of it; a zip that was downloaded in part is none of them"

// importFrom captures what lies at a path.
func (d *Daemon) importFrom(ctx context.Context, path string) (api.Imported, error) {
	d.capturing.working("importing " + path)
	got, err := d.engine.Import(ctx, path)
	d.capturing.working("")
	out := api.Imported{Path: path, Agent: got.Agent, Found: got.Found, Sessions: got.Sessions, Nodes: got.Nodes}
	out.Skipped = append([]api.SkipReason{}, skipsOf(capture.AgentStatus{Agent: got.Agent, Skipped: got.Skipped})...)
	for _, p := range got.Problems {
		out.Problems = append(out.Problems, p.Error())
	}
	switch {
	case ctx.Err() != nil:
		return out, ctx.Err()
	case errors.Is(err, capture.ErrUnknown):
		return out, &api.Error{Code: api.CodeBadRequest, Message: fmt.Sprintf("%v; %s", err, importable)}
	case errors.Is(err, capture.ErrOff):
		return out, &api.Error{Code: api.CodeBusy, Message: "capture is paused; go on with dormouse resume, and import then"}
	case errors.Is(err, fs.ErrNotExist) && got.Agent == "":
		return out, notFound("there is nothing at %s; look at the path", path)
	case errors.Is(err, fs.ErrPermission) && got.Agent == "":
		return out, &api.Error{Code: api.CodeForbidden, Message: fmt.Sprintf("%v; let the user that Dormouse runs as read it", err)}
	case err != nil && got.Found == 0:
		return out, &api.Error{Code: api.CodeBadRequest, Message: fmt.Sprintf("%v; if it is damaged, take a new export", err)}
	}
	d.publish("imported", got.Agent)
	return out, nil
}
