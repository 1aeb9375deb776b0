package main

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"

	"dormouse/cmd/internal/text"
	"dormouse/service/api"
	"dormouse/store/memory"
	"github.com/dustin/go-humanize"
)

// stampForm is a time in a table, in the local zone.
const stampForm = "2006-01-02 15:04"

// at is Unix seconds as a local time.
func (v view) at(unix int64) time.Time { return time.Unix(unix, 0).In(v.now.Location()) }

// stamp is a time as date and time of day; empty where it is unknown.
func (v view) stamp(unix int64) string {
	if unix == 0 {
		return ""
	}
	return v.at(unix).Format(stampForm)
}

// ago is how far a time is away, in words.
func (v view) ago(unix int64) string {
	d := v.now.Sub(v.at(unix))
	if d > -time.Minute && d < time.Minute {
		return "now"
	}
	return humanize.RelTime(v.at(unix), v.now, "ago", "from now")
}

// when is a time both ways: "2026-05-01 14:02 (3 days ago)".
func (v view) when(unix int64) string {
	if unix == 0 {
		return "at an unknown time"
	}
	return fmt.Sprintf("%s (%s)", v.stamp(unix), v.ago(unix))
}

var ages = []humanize.RelTimeMagnitude{
	{D: time.Minute, Format: "now", DivBy: time.Minute},
	{D: time.Hour, Format: "%dm", DivBy: time.Minute},
	{D: humanize.Day, Format: "%dh", DivBy: time.Hour},
	{D: 2 * humanize.Month, Format: "%dd", DivBy: humanize.Day},
	{D: 2 * humanize.Year, Format: "%dmo", DivBy: humanize.Month},
	{D: math.MaxInt64, Format: "%dy", DivBy: humanize.Year},
}

// age is how far a time is away, as short as it gets: "3d". A time ahead has a plus.
func (v view) age(unix int64) string {
	if unix == 0 {
		return ""
	}
	sign := ""
	if v.at(unix).After(v.now.Add(time.Minute)) {
		sign = "+"
	}
	return sign + humanize.CustomRelTime(v.at(unix), v.now, "", "", ages)
}

// number groups digits: 1,204.
func number[N int | int64](n N) string { return humanize.Comma(int64(n)) }

// count is a number of things: "1 session", "1,204 sessions".
func count[N int | int64](n N, one string) string {
	if n == 1 {
		return "1 " + one
	}
	if stem, ok := strings.CutSuffix(one, "y"); ok {
		return number(n) + " " + stem + "ies"
	}
	return number(n) + " " + one + "s"
}

// size is a number of bytes: "3.1 kB".
func size[N int | int64](n N) string { return humanize.Bytes(uint64(max(0, n))) }

// joined puts what is not empty beside each other.
func joined(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " · ")
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9._/@:+=,-]+$`)

// quote makes a word safe to paste into a shell.
func quote(word string) string {
	word = text.Line(word)
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// opener is the command that opens where a record comes from: the turn where it is known, else its first node, else the
// session.
func opener(p memory.Provenance, turn int, known bool) string {
	if p.SessionID == "" {
		return ""
	}
	cmd := "dormouse show " + quote(p.SessionID)
	switch {
	case known:
		return fmt.Sprintf("%s --turn %d", cmd, turn)
	case len(p.NodeIDs) > 0:
		return cmd + " --node " + quote(p.NodeIDs[0])
	}
	return cmd
}

// leads is where a record leads: the command that opens where it comes from, or the pointer and why it leads nowhere.
func leads(p memory.Provenance, turn int, known bool, missing map[string]string) string {
	if why := missing[p.SessionID]; why != "" {
		return dangling(p.SessionID, why)
	}
	return opener(p, turn, known)
}

// dangling is a pointer that leads nowhere.
func dangling(session, why string) string {
	return "session:" + text.Line(session) + " (" + text.Line(why) + ")"
}

// link is an opener as it is shown.
func (v view) link(cmd string) string {
	if cmd == "" {
		return ""
	}
	return v.Link("↪ " + cmd)
}

// names gives projects their names by id.
type names map[string]string

// namesOf takes the names of projects. Those that share one have the end of their remote or folder, or their id, with it.
func namesOf(list []api.Project) names {
	out, shared := names{}, map[string]int{}
	for _, p := range list {
		shared[p.Name]++
	}
	for _, p := range list {
		out[p.ID] = p.Name
		if where := apart(p, list); shared[p.Name] > 1 && p.Name != "" && where != "" {
			out[p.ID] += " (" + where + ")"
		}
	}
	return out
}

// apart tells a project from others of its name: by where its remote or its folder lies, else by its id.
func apart(p api.Project, list []api.Project) string {
	remote := func(p api.Project) string { return above(strings.TrimSuffix(p.Remote, ".git"), 1) }
	for _, tell := range []func(api.Project) string{
		remote,
		func(p api.Project) string { return above(p.Path, 1) },
		func(p api.Project) string { return above(p.Path, 2) },
	} {
		mine := tell(p)
		if mine != "" && !slices.ContainsFunc(list, func(o api.Project) bool { return o.ID != p.ID && o.Name == p.Name && tell(o) == mine }) {
			return mine
		}
	}
	return p.ID
}

// above is a path's end without its last part: the folders above it, so many of them.
func above(path string, n int) string {
	parts := strings.FieldsFunc(path, func(c rune) bool { return strings.ContainsRune(`/\:`, c) })
	if len(parts) < 2 {
		return ""
	}
	return strings.Join(parts[max(0, len(parts)-1-n):len(parts)-1], "/")
}

// of is a project's name, else its id.
func (n names) of(id string) string {
	if name := n[id]; name != "" {
		return text.Line(name)
	}
	return text.Line(id)
}

func sameDay(a, b time.Time) bool { return a.Format(time.DateOnly) == b.Format(time.DateOnly) }
