package connect

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
)

// Untrusted reports whether hooks of ours are in the agent's file which the agent does not run, because the person has not trusted
// them or has turned them off in the agent. It is false where that cannot be told, and for agents that ask for no trust.
func (a Agent) Untrusted(env func(string) string, home string) bool {
	if a.trusted == nil {
		return false
	}
	p, err := a.open(env, home)
	if err != nil || p.Before == nil {
		return false
	}
	all, err := a.positions(p.Before)
	if err != nil || len(all) == 0 {
		return false
	}
	file := filepath.Join(a.Folder(env, home), a.File)
	trusted, err := a.trusted(a.Folder(env, home), []string{file, p.Path}, all)
	return err == nil && !trusted
}

// position is where a hook stands in a grouped file, and the hook.
type position struct {
	event       string
	group, hook int
	handler     hujson.Value
}

// positions are those of our hooks.
func (a Agent) positions(text []byte) (out []position, err error) {
	root, err := document{text}.parse()
	if err != nil {
		return nil, err
	}
	for _, event := range a.Events {
		v, err := list(&root, event)
		if err != nil || v == nil {
			continue
		}
		for g := range v.Value.(*hujson.Array).Elements {
			hooks := find(&v.Value.(*hujson.Array).Elements[g], "hooks")
			if hooks == nil {
				continue
			}
			array, ok := hooks.Value.(*hujson.Array)
			for h := 0; ok && h < len(array.Elements); h++ {
				if isOurs(&array.Elements[h], a.Name) {
					out = append(out, position{event, g, h, array.Elements[h]})
				}
			}
		}
	}
	return out, nil
}

// codexTrusts reads which hooks Codex runs: its config.toml has an entry for each one that the person trusted, named by file, event and
// place, with a sum of what it was then. One that was changed since is not run.
func codexTrusts(dir string, files []string, all []position) (bool, error) {
	text, err := os.ReadFile(filepath.Join(dir, "config.toml"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	var config struct {
		Hooks struct {
			State map[string]struct {
				Trusted string `toml:"trusted_hash"`
				Enabled *bool  `toml:"enabled"`
			} `toml:"state"`
		} `toml:"hooks"`
	}
	if err := toml.Unmarshal(text, &config); err != nil {
		return false, err
	}
	for _, p := range all {
		found := false
		for _, file := range files {
			s := config.Hooks.State[fmt.Sprintf("%s:%s:%d:%d", file, snake(p.event), p.group, p.hook)]
			found = found || s.Trusted == codexSum(p) && (s.Enabled == nil || *s.Enabled)
		}
		if !found {
			return false, nil
		}
	}
	return true, nil
}

// codexSum is Codex's sum of a hook that stands in a group without a matcher, as version 0.171 makes it.
func codexSum(p position) string {
	var h struct {
		Command string `json:"command"`
		Timeout *int   `json:"timeout"`
		Async   bool   `json:"async"`
	}
	v := p.handler.Clone()
	v.Standardize()
	if json.Unmarshal(v.Pack(), &h) != nil {
		return ""
	}
	seconds := 600
	if h.Timeout != nil {
		seconds = max(*h.Timeout, 1)
	}
	text := fmt.Sprintf(`{"event_name":%s,"hooks":[{"async":%t,"command":%s,"timeout":%d,"type":"command"}]}`, quote(snake(p.event)), h.Async, quote(h.Command), seconds)
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// snake writes a name of words that begin with capitals in small letters, with lines between the words.
func snake(s string) string {
	var b strings.Builder
	for i, r := range s {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
