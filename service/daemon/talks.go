package daemon

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"dormouse/service/proxy"
	"dormouse/store/home"
)

// What of conversations through the proxy outlives the service: which blocks were shown in short, and what models asked the memory with the
// tools that their clients do not know of. Nothing of what else was said.
const (
	proxiedDir = "proxied"
	talksTime  = 7 * 24 * time.Hour // that a conversation may be silent
	maxTalks   = 500
)

// keepTalk writes down what of a conversation is to outlive the service. Where that fails, the conversation passes whole after a restart
// until it goes on.
func (d *Daemon) keepTalk(name string, k *proxy.KeptTalk) {
	dir := filepath.Join(d.p.Home.Dir(), proxiedDir)
	path := filepath.Join(dir, name+".json")
	err := home.Mkdir(dir)
	switch {
	case err != nil:
	case k == nil:
		if err = os.Remove(path); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	default:
		var clean proxy.KeptTalk
		if clean, err = d.withoutSecrets(*k); err == nil {
			b, _ := json.Marshal(clean) // of numbers, hashes and texts
			err = home.WriteFile(path, b)
		}
	}
	if err != nil {
		d.p.Log.Warn("what of a conversation was changed is not kept", "component", d.proxying.name, "error", err)
	}
}

// keptTalks are the conversations that earlier services kept. Those that were silent for long are removed, and files that are none.
func (d *Daemon) keptTalks() (out []proxy.KeptTalk) {
	dir := filepath.Join(d.p.Home.Dir(), proxiedDir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // there are none
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		var k proxy.KeptTalk
		info, err := e.Info()
		if err != nil {
			continue
		}
		b, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if len(out) >= maxTalks || d.p.Now().Sub(info.ModTime()) > talksTime || json.Unmarshal(b, &k) != nil || k.Tail == "" {
			_ = os.Remove(path) // the next start tries again
			continue
		}
		out = append(out, k)
	}
	return out
}
