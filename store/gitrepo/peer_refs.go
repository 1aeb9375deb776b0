package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5"
	gitconfig "github.com/go-git/go-git/v5/config"
	"github.com/go-git/go-git/v5/plumbing/transport"
)

// Refs are the peer's refs below a folder that ends with a slash, such as "refs/dormouse/sessions/".
func (p *Peer) Refs(ctx context.Context, folder string) (map[string]OID, error) {
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	if err := p.away(); err != nil {
		return nil, err
	}
	ask := p.refsGoGit
	if p.git != "" {
		ask = p.refsCommand
	}
	refs, err := ask(ctx, folder)
	return refs, p.explain(ctx, "ask the remote", err)
}

func (p *Peer) refsCommand(ctx context.Context, folder string) (map[string]OID, error) {
	out, err := p.command(ctx, "ls-remote", "--", p.url, folder+"*")
	if err != nil {
		return nil, err
	}
	refs := map[string]OID{}
	for line := range strings.Lines(out) {
		hex, name, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if oid, err := ParseOID(hex); ok && err == nil && strings.HasPrefix(name, folder) {
			refs[name] = oid
		}
	}
	return refs, nil
}

func (p *Peer) refsGoGit(ctx context.Context, folder string) (map[string]OID, error) {
	r, err := p.remoteGoGit()
	if err != nil {
		return nil, err
	}
	refs := map[string]OID{}
	all, err := r.ListContext(ctx, &git.ListOptions{Auth: p.auth()})
	if errors.Is(err, transport.ErrEmptyRemoteRepository) {
		return refs, nil
	}
	for _, ref := range all {
		if name := ref.Name().String(); strings.HasPrefix(name, folder) {
			refs[name] = OID(ref.Hash())
		}
	}
	return refs, err
}

// FetchRef brings the commit that a ref of the peer names, as Refs gave it, into our repository. It moves no branch of ours.
func (p *Peer) FetchRef(ctx context.Context, ref string, tip OID) error {
	ctx, cancel := context.WithTimeout(ctx, moveTime)
	defer cancel()
	var err error
	if p.git != "" {
		_, err = p.command(ctx, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--", p.url, ref)
	} else {
		err = p.fetchRefGoGit(ctx, ref)
	}
	if err := p.explain(ctx, "fetch from the remote", err); err != nil {
		return err
	}
	if !p.repo.Has(tip) {
		return fmt.Errorf("fetch %s from the remote %s: %w", ref, p.url, ErrRace)
	}
	return nil
}

func (p *Peer) fetchRefGoGit(ctx context.Context, ref string) error {
	r, err := p.remoteGoGit()
	if err != nil {
		return err
	}
	err = r.FetchContext(ctx, &git.FetchOptions{Auth: p.auth(), Tags: git.NoTags, RefSpecs: []gitconfig.RefSpec{gitconfig.RefSpec("+" + ref + ":" + fetched)}})
	if errors.Is(err, git.NoErrAlreadyUpToDate) {
		return nil
	}
	return err
}

// PushRefs makes refs of the peer name commits of ours, whatever they named before, and deletes those for which there is none. It is for
// refs that nobody else writes.
func (p *Peer) PushRefs(ctx context.Context, refs map[string]OID) error {
	if len(refs) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, moveTime)
	defer cancel()
	var specs []string
	for _, name := range slices.Sorted(maps.Keys(refs)) {
		if refs[name].IsZero() {
			specs = append(specs, ":"+name)
			continue
		}
		specs = append(specs, "+"+refs[name].String()+":"+name)
	}
	if p.git != "" {
		return p.explain(ctx, "send to the remote", p.sendCommand(ctx, append([]string{"--", p.url}, specs...)...))
	}
	o := &git.PushOptions{}
	for _, s := range specs {
		o.RefSpecs = append(o.RefSpecs, gitconfig.RefSpec(s))
	}
	return p.explain(ctx, "send to the remote", p.sendGoGit(ctx, o))
}
