package document

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Elements reads a JSON document piece by piece, so that memory is bounded by its largest piece and not by the document. use is
// called with each element of the list that stands under one of the names, or that is the document itself; field, with each
// other field of the document. An error of use ends the reading. Both get bytes of their own. A document that ends too early is an error that wraps
// io.ErrUnexpectedEOF: it is being written.
func Elements(r io.Reader, names map[string]bool, field func(name string, raw []byte), use func(raw []byte) error) error {
	d := json.NewDecoder(r)
	start, err := d.Token()
	if err != nil {
		return cutOff(err)
	}
	switch start {
	case json.Delim('['):
		return list(d, use)
	case json.Delim('{'):
	default:
		return errors.New("neither a JSON object nor a list")
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return cutOff(err)
		}
		name, _ := key.(string)
		if names[name] {
			if err := under(d, name, field, use); err != nil {
				return err
			}
			continue
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return cutOff(err)
		}
		field(name, raw)
	}
	_, err = d.Token()
	return cutOff(err)
}

// under reads the value of a named field: a list, or else what any field is.
func under(d *json.Decoder, name string, field func(string, []byte), use func([]byte) error) error {
	start, err := d.Token()
	if err != nil {
		return cutOff(err)
	}
	if start == json.Delim('[') {
		return list(d, use)
	}
	if _, ok := start.(json.Delim); ok {
		return fmt.Errorf("field %q is no list", name)
	}
	raw, err := json.Marshal(start)
	if err == nil {
		field(name, raw)
	}
	return err
}

func list(d *json.Decoder, use func([]byte) error) error {
	for d.More() {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return cutOff(err)
		}
		if err := use(raw); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return cutOff(err)
}

func cutOff(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
