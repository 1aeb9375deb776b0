package localapi

import (
	"context"
	"strings"

	"dormouse/service/api"
)

// maxWhat is how many folders and names may be asked for at once.
const maxWhat = 20

// agentTable lists the paths that agents' tools use beside the others.
func (b *Backend) agentTable() map[string]route {
	return map[string]route{
		api.PathLocate: get(b.locate, "what"),
	}
}

func (b *Backend) locate(ctx context.Context, p *params) (any, error) {
	var what []string
	for line := range strings.Lines(p.needed("what")) {
		if line = strings.TrimSpace(line); line != "" {
			what = append(what, line)
		}
	}
	if len(what) > maxWhat {
		p.wrong("what has at most %d lines", maxWhat)
	}
	if err := p.check(b.Locate != nil); err != nil {
		return nil, err
	}
	v, err := b.Locate(ctx, what)
	v.Projects = list(v.Projects)
	return v, err
}
