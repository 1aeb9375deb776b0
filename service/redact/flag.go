package redact

import (
	"slices"
	"strings"
)

// loginFlag is a flag after which a program takes a password: alone, or after a user and a mark.
type loginFlag struct{ flag, after string }

// loginFlags are the flags of programs and their commands, in lower case. Flags that are called password are judged by that name.
var loginFlags = map[string][]loginFlag{
	"mysql":        {{flag: " -p"}},
	"mariadb":      {{flag: " -p"}},
	"sshpass":      {{flag: " -p "}, {flag: " -p"}},
	"redis-cli":    {{flag: " -a "}},
	"curl":         {{" -u ", ":"}, {" -u", ":"}, {" --user ", ":"}, {" --user=", ":"}, {" -U ", ":"}, {" --proxy-user ", ":"}, {" -b ", "="}, {" --cookie ", "="}},
	"dotnet nuget": shortFlag, "lftp": {{" -u ", ","}}, "snmpwalk": snmpFlag, "snmpget": snmpFlag, "ipmitool": {{flag: " -P "}},
	"xfreerdp": {{flag: " /p:"}}, "ansible-vault": {{flag: " encrypt_string "}}, "convertto-securestring": {{flag: " "}},
	"nmcli": {{flag: " password "}}, "gh secret set": {{flag: " --body "}, {flag: " -b "}}, "requirepass": {{flag: " "}}, "masterauth": {{flag: " "}},
	"http -a":  {{" ", ":"}},
	"https -a": {{" ", ":"}},

	"docker login": shortFlag, "podman login": shortFlag, "helm registry login": shortFlag, "skopeo login": shortFlag,
	"oras login": shortFlag, "crane auth login": shortFlag, "az login": shortFlag, "az acr login": shortFlag, "oc login": shortFlag,
	"psexec": shortFlag, "mongosh": shortFlag, "mongodump": shortFlag, "mongorestore": shortFlag, "mongoexport": shortFlag,
	"mongoimport": shortFlag,

	"ldapsearch": bindFlag, "ldapadd": bindFlag, "ldapmodify": bindFlag, "ldapdelete": bindFlag, "ldappasswd": bindFlag,
	"smbclient": {{" -U ", "%"}},
	"sqlcmd":    {{flag: " -P "}, {flag: " -P"}},
	"unzip":     {{flag: " -P "}},
	"zip -":     {{flag: " -P "}, {flag: "P "}},
	"7z ":       joinedFlag, "7za ": joinedFlag, "7zz ": joinedFlag, "rar a ": joinedFlag, "rar x ": joinedFlag, "unrar ": joinedFlag,
	"openssl": {{" -pass ", "pass:"}, {" -passin ", "pass:"}, {" -passout ", "pass:"}, {" -k ", ""}},

	"ssh-keygen": {{flag: " -N "}, {flag: " -P "}}, "kinit": {{flag: " -w "}},
}

var (
	shortFlag = []loginFlag{{flag: " -p "}}
	snmpFlag  = []loginFlag{{flag: " -A "}, {flag: " -X "}}
	bindFlag  = []loginFlag{{flag: " -w "}}
	// joinedFlag is of programs that pack files: -p and the password in one word.
	joinedFlag = []loginFlag{{flag: " -p"}, {flag: " -hp"}}
)

// findFlag finds the password that follows such a flag on the line of a program. A backslash at its end continues a line.
func findFlag(p *pass, start, end int) {
	if start > 0 && isAlnum(p.s[start-1]) && p.s[end-1] < 'a' {
		return // a part of a word
	}
	program := strings.ToLower(p.s[start:end])
	end = start + len(strings.TrimRight(program, " "))
	line := p.s[end:min(len(p.s), end+1024)]
	for i := range len(line) {
		if line[i] == '\n' && (i == 0 || line[i-1] != '\\') {
			line = line[:i]
			break
		}
	}
	for _, f := range loginFlags[program] {
		n := strings.Index(line, f.flag)
		if n < 0 {
			continue
		}
		v, ok := value{shell: true}.read(p.s, end+n+len(f.flag))
		if !ok || p.s[v.from] == '-' {
			continue
		}
		if f.after != "" {
			n := strings.Index(p.s[v.from:v.to], f.after)
			if n < 0 {
				continue
			}
			v.from += n + len(f.after)
		}
		v.literal = v.quote == 0
		if v.secret(p.s, passName) {
			p.found(v.from, v.to, "assigned")
		}
	}
}

func loginPrograms() []string {
	var out []string
	for name := range loginFlags {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// logins are what functions and constructors that take a user and a password end in, in lower case, with the number of the
// argument that is the password.
var logins = map[string]int{
	"basicauth(": 2, "networkcredential(": 2, "usernamepasswordcredentials(": 2, "passwordcredentials(": 2, "passwordauthentication(": 2,
	"plainauth(": 3, "directoryentry(": 3, "auth=(": 2, ".login(": 2, ".authenticate(": 2,
}

func loginFunctions() []string {
	var out []string
	for name := range logins {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

// findLogin finds the password among the arguments of such a function, where it is a literal string.
func findLogin(p *pass, start, end int) {
	s, i := p.s, end
	for arg := logins[strings.ToLower(s[start:end])]; ; arg-- {
		i = skipBlanks(s, i)
		if arg == 1 {
			break
		}
		v, ok := value{}.read(s, i)
		if ok {
			i = v.to
		} else {
			i, _ = skipQuotes(s, i) // an empty string
		}
		if i, _ = skipQuotes(s, i); i >= len(s) || i-start > 400 {
			return
		}
		if i = skipBlanks(s, i); i >= len(s) || s[i] != ',' {
			return
		}
		i++
	}
	v, ok := value{}.read(s, i)
	if ok && v.quote != 0 && v.closed && v.secret(s, passName) {
		p.found(v.from, v.to, "assigned")
	}
}

// skipBlanks steps over white space, line breaks included.
func skipBlanks(s string, i int) int {
	for j := i; j < len(s) && j-i < 80; j++ {
		if strings.IndexByte(" \t\r\n", s[j]) < 0 {
			return j
		}
	}
	return min(len(s), i+80)
}
