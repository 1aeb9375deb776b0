package lang

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// speakers are the folders whose texts people see.
var speakers = []string{".", "../model", "../view", "../view/kit", "../tray", "../../cmd/dormouse-tray", "../../cmd/dormouse-desktop"}

// use is where a text is asked for.
type use struct {
	text   string
	at     token.Position
	plural bool
	args   int // how many are handed to it; -1 where that is not known here
}

// source is what a file says: the texts that it asks for, and those that it holds beside them.
type source struct {
	uses  []use
	loose []*ast.BasicLit // words that no catalogue knows
	bad   []ast.Node      // texts that are asked for by what is no literal
}

func parse(t *testing.T, set *token.FileSet, path string, src any) source {
	t.Helper()
	f, err := parser.ParseFile(set, path, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	in := f.Name.Name == "lang"
	r := &sourceReader{set: set, in: in, known: map[ast.Node]bool{}}
	ast.Inspect(f, r.visit)
	ast.Inspect(f, r.loosened)
	return r.out
}

type sourceReader struct {
	set   *token.FileSet
	in    bool              // the file is of this package
	known map[ast.Node]bool // literals that are asked for, or that nobody sees
	out   source
}

// visit gathers what is asked for.
func (r *sourceReader) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec:
		r.known[n.Path] = true
	case *ast.Field:
		if n.Tag != nil {
			r.known[n.Tag] = true
		}
	case *ast.CallExpr:
		r.call(n)
	case *ast.ValueSpec:
		if r.name(n.Type) == "Word" {
			for _, v := range n.Values {
				r.ask(v, false, -1)
			}
		}
	}
	return true
}

// name is the name of something of this package; empty for all else.
func (r *sourceReader) name(n ast.Node) string {
	switch n := n.(type) {
	case *ast.IndexExpr:
		return r.name(n.X)
	case *ast.Ident:
		if r.in {
			return n.Name
		}
	case *ast.SelectorExpr:
		if x, ok := n.X.(*ast.Ident); ok && x.Name == "lang" {
			return n.Sel.Name
		}
	}
	return ""
}

// technical are functions whose texts are not for people, or for those alone who read a terminal.
var technical = map[string]bool{"errors.New": true, "fmt.Errorf": true, "regexp.MustCompile": true, "strings.NewReplacer": true, "strings.ReplaceAll": true, "strings.Trim": true,
	"strings.TrimSpace": true, "strings.Split": true, "strings.Contains": true, "strings.ContainsRune": true, "strings.HasPrefix": true, "strings.HasSuffix": true, "strings.Cut": true,
	"strings.CutPrefix": true, "strings.CutSuffix": true, "strings.TrimPrefix": true, "strings.TrimSuffix": true, "t.Format": true, "flag.NewFlagSet": true, "set.Func": true,
	"set.StringVar": true, "fmt.Fprintln": true, "panic": true, "strings.IndexByte": true, "dbus.MakeVariant": true, "conn.Object": true}

func (r *sourceReader) call(n *ast.CallExpr) {
	switch r.name(n.Fun) {
	case "Say":
		r.ask(n.Args[0], false, given(n, 1))
		return
	case "Mark":
		r.ask(n.Args[0], false, -1)
		return
	case "Count":
		r.ask(n.Args[1], true, given(n, 2))
		return
	}
	name := ""
	switch fun := n.Fun.(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		if x, ok := fun.X.(*ast.Ident); ok {
			name = x.Name + "." + fun.Sel.Name
		}
	}
	if technical[name] {
		for _, a := range n.Args {
			ast.Inspect(a, func(n ast.Node) bool { r.known[n] = true; return true })
		}
	}
}

// given is how many arguments stand behind the first ones; -1 where a list is handed on.
func given(n *ast.CallExpr, first int) int {
	if n.Ellipsis != token.NoPos {
		return -1
	}
	return len(n.Args) - first
}

func (r *sourceReader) ask(n ast.Expr, plural bool, args int) {
	text, ok := literal(n)
	if !ok {
		if !r.in { // this package hands on what it was asked
			r.out.bad = append(r.out.bad, n)
		}
		return
	}
	ast.Inspect(n, func(n ast.Node) bool { r.known[n] = true; return true })
	r.out.uses = append(r.out.uses, use{text, r.set.Position(n.Pos()), plural, args})
}

// literal is a text that stands in the source, also in pieces.
func literal(n ast.Expr) (string, bool) {
	switch n := n.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(n.Value)
		return s, err == nil && n.Kind == token.STRING
	case *ast.BinaryExpr:
		a, ok1 := literal(n.X)
		b, ok2 := literal(n.Y)
		return a + b, ok1 && ok2 && n.Op == token.ADD
	}
	return "", false
}

// shown are the fields of view models that people read.
var shown = map[string]bool{"Title": true, "Text": true, "Label": true, "Name": true, "About": true, "Detail": true, "Note": true, "Why": true, "Yes": true, "No": true, "Button": true,
	"Ask": true, "Below": true, "State": true, "Value": true, "Body": true, "Summary": true, "Seen": true, "Default": true, "Help": true, "Badge": true, "History": true}

// loosened finds words that are shown without a catalogue: what looks like a phrase, what is put together with other texts, and what is
// put into a field that people read.
func (r *sourceReader) loosened(n ast.Node) bool {
	phrase := func(s string) bool { return strings.Contains(strings.TrimSpace(s), " ") }
	capital := func(s string) bool { return unicode.IsUpper([]rune(s)[0]) }
	any := func(string) bool { return true }
	switch n := n.(type) {
	case *ast.BasicLit:
		r.look(n, func(s string) bool { return phrase(s) || capital(s) })
	case *ast.BinaryExpr:
		if n.Op == token.ADD {
			r.look(n.X, any)
			r.look(n.Y, any)
		}
	case *ast.KeyValueExpr:
		if k, ok := n.Key.(*ast.Ident); ok && shown[k.Name] {
			r.look(n.Value, any)
		}
	case *ast.AssignStmt:
		for i, l := range n.Lhs {
			if s, ok := l.(*ast.SelectorExpr); ok && shown[s.Sel.Name] && i < len(n.Rhs) {
				r.look(n.Rhs[i], any)
			}
		}
	}
	return true
}

func (r *sourceReader) look(n ast.Expr, seen func(string) bool) {
	lit, ok := n.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING || r.known[lit] {
		return
	}
	text, err := strconv.Unquote(lit.Value)
	if err == nil && word.MatchString(text) && seen(text) {
		r.known[lit] = true
		r.out.loose = append(r.out.loose, lit)
	}
}

// word is two letters in a row.
var word = regexp.MustCompile(`\pL{2}`)

// sources reads what all speakers say.
func sources(t *testing.T) (*token.FileSet, []source) {
	t.Helper()
	set := token.NewFileSet()
	var out []source
	for _, dir := range speakers {
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil || len(files) == 0 {
			t.Fatal(dir, err)
		}
		for _, f := range files {
			if !strings.HasSuffix(f, "_test.go") {
				out = append(out, parse(t, set, f, nil))
			}
		}
	}
	return set, out
}

func TestEveryTextThatPeopleSeeIsInACatalogue(t *testing.T) {
	allowed, err := os.ReadFile("testdata/untranslated.txt")
	if err != nil {
		t.Fatal(err)
	}
	ok, used := map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(string(allowed)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && !strings.HasPrefix(line, "# ") {
			ok[line] = true
		}
	}
	set, all := sources(t)
	uses := 0
	for _, s := range all {
		uses += len(s.uses)
		for _, n := range s.bad {
			t.Errorf("%s: a text is asked for by what is no literal", set.Position(n.Pos()))
		}
		for _, lit := range s.loose {
			at := set.Position(lit.Pos())
			entry := filepath.Base(filepath.Dir(at.Filename)) + "/" + filepath.Base(at.Filename) + " " + lit.Value
			if used[entry] = true; !ok[entry] {
				t.Errorf("%s: %s is in no catalogue; ask for it with lang.Say, or note in testdata/untranslated.txt that nobody sees it:\n%s", at, lit.Value, entry)
			}
		}
	}
	for entry := range ok {
		if !used[entry] {
			t.Errorf("testdata/untranslated.txt: %s is there no more", entry)
		}
	}
	if uses < 400 {
		t.Errorf("only %d texts were found", uses)
	}
}

func TestWordsWithoutACatalogueAreFound(t *testing.T) {
	for src, want := range map[string]int{
		`x := "Hello"`: 1, `x := "two words"`: 1, `x := "id"`: 0, `x := "is " + y`: 1, `p := P{Text: "nothing"}`: 1, `p.Title = "nothing"`: 1, `x := lang.Say("Hello you")`: 0,
		`x := lang.Count(n, "{n} days")`: 0, `x := lang.Say("Hello " + "you")`: 0, `const x lang.Word = "Hello"`: 0, `x := errors.New("no way")`: 0, `x := lang.Say("A") + " and more"`: 1,
	} {
		got := parse(t, token.NewFileSet(), "x.go", "package x\nfunc f() { "+src+" }")
		if len(got.loose) != want {
			t.Errorf("%s: %d found", src, len(got.loose))
		}
	}
	if got := parse(t, token.NewFileSet(), "x.go", "package x\nfunc f() { lang.Say(y) }"); len(got.bad) != 1 {
		t.Error("a text that is no literal was not found")
	}
}
