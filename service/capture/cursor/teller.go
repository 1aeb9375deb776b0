package cursor

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"dormouse/service/capture/chain"
	"dormouse/store/memory"
)

// teller tells messages as nodes; what the stores have in common.
type teller struct {
	ctx   context.Context
	chain *chain.Session
	use   func(memory.Node) error
	times map[string]int // how often a name was given
}

func newTeller(ctx context.Context, b *chain.Session, use func(memory.Node) error) *teller {
	return &teller{ctx: ctx, chain: b, use: use, times: map[string]int{}}
}

// handOn hands nodes over. Reads are added where a call shows them.
func (t *teller) handOn(nodes []memory.Node) error {
	for _, n := range nodes {
		n.Reads = append(n.Reads, reads(&n)...)
		if err := t.use(n); err != nil {
			return err
		}
	}
	return t.ctx.Err()
}

// nth tells a name apart from equal ones before it.
func (t *teller) nth(name string) string {
	n := t.times[name]
	t.times[name]++
	if n == 0 {
		return name
	}
	return name + "#" + strconv.Itoa(n)
}

var (
	query     = regexp.MustCompile(`(?s)<user_query>\s*(.*?)\s*</user_query>`)
	workspace = regexp.MustCompile(`(?m)^Workspace Path: *(\S.*?) *$`)
)

// ask tells a text under the role of the user: the person's words, and what the client put around them.
func (t *teller) ask(s *chain.Stream, at chain.At, text string, images []memory.Image, key ...string) {
	around, words := "", text
	if m := query.FindAllStringSubmatch(text, -1); m != nil {
		var all []string
		for _, q := range m {
			all = append(all, q[1])
		}
		words = strings.Join(all, "\n\n")
		around = strings.TrimSpace(query.ReplaceAllString(text, ""))
	} else if strings.HasPrefix(strings.TrimSpace(text), "<user_info>") || strings.HasPrefix(strings.TrimSpace(text), "<system_reminder>") {
		around, words = text, ""
	}
	if m := workspace.FindStringSubmatch(around); m != nil && s.Cwd == "" {
		s.Cwd = strings.Clone(m[1])
		if t.chain.Facts.Cwd == "" {
			t.chain.Facts.Cwd = s.Cwd
		}
	}
	if words != "" || len(images) > 0 {
		s.Prompt(at, words, images, key...)
	}
	s.Client(at, memory.KindHarness, around, append(key, "around")...)
}

// reads are the files that a call read.
func reads(n *memory.Node) []string {
	if n.Role != memory.RoleTool || !strings.HasPrefix(strings.ToLower(n.Name), "read") {
		return nil
	}
	for _, f := range []string{"target_file", "path", "file_path", "targetFile", "relativeWorkspacePath"} {
		if p := get(n.Input, f); p != "" {
			return []string{"file:" + p}
		}
	}
	return nil
}

func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:12])
}

// fromURI is the path in a file URI; empty for another.
func fromURI(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	return localPath(u.Path)
}

// localPath is the path of a URI as the system writes it.
func localPath(p string) string {
	if runtime.GOOS == "windows" {
		return strings.ReplaceAll(strings.TrimPrefix(p, "/"), "/", `\`)
	}
	return p
}
