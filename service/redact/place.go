package redact

import "strings"

// shortNames are names too short to be looked for without what comes after them.
var shortNames = []string{"pw:", "pw=", `pw"`, "pw'", "pw ="}

// findShortNamed is findAssigned for them.
func findShortNamed(p *pass, start, _ int) {
	if start == 0 || !isAlnum(p.s[start-1]) {
		findAssigned(p, start, start+len("pw"))
	}
}

// foreignNames are what a password is called in other languages. The last one is followed by letters beyond ASCII.
var foreignNames = []string{"passwort", "kennwort", "senha", "mot de passe", "wachtwoord", "contrase"}

// otherAlphabets are such names in other alphabets, without a first letter that can be a capital. They are no patterns of the machine,
// whose table would double for them.
var otherAlphabets = []string{"ароль", "密码", "密碼", "口令", "パスワード", "비밀번호", "패스워드"}

// otherLeads are the bytes that they begin with.
var otherLeads = func() (set [256]bool) {
	for _, name := range otherAlphabets {
		set[name[0]] = true
	}
	return set
}()

// findOtherAlphabets finds what follows those names.
func findOtherAlphabets(p *pass) {
	for i := 0; i < len(p.s); i++ {
		if !otherLeads[p.s[i]] {
			continue
		}
		for _, name := range otherAlphabets {
			if strings.HasPrefix(p.s[i:], name) {
				findForeign(p, i, i+len(name))
			}
		}
	}
}

// findForeign finds the password that is stated after such a name: Passwort: x, 密码：x.
func findForeign(p *pass, start, end int) {
	s := p.s
	if start > 0 && (isAlnum(s[start-1]) || s[start-1] == '_') {
		return
	}
	end += len(s[end:]) - len(strings.TrimPrefix(s[end:], "ña"))
	i, _ := skipQuotes(s, end)
	i = skipSpaces(s, i)
	for _, joiner := range []string{":", "：", "=", "是", "ist ", "es ", "is "} {
		if strings.HasPrefix(s[i:], joiner) {
			v, ok := value{shell: true, stated: true}.read(s, skipSpaces(s, i+len(joiner)))
			if ok && (v.quote == 0 || v.closed) && traitsOf(s[v.from:v.to]).digits > 0 && v.secret(s, passName) {
				p.found(v.from, v.to, "assigned")
			}
			return
		}
	}
}

// findDefault finds the value that stands in for a variable that is not set: ${DB_PASSWORD:-x}, ${db.password:x}.
func findDefault(p *pass, _, end int) {
	s := p.s
	to := end
	for to < len(s) && to-end < maxName && identifierSet[s[to]] && s[to] != '$' {
		to++
	}
	if to == len(s) || s[to] != ':' {
		return
	}
	from := to + 1
	if from < len(s) && (s[from] == '-' || s[from] == '=') {
		from++
	}
	n := strings.IndexAny(s[from:min(len(s), from+256)], "}\n")
	level := nameSecrecy(s[end:to])
	if n <= 0 || s[from+n] != '}' || level == notSecret || strings.ContainsAny(s[from:from+n], "${ ") {
		return
	}
	if v := (value{from: from, to: from + n, quote: '}', closed: true}); v.secret(s, level) {
		p.found(v.from, v.to, "assigned")
	}
}

// orElse are the operators between what is asked of the environment and what is taken where it has nothing.
var orElse = []string{" || ", " or ", " ?? ", " ?: "}

// fallback is the literal that is taken where the environment, asked at s[from], has nothing: process.env.DB_PASSWORD || "x".
func fallback(s string, from int) (value, bool) {
	line := s[from:min(len(s), from+160)]
	if n := strings.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	for _, op := range orElse {
		if n := strings.Index(line, op); n > 0 && containsFold(line[:n], []string{"env"}) {
			v, ok := value{}.read(s, skipSpaces(s, from+n+len(op)))
			return v, ok && v.quote != 0 && v.closed
		}
	}
	return value{}, false
}

// privateParts are the members of a JSON Web Key that only its owner has.
var privateParts = []string{`"d"`, `"k"`, `"p"`, `"q"`, `"dp"`, `"dq"`, `"qi"`}

// findJWK finds the private parts of a JSON Web Key, in the object around its "kty".
func findJWK(p *pass, start, end int) {
	if p.key.inside(start) {
		return
	}
	s := p.s
	from, to := max(0, start-4096), min(len(s), end+4096)
	if n := strings.LastIndexByte(s[from:start], '{'); n >= 0 {
		from += n
	}
	if n := strings.IndexByte(s[end:to], '}'); n >= 0 {
		to = end + n
	}
	p.key = stretch{start, to}
	for _, part := range privateParts {
		n := strings.Index(s[from:to], part)
		if n < 0 {
			continue
		}
		i := skipSpaces(s, from+n+len(part))
		if i >= to || s[i] != ':' {
			continue
		}
		v, ok := value{}.read(s, skipBlanks(s, i+1))
		if ok && v.quote == '"' && v.closed && v.to-v.from >= 20 && randomness(s[v.from:v.to]) == random {
			p.found(v.from, v.to, "jwk")
		}
	}
}
