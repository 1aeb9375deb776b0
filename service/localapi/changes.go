package localapi

import (
	"context"
	"net/http"
	"path/filepath"
	"strconv"

	"dormouse/service/api"
)

// The routes that change something and take a parameter.

func (b *Backend) pause(ctx context.Context, p *params) (any, error) {
	until := p.until("until")
	if err := p.check(b.Pause != nil); err != nil {
		return nil, err
	}
	return b.Pause(ctx, until)
}

func (b *Backend) rename(ctx context.Context, p *params) (any, error) {
	id, title := p.needed("id"), p.needed("title")
	if err := p.check(b.Rename != nil); err != nil {
		return nil, err
	}
	return b.Rename(ctx, id, title)
}

func (b *Backend) pin(ctx context.Context, p *params) (any, error) {
	id, on := p.needed("id"), p.oneOf("off", "true") == nil
	if err := p.check(b.Pin != nil); err != nil {
		return nil, err
	}
	return b.Pin(ctx, id, on)
}

// ofSession is a route that takes a session's id alone.
func ofSession[T any](do func(context.Context, string) (T, error)) query {
	return func(ctx context.Context, p *params) (any, error) {
		id := p.needed("id")
		if err := p.check(do != nil); err != nil {
			return nil, err
		}
		return do(ctx, id)
	}
}

func (b *Backend) syncSetup(ctx context.Context, p *params) (any, error) {
	c := api.SyncChoice{URL: p.text("url"), Restore: p.oneOf("restore", "true") != nil, Know: p.oneOf("know", "true") != nil, Trust: p.text("trust"),
		Encrypt: p.oneOf("encrypt", "true") != nil, Code: p.text("code")}
	if c.Encrypt || c.Code != "" || c.Restore || c.Know || c.Trust != "" {
		c.URL = p.needed("url")
	}
	if err := p.check(b.SyncSetup != nil); err != nil {
		return nil, err
	}
	return b.SyncSetup(ctx, c)
}

func (b *Backend) syncLogin(ctx context.Context, p *params, _ http.ResponseWriter, r *http.Request) (any, error) {
	url, user, token := p.needed("url"), p.text("user"), r.Header.Get(api.TokenHeader)
	if token == "" {
		p.wrong("the token is needed in the header %s", api.TokenHeader)
	}
	if err := p.check(b.SyncLogin != nil); err != nil {
		return nil, err
	}
	return nil, b.SyncLogin(ctx, url, user, token)
}

func (b *Backend) imports(ctx context.Context, p *params) (any, error) {
	path := p.needed("path")
	if path != "" && !filepath.IsAbs(path) {
		p.wrong("path has to be absolute")
	}
	if err := p.check(b.Import != nil); err != nil {
		return nil, err
	}
	v, err := b.Import(ctx, path)
	v.Problems = list(v.Problems)
	return v, err
}

func (b *Backend) bind(ctx context.Context, p *params) (any, error) {
	path, do := p.needed("path"), b.Bind
	if p.oneOf("init", "true") != nil {
		do = b.BindInit
	}
	if err := p.check(do != nil); err != nil {
		return nil, err
	}
	return do(ctx, path)
}

func (b *Backend) unbind(ctx context.Context, p *params) (any, error) {
	project := p.needed("project")
	if err := p.check(b.Unbind != nil); err != nil {
		return nil, err
	}
	return b.Unbind(ctx, project)
}

func (b *Backend) renameProject(ctx context.Context, p *params) (any, error) {
	project, name := p.needed("project"), p.text("name")
	if err := p.check(b.RenameProject != nil); err != nil {
		return nil, err
	}
	return b.RenameProject(ctx, project, name)
}

// until reads a time at which something ends: as time does, or api.Indefinitely.
func (p *params) until(name string) int64 {
	if p.needed(name) == strconv.Itoa(api.Indefinitely) {
		return api.Indefinitely
	}
	return p.time(name, true)
}
