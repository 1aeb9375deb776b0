package document

import (
	"errors"
	"fmt"
	"io"

	"dormouse/service/capture/transcript"
	"github.com/tidwall/gjson"
)

// Much is how long a piece is whose nodes are handed on at once, in bytes, so that they do not wait for those of others.
const Much = 256 << 10

// Source is a document that is read piece by piece. Opts say where its long texts go, and are told of the pieces that cannot be used; whoever
// only looks at it leaves them out.
type Source struct {
	File string
	In   io.Reader
	Opts transcript.Options
}

// Elements calls use with each element of the list that stands under one of the names, or that is the document itself; field, with each
// other field of the document. An error of use ends the reading. Both get bytes of their own, and memory is bounded as transcript.Values says.
// A document that ends too early is an error that wraps io.ErrUnexpectedEOF: it is being written.
func (s Source) Elements(names map[string]bool, field func(name string, raw []byte), use func(raw []byte) error) error {
	v := transcript.NewValues(s.In, transcript.Cut{})
	start, err := v.Next()
	switch {
	case err != nil:
		return err
	case start == '[':
		return s.list(v, use)
	case start != '{':
		return errors.New("neither a JSON object nor a list")
	}
	return v.Object(func(name string) error {
		if names[name] {
			return s.under(v, name, field, use)
		}
		return s.field(v, name, field)
	})
}

// under reads the value of a named field: a list, or else what any field is.
func (s Source) under(v *transcript.Values, name string, field func(string, []byte), use func([]byte) error) error {
	switch start, err := v.Next(); {
	case err != nil:
		return err
	case start == '[':
		return s.list(v, use)
	case start == '{':
		return fmt.Errorf("field %q is no list", name)
	}
	return s.field(v, name, field)
}

func (s Source) field(v *transcript.Values, name string, field func(string, []byte)) error {
	one, err := v.Take()
	if err == nil && s.used(one, 1) {
		field(name, one.Raw)
	}
	return err
}

func (s Source) list(v *transcript.Values, use func([]byte) error) error {
	v.Cut = s.Opts.Cutting()
	defer func() { v.Cut = transcript.Cut{} }()
	n := 0
	return v.List(func() error {
		n++
		one, err := v.Take()
		if err == nil && s.used(one, n) {
			err = use(one.Raw)
		}
		return err
	})
}

// used reports whether a piece can be used, and counts it otherwise.
func (s Source) used(one transcript.Value, n int) bool {
	if one.Reason != "" && s.Opts.Skip != nil {
		s.Opts.Skip(transcript.Skip{Reason: one.Reason, File: s.File, Line: n, Bytes: one.Bytes})
	}
	return one.Reason == ""
}

// Record is Whole for a record of a database, which is not being written: one that is damaged is counted. Only what fails is an error.
func (s Source) Record() (gjson.Result, error) {
	s.Opts.Waiting()
	v, _, err := s.Whole()
	if errors.Is(err, transcript.ErrNotJSON) || errors.Is(err, io.ErrUnexpectedEOF) {
		s.used(transcript.Value{Reason: transcript.NotJSON}, 0)
		return gjson.Result{}, nil
	}
	return v, err
}

// Whole reads a document that is one piece. One that cannot be used is counted, and ok is false.
func (s Source) Whole() (v gjson.Result, ok bool, err error) {
	in := transcript.NewValues(s.In, s.Opts.Cutting())
	one, err := in.Take()
	if err != nil || !s.used(one, 1) {
		return v, false, err
	}
	if b, err := in.Next(); err == nil {
		return v, false, fmt.Errorf("%w: %q follows on its end", transcript.ErrNotJSON, b)
	}
	return gjson.ParseBytes(one.Raw), true, nil
}
