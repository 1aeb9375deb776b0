package doctor

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"dormouse/store/home"
)

// Place looks at what disk the state folder lies on, or is going to. Drives of a network may not hold locks and sockets, and programs that
// copy folders to other machines take files out of the middle of a write.
func Place(h home.Home) Check { return placeBy(h, networkDrive) }

func placeBy(h home.Home, network func(dir string) string) Check {
	return Check{Name: "place", Look: func(context.Context) []Finding {
		const remedy = "stop Dormouse, move the folder to a disk of this machine, and set " + home.EnvHome + " to it; dormouse sync is for other machines"
		dir := h.Dir()
		if real, err := filepath.EvalSymlinks(nearest(dir)); err == nil {
			dir = real
		}
		if name := copiedBy(dir); name != "" {
			return []Finding{warned(remedy, "%s lies in a folder that %s copies: it may lock or put back files while they are written", h.Dir(), name)}
		}
		if kind := network(dir); kind != "" {
			return []Finding{warned(remedy, "%s lies on a drive of the network (%s), where locks and the socket may not hold", h.Dir(), kind)}
		}
		return []Finding{fine("on a disk of this machine")}
	}}
}

// nearest is the folder itself, or the nearest one above it that is there.
func nearest(dir string) string {
	for {
		if _, err := os.Lstat(dir); err == nil || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// copiers are programs that copy folders to other machines, by how the folders that they copy begin.
var copiers = []struct{ prefix, name string }{
	{"onedrive", "OneDrive"}, {"dropbox", "Dropbox"}, {"google drive", "Google Drive"}, {"googledrive", "Google Drive"}, {"mobile documents", "iCloud"},
	{"icloud drive", "iCloud"}, {"iclouddrive", "iCloud"}, {"nextcloud", "Nextcloud"},
}

// copiedBy is the program that copies a folder, by the names on its way; empty where none is known.
func copiedBy(dir string) string {
	for part := range strings.SplitSeq(filepath.ToSlash(dir), "/") {
		part = strings.ToLower(part)
		for _, c := range copiers {
			rest, ok := strings.CutPrefix(part, c.prefix)
			if ok && (rest == "" || strings.HasPrefix(rest, " ") || strings.HasPrefix(rest, "-")) { // "OneDrive - Acme", "OneDrive-Personal"
				return c.name
			}
		}
	}
	return ""
}
