package pager

import (
	"slices"
	"strings"
)

// noteAbout notes that a call is about files: what was read of them last, and of the files that those name, is in use.
func (e *Engine) noteAbout(c *block) {
	if c.Memory || e.o.InUse <= 0 && e.o.Goals == nil {
		return
	}
	about := e.about(c)
	for _, b := range about {
		e.noteUse(b)
	}
	for _, b := range e.related(about, e.o.Hops-1, e.o.Together) {
		b.used = e.users
	}
}

// noteFile makes a file known by its name when it is read for the first time.
func (e *Engine) noteFile(b *block) {
	path, ok := strings.CutPrefix(b.key, "file:")
	if !ok {
		return
	}
	base := path[strings.LastIndexByte(path, '/')+1:]
	if b.first {
		e.files[base] = append(e.files[base], b.key)
	}
}

// about are the newest results of the files that a call names, by its path or by a file's name anywhere in its arguments.
func (e *Engine) about(c *block) (out []*block) {
	if p := c.args.path(); p != "" {
		if r := e.newest["file:"+p]; r != nil {
			out = append(out, r)
		}
	}
	for _, name := range fileNames(string(c.Input)) {
		for _, key := range e.files[name] {
			if r := e.newest[key]; r != nil && !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	return out
}

// related are results and, so many steps on, those of the files that they name, at most so many of these; the results come first.
func (e *Engine) related(of []*block, hops, most int) []*block {
	out := slices.Clone(of)
	for from := 0; hops > 0 && from < len(out); hops-- {
		next := out[from:]
		from = len(out)
		for _, b := range next {
			for _, x := range e.names(b) {
				if len(out)-len(of) >= most {
					return out
				}
				if !slices.Contains(out, x) {
					out = append(out, x)
				}
			}
		}
	}
	return out
}

// names are the newest results of the files that a result names. Where several have the name that it has, none is meant.
func (e *Engine) names(b *block) (out []*block) {
	if b.names == nil {
		b.names = fileNames(b.Text)
	}
	for _, name := range b.names {
		if keys := e.files[name]; len(keys) == 1 && e.newest[keys[0]] != b {
			out = append(out, e.newest[keys[0]])
		}
	}
	return out
}

// fileNames are the distinct words of a text that look like the name of a file, without its folder: letters on both sides of a point.
func fileNames(text string) []string {
	out := []string{}
	seen := map[string]bool{}
	for start, i := 0, 0; i <= len(text); i++ {
		if i < len(text) && nameByte(text[i]) {
			continue
		}
		w := strings.Trim(text[start:i], ".-")
		start = i + 1
		if dot := strings.LastIndexByte(w, '.'); dot > 0 && len(w) >= 4 && len(w)-dot <= 6 && !seen[w] {
			seen[w] = true
			out = append(out, w)
		}
	}
	return out
}

func nameByte(c byte) bool {
	return c == '.' || c == '_' || c == '-' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// inUse says whether a result stays because of what calls were about lately.
func (e *Engine) inUse(b *block, z Zone) bool {
	return e.o.InUse > 0 && z < Warning && b.used > 0 && !b.old && b.size <= e.o.InUseBytes && e.users-b.used < e.o.InUse
}
