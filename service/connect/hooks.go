package connect

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// quoted puts a path in quotes for a shell, where it needs them.
func quoted(path string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-:+@", r)
	}
	if strings.IndexFunc(path, func(r rune) bool { return !plain(r) }) < 0 {
		return path
	}
	return `"` + strings.NewReplacer(`"`, `\"`, `$`, `\$`, "`", "\\`", `\`, `\\`).Replace(path) + `"`
}

// bom is the mark with which some editors on Windows begin a text in UTF-8.
const bom = "\ufeff"

// unmarked is a text without that mark, and what puts it back.
func unmarked(text []byte) (rest []byte, mark func([]byte, error) ([]byte, error)) {
	rest, marked := bytes.CutPrefix(text, []byte(bom))
	return rest, func(out []byte, err error) ([]byte, error) {
		if err != nil || !marked {
			return out, err
		}
		return append([]byte(bom), out...), nil
	}
}

// with is the file's text with the hooks and the entry of the MCP server in it, as far as the agent is to have them. It is the same text
// where they are in it already.
func (a Agent) with(text []byte, hook string) ([]byte, error) {
	text, mark := unmarked(text)
	return mark(a.withUnmarked(text, hook))
}

func (a Agent) withUnmarked(text []byte, hook string) (out []byte, err error) {
	out = text
	if a.HasHooks() {
		if out, err = a.withHooks(out, hook); err != nil {
			return nil, err
		}
	}
	if a.entry != nil {
		return a.entry.with(out, a.Name, a.program)
	}
	return out, nil
}

// HasHooks reports whether the agent's file is to hold hooks, or a plugin in their place; else it holds the MCP server alone.
func (a Agent) HasHooks() bool { return a.plugin != nil || a.shape.handler != nil }

// takenOut is the file's text without them.
func (a Agent) takenOut(text []byte) ([]byte, error) {
	text, mark := unmarked(text)
	return mark(a.takenOutUnmarked(text))
}

func (a Agent) takenOutUnmarked(text []byte) (out []byte, err error) {
	out = text
	if a.entry != nil {
		if out, err = a.entry.takenOut(out); err != nil {
			return nil, err
		}
	}
	if a.HasHooks() {
		return a.withoutHooks(out)
	}
	return out, nil
}

// withHooks is the file's text with the hooks in it.
func (a Agent) withHooks(text []byte, hook string) ([]byte, error) {
	if a.plugin != nil {
		return a.withPlugin(text, hook)
	}
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
		for _, m := range a.shape.first {
			d, err := document{text}.setMember(nil, m.name, m.value)
			if err != nil {
				return nil, err
			}
			text = d.text
		}
	}
	d, err := a.withoutOthers(document{text})
	if err != nil {
		return nil, err
	}
	for _, event := range a.Events {
		line := command(hook, event, a.Name, a.asks[event])
		if has, err := d.has(event, line); err != nil {
			return nil, err
		} else if has {
			continue
		}
		if d, err = d.without(a, event, false); err != nil {
			return nil, err
		}
		if d, err = d.add(event, a.shape.hookOf(event, line, a.asks[event])); err != nil {
			return nil, err
		}
	}
	return d.text, nil
}

// withoutOthers takes our hooks out of the lists of other events than the agent's: those at which it was asked, and is no more.
func (a Agent) withoutOthers(d document) (document, error) {
	root, err := d.parse()
	if err != nil {
		return d, err
	}
	events, err := object(&root, "hooks")
	if err != nil || events == nil {
		return d, err
	}
	for _, m := range events.Value.(*hujson.Object).Members {
		if event := m.Name.Value.(hujson.Literal).String(); !slices.Contains(a.Events, event) {
			if d, err = d.without(a, event, true); err != nil {
				return d, err
			}
		}
	}
	return d, nil
}

// hookOf is what stands in an event's list for one hook.
func (s shape) hookOf(event, command string, waits bool) any {
	if s.grouped {
		return []member{{"hooks", []any{s.handler(event, command, waits)}}}
	}
	return s.handler(event, command, waits)
}

// withoutHooks is the file's text without the hooks. Lists that are empty then go too.
func (a Agent) withoutHooks(text []byte) ([]byte, error) {
	if a.plugin != nil {
		return withoutPlugin(text), nil
	}
	d := document{text}
	if len(bytes.TrimSpace(text)) == 0 {
		return text, nil
	}
	root, err := d.parse()
	if err != nil {
		return nil, err
	}
	events, err := object(&root, "hooks")
	if err != nil || events == nil {
		return text, err
	}
	for _, m := range events.Value.(*hujson.Object).Members {
		if d, err = d.without(a, m.Name.Value.(hujson.Literal).String(), true); err != nil {
			return nil, err
		}
	}
	return d.text, nil
}

// object is the object that a member holds; nil where there is no such member.
func object(v *hujson.Value, name string) (*hujson.Value, error) {
	m := find(v, name)
	if m == nil {
		return nil, nil
	}
	if _, ok := m.Value.(*hujson.Object); !ok {
		return nil, fmt.Errorf("%q is no object", name)
	}
	return m, nil
}

// find is the value of the last member with this name.
func find(v *hujson.Value, name string) (found *hujson.Value) {
	o, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	for i := range o.Members {
		if l, ok := o.Members[i].Name.Value.(hujson.Literal); ok && l.String() == name {
			found = &o.Members[i].Value
		}
	}
	return found
}

// list is the array of an event; nil where there is none.
func list(root *hujson.Value, event string) (*hujson.Value, error) {
	events, err := object(root, "hooks")
	if err != nil || events == nil {
		return nil, err
	}
	v := find(events, event)
	if v == nil {
		return nil, nil
	}
	if _, ok := v.Value.(*hujson.Array); !ok {
		return nil, fmt.Errorf("hooks.%s is no list", event)
	}
	return v, nil
}

// has reports whether an event's list has a hook with this command.
func (d document) has(event, command string) (bool, error) {
	root, err := d.parse()
	if err != nil {
		return false, err
	}
	v, err := list(&root, event)
	if err != nil || v == nil {
		return false, err
	}
	for part := range v.All() {
		if l, ok := part.Value.(hujson.Literal); ok && l.Kind() == '"' && l.String() == command {
			return true, nil
		}
	}
	return false, nil
}

// add puts a hook at the end of an event's list, which it makes where it is missing.
func (d document) add(event string, hook any) (document, error) {
	root, err := d.parse()
	if err != nil {
		return d, err
	}
	v, err := list(&root, event)
	if err != nil {
		return d, err
	}
	if v != nil {
		return d.insert(spanOf(v), 2, func(indent, unit, nl string) string { return render(hook, indent, unit, nl) }), nil
	}
	events, err := object(&root, "hooks")
	if err != nil {
		return d, err
	}
	if events == nil {
		return d.setMember(nil, "hooks", []member{{event, []any{hook}}})
	}
	return d.setMember(events, event, []any{hook})
}

// setMember adds a member to an object: the root for nil, else one that lies in it.
func (d document) setMember(at *hujson.Value, name string, value any) (document, error) {
	return d.setMemberAt(at, 1, name, value)
}

// setMemberAt is setMember for an object that lies depth levels deep.
func (d document) setMemberAt(at *hujson.Value, depth int, name string, value any) (document, error) {
	if at == nil {
		root, err := d.parse()
		if err != nil {
			return d, err
		}
		at, depth = &root, 0
	}
	return d.insert(spanOf(at), depth, func(indent, unit, nl string) string {
		return quote(name) + ": " + render(value, indent, unit, nl)
	}), nil
}

// without takes our hooks out of an event's list, and, with prune, the list and the object of all lists where they are empty
// then.
func (d document) without(a Agent, event string, prune bool) (document, error) {
	removed := false
	for {
		root, err := d.parse()
		if err != nil {
			return d, err
		}
		v, err := list(&root, event)
		if err != nil || v == nil {
			return d, nil // not ours
		}
		container, i := ours(v, a.Name)
		switch {
		case container != nil:
			d, removed = d.remove(spanOf(container), i), true
			continue
		case removed && prune && len(v.Value.(*hujson.Array).Elements) == 0:
			return d.prune(event)
		}
		return d, nil
	}
}

// prune takes an event's empty list out, and then the object of the lists if it is empty.
func (d document) prune(event string) (document, error) {
	root, err := d.parse()
	if err != nil {
		return d, err
	}
	events := find(&root, "hooks")
	d = d.remove(spanOf(events), memberAt(events, event))
	if len(events.Value.(*hujson.Object).Members) > 1 {
		return d, nil
	}
	if root, err = d.parse(); err != nil {
		return d, err
	}
	return d.remove(spanOf(&root), memberAt(&root, "hooks")), nil
}

func memberAt(v *hujson.Value, name string) (at int) {
	for i, m := range v.Value.(*hujson.Object).Members {
		if m.Name.Value.(hujson.Literal).String() == name {
			at = i
		}
	}
	return at
}

// ours is the first hook in a list that is Dormouse's for an agent, as the container that holds it and its place there. A group
// that has no other hook is taken out whole.
func ours(v *hujson.Value, agent string) (container *hujson.Value, at int) {
	for i := range v.Value.(*hujson.Array).Elements {
		e := &v.Value.(*hujson.Array).Elements[i]
		if isOurs(e, agent) {
			return v, i
		}
		group := find(e, "hooks")
		if group == nil {
			continue
		}
		hooks, ok := group.Value.(*hujson.Array)
		if !ok {
			continue
		}
		for k := range hooks.Elements {
			if !isOurs(&hooks.Elements[k], agent) {
				continue
			}
			if len(hooks.Elements) == 1 {
				return v, i
			}
			return group, k
		}
	}
	return nil, 0
}

// isOurs tells a hook of Dormouse by its command: the name of the binary and the agent.
func isOurs(hook *hujson.Value, agent string) bool {
	for _, name := range []string{"command", "bash"} {
		v := find(hook, name)
		if v == nil {
			continue
		}
		l, ok := v.Value.(hujson.Literal)
		if !ok || l.Kind() != '"' {
			continue
		}
		program, args, _ := strings.Cut(strings.TrimSpace(l.String()), " ")
		if strings.HasPrefix(strings.TrimSpace(l.String()), `"`) {
			program, args, _ = strings.Cut(strings.TrimSpace(l.String())[1:], `" `)
		}
		base := strings.TrimSuffix(filepath.Base(filepath.ToSlash(program)), ".exe")
		if base == "dormouse-hook" && strings.HasSuffix(args, "--agent "+agent) {
			return true
		}
	}
	return false
}
