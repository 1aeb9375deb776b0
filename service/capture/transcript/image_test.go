package transcript

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"dormouse/store/memory"
)

// noise is a picture that does not compress.
func noise(width, height int) *image.Gray {
	p := image.NewGray(image.Rect(0, 0, width, height))
	r := rand.New(rand.NewPCG(1, uint64(width)))
	for i := range p.Pix {
		p.Pix[i] = byte(r.Uint32())
	}
	return p
}

func encoded(t testing.TB, write func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pngOf(t testing.TB, width, height int) []byte {
	return encoded(t, func(w io.Writer) error { return png.Encode(w, noise(width, height)) })
}

// largePNG has some megabytes behind the picture's end, which belong to the file as well.
func largePNG(t testing.TB) []byte {
	more := make([]byte, 33<<17)
	_, _ = rand.NewChaCha8([32]byte{1}).Read(more) // it never fails
	return append(pngOf(t, 50, 50), more...)
}

// found is a sink that keeps everything.
type found struct {
	exts    []string
	bytes   [][]byte
	images  []memory.Image
	damaged []bool
}

func (f *found) Begin(ext string) { f.exts, f.bytes = append(f.exts, ext), append(f.bytes, nil) }
func (f *found) Add(p []byte)     { f.bytes[len(f.bytes)-1] = append(f.bytes[len(f.bytes)-1], p...) }
func (f *found) End(i memory.Image, damaged bool) {
	f.images, f.damaged = append(f.images, i), append(f.damaged, damaged)
}

func sumHex(p []byte) string {
	sum := sha256.Sum256(p)
	return hex.EncodeToString(sum[:])
}

func TestTheKindOfAnImageIsToldByItsBytes(t *testing.T) {
	small := noise(1, 1)
	for want, head := range map[string][]byte{
		"png":  pngOf(t, 1, 1),
		"jpg":  encoded(t, func(w io.Writer) error { return jpeg.Encode(w, small, nil) }),
		"gif":  encoded(t, func(w io.Writer) error { return gif.Encode(w, small, nil) }),
		"webp": []byte("RIFF\x24\x00\x00\x00WEBPVP8 "),
		"bmp":  []byte("BM\x46\x00\x00\x00\x00\x00"),
		"avif": []byte("\x00\x00\x00\x1cftypavif\x00\x00\x00\x00"),
		"heic": []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00"),
		"pdf":  []byte("%PDF-1.7\n"),
	} {
		if got := ImageKind(head); got != want {
			t.Errorf("%s is taken for %q", want, got)
		}
	}
	for _, none := range []string{"", "x", "<svg xmlns=\"http://www.w3.org/2000/svg\">", "<html>", "\x00\x00\x00\x18ftypmp42", "RIFF\x24\x00\x00\x00WAVEfmt ", "PK\x03\x04", "words of somebody"} {
		if got := ImageKind([]byte(none)); got != "" {
			t.Errorf("%q is taken for %s", none, got)
		}
	}
}

func TestImagesAreFoundWhereverJSONHoldsThem(t *testing.T) {
	pixels := pngOf(t, 40, 40)
	data := base64.StdEncoding.EncodeToString(pixels)
	inner, _ := json.Marshal(map[string]string{"image_url": "data:image/png;base64," + data})
	nested, _ := json.Marshal(string(inner))
	twice, _ := json.Marshal(string(nested))
	var lines strings.Builder
	for at := 0; at < len(data); at += 76 {
		lines.WriteString(data[at:min(len(data), at+76)] + `\r\n`)
	}
	for name, raw := range map[string]string{
		"plain":              `{"type":"image","source":{"data":"` + data + `","media_type":"image/jpeg"}}`,
		"data URL":           `{"image_url":"data:image/png;base64,` + data + `"}`,
		"escaped slashes":    `{"url":"data:image\/png;base64,` + strings.ReplaceAll(data, "/", `\/`) + `"}`,
		"lines":              `["` + lines.String() + `"]`,
		"JSON in a text":     `{"output":` + string(nested) + `}`,
		"twice in a text":    `{"output":` + string(twice) + `}`,
		"after other quotes": `{"a":"say \"hi\\\\\" ","b":["` + data + `"]}`,
	} {
		var f found
		FindImages([]byte(raw), &f)
		if len(f.images) != 1 || f.damaged[0] || f.exts[0] != "png" || !bytes.Equal(f.bytes[0], pixels) || f.images[0] != (memory.Image{Bytes: len(pixels), SHA256: sumHex(pixels)}) {
			t.Errorf("%s: %d images, %v", name, len(f.images), f.damaged)
		}
	}
	for name, raw := range map[string]string{
		"words":      `{"a":"not an image at all, these are words","b":"data:text/plain,hello"}`,
		"short":      `{"a":"iVBORw0KGgo="}`,
		"other data": `{"a":"` + base64.StdEncoding.EncodeToString([]byte("these are the words of somebody")) + `"}`,
		"no JSON":    `"`,
	} {
		var f found
		if FindImages([]byte(raw), &f); len(f.exts) != 0 {
			t.Errorf("%s: %v", name, f.exts)
		}
	}
}

func TestADamagedImageIsToldByWhatStandsInItsPlace(t *testing.T) {
	data := base64.StdEncoding.EncodeToString(pngOf(t, 40, 40))
	for name, text := range map[string]string{
		"a masked part":   data[:400] + "<<masked>>" + data[410:],
		"an escape":       data[:400] + "\u00e9\"" + data[410:],
		"cut":             data[:401],
		"no padding":      base64.RawStdEncoding.EncodeToString(pngOf(t, 41, 40)[:400]),
		"of another kind": "iVBORw0KGgoAAAANSUhEUgAA" + "-_-_",
		"twice padded":    base64.StdEncoding.EncodeToString(pngOf(t, 1, 1)[:61]) + "QUJD",
	} {
		raw, _ := json.Marshal(map[string]string{"data": text, "url": "data:image/png;base64," + text, "z": "after"})
		var f found
		FindImages(raw, &f)
		want := Image("", text)
		if len(f.images) != 2 || !f.damaged[0] || !f.damaged[1] || f.images[0] != want || f.images[1] != want {
			t.Errorf("%s: %+v %v, not %+v", name, f.images, f.damaged, want)
		}
	}
}

func TestALongImageLeavesItsLineAndKeepsItsFingerprint(t *testing.T) {
	pixels, other := largePNG(t), pngOf(t, 300, 300)
	data, small := base64.StdEncoding.EncodeToString(pixels), base64.StdEncoding.EncodeToString(other)
	line := `{"data":"` + data + `","url":"data:image/png;base64,` + data + `","small":"` + small + `","text":"` + strings.Repeat("word ", 1<<18) + "\"}\n"
	var f found
	r := NewReader(iotest.HalfReader(strings.NewReader(line)), "f", Place{}, 0, nil)
	var files []*os.File
	r.OnCut(func() (*os.File, error) {
		file, err := os.CreateTemp(t.TempDir(), "x")
		files = append(files, file)
		return file, err
	}, func(CutText) {}, &f)
	l, err := r.Next()
	if err != nil || len(l.Data) > 4*cutKept {
		t.Fatalf("%d bytes remain: %v", len(l.Data), err)
	}
	var got struct{ Data, URL, Small string }
	if err := json.Unmarshal(l.Data, &got); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]memory.Image{got.Data: Image("image/png", data), got.URL: Image("image/png", data), got.Small: Image("image/png", small)} {
		if i := Image("image/png", text); i != want || want.Bytes < 1000 {
			t.Errorf("%+v, not %+v", i, want)
		}
	}
	if len(f.images) != 3 || !bytes.Equal(f.bytes[0], pixels) || !bytes.Equal(f.bytes[1], pixels) || !bytes.Equal(f.bytes[2], other) || f.damaged[0] {
		t.Errorf("%d images were handed over", len(f.images))
	}
	for _, file := range files[:3] {
		if _, err := file.Stat(); err == nil {
			t.Error("the temporary file of an image is still open")
		}
	}
	_ = files[3].Close()
}

func TestALongImageThatIsDamagedIsCutOutAsAText(t *testing.T) {
	data := base64.StdEncoding.EncodeToString(largePNG(t))
	data = data[:2<<20] + "<<masked>>" + data[2<<20:]
	lines, texts := cutLines(t, strings.NewReader(`{"data":"`+data+"\"}\n"), 0, nil)
	var got struct{ Data string }
	if len(lines) != 1 || len(texts) != 1 || json.Unmarshal([]byte(lines[0]), &got) != nil {
		t.Fatalf("%d lines, %d texts", len(lines), len(texts))
	}
	if a, b := Image("image/png", got.Data), Image("image/png", data); a != b {
		t.Errorf("%+v is not %+v", a, b)
	}
	for mark, text := range texts {
		if text != data || !strings.Contains(got.Data, mark) {
			t.Errorf("%d bytes were kept of %d", len(text), len(data))
		}
	}
}

// FuzzImages holds what is found, and what a cut line tells, against encoding/base64 and Image, whatever a text holds.
func FuzzImages(f *testing.F) {
	data := base64.StdEncoding.EncodeToString(pngOf(f, 3, 3))
	for _, s := range []string{data, data[:50], data + "=", data + "\n" + data, "data:image/png;base64," + data, "data:image/png;base64", strings.Replace(data, "A", "-", 1),
		"\xff", "é" + data, data + "é", "R0lGODlhAQABAAAAACw=", "/9j/4AAQSkZJRgABAQAAAQABAAD/", "QUJD"} {
		f.Add(s, uint8(7))
	}
	f.Fuzz(func(t *testing.T, text string, step uint8) {
		quoted, err := json.Marshal(text)
		if err != nil || json.Unmarshal(quoted, &text) != nil {
			return
		}
		want := Image("", text)
		_, body, _ := cutDataURL(text)
		plain, err := base64.StdEncoding.DecodeString(body)
		if _, faked := marked(body); !faked && (err == nil && want.SHA256 != sumHex(plain) || err != nil && want.SHA256 != sumHex([]byte(body))) {
			t.Fatalf("%q is %+v", text, want)
		}
		raw := []byte(`{"k":` + string(quoted) + `}`)
		var all found
		FindImages(raw, &all)
		for i := range all.images {
			if !all.damaged[i] && (sumHex(all.bytes[i]) != all.images[i].SHA256 || ImageKind(all.bytes[i]) != all.exts[i]) {
				t.Fatalf("%q gave %+v", text, all.images[i])
			}
		}
		if err == nil && len(plain) > 100 && ImageKind(plain[:kindHead]) != "" && (len(all.images) != 1 || all.images[0].SHA256 != want.SHA256) && !strings.ContainsAny(body[:kindHead/3*4], "\r\n") {
			t.Fatalf("%q has an image and %d were found", text, len(all.images))
		}
		c := newCutter(nil, func() (*os.File, error) { return os.CreateTemp(t.TempDir(), "x") }, func(x CutText) { _ = x.File.Close() }, &found{})
		c.over = 60
		for at, n := 0, int(step)+1; at < len(raw); at += n {
			c.feed(raw[at:min(len(raw), at+n)])
		}
		var line struct{ K string }
		if whole, err := c.close(); err != nil || !whole || json.Unmarshal(c.out, &line) != nil {
			t.Fatal(whole, err)
		}
		if head := len(text) - len(body); head < 30 && bytes.IndexByte(quoted, ',') < c.over && isData(quoted[1:min(len(quoted)-1, c.over+1)]) && len(quoted)-2 > c.over {
			got := Image("", line.K)
			if got.Type = want.Type; got != want {
				t.Fatalf("%q became %q: %+v, not %+v", text, line.K, got, want)
			}
		}
	})
}
