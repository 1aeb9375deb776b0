package project

import (
	"strings"
	"testing"
)

func TestTheLinesThatADiffAddsAreGatheredByFile(t *testing.T) {
	const diff = `diff --git a/a.txt b/a.txt
index 1..2 100644
--- a/a.txt
+++ b/a.txt
@@ -1 +1,2 @@ func x
-old
+new
+++ b/not a file
@@ -9 +10 @@
--- not a head
+last
\ No newline at end of file
diff --git "a/na\303\257ve" "b/na\303\257ve"
new file mode 100644
--- /dev/null
+++ "b/na\303\257ve"
@@ -0,0 +1 @@
+@@ -1,9 +1,9 @@
diff --git a/gone b/gone
--- a/gone
+++ /dev/null
@@ -1,2 +0,0 @@
-one
-two
diff --git a/bin b/bin
Binary files a/bin and b/bin differ
`
	got := map[string]string{}
	for path, text := range added(diff) {
		got[path] = text.String()
	}
	want := map[string]string{"a.txt": "new\n++ b/not a file\nlast\n", `na\303\257ve`: "@@ -1,9 +1,9 @@\n"}
	if len(got) != len(want) {
		t.Errorf("%q", got)
	}
	for path, text := range want {
		if got[path] != text {
			t.Errorf("%s: %q, want %q", path, got[path], text)
		}
	}
}

func FuzzAdded(f *testing.F) {
	f.Add("+++ b/x\n@@ -1 +1 @@\n-a\n+b\n")
	f.Add("@@ -1,2 +3,99999999999999999999 @@\n+x\n\\ No newline")
	f.Add("+++ \n@@ @@\n@@ -\n@@ -,+, @@")
	f.Fuzz(func(t *testing.T, diff string) {
		n := 0
		for _, text := range added(diff) {
			n += text.Len()
		}
		if n > len(diff) || n > 0 && !strings.Contains(diff, "+") {
			t.Errorf("%d bytes were added by a diff of %d", n, len(diff))
		}
	})
}
