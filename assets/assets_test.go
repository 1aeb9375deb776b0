package assets

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSamplesComeOutAsTheAgentsKeepThem(t *testing.T) {
	dir := t.TempDir()
	n, err := ExtractSamples(dir)
	if err != nil || n < 5 {
		t.Fatalf("%d sessions, %v", n, err)
	}
	for _, agent := range []string{SampleClaude, SampleCodex} {
		found := 0
		err := filepath.WalkDir(filepath.Join(dir, filepath.FromSlash(agent)), func(p string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			found++
			checkLines(t, p)
			return nil
		})
		if err != nil || found == 0 {
			t.Errorf("%s: %d files, %v", agent, found, err)
		}
	}
}

// checkLines makes sure that a file is what its agent wrote: JSON objects, one a line but for one known capture fault.
func checkLines(t *testing.T, path string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 8<<20)
	bad := 0
	for s.Scan() {
		if !json.Valid(s.Bytes()) {
			bad++
		}
	}
	if s.Err() != nil || bad > 1 {
		t.Errorf("%s: %d bad lines, %v", path, bad, s.Err())
	}
}

func TestExtractingAgainMendsWhatIsBroken(t *testing.T) {
	dir := t.TempDir()
	if _, err := ExtractSamples(dir); err != nil {
		t.Fatal(err)
	}
	var first string
	_ = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && first == "" {
			first = p
		}
		return err
	})
	whole, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(first, whole[:10], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ExtractSamples(dir); err != nil {
		t.Fatal(err)
	}
	if again, err := os.ReadFile(first); err != nil || len(again) != len(whole) {
		t.Errorf("%d bytes, %v", len(again), err)
	}
}

func TestEverySampleNamesItsSourceAndLicence(t *testing.T) {
	raw, err := files.ReadFile("samples/SOURCES.tsv")
	if err != nil {
		t.Fatal(err)
	}
	named := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(raw)), "\n")[1:] {
		c := strings.Split(line, "\t")
		if len(c) != 5 || c[4] != "MIT" && c[4] != "Apache-2.0" || len(c[3]) != 40 {
			t.Errorf("row %q", line)
		}
		named[c[0]] = true
	}
	err = fs.WalkDir(files, "samples", func(p string, d fs.DirEntry, err error) error {
		if name, ok := strings.CutSuffix(p, ".gz"); ok && !named[strings.TrimPrefix(name, "samples/")] {
			t.Errorf("%s has no row in SOURCES.tsv", p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
