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
}

// maxKey bounds a key's file, in bytes.
const maxKey = 16 << 10

// read gives the key. A file that others may read is refused.
func (k Key) read(env func(string) string) (string, error) {
	if k.File == "" {
		if key := strings.TrimSpace(env(k.Env)); key != "" || k.Optional {
			return key, nil
		}
		return "", &Failure{Kind: Setup, Detail: fmt.Sprintf("there is no key: put it into a file that you alone may read and name it in llm.key_file, "+
			"or set %s for the service", cmp.Or(k.Env, "the variable of llm.key_env"))}
	}
	info, err := os.Stat(k.File)
	if err != nil {
		return "", &Failure{Kind: Setup, Detail: fmt.Sprintf("llm.key_file: %v", err)}
	}
	switch {
	case info.IsDir() || info.Size() > maxKey:
		return "", &Failure{Kind: Setup, Detail: fmt.Sprintf("llm.key_file: %s is no file with a key", k.File)}
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return "", &Failure{Kind: Setup, Detail: fmt.Sprintf("llm.key_file: %s may be read by others; chmod 600 helps", k.File)}
	}
	b, err := os.ReadFile(k.File)
	if err != nil {
		return "", &Failure{Kind: Setup, Detail: fmt.Sprintf("llm.key_file: %v", err)}
	}
	key := strings.TrimSpace(string(b))
	if key == "" || strings.ContainsAny(key, "\r\n") {
		return "", &Failure{Kind: Setup, Detail: fmt.Sprintf("llm.key_file: %s must hold the key alone, on one line", k.File)}
	}
	return key, nil
}
