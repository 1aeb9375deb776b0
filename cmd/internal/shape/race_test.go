package shape

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// withoutRace lists the packages whose tests run without the race detector, which makes them several times slower and can find nothing in
// them: nothing of theirs runs beside anything else. A test of theirs that starts goroutines has a name that ends in atOnce, and runs
// under the detector.
const (
	withoutRace = "packaging/without-race"
	atOnce      = "AtOnce"
	top         = "../../.."
)

// concurrent are packages that run their callers' code on goroutines of their own, with what of them does not.
var concurrent = map[string][]string{"net": nil, "net/http": {"DetectContentType"}, "net/http/httptest": nil, "golang.org/x/sync/errgroup": nil,
	"testing/synctest": nil}

// starters are methods and functions that run a function on another goroutine, or a test beside others.
var starters = []string{"Go", "AfterFunc", "Parallel", "RunParallel"}

func TestNothingRunsAtOnceInThePackagesThatTheRaceDetectorLeavesOut(t *testing.T) {
	list, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(withoutRace)))
	if err != nil {
		t.Fatal(err)
	}
	names := strings.Fields(string(list))
	if len(names) == 0 || !slices.IsSorted(names) {
		t.Errorf("%s is empty or not sorted", withoutRace)
	}
	for _, name := range names {
		for _, what := range startsGoroutines(t, name, true, map[string]bool{}) {
			t.Errorf("%s is in %s, but %s", name, withoutRace, what)
		}
	}
}

// startsGoroutines says what in a package of the module, with or without its tests, or in one that it imports starts a goroutine.
func startsGoroutines(t *testing.T, name string, tests bool, seen map[string]bool) (out []string) {
	t.Helper()
	if seen[name] {
		return nil
	}
	seen[name] = true
	dir := filepath.Join(top, filepath.FromSlash(name))
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		isTest := strings.HasSuffix(e.Name(), "_test.go")
		if !strings.HasSuffix(e.Name(), ".go") || isTest && !tests {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, what := range startsIn(f) {
			out = append(out, name+"/"+e.Name()+" "+what)
		}
		for _, spec := range f.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			if harmless, ok := concurrent[path]; ok && usesMore(f, spec, path, harmless) {
				out = append(out, name+"/"+e.Name()+" uses "+path)
			}
			if inner, ok := strings.CutPrefix(path, module+"/"); ok {
				out = append(out, startsGoroutines(t, inner, false, seen)...)
			}
		}
	}
	return out
}

// usesMore reports whether a file uses more of what it imports than these functions.
func usesMore(f *ast.File, spec *ast.ImportSpec, path string, harmless []string) (more bool) {
	name := filepath.Base(path)
	if spec.Name != nil {
		name = spec.Name.Name
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == name && !slices.Contains(harmless, sel.Sel.Name) {
				more = true
			}
		}
		return true
	})
	return more || name == "." || name == "_"
}

// startsIn says which declarations of a file start a goroutine, but for the tests that say so in their names.
func startsIn(f *ast.File) (out []string) {
	for _, decl := range f.Decls {
		name := "a variable"
		if fn, ok := decl.(*ast.FuncDecl); ok {
			name = fn.Name.Name
			if strings.HasPrefix(name, "Test") && strings.HasSuffix(name, atOnce) {
				continue
			}
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				out = append(out, fmt.Sprintf("%s has a go statement", name))
			case *ast.SelectorExpr:
				if slices.Contains(starters, n.Sel.Name) {
					out = append(out, fmt.Sprintf("%s uses %s", name, n.Sel.Name))
				}
			}
			return true
		})
	}
	return out
}
