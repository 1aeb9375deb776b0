package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/store/home"
)

func TestAStateFolderOfTheFirstFormatIsBroughtUpAfterACopy(t *testing.T) {
	p := modelParams(t, "http://127.0.0.1:1", 0)
	if err := start(t, p).stop(); err != nil {
		t.Fatal(err)
	}
	dir := p.Home.Dir()
	old := `{"night":1793502000,"calls":3,"input_tokens":500,"output_tokens":40,"cost_micros":7,"reserved":{"calls":0,"input_tokens":0,"output_tokens":0,"cost_micros":0}}`
	if err := errors.Join(os.Remove(filepath.Join(dir, "format")), os.WriteFile(filepath.Join(dir, booksFile), []byte(old), 0o600)); err != nil {
		t.Fatal(err)
	}
	s := start(t, p)
	st, err := s.Status(t.Context())
	if err != nil || st.LLM.Month.Tokens != 540 || st.LLM.Month.Calls != 3 {
		t.Errorf("%+v %v", st.LLM, err)
	}
	if n, err := p.Home.FormatOf(); n != home.Format || err != nil {
		t.Error(n, err)
	}
	if kept, err := os.ReadFile(filepath.Join(p.Home.Backups(), "format-001", booksFile)); string(kept) != old {
		t.Errorf("%s %v", kept, err)
	}
}

func TestAStateFolderOfANewerFormatIsRefusedUntouched(t *testing.T) {
	p := params(t.TempDir(), t.TempDir())
	if err := start(t, p).stop(); err != nil {
		t.Fatal(err)
	}
	format := filepath.Join(p.Home.Dir(), "format")
	if err := os.WriteFile(format, []byte("99\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	before := published(t, p.Home.Dir())
	err := New(p).Run(t.Context())
	if !errors.Is(err, home.ErrNewer) || !strings.Contains(err.Error(), "format 99") || !strings.Contains(err.Error(), "Start the newer version again") {
		t.Errorf("%v", err)
	}
	if raw, _ := os.ReadFile(format); string(raw) != "99\n" || published(t, p.Home.Dir()) != before {
		t.Error("something was changed")
	}
}
