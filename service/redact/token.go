package redact

import "strings"

// selfDescribing are pieces of tokens that say what they are, whoever made them: acme_live_..., foo_pat_....
var selfDescribing = []string{"_live_", "_prod_", "_pat_", "_sk_", "_key_", "_secret_", "_token_", "_tkn_", "_api_", "_oauth_", "_sat_", "_aat_",
	"-live-", "-pat-", "-key-", "-secret-", "-token-", "-api-"}

// findSelfDescribed finds a token with such a piece before a body that a machine drew.
func findSelfDescribed(p *pass, start, end int) {
	s := p.s
	to := end
	for to < len(s) && alnumBody[s[to]] {
		to++
	}
	body := s[end:to]
	if len(body) < 16 || isHash(body) || randomness(body) != random || isPlaceholder(body) {
		return
	}
	from := start
	for from > 0 && start-from < 16 && wordBody[s[from-1]] {
		from--
	}
	p.found(from, to, "token")
}

// findLicense finds a licence key of New Relic: forty characters that end in NRAL.
func findLicense(p *pass, start, end int) {
	from := start
	for from > 0 && start-from <= 40 && isAlnum(p.s[from-1]) {
		from--
	}
	text := p.s[from:end]
	if len(text) == 40 && (end == len(p.s) || !isAlnum(p.s[end])) && randomness(text) == random && !isPlaceholder(text) {
		p.found(from, end, "newrelic")
	}
}

// findSalesforce finds a session of Salesforce: an organisation's id of fifteen characters, an exclamation mark, the session.
func findSalesforce(p *pass, start, end int) {
	s := p.s
	from := start - 15
	if from < 0 || s[from:from+2] != "00" || from > 0 && isAlnum(s[from-1]) {
		return
	}
	for i := from; i < start; i++ {
		if !isAlnum(s[i]) {
			return
		}
	}
	to := end
	for to < len(s) && dotBody[s[to]] && to-end < maxValue {
		to++
	}
	if to-end >= 60 && randomness(s[end:to]) == random {
		p.found(from, to, "salesforce")
	}
}

// hookPaths are in the URLs that let whoever knows them post to a channel.
var hookPaths = []string{"/incomingwebhook/", "/api/webhooks/", "hooks.slack.com/", "hooks.zapier.com/hooks/"}

// findHook takes out such a URL from its path on.
func findHook(p *pass, start, end int) {
	s := p.s
	from, to := start, end
	for from > 0 && start-from < 512 && strings.IndexByte(" \t\r\n\"'`<>()=", s[from-1]) < 0 {
		from--
	}
	for to < len(s) && to-end < 512 && strings.IndexByte(" \t\r\n\"'`<>()\\", s[to]) < 0 {
		to++
	}
	if tail := s[end:to]; len(tail) >= 20 && randomness(tail) == random && !isPlaceholder(tail) {
		p.found(from, to, "webhook")
	}
}
