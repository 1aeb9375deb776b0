package daemon

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"dormouse/service/api"
)

// locate finds which projects folders, ids or names mean, as capture would for a session that works there. It registers nothing.
func (d *Daemon) locate(ctx context.Context, what []string) (api.Located, error) {
	var out api.Located
	known, err := d.listProjects(ctx)
	if err != nil {
		return out, err
	}
	for _, w := range what {
		if filepath.IsAbs(w) {
			err = d.locateFolder(ctx, w, known, &out)
		} else {
			err = d.locateName(ctx, w, known, &out)
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

func (d *Daemon) locateFolder(ctx context.Context, dir string, known []api.Project, out *api.Located) error {
	d.discoverAbove(dir)
	at, err := d.projects.At(ctx, dir)
	switch {
	case err != nil:
		return err
	case at.Project != nil:
		out.Projects = withProject(out.Projects, at.Project.ID, known)
	case !at.Wide:
		out.New = append(out.New, dir)
	default:
		out.Wide = append(out.Wide, dir)
		for _, p := range at.Inside {
			out.Candidates = withProject(out.Candidates, p.ID, known)
		}
	}
	return nil
}

func (d *Daemon) locateName(ctx context.Context, name string, known []api.Project, out *api.Located) error {
	id, err := d.projectID(ctx, name)
	var told *api.Error
	switch {
	case errors.As(err, &told) && told.Code == api.CodeNotFound:
		out.Unknown = append(out.Unknown, name)
	case err != nil:
		return err
	default:
		out.Projects = withProject(out.Projects, id, known)
	}
	return nil
}

// withProject adds a project to a list that does not have it yet. The default project, which holds what took place nowhere, is
// only there when it has sessions.
func withProject(list []api.Project, id string, known []api.Project) []api.Project {
	same := func(p api.Project) bool { return p.ID == id }
	i := slices.IndexFunc(known, same)
	if i < 0 || slices.ContainsFunc(list, same) {
		return list
	}
	return append(list, known[i])
}
