package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime"

	"dormouse/service/config"
	"dormouse/store/home"
)

// Folder looks at the state folder: whether it is there, can be written to, and is closed to others.
func Folder(h home.Home) Check {
	return Check{Name: "state folder", Look: func(context.Context) []Finding {
		info, err := os.Stat(h.Dir())
		switch {
		case errors.Is(err, fs.ErrNotExist):
			if above := nearest(h.Dir()); !writable(above) {
				return []Finding{failed("make that folder writable for you, or set "+home.EnvHome+" to a folder in one that is",
					"%s is not there and cannot be made: %s cannot be written to", h.Dir(), above)}
			}
			return []Finding{warned("dormouse up makes it", "%s is not there yet", h.Dir())}
		case err != nil:
			return []Finding{failed("make it readable for you, or set "+home.EnvHome, "%v", err)}
		case !info.IsDir():
			return []Finding{failed("move it away, or set "+home.EnvHome, "%s is no folder", h.Dir())}
		case runtime.GOOS != "windows" && info.Mode().Perm()&0o200 == 0:
			return []Finding{failed("chmod u+w "+h.Dir(), "%s cannot be written to", h.Dir())}
		case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
			return []Finding{warned("chmod go= "+h.Dir(), "%s is open to other users (mode %04o)", h.Dir(), info.Mode().Perm()).
				Mend("take group and others out of the permissions of "+h.Dir(), func() error { return closeTo([]string{h.Dir()}) })}
		}
		return []Finding{fine("%s", h.Dir())}
	}}
}

// Settings looks at config.toml.
func Settings(h home.Home) Check {
	return Check{Name: "settings", Look: func(context.Context) []Finding {
		if _, err := config.Load(h.Config()); err != nil {
			return []Finding{failed("mend that setting and start the service again; delete the file to have the defaults", "%v", err)}
		}
		return []Finding{fine("%s", h.Config())}
	}}
}
