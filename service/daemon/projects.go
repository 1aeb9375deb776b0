package daemon

import (
	"context"
	"errors"
	"slices"

	"dormouse/service/api"
	"dormouse/store/project"
)

// bindFolder makes a folder one of the person's projects. Its sessions live in it from then on; nothing else in it is changed.
func (d *Daemon) bindFolder(ctx context.Context, path string) (api.Project, error) {
	p, err := d.projects.Bind(ctx, path)
	if err != nil {
		return api.Project{}, refusal(err)
	}
	return d.changedProject(ctx, p.ID)
}

// unbindProject takes a binding back. The project's sessions and memories, and the folder, stay as they are.
func (d *Daemon) unbindProject(ctx context.Context, name string) (api.Project, error) {
	id, err := d.projectID(ctx, name)
	if err != nil {
		return api.Project{}, err
	}
	if _, err := d.projects.Unbind(id); err != nil {
		return api.Project{}, refusal(err)
	}
	return d.changedProject(ctx, id)
}

// renameProject gives a project the person's own name; an empty one takes that back.
func (d *Daemon) renameProject(ctx context.Context, name, title string) (api.Project, error) {
	id, err := d.projectID(ctx, name)
	if err != nil {
		return api.Project{}, err
	}
	if _, err := d.projects.SetTitle(id, title); err != nil {
		return api.Project{}, refusal(err)
	}
	d.publish("project", id)
	return d.oneProject(ctx, id)
}

// changedProject tells all clients of a changed project and is what it is now. What agents edited in it is recorded from now on, or
// no more.
func (d *Daemon) changedProject(ctx context.Context, id string) (api.Project, error) {
	d.publish("project", id)
	if err := d.shadowAll(id); err != nil {
		return api.Project{}, err
	}
	return d.oneProject(ctx, id)
}

// oneProject is a project as the API tells of it.
func (d *Daemon) oneProject(ctx context.Context, id string) (api.Project, error) {
	all, err := d.listProjects(ctx)
	if err != nil {
		return api.Project{}, err
	}
	if i := slices.IndexFunc(all, func(p api.Project) bool { return p.ID == id }); i >= 0 {
		return all[i], nil
	}
	return api.Project{}, notFound("there is no project %s", id)
}

// refusal is the person's mistake as an answer of the API, and every other error as it is.
func refusal(err error) error {
	if errors.Is(err, project.ErrCannotBind) || errors.Is(err, project.ErrBadTitle) {
		return &api.Error{Code: api.CodeBadRequest, Message: err.Error()}
	}
	return err
}
