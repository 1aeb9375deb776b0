package shape

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "dormouse"

// allowed says what each package may import from this module. A new package fails until it has a row: the row is where
// the design is reviewed. "store/..." means every package below store.
var allowed = map[string][]string{
	"store/memory": {},
	// The steps that the stores take on the disk, of which a test may have any fail.
	"store/disk": {},
	"store/home": {"store/disk", "store/process"},
	// Who a process is, and who has locked a file.
	"store/process":         {},
	"store/gitcmd":          {},
	"store/gitrepo":         {"store/disk", "store/gitcmd", "store/gitrepo/sshtest"}, // sshtest: in its tests
	"store/gitrepo/sshtest": {},
	"store/session":         {"store/memory", "store/disk", "store/home", "store/gitrepo"},
	"store/project":         {"store/memory", "store/home", "store/gitrepo", "store/gitcmd"},
	// What tool calls say of files, carried out and taken back; pure, and shared by the adapters and the shadow history.
	"store/project/edit": {"store/memory"},
	// The files that agents edited, in repositories of ours.
	"store/project/shadow": {"store/memory", "store/home", "store/gitrepo", "store/gitcmd", "store/project/edit"},
	"store/ledger":         {"store/memory", "store/disk", "store/home", "store/gitrepo"},
	"store/index":          {"store/memory", "store/home", "store/index/words"},
	// What a text is found by; pure, and shared by ranking and snippets.
	"store/index/words": {},
	"service/keyring":   {},
	"sync/seal":         {},
	"sync/gitsync":      {"store/memory", "store/home", "store/ledger", "store/gitrepo", "sync/seal", "store/disk", "store/gitrepo/sshtest"}, // sshtest: in its tests
	"service/socket":    {},
	// What the hook leaves for the service that was not there: standard library alone, because the hook waits for it.
	// Edits the agents' own settings; the command line uses it, so that it works without the service.
	"service/connect": {"service/inject"},
	"service/update":  {},
	// Which events of which agents take a text, and in which form; pure.
	"service/inject": {},
	"service/spool":  {},
	// What agents ask with; answered by the local API alone.
	"service/mcptools": {"service/api", "service/client", "store/memory"},
	"service/redact":   {"store/memory"},
	"service/cost":     {"store/disk", "store/home"},       // what models' calls took
	"service/llm":      {"service/cost"},                   // language models; what they may spend and where the books are is handed in
	"service/embed":    {},                                 // texts as vectors; the bytes of the table are handed in
	"service/config":   {"store/memory", "service/inject"}, // inject: at which moments the settings have agents told
	"service/sleep":    {"store/memory"},
	"service/machine":  {}, // what the machine tells of itself
	// What a session is called; asks a language model that is handed in.
	"service/title": {"store/memory", "store/session", "service/capture/transcript"},
	"service/api":   {"store/memory"},
	// The contract between the watcher and the agents' parsers, and what the parsers share.
	"service/capture/transcript": {"store/memory"},
	"service/capture/claudecode": {"store/memory", "store/project/edit", "service/capture/transcript"},
	"service/capture/codex":      {"store/memory", "service/capture/transcript", "service/capture/chain", "store/project/edit"}, // edit: in its tests
	// What the adapters of agents that keep whole messages share: nodes and what is final, contents of messages, documents that are
	// rewritten, files opened beside their owner, tests.
	"service/capture/chain":    {"store/memory", "service/capture/transcript", "service/capture/parsertest"},
	"service/capture/blocks":   {"store/memory", "service/capture/transcript", "service/capture/chain"},
	"service/capture/document": {"store/memory", "service/capture/transcript", "service/capture/share"},
	"service/capture/share":    {},
	// What lies in the folders that the person keeps from Dormouse; pure but for where links lead.
	"service/capture/exclude":    {},
	"service/capture/parsertest": {"store/memory", "service/capture/transcript"},
	"service/capture/gemini":     {"store/memory", "service/capture/transcript", "service/capture/chain", "service/capture/blocks", "service/capture/document", "service/capture/parsertest"},
	"service/capture/copilot":    {"store/memory", "service/capture/transcript", "service/capture/chain", "service/capture/blocks", "service/capture/parsertest"},
	"service/capture/qwen":       {"store/memory", "service/capture/transcript", "service/capture/chain", "service/capture/blocks", "service/capture/gemini", "service/capture/parsertest"},
	// Reading databases that belong to others.
	"service/capture/sqlite":      {"service/capture/share"},
	"service/capture/antigravity": {"store/memory", "service/capture/transcript", "service/capture/chain", "service/capture/blocks", "service/capture/parsertest"},
	"service/capture/pi":          {"store/memory", "service/capture/transcript", "service/capture/chain", "service/capture/blocks", "service/capture/parsertest"},
	"service/capture/cline":       {"store/memory", "service/capture/transcript", "service/capture/chain", "service/capture/blocks", "service/capture/document", "service/capture/share", "service/capture/parsertest"},
	"service/capture/amp":         {"store/memory", "service/capture/transcript", "service/capture/chain", "service/capture/blocks", "service/capture/document", "service/capture/parsertest"},
	"service/capture/openprogram": {"store/memory", "service/capture/transcript", "service/capture/archive", "service/capture/chain", "service/capture/blocks", "service/capture/document", "service/capture/share", "service/capture/parsertest"},
	"service/capture/opencode": {"store/memory", "service/capture/transcript", "service/capture/chain", "service/capture/blocks", "service/capture/document",
		"service/capture/share", "service/capture/sqlite", "service/capture/parsertest"},
	"service/capture/aider": {"store/memory", "service/capture/transcript", "service/capture/chain", "service/capture/document", "service/capture/share", "service/capture/parsertest"},
	"service/capture/goose": {"store/memory", "service/capture/transcript", "service/capture/chain", "service/capture/blocks", "service/capture/document",
		"service/capture/share", "service/capture/sqlite", "service/capture/parsertest"},
	"service/capture/cursor": {"store/memory", "service/capture/transcript", "service/capture/chain", "service/capture/blocks", "service/capture/document",
		"service/capture/share", "service/capture/sqlite", "service/capture/parsertest"},
	// Data exports of whole accounts, by import alone.
	"service/capture/archive":  {"store/memory", "service/capture/transcript", "service/capture/share"},
	"service/capture/chatgpt":  {"store/memory", "service/capture/transcript", "service/capture/archive", "service/capture/chain", "service/capture/parsertest"},
	"service/capture/claudeai": {"store/memory", "service/capture/transcript", "service/capture/archive", "service/capture/blocks", "service/capture/chain", "service/capture/parsertest"},
	"service/capture":          {"store/memory", "store/session", "store/project", "service/redact", "service/title", "service/capture/..."},
	"service/distill": {"store/memory", "store/session", "store/project", "store/ledger", "store/index", "service/distill/alias", "service/distill/tagging",
		"assets"}, // what a model is told
	// When two names mean one thing; pure, and held against labelled pairs by itself.
	"service/distill/alias": {},
	// Which tags a turn gets, and when a tag covers too much; pure.
	"service/distill/tagging": {},
	"service/recall":          {"service/recall/when", "store/memory", "store/session", "store/project", "store/ledger", "store/index", "store/index/words", "service/distill/tagging", "service/distill/alias"},
	// Which window of time a question means; pure.
	"service/recall/when": {},
	// What each request of a long session carries; pure. Its replay runs recorded sessions through it.
	"service/pager": {"store/memory"},
	// The typed view over a conversation; pure.
	"service/pager/objects": {"service/pager", "store/memory"},
	// Between agents and their providers; what it took is told to a function that is handed in.
	"service/proxy":           {"service/pager", "store/memory", "service/proxy/proxytest"}, // proxytest: in its tests
	"service/proxy/proxytest": {},
	"service/pager/replay":    {"service/pager", "service/pager/objects", "store/memory"},
	"service/localapi":        {"service/api", "store/memory", "service/recall"},
	"service/client":          {"service/api", "service/socket", "store/memory"},
	"service/daemon":          {"store/...", "sync/...", "service/..."},
	// Tests alone: the service as a process that is killed; the child is that process.
	"service/daemon/crash":       {"store/home", "assets", "service/api"},
	"service/daemon/crash/child": {"store/home", "assets", "service/client", "service/config", "service/daemon", "service/machine"},
	"service/osservice":          {"service/daemon"},
	"assets":                     {},
	"cmd/dormouse": {"service/machine", "service/update", "service/connect", "service/inject", "service/daemon", "service/config", "service/client", "service/api", "service/socket", "store/memory", "service/doctor", "store/home", "store/process", "assets", "service/pager/replay", "service/pager/objects",
		"service/mcptools", "cmd/internal/text", "service/osservice", "service/localapi"}, // localapi: its tests answer from a made-up memory
	// Every text of window, tray and notifications, in all languages.
	"app/lang": {},
	"app/model": {"app/lang", "service/client", "service/api", "store/memory",
		"service/config"}, // its tests look that every setting has words in every language
	"app/theme": {"assets"},
	// The widgets that the pages are made of.
	"app/view/kit": {"app/theme"},
	"app/view": {"app/model", "app/theme", "app/view/kit", "assets",
		"app/lang", "service/api", "service/client", "store/memory"}, // these four: its tests answer from a made-up service
	// What the window is asked to show, and that there is one window alone.
	"app/door": {"service/socket"},
	// How the desktop programs start the service.
	"app/launch":           {"service/osservice", "store/home"},
	"cmd/dormouse-desktop": {"app/door", "app/lang", "app/launch", "app/model", "app/theme", "app/view", "service/client", "service/config", "store/home"},
	// Tries the real agents; it talks to Dormouse by its commands alone.
	"packaging/agents": {},
	// Measures the desktop programs from outside.
	"packaging/measure": {},
	// The MCP inspector's command line from npm, tried with the tools; stands outside of the product.
	"packaging/inspector": {},
	// The plugins of agents: their hooks are those of connect.
	"packaging/plugins": {"service/connect", "service/inject"},
	// Draws the pictures of the window.
	"packaging/screenshots": {"app/lang", "app/model", "app/theme", "app/view", "assets", "service/api", "service/client", "service/config", "service/daemon", "service/recall", "store/home", "store/memory"},
	"app/tray":              {"app/lang", "app/model", "app/theme", "assets"},
	"cmd/dormouse-tray": {"app/lang", "app/launch", "app/model", "app/tray", "service/client", "service/config", "service/osservice", "store/home", "assets",
		"service/api", "service/localapi", "service/socket", "store/memory"}, // these four: its tests answer from a made-up service
	"cmd/dormouse-hook":  {"service/socket", "service/spool"},
	"cmd/dormouse-bench": {"store/...", "sync/...", "service/...", "assets"},
	"cmd/internal/shape": {},
	// Makes the embedding table; part of no program.
	"assets/model/train": {"service/embed", "store/index/words"},
	// Text on a terminal, shared by the commands.
	"cmd/internal/text": {},

	// Which commits of a project belong to which sessions.
	"service/commits": {"store/memory", "store/session", "store/project", "store/gitrepo"},
	// What is wrong with an installation; checks are added by those who know what to look at.
	"service/doctor": {"service/api", "service/config", "store/..."},
}

// maxLines is where a file is too long to be read in one sitting.
const maxLines = 500

type file struct {
	pkg   string // folder below the module's root
	name  string
	ast   *ast.File
	lines int
}

func TestPackagesImportOnlyWhatTheTableAllows(t *testing.T) {
	for _, f := range goFiles(t) {
		rules, ok := allowed[f.pkg]
		if !ok {
			t.Errorf("package %s has no row in the import table", f.pkg)
			continue
		}
		for _, imp := range f.ast.Imports {
			path, _ := strconv.Unquote(imp.Path.Value)
			in, own := strings.CutPrefix(path, module+"/")
			if !own || strings.HasSuffix(f.name, "_test.go") && in == f.pkg {
				continue
			}
			if strings.HasSuffix(f.name, "_test.go") && in == "assets" {
				continue // tests may work on the sample sessions
			}
			if !permitted(rules, in) {
				t.Errorf("%s/%s imports %s, which its row does not allow", f.pkg, f.name, in)
			}
		}
	}
}

func permitted(rules []string, pkg string) bool {
	return slices.ContainsFunc(rules, func(r string) bool {
		tree, all := strings.CutSuffix(r, "...")
		return r == pkg || all && strings.HasPrefix(pkg, tree)
	})
}

func TestTableHasNoRowWithoutAPackage(t *testing.T) {
	have := map[string]bool{}
	for _, f := range goFiles(t) {
		have[f.pkg] = true
	}
	for pkg := range allowed {
		if !have[pkg] {
			t.Errorf("row %s has no package", pkg)
		}
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	said := map[string]string{}
	for _, f := range goFiles(t) {
		if strings.HasSuffix(f.name, "_test.go") {
			continue
		}
		if _, ok := said[f.pkg]; !ok {
			said[f.pkg] = ""
		}
		if f.ast.Doc != nil {
			if said[f.pkg] != "" {
				t.Errorf("%s has a second package comment in %s", f.pkg, f.name)
			}
			said[f.pkg] = f.ast.Doc.Text()
		}
	}
	for pkg, doc := range said {
		lower := strings.ToLower(doc)
		if !strings.HasPrefix(doc, "Package ") && !strings.HasPrefix(doc, "Command ") {
			t.Errorf("%s has no package comment", pkg)
		} else if !strings.Contains(lower, "never") && !strings.Contains(lower, "no code") {
			t.Errorf("the package comment of %s does not say what it never does", pkg)
		}
	}
}

func TestNoFileIsTooLong(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.lines > maxLines {
			t.Errorf("%s/%s has %d lines, more than %d: split it by topic", f.pkg, f.name, f.lines, maxLines)
		}
		if f.name == "main.go" && f.lines > 150 {
			t.Errorf("%s/main.go has %d lines, more than 150", f.pkg, f.lines)
		}
	}
}

func TestOnlyTheNamedFoldersHoldCode(t *testing.T) {
	for _, f := range goFiles(t) {
		if top, _, _ := strings.Cut(f.pkg, "/"); !slices.Contains([]string{"cmd", "app", "service", "store", "sync", "assets", "packaging"}, top) {
			t.Errorf("%s: Go files lie outside the layout", f.pkg)
		}
		if slices.Contains([]string{"cmd", "app", "service", "store", "sync"}, f.pkg) {
			t.Errorf("%s/%s: this folder holds packages, not files", f.pkg, f.name)
		}
	}
}

// TestNobodyElseUsesGoGit keeps go-git behind store/gitrepo, and its Worktree, which deletes ignored files on Reset and
// Checkout, out of the product.
func TestNobodyElseUsesGoGit(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.pkg == "store/gitrepo" || f.pkg == "cmd/dormouse-bench" || strings.HasSuffix(f.name, "_test.go") {
			continue
		}
		for _, imp := range f.ast.Imports {
			if strings.Contains(imp.Path.Value, "go-git") {
				t.Errorf("%s/%s imports %s; only store/gitrepo may", f.pkg, f.name, imp.Path.Value)
			}
		}
	}
}

func goFiles(t *testing.T) []file {
	t.Helper()
	root := filepath.Join("..", "..", "..")
	var out []file
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || name == "testdata" || name == "dist" || name == "bin") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(fset, path, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		out = append(out, file{pkg: filepath.ToSlash(rel), name: name, ast: parsed, lines: strings.Count(string(src), "\n")})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) < 10 {
		t.Fatalf("found only %d Go files below %s", len(out), root)
	}
	return out
}
