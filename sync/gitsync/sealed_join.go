package gitsync

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"dormouse/store/gitrepo"
	"dormouse/sync/seal"
)

const (
	inviteTime = 15 * time.Minute       // that a code holds
	joinFirst  = 250 * time.Millisecond // before the answer is looked for again; it doubles up to joinPause
	joinPause  = 2 * time.Second
	answerExt  = ".answer"
	maxJoins   = 20 // requests that are looked at
)

// Errors of encrypted remotes that the person has to settle.
var (
	// ErrSealed says that a remote is encrypted and this machine not let in.
	ErrSealed = errors.New("the memory there is encrypted, and this machine was not let in yet")
	// ErrNotSealed says that something is asked that only an encrypted remote has.
	ErrNotSealed = errors.New("the remote is not encrypted")
	// ErrNoAnswer says that no other machine has let this one in.
	ErrNoAnswer = errors.New("no other machine has answered")
)

// SetupSealed is Setup for a remote that is used encrypted from its beginning on: an empty one, or one that this machine was let into.
func (s *Syncer) SetupSealed(ctx context.Context, url string, restore bool) (Result, error) {
	url, err := CheckURL(url, s.o.Repo.Dir())
	if err != nil {
		return Result{}, err
	}
	_, known, err := s.vault.ring(url)
	if err != nil {
		return Result{}, err
	}
	if known {
		return s.Setup(ctx, url, restore)
	}
	if s.o.Keys == "" {
		return Result{}, errors.New("this service keeps no keys")
	}
	id, err := s.vault.identity()
	if err != nil {
		return Result{}, err
	}
	if err := s.vault.setRing(url, seal.NewRing(s.device(id.Recipient().String()))); err != nil {
		return Result{}, err
	}
	res, err := s.Setup(ctx, url, restore)
	if err != nil && !res.Sent {
		err = errors.Join(err, s.vault.change(func(v *vaulted) { delete(v.Rings, url) }))
	}
	return res, err
}

func (s *Syncer) device(recipient string) seal.Device {
	return seal.Device{Machine: s.o.Machine, Recipient: recipient, Name: s.o.Name}
}

// Invite draws a code by which one new machine is let in, while this one goes on exchanging and for a short time.
func (s *Syncer) Invite() (code string, until time.Time, err error) {
	if _, _, err := s.sealedURL(); err != nil {
		return "", time.Time{}, err
	}
	code, until = seal.NewCode(), s.o.Now().Add(inviteTime)
	return code, until, s.vault.change(func(v *vaulted) {
		v.Invites = append(slices.DeleteFunc(v.Invites, func(i invite) bool { return i.Until <= s.o.Now().Unix() }), invite{code, until.Unix()})
	})
}

// Join asks to be let into an encrypted memory with the code that another machine shows, waits for its answer, and sets the remote up.
func (s *Syncer) Join(ctx context.Context, url, code string) (Result, error) {
	url, err := CheckURL(url, s.o.Repo.Dir())
	if err != nil {
		return Result{}, err
	}
	if s.o.Keys == "" {
		return Result{}, errors.New("this service keeps no keys")
	}
	if err := s.join1(ctx, url, code); err != nil {
		return Result{}, err
	}
	return s.Setup(ctx, url, false)
}

func (s *Syncer) join1(ctx context.Context, url, code string) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.end()
	k, err := seal.NewCodeKey(code)
	if err != nil {
		return err
	}
	id, err := s.vault.identity()
	if err != nil {
		return err
	}
	raw, err := k.Close(seal.Request{Device: s.device(id.Recipient().String())})
	if err != nil {
		return err
	}
	z, err := s.sealedAt(url)
	if err != nil {
		return err
	}
	var name [8]byte
	_, _ = rand.Read(name[:])
	path := sealedJoin + "/" + hex.EncodeToString(name[:])
	err = z.amend(ctx, func(x *gitrepo.Reader, tree gitrepo.OID) (map[string]gitrepo.OID, error) {
		if _, err := x.Lookup(tree, sealedMark); err != nil {
			return nil, fmt.Errorf("%s holds no encrypted memory to join", url)
		}
		oid, err := z.repo.WriteLoose(gitrepo.Blob, raw)
		return map[string]gitrepo.OID{path: oid}, err
	})
	if err != nil {
		return err
	}
	pause := joinFirst
	for deadline := s.o.Now().Add(inviteTime); s.o.Now().Before(deadline); pause = min(2*pause, joinPause) {
		ring, err := z.answer(ctx, k, path)
		if err == nil {
			return s.vault.setRing(url, ring)
		}
		if !errors.Is(err, gitrepo.ErrNotFound) {
			return err
		}
		if err := s.o.Pause(ctx, pause); err != nil {
			return fmt.Errorf("%w: %w", ErrNoAnswer, err)
		}
	}
	return fmt.Errorf("%w within %s: have a new code shown there (dormouse devices invite), and keep that machine awake and online meanwhile", ErrNoAnswer, inviteTime)
}

// answer reads the answer to a request, and takes both out of the remote.
func (z *sealed) answer(ctx context.Context, k seal.CodeKey, path string) (seal.Ring, error) {
	tip, err := z.look(ctx)
	if err != nil {
		return seal.Ring{}, err
	}
	x := z.repo.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	c, err := x.Commit(tip)
	if err != nil {
		return seal.Ring{}, err
	}
	raw, err := z.file(x, c.Tree, path+answerExt)
	if err != nil {
		return seal.Ring{}, err
	}
	id, err := z.s.vault.identity()
	if err != nil {
		return seal.Ring{}, err
	}
	ring, err := k.OpenAnswer(raw, id)
	if err != nil {
		return ring, fmt.Errorf("the answer to this machine's request: %w", err)
	}
	return ring, z.amend(ctx, func(*gitrepo.Reader, gitrepo.OID) (map[string]gitrepo.OID, error) {
		return map[string]gitrepo.OID{path: {}, path + answerExt: {}}, nil
	})
}

// amend changes some files of the remote's tree and leaves its logs, also when others push meanwhile.
func (z *sealed) amend(ctx context.Context, change func(*gitrepo.Reader, gitrepo.OID) (map[string]gitrepo.OID, error)) error {
	for try := 1; ; try++ {
		err := z.amendOnce(ctx, change)
		if !errors.Is(err, gitrepo.ErrRace) || try == maxRaces {
			return err
		}
		if err := z.s.o.Pause(ctx, z.s.backOff(try)); err != nil {
			return err
		}
	}
}

func (z *sealed) amendOnce(ctx context.Context, change func(*gitrepo.Reader, gitrepo.OID) (map[string]gitrepo.OID, error)) error {
	tip, err := z.look(ctx)
	if err != nil {
		return err
	}
	x := z.repo.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	var tree gitrepo.OID
	if !tip.IsZero() {
		c, err := x.Commit(tip)
		if err != nil {
			return err
		}
		tree = c.Tree
	}
	files, err := change(x, tree)
	if err != nil || len(files) == 0 {
		return err
	}
	next, err := z.commitOn(tip, files)
	if err != nil {
		return err
	}
	return z.peer.Push(ctx, next)
}

// answerJoins lets in whoever knows a code that this machine shows.
func (z *sealed) answerJoins(ctx context.Context) error {
	open, err := z.s.vault.invites(z.s.o.Now())
	if err != nil || len(open) == 0 {
		return err
	}
	var used []string
	err = z.amend(ctx, func(x *gitrepo.Reader, tree gitrepo.OID) (map[string]gitrepo.OID, error) {
		used = nil
		return z.letIn(x, tree, open, &used)
	})
	if err != nil || len(used) == 0 {
		return err
	}
	return z.s.vault.change(func(v *vaulted) {
		v.Invites = slices.DeleteFunc(v.Invites, func(i invite) bool { return slices.Contains(used, i.Code) })
	})
}

func (z *sealed) letIn(x *gitrepo.Reader, tree gitrepo.OID, open []invite, used *[]string) (map[string]gitrepo.OID, error) {
	if tree.IsZero() {
		return nil, nil
	}
	dir, err := x.Lookup(tree, sealedJoin)
	if errors.Is(err, gitrepo.ErrNotFound) || err == nil && !dir.IsTree() {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	entries, err := x.Tree(dir.OID)
	if err != nil {
		return nil, err
	}
	ring, ours, err := z.ringOf(x, tree)
	if err != nil || !ours {
		return nil, err
	}
	files := map[string]gitrepo.OID{}
	for i, e := range entries {
		path := sealedJoin + "/" + e.Name
		if i >= maxJoins || strings.HasSuffix(e.Name, answerExt) {
			continue
		}
		raw, err := z.file(x, tree, path)
		if err != nil {
			continue // it is none of ours
		}
		for _, inv := range open {
			req, k, err := seal.OpenRequest(raw, inv.Code)
			if err != nil || slices.Contains(*used, inv.Code) || !machineName.MatchString(req.Machine) {
				continue
			}
			ring = ring.With(req.Device)
			answer, err := k.Answer(ring, req.Device)
			if err != nil {
				return nil, err
			}
			if files[path+answerExt], err = z.repo.WriteLoose(gitrepo.Blob, answer); err != nil {
				return nil, err
			}
			*used = append(*used, inv.Code)
		}
	}
	if len(*used) == 0 {
		return nil, nil
	}
	keys, err := ring.Seal()
	if err != nil {
		return nil, err
	}
	if files[sealedKeys], err = z.repo.WriteLoose(gitrepo.Blob, keys); err != nil {
		return nil, err
	}
	return files, z.s.vault.setRing(z.url, ring)
}
