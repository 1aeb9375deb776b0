package redact

import "strings"

// tokenShape is how one maker's tokens begin and go on. Formats are as the makers document them. Shapes that gitleaks has
// rules for are here again where its rules ask for an exact length or surroundings, or miss tokens cut by a line break.
type tokenShape struct {
	family   string
	prefixes []string
	body     *[256]bool
	least    int // of the body, in bytes
}

// The alphabets of bodies.
var (
	alnumBody = bodySet("")
	wordBody  = bodySet("_-")
	dotBody   = bodySet("_-.")
	baseBody  = bodySet("_-+/=.")
)

func bodySet(members string) *[256]bool {
	var set [256]bool
	for i := range set {
		set[i] = isAlnum(byte(i)) || strings.IndexByte(members, byte(i)) >= 0
	}
	return &set
}

func shape(family string, body *[256]bool, least int, prefixes ...string) tokenShape {
	return tokenShape{family: family, prefixes: prefixes, body: body, least: least}
}

// tokenShapes are the makers whose tokens say where they are from.
var tokenShapes = []tokenShape{
	// models and the services around them
	shape("anthropic", wordBody, 20, "sk-ant-"),
	shape("openai", wordBody, 20, "sk-", "sess-"),
	shape("openrouter", wordBody, 20, "sk-or-v1-"),
	shape("xai", alnumBody, 40, "xai-"),
	shape("groq", alnumBody, 32, "gsk_"),
	shape("replicate", alnumBody, 32, "r8_"),
	shape("huggingface", alnumBody, 30, "hf_", "api_org_"),
	shape("perplexity", alnumBody, 32, "pplx-"),
	shape("fireworks", alnumBody, 20, "fw_"),
	shape("nvidia", wordBody, 40, "nvapi-"),
	shape("tavily", wordBody, 20, "tvly-"),
	shape("langchain", wordBody, 32, "lsv2_pt_", "lsv2_sk_", "ls__"),
	shape("pinecone", wordBody, 32, "pcsk_"),
	shape("cerebras", alnumBody, 32, "csk-"),
	shape("e2b", alnumBody, 32, "e2b_"),
	shape("posthog", alnumBody, 32, "phx_", "phc_"),
	// code, packages, builds
	shape("github", alnumBody, 30, "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
	shape("github", wordBody, 40, "github_pat_"),
	shape("gitlab", dotBody, 20, "glpat-", "gldt-", "glft-", "glsoat-", "glffct-", "glimt-", "glptt-", "glrt-", "glcbt-", "glagent-",
		"gloas-", "glrtr-"),
	shape("gitlab", wordBody, 20, "GR1348941"),
	shape("atlassian", baseBody, 40, "ATATT3", "ATCTT3", "ATBB"),
	shape("npm", alnumBody, 30, "npm_"),
	shape("pypi", wordBody, 40, "pypi-"),
	shape("nuget", alnumBody, 43, "oy2"),
	shape("crates", alnumBody, 32, "cio"),
	shape("rubygems", alnumBody, 40, "rubygems_"),
	shape("clojars", alnumBody, 50, "CLOJARS_"),
	shape("docker", wordBody, 20, "dckr_pat_", "dckr_oat_"),
	shape("circleci", wordBody, 32, "CCIPAT_", "CCIPRJ_"),
	shape("buildkite", alnumBody, 32, "bkua_", "bkpt_"),
	shape("postman", wordBody, 40, "PMAK-"),
	shape("sonar", alnumBody, 36, "squ_", "sqp_", "sqa_"),
	shape("jfrog", alnumBody, 59, "AKCp", "cmVmd"),
	shape("figma", wordBody, 32, "figd_"),
	shape("readme", alnumBody, 50, "rdme_"),
	shape("contentful", wordBody, 40, "CFPAT-"),
	// clouds and hosts
	shape("google", wordBody, 33, "AIza"),
	shape("google", wordBody, 20, "GOCSPX-", "ya29."),
	shape("google", wordBody, 40, "1//0"),
	shape("aws", baseBody, 90, "ABSK"),
	shape("digitalocean", alnumBody, 40, "doo_v1_", "dop_v1_", "dor_v1_"),
	shape("heroku", wordBody, 40, "HRKU-"),
	shape("fly", baseBody, 40, "fo1_", "fm1a_", "fm1r_", "fm2_"),
	shape("netlify", alnumBody, 32, "nfp_", "nfo_", "nfc_"),
	shape("render", alnumBody, 24, "rnd_"),
	shape("databricks", alnumBody, 32, "dapi"),
	shape("supabase", wordBody, 20, "sbp_", "sb_secret_"),
	shape("planetscale", dotBody, 28, "pscale_tkn_", "pscale_pw_", "pscale_oauth_"),
	shape("neon", alnumBody, 40, "napi_"),
	shape("hashicorp", wordBody, 20, "hvs.", "hvb.", "hvr."),
	shape("doppler", dotBody, 36, "dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."),
	shape("pulumi", alnumBody, 36, "pul-"),
	shape("prefect", alnumBody, 30, "pnu_", "pnb_"),
	shape("alibaba", alnumBody, 16, "LTAI"),
	shape("tencent", alnumBody, 30, "AKID"),
	shape("yandex", wordBody, 34, "AQVN"),
	shape("1password", baseBody, 60, "ops_eyJ"),
	shape("age", alnumBody, 50, "AGE-SECRET-KEY-1"),
	// money, mail, talk
	shape("stripe", alnumBody, 16, "sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_", "whsec_"),
	shape("square", wordBody, 22, "sq0atp-", "sq0csp-", "EAAA"),
	shape("shopify", alnumBody, 30, "shpat_", "shpca_", "shppa_", "shpss_", "shptka_"),
	shape("razorpay", alnumBody, 14, "rzp_live_", "rzp_test_"),
	shape("flutterwave", wordBody, 12, "FLWSECK-", "FLWSECK_TEST-"),
	shape("easypost", alnumBody, 50, "EZAK", "EZTK"),
	shape("shippo", alnumBody, 32, "shippo_live_", "shippo_test_"),
	shape("duffel", wordBody, 36, "duffel_live_", "duffel_test_"),
	shape("sendgrid", dotBody, 50, "SG."),
	shape("brevo", wordBody, 60, "xkeysib-", "xsmtpsib-"),
	shape("slack", wordBody, 16, "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxe-", "xoxc-", "xoxd-", "xapp-", "xwfp-"),
	shape("slack", wordBody, 60, "xoxe.xoxp-", "xoxe.xoxb-"),
	shape("telegram", wordBody, 32, ":AA"),
	shape("intra42", alnumBody, 60, "s-s4t2ud-", "s-s4t2af-"),
	shape("twitch", wordBody, 38, "live_"),
	shape("typeform", dotBody, 36, "tfp_"),
	shape("linear", alnumBody, 32, "lin_api_", "lin_oauth_"),
	shape("notion", alnumBody, 40, "ntn_", "secret_"),
	shape("airtable", dotBody, 40, "pat"),
	shape("hubspot", wordBody, 32, "pat-na1-", "pat-eu1-"),
	shape("facebook", alnumBody, 80, "EAAC", "EAAM", "EAAG"),
	// watching and measuring
	shape("grafana", baseBody, 32, "glc_", "glsa_", "eyJrIjoi"),
	shape("sentry", baseBody, 40, "sntrys_", "sntryu_"),
	shape("newrelic", wordBody, 19, "NRAK-", "NRII-", "NRJS-", "NRSP-", "nraa-", "nriq-", "nrra-"),
	shape("pixie", wordBody, 32, "px-api-", "px-dep-"),
	shape("dynatrace", dotBody, 60, "dt0c01.", "dt0s01."),
	shape("honeycomb", alnumBody, 40, "hcaik_", "hcxik_", "hcbik_"),
	shape("segment", alnumBody, 48, "sgp_"),
	shape("dependency-track", alnumBody, 32, "odt_"),
	shape("launchdarkly", wordBody, 32, "sdk-", "mob-"),
}

func (t *tokenShape) keywords() []string {
	var out []string
	for _, p := range t.prefixes {
		out = append(out, strings.ToLower(p))
	}
	return out
}

// find judges what follows a maker's prefix.
func (t *tokenShape) find(p *pass, start, end int) {
	s := p.s
	if p.token.insideLong(start) || !t.hasPrefix(s[start:end]) || !beginsToken(s, start) ||
		isAlnum(s[end-1]) && (inBase64(s, start) || inBlock(s, start)) {
		return
	}
	to := tokenEnd(s, end, t.body, t.least)
	p.token = stretch{start, to}
	for to > end && strings.IndexByte(".-_=", s[to-1]) >= 0 && s[to-1] != '=' {
		to--
	}
	body := s[end:to]
	if broken := strings.IndexByte(body, '\n'); broken >= 0 {
		body = strings.Join(strings.Fields(body), "")
	}
	if len(body) < t.least || !drawnBehind(body, end-start) || isPlaceholder(body) || isCutOff(s, to) {
		return
	}
	p.found(start, to, t.family)
}

// drawnBehind reports whether body, behind a prefix of so many bytes, is what a machine drew. Behind a long prefix, which no word
// begins with, it is enough that it does not consist of words.
func drawnBehind(body string, prefix int) bool {
	return randomness(body) == random || prefix >= 6 && !isWordy(body) && entropy(body) > 2.5
}

func (t *tokenShape) hasPrefix(s string) bool {
	for _, p := range t.prefixes {
		if p == s {
			return true
		}
	}
	return false
}

// beginsToken reports whether a token can begin at s[i]: not inside a word. An n or r that a backslash makes a line break is
// no part of a word.
func beginsToken(s string, i int) bool {
	if i == 0 || s[i] == ':' {
		return true
	}
	c := s[i-1]
	if !isAlnum(c) && c != '_' && c != '-' && c != '.' {
		return true
	}
	return i > 1 && s[i-2] == '\\' && strings.IndexByte("nrt", c) >= 0
}

// inBase64 reports whether what comes before s[i] can be of the same run of base64, where a prefix of letters is chance.
func inBase64(s string, i int) bool { return i > 0 && (s[i-1] == '/' || s[i-1] == '+') }

// inRun reports whether what begins at s[i] continues a run of base64 by its signs.
func inRun(s string, i int) bool {
	if !inBase64(s, i) {
		return false
	}
	before := i
	for before > 0 && i-before < leastBlockLine && (isAlnum(s[before-1]) || s[before-1] == '+' || s[before-1] == '/') {
		before--
	}
	return i-before >= leastBlockLine/2 && randomness(s[before:i]) == random
}

// leastBlockLine is how long the lines of a block of base64 are at least.
const leastBlockLine = 60

// inBlock reports whether what begins at s[i] is a line of a block of base64, such as an image or an archive: the line before is
// base64 to its end, and exactly as long. A prefix of letters is chance there.
func inBlock(s string, i int) bool {
	j := i
	for j > 0 && i-j < 24 && strings.IndexByte(" \t>|", s[j-1]) >= 0 {
		j--
	}
	if j == 0 || s[j-1] != '\n' {
		return false
	}
	j--
	if j > 0 && s[j-1] == '\r' {
		j--
	}
	before := j
	for before > 0 && j-before < maxValue && isBase64(s[before-1]) {
		before--
	}
	end := i
	for end < len(s) && end-i < maxValue && isBase64(s[end]) {
		end++
	}
	return j-before >= leastBlockLine && end-i == j-before && s[before:min(before+3, j)] != s[i:min(i+3, len(s))]
}

// tokenEnd is the end of the token whose body begins at s[i]. A line break in the body is stepped over where the body is not
// complete without what follows, or where a piece of a token fills the beginning of the next line.
func tokenEnd(s string, i int, body *[256]bool, least int) int {
	j := i
	for j < len(s) && body[s[j]] {
		j++
	}
	for range 8 {
		k := nextPiece(s, j)
		if k < 0 {
			break
		}
		end := k
		for end < len(s) && body[s[end]] {
			end++
		}
		piece := s[k:end]
		bare := end == len(s) || strings.IndexByte(" \t\r\n\"'`,;)\\", s[end]) >= 0
		if !bare || len(piece) < 3 || j-i >= least && (len(piece) < 8 || randomness(piece) != random) {
			break
		}
		j = end
	}
	return j
}

// nextPiece is where the next line's text begins if a line break, with its indentation or quoting marks, is at s[i]; -1 else.
func nextPiece(s string, i int) int {
	j := i
	if j < len(s) && s[j] == '\\' {
		j++
	}
	if j < len(s) && s[j] == '\r' {
		j++
	}
	if j >= len(s) || s[j] != '\n' {
		return -1
	}
	for j++; j < len(s) && j-i < 24 && strings.IndexByte(" \t>|+", s[j]) >= 0; {
		j++
	}
	return j
}
