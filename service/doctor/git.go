package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"time"

	"dormouse/store/gitcmd"
	"dormouse/store/gitrepo"
	"dormouse/store/home"
	"dormouse/store/project"
	"dormouse/store/session"
)

// oldest is the oldest git whose options are used.
var oldest = [2]int{2, 24}

var gitVersion = regexp.MustCompile(`(\d+)\.(\d+)(\.\d+)?\S*`)

// Git looks at the git command.
func Git() Check {
	return Check{Name: "git", Look: func(ctx context.Context) []Finding {
		out, err := gitcmd.Read(ctx, string(filepath.Separator), "version")
		if errors.Is(err, gitcmd.ErrNoGit) {
			return []Finding{warned("install git and see that it is on the PATH",
				"the git command is not there: auto-commit, sync to a folder, and projects that go-git cannot read do without")}
		}
		if err != nil {
			return []Finding{failed("see why git does not start", "%v", err)}
		}
		m := gitVersion.FindStringSubmatch(out.Line())
		if m == nil {
			return []Finding{warned("install a git from your system or git-scm.com", "the git command says %q", out.Line())}
		}
		major, _ := strconv.Atoi(m[1])
		minor, _ := strconv.Atoi(m[2])
		if major < oldest[0] || major == oldest[0] && minor < oldest[1] {
			return []Finding{warned(fmt.Sprintf("install git %d.%d or newer", oldest[0], oldest[1]), "git %s is too old", m[0])}
		}
		return []Finding{fine("git %s on %s", m[0], runtime.GOOS)}
	}}
}

// Projects says of each project that has a folder here how its repository is read, as it was found out by trying.
func Projects(h home.Home, user string) Check {
	return Check{Name: "projects", Limit: 10 * time.Minute, Look: func(ctx context.Context) []Finding {
		reg := project.New(project.Options{Dir: h.Projects(), Home: user})
		all, err := reg.List()
		if err != nil {
			return []Finding{failed("see above; sessions go on meanwhile, under no project's name", "%v", err)}
		}
		var out []Finding
		for _, p := range all {
			if !p.IsDefault {
				out = append(out, wayOf(ctx, reg, p))
			}
		}
		if len(out) == 0 {
			return []Finding{fine("no project yet")}
		}
		return out
	}}
}

func wayOf(ctx context.Context, reg *project.Registry, p project.Project) Finding {
	name := p.Name
	if p.Path != "" {
		name += " (" + p.Path + ")"
	}
	if info, err := os.Stat(p.Path); p.Path == "" || err != nil || !info.IsDir() {
		return fine("%s: its folder is not on this machine", name)
	}
	g, err := reg.Open(ctx, p.Path)
	auto := ""
	if p.AutoCommit {
		auto = "; agents' turns are committed"
	}
	switch {
	case errors.Is(err, project.ErrNoRepository) && p.AutoCommit:
		return warned("dormouse bind --init "+p.Path+", or dormouse project autocommit off "+p.ID, "%s: it has no git repository, so no turn is committed", name)
	case errors.Is(err, project.ErrNoRepository):
		return fine("%s: it has no git repository", name)
	case errors.Is(err, gitrepo.ErrForeign):
		return warned("git config --global --add safe.directory "+p.Path, "%s: its repository belongs to another user and is not read", name)
	case err != nil:
		return warned("git -C "+p.Path+" fsck says more", "%s: %v", name, err)
	case g.Way == gitrepo.ByCommand:
		return fine("%s: read by the git command, because %s%s", name, g.Why, auto)
	}
	return fine("%s: read by %s%s", name, g.Way, auto)
}

// fsckTime is how long git may take over one session: it looks at every entry of every commit.
const fsckTime = 15 * time.Minute

// Fsck has git look through the repository of every session and of the memory.
func Fsck(h home.Home) Check {
	return Check{Name: "fsck", Limit: 24 * time.Hour, Look: func(ctx context.Context) []Finding {
		dirs, err := session.Folders(h.Sessions())
		if err != nil {
			return []Finding{failed("delete the file: it is made again", "%v", err)}
		}
		var out []Finding
		for _, dir := range append(dirs, h.Memory()) {
			if f := fsck(ctx, dir); f.State != OK {
				out = append(out, f)
			}
		}
		if len(out) == 0 {
			return []Finding{fine("git found nothing wrong with the memory and the sessions (%d)", len(dirs))}
		}
		return out
	}}
}

func fsck(ctx context.Context, dir string) Finding {
	if matches, _ := filepath.Glob(filepath.Join(dir, ".git", "objects", "*")); len(matches) == 0 {
		return fine("%s has no commit yet", dir)
	}
	_, err := gitcmd.Command{Dir: dir, Args: []string{"--git-dir=" + filepath.Join(dir, ".git"), "fsck", "--strict", "--full", "--no-dangling", "--no-progress"}, Limit: fsckTime}.Run(ctx)
	switch {
	case err == nil:
		return fine("%s", dir)
	case errors.Is(err, gitcmd.ErrNoGit):
		return warned("install git", "%s was not looked through: %v", dir, err)
	case ctx.Err() != nil || errors.Is(err, gitcmd.ErrTime):
		return warned("git -C "+dir+" fsck", "%s was not looked through to its end: %v", dir, err)
	}
	return failed("the rest of it goes on working; restore "+dir+" from a backup, or let its transcript be read again", "%s: %v", dir, err)
}
