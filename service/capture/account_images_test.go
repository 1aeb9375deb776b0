package capture

import (
	"archive/zip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/capture/parsertest"
)

// pointing is an export of ChatGPT with a message that points to these images.
func pointing(pointers ...string) string {
	parts := []string{`"look"`}
	for _, p := range pointers {
		parts = append(parts, `{"content_type":"image_asset_pointer","asset_pointer":"`+p+`","size_bytes":1000}`)
	}
	return `[{"id":"c1","conversation_id":"c1","title":"T","create_time":1767225600.5,"update_time":1767225601,"current_node":"b","mapping":{
		"r":{"id":"r","message":null,"parent":null,"children":["a"]},
		"a":{"id":"a","parent":"r","children":["b"],"message":{"id":"a","author":{"role":"user"},"create_time":1767225600,"content":{"content_type":"multimodal_text","parts":[` + strings.Join(parts, ",") + `]},"metadata":{}}},
		"b":{"id":"b","parent":"a","children":[],"message":{"id":"b","author":{"role":"assistant"},"create_time":1767225601,"content":{"content_type":"text","parts":["seen"]},"metadata":{}}}}}]`
}

// writeZip makes a zip file of files.
func writeZip(t *testing.T, files map[string][]byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "export.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for name, b := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(b); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// writeFolder makes a folder of files.
func writeFolder(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, b := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// keptBytes are the images of the only session, by their contents.
func (w *world) keptBytes() string {
	w.t.Helper()
	var out []string
	for _, b := range w.kept() {
		out = append(out, string(b))
	}
	return strings.Join(out, "|")
}

func TestTheImagesOfAnExportAreKeptFromItsOtherFiles(t *testing.T) {
	one, two, three := parsertest.PNG(t, 30, 30), parsertest.PNG(t, 31, 30), parsertest.PNG(t, 32, 30)
	files := map[string][]byte{
		"conversations.json":                              []byte(pointing("file-service://file-AbC123", "sediment://file_000042", "file-service://file-GenGen", "file-service://file-Gone99")),
		"file-AbC123-a photo.png":                         one,
		"file-AbC1234-another.png":                        parsertest.PNG(t, 40, 40),
		"user-x/file_000042-sanitized.png":                two,
		"dalle-generations/file-GenGen-1-2.webp":          three,
		"file-Other1.png":                                 parsertest.PNG(t, 41, 40),
		"chat.html":                                       []byte("<html>"),
		"user-x/0f/file_000042-deeper-than-that-too.json": []byte("{}"),
	}
	for name, path := range map[string]string{"zip": writeZip(t, files), "folder": writeFolder(t, files)} {
		t.Run(name, func(t *testing.T) {
			plain := newWorld(t)
			if _, err := plain.engine.Import(context.Background(), path); err != nil || len(plain.kept()) != 0 {
				t.Fatal(err, len(plain.kept()))
			}
			w := keeping(t)
			if _, err := w.engine.Import(context.Background(), path); err != nil {
				t.Fatal(err)
			}
			got := w.keptBytes()
			if len(w.kept()) != 3 || !strings.Contains(got, string(one)) || !strings.Contains(got, string(two)) || !strings.Contains(got, string(three)) {
				t.Errorf("%d images are kept", len(w.kept()))
			}
			for _, n := range w.nodes(w.only().ID) {
				for i, image := range n.Metadata.Images {
					if _, there := w.kept()[image.SHA256]; there != (i < 3) {
						t.Errorf("image %d is kept: %v", i, there)
					}
				}
			}
			if w.history() != plain.history() {
				t.Error("the history is another one with images")
			}
			if c := w.status("chatgpt").Skipped[imageElsewhere]; c.Times != 1 || c.Places[0].File != path {
				t.Errorf("the missing one: %+v", c)
			}
			plain.images = true // they are wanted later, and the export is imported again
			plain.restart()
			if _, err := plain.engine.Import(context.Background(), path); err != nil || plain.keptBytes() == "" || len(plain.kept()) != 3 {
				t.Errorf("%d images are kept later: %v", len(plain.kept()), err)
			}
		})
	}
}

func TestFilesOfAnExportThatAreNoImagesToKeepAreCounted(t *testing.T) {
	huge := append(parsertest.PNG(t, 3, 3), make([]byte, MaxImage)...)
	files := map[string][]byte{
		"conversations.json": []byte(pointing("file-service://file-TooBig", "file-service://file-SvgSvg", "file-service://../../../etc/passwd", "file-service://file", "bare")),
		"file-TooBig.png":    huge, "file-SvgSvg.svg": []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`), "passwd": parsertest.PNG(t, 5, 5),
	}
	w := keeping(t)
	if _, err := w.engine.Import(context.Background(), writeZip(t, files)); err != nil {
		t.Fatal(err)
	}
	s := w.status("chatgpt").Skipped
	if len(w.kept()) != 0 || s[imageTooLarge].Times != 1 || s[imageElsewhere].Times != 4 {
		t.Errorf("%d are kept, %s", len(w.kept()), fmt.Sprint(s))
	}
}

func TestALinkInAnExportLeadsNowhere(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside.png")
	if err := os.WriteFile(outside, parsertest.PNG(t, 30, 30), 0o600); err != nil {
		t.Fatal(err)
	}
	dir := writeFolder(t, map[string][]byte{"conversations.json": []byte(pointing("file-service://file-Linked"))})
	if err := os.Symlink(outside, filepath.Join(dir, "file-Linked.png")); err != nil {
		t.Skip(err)
	}
	w := keeping(t)
	if _, err := w.engine.Import(context.Background(), dir); err != nil || len(w.kept()) != 0 {
		t.Errorf("%d images are kept: %v", len(w.kept()), err)
	}
}
