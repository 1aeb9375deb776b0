package claudecode

import (
	"strings"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
	"dormouse/store/project/edit"
)

// maxBefore is how many bytes of a file as it was before an edit are kept with the edit. The result of every edit carries the
// whole file, so a longer one would be written down again and again.
const maxBefore = 1 << 20

// showBefore adds to an edit how its file was before, where the result shows it: its sum always, the content when it is not
// what the chain's last edit of the file left.
func (s *stream) showBefore(n *memory.Node, rich result) {
	if len(n.Metadata.Edits) != 1 {
		return
	}
	e := &n.Metadata.Edits[0]
	base := edit.State{}
	original := rich.Get("originalFile")
	if !original.Exists() {
		original = rich.Get("original_file")
	}
	shown := original.Type == stringType && !transcript.IsCut(original.Str)
	if shown && e.Op != edit.Create {
		base = edit.State{Exists: true, Text: strings.Clone(original.String())}
		e.BeforeSum = edit.Sum(base.Text)
		if len(base.Text) <= maxBefore && s.files[e.Path] != e.BeforeSum {
			e.Before = &base.Text
		}
	}
	s.left(n, base, shown || e.Op == edit.Create)
}

// left notes how a call left its file.
func (s *stream) left(n *memory.Node, base edit.State, known bool) {
	delete(s.files, n.Metadata.Edits[0].Path)
	changes := edit.Of(n)
	if len(changes) != 1 || !known {
		return
	}
	if after, ok := changes[0].Apply(base); ok && after.Exists {
		if s.files == nil {
			s.files = map[string]string{}
		}
		s.files[n.Metadata.Edits[0].Path] = edit.Sum(after.Text)
	}
}
