package opencode_test

import (
	"database/sql"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/capture/parsertest"
)

// The oracle counts straight from rows and files, with its own reading of them. It shares no code with the adapter.

type doc = map[string]any

type rawSession struct {
	parent   string
	messages map[string]doc
	parts    map[string][]doc // by message
}

func str(v any) string { s, _ := v.(string); return s }

func num(v any) int64 { f, _ := v.(float64); return int64(f) }

func sub(v any, name string) any { m, _ := v.(doc); return m[name] }

func count(t *testing.T, path string) map[string]parsertest.Counts {
	all := map[string]*rawSession{}
	get := func(id string) *rawSession {
		if all[id] == nil {
			all[id] = &rawSession{messages: map[string]doc{}, parts: map[string][]doc{}}
		}
		return all[id]
	}
	if strings.HasSuffix(path, ".db") {
		fromRows(t, path, get)
	} else {
		fromFiles(t, path, get)
	}
	out := map[string]parsertest.Counts{}
	for id, s := range all {
		top := id
		for all[top] != nil && all[top].parent != "" {
			top = all[top].parent
		}
		c := out[top]
		s.add(&c, s.parent != "")
		if s.parent != "" && len(s.messages) > 0 {
			c.SubAgents++
		}
		out[top] = c
	}
	return out
}

func (s *rawSession) add(c *parsertest.Counts, child bool) {
	for id, m := range s.messages {
		text, tools := "", 0
		for _, p := range s.parts[id] {
			switch {
			case str(p["type"]) == "text" && p["synthetic"] != true:
				text += str(p["text"])
			case str(p["type"]) == "tool":
				tools++
			}
		}
		text = strings.TrimSpace(text)
		tokens := m["tokens"]
		if str(m["role"]) == "user" {
			if text != "" && !child {
				c.Prompts++
			}
			continue
		}
		c.Calls += tools
		c.Tokens.Input += num(sub(tokens, "input"))
		c.Tokens.Output += num(sub(tokens, "output"))
		c.Tokens.CacheRead += num(sub(sub(tokens, "cache"), "read"))
		c.Tokens.CacheWrite += num(sub(sub(tokens, "cache"), "write"))
		if text != "" || tools == 0 && (tokens != nil || m["error"] != nil) {
			c.Messages++
		}
	}
}

func fromRows(t *testing.T, path string, get func(string) *rawSession) {
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows := func(q string, use func(a, b, c string)) {
		r, err := db.Query(q)
		if err != nil {
			t.Fatal(q, err)
		}
		defer r.Close()
		for r.Next() {
			var a, b, c sql.NullString
			if err := r.Scan(&a, &b, &c); err != nil {
				t.Fatal(err)
			}
			use(a.String, b.String, c.String)
		}
	}
	parse := func(s string) doc {
		var d doc
		if err := json.Unmarshal([]byte(s), &d); err != nil {
			t.Fatal(err)
		}
		return d
	}
	rows("SELECT id, parent_id, NULL FROM session", func(id, parent, _ string) { get(id).parent = parent })
	rows("SELECT session_id, id, data FROM message", func(s, id, data string) { get(s).messages[id] = parse(data) })
	rows("SELECT session_id, message_id, data FROM part", func(s, m, data string) { get(s).parts[m] = append(get(s).parts[m], parse(data)) })
}

func fromFiles(t *testing.T, root string, get func(string) *rawSession) {
	parts := map[string][]doc{}
	files, _ := filepath.Glob(root + "/part/*/*.json")
	loose, _ := filepath.Glob(root + "/part/*.json")
	for _, f := range append(files, loose...) {
		d := load(t, f)
		m := str(d["messageID"])
		if m == "" {
			m = filepath.Base(filepath.Dir(f))
		}
		parts[m] = append(parts[m], d)
	}
	infos, _ := filepath.Glob(root + "/session/*/*.json")
	for _, f := range infos {
		d := load(t, f)
		get(str(d["id"])).parent = str(d["parentID"])
	}
	messages, _ := filepath.Glob(root + "/message/*/*.json")
	for _, f := range messages {
		d := load(t, f)
		s := get(filepath.Base(filepath.Dir(f)))
		s.messages[str(d["id"])] = d
		s.parts[str(d["id"])] = parts[str(d["id"])]
	}
}

func load(t *testing.T, path string) doc {
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var d doc
	if err := json.Unmarshal(b, &d); err != nil {
		t.Fatal(path, err)
	}
	return d
}
