package daemon

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"dormouse/service/title"
	"dormouse/store/memory"
	"dormouse/store/project"
	"dormouse/store/session"
)

// envCache is the environment variable that says how many sessions keep their history in memory.
const envCache = "DORMOUSE_SESSION_CACHE_CAP"

// openSessions builds the stores of the sessions and of the projects, which know of each other through functions alone.
func (d *Daemon) openSessions() {
	user, _ := os.UserHomeDir() // a system service may have none
	d.projects = project.New(project.Options{Dir: d.p.Home.Projects(), Home: user, Now: d.p.Now})
	temps := d.p.Temps
	if temps == nil {
		temps = session.TempFolders(d.p.Env)
	}
	d.sessions = session.New(session.Options{
		Dir: d.p.Home.Sessions(), Machine: d.machine, OnChange: d.sessionChanged, Now: d.p.Now, Temps: temps, Cache: d.cacheCap(),
		Summary: d.p.Home.Summary(), Inside: d.insideOf, Projects: d.projectFolders, OnMoved: d.projectMoved,
	})
	if d.p.Titles != nil {
		d.titles = title.New(title.Options{Model: d.p.Titles, Sessions: d.sessions, Now: d.p.Now, Log: d.p.Log,
			Made: func(id string) { d.publish("session_updated", id) }})
	}
	d.keeper = newKeeper(d.sessions, d.settings().IdleAfter, d.p.Now)
	for _, p := range d.bound() {
		d.discover(p.Path)
	}
}

// cacheCap is how many sessions stay in memory.
func (d *Daemon) cacheCap() int {
	text := d.p.Env(envCache)
	n, err := strconv.Atoi(cmp.Or(text, strconv.Itoa(session.CacheSize)))
	if err != nil || n < 1 {
		d.notes = append(d.notes, fmt.Sprintf("%s=%q is no number from 1: %d is taken", envCache, text, session.CacheSize))
		return session.CacheSize
	}
	return n
}

// insideOf is the folder of the project that a session belongs to, where the person bound it: only then is anything written there.
func (d *Daemon) insideOf(m memory.Session) string {
	p, err := d.projects.Get(m.ProjectID)
	if err != nil || p.BoundAt == 0 || !p.Bound() || !filepath.IsAbs(p.Path) {
		return ""
	}
	return p.Path
}

// bound are the projects that the person bound.
func (d *Daemon) bound() []project.Project {
	all, err := d.projects.List()
	if err != nil {
		return nil // status names the registry's file
	}
	var out []project.Project
	for _, p := range all {
		if p.BoundAt != 0 && p.Bound() && p.Path != "" {
			out = append(out, p)
		}
	}
	return out
}

// projectFolders are the folders that projects are known to lie in.
func (d *Daemon) projectFolders() []string {
	all, err := d.projects.List()
	if err != nil {
		return nil
	}
	var out []string
	for _, p := range all {
		if p.Path != "" {
			out = append(out, p.Path)
		}
		out = append(out, p.Roots...)
	}
	return out
}

// projectMoved is told of a project's folder that was found elsewhere.
func (d *Daemon) projectMoved(from, to string) {
	if err := d.projects.Moved(from, to); err != nil {
		d.p.Log.Warn("a project was moved", "from", from, "to", to, "error", err)
	}
	d.publish("project", "")
}

// discoverAbove takes up the sessions of a project that was moved so that a folder lies in it now.
func (d *Daemon) discoverAbove(dir string) {
	if !filepath.IsAbs(dir) {
		return
	}
	for dir = filepath.Clean(dir); ; dir = filepath.Dir(dir) {
		d.discover(dir)
		if filepath.Dir(dir) == dir {
			return
		}
	}
}

func (d *Daemon) discover(project string) {
	if _, err := d.sessions.Discover(project); err != nil {
		d.p.Log.Warn("look for sessions in a project", "project", project, "error", err)
	}
}
