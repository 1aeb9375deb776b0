package redact

import "strings"

// findSQL finds the password in IDENTIFIED BY 'x'.
func findSQL(p *pass, _, end int) {
	i := skipSpaces(p.s, end)
	if n := strings.Index(p.s[i:min(len(p.s), i+60)], " BY "); n >= 0 {
		i = skipSpaces(p.s, i+n+4)
	}
	v, ok := value{}.read(p.s, i)
	v.stated = v.quote == 0
	if ok && (v.quote == 0 || v.closed) && v.secret(p.s, passName) {
		p.found(v.from, v.to, "assigned")
	}
}

// findTerraform finds the default of a variable with a secret's name, as HCL: variable "api_key" { default = "x" }.
func findTerraform(p *pass, _, end int) {
	s := p.s
	block := s[end:min(len(s), end+600)]
	name, rest, ok := strings.Cut(block, `"`)
	if !ok || len(name) > maxName {
		return
	}
	if n := strings.Index(rest, "}"); n >= 0 {
		rest = rest[:n]
	}
	n := strings.Index(rest, "default")
	secrecy := nameSecrecy(name)
	if n < 0 || secrecy == notSecret {
		return
	}
	i := skipSpaces(s, end+len(name)+1+n+len("default"))
	if i >= len(s) || s[i] != '=' {
		return
	}
	v, ok := value{}.read(s, skipSpaces(s, i+1))
	if ok && v.quote != 0 && v.closed && v.secret(s, secrecy) {
		p.found(v.from, v.to, "assigned")
	}
}

// findPgpass finds the password in a line of a .pgpass file: host:port:database:user:password.
func findPgpass(p *pass, start, end int) {
	s := p.s
	from := start
	for from > 0 && start-from < 256 && s[from-1] > ' ' {
		from--
	}
	to := end
	for to < len(s) && to-end < 512 && s[to] > ' ' && s[to] != '"' && s[to] != '\\' {
		to++
	}
	fields := strings.SplitN(s[from:to], ":", 5)
	if len(fields) < 5 || len(fields[4]) < 3 || isPlaceholder(fields[4]) || strings.Contains(fields[0], "/") || fields[2] == "" || fields[3] == "" {
		return
	}
	p.found(to-len(fields[4]), to, "assigned")
}

// findKubernetes finds the values in the data of a Secret, as YAML.
func findKubernetes(p *pass, start, end int) {
	if p.manifest.inside(start) {
		return
	}
	s := p.s
	if i := skipSpaces(s, end); !strings.HasPrefix(strings.TrimLeft(s[i:min(len(s), i+8)], "\"'"), "Secret") {
		return
	}
	from, to := document(s, start)
	p.manifest = stretch{start, to}
	for _, name := range []string{"\ndata:", "\nstringData:"} {
		if n := strings.Index(s[from:to], name); n >= 0 {
			dataValues(p, from+n+len(name), to)
		}
	}
}

// document is the part of a YAML stream around at, between lines of dashes, at most four kilobytes each way.
func document(s string, at int) (from, to int) {
	from, to = max(0, at-4096), min(len(s), at+4096)
	if n := strings.LastIndex(s[from:at], "\n---"); n >= 0 {
		from += n
	}
	if n := strings.Index(s[at:to], "\n---"); n >= 0 {
		to = at + n
	}
	return from, to
}

// dataValues emits the values of the indented lines from s[from] on.
func dataValues(p *pass, from, to int) {
	s := p.s
	for from < to {
		n := strings.IndexByte(s[from:to], '\n')
		if n < 0 {
			return
		}
		line := from + n + 1
		if line >= to || s[line] != ' ' && s[line] != '\t' {
			return
		}
		stop := to
		if n := strings.IndexByte(s[line:to], '\n'); n >= 0 {
			stop = line + n
		}
		if colon := strings.Index(s[line:stop], ": "); colon >= 0 {
			v, ok := value{shell: true}.read(s, skipSpaces(s, line+colon+2))
			if ok && v.to <= stop && v.to-v.from >= 6 && !isPlaceholder(s[v.from:v.to]) {
				p.found(v.from, v.to, "kubernetes")
			}
		}
		from = stop
	}
}
