package daemon

import (
	"bytes"
	"io"
	"os"

	"dormouse/service/capture/transcript"
)

// lookedAt is how much of each end of a transcript is looked through, in bytes: what a session is told stands at its begin, or behind a
// compaction.
const lookedAt = 512 << 10

// wasTold reports whether a transcript shows that its session was told the core memory; sure is false where there is no transcript to look at.
func wasTold(path string) (told, sure bool) {
	if path == "" {
		return false, false
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false, false
	}
	f, err := os.Open(path)
	if err != nil {
		return false, false
	}
	defer f.Close() //nolint:errcheck // opened for reading
	for _, from := range []int64{0, max(0, info.Size()-lookedAt)} {
		b, err := io.ReadAll(io.NewSectionReader(f, from, lookedAt))
		if err != nil {
			return false, false
		}
		if bytes.Contains(b, []byte(transcript.InjectedMark)) || bytes.Contains(b, []byte(escapedMark)) {
			return true, true
		}
		if info.Size() <= lookedAt {
			break
		}
	}
	return false, true
}

// escapedMark is the mark as JSON writes it that escapes all but ASCII.
const escapedMark = `\u2550\u2550\u2550 Dormouse memory`
