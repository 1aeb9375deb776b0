package distill

import (
	"dormouse/store/memory"
	"dormouse/store/session"
)

// Store reads transcripts from the session store.
type Store struct{ Sessions *session.Store }

// List names the sessions that can be read; those that cannot are the store's to report.
func (s Store) List() ([]memory.Session, error) {
	valid, _, err := s.Sessions.List()
	return valid, err
}

// Open opens a session.
func (s Store) Open(id string) (Transcript, error) {
	x, err := s.Sessions.Open(id)
	if err != nil {
		return nil, err
	}
	return x, nil
}

// Root is the first node of a session.
func (s Store) Root(id string) (string, error) {
	x, err := s.Sessions.Open(id)
	if err != nil {
		return "", err
	}
	return string(x.Meta().RootID), nil
}
