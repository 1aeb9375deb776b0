package proxytest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// checker holds JSON to the types of a provider's library.
type checker struct {
	// shorthand are the fields in which a string stands for a list of one text.
	shorthand []string
}

// check says what of a value a type does not allow; at is the value's place.
func (c checker) check(v any, t reflect.Type, at string) error {
	switch {
	case t.Kind() == reflect.Pointer:
		return c.check(v, t.Elem(), at)
	case strings.HasPrefix(t.Name(), "Opt["):
		if v == nil {
			return nil
		}
		return c.check(v, t.Field(0).Type, at)
	case t.Kind() == reflect.Interface || t == reflect.TypeFor[json.RawMessage]():
		return nil
	case isUnion(t):
		return c.union(v, t, at)
	}
	switch t.Kind() {
	case reflect.Struct:
		return c.object(v, t, at)
	case reflect.Slice:
		return c.list(v, t, at)
	case reflect.Map:
		return c.table(v, t, at)
	}
	return scalar(v, t, at)
}

func isUnion(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && t.NumField() > 0 && strings.HasPrefix(t.Field(0).Tag.Get("json"), ",") && strings.HasPrefix(t.Field(0).Name, "Of")
}

// union takes what one of the variants takes. It tells what is wrong with the one whose type the value has.
func (c checker) union(v any, t reflect.Type, at string) error {
	var wrong error
	for i := range t.NumField() {
		f := t.Field(i)
		if !strings.HasPrefix(f.Name, "Of") {
			continue
		}
		err := c.check(v, f.Type, at)
		if err == nil {
			return nil
		}
		if m, ok := v.(map[string]any); ok && m["type"] != nil && constant(f.Type, "type") == m["type"] {
			wrong = err
		}
	}
	if wrong != nil {
		return wrong
	}
	return fmt.Errorf("%s: no variant of %s", at, t.Name())
}

// constant is the value that a field of a variant always has; nil where it has none.
func constant(t reflect.Type, name string) any {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	for i := range t.NumField() {
		if f := t.Field(i); nameOf(f) == name {
			if s, ok := fixed(f.Type); ok {
				return s
			}
		}
	}
	return nil
}

// fixed is the one value of a constant's type.
func fixed(t reflect.Type) (string, bool) {
	m, ok := t.MethodByName("Default")
	if !ok || t.Kind() != reflect.String || m.Type.NumIn() != 1 {
		return "", false
	}
	return m.Func.Call([]reflect.Value{reflect.Zero(t)})[0].String(), true
}

func nameOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

func (c checker) object(v any, t reflect.Type, at string) error {
	m, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("%s: %T where %s is wanted", at, v, t.Name())
	}
	known, open := map[string]bool{}, false
	for i := range t.NumField() {
		f := t.Field(i)
		name := nameOf(f)
		if open = open || strings.Contains(f.Tag.Get("api"), "extrafields"); name == "" || name == "-" {
			continue
		}
		known[name] = true
		inner, has := m[name]
		_, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if required := strings.Contains(options+f.Tag.Get("api"), "required"); !has {
			if _, one := fixed(f.Type); required || one && name == "type" {
				return fmt.Errorf("%s.%s: Field required", at, name)
			}
			continue
		}
		if err := c.check(inner, f.Type, at+"."+name); err != nil {
			return err
		}
	}
	for name := range m {
		if !known[name] && !open {
			return fmt.Errorf("%s.%s: Extra inputs are not permitted", at, name)
		}
	}
	return nil
}

func (c checker) list(v any, t reflect.Type, at string) error {
	list, ok := v.([]any)
	if _, text := v.(string); text && slices.Contains(c.shorthand, at[strings.LastIndexByte(at, '.')+1:]) {
		return nil
	}
	if !ok {
		return fmt.Errorf("%s: %T where a list is wanted", at, v)
	}
	for i, x := range list {
		if err := c.check(x, t.Elem(), fmt.Sprintf("%s[%d]", at, i)); err != nil {
			return err
		}
	}
	return nil
}

func (c checker) table(v any, t reflect.Type, at string) error {
	m, ok := v.(map[string]any)
	if !ok {
		return fmt.Errorf("%s: %T where an object is wanted", at, v)
	}
	for k, x := range m {
		if err := c.check(x, t.Elem(), at+"."+k); err != nil {
			return err
		}
	}
	return nil
}

func scalar(v any, t reflect.Type, at string) error {
	ok := false
	switch v := v.(type) {
	case string:
		ok = t.Kind() == reflect.String
		if want, one := fixed(t); ok && one && v != want {
			return fmt.Errorf("%s: %q where %q is wanted", at, v, want)
		}
	case bool:
		ok = t.Kind() == reflect.Bool
	case json.Number:
		_, err := v.Int64()
		ok = t.Kind() == reflect.Float64 || t.Kind() == reflect.Int64 && err == nil
	}
	if !ok {
		return fmt.Errorf("%s: %T where %s is wanted", at, v, t)
	}
	return nil
}
