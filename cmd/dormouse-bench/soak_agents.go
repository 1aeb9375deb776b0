package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// soakAgents plays the agents: it writes new sessions made from the samples, line by line, some at the same time.
type soakAgents struct {
	roots    string
	samples  []soakSample
	random   *rand.Rand
	sessions int
	bytes    int64
}

// soakSample is one transcript, with its path below the roots.
type soakSample struct {
	path string
	text []byte
}

// agentIDs are the agents' own ids in a transcript, without which a copy would be the session that it was made from.
var agentIDs = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?:msg|toolu|req|call|rs|fc)_[0-9A-Za-z]{16,}`)

const (
	soakWriters = 3
	soakMost    = 200_000 // bytes of a sample that is used: many short sessions ask more of a service than few long ones
)

func newSoakAgents(samples, roots string, seed uint64) (*soakAgents, error) {
	a := &soakAgents{roots: roots, random: rand.New(rand.NewPCG(seed, 1))}
	err := filepath.WalkDir(samples, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".jsonl") {
			return err
		}
		rel, err := filepath.Rel(samples, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if len(text) > soakMost {
			text = text[:bytes.LastIndexByte(text[:soakMost], '\n')+1]
		}
		a.samples = append(a.samples, soakSample{rel, text})
		return err
	})
	if err == nil && len(a.samples) == 0 {
		err = fmt.Errorf("no sample sessions below %s", samples)
	}
	return a, err
}

// run begins sessions until ctx ends, and then writes those to their end that have begun.
func (a *soakAgents) run(ctx context.Context) error {
	for ctx.Err() == nil {
		var open []*soakSession
		for range soakWriters {
			s, err := a.begin()
			if err != nil {
				return err
			}
			open = append(open, s)
		}
		for len(open) > 0 {
			i := a.random.IntN(len(open))
			n, err := open[i].write(a.random)
			if err != nil {
				return err
			}
			a.bytes += int64(n)
			if len(open[i].rest) == 0 {
				open = append(open[:i], open[i+1:]...)
			}
			select {
			case <-ctx.Done():
			case <-time.After(time.Duration(a.random.IntN(40)) * time.Millisecond):
			}
		}
	}
	return nil
}

// soakSession is a transcript that is being written.
type soakSession struct {
	path string
	rest []byte
}

func (a *soakAgents) begin() (*soakSession, error) {
	sample, salt := a.samples[a.random.IntN(len(a.samples))], a.random.Uint64()
	renew := func(old []byte) []byte { return renewed(old, salt) }
	s := &soakSession{
		path: filepath.Join(a.roots, string(agentIDs.ReplaceAllFunc([]byte(sample.path), renew))),
		rest: agentIDs.ReplaceAllFunc(sample.text, renew),
	}
	a.sessions++
	return s, os.MkdirAll(filepath.Dir(s.path), 0o700)
}

// renewed is another id of the same form, the same for the same id within one session.
func renewed(old []byte, salt uint64) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", salt, old))
	digits := hex.EncodeToString(sum[:])
	out, next := bytes.Clone(old), 0
	from := bytes.IndexByte(old, '_') + 1
	for i := from; i < len(out); i++ {
		if out[i] != '-' {
			out[i] = digits[next%len(digits)]
			next++
		}
	}
	return out
}

// write adds some lines; now and then it stops in the middle of one.
func (s *soakSession) write(r *rand.Rand) (int, error) {
	n := 0
	for range 1 + r.IntN(8) {
		end := bytes.IndexByte(s.rest[n:], '\n')
		if end < 0 {
			n = len(s.rest)
			break
		}
		n += end + 1
	}
	if n > 1 && n < len(s.rest) && r.IntN(4) == 0 {
		n -= 1 + r.IntN(n-1)
	}
	f, err := os.OpenFile(s.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	_, err = f.Write(s.rest[:n])
	s.rest = s.rest[n:]
	if e := f.Close(); err == nil {
		err = e
	}
	return n, err
}
