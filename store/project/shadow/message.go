package shadow

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"dormouse/store/memory"
)

// File is what a turn's record says of one file.
type File struct {
	Path string `json:"path"` // from the project's folder, with slashes; as the call names it where Why says that it lies elsewhere
	// Before and After say how the two versions are known. A version that is known may say that there was no file.
	Before Source `json:"before"`
	After  Source `json:"after"`
	// Absent lists the sides (before, after) on which there was no file.
	Absent []string `json:"absent,omitempty"`
	// Withheld says, by side, why a content that was known is not kept; Why says it of the whole file.
	Withheld map[string]string `json:"withheld,omitempty"`
	Why      string            `json:"why,omitempty"`
	// Outside: somebody else changed the file since this session's last turn that edited it. Mixed: between the turn's own edits.
	Outside bool `json:"outside,omitempty"`
	Mixed   bool `json:"mixed,omitempty"`
	Edits   int  `json:"edits"` // calls that changed it
	// Hunks is the file in the tree that holds the changes as the calls show them.
	Hunks string `json:"hunks,omitempty"`
}

// The two sides of a turn.
const (
	Before = "before"
	After  = "after"
)

// trailers of the commits.
const (
	trailSession = "Dormouse-Session"
	trailTurn    = "Dormouse-Turn"
	trailKey     = "Dormouse-Nodes"
	trailFile    = "Dormouse-File"
	trailBefore  = "Dormouse-Before"
)

// subjectLen is how much of the prompt a commit shows, in characters.
const subjectLen = 60

// subject is the beginning of a prompt on one line.
func subject(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r == unicode.ReplacementChar
	}), " ")
	runes := []rune(text)
	return strings.TrimSpace(string(runes[:min(len(runes), subjectLen)]))
}

// turnMessage is the message of a turn's commit.
func turnMessage(x Session, t *turn, list []File) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s turn %d: %s", x.Agent, x.ID, t.n, subject(t.subject))
	head := strings.TrimRight(b.String(), " ")
	b.Reset()
	fmt.Fprintf(&b, "%s\n\n%s: %s\n%s: %d\n%s: %s\n", head, trailSession, x.ID, trailTurn, t.n, trailKey, t.key())
	for i := range list {
		raw, err := memory.Encode(&list[i])
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%s: %s\n", trailFile, raw)
	}
	return b.String(), nil
}

// beforeMessage is the message of the commit that brings the files to what they were before a turn.
func beforeMessage(x Session, t *turn, outside bool) string {
	what := "before"
	if outside {
		what = "outside change before"
	}
	return fmt.Sprintf("%s turn %d\n\n%s: %s\n%s: %d\n", what, t.n, trailSession, x.ID, trailBefore, t.n)
}

// Turn is one recorded turn.
type Turn struct {
	N       int
	Commit  string // its commit in the project's shadow repository
	Subject string // the first characters of the prompt
	When    int64  // of its last edit, Unix seconds
	Files   []File

	key string
}

// parseMessage reads a turn's message; ok is false for any other commit.
func parseMessage(message string) (t Turn, ok bool) {
	head, body, _ := strings.Cut(message, "\n")
	for line := range strings.Lines(body) {
		key, value, _ := strings.Cut(strings.TrimRight(line, "\n"), ": ")
		switch key {
		case trailTurn:
			n, err := strconv.Atoi(value)
			if err != nil {
				return t, false
			}
			t.N, ok = n, true
		case trailKey:
			t.key = value
		case trailFile:
			var f File
			if json.Unmarshal([]byte(value), &f) != nil {
				return t, false
			}
			t.Files = append(t.Files, f)
		}
	}
	if _, rest, found := strings.Cut(head, " turn "); found {
		_, t.Subject, _ = strings.Cut(rest, ": ")
	}
	return t, ok
}
