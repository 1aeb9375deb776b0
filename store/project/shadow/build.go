package shadow

import (
	"cmp"
	"fmt"
	"maps"
	"strings"

	"dormouse/store/gitrepo"
	"dormouse/store/project/edit"
)

// turn records one turn: a commit with the files as they were before it where they were not so, and its own.
func (b *builder) turn(t *turn) ([]File, error) {
	order, by, nodes, err := b.changes(t)
	if err != nil {
		return nil, err
	}
	before, after := maps.Clone(b.files), files(nil)
	var list []File
	var puts []put
	for _, p := range order {
		f, err := b.file(t, p, by[p], nodes[p])
		if err != nil {
			return nil, err
		}
		list = append(list, f.File)
		if f.Why == "" {
			before.sideOf(f.Path, f.before)
			puts = append(puts, f)
		}
	}
	after = maps.Clone(before)
	for _, f := range puts {
		after.sideOf(f.Path, f.after)
	}
	for i := range list {
		if err := b.hunks(t, after, &list[i], by[order[i]]); err != nil {
			return nil, err
		}
	}
	return list, b.commit(t, before, after, list)
}

// put is a file with the names of its two contents; zero where there is none to be kept.
type put struct {
	File
	before, after gitrepo.OID
}

func (f files) sideOf(path string, oid gitrepo.OID) {
	if oid.IsZero() {
		delete(f, path)
	} else {
		f.set(path, oid)
	}
}

// file follows one file through the turn and stores its two contents.
func (b *builder) file(t *turn, p string, changes []edit.Change, nodes []*edited) (put, error) {
	at := b.places[p]
	out := put{File: File{Path: at.rel, Before: Unknown, After: Unknown, Why: at.why, Edits: len(changes)}}
	if at.why != "" {
		return out, nil
	}
	last, err := b.last(at.rel)
	if err != nil {
		return out, err
	}
	disk, err := b.disk(t, p, at, nodes)
	if err != nil {
		return out, err
	}
	f := follow(changes, last, disk, b.hints(t, at, nodes))
	out.Before, out.After, out.Outside, out.Mixed = f.before.from, f.after.from, f.outside, f.mixed
	if f.before.from == "" {
		out.Before = Unknown
	}
	if out.before, err = b.keep(&out.File, Before, f.before); err != nil {
		return out, err
	}
	out.after, err = b.keep(&out.File, After, f.after)
	return out, err
}

// last is what the session's branch knows of a file.
func (b *builder) last(rel string) (version, error) {
	oid, ok := b.files[rel]
	if !ok {
		return version{from: Unknown}, nil
	}
	text, ok := b.texts[rel]
	if !ok {
		_, raw, err := b.read.Object(oid)
		if err != nil {
			return version{}, err
		}
		text = string(raw)
	}
	return version{Exact, edit.State{Exists: true, Text: text}}, nil
}

// disk is the file as the turn left it on the disk: as it was seen when the turn was recorded before, or as it lies there now, when
// it was changed last by this turn's calls. Nil where neither is so.
func (b *builder) disk(t *turn, p string, at placed, nodes []*edited) (*edit.State, error) {
	if commit, ok := b.old[observation{t.n, at.rel, len(nodes)}]; ok {
		if text, err := b.read.File(commit, at.rel); err == nil {
			return &edit.State{Exists: true, Text: string(text)}, nil
		}
	}
	if b.scan.last[p] != t.n {
		return nil, nil
	}
	d, err := readDisk(at.root, at.rel, b.s.o.MaxFile)
	if err != nil || !d.leftBy(nodes) {
		return nil, nil //nolint:nilerr // a file that cannot be read now is one that is not known
	}
	return &edit.State{Exists: true, Text: d.text}, nil
}

// hints are how the file was seen before the turn's edits: when the agent was about to make them, or when the turn was recorded
// before.
func (b *builder) hints(t *turn, at placed, nodes []*edited) []edit.State {
	out := b.s.seen.of(at, nodes)
	if commit, ok := b.oldBefore[observation{t.n, at.rel, 0}]; ok {
		if commit.IsZero() {
			out = append(out, edit.State{})
		} else if text, err := b.read.File(commit, at.rel); err == nil {
			out = append(out, edit.State{Exists: true, Text: string(text)})
		}
	}
	return out
}

// keep stores a content and gives its name; zero where there is none or it is not to be kept.
func (b *builder) keep(f *File, side string, v version) (gitrepo.OID, error) {
	switch {
	case !v.known():
		return gitrepo.OID{}, nil
	case !v.state.Exists:
		f.Absent = append(f.Absent, side)
		return gitrepo.OID{}, nil
	}
	why := ""
	if len(v.state.Text) > b.s.o.MaxFile {
		why = WhyLong
	} else if secret, err := b.s.o.Secret(v.state.Text); err != nil || secret {
		why = WhySecret // what cannot be looked through counts as one
	}
	if why != "" {
		if f.Withheld == nil {
			f.Withheld = map[string]string{}
		}
		f.Withheld[side] = why
		return gitrepo.OID{}, nil
	}
	b.size += len(v.state.Text) - len(b.texts[f.Path])
	b.texts[f.Path] = v.state.Text
	return b.pack.version(f.Path, []byte(v.state.Text))
}

// hunks puts what the calls show of a file into the tree, where one of its contents is not known.
func (b *builder) hunks(t *turn, after files, f *File, changes []edit.Change) error {
	if f.Why != "" || f.Before != Unknown && f.After != Unknown {
		return nil
	}
	var diff strings.Builder
	for _, c := range changes {
		diff.WriteString(cmp.Or(c.Diff, shownOf(&c)))
	}
	text := diff.String()
	if text == "" || len(text) > b.s.o.MaxFile {
		return nil
	}
	if secret, err := b.s.o.Secret(text); err != nil || secret {
		return nil //nolint:nilerr // what cannot be looked through counts as a secret
	}
	oid, err := b.pack.add(gitrepo.Blob, []byte(text))
	if err != nil {
		return err
	}
	f.Hunks = fmt.Sprintf("%s/hunks/turn-%06d/%s.diff", ownFolder, t.n, f.Path)
	after.set(f.Hunks, oid)
	return nil
}

// shownOf is a change for a reader, made of the pieces that were replaced.
func shownOf(c *edit.Change) string {
	var b strings.Builder
	for _, r := range c.Replace {
		b.WriteString("@@\n")
		for _, side := range []struct{ op, text string }{{"-", r.Old}, {"+", r.New}} {
			for line := range strings.Lines(side.text) {
				b.WriteString(side.op + strings.TrimSuffix(line, "\n") + "\n")
			}
		}
	}
	return b.String()
}

// commit stores the turn's commits and goes on from the last of them.
func (b *builder) commit(t *turn, before, after files, list []File) error {
	from, to := t.span()
	outside := false
	for _, f := range list {
		outside = outside || f.Outside
	}
	parent := b.parent
	if !maps.Equal(before, b.files) {
		var err error
		if parent, err = b.pack.commit(gitrepo.Author, before, parent, from, beforeMessage(b.x, t, outside)); err != nil {
			return err
		}
	}
	message, err := turnMessage(b.x, t, list)
	if err != nil {
		return err
	}
	author := fmt.Sprintf("%s (%s via Dormouse) <dormouse@localhost>", b.x.Agent, cmp.Or(t.edits[len(t.edits)-1].model, "unknown model"))
	if parent, err = b.pack.commit(author, after, parent, to, message); err != nil {
		return err
	}
	b.parent, b.files = parent, after
	return nil
}
