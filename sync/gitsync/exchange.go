package gitsync

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"dormouse/store/gitrepo"
)

// How often a round is tried again, and the pauses between: they double from firstPause to lastPause, and each is drawn from
// half to one and a half of that, so that machines which met once do not meet again.
const (
	maxRaces    = 10 // that somebody else won
	maxRefusals = 2  // by the remote: a hook may be of another mind a moment later
	firstPause  = 150 * time.Millisecond
	lastPause   = 10 * time.Second
)

// exchange is one run of Sync or Setup.
type exchange struct {
	url     string
	remote  Remote
	restore bool
	changed bool // other machines' logs on the disk have changed
	sent    bool
}

// exchange makes rounds until one goes through or fails for good, then tells the caller what came in.
func (s *Syncer) exchange(ctx context.Context, url string, restore bool) (Result, error) {
	remote, err := s.remoteAt(url)
	if err != nil {
		return Result{}, err
	}
	e := &exchange{url: url, remote: remote, restore: restore}
	err = s.rounds(ctx, e)
	if z, ok := remote.(*sealed); ok && err == nil {
		err = z.answerJoins(ctx)
	}
	res := Result{Sent: e.sent}
	if s.untold = s.untold || e.changed; s.untold {
		var told error
		if res.Received, told = s.o.Joined(ctx); told != nil {
			err = errors.Join(err, fmt.Errorf("take in what came from other machines: %w", told))
		}
		s.untold = told != nil
	}
	return res, err
}

func (s *Syncer) rounds(ctx context.Context, e *exchange) error {
	races, refusals := 0, 0
	for {
		err := s.round(ctx, e)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, errAgain):
			if races++; races > maxRaces {
				return err
			}
			continue
		case errors.Is(err, gitrepo.ErrRace), errors.Is(err, gitrepo.ErrMoved), errors.Is(err, gitrepo.ErrBusy):
			if races++; races > maxRaces {
				return fmt.Errorf("%w (tried %d times; it is tried again)", err, races)
			}
		case errors.Is(err, gitrepo.ErrRefused):
			if refusals++; refusals > maxRefusals {
				return err
			}
		default:
			return err
		}
		if err := s.o.Pause(ctx, s.backOff(races+refusals)); err != nil {
			return err
		}
	}
}

// backOff is the pause before the nth try again.
func (s *Syncer) backOff(n int) time.Duration {
	d := min(firstPause<<min(n-1, 10), lastPause)
	return time.Duration(float64(d) * (0.5 + s.o.Jitter()))
}

// round is one try: commit, look, fetch, join, take over, send. It may end after any step and be begun anew.
func (s *Syncer) round(ctx context.Context, e *exchange) error {
	if err := s.o.Commit(); err != nil {
		return fmt.Errorf("commit the own log: %w", err)
	}
	tip, err := e.remote.Head(ctx)
	if err != nil {
		return err
	}
	had := tip // what the remote names; tip is what takes its place where that holds what is erased
	if to, ok := s.rewritten[tip]; ok && s.o.Repo.Has(to) {
		tip = to
	} else if !tip.IsZero() && !s.o.Repo.Has(tip) {
		if s.erasures().Len() > 0 {
			if err := s.mayHold(); err != nil {
				return err
			}
		}
		if err := e.remote.Fetch(ctx, tip); err != nil {
			return err
		}
	}
	if err := s.step("fetched"); err != nil {
		return err
	}
	if tip, err = s.cleanse(tip); err != nil {
		return err
	}
	err = s.meet(ctx, e, tip, had)
	if !errors.Is(err, errAgain) {
		err = errors.Join(err, s.purge())
	}
	return err
}

// meet is the rest of a round, once the remote's commit is here: had is what the remote names, tip what takes its place.
func (s *Syncer) meet(ctx context.Context, e *exchange, tip, had gitrepo.OID) error {
	repo := s.o.Repo
	main, err := repo.Ref(gitrepo.MainBranch)
	if err != nil {
		return err
	}
	met, err := repo.Ref(metRef(e.url))
	if err != nil {
		return err
	}
	x := repo.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	if err := s.heed(ctx, x, main, tip); err != nil {
		return err
	}
	if err := s.admit(ctx, x, e, met, tip); errors.Is(err, ErrRewound) { // also by an erase that was written under this machine's id elsewhere
		return cmp.Or(s.copied(x, e.url, main, tip), err)
	} else if err != nil {
		return err
	}
	target, err := s.takeOver(x, e, main, tip)
	if err != nil {
		return err
	}
	if err := s.note(e.url, tip); err != nil {
		return err
	}
	return s.send(ctx, e, target, tip, had)
}

// metRef is the ref that names the newest commit which the remote is known to have had. Each address has its own, so that
// going over to another remote is no rewinding, and coming back to one that was rewound is.
func metRef(url string) string {
	sum := sha256.Sum256([]byte(url))
	return "refs/dormouse/met/" + hex.EncodeToString(sum[:6])
}

// admit refuses a remote that does not hold what it had at the last exchange, and one that was never met and is no memory.
func (s *Syncer) admit(ctx context.Context, x *gitrepo.Reader, e *exchange, met, tip gitrepo.OID) error {
	switch {
	case e.restore, met == tip && !tip.IsZero():
		return nil
	case met.IsZero() && tip.IsZero():
		return mayBegin(ctx, e)
	case met.IsZero():
		have, err := logsIn(x, tip)
		if err != nil {
			return err
		}
		ok, err := isMemory(x, tip, have)
		if err == nil && !ok {
			err = fmt.Errorf("%s: %w; nothing was sent: take a new, empty repository", e.url, ErrNotMemory)
		}
		return err
	case tip.IsZero():
		return s.rewound(e.url, "its main branch is gone")
	}
	ok, err := x.Descends(tip, met)
	if err == nil && !ok {
		err = s.rewound(e.url, fmt.Sprintf("its main branch is at %.10s, which does not build on %.10s, where it was at the last exchange", tip, met))
	}
	return err
}

// lister is a Remote that can tell its refs below a folder, as gitrepo.Peer can.
type lister interface {
	Refs(ctx context.Context, folder string) (map[string]gitrepo.OID, error)
}

// mayBegin refuses a remote without a main branch that has others: somebody works on those.
func mayBegin(ctx context.Context, e *exchange) error {
	r, ok := e.remote.(lister)
	if !ok {
		return nil
	}
	branches, err := r.Refs(ctx, "refs/heads/")
	delete(branches, gitrepo.MainBranch) // which came meanwhile: the next look sees it
	if err != nil || len(branches) == 0 {
		return err
	}
	first := strings.TrimPrefix(slices.Min(slices.Collect(maps.Keys(branches))), "refs/heads/")
	return fmt.Errorf("%s: %w: it has the branch %s and no main; nothing was sent: take a new, empty repository", e.url, ErrNotMemory, first)
}

func (s *Syncer) rewound(url, how string) error {
	return fmt.Errorf("%w: %s: %s. Nothing was taken or sent, and the memory on this machine is whole. "+
		"To put it back beside what the remote holds now: %s", ErrRewound, url, how, s.restoring(url))
}

// restoring is the command that puts this machine's logs back onto a remote.
func (s *Syncer) restoring(url string) string {
	if set, err := s.Remote(); err == nil && set == url {
		return "dormouse sync restore-remote"
	}
	return "dormouse sync setup " + url + " --restore"
}

// takeOver joins the remote's commit with ours, writes other machines' logs to the disk, and moves our branch. It returns the
// commit that both sides shall have; zero where neither has one.
func (s *Syncer) takeOver(x *gitrepo.Reader, e *exchange, main, tip gitrepo.OID) (gitrepo.OID, error) {
	j := joined{commit: main}
	if !tip.IsZero() {
		var err error
		if j, err = s.join(x, main, tip, e.restore); err != nil {
			return j.commit, err
		}
	} else if list, err := s.Asides(); err != nil {
		return main, err
	} else {
		for _, a := range list {
			j.apart = append(j.apart, a.Log)
		}
	}
	if err := s.step("joined"); err != nil || j.commit.IsZero() {
		return j.commit, err
	}
	changed, err := s.checkout(x, j.commit, j.apart)
	e.changed = e.changed || changed
	if err != nil {
		return j.commit, err
	}
	for _, path := range j.fit {
		if err := s.takeBack(path); err != nil {
			return j.commit, err
		}
	}
	if err := s.step("checked out"); err != nil {
		return j.commit, err
	}
	if len(j.own) > 0 {
		return main, s.foreignOwn(x, e.url, main, tip, j.own)
	}
	if j.commit != main {
		if err := s.o.Repo.Advance(main, j.commit); err != nil {
			return j.commit, err
		}
	}
	return j.commit, s.step("advanced")
}

// note keeps in mind what the remote had.
func (s *Syncer) note(url string, tip gitrepo.OID) error {
	repo := s.o.Repo
	met, err := repo.Ref(metRef(url))
	if err != nil || tip.IsZero() || met == tip {
		return err
	}
	if err := repo.SetRef(metRef(url), met, tip); err != nil {
		return err
	}
	return s.step("noted")
}

// send pushes a commit unless the remote has it. Where the remote's history holds what is erased, it is written over: what it
// held is all in the commit.
func (s *Syncer) send(ctx context.Context, e *exchange, commit, tip, had gitrepo.OID) error {
	if commit == had && !s.mustRewrite(e, tip, had) || commit.IsZero() {
		return nil
	}
	if z, ok := e.remote.(*sealed); ok && !z.older && !s.mustRewrite(e, tip, had) && z.holds(commit) {
		return s.note(e.url, commit)
	}
	if !s.mustRewrite(e, tip, had) {
		if err := e.remote.Push(ctx, commit); err != nil {
			return err
		}
	} else if err := e.remote.Replace(ctx, had, commit); errors.Is(err, gitrepo.ErrRefused) {
		return fmt.Errorf("what was erased is still in the remote's history: %w. Allow %s to be rewritten once (a forced push), or take a new, "+
			"empty repository and delete that one: dormouse sync setup URL", err, e.url)
	} else if err != nil {
		return err
	}
	e.sent = true
	if err := s.step("pushed"); err != nil {
		return err
	}
	return s.note(e.url, commit)
}

// mustRewrite reports whether the remote's history holds what is erased. Of a plain remote that was seen by rewriting it; a sealed one
// says how it stands, beside what its newest tree holds.
func (s *Syncer) mustRewrite(e *exchange, tip, had gitrepo.OID) bool {
	z, ok := e.remote.(*sealed)
	if !ok {
		return tip != had
	}
	return !had.IsZero() && (z.stale() || tip != had && !z.holds(tip))
}
