package redact

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"
)

func TestEmbeddedRulesAreThoseOfTheGitleaksVersionInGoMod(t *testing.T) {
	if gitleaksTOML != config.DefaultConfig {
		t.Error("gitleaks.toml differs from gitleaks' default configuration; copy config/gitleaks.toml of the new version here")
	}
}

// gitleaks runs the scanner itself: rule and secret of each finding.
func gitleaks(t testing.TB) func(text string) []string {
	t.Helper()
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) []string {
		var out []string
		for _, f := range d.DetectString(text) {
			out = append(out, f.RuleID+" "+f.Secret)
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
}

// windowed runs the same rules in windows.
func windowed(t testing.TB) func(text string) []string {
	t.Helper()
	rules, global, samples, err := parseRules(gitleaksTOML)
	if err != nil {
		t.Fatal(err)
	}
	e, err := newEngine(rules, global, samples, nil)
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) []string {
		var out []string
		e.scan(text, func(f finding) { out = append(out, f.rule.id+" "+text[f.from:f.to]) })
		slices.Sort(out)
		return slices.Compact(out)
	}
}

// compare fails if theirs has a finding that ours has not. gitleaks leaves out a finding of its generic rule where another
// rule has one on the same line, so ours may have more.
func compare(t *testing.T, text string, theirs, ours []string) int {
	t.Helper()
	for _, f := range theirs {
		if !slices.Contains(ours, f) {
			t.Errorf("missed %q in %.400q\nfound %q", f, text, ours)
		}
	}
	for _, f := range ours {
		if !slices.Contains(theirs, f) && !strings.HasPrefix(f, genericRule) {
			t.Errorf("found %q, which gitleaks does not, in %.400q", f, text)
		}
	}
	return len(theirs)
}

// specimens are texts that the rules of gitleaks find something in, made from the rules themselves: strings drawn from each
// expression.
func specimens(t testing.TB) []string {
	t.Helper()
	rules, _, _, err := parseRules(gitleaksTOML)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(3, 5))
	var out []string
	for _, rule := range rules {
		for range 3 {
			out = append(out, drawFrom(t, rule.source, r))
		}
	}
	return out
}

func TestWindowsFindWhatAFullScanFinds(t *testing.T) {
	theirs, ours := gitleaks(t), windowed(t)
	found := 0
	for _, s := range specimens(t) {
		found += compare(t, s, theirs(s), ours(s))
	}
	if found < 400 {
		t.Errorf("gitleaks found only %d secrets in what was drawn from its own rules", found)
	}
}

func TestWindowsFindWhatAFullScanFindsInOtherText(t *testing.T) {
	theirs, ours := gitleaks(t), windowed(t)
	r := rand.New(rand.NewPCG(11, 13))
	all := specimens(t)
	for range 400 / slowdown {
		var b strings.Builder
		for range 1 + r.IntN(4) {
			b.WriteString(filler(r))
			b.WriteString(all[r.IntN(len(all))])
		}
		b.WriteString(filler(r))
		s := b.String()
		compare(t, s, theirs(s), ours(s))
	}
}

// filler is text as it comes before and after secrets: prose, code, long lines, names without values, other alphabets.
func filler(r *rand.Rand) string {
	pieces := []string{"\n", " ", "\t", "\r\n", ", ", `"`, "'", `\n`, "key = ", "token: ", "api ", "secret=", "curl -X POST ", "日本語のテキスト ",
		"the quick brown fox ", "func main() {\n\treturn\n}\n", "a.b.c.d.", strings.Repeat("x", 90), strings.Repeat("A1b2", 200), "-----BEGIN ",
		"\xff\xfe", "\x00", "eyJ", "sk_", "://", "password", "s.", ".ey", "key key key = = =", "airtable facebook sourcegraph "}
	var b strings.Builder
	for range r.IntN(12) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// TestAnOperatorIsFoundBehindEveryGap draws what comes between a name and its operator, as gitleaks allows it and a little otherwise.
func TestAnOperatorIsFoundBehindEveryGap(t *testing.T) {
	theirs, ours := gitleaks(t), windowed(t)
	r := rand.New(rand.NewPCG(17, 19))
	pick := func(most int, from ...string) (s string) {
		for range r.IntN(most + 1) {
			s += from[r.IntN(len(from))]
		}
		return s
	}
	found := 0
	for range 2000 / slowdown {
		s := pick(1, "my_", "Das ", "x.") + pick(1, "api_", "auth") + []string{"key", "token", "secret", "mailchimp", "passwd"}[r.IntN(5)] +
			pick(3, "s", " ", "\t", "-", ".", "4", "_", "ſ", "é") + pick(4, " ", "\n", "'", "\"", "\r", "\f", "\t", "\v") +
			[]string{"=", ":", "=>", ":=", "||", "?=", ",", "-", ""}[r.IntN(9)] + pick(3, " ", "'", "\"", "`", "=", "\n") +
			"a8f3k2m9x7q1w5e4r6t0y2u8i3o5p7s9"[:20+r.IntN(12)] + pick(1, "'", "\n", ";", "-us1")
		found += compare(t, s, theirs(s), ours(s))
	}
	if found < 300/slowdown {
		t.Errorf("gitleaks found %d secrets behind names; too few to tell", found)
	}
}

func TestWindowsFindWhatAFullScanFindsInTranscripts(t *testing.T) {
	theirs, ours := gitleaks(t), windowed(t)
	for _, path := range sampleFiles(t, 400<<10, 12/slowdown) {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, string(raw), theirs(string(raw)), ours(string(raw)))
	}
}

// samplesDir is where sample transcripts lie beside the repository; they are not part of it.
const samplesDir = "../../../shared/samples"

// sampleFiles are some transcripts of at most size bytes. The test is skipped where there are none: the samples are not shipped
// with the source.
func sampleFiles(t testing.TB, size int64, count int) []string {
	t.Helper()
	var out []string
	for _, agent := range []string{"claude-code", "codex", "gemini-cli", "opencode"} {
		paths, _ := filepath.Glob(filepath.Join(samplesDir, agent, "*.json*"))
		for _, p := range paths {
			if info, err := os.Stat(p); err == nil && info.Size() <= size && len(out) < count {
				out = append(out, p)
			}
		}
	}
	if len(out) == 0 {
		t.Skip("no sample transcripts in " + samplesDir)
	}
	return out
}

func TestWhatTheRulesFindIsReplacedOrHasAReason(t *testing.T) {
	r := newTestRedactor(t)
	found, excused := 0, 0
	for _, text := range specimens(t) {
		clean, _, err := r.Text(text)
		if err != nil {
			t.Fatal(err)
		}
		r.engine.scan(text, func(f finding) {
			if f.rule == nil {
				return
			}
			found++
			if looksHarmless(text, f) {
				excused++
			} else if strings.Contains(clean, text[f.from:f.to]) {
				t.Errorf("%s finds %q in %q, and it is left in %q", f.rule.id, text[f.from:f.to], text, clean)
			}
		})
	}
	if found < 400 || excused*10 > found {
		t.Errorf("of %d findings in what was drawn from the rules %d are taken for harmless", found, excused)
	}
}
