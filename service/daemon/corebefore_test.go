package daemon

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dormouse/service/api"
)

func TestACoreIsShownAsItWasBeforeALineWasRefused(t *testing.T) {
	p := params(t.TempDir(), samples(t))
	var later atomic.Int64
	p.Now = func() time.Time { return clock().Add(time.Duration(later.Load())) }
	s := start(t, p)
	var line api.CoreLine
	var project string
	all, err := s.Projects(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range all {
		if c, err := s.ExplainCore(t.Context(), x.ID); err == nil && len(c.Lines) > 0 {
			line, project = c.Lines[0], x.ID
			break
		}
	}
	if project == "" {
		t.Fatal("no core has a line")
	}
	learned := clock().Unix()
	later.Store(int64(48 * time.Hour))
	if _, err := s.Decide(t.Context(), api.Decide{Action: api.DoRefuse, ID: line.Record, Project: project}); err != nil {
		t.Fatal(err)
	}
	core := func(at int64) string {
		c, err := s.Core(t.Context(), project)
		if at != 0 {
			c, err = s.CoreBefore(t.Context(), project, at)
		}
		if err != nil || c.Bytes != len(c.Text) || c.Limit == 0 || c.Project != project {
			t.Fatalf("%+v, %v", c, err)
		}
		return c.Text
	}
	if strings.Contains(core(0), line.Text) || !strings.Contains(core(learned+3600), line.Text) {
		t.Errorf("%q: now\n%s\nbefore\n%s", line.Text, core(0), core(learned+3600))
	}
	if early := core(learned - 1); strings.Contains(early, "↪") {
		t.Errorf("before anything was learned it says\n%s", early)
	}
	if _, err := s.CoreBefore(t.Context(), "no such project", learned); err == nil {
		t.Error("a project that is not there has a core")
	}
}
