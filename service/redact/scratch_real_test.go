package redact

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/memory"
)

func TestScratchReal(t *testing.T) {
	seen := map[string]bool{}
	bytesN, strictN := 0, 0
	counted := map[string]int{}
	eachText := func(s string) {
		if len(s) < 8 || seen[s] {
			return
		}
		seen[s] = true
		bytesN += len(s)
		memory.EachStated(s, func(v memory.Stated) {
			if saidSecret(s, v) {
				k := "G " + s[max(0, v.From-60):v.From] + "⟦" + s[v.From:v.To] + "⟧"
				counted[k]++
			}
		})
		if len(s) < 600 {
			if g := memory.Guard(s); g != s {
				strictN++
				i := strings.Index(g, "[redacted:stated]")
				if i >= 0 {
					counted["S "+g[max(0, i-60):min(len(g), i+60)]+" ⟦"+s[i:min(len(s), i+30)]+"⟧"]++
				}
			}
		}
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			eachText(v)
		case []any:
			for _, x := range v {
				walk(x)
			}
		case map[string]any:
			for _, x := range v {
				walk(x)
			}
		}
	}
	for _, root := range []string{"/work/shared/samples", "/work/shared/bench/sessions", "/work/shared/bench/distill", "/work/shared/bench/locomo", "/work/shared/bench/factcon"} {
		filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil
			}
			raw, _ := os.ReadFile(p)
			dec := json.NewDecoder(bytes.NewReader(raw))
			for {
				var v any
				if dec.Decode(&v) != nil {
					break
				}
				walk(v)
			}
			return nil
		})
	}
	for k, n := range counted {
		t.Logf("%d %q", n, k)
	}
	t.Logf("%d texts, %d bytes, strict %d", len(seen), bytesN, strictN)
}
