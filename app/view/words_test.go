package view

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// drawers are what puts a text on the screen, by name; the number is which argument it is.
var drawers = map[string]int{"NewText": 0, "Prose": 0, "Small": 0, "Heading": 0, "Code": 0, "Button": 0, "Check": 0, "Entry": 0, "Titled": 0, "Badge": 0, "Link": 0, "Key": 0,
	"NewLabel": 0, "SetText": 0, "SetPlaceHolder": 0, "Set": 0, "SetIn": 0, "Empty": 1, "NewMenuItem": 0, "NewCustom": 0, "NewCustomConfirm": 0}

// TestNoViewHoldsWordsOfItsOwn keeps all that is to be read in app/model, where it can be found and translated.
func TestNoViewHoldsWordsOfItsOwn(t *testing.T) {
	seen := 0
	for _, dir := range []string{".", "kit"} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
				continue
			}
			set := token.NewFileSet()
			f, err := parser.ParseFile(set, dir+"/"+e.Name(), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			n, found := wordsIn(f)
			seen += n
			for _, lit := range found {
				t.Errorf("%s draws %s; its words belong into app/model", set.Position(lit.Pos()), lit.Value)
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d calls that draw were looked at", seen)
	}
}

// wordsIn counts the calls that draw a text, and gives the texts among their arguments that hold a word: two letters in a row.
func wordsIn(f *ast.File) (calls int, found []*ast.BasicLit) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fun, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		arg, draws := drawers[fun.Sel.Name]
		if !draws || len(call.Args) <= arg {
			return true
		}
		if fun.Sel.Name == "Set" || fun.Sel.Name == "SetIn" { // a sign's first argument is the name of its picture
			if x, ok := fun.X.(*ast.SelectorExpr); ok && x.Sel.Name == "sign" {
				return true
			}
		}
		calls++
		ast.Inspect(call.Args[arg], func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			if text, err := strconv.Unquote(lit.Value); err == nil && word.MatchString(text) {
				found = append(found, lit)
			}
			return true
		})
		return true
	})
	return calls, found
}

// word is two letters in a row.
var word = regexp.MustCompile(`\pL{2}`)

func TestWordsInAViewAreFound(t *testing.T) {
	for src, want := range map[string]int{
		`kit.NewText("Hello")`: 1, `kit.NewText("  ")`: 0, `kit.NewText(model.Hello)`: 0, `w.kit.Button("Save "+x, nil, f)`: 1, `s.sign.Set("today", c)`: 0, `x.Set("today")`: 1,
		`kit.Empty("sessions", "None", t)`: 1, `kit.NewSign("good", c, 3)`: 0,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\nfunc f() { "+src+" }", 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, found := wordsIn(f); len(found) != want {
			t.Errorf("%s: %d found", src, len(found))
		}
	}
}
