package shape

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// watched are the packages whose tests have each step on the disk fail in turn: none may take one past store/disk.
var watched = []string{"store/home", "store/gitrepo", "store/session", "store/ledger", "service/cost"}

// steps are package os's functions that store/disk stands for.
var steps = []string{"Create", "CreateTemp", "OpenFile", "WriteFile", "Mkdir", "MkdirAll", "Rename", "Link", "Symlink", "Remove", "RemoveAll", "Truncate"}

func TestStoresChangeTheDiskThroughStoreDiskAlone(t *testing.T) {
	seen := 0
	for _, f := range goFiles(t) {
		if !slices.Contains(watched, f.pkg) || strings.HasSuffix(f.name, "_test.go") {
			continue
		}
		seen++
		for _, name := range stepsPast(f.ast) {
			t.Errorf("%s/%s calls os.%s; store/disk's is watched", f.pkg, f.name, name)
		}
	}
	if seen < 50 {
		t.Errorf("only %d files were looked at", seen)
	}
}

func stepsPast(f *ast.File) (found []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && slices.Contains(steps, s.Sel.Name) {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "os" {
				found = append(found, s.Sel.Name)
			}
		}
		return true
	})
	return found
}
