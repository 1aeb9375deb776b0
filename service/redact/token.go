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

// findAzureDevOps finds a personal token of Azure DevOps: 84 characters, with its mark in a place of its own.
func findAzureDevOps(p *pass, start, end int) {
	from, to := start, end
	for from > 0 && start-from <= 76 && isAlnum(p.s[from-1]) {
		from--
	}
	for to < len(p.s) && to-end <= 4 && isAlnum(p.s[to]) {
		to++
	}
	if p.s[start:end] == "AZDO" && start-from == 76 && to-end == 4 && randomness(p.s[from:start]) == random {
		p.found(from, to, "azure")
	}
}

// findUnseal finds a share of the key that opens a vault: Unseal Key 1: x, vault operator unseal x.
func findUnseal(p *pass, _, end int) {
	s := p.s
	i := end
	for _, w := range []string{"ing", " key", "_key", "-key"} {
		if i+len(w) <= len(s) && strings.EqualFold(s[i:i+len(w)], w) {
			i += len(w)
		}
	}
	for i < len(s) && i-end < 24 && strings.IndexByte(" \t0123456789:=\"'`", s[i]) >= 0 && (!isDigit(s[i]) || i+1 < len(s) && !isAlnum(s[i+1])) {
		i++
	}
	to := i
	for to < len(s) && baseBody[s[to]] && to-i < 200 {
		to++
	}
	if text := s[i:to]; len(text) >= 40 && randomness(text) == random && !isPlaceholder(text) && !isLocation(text) {
		p.found(i, to, "hashicorp")
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
