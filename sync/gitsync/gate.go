package gitsync

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"dormouse/store/gitrepo"
)

// What a remote holds before it is used.
const (
	HoldsNothing = "nothing"
	HoldsMemory  = "memory"
	HoldsSealed  = "encrypted memory"
	HoldsOther   = "something else"
)

// Holds looks at a remote that is not set yet and says what it holds. It fetches the remote's newest commit, and takes and sends
// nothing.
func (s *Syncer) Holds(ctx context.Context, url string) (string, error) {
	if err := s.begin(ctx); err != nil {
		return "", err
	}
	defer s.end()
	remote := s.o.Connect(url)
	tip, err := remote.Head(ctx)
	if err != nil || tip.IsZero() {
		return HoldsNothing, err
	}
	if !s.o.Repo.Has(tip) {
		if err := remote.Fetch(ctx, tip); err != nil {
			return "", err
		}
	}
	x := s.o.Repo.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	if _, err := x.Lookup(tip, sealedMark); err == nil {
		return HoldsSealed, nil
	}
	have, err := logsIn(x, tip)
	if err != nil {
		return "", err
	}
	switch ok, err := isMemory(x, tip, have); {
	case err != nil:
		return "", err
	case !ok:
		return HoldsOther, nil
	case len(have) == 0:
		return HoldsNothing, nil
	}
	return HoldsMemory, nil
}

// forges are hosts where a repository that is open to everybody can be read at an https address that follows from the ssh one.
var forges = []string{"github.com", "gitlab.com", "bitbucket.org", "codeberg.org", "gitea.com", "git.sr.ht", "framagit.org", "salsa.debian.org",
	"gitlab.gnome.org", "invent.kde.org", "notabug.org", "gitee.com"}

// doors are the other names by which some of them answer ssh.
var doors = map[string]string{"ssh.github.com": "github.com", "altssh.gitlab.com": "gitlab.com", "altssh.bitbucket.org": "bitbucket.org"}

// WebAddress is the https address at which a remote could be read by everybody, if it is open: that of a known forge, or the address
// itself where it is one of the web. It is empty where none is known.
func WebAddress(raw string) string {
	host, path := "", ""
	switch u, err := url.Parse(raw); {
	case err == nil && (u.Scheme == "https" || u.Scheme == "http"):
		u.User = nil
		return u.String()
	case err == nil && strings.Contains(u.Scheme, "ssh"):
		host, path = u.Hostname(), strings.TrimPrefix(u.Path, "/")
	case !filepath.IsAbs(raw) && scp.MatchString(raw):
		host, path, _ = strings.Cut(raw, ":")
		if _, after, ok := strings.Cut(host, "@"); ok {
			host = after
		}
		path = strings.TrimPrefix(path, "/")
	}
	host = strings.ToLower(host)
	if other, ok := doors[host]; ok {
		host = other
	}
	for _, f := range forges {
		if host == f {
			return "https://" + host + "/" + path
		}
	}
	return ""
}

// Readers is who can read a remote.
type Readers struct {
	Everybody bool
	// Words say it to the person, also what cannot be known.
	Words string
}

// WhoReads finds out who can read a remote, as far as that can be known from here. anyone asks a web address without a login, as
// gitrepo.Anyone does.
func WhoReads(ctx context.Context, url string, anyone func(context.Context, string) (bool, error)) Readers {
	if folder := strings.TrimPrefix(url, "file://"); filepath.IsAbs(folder) {
		return Readers{Words: folderReaders(folder)}
	}
	web := WebAddress(url)
	host := hostOf(url)
	if web == "" {
		return Readers{Words: fmt.Sprintf("whoever runs %s, and everybody who was given access to the repository there; whether it is open to others cannot be seen from here", host)}
	}
	open, err := anyone(ctx, web)
	switch {
	case err != nil:
		return Readers{Words: fmt.Sprintf("whoever runs %s, and everybody who was given access to the repository there; whether it is open to all could not be seen (%v)", host, err)}
	case open:
		return Readers{Everybody: true, Words: "everybody: " + web + " can be read without a login"}
	}
	return Readers{Words: fmt.Sprintf("whoever runs %s, and everybody who was given access to the repository there; without a login it cannot be read", host)}
}

func hostOf(raw string) string {
	if u, err := url.Parse(raw); err == nil && u.Host != "" {
		return u.Hostname()
	}
	host, _, _ := strings.Cut(raw, ":")
	if _, after, ok := strings.Cut(host, "@"); ok {
		host = after
	}
	return host
}

// folderReaders says who can read a folder, by its permissions where the system has them.
func folderReaders(folder string) string {
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "whoever has the disk, stick or share that the folder lies on"
	case err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o005 == 0o005:
		return "every user of this machine (chmod -R go= " + folder + " closes it), and whoever has the disk, stick or share that it lies on"
	}
	return "you, and whoever has the disk, stick or share that the folder lies on"
}

// Unsettled are the entries that the two sides were last seen not to share: those of this machine's log that the remote does not have,
// and those of other machines that it has and that are not in force here.
func (s *Syncer) Unsettled() (send, receive int, err error) {
	url, err := s.Remote()
	if err != nil || url == "" {
		return 0, 0, err
	}
	main, err := s.o.Repo.Ref(gitrepo.MainBranch)
	if err != nil {
		return 0, 0, err
	}
	met, err := s.o.Repo.Ref(metRef(url))
	if err != nil || main == met {
		return 0, 0, err
	}
	x := s.o.Repo.Reader()
	defer x.Close() //nolint:errcheck // opened for reading
	ours, err := logsIn(x, main)
	if err != nil {
		return 0, 0, err
	}
	theirs, err := logsIn(x, met)
	if err != nil {
		return 0, 0, err
	}
	for path, e := range ours {
		if machineOf(path) == s.o.Machine && e.OID != theirs[path].OID {
			n, err := moreLines(x, e, theirs[path])
			if err != nil {
				return 0, 0, err
			}
			send += n
		}
	}
	for path, e := range theirs {
		if machineOf(path) != s.o.Machine && e.OID != ours[path].OID {
			n, err := moreLines(x, e, ours[path])
			if err != nil {
				return 0, 0, err
			}
			receive += n
		}
	}
	return send, receive, nil
}

// moreLines is how many lines a log has more than another version of it.
func moreLines(x *gitrepo.Reader, of, than gitrepo.TreeEntry) (int, error) {
	counts := [2]int{}
	for i, e := range []gitrepo.TreeEntry{of, than} {
		if !e.OID.IsZero() && !plain(e) {
			return 0, nil
		}
		data, err := read(x, e)
		if err != nil {
			return 0, err
		}
		counts[i] = strings.Count(string(data), "\n")
	}
	return max(0, counts[0]-counts[1]), nil
}
