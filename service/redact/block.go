package redact

import "strings"

// maxBlock is the most that a block of key material takes, in bytes.
const maxBlock = 32 << 10

// findKeyBlock finds a private key in PEM or PGP armour: over lines, with line breaks written as \n at any depth of escaping,
// indented, quoted in a diff, or cut off before its end.
func findKeyBlock(p *pass, start, end int) {
	s := p.s[:min(len(p.s), start+maxBlock)]
	line := s[end:min(len(s), end+120)]
	n := strings.Index(line, "-----")
	if n < 0 || !strings.Contains(strings.ToUpper(line[:n]), "PRIVATE KEY") && !strings.HasSuffix(line[:n], " SEED") {
		return
	}
	body := end + n + len("-----")
	rest := s[body:]
	if next := strings.Index(rest, "-----BEGIN"); next >= 0 {
		rest = rest[:next]
	}
	if n := strings.Index(rest, "-----END"); n >= 0 {
		to := body + n + len("-----END")
		if keyMaterial(rest[:n]) < minKeyMaterial {
			return
		}
		if n := strings.Index(s[to:min(len(s), to+120)], "-----"); n >= 0 {
			to += n + len("-----")
		}
		p.found(start, to, "private-key")
		return
	}
	if to := body + armour(rest); keyMaterial(s[body:to]) >= minKeyMaterial {
		p.found(start, to, "private-key")
	}
}

// findKeyTail finds the end of a private key whose beginning is not in the text: lines of base64 before -----END PRIVATE KEY-----.
func findKeyTail(p *pass, start, end int) {
	s := p.s
	line := s[end:min(len(s), end+120)]
	n := strings.Index(line, "-----")
	if n < 0 || !strings.Contains(strings.ToUpper(line[:n]), "PRIVATE KEY") {
		return
	}
	from := start
	for start-from < maxBlock {
		head := strings.TrimRight(s[max(0, from-400):from], " \t\r\n\\nr+>|")
		at := max(0, from-400) + len(head)
		begin := at
		for begin > 0 && at-begin < 400 && baseBody[s[begin-1]] {
			begin--
		}
		if at-begin < 16 || strings.Contains(s[begin:at], "---") {
			break
		}
		from = begin
	}
	if before := s[max(0, from-120):from]; strings.Contains(before, "-----BEGIN") || keyMaterial(s[from:start]) < minKeyMaterial/2 {
		return
	}
	p.found(from, end+n+len("-----"), "private-key")
}

// minKeyMaterial is the least number of base64 characters in a key; the smallest, of Ed25519, has 64.
const minKeyMaterial = 40

func keyMaterial(s string) int {
	n, run := 0, 0
	for i := range len(s) {
		if isAlnum(s[i]) || s[i] == '+' || s[i] == '/' {
			run++
			continue
		}
		if run >= 16 {
			n += run
		}
		run = 0
	}
	if run >= 16 {
		n += run
	}
	return n
}

// armour is how much of the beginning of s is base64 in lines, with whatever the lines are quoted by.
func armour(s string) int {
	end := 0
	for i := 0; i < len(s); {
		j := i
		for j < len(s) && !isAlnum(s[j]) && s[j] != '/' && j-i < 24 {
			j++
		}
		if j > i && (s[j-1] == '\\' && j < len(s) && (s[j] == 'n' || s[j] == 'r')) {
			j++
		}
		k := j
		for k < len(s) && (isAlnum(s[k]) || s[k] == '+' || s[k] == '/' || s[k] == '=') {
			k++
		}
		if k-j < 16 {
			break
		}
		end, i = k, k
	}
	return end
}

// findJWT finds a JSON Web Token: two parts that are base64 of JSON, and a signature that may be cut off or empty.
func findJWT(p *pass, start, _ int) {
	s := p.s
	if start > 0 && wordBody[s[start-1]] && s[start-1] != '_' || s[start:start+3] != "eyJ" {
		return
	}
	first := jwtPart(s, start)
	if first-start < 12 || first >= len(s) || s[first] != '.' || !strings.HasPrefix(s[first+1:], "ey") {
		return
	}
	second := jwtPart(s, first+1)
	if second-first < 12 {
		return
	}
	end := second
	if second < len(s) && s[second] == '.' {
		end = jwtPart(s, second+1)
	}
	for end < len(s) && s[end] == '=' {
		end++
	}
	if !isPlaceholder(s[start:end]) {
		p.found(start, end, "jwt")
	}
}

func jwtPart(s string, i int) int {
	for i < len(s) && wordBody[s[i]] {
		i++
	}
	return i
}
