package chain

import (
	"strings"

	"dormouse/store/memory"
)

const (
	patchBegin  = "*** Begin Patch"
	searchMark  = "<<<<<<< SEARCH"
	searchMark2 = "------- SEARCH"
)

// Diffed is the edit that a unified diff shows. Headers of the file are left out.
func Diffed(path, diff string) memory.Edit {
	e := memory.Edit{Path: path, Op: "update"}
	var out strings.Builder
	inHunk := false
	for l := range strings.Lines(diff) {
		text := strings.TrimRight(l, "\r\n")
		if strings.HasPrefix(text, "@@") {
			inHunk = true
		}
		if !inHunk {
			if strings.HasPrefix(text, "--- /dev/null") {
				e.Op = "create"
			}
			continue
		}
		e.Added += signed(text, '+')
		e.Removed += signed(text, '-')
		out.WriteString(text)
		out.WriteByte('\n')
	}
	e.Diff = out.String()
	return e
}

func signed(line string, sign byte) int {
	if len(line) > 0 && line[0] == sign {
		return 1
	}
	return 0
}

// Searched is the edit of blocks that name the text to search for and the text to replace it by.
func Searched(path, text string) memory.Edit {
	e := memory.Edit{Path: path, Op: "update"}
	var out strings.Builder
	sign := ""
	for l := range strings.Lines(text) {
		t := strings.TrimRight(l, "\r\n")
		switch {
		case strings.HasPrefix(t, searchMark), strings.HasPrefix(t, searchMark2):
			sign = "-"
		case sign != "" && strings.HasPrefix(t, "======="):
			sign = "+"
		case strings.HasPrefix(t, ">>>>>>> REPLACE"), strings.HasPrefix(t, "+++++++ REPLACE"):
			sign = ""
		case sign == "-" && (strings.HasPrefix(t, ":start_line:") || strings.HasPrefix(t, ":end_line:") || t == "-------"):
		case sign != "":
			out.WriteString(sign + t + "\n")
			e.Added += signed(sign, '+')
			e.Removed += signed(sign, '-')
		}
	}
	e.Diff = out.String()
	return e
}

// Patched are the edits of a patch that names its files in sections: added, deleted, updated, moved.
func Patched(patch string) []memory.Edit {
	var out []memory.Edit
	var cur *memory.Edit
	var diff strings.Builder
	end := func() {
		if cur != nil {
			cur.Diff = diff.String()
			out = append(out, *cur)
		}
		cur = nil
		diff.Reset()
	}
	for l := range strings.Lines(patch) {
		text := strings.TrimRight(l, "\r\n")
		op, path := section(text)
		switch {
		case op != "":
			end()
			cur = &memory.Edit{Path: strings.Clone(path), Op: op}
		case cur == nil || strings.HasPrefix(text, "*** End"):
		case strings.HasPrefix(text, "*** Move to: "):
			out = append(out, memory.Edit{Path: cur.Path, Op: "delete"})
			cur.Path = strings.Clone(strings.TrimPrefix(text, "*** Move to: "))
		default:
			cur.Added += signed(text, '+')
			cur.Removed += signed(text, '-')
			diff.WriteString(text)
			diff.WriteByte('\n')
		}
	}
	end()
	return out
}

func section(line string) (op, path string) {
	if p, ok := strings.CutPrefix(line, "*** Add File: "); ok {
		return "create", p
	}
	if p, ok := strings.CutPrefix(line, "*** Update File: "); ok {
		return "update", p
	}
	if p, ok := strings.CutPrefix(line, "*** Delete File: "); ok {
		return "delete", p
	}
	return "", ""
}
