package proxy

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestEventEnd(t *testing.T) {
	for in, want := range map[string]int{"": -1, "data: x": -1, "data: x\n": -1, "data: x\n\n": 9, "data: x\n\ndata": 9, "a\r\n\r\nb": 5, "a\r\n\r": -1,
		"a\r\rb": 3, "a\nb\n\n": 5, "\n\n": 2, "\nx": -1, "a\r\nb\r\n\r\n": 8, "a\n\r\n": 4} {
		if got := eventEnd([]byte(in)); got != want {
			t.Errorf("%q: %d, want %d", in, got, want)
		}
	}
}

func TestDataOfSeveralLines(t *testing.T) {
	for in, want := range map[string]string{"event: x\ndata: a\ndata:b\n\n": "a\nb", "data: {}\r\n\r\n": "{}", "id: 1\n\n": "", "data": "", ": data: x\n\n": ""} {
		if got := string(dataOf([]byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestAnEventThatIsTooLongPassesUnread(t *testing.T) {
	text := "data: " + strings.Repeat("x", maxEvent+100_000) + "\n\ndata: y\n\n"
	seen := 0
	s := &stream{src: io.NopCloser(strings.NewReader(text)), see: func([]byte) { seen++ }, broke: func() []byte { return nil }}
	if got, err := io.ReadAll(s); err != nil || string(got) != text || seen != 0 {
		t.Errorf("%d bytes, %v, %d seen", len(got), err, seen)
	}
}

func TestAnAnswerThatIsTooLongPassesUnread(t *testing.T) {
	w := &whole{src: io.NopCloser(io.LimitReader(zeros{}, maxRead+1)), done: func([]byte) { t.Error("read") }}
	if n, err := io.Copy(io.Discard, w); err != nil || n != maxRead+1 || w.all != nil {
		t.Error(n, err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// In whatever pieces a stream comes, and wherever it breaks, whole events pass unchanged, each shown once.
func FuzzStream(f *testing.F) {
	for _, s := range streams {
		f.Add(golden(f, s.file), uint16(100), false)
	}
	f.Add("\r\n\r\ra\n\n\r", uint16(3), true)
	f.Fuzz(func(t *testing.T, text string, at uint16, breaks bool) {
		var seen bytes.Buffer
		n := min(int(at), len(text))
		var src io.Reader = io.MultiReader(iotest.OneByteReader(strings.NewReader(text[:n])), strings.NewReader(text[n:]))
		if breaks {
			src = io.MultiReader(iotest.OneByteReader(strings.NewReader(text[:n])), iotest.ErrReader(errors.New("broke")))
			text = text[:n]
		}
		s := &stream{src: io.NopCloser(src), see: func(e []byte) { seen.Write(e) }, broke: func() []byte { return []byte("!") }}
		got, err := io.ReadAll(s)
		want := text
		if breaks {
			whole := 0
			for end := eventEnd([]byte(text)); end > 0; end = eventEnd([]byte(text[whole:])) {
				whole += end
			}
			want = text[:whole]
			if seen.String() != want {
				t.Errorf("shown %q of %q", seen.String(), text)
			}
			want += "!"
		} else if seen.String() != text {
			t.Errorf("shown %q of %q", seen.String(), text)
		}
		if err != nil || string(got) != want {
			t.Errorf("%q became %q (%v)", text, got, err)
		}
	})
}
