package capture

import (
	"dormouse/service/capture/transcript"
	"dormouse/service/title"
	"dormouse/store/memory"
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
		project = r.project(f)
	}
	head := ""
	if f.Head != "" && x.Has(f.Head) {
		head = f.Head
	}
	return x.Update(func(m *memory.Session) {
		r.state(m, f, project)
		if f.Created > 0 && (m.CreatedAt == 0 || f.Created < m.CreatedAt) {
			m.CreatedAt = f.Created
		}
		if head != "" {
			m.HeadID = memory.Ref(head)
		}
	})
}

// announce is describe before the first nodes of a new session are stored, so that its meta.json is written once.
func (r *reading) announce() error {
	x := r.session
	if r.batch == nil || x == nil || x.Stored() {
		return nil
	}
	f := r.act.parser.Facts()
	return x.Update(func(m *memory.Session) { r.state(m, f, "") }) // ensure asked for the project
}

// state puts what the transcript says of the whole session into its meta.json.
func (r *reading) state(m *memory.Session, f transcript.Facts, project string) {
	set(&m.ProjectID, project)
	set(&m.Cwd, r.clean(f.Cwd))
	if h := r.act.hide; h == nil || !h.inside {
		set(&m.GitBranch, r.clean(f.GitBranch))
	}
	set(&m.Model, r.clean(f.Model))
	set(&m.ForkOf, f.ForkOf)
	r.title(m, f)
}

// project is the project that the session belongs to; empty where that cannot be told, which is noted to be asked again.
func (r *reading) project(f transcript.Facts) string {
	id, err := r.e.o.Project(r.ctx, Place{Cwd: f.Cwd, RepositoryURL: f.RepositoryURL})
	if err != nil {
		r.e.trouble(r.job.key.agent, projectPlace(f.Cwd), err)
		r.cursor.Unplaced = projectPlace(f.Cwd)
		return ""
	}
	r.e.fine(projectPlace(f.Cwd))
	r.cursor.Unplaced = ""
	return id
}

// clean takes the secrets out of a text that the transcript gives for the whole session, as out of a node. What cannot be
// cleaned counts as not given.
func (e *Engine) clean(text string) string {
	n := memory.Node{Output: text}
	if _, err := e.o.Redact(&n); err != nil {
		return ""
	}
	return memory.Guard(n.Output)
}

// clean is the engine's, done once for each text of a session.
func (r *reading) clean(text string) string {
	if text == "" {
		return ""
	}
	if r.cleaned == nil {
		r.cleaned = map[string]string{}
	}
	out, done := r.cleaned[text]
	if !done {
		out = r.e.clean(text)
		r.cleaned[text] = out
	}
	return out
}

// projectPlace is where a Problem says that the project of a folder cannot be told.
func projectPlace(cwd string) string { return "project of " + cwd }

func set(to *string, v string) {
	if v != "" {
		*to = v
	}
}

// title chooses the session's title: a better one replaces a worse one, and the person's own is replaced by a newer one of the
// person alone. A rename in the agent counts once, so that it does not undo a later one here.
func (r *reading) title(m *memory.Session, f transcript.Facts) {
	given := r.clean(f.Title)
	if h := r.act.hide; h != nil && h.lost {
		if f.TitleBy != title.ByUser { // it may tell of what was left out
			f.Title, f.TitleBy = "", ""
		}
		if !h.prompt {
			f.FirstPrompt = ""
		}
	}
	switch {
	case f.TitleBy == title.ByUser && given != r.cursor.CustomTitle:
		m.Title, m.TitleBy = given, title.ByUser
		r.cursor.CustomTitle = given
	case m.TitleBy == title.ByUser, m.TitleBy == title.ByModel:
	case f.TitleBy == title.ByAgent:
		m.Title, m.TitleBy = given, title.ByAgent
	case m.Title == "":
		if t := title.Excerpt(r.clean(f.FirstPrompt)); t != "" {
			m.Title, m.TitleBy = t, title.ByExcerpt
		}
	}
}
