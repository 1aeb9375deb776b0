package claudecode

import (
	"path/filepath"
	"time"

	"github.com/tidwall/gjson"
)

// Retention is how long the agent keeps a transcript after it was written last: cleanupPeriodDays in its settings, 30 days where they
// do not say. read gives a file, nil where there is none.
func Retention(env func(string) string, home string, read func(path string) []byte) time.Duration {
	days := int64(30)
	for _, root := range Roots(env, home) {
		v := gjson.GetBytes(read(filepath.Join(filepath.Dir(root), "settings.json")), "cleanupPeriodDays")
		if v.Type == gjson.Number && v.Int() > 0 {
			days = min(v.Int(), 36_500)
			break
		}
	}
	return time.Duration(days) * 24 * time.Hour
}
