package gitcmd

import (
	"os"
	"runtime"
	"strings"
)

// kept are git's own variables that say where git and the person's settings are. All others are taken out: a hook that
// calls us has some that point at its repository, and others change what is printed.
var kept = map[string]bool{
	"GIT_CONFIG_GLOBAL": true, "GIT_CONFIG_SYSTEM": true, "GIT_CONFIG_NOSYSTEM": true, "GIT_EXEC_PATH": true, "GIT_TEMPLATE_DIR": true,
}

// askers are the variables by which programs find somebody to ask.
var askers = map[string]bool{"SSH_ASKPASS": true, "DISPLAY": true, "WAYLAND_DISPLAY": true, "GPG_TTY": true}

func (c Command) environment() []string {
	var out []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		if runtime.GOOS == "windows" {
			name = strings.ToUpper(name)
		}
		if strings.HasPrefix(name, "GIT_") && !kept[name] || askers[name] {
			continue
		}
		out = append(out, kv)
	}
	out = append(out, "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS_REQUIRE=never", "GIT_EDITOR=:", "GIT_SEQUENCE_EDITOR=:", "LANGUAGE=")
	if c.Writes {
		out = append(out, "LC_ALL=C.UTF-8") // hooks may be given names that are not ASCII
	} else {
		out = append(out, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
	}
	return append(out, c.Env...)
}
