package redact

import "strings"

// operators are what may stand between a name and its value, longer ones first.
var operators = []string{":::", "===", "!==", ":=", "=>", "->", "==", "!=", "?=", "+=", "||=", "??=", "%3D", "%3A", "=", ":", ",", ">"}

func operator(s string) string {
	if s == "" || !isOperator(s[0]) && s[0] != '-' && s[0] != '!' && s[0] != '+' && s[0] != '%' {
		return ""
	}
	for _, o := range operators {
		if strings.HasPrefix(s, o) {
			return o
		}
	}
	return ""
}

// skipType steps over spaces, and over a type between a colon and an equals sign: password: string = "x".
func skipType(s string, i int, op string) int {
	i = skipSpaces(s, i)
	if op != ":" {
		return i
	}
	j := i
	for j < len(s) && j-i < 40 && (isAlnum(s[j]) || strings.IndexByte("_.[]|? <>&*", s[j]) >= 0) {
		j++
	}
	if j > i && j < len(s) && s[j] == '=' && !strings.HasPrefix(s[j:], "==") {
		return skipSpaces(s, j+1)
	}
	return i
}

// skipProse steps over the words that join a name and its value in a sentence.
func skipProse(s string, i int) int {
	for _, w := range []string{"is ", "was ", "to ", "= "} {
		if strings.HasPrefix(s[i:], w) {
			return skipSpaces(s, i+len(w))
		}
	}
	return i
}

// followsLogin reports whether the name at s[from] follows a login, as in a .netrc file.
func followsLogin(s string, from int) bool {
	return strings.Contains(s[max(0, from-100):from], "login ")
}
