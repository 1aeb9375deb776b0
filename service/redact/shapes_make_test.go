package redact

import (
	"encoding/base64"
	"strings"
)

func basicHeader(d draw) (string, []string) {
	s := base64.StdEncoding.EncodeToString([]byte("bob:" + d.password()))
	return "Authorization: Basic " + s + "\n", []string{s}
}

func storageAccount(d draw) (string, []string) {
	s := d.of(base64All, 86)
	return "DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=" + s + "==;EndpointSuffix=core.windows.net", []string{s}
}

func awsCredentials(d draw) (string, []string) {
	id, s := "AKIA"+d.of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16), d.of(base64All, 40)
	return "[default]\naws_access_key_id = " + id + "\naws_secret_access_key = " + s + "\n", []string{id, s}
}

func dockerConfig(d draw) (string, []string) {
	s := base64.StdEncoding.EncodeToString([]byte("bob:" + d.password()))
	return `{"auths": {"registry.acme.io": {"auth": "` + s + `"}}}`, []string{s}
}

func kubernetesSecret(d draw) (string, []string) {
	s := base64.StdEncoding.EncodeToString([]byte(d.password()))
	return "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\ndata:\n  username: Ym9i\n  pw: " + s + "\n", []string{s}
}

func kubeconfigKey(d draw) (string, []string) {
	s := base64.StdEncoding.EncodeToString([]byte(strings.Join(d.pem(4), "\n")))
	return "users:\n- name: admin\n  user:\n    client-key-data: " + s + "\n", []string{s[:60], s[len(s)-60:]}
}

func pemShape(sep string) func(draw) (string, []string) {
	return func(d draw) (string, []string) {
		lines := d.pem(6)
		return "key:\n" + strings.Join(lines, sep) + sep + "end", lines[1:7]
	}
}

func pemCut(d draw) (string, []string) {
	lines := d.pem(6)[:6]
	return "cat key.pem\n" + strings.Join(lines, "\n") + "\n[output truncated]", lines[1:]
}

func pemBase64(d draw) (string, []string) {
	s := base64.StdEncoding.EncodeToString([]byte(strings.Join(d.pem(3), "\n")))
	return "echo " + s + " | base64 -d > key.pem", []string{s[:60], s[len(s)-60:]}
}

func serviceAccount(d draw) (string, []string) {
	lines := d.pem(5)
	id := d.hex(40)
	return `{"type": "service_account", "private_key_id": "` + id + `", "private_key": "` + strings.Join(lines, `\n`) + `\n"}`, lines[1:6]
}

func jwtShape(d draw) (string, []string) {
	claims := base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"` + d.alnum(10) + `","iat":1516239022}`))
	s := "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." + claims + "." + d.alnum(43)
	return "got " + s + ", ok", []string{claims, s[len(s)-43:]}
}

func envBase64(d draw) (string, []string) {
	s := base64.StdEncoding.EncodeToString([]byte("HOST=db\nDB_PASSWORD=" + d.password() + "\nAPI_TOKEN=" + d.alnum(32) + "\n"))
	return "ENV_FILE=" + s + "\n", []string{s}
}

func brokenToken(d draw, sep string) (string, []string) {
	s := d.alnum(36)
	cut := 8 + d.r.IntN(20)
	return "remote: ghp_" + s[:cut] + sep + s[cut:] + "\ndone", []string{s[:cut], s[cut:]}
}

func brokenValue(d draw) (string, []string) {
	s := d.alnum(48)
	return "API_TOKEN=\"" + s[:30] + "\n" + s[30:] + "\"\n", []string{s[:30], s[30:]}
}

func wrappedValue(d draw) (string, []string) {
	s := d.alnum(60)
	return "API_TOKEN=" + s[:40] + "\n" + s[40:] + "\nPORT=80\n", []string{s[:40], s[40:]}
}

func slackHook(d draw) (string, []string) {
	s := "T" + d.of(lowerNum, 8) + "/B" + d.of(lowerNum, 8) + "/" + d.alnum(24)
	return "POST https://hooks.slack.com/services/" + s, []string{s}
}
