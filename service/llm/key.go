package llm

import (
	"cmp"
	"fmt"
	"os"
	"runtime"
	"strings"
)

// Key says where a provider's key is: in a file, else in an environment variable. It is read for each call, so a key that is
// changed needs no restart.
type Key struct {
	Env      string // name of the variable
	File     string
	Optional bool // an endpoint without keys, as those on the own machine are
	// Section is the part of the settings that errors name; empty is llm.
	Section string
}

// maxKey bounds a key's file, in bytes.
const maxKey = 16 << 10

// Read gives the key. A file that others may read is refused. The error is a *Failure.
func (k Key) Read(env func(string) string) (string, error) {
	section := cmp.Or(k.Section, "llm")
	if k.File == "" {
		if key := strings.TrimSpace(env(k.Env)); key != "" || k.Optional {
			return key, nil
		}
		return "", &Failure{Kind: Setup, Detail: fmt.Sprintf("there is no key: put it into a file that you alone may read and name it in %s.key_file, "+
			"or set %s for the service", section, cmp.Or(k.Env, "the variable of "+section+".key_env"))}
	}
	info, err := os.Stat(k.File)
	if err != nil {
		return "", &Failure{Kind: Setup, Detail: fmt.Sprintf("%s.key_file: %v", section, err)}
	}
	switch {
	case info.IsDir() || info.Size() > maxKey:
		return "", &Failure{Kind: Setup, Detail: fmt.Sprintf("%s.key_file: %s is no file with a key", section, k.File)}
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return "", &Failure{Kind: Setup, Detail: fmt.Sprintf("%s.key_file: %s may be read by others; chmod 600 helps", section, k.File)}
	}
	b, err := os.ReadFile(k.File)
	if err != nil {
		return "", &Failure{Kind: Setup, Detail: fmt.Sprintf("%s.key_file: %v", section, err)}
	}
	key := strings.TrimSpace(string(b))
	if key == "" || strings.ContainsAny(key, "\r\n") {
		return "", &Failure{Kind: Setup, Detail: fmt.Sprintf("%s.key_file: %s must hold the key alone, on one line", section, k.File)}
	}
	return key, nil
}
