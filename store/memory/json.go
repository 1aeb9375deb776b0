package memory

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Encode is compact JSON without HTML escapes and without a final newline: the one way in which records are written.
func Encode(v any) ([]byte, error) {
	if b, ok := appendRecord(nil, v); ok {
		return b, nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// AppendLine writes a record as Encode does, and a newline, behind b.
func AppendLine(b []byte, r any) ([]byte, error) {
	if out, ok := appendRecord(b, r); ok {
		return append(out, '\n'), nil
	}
	raw, err := Encode(r)
	if err != nil {
		return b, err
	}
	return append(append(b, raw...), '\n'), nil
}

// Canonical is raw's one canonical form: compact, object keys sorted at every depth, numbers as they were written.
func Canonical(raw []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("canonical form: %w", err)
	}
	return Encode(v)
}

// Extra holds the fields of a record that this version does not know. They are kept and written back.
type Extra map[string]json.RawMessage

// encodeWith writes known (a struct) followed by the unknown fields in the order of their names.
func encodeWith(known any, extra Extra) ([]byte, error) {
	b, err := Encode(known)
	if err != nil || len(extra) == 0 {
		return b, err
	}
	var out bytes.Buffer
	out.Write(bytes.TrimSuffix(b, []byte("}")))
	first := bytes.Equal(b, []byte("{}"))
	for _, k := range slices.Sorted(maps.Keys(extra)) {
		if !first {
			out.WriteByte(',')
		}
		first = false
		name, err := Encode(k)
		if err != nil {
			return nil, err
		}
		val, err := Canonical(extra[k])
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", k, err)
		}
		out.Write(name)
		out.WriteByte(':')
		out.Write(val)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
}

// decodeWith fills known (a pointer to a struct) and returns the fields that are not in names.
func decodeWith(raw []byte, known any, names map[string]bool) (Extra, error) {
	if err := json.Unmarshal(raw, known); err != nil {
		return nil, err
	}
	if onlyKnown(raw, names) {
		return nil, nil
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, err
	}
	var extra Extra
	for k, v := range all {
		if names[k] {
			continue
		}
		if extra == nil {
			extra = Extra{}
		}
		extra[k] = v
	}
	return extra, nil
}
