package transcript

import (
	"strings"
	"time"

	"dormouse/store/memory"
)

// InjectedMark begins what Dormouse itself puts in front of an agent.
const InjectedMark = memory.Mark

// OwnMark is in the first prompt of every model call that Dormouse makes through an agent's own program, so that such a
// conversation is never captured.
const OwnMark = "[dormouse: own call, do not remember]"

// Injected reports whether a text was put there by Dormouse.
func Injected(text string) bool { return strings.Contains(text, InjectedMark) }

// wrappers are the tags of what agents' clients put in front of or behind the person's words.
var wrappers = []string{"system-reminder", "ide_opened_file", "ide_selection", "ide_diagnostics", "new-diagnostics",
	"environment_context", "user_instructions", "persisted-output", "hook_additional_context", "hook_context"}

// Unwrap parts a user text into what the client put around it and the person's own words. Either may be empty.
func Unwrap(text string) (wrapped, words string) {
	var out []string
	words = strings.TrimSpace(text)
	for {
		w, rest, ok := leading(words)
		if !ok {
			break
		}
		out, words = append(out, w), rest
	}
	var tail []string
	for {
		w, rest, ok := trailing(words)
		if !ok {
			break
		}
		tail, words = append(tail, w), rest
	}
	for i := len(tail) - 1; i >= 0; i-- {
		out = append(out, tail[i])
	}
	if len(out) == 0 {
		return "", text
	}
	return strings.Join(out, "\n\n"), words
}

func leading(s string) (wrapped, rest string, ok bool) {
	if !strings.HasPrefix(s, "<") {
		return "", s, false
	}
	for _, tag := range wrappers {
		if !strings.HasPrefix(s[1:], tag) {
			continue
		}
		closing := "</" + tag + ">"
		if i := strings.Index(s, closing); i >= 0 {
			end := i + len(closing)
			return s[:end], strings.TrimSpace(s[end:]), true
		}
	}
	return "", s, false
}

func trailing(s string) (wrapped, rest string, ok bool) {
	if !strings.HasSuffix(s, ">") {
		return "", s, false
	}
	for _, tag := range wrappers {
		if !strings.HasSuffix(s, "</"+tag+">") {
			continue
		}
		if i := strings.LastIndex(s, "<"+tag); i >= 0 {
			return s[i:], strings.TrimSpace(s[:i]), true
		}
	}
	return "", s, false
}

// StartsWithAny reports whether s starts with one of the prefixes.
func StartsWithAny(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// Unix reads an ISO 8601 time as Unix seconds; 0 when it is none.
func Unix(stamp string) int64 {
	t, err := time.Parse(time.RFC3339Nano, stamp)
	if err != nil || t.Unix() < 0 {
		return 0
	}
	return t.Unix()
}
