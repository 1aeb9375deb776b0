package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"dormouse/service/api"
	"dormouse/store/memory"
	"dormouse/store/session"
)

// sessionFile opens a text or an image that lies beside a node.
func (d *Daemon) sessionFile(ctx context.Context, q api.FileQuery) (memory.File, io.ReadCloser, error) {
	x, err := d.sessions.Open(q.ID)
	if err != nil {
		return memory.File{}, nil, missingSession(q.ID, err)
	}
	f, err := fileOf(ctx, x, q)
	if err != nil {
		return f, nil, refusedOf(err)
	}
	content, err := x.File(f)
	if errors.Is(err, session.ErrNoFile) {
		return f, nil, notFound("%s of session %s is missing in its repository (git blob %s); a backup of that, or the agent's own transcript, may still have it",
			f.Path, q.ID, f.Blob)
	}
	return f, content, err
}

// keptImages are the images of turns that were kept, by the hashes that the nodes name them by.
func keptImages(x *session.Session, turns []api.Turn) (map[string]memory.File, error) {
	named := func(n memory.Node) bool { return len(n.Metadata.Images) > 0 }
	if !slices.ContainsFunc(turns, func(t api.Turn) bool { return slices.ContainsFunc(t.Nodes, named) }) {
		return nil, nil
	}
	have, err := x.Images()
	if err != nil {
		return nil, err
	}
	out := map[string]memory.File{}
	for _, t := range turns {
		for i := range t.Nodes {
			for _, image := range t.Nodes[i].Metadata.Images {
				if f, kept := have[image.SHA256]; kept {
					out[image.SHA256] = f
				}
			}
		}
	}
	return out, nil
}

// imagesOf are the images of a node, as far as they are among these.
func imagesOf(n *memory.Node, have map[string]memory.File) (out []memory.File) {
	for _, i := range n.Metadata.Images {
		if f, kept := have[i.SHA256]; kept {
			out = append(out, f)
		}
	}
	return out
}

// fileOf finds the one file of a session, or of one of its nodes, whose hash begins so. Only a file that a node names is found.
func fileOf(ctx context.Context, x *session.Session, q api.FileQuery) (found memory.File, err error) {
	images, err := x.Images()
	if err != nil {
		return found, err
	}
	dropped := false // there was an image that was not kept
	look := func(n *memory.Node) error {
		for _, i := range n.Metadata.Images {
			_, kept := images[i.SHA256]
			dropped = dropped || !kept && strings.HasPrefix(i.SHA256, q.SHA256)
		}
		for _, f := range append(imagesOf(n, images), n.Metadata.Files...) {
			switch {
			case !strings.HasPrefix(f.SHA256, q.SHA256):
			case found.SHA256 == "" || found.SHA256 == f.SHA256:
				found = f
			default:
				return &api.Error{Code: api.CodeAmbiguous, Message: fmt.Sprintf("%q may be several files of session %s; give more of its hash", q.SHA256, q.ID),
					Candidates: []string{found.Path, f.Path}}
			}
		}
		return ctx.Err()
	}
	if q.Node != "" {
		n, err := x.Node(q.Node)
		if err != nil {
			return found, err
		}
		if err := look(&n); err != nil {
			return found, err
		}
	} else {
		for n, err := range x.Nodes(0) {
			if err != nil {
				return found, err
			}
			if err := look(&n); err != nil {
				return found, err
			}
		}
	}
	if found.SHA256 == "" && dropped {
		return found, notFound("the image %s of session %s was not kept; capture.keep_images in config.toml has the images kept that transcripts still hold", q.SHA256, q.ID)
	}
	if found.SHA256 == "" {
		return found, notFound("session %s names no file whose hash begins with %s; dormouse show %s --full lists them", q.ID, q.SHA256, q.ID)
	}
	return found, nil
}
