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
	"\npassword = ab", "password=ab;", `.login("`, `auth=("a", "`, `plainauth("", `, "docker login -p ", `variable "key" { default = `, "a:5432:b:c:",
	":*:", "yourpassword", "passwordpassword", "password = thisismy", "unseal key: ", "AZDO", "EAAA" + strings.Repeat("Ab1", 20) + "\n",
	"secret_", "hooks.slack.com/", "mysql -p", "identified by '",
}

// A long text may cost some times what a short one costs for each of its bytes, for caches and a slower way of matching. Work
// that grew with the square of the text would cost longer times as much.
const (
	longer  = 32
	dearest = 6
)

// TestWorkGrowsWithTheTextAndNotWithItsSquare compares the processor's time for a text and for a longer one. What else the machine does
// hardly counts in it, and where it does, it does not every time.
func TestWorkGrowsWithTheTextAndNotWithItsSquare(t *testing.T) {
	r := newTestRedactor(t)
	for _, piece := range nasty {
		short := strings.Repeat(piece, (4<<10)/slowdown/len(piece))
		long := strings.Repeat(short, longer)
		a, b := leastTime(r, short), leastTime(r, long)
		for try := 0; b > dearest*longer*a && try < 5; try++ {
			a, b = max(a, leastTime(r, short)), min(b, leastTime(r, long))
		}
		if b > dearest*longer*a {
			t.Errorf("%q: %v of the processor for %d bytes, %v for %d times as many", piece, a, len(short), b, longer)
		}
	}
}

// leastTime is the shortest of a few runs.
func leastTime(r *Redactor, s string) time.Duration {
	best := time.Hour
	for range 3 {
		began := cpuTime()
		r.spans(s)
		best = min(best, cpuTime()-began)
	}
	return best
}
