package redact

import (
	_ "embed"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

// gitleaksTOML is the default rule set of gitleaks (MIT, see gitleaks.LICENSE), byte for byte. A test compares it with the
// version in go.mod. It is embedded here because gitleaks' own config package brings a configuration framework with it.
//
//go:embed gitleaks.toml
var gitleaksTOML string

// genericRule is the id of the rule that has no maker: a name such as "key" and a value of some entropy.
const genericRule = "generic-api-key"

// ruleFile is the part of gitleaks' configuration that concerns text without a path or commit.
type ruleFile struct {
	AllowList allowSpec `toml:"allowlist"`
	Rules     []ruleSpec
}

type ruleSpec struct {
	ID          string
	Path        string
	Regex       string
	SecretGroup int
	Entropy     float64
	Keywords    []string
	AllowLists  []allowSpec
}

type allowSpec struct {
	Condition   string
	Paths       []string
	RegexTarget string
	Regexes     []string
	StopWords   []string
}

// rule is one rule of gitleaks, ready to run.
type rule struct {
	id, family string
	source     string
	// compiled is the expression, made at its first use: most rules are never needed, and compiled they are large.
	compiled func() *regexp.Regexp
	group    int     // submatch that is the secret; 0 for the first that is not empty
	entropy  float64 // bits a character that the secret must exceed; 0 for no limit
	allow    []*allowlist
	// anchors are literals, in lower case, of which every match holds one. Where there are none, or they do not hold one of
	// the keywords, the expression runs over the whole text if a keyword is anywhere in it.
	anchors  []string
	keywords []string
	// leads, where it is not nil, says for each anchor how a match that begins with it goes on.
	leads []lead
	reach reach
	// second is another set of literals of which every match holds one, in lower case.
	second []string
	// assigned is set where the anchor must be followed by gitleaks' usual "name, operator, value".
	assigned *assignment
}

// parseRules reads a gitleaks configuration. Rules for files of one kind are left out, because a transcript seldom says which
// file a text is from: what they find, our own rules find everywhere.
//
// samples are the lists by which the rules of single makers tell published samples of their tokens.
func parseRules(text string) (rules []*rule, global, samples []*allowlist, err error) {
	var file ruleFile
	if err := toml.Unmarshal([]byte(text), &file); err != nil {
		return nil, nil, nil, fmt.Errorf("read the gitleaks rules: %w", err)
	}
	list, err := newAllowlist(file.AllowList)
	if err != nil {
		return nil, nil, nil, fmt.Errorf("read the gitleaks rules: global allowlist: %w", err)
	}
	for _, spec := range file.Rules {
		if spec.Regex == "" || spec.Path != "" {
			continue
		}
		r, err := newRule(spec)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("read the gitleaks rule %s: %w", spec.ID, err)
		}
		rules = append(rules, r)
		for _, a := range r.allow {
			if a.target == "" && !a.all && r.id != genericRule {
				samples = append(samples, a)
			}
		}
	}
	return rules, []*allowlist{list}, samples, nil
}

func newRule(spec ruleSpec) (*rule, error) {
	tree, err := syntax.Parse(spec.Regex, syntax.Perl)
	if err != nil {
		return nil, err
	}
	r := &rule{
		id: spec.ID, family: family(spec.ID), source: spec.Regex, compiled: lazyRegexp(spec.Regex),
		group: spec.SecretGroup, entropy: spec.Entropy, reach: reachOf(tree),
	}
	for _, k := range spec.Keywords {
		r.keywords = append(r.keywords, strings.ToLower(k))
	}
	finder := anchorFinder{r.keywords}
	r.anchors = finder.anchors(tree)
	r.leads = leadsOf(tree, r.anchors)
	r.second = finder.second(tree, r.anchors)
	if tree.Op == syntax.OpConcat && r.anchors != nil {
		r.assigned = assignmentOf(spec.Regex, finder, r.anchors)
	}
	for _, s := range spec.AllowLists {
		a, err := newAllowlist(s)
		if err != nil {
			return nil, err
		}
		r.allow = append(r.allow, a)
	}
	return r, nil
}

// lazyRegexp compiles expr, which must be valid, when it is first asked for.
func lazyRegexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// holdsOne reports whether each anchor contains one of the keywords, so that an anchor in the text implies a keyword.
func holdsOne(anchors, keywords []string) bool {
	for _, a := range anchors {
		found := len(keywords) == 0
		for _, k := range keywords {
			found = found || strings.Contains(a, k)
		}
		if !found {
			return false
		}
	}
	return len(anchors) > 0
}

// kindWords are the words of a rule's id that say what kind of secret it is; what comes before them is the family.
var kindWords = map[string]bool{
	"access": true, "api": true, "app": true, "auth": true, "client": true, "cloud": true, "config": true, "encryption": true,
	"fine": true, "global": true, "key": true, "legacy": true, "oauth": true, "org": true, "organization": true, "pat": true,
	"personal": true, "personnal": true, "public": true, "refresh": true, "secret": true, "service": true, "test": true,
	"token": true, "user": true, "webhook": true, "bot": true, "session": true, "deploy": true,
}

// family shortens a rule's id to whom the secret belongs to: github-fine-grained-pat is of the family github.
func family(id string) string {
	words := strings.Split(id, "-")
	for i, w := range words {
		if i > 0 && kindWords[w] && id != "private-key" {
			return strings.Join(words[:i], "-")
		}
	}
	return id
}
