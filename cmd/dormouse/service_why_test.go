package main

import "testing"

func TestTheNewestErrorOfALogIsWhyAServiceFailed(t *testing.T) {
	const (
		begins  = `time=2026-05-04T09:12:00Z level=INFO msg="the service starts" home=/h process=1` + "\n"
		broken  = `time=2026-05-04T09:12:01Z level=ERROR msg="the service could not start" error="settings: /h/config.toml, line 3: \"x\" is no time; mend it"` + "\n"
		again   = `time=2026-05-04T09:12:01Z level=WARN msg="the service failed and is started again" why="it ended with exit code 1" at=2026-05-04T09:12:06Z` + "\n"
		reason  = `settings: /h/config.toml, line 3: "x" is no time; mend it`
		oneWord = `time=2026-05-04T09:12:01Z level=ERROR msg="the service ended" error=EOF` + "\n"
	)
	for log, want := range map[string]string{
		"": "", begins: "", broken + again: reason, begins + broken + again: reason, broken + begins: "", begins + oneWord: "EOF", "level=ERROR\n": "",
	} {
		if got := lastError([]byte(log)); got != want {
			t.Errorf("%q: %q, not %q", log, got, want)
		}
	}
}
