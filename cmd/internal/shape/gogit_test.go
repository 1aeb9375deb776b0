package shape

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// banned are what go-git has to change a work tree with. Its Reset, Clean and forced Checkout delete files that git ignores, and
// its Add and Commit ignore the person's excludes, filters, hooks, locks and signing.
var banned = []string{"ResetOptions", "CleanOptions", "CheckoutOptions", "AddOptions", "CommitOptions", "PullOptions",
	"HardReset", "MixedReset", "MergeReset", "SoftReset", "Worktree"}

// TestNoProductCodeUsesGoGitsWorktree bans go-git's work tree, and with it Reset, Clean and forced Checkout.
func TestNoProductCodeUsesGoGitsWorktree(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.pkg == "cmd/dormouse-bench" || strings.HasSuffix(f.name, "_test.go") {
			continue
		}
		for _, name := range worktreeUses(f.ast) {
			t.Errorf("%s/%s uses go-git's %s; people's work trees are changed by the git command alone", f.pkg, f.name, name)
		}
	}
}

// worktreeUses are the banned names that a file with go-git uses, methods of its repositories included.
func worktreeUses(f *ast.File) []string {
	uses := slices.ContainsFunc(f.Imports, func(imp *ast.ImportSpec) bool {
		path, _ := strconv.Unquote(imp.Path.Value)
		return strings.HasPrefix(path, "github.com/go-git/go-git/")
	})
	if !uses {
		return nil
	}
	var found []string
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && slices.Contains(banned, s.Sel.Name) {
			found = append(found, s.Sel.Name)
		}
		return true
	})
	return found
}

func TestTheBanOnGoGitsWorktreeFindsWhatItIsFor(t *testing.T) {
	const head = "package x\nimport git \"github.com/go-git/go-git/v5\"\n"
	for src, want := range map[string]int{
		head + "func f(w *git.Worktree) { _ = w.Reset(&git.ResetOptions{Mode: git.HardReset}) }":            3,
		head + "func f(r *git.Repository) { w, _ := r.Worktree(); _ = w.Checkout(&git.CheckoutOptions{}) }": 2,
		head + "func f(w any) { _ = git.CleanOptions{} }":                                                   1,
		head + "func f(r *git.Repository) { _, _ = r.Head() }":                                              0,
		"package x\nimport \"example.org/other\"\nfunc f() { _ = other.ResetOptions{} }":                    0,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "x.go", src, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := worktreeUses(f); len(got) != want {
			t.Errorf("%s\nuses %v, want %d", src, got, want)
		}
	}
}
