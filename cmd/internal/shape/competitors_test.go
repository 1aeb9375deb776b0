package shape

import (
	"strconv"
	"strings"
	"testing"
)

// TestCompetitorsAreInTheBenchAlone keeps what the product is measured against out of it. Snowball's stemmers in Go, which come
// from the same people, are no competitor.
func TestCompetitorsAreInTheBenchAlone(t *testing.T) {
	found := false
	for _, f := range goFiles(t) {
		for _, imp := range f.ast.Imports {
			path, _ := strconv.Unquote(imp.Path.Value)
			if !strings.HasPrefix(path, "github.com/blevesearch/") || strings.HasPrefix(path, "github.com/blevesearch/snowballstem") {
				continue
			}
			if found = true; f.pkg != "cmd/dormouse-bench" {
				t.Errorf("%s/%s imports %s", f.pkg, f.name, path)
			}
		}
	}
	if !found {
		t.Error("no competitor is found at all: the test shows nothing")
	}
}
