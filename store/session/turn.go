package session

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// subjectLen is how much of the prompt a commit message shows, in characters.
const subjectLen = 60

const moreMark = " (more)"

// subject is the start of a text on one line.
func subject(text string) string {
	if len(text) > 16*subjectLen { // enough for the characters and some blanks
		text = text[:16*subjectLen]
	}
	var b strings.Builder
	n, gap := 0, false
	for _, r := range text {
		if unicode.IsSpace(r) || unicode.IsControl(r) || r == utf8.RuneError {
			gap = n > 0
			continue
		}
		if gap && n < subjectLen-1 {
			b.WriteByte(' ')
			n++
		}
		gap = false
		if n >= subjectLen {
			break
		}
		b.WriteRune(r)
		n++
	}
	return strings.TrimRight(b.String(), " ")
}

// message is a turn's commit message.
func message(turn int, subject string, more bool) string {
	m := strings.TrimRight(fmt.Sprintf("turn %d: %s", turn, subject), " ")
	if more {
		m += moreMark
	}
	return m
}

// parseMessage is the reverse of message; ok is false for a commit that is not a turn's.
func parseMessage(m string) (turn int, subject string, more, ok bool) {
	rest, ok := strings.CutPrefix(m, "turn ")
	if !ok {
		return 0, "", false, false
	}
	number, subject, ok := strings.Cut(rest, ":")
	turn, err := strconv.Atoi(number)
	if !ok || err != nil || turn < 0 {
		return 0, "", false, false
	}
	subject, more = strings.CutSuffix(strings.TrimPrefix(subject, " "), moreMark)
	if subject == strings.TrimSpace(moreMark) {
		subject, more = "", true
	}
	return turn, subject, more, true
}
