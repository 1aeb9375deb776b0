package redact

import (
	"encoding/base64"
	"testing"
)

// pasted are what developers paste without thinking of what is in it. Each is given a secret that a machine or a person made; %s is its place.
var pasted = map[string]secretPlace{
	"kubeconfig, key":         {"users:\n- name: admin\n  user:\n    client-key-data: %s\n", base64Of(300)},
	"kubeconfig, token":       {"users:\n- name: admin\n  user:\n    token: %s\n", alnumOf(40)},
	"terraform state":         {`{"attributes":{"username":"app","password":"%s","port":5432}}`, alnumOf(16)},
	"terraform state, output": {`"outputs":{"db_password":{"value":"%s","type":"string","sensitive":true}}`, alnumOf(18)},
	"terraform.tfvars":        {"db_password = \"%s\"\n", alnumOf(14)},
	"docker config":           {`{"auths":{"r.acme.io":{"auth":"%s"}}}`, func(d draw) string { return base64.StdEncoding.EncodeToString([]byte("bob:" + d.alnum(14))) }},
	"docker identity token":   {`{"auths":{"r.acme.io":{"identitytoken":"%s"}}}`, alnumOf(60)},
	"pgpass":                  {"db.acme.io:5432:app:bob:%s\n", alnumOf(12)},
	"netrc over lines":        {"machine git.acme.io\n  login bob\n  password %s\n", alnumOf(12)},
	"wp-config":               {"define( 'DB_PASSWORD', '%s' );", alnumOf(12)},
	"wp-config, key":          {"define('LOGGED_IN_KEY', '%s');", alnumOf(64)},
	"JDBC":                    {"jdbc:postgresql://db/app?user=bob&password=%s", alnumOf(12)},
	"JDBC, Oracle":            {"jdbc:oracle:thin:bob/%s@//db:1521/app", alnumOf(12)},
	"JDBC, SQL Server":        {"jdbc:sqlserver://db:1433;databaseName=app;user=sa;password=%s;", alnumOf(12)},
	"Azure storage":           {"DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=%s;EndpointSuffix=core.windows.net", base64Of(64)},
	"Azure service bus":       {"Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=%s", base64Of(32)},
	"Azure SAS":               {"https://acme.blob.core.windows.net/c/f?sv=2022-11-02&se=2026-01-01&sp=r&sig=%s", func(d draw) string { return d.alnum(42) + "%3D" }},
	"Azure app":               {"AZURE_CLIENT_SECRET=%s", func(d draw) string { return d.alnum(3) + "8Q~" + d.alnum(34) }},
	"gcloud adc":              {`{"client_id":"1-a.apps.googleusercontent.com","client_secret":"%s","type":"authorized_user"}`, func(d draw) string { return "GOC" + "SPX-" + d.alnum(28) }},
	"gcloud refresh":          {`{"refresh_token":"%s","type":"authorized_user"}`, func(d draw) string { return "1/" + "/0" + d.alnum(60) }},
	"age":                     {"# public key: age1x\n%s\n", func(d draw) string { return "AGE-SECRET-" + "KEY-1" + d.of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58) }},
	"WireGuard":               {"[Interface]\nPrivateKey = %s\nAddress = 10.0.0.2/32\n", func(d draw) string { return d.alnum(43) + "=" }},
	"WireGuard, preshared":    {"[Peer]\nPresharedKey = %s\n", func(d draw) string { return d.alnum(43) + "=" }},
	"otpauth":                 {"otpauth://totp/Acme:bob?secret=%s&issuer=Acme", base32Of(32)},
	"otpauth, secret last":    {"otpauth://totp/Acme:bob?issuer=Acme&secret=%s", base32Of(16)},
	"OTP seed":                {"TOTP secret: %s", base32Of(32)},
	"OTP seed, spaced":        {"Your 2FA setup key is %s", func(d draw) string { s := base32Of(16)(d); return s[:4] + " " + s[4:8] + " " + s[8:12] + " " + s[12:] }},
	"recovery codes": {"Recovery codes:\n%s\n", func(d draw) string {
		return d.hex(5) + "-" + d.hex(5) + "\n" + d.hex(5) + "-" + d.hex(5) + "\n" + d.hex(5) + "-" + d.hex(5)
	}},
	"backup codes": {"backup codes\n%s\n", func(d draw) string {
		return d.of("23456789", 8) + "\n" + d.of("23456789", 8) + "\n" + d.of("23456789", 8) + "\n" + d.of("23456789", 8)
	}},
	"session cookie":          {"Cookie: theme=dark; sessionid=%s; lang=de", alnumOf(32)},
	"JWT in a cookie":         {"Cookie: auth=%s", jwtOf},
	"Set-Cookie":              {"Set-Cookie: sid=%s; Path=/; HttpOnly", alnumOf(32)},
	"Set-Cookie, second":      {"set-cookie: lang=de; Path=/\r\nset-cookie: connect.sid=s%%3A%s; Path=/", alnumOf(32)},
	"curl cookie":             {"curl -b 'session=%s' https://acme.io", alnumOf(32)},
	"curl cookie, long":       {"curl --cookie \"session=%s\" https://acme.io", alnumOf(32)},
	"ssh-keygen":              {"ssh-keygen -t ed25519 -N %s -f key", alnumOf(10)},
	"gpg":                     {"gpg --batch --passphrase %s -d a.gpg", alnumOf(10)},
	"ansible-vault":           {"ansible-vault encrypt_string '%s' --name db_password", alnumOf(14)},
	"ansible":                 {"ansible all -m ping -e ansible_password=%s", alnumOf(12)},
	"ansible, YAML":           {"ansible_become_password: %s\n", alnumOf(12)},
	"GitLab runner":           {"gitlab-runner register --url https://gitlab.acme.io --registration-token %s", func(d draw) string { return "GR" + "1348941" + d.alnum(20) }},
	"GitLab runner, new":      {"[[runners]]\n  token = \"%s\"\n", func(d draw) string { return "glrt" + "-" + d.alnum(20) }},
	"seed phrase of 12":       {"my seed phrase: %s", wordsOf(12)},
	"seed phrase of 24":       {"Wallet recovery phrase is:\n%s", wordsOf(24)},
	"mnemonic":                {"MNEMONIC=\"%s\"", wordsOf(12)},
	"mnemonic, bare":          {"mnemonic: %s\n", wordsOf(12)},
	"Ethereum key":            {"PRIVATE_KEY=0x%s", hexOf(64)},
	"Ethereum key, said":      {"the private key is 0x%s", hexOf(64)},
	"Rails master key":        {"config/master.key: %s", hexOf(32)},
	"Rails secret":            {"secret_key_base: %s", hexOf(128)},
	"Django":                  {"SECRET_KEY = 'django-insecure-%s'", alnumOf(50)},
	"Laravel":                 {"APP_KEY=base64:%s", func(d draw) string { return d.alnum(43) + "=" }},
	"Wi-Fi":                   {"network={\n  ssid=\"acme\"\n  psk=\"%s\"\n}", alnumOf(12)},
	"nmcli":                   {"nmcli dev wifi connect acme password %s", alnumOf(12)},
	"Redis":                   {"requirepass %s\n", alnumOf(20)},
	"rclone":                  {"[remote]\ntype = sftp\npass = %s\n", alnumOf(30)},
	"aws configure":           {"aws_secret_access_key = %s\n", base64Of(30)},
	"aws configure, dialogue": {"AWS Access Key ID [None]: AKIA\nAWS Secret Access Key [None]: %s\n", alnumOf(40)},
	"maven":                   {"<server><id>acme</id><username>bob</username><password>%s</password></server>", alnumOf(12)},
	"gradle":                  {"signing.password=%s\n", alnumOf(12)},
	"NuGet":                   {"dotnet nuget add source https://n.acme.io -u bob -p %s --store-password-in-clear-text", alnumOf(14)},
	"FTP":                     {"lftp -u bob,%s ftp.acme.io", alnumOf(12)},
	"rsync":                   {"RSYNC_PASSWORD=%s rsync a b::c", alnumOf(12)},
	"git credentials":         {"https://bob:%s@git.acme.io\n", alnumOf(20)},
	"PowerShell":              {"$p = ConvertTo-SecureString \"%s\" -AsPlainText -Force", alnumOf(14)},
	"PowerShell, variable":    {"$env:DB_PASSWORD = \"%s\"", alnumOf(14)},
	"cmd":                     {"setx DB_PASSWORD %s", alnumOf(14)},
	"cryptsetup":              {"echo -n '%s' | cryptsetup luksOpen /dev/sda2 root", alnumOf(14)},
	"vault":                   {"vault kv put secret/db password=%s", alnumOf(14)},
	"heroku":                  {"heroku config:set SECRET_TOKEN=%s", alnumOf(40)},
	"GitHub secret":           {"gh secret set DEPLOY_KEY --body %s", alnumOf(40)},
	"fly":                     {"fly secrets set SESSION_KEY=%s", alnumOf(40)},
	"basic auth header":       {"Authorization: Basic %s", func(d draw) string { return base64.StdEncoding.EncodeToString([]byte("bob:" + d.alnum(12))) }},
	"X-API-Key":               {"-H 'X-API-Key: %s'", alnumOf(32)},
	"SNMP":                    {"snmpwalk -v3 -u bob -A %s -X x host", alnumOf(12)},
	"IPMI":                    {"ipmitool -H h -U admin -P %s power status", alnumOf(12)},
	"RDP":                     {"xfreerdp /v:h /u:bob /p:%s", alnumOf(12)},
	"VNC":                     {"x11vnc -passwd %s", alnumOf(8)},
}

func alnumOf(n int) func(d draw) string { return func(d draw) string { return d.alnum(n) } }
func hexOf(n int) func(d draw) string   { return func(d draw) string { return d.hex(n) } }
func base32Of(n int) func(d draw) string {
	return func(d draw) string { return d.of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", n) }
}
func base64Of(n int) func(d draw) string {
	return func(d draw) string { return binary(d, n) }
}
func jwtOf(d draw) string {
	return "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "JzdWIiOiI" + d.alnum(20) + "." + d.alnum(43)
}

// wordsOf are words as a wallet draws them.
func wordsOf(n int) func(d draw) string {
	list := []string{"abandon", "river", "candle", "orbit", "zebra", "velvet", "tunnel", "glory", "punch", "oyster", "magnet", "ladder", "kitten", "hockey", "fabric", "dragon"}
	return func(d draw) string {
		out := ""
		for i := range n {
			if i > 0 {
				out += " "
			}
			out += list[d.r.IntN(len(list))]
		}
		return out
	}
}

func TestWhatDevelopersPasteIsReplaced(t *testing.T) {
	replacesAll(t, pasted)
}
