package project

import (
	"net/url"
	"path"
	"regexp"
	"strings"
)

// scp is the short form of an ssh address: [user@]host:path. A host of one letter is a Windows drive.
var scp = regexp.MustCompile(`^(?:[^@/\\:]+@)?(\[[0-9a-fA-F:]+\]|[^@/\\:\[\]]{2,}):([^\\]*)$`)

// otherNames are the hosts by which some services answer ssh on port 443.
var otherNames = map[string]string{
	"ssh.github.com":       "github.com",
	"altssh.gitlab.com":    "gitlab.com",
	"altssh.bitbucket.org": "bitbucket.org",
}

// NormalizeURL gives the one form host/owner/name of a repository's address, the same for https, ssh and scp-like ones:
// without scheme, user, password, port, query, final slash and .git; the host in lower case. It is empty for what names no
// other machine: a path, a file URL, nonsense.
func NormalizeURL(raw string) string {
	raw = strings.TrimSpace(raw)
	host, p := "", ""
	if scheme, _, ok := strings.Cut(raw, "://"); ok {
		u, err := url.Parse(raw)
		if err != nil || strings.EqualFold(scheme, "file") {
			return ""
		}
		host, p = u.Hostname(), u.Path
	} else if m := scp.FindStringSubmatch(raw); m != nil {
		host, p = strings.Trim(m[1], "[]"), m[2]
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if other, ok := otherNames[host]; ok {
		host = other
	}
	p = strings.TrimPrefix(path.Clean("/"+p), "/")
	p = strings.TrimSuffix(strings.TrimSuffix(p, ".git"), "/")
	if host == "" || p == "" {
		return ""
	}
	return host + "/" + p
}

// remoteKey is what two addresses of one repository share. Of the services whose names do not tell upper from lower case,
// case is taken out.
func remoteKey(normal string) string {
	host, _, _ := strings.Cut(normal, "/")
	switch host {
	case "github.com", "gitlab.com", "bitbucket.org":
		return strings.ToLower(normal)
	}
	return normal
}
