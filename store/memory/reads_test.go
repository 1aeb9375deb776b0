package memory

import (
	"strings"
	"testing"
)

func TestReadOfAFileKeepsPathAndBlobApart(t *testing.T) {
	blob := strings.Repeat("0a", 20)
	for _, path := range []string{"a.go", "/w/x y#1.go", "/w/#", "C:\\x", "a#" + blob[:39]} {
		for _, b := range []string{"", blob} {
			if p, got, ok := FileOf(FileRead(path, b)); !ok || p != path || got != b {
				t.Errorf("%q %q come back as %q %q %v", path, b, p, got, ok)
			}
		}
	}
	for _, other := range []string{"node:x", "session:cc_1", ""} {
		if _, _, ok := FileOf(other); ok {
			t.Errorf("%q is taken for a file", other)
		}
	}
}
