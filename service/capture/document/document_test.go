package document_test

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/capture/document"
	"dormouse/service/capture/transcript"
	"dormouse/store/memory"
)

func TestADocumentIsReadPieceByPiece(t *testing.T) {
	tests := []struct{ text, fields, items, err string }{
		{`{"a":1,"list":[{"x":1},2],"b":{"list":[3]}}`, "a=1 b={\"list\":[3]}", `{"x":1} 2`, ""},
		{`[1,[2]]`, "", "1 [2]", ""},
		{`{"list":"none"}`, `list="none"`, "", ""},
		{`{"list":{"x":1}}`, "", "", `field "list" is no list`},
		{`{"list":[1,`, "", "1", io.ErrUnexpectedEOF.Error()},
		{`{"a":"hal`, "", "", io.ErrUnexpectedEOF.Error()},
		{``, "", "", io.ErrUnexpectedEOF.Error()},
		{`7`, "", "", "neither a JSON object nor a list"},
		{`{"list":[}`, "", "", "it is no valid JSON: invalid character '}' looking for beginning of value"},
	}
	for _, tt := range tests {
		var fields, items []string
		err := document.Source{In: strings.NewReader(tt.text)}.Elements(map[string]bool{"list": true}, func(name string, raw []byte) {
			fields = append(fields, name+"="+string(raw))
		}, func(raw []byte) error {
			items = append(items, string(raw))
			return nil
		})
		said := ""
		if err != nil {
			said = err.Error()
		}
		if strings.Join(fields, " ") != tt.fields || strings.Join(items, " ") != tt.items || said != tt.err {
			t.Errorf("%s: fields %q, items %q, error %q", tt.text, fields, items, said)
		}
	}
	stop := errors.New("stop")
	if err := (document.Source{In: strings.NewReader(`[1,2]`)}).Elements(nil, nil, func([]byte) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("the error of use: %v", err)
	}
}

func TestTheVersionOfADocumentChangesWithIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "d.json")
	lib := document.Format{Session: func(_ string, head []byte) string { return string(head) }, Updated: func([]byte) int64 { return 7 },
		Read: func(_ context.Context, _ string, in io.ReadSeeker, _ transcript.Settle, _ transcript.Options, use func(memory.Node) error) (transcript.Facts, error) {
			b, err := io.ReadAll(in)
			if err == nil {
				err = use(memory.Node{Output: string(b)})
			}
			return transcript.Facts{}, err
		}}.Open(path, transcript.Options{})
	list := func() (out []transcript.Entry) {
		if err := lib.List(t.Context(), func(e transcript.Entry) error { out = append(out, e); return nil }); err != nil {
			t.Fatal(err)
		}
		return out
	}
	if e := list(); len(e) != 0 {
		t.Errorf("a document that is not there: %+v", e)
	}
	if _, err := lib.Read(t.Context(), "x", transcript.Over, nil); err == nil {
		t.Error("a document that is not there was read")
	}
	versions := map[string]bool{}
	for _, text := range []string{"one", "one more"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		e := list()
		if len(e) != 1 || e[0].Session != text || e[0].Updated != 7 || e[0].Bytes != int64(len(text)) {
			t.Errorf("%+v", e)
		}
		versions[e[0].Version] = true
	}
	if len(versions) != 2 {
		t.Errorf("versions %v", versions)
	}
	if document.Small(path) == nil || document.Small(path+"x") != nil {
		t.Error("a small file is not read")
	}
	if err := lib.Close(); err != nil {
		t.Error(err)
	}
}
