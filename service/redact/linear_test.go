package redact

import (
	"strings"
	"testing"
	"time"
)

// nasty are pieces of text that make a careless scanner look at the same bytes again and again.
var nasty = []string{
	"key=", "pwd=", "A_B=", "token:", `pwd="`, `pwd='"`, "password is ", "<private>", "eyJ", "eyJ.", "-eyJ", "=eyJ", ".ey", "sk-", "ghp_",
	"+ops_eyJ", "sntrys_", "cookie:a=b;", "Set-Cookie: ", "Authorization: ", "bearer ", "://", "https://a:b", "@", "-----BEGIN PRIVATE KEY-----",
	"-----BEGIN ", "-----BEGIN PRIVATE KEY-----\n", "kind: Secret\ndata:\n a: bcdefgh\n", "xoxo-1-", "xapp-1-A-1-", "curl ", "curl -u ", "curl\n",
	"facebook 1234567890123456|", "airtable", "sgp_", "\\", `\"`, "\n", "A", "0", "=", "YWJj", "name: TOKEN value: ", "_live_a1", "00aaaaaaaaaaaaa!",
	"secret_", "hooks.slack.com/", "mysql -p", "identified by '",
}

func TestWorkGrowsWithTheTextAndNotWithItsSquare(t *testing.T) {
	r := newTestRedactor(t)
	const small, factor = 16 << 10 / slowdown, 8
	for _, piece := range nasty {
		short := strings.Repeat(piece, small/len(piece))
		long := strings.Repeat(short, factor)
		// The longer text may take some times its share, for caches and a slower way of matching; its square would be the
		// factor times its share.
		a, b := leastTime(r, short), leastTime(r, long)
		if b > 4*factor*a && b > 200*time.Millisecond {
			t.Errorf("%q: %v for %d bytes, %v for %d times as many", piece, a, len(short), b, factor)
		}
	}
}

// leastTime is the shortest of a few runs, so that what else the machine does hardly counts.
func leastTime(r *Redactor, s string) time.Duration {
	best := time.Hour
	for range 3 {
		began := time.Now()
		r.spans(s)
		best = min(best, time.Since(began))
	}
	return best
}
