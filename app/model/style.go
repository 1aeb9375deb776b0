package model

import (
	"slices"
	"strings"
	"time"

	"dormouse/app/lang"
	"dormouse/service/api"
)

// style is how times, numbers and paths are written.
type style struct {
	now  time.Time
	user string // the user's home folder, without a slash at its end
}

// at is Unix seconds as a local time.
func (s style) at(unix int64) time.Time { return time.Unix(unix, 0).In(s.now.Location()) }

// ago is how far a time is away, in words; empty where it is unknown.
func (s style) ago(unix int64) string {
	if unix == 0 {
		return ""
	}
	return lang.Ago(s.at(unix), s.now)
}

// day is a time as short as it says all: 14:32 today, yesterday or tomorrow, a weekday of this week, else a date.
func (s style) day(unix int64) string {
	if unix == 0 {
		return ""
	}
	t := s.at(unix)
	clock := lang.Clock(t)
	switch days := daysBetween(s.now, t); {
	case days == 0:
		return lang.Say("today {clock}", clock)
	case days == -1:
		return lang.Say("yesterday {clock}", clock)
	case days == 1:
		return lang.Say("tomorrow {clock}", clock)
	case days > 1 && days < 7:
		return lang.Say("{day} {clock}", lang.Weekday(t), clock)
	case t.Year() == s.now.Year():
		return lang.Say("{day} {clock}", lang.Date(t), clock)
	}
	return lang.DateYear(t)
}

// daysBetween counts the midnights from a to b; negative where b lies before a.
func daysBetween(a, b time.Time) int {
	noon := func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 12, 0, 0, 0, time.UTC) }
	return int(noon(b).Sub(noon(a)).Hours() / 24)
}

// stamp is a time with its date, for details.
func (s style) stamp(unix int64) string {
	if unix == 0 {
		return ""
	}
	return s.at(unix).Format("2006-01-02 15:04")
}

// both is a time in both ways: "today 14:32, 3 minutes ago".
func (s style) both(unix int64) string { return list(present(s.day(unix), s.ago(unix))) }

// path is a path as people write it.
func (s style) path(p string) string {
	p = Line(p)
	if s.user == "" {
		return p
	}
	if rest, ok := strings.CutPrefix(p, s.user); ok && (rest == "" || rest[0] == '/' || rest[0] == '\\') {
		return "~" + rest
	}
	return p
}

// number groups digits: 1,204.
func number[N int | int64](n N) string { return lang.Number(n) }

// size is a number of bytes: "3.1 kB".
func size[N int | int64](n N) string { return lang.Size(n) }

// present are the texts that are not empty.
func present(parts ...string) []string {
	return slices.DeleteFunc(parts, func(s string) bool { return s == "" })
}

// joined puts what is not empty beside each other.
func joined(between string, parts ...string) string { return strings.Join(present(parts...), between) }

// list is texts with commas between them, as the language writes them.
func list(parts []string) string { return strings.Join(parts, lang.Say(", ")) }

// labelled is a text behind what it is about.
func labelled(label, text string) string { return lang.Say("{label}: {text}", label, text) }

// worded is the word for an id, else the id itself.
func worded(words map[string]lang.Word, id string) string {
	if w := words[id]; w != "" {
		return w.Text()
	}
	return Line(id)
}

// dots joins with a dot in the middle.
func dots(parts ...string) string { return joined(" · ", parts...) }

// agentNames are the agents as their makers write them.
var agentNames = map[string]string{
	"claude-code": "Claude Code", "codex": "Codex", "opencode": "OpenCode", "gemini-cli": "Gemini CLI", "copilot-cli": "Copilot CLI",
	"cursor": "Cursor", "cline": "Cline", "roo": "Roo Code", "kilo": "Kilo Code", "goose": "Goose", "aider": "Aider", "amp": "Amp",
	"qwen": "Qwen Code", "antigravity-cli": "Antigravity CLI", "pi": "Pi", "omp": "Oh My Pi", "openprogram": "OpenProgram",
}

// AgentName is an agent's name as people know it.
func AgentName(id string) string {
	if name := agentNames[id]; name != "" {
		return name
	}
	return Line(id)
}

// projectName is a project's name, else its id.
func projectName(p api.Project) string {
	if name := Line(p.Name); name != "" {
		return name
	}
	return Line(p.ID)
}
