package memory

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"
)

// appendNode writes a node as Encode would write its fields, byte for byte, without looking its type over anew: a capture writes little
// else.
func appendNode(b []byte, n *Node) ([]byte, error) {
	b = appendText(append(b, `{"id":`...), n.ID)
	b = strconv.AppendInt(append(b, `,"seq":`...), int64(n.Seq), 10)
	b = appendText(append(b, `,"role":`...), string(n.Role))
	b = appendText(append(b, `,"name":`...), n.Name)
	b, err := appendRaw(append(b, `,"input":`...), n.Input)
	if err != nil {
		return nil, fmt.Errorf("encode node %s: input: %w", n.ID, err)
	}
	b = appendText(append(b, `,"output":`...), n.Output)
	b = appendRef(append(b, `,"parent_id":`...), n.ParentID)
	b = appendRef(append(b, `,"called_by":`...), n.CalledBy)
	b = appendTexts(append(b, `,"reads":`...), n.Reads)
	b = strconv.AppendInt(append(b, `,"created_at":`...), n.CreatedAt, 10)
	if b, err = appendMetadata(append(b, `,"metadata":`...), &n.Metadata); err != nil {
		return nil, fmt.Errorf("encode node %s: %w", n.ID, err)
	}
	return append(b, '}'), nil
}

func appendMetadata(b []byte, m *Metadata) ([]byte, error) {
	b = strconv.AppendInt(append(b, `{"turn":`...), int64(m.Turn), 10)
	if len(m.SourceIDs) > 0 {
		b = appendTexts(append(b, `,"source_ids":`...), m.SourceIDs)
	}
	b = appendMember(b, `,"kind":`, string(m.Kind))
	b = appendMember(b, `,"status":`, string(m.Status))
	b = appendMember(b, `,"model":`, m.Model)
	b = appendMember(b, `,"thinking":`, m.Thinking)
	if u := m.Usage; u != nil {
		b = strconv.AppendInt(append(b, `,"usage":{"input":`...), u.Input, 10)
		b = strconv.AppendInt(append(b, `,"cache_read":`...), u.CacheRead, 10)
		b = strconv.AppendInt(append(b, `,"cache_write":`...), u.CacheWrite, 10)
		b = append(strconv.AppendInt(append(b, `,"output":`...), u.Output, 10), '}')
	}
	if m.ExitCode != nil {
		b = strconv.AppendInt(append(b, `,"exit_code":`...), int64(*m.ExitCode), 10)
	}
	b = appendNumber(b, `,"duration_ms":`, m.DurationMS)
	b = appendMember(b, `,"cwd":`, m.Cwd)
	b = appendMember(b, `,"git_branch":`, m.GitBranch)
	b = appendMember(b, `,"git_commit":`, m.GitCommit)
	b = appendMember(b, `,"agent_id":`, m.AgentID)
	b = appendMember(b, `,"agent_type":`, m.AgentType)
	b, err := appendRare(b, `,"images":`, len(m.Images) > 0, m.Images)
	if err != nil {
		return nil, err
	}
	b = appendEdits(b, m.Edits)
	if len(m.Commands) > 0 {
		b = appendTexts(append(b, `,"commands":`...), m.Commands)
	}
	if b, err = appendRare(b, `,"compaction":`, m.Compaction != nil, m.Compaction); err != nil {
		return nil, err
	}
	if len(m.Cleared) > 0 {
		b = appendTexts(append(b, `,"cleared":`...), m.Cleared)
	}
	b = appendNumber(b, `,"undone":`, int64(m.Undone))
	b = appendNumber(b, `,"redacted":`, int64(m.Redacted))
	if b, err = appendRare(b, `,"clipped":`, m.Clipped != nil, m.Clipped); err != nil {
		return nil, err
	}
	if b, err = appendRare(b, `,"files":`, len(m.Files) > 0, m.Files); err != nil {
		return nil, err
	}
	return append(b, '}'), nil
}

func appendEdits(b []byte, edits []Edit) []byte {
	for i := range edits {
		e := &edits[i]
		if i == 0 {
			b = append(b, `,"edits":[{"path":`...)
		} else {
			b = append(b, `,{"path":`...)
		}
		b = appendText(b, e.Path)
		b = appendText(append(b, `,"op":`...), e.Op)
		b = appendMember(b, `,"diff":`, e.Diff)
		if e.Before != nil {
			b = appendText(append(b, `,"before":`...), *e.Before)
		}
		b = appendMember(b, `,"before_sum":`, e.BeforeSum)
		b = appendNumber(b, `,"added":`, int64(e.Added))
		b = append(appendNumber(b, `,"removed":`, int64(e.Removed)), '}')
	}
	if len(edits) > 0 {
		b = append(b, ']')
	}
	return b
}

// appendRare writes a member that few nodes have, if it is there.
func appendRare(b []byte, name string, there bool, v any) ([]byte, error) {
	if !there {
		return b, nil
	}
	raw, err := Encode(v)
	return append(append(b, name...), raw...), err
}

// appendMember writes a member with a text, unless that is empty.
func appendMember(b []byte, name, text string) []byte {
	if text == "" {
		return b
	}
	return appendText(append(b, name...), text)
}

// appendNumber writes a member with a number, unless that is 0.
func appendNumber(b []byte, name string, n int64) []byte {
	if n == 0 {
		return b
	}
	return strconv.AppendInt(append(b, name...), n, 10)
}

func appendRef(b []byte, r Ref) []byte {
	if r == "" {
		return append(b, "null"...)
	}
	return appendText(b, string(r))
}

func appendTexts(b []byte, list []string) []byte {
	b = append(b, '[')
	for i, s := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(b, s)
	}
	return append(b, ']')
}

// appendRaw writes JSON without its blanks.
func appendRaw(b []byte, raw json.RawMessage) ([]byte, error) {
	if raw == nil {
		return append(b, "null"...), nil
	}
	to := bytes.NewBuffer(b)
	err := json.Compact(to, raw)
	return to.Bytes(), err
}

// plain are the ASCII characters that stand for themselves in a JSON string.
var plain = func() (ok [utf8.RuneSelf]bool) {
	for c := range ok {
		ok[c] = c >= ' ' && c != '"' && c != '\\'
	}
	return ok
}()

// appendText writes a JSON string as encoding/json does without its escapes for HTML: what is no UTF-8 becomes the replacement
// character, and the two separators that end a line of JavaScript are escaped.
func appendText(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if plain[c] {
				i++
				continue
			}
			b = append(b, s[from:i]...)
			switch c {
			case '"', '\\':
				b = append(b, '\\', c)
			case '\n':
				b = append(b, '\\', 'n')
			case '\t':
				b = append(b, '\\', 't')
			case '\r':
				b = append(b, '\\', 'r')
			case '\b':
				b = append(b, '\\', 'b')
			case '\f':
				b = append(b, '\\', 'f')
			default:
				b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			}
			i++
			from = i
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b = append(append(b, s[from:i]...), `\ufffd`...)
			from = i + n
		case r == '\u2028' || r == '\u2029':
			b = append(append(b, s[from:i]...), '\\', 'u', '2', '0', '2', hex[r&15])
			from = i + n
		}
		i += n
	}
	return append(append(b, s[from:]...), '"')
}
