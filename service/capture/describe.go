package capture

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

// titleLength is how many characters of a prompt make a title.
const titleLength = 50

// Who gave a title. A better one replaces a worse one; the person's own is never replaced by anything but a newer one of the
// person.
const (
	titleByUser    = "user"
	titleByAgent   = "agent"
	titleByModel   = "model"
	titleByExcerpt = "excerpt"
)

// describe brings the session's meta.json up to what the transcript says.
func (r *reading) describe() error {
	x, err := r.existing()
	if err != nil || x == nil || x.Len() == 0 {
		return err
	}
	r.session = x
	f := r.act.parser.Facts()
	project := ""
	if m := x.Meta(); m.ProjectID == "" || m.ProjectID == memory.DefaultProject {
		project, err = r.e.o.Project(r.ctx, Place{Cwd: f.Cwd, RepositoryURL: f.RepositoryURL})
		if err != nil {
			r.e.trouble(r.job.key.agent, projectPlace(f.Cwd), err)
			r.cursor.Unplaced = projectPlace(f.Cwd)
		} else {
			r.e.fine(projectPlace(f.Cwd))
			r.cursor.Unplaced = ""
		}
	}
	head := ""
	if f.Head != "" && x.Has(f.Head) {
		head = f.Head
	}
	return x.Update(func(m *memory.Session) {
		set(&m.ProjectID, project)
		set(&m.Cwd, r.e.clean(f.Cwd))
		set(&m.GitBranch, r.e.clean(f.GitBranch))
		set(&m.Model, r.e.clean(f.Model))
		set(&m.ForkOf, f.ForkOf)
		if f.Created > 0 && (m.CreatedAt == 0 || f.Created < m.CreatedAt) {
			m.CreatedAt = f.Created
		}
		if head != "" {
			m.HeadID = memory.Ref(head)
		}
		r.title(m, f)
	})
}

// clean takes the secrets out of a text that the transcript gives for the whole session, as out of a node. What cannot be
// cleaned counts as not given.
func (e *Engine) clean(text string) string {
	n := memory.Node{Output: text}
	if _, err := e.o.Redact(&n); err != nil {
		return ""
	}
	return n.Output
}

// projectPlace is where a Problem says that the project of a folder cannot be told.
func projectPlace(cwd string) string { return "project of " + cwd }

func set(to *string, v string) {
	if v != "" {
		*to = v
	}
}

// title chooses the session's title. A rename in the agent counts once, so that it does not undo a later one here.
func (r *reading) title(m *memory.Session, f transcript.Facts) {
	given := r.e.clean(f.Title)
	switch {
	case f.TitleBy == titleByUser && given != r.cursor.CustomTitle:
		m.Title, m.TitleBy = given, titleByUser
		r.cursor.CustomTitle = given
	case m.TitleBy == titleByUser:
	case f.TitleBy == titleByAgent:
		m.Title, m.TitleBy = given, titleByAgent
	case m.Title == "":
		if t := excerpt(r.e.clean(f.FirstPrompt)); t != "" {
			m.Title, m.TitleBy = t, titleByExcerpt
		}
	}
}

// marks are what may stand in a prompt without being words: names of pasted images, tags, and Markdown at a line's start.
var marks = regexp.MustCompile(`\[Image #\d+\]|</?[a-zA-Z][a-zA-Z0-9_-]*>`)

// excerpt is the first line of a prompt, without marks, cut at titleLength characters.
func excerpt(prompt string) string {
	_, words := transcript.Unwrap(prompt)
	for line := range strings.Lines(words) {
		line = marks.ReplaceAllString(line, " ")
		line = strings.TrimLeft(strings.Join(strings.Fields(line), " "), "#>*-=`~ ")
		if line == "" {
			continue
		}
		if utf8.RuneCountInString(line) > titleLength {
			return strings.TrimRight(string([]rune(line)[:titleLength]), " ") + "…"
		}
		return line
	}
	return ""
}
