package gemini

import (
	"path/filepath"
	"strconv"
	"time"

	"github.com/tidwall/gjson"
)

// units are those of the settings' maxAge.
var units = map[byte]time.Duration{'h': time.Hour, 'd': 24 * time.Hour, 'w': 7 * 24 * time.Hour, 'm': 30 * 24 * time.Hour}

// Retention is how long the agent keeps a chat after it was written last: general.sessionRetention in its settings, 30 days where they
// do not say; 0 where it deletes none. read gives a file, nil where there is none.
func Retention(_ func(string) string, home string, read func(path string) []byte) time.Duration {
	const usual = 30 * 24 * time.Hour
	v := gjson.GetBytes(read(filepath.Join(home, ".gemini", "settings.json")), "general.sessionRetention")
	if e := v.Get("enabled"); e.Exists() && !e.Bool() {
		return 0
	}
	age := v.Get("maxAge").String()
	if age == "" {
		return usual
	}
	n, err := strconv.Atoi(age[:len(age)-1])
	unit, ok := units[age[len(age)-1]]
	if err != nil || !ok || n <= 0 || n > 36_500 {
		return usual
	}
	return time.Duration(n) * unit
}
