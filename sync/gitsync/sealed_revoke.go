package gitsync

import (
	"context"
	"errors"
	"fmt"

	"dormouse/store/gitrepo"
	"dormouse/sync/seal"
)

// Revoke takes a machine out of an encrypted memory: a new key for all that comes, and the whole memory written anew under it, in place of
// the remote's history. kept says that the remote did not let its history be replaced, so that what the lost machine could read it can
// go on reading there.
func (s *Syncer) Revoke(ctx context.Context, machine string) (kept bool, err error) {
	url, _, err := s.sealedURL()
	if err != nil {
		return false, err
	}
	if machine == s.o.Machine {
		return false, errors.New("this is the machine itself: revoke it from another one")
	}
	for try := 1; ; try++ {
		if _, err := s.Sync(ctx); err != nil { // what the others know must be here first
			return false, err
		}
		kept, err := s.revoke(ctx, url, machine)
		if !errors.Is(err, gitrepo.ErrRace) || try == maxRaces {
			return kept, err
		}
		if err := s.o.Pause(ctx, s.backOff(try)); err != nil {
			return false, err
		}
	}
}

func (s *Syncer) revoke(ctx context.Context, url, machine string) (kept bool, err error) {
	if err := s.begin(ctx); err != nil {
		return false, err
	}
	defer s.end()
	z, err := s.sealedAt(url)
	if err != nil {
		return false, err
	}
	plain, err := z.Head(ctx)
	if err != nil {
		return false, err
	}
	main, err := s.o.Repo.Ref(gitrepo.MainBranch)
	if err != nil {
		return false, err
	}
	if plain.IsZero() || !z.holds(main) {
		return false, gitrepo.ErrRace
	}
	ring, _, err := s.vault.ring(url)
	if err != nil {
		return false, err
	}
	next, ok := ring.Without(machine)
	if !ok {
		return false, fmt.Errorf("no machine %s can read the memory: dormouse devices lists them", machine)
	}
	err = z.renew(ctx, next, main)
	if errors.Is(err, gitrepo.ErrRefused) {
		kept = true
		err = z.renewOn(ctx, next, main)
	}
	if err != nil {
		return kept, err
	}
	return kept, s.note(url, main)
}

// Devices are the machines that can read an encrypted memory, and those that were revoked.
func (s *Syncer) Devices() (in, left []seal.Device, err error) {
	_, ring, err := s.sealedURL()
	return ring.Devices, ring.Left, err
}

// IsSealed reports whether an address is used encrypted.
func (s *Syncer) IsSealed(url string) bool {
	_, ok, err := s.vault.ring(url)
	return err == nil && ok
}

func (s *Syncer) sealedURL() (string, seal.Ring, error) {
	url, err := s.Remote()
	if err != nil {
		return "", seal.Ring{}, err
	}
	if url == "" {
		return "", seal.Ring{}, ErrOff
	}
	ring, ok, err := s.vault.ring(url)
	if err == nil && !ok {
		err = fmt.Errorf("%w: %s", ErrNotSealed, url)
	}
	return url, ring, err
}
