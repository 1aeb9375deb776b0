package ledger

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"dormouse/store/memory"
)

// Decisions are packed for memory alone and read by the process that packed them, so their form has no version: a list of fields, where a text
// that the decision before had in the same field is 0, and any other its length and one, and the text. Lists and JSON that are nil are told from
// empty ones.

// packer writes decisions.
type packer struct {
	out  []byte
	last [packedTexts]string
}

// The texts that decisions near each other have in common.
const (
	textAction = iota
	textReason
	textPolicy
	textKind
	textScope
	textBy
	textMachine
	textOther
	packedTexts
)

var errPacked = errors.New("it ends in the middle")

func (p *packer) number(n uint64) { p.out = binary.AppendUvarint(p.out, n) }

func (p *packer) bytes(b []byte) {
	if b == nil {
		p.number(0)
		return
	}
	p.number(uint64(len(b)) + 1)
	p.out = append(p.out, b...)
}

func (p *packer) text(s string) {
	p.number(uint64(len(s)))
	p.out = append(p.out, s...)
}

func (p *packer) shared(field int, s string) {
	if s == p.last[field] {
		p.number(0)
		return
	}
	p.number(uint64(len(s)) + 1)
	p.out = append(p.out, s...)
	p.last[field] = s
}

func (p *packer) texts(list []string) {
	if list == nil {
		p.number(0)
		return
	}
	p.number(uint64(len(list)) + 1)
	for _, s := range list {
		p.text(s)
	}
}

func (p *packer) truth(is ...bool) {
	n := uint64(0)
	for i, b := range is {
		if b {
			n |= 1 << i
		}
	}
	p.number(n)
}

func (p *packer) decision(d *memory.Decision) error {
	q := &d.Proposal
	var move []byte
	if q.Move != nil {
		var err error
		if move, err = memory.Encode(q.Move); err != nil {
			return err
		}
	}
	p.truth(d.Accepted, q.Candidate, d.EventDate != nil)
	p.text(d.ID)
	p.shared(textAction, string(d.Action))
	p.shared(textReason, d.Reason)
	p.shared(textPolicy, d.PolicyVersion)
	p.shared(textKind, string(q.Kind))
	p.text(string(q.ClaimKey))
	p.text(q.RecordID)
	p.shared(textScope, string(q.Scope))
	p.bytes(q.Record)
	p.shared(textOther, q.By)
	p.texts(q.Parts)
	p.texts(q.Contests)
	p.bytes(move)
	p.text(q.Erased)
	p.texts(q.Nodes)
	p.texts(q.Erases)
	p.bytes(d.Before)
	p.bytes(d.After)
	p.shared(textBy, d.By)
	p.number(uint64(d.ObservedAt))
	if d.EventDate != nil {
		p.number(uint64(*d.EventDate))
	}
	p.number(d.Lamport)
	p.shared(textMachine, d.Machine)
	p.text(string(d.Undoes))
	p.hash(d.PrevHash)
	return nil
}

// hash writes 64 hex digits as the 32 bytes that they stand for, and any other text behind a 1.
func (p *packer) hash(s string) {
	var raw [32]byte
	if len(s) != 2*len(raw) || strings.Trim(s, "0123456789abcdef") != "" {
		p.number(1)
		p.text(s)
		return
	}
	for i := range raw {
		raw[i] = digit(s[2*i])<<4 | digit(s[2*i+1])
	}
	p.number(0)
	p.out = append(p.out, raw[:]...)
}

func digit(c byte) byte {
	if c >= 'a' {
		return c - 'a' + 10
	}
	return c - '0'
}

// packDecisions writes decisions one behind the other.
func packDecisions(list []memory.Decision) ([]byte, error) {
	p := packer{out: make([]byte, 0, 1<<15)}
	for i := range list {
		if err := p.decision(&list[i]); err != nil {
			return nil, fmt.Errorf("pack decision %s: %w", list[i].ID, err)
		}
	}
	return p.out, nil
}

// unpacker reads what a packer wrote. Nothing that it gives keeps the packed bytes alive, unless it is bare.
type unpacker struct {
	in   []byte
	bare bool // JSON lies in the packed bytes, and the hash of the line before is left out
	last [packedTexts]string
	bad  bool
}

func (u *unpacker) number() uint64 {
	n, size := binary.Uvarint(u.in)
	if size <= 0 {
		u.bad, u.in = true, nil
		return 0
	}
	u.in = u.in[size:]
	return n
}

func (u *unpacker) next(n uint64) []byte {
	if n > uint64(len(u.in)) {
		u.bad, u.in = true, nil
		return nil
	}
	b := u.in[:n]
	u.in = u.in[n:]
	return b
}

func (u *unpacker) bytes() []byte {
	n := u.number()
	if n == 0 {
		return nil
	}
	raw := u.next(n - 1)
	if u.bare {
		return raw[:len(raw):len(raw)]
	}
	return append([]byte{}, raw...)
}

func (u *unpacker) text() string { return string(u.next(u.number())) }

func (u *unpacker) shared(field int) string {
	if n := u.number(); n > 0 {
		u.last[field] = string(u.next(n - 1))
	}
	return u.last[field]
}

func (u *unpacker) texts() []string {
	n := u.number()
	if n == 0 || n-1 > uint64(len(u.in)) {
		u.bad = u.bad || n > 0
		return nil
	}
	out := make([]string, n-1)
	for i := range out {
		out[i] = u.text()
	}
	return out
}

func (u *unpacker) decision(d *memory.Decision) error {
	q := &d.Proposal
	is := u.number()
	d.Accepted, q.Candidate = is&1 != 0, is&2 != 0
	d.ID = u.text()
	d.Action = memory.Action(u.shared(textAction))
	d.Reason = u.shared(textReason)
	d.PolicyVersion = u.shared(textPolicy)
	q.Kind = memory.RecordKind(u.shared(textKind))
	q.ClaimKey = memory.ClaimKey(u.text())
	q.RecordID = u.text()
	q.Scope = memory.Scope(u.shared(textScope))
	q.Record = u.bytes()
	q.By = u.shared(textOther)
	q.Parts = u.texts()
	q.Contests = u.texts()
	move := u.bytes()
	q.Erased = u.text()
	q.Nodes = u.texts()
	q.Erases = u.texts()
	d.Before = u.bytes()
	d.After = u.bytes()
	d.By = u.shared(textBy)
	d.ObservedAt = int64(u.number())
	if is&4 != 0 {
		at := int64(u.number())
		d.EventDate = &at
	}
	d.Lamport = u.number()
	d.Machine = u.shared(textMachine)
	d.Undoes = memory.Ref(u.text())
	if n := u.number(); n == 0 {
		if raw := u.next(32); !u.bare && len(raw) == 32 {
			d.PrevHash = hex.EncodeToString(raw)
		}
	} else {
		d.PrevHash = u.text()
	}
	if move == nil {
		return nil
	}
	return json.Unmarshal(move, &q.Move)
}

// unpackDecisions puts what packDecisions wrote behind out.
func unpackDecisions(packed []byte, out []memory.Decision, bare bool) ([]memory.Decision, error) {
	u := unpacker{in: packed, bare: bare}
	for len(u.in) > 0 {
		out = append(out, memory.Decision{})
		if err := u.decision(&out[len(out)-1]); err != nil {
			return nil, err
		}
	}
	if u.bad {
		return nil, errPacked
	}
	return out, nil
}
