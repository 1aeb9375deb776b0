package claudecode

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// describe fills what the arguments of a call show: files read, commands.
func describe(n *memory.Node, input result) {
	switch n.Name {
	case "Read", "NotebookRead":
		if path := first(input.Get("file_path").String(), input.Get("notebook_path").String()); path != "" {
			n.Reads = []string{"file:" + strings.Clone(path)}
		}
	case "Bash", "PowerShell":
		if cmd := input.Get("command").String(); cmd != "" {
			n.Metadata.Commands = []string{strings.Clone(cmd)}
		}
	}
}

// fill fills what the result of a call shows. b is the block that the model saw, rich the client's own copy of the result.
func fill(n *memory.Node, b, rich result) {
	text, images := content(b)
	n.Output = strings.Clone(text)
	n.Metadata.Images = append(n.Metadata.Images, images...)
	failed := b.Get("is_error").Bool()
	n.Metadata.Status = status(failed, text, rich)
	if n.Output == "" && rich.IsObject() {
		n.Output = strings.Clone(strings.TrimRight(rich.Get("stdout").String()+"\n"+rich.Get("stderr").String(), "\n"))
	}
	if len(n.Metadata.Commands) > 0 {
		n.Metadata.ExitCode = exitCode(n.Metadata.Status, text, rich)
	}
	n.Metadata.DurationMS = duration(rich)
	if !failed && n.Input != nil {
		n.Metadata.Edits = edits(n, rich)
	}
}

// content is the text and the images of a result block.
func content(b result) (text string, images []memory.Image) {
	c := b.Get("content")
	if c.Type != jsonType {
		return c.String(), nil
	}
	var texts []string
	blocks(b, func(typ string, part result) {
		switch typ {
		case "text":
			texts = append(texts, textOf(part))
		case "image":
			images = append(images, image(part))
		case "document":
			images = append(images, transcript.Image(part.Get("source.media_type").String(), part.Get("source.data").String()))
		case "tool_reference":
			texts = append(texts, part.Get("tool_name").String())
		default:
			texts = append(texts, part.Raw)
		}
	})
	if !c.IsArray() {
		texts = append(texts, first(c.Get("text").String(), c.Raw))
	}
	return strings.Join(texts, "\n"), images
}

func image(b result) memory.Image {
	src := b.Get("source")
	return transcript.Image(strings.Clone(src.Get("media_type").String()), first(src.Get("data").String(), src.Get("url").String()))
}

// refusals begin the results of calls that the person did not allow or stopped.
var refusals = []string{"The user doesn't want to proceed", "The user doesn't want to take this action",
	"[Request interrupted by user", "Interrupted by user", "Request was aborted"}

func status(failed bool, text string, rich result) memory.Status {
	switch {
	case rich.IsObject() && rich.Get("interrupted").Bool(), failed && transcript.StartsWithAny(text, refusals):
		return memory.StatusInterrupted
	case failed:
		return memory.StatusError
	default:
		return memory.StatusOK
	}
}

var exitLine = regexp.MustCompile(`^(?:Error: )?Exit code (-?\d{1,6})\b`)

// exitCode is the exit code of a command: of a failed one its result begins with it; one that ended without error, was not
// sent to the background and needed no interpretation ended with 0. Else it is not known.
func exitCode(s memory.Status, text string, rich result) *int {
	if m := exitLine.FindStringSubmatch(text); m != nil {
		code, err := strconv.Atoi(m[1])
		if err == nil {
			return &code
		}
	}
	plain := rich.IsObject() && rich.Get("stdout").Exists() && rich.Get("backgroundTaskId").String() == "" &&
		rich.Get("returnCodeInterpretation").String() == ""
	if s == memory.StatusOK && plain {
		return new(int)
	}
	return nil
}

func duration(rich result) int64 {
	if !rich.IsObject() {
		return 0
	}
	if d := rich.Get("totalDurationMs"); d.Exists() {
		return max(d.Int(), 0)
	}
	if d := rich.Get("durationMs"); d.Exists() {
		return max(d.Int(), 0)
	}
	return max(int64(rich.Get("durationSeconds").Float()*1000), 0)
}

// edits are the files that a call changed, as its result shows them, else as its arguments do.
func edits(n *memory.Node, rich result) []memory.Edit {
	input := parseJSON(n.Input)
	switch n.Name {
	case "Edit", "MultiEdit", "Write", "NotebookEdit", "Update":
	default:
		return nil
	}
	path := first(rich.Get("filePath").String(), input.Get("file_path").String(), input.Get("notebook_path").String())
	if path == "" {
		return nil
	}
	e := memory.Edit{Path: strings.Clone(path), Op: "update"}
	if patch := rich.Get("structuredPatch"); patch.IsArray() && len(patch.Raw) > 2 {
		e.Diff, e.Added, e.Removed = unified(patch)
		return []memory.Edit{e}
	}
	created := rich.Get("type").String() == "create" || n.Name == "Write" && !rich.IsObject() && strings.Contains(n.Output, "created")
	if created {
		e.Op = "create"
	}
	if n.Name == "Write" && created {
		e.Added = lineCount(first(rich.Get("content").String(), input.Get("content").String()))
		return []memory.Edit{e}
	}
	changes := []result{input}
	if list := input.Get("edits"); list.IsArray() {
		changes = list.Array()
	}
	for _, c := range changes {
		e.Removed += lineCount(c.Get("old_string").String())
		e.Added += lineCount(first(c.Get("new_string").String(), c.Get("new_source").String()))
	}
	return []memory.Edit{e}
}

// unified writes the client's hunks as a unified diff.
func unified(patch result) (diff string, added, removed int) {
	var b strings.Builder
	patch.ForEach(func(_, h result) bool {
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n", h.Get("oldStart").Int(), h.Get("oldLines").Int(), h.Get("newStart").Int(), h.Get("newLines").Int())
		h.Get("lines").ForEach(func(_, l result) bool {
			s := l.String()
			switch {
			case strings.HasPrefix(s, "+"):
				added++
			case strings.HasPrefix(s, "-"):
				removed++
			}
			b.WriteString(s)
			b.WriteByte('\n')
			return true
		})
		return true
	})
	return b.String(), added, removed
}

func lineCount(s string) int {
	if s == "" {
		return 0
	}
	return strings.Count(strings.TrimSuffix(s, "\n"), "\n") + 1
}
