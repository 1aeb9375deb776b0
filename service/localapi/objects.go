package localapi

import (
	"context"
	"regexp"

	"dormouse/service/api"
)

// objectsTable lists the paths of the typed view.
func (b *Backend) objectsTable() map[string]route {
	return map[string]route{
		api.PathObjects: get(b.objects, "session", "project", "object", "draw", "for"),
		api.PathPager:   get(plain(b.Pager)),
	}
}

// objectID is what an object's id is like.
var objectID = regexp.MustCompile(`^ob_[0-9a-f]{12}$`)

func (b *Backend) objects(ctx context.Context, p *params) (any, error) {
	q := api.ObjectQuery{Session: p.text("session"), Project: p.text("project"), Object: p.text("object"), Draw: p.yes("draw"), For: p.text("for")}
	if q.Object != "" && !objectID.MatchString(q.Object) {
		p.wrong("object has to be an object's id such as ob_0123456789ab, not %q", clip(q.Object))
	}
	if err := p.check(b.Objects != nil); err != nil {
		return nil, err
	}
	v, err := b.Objects(ctx, q)
	v.Objects, v.Relations, v.Refused = list(v.Objects), list(v.Relations), list(v.Refused)
	return v, err
}
