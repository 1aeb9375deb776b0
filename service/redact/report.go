package redact

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Case is one line of a labelled set: a text, and the secret in it, if there is one.
type Case struct {
	ID, Family string
	Text       string
	Secret     string // "" where nothing in the text is a secret
	Harmless   bool   // the text holds no secret
}

// FamilyReport counts the cases of one family of secrets, or of one kind of harmless text.
type FamilyReport struct {
	Family         string `json:"family"`
	Secrets        int    `json:"secrets"`
	Caught         int    `json:"caught"`
	Harmless       int    `json:"harmless"`
	FalsePositives int    `json:"false_positives"`
}

// Report is how well a redactor does on a labelled set.
type Report struct {
	Total    FamilyReport
	Families []FamilyReport // in the order of their names
	// Missed and Wrong are the ids of the cases with a secret that survived, and of harmless cases that were changed.
	Missed, Wrong []string
}

// CaughtPercent is the share of the secrets that were caught, in percent.
func (r Report) CaughtPercent() float64 { return percent(r.Total.Caught, r.Total.Secrets) }

// FalsePositivePercent is the share of the harmless texts that were changed, in percent.
func (r Report) FalsePositivePercent() float64 {
	return percent(r.Total.FalsePositives, r.Total.Harmless)
}

func percent(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(n) / float64(of)
}

// ReadCases reads a labelled set: tab-separated lines with the columns label (1 or 0), rule, text, secret and id named in
// the first line. In text and secret every "<~>" is taken out, then \n, \t, \r and \\ stand for what they do in Go.
func ReadCases(r io.Reader) ([]Case, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 64<<20)
	var column map[string]int
	var out []Case
	for n := 1; lines.Scan(); n++ {
		cells := strings.Split(lines.Text(), "\t")
		if column == nil {
			column = map[string]int{}
			for i, name := range cells {
				column[name] = i
			}
			continue
		}
		cell := func(name string) string {
			if i, ok := column[name]; ok && i < len(cells) {
				return cells[i]
			}
			return ""
		}
		label := cell("label")
		if label != "0" && label != "1" {
			return nil, fmt.Errorf("read labelled secrets: line %d: label %q is neither 0 nor 1", n, label)
		}
		out = append(out, Case{ID: cell("id"), Family: caseFamily(cell("rule")), Text: unescape(cell("text")),
			Secret: unescape(cell("secret")), Harmless: label == "0"})
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read labelled secrets: %w", err)
	}
	return out, nil
}

// caseFamily shortens the name of a rule of any of the sources of such sets: np.github.4, gl:aws, gitlab-deploy-token.
func caseFamily(rule string) string {
	if i := strings.LastIndexByte(rule, ':'); i >= 0 {
		rule = rule[i+1:]
	}
	if parts := strings.Split(rule, "."); len(parts) == 3 && parts[0] == "np" {
		return parts[1]
	}
	return family(rule)
}

func unescape(s string) string {
	s = strings.ReplaceAll(s, "<~>", "")
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// Escape is the form of a text in a labelled set: one line without tabs.
func Escape(s string) string {
	return strings.NewReplacer("\\", `\\`, "\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(s)
}

// Evaluate redacts every case. A secret is caught if no piece of it of eight characters, or of 40 % of its length if that is
// more, is left in the text. A harmless text that is changed is a false positive.
func Evaluate(r *Redactor, cases []Case) (Report, error) {
	var out Report
	families := map[string]*FamilyReport{}
	for _, c := range cases {
		clean, _, err := r.Text(c.Text)
		if err != nil {
			return Report{}, fmt.Errorf("redact case %s: %w", c.ID, err)
		}
		f := families[c.Family]
		if f == nil {
			f = &FamilyReport{Family: c.Family}
			families[c.Family] = f
		}
		out.count(f, c, clean)
	}
	for _, f := range families {
		out.Families = append(out.Families, *f)
	}
	slices.SortFunc(out.Families, func(a, b FamilyReport) int { return cmp.Compare(a.Family, b.Family) })
	return out, nil
}

func (r *Report) count(f *FamilyReport, c Case, clean string) {
	if c.Harmless {
		f.Harmless++
		r.Total.Harmless++
		if clean != c.Text {
			f.FalsePositives++
			r.Total.FalsePositives++
			r.Wrong = append(r.Wrong, c.ID)
		}
		return
	}
	f.Secrets++
	r.Total.Secrets++
	if survives(c.Secret, clean) {
		r.Missed = append(r.Missed, c.ID)
		return
	}
	f.Caught++
	r.Total.Caught++
}

// survives reports whether a telling piece of secret is in text. Lengths are in characters.
func survives(secret, text string) bool {
	runes := []rune(secret)
	n := max(8, len(runes)*2/5)
	for i := 0; i < max(1, len(runes)-n+1); i++ {
		if strings.Contains(text, string(runes[i:min(len(runes), i+n)])) {
			return true
		}
	}
	return false
}
