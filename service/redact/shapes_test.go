package redact

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// draw makes secrets as machines and people make them, the same at every run.
type draw struct{ r *rand.Rand }

func newDraw(seed uint64) draw { return draw{rand.New(rand.NewPCG(seed, 7))} }

func (d draw) of(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[d.r.IntN(len(alphabet))]
	}
	return string(b)
}

const (
	digitsHex = "0123456789abcdef"
	lowerNum  = "abcdefghijklmnopqrstuvwxyz0123456789"
	alnumAll  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	base64All = alnumAll + "+/"
)

func (d draw) hex(n int) string   { return d.of(digitsHex, n) }
func (d draw) alnum(n int) string { return d.of(alnumAll, n) }

// password is what a person makes: a word, a number, a sign.
func (d draw) password() string {
	words := []string{"Summer", "dragon", "Correct", "mango", "Winter", "paris", "Falcon"}
	signs := []string{"!", "#", "@", "_", "-", ""}
	return words[d.r.IntN(len(words))] + fmt.Sprint(1000+d.r.IntN(9000)) + signs[d.r.IntN(len(signs))] + d.of("abcdefghkmnpqrstuvwxyz", 2)
}

func (d draw) pem(lines int) []string {
	out := []string{"-----BEGIN RSA PRIVATE KEY-----"}
	for range lines {
		out = append(out, d.of(base64All, 64))
	}
	return append(out, d.of(base64All, 40)+"==", "-----END RSA PRIVATE KEY-----")
}

// shapes are texts with a secret in them. Each function returns the text, and the pieces that must not be left.
var shapes = map[string]func(d draw) (string, []string){
	"env, bare":              withPassword("DB_HOST=localhost\nDB_PASSWORD=%s\nDB_PORT=5432\n"),
	"env, quoted":            withPassword("DB_PASSWORD=\"%s\"\n"),
	"env, exported":          withToken("export ACME_API_TOKEN=%s\n"),
	"env, with signs":        withLiteral("DB_PASSWORD=p4ss&w0rd;x^2\n", "p4ss&w0rd;x^2"),
	"docker run -e":          withToken("docker run -e ACME_SECRET_KEY=%s -p 80:80 acme/app"),
	"JSON":                   withPassword(`{"user": "bob", "password": "%s"}`),
	"JSON in a string":       withPassword(`{"body": "{\"password\": \"%s\"}"}`),
	"JSON in JSON in JSON":   withPassword(`"{\"body\": \"{\\\"password\\\": \\\"%s\\\"}\"}"`),
	"YAML":                   withPassword("db:\n  user: app\n  password: %s\n"),
	"YAML, quoted":           withToken("api_key: '%s'\n"),
	"TOML":                   withToken("[acme]\napi_token = \"%s\"\n"),
	"INI":                    withPassword("[client]\nuser=root\npassword = %s\n"),
	"properties":             withPassword("spring.datasource.password=%s\n"),
	"Python, keyword":        withPassword(`connect(host="db", password="%s", port=5432)`),
	"Python, dictionary":     withToken(`headers = {"X-Api-Key": "%s"}`),
	"Python, environment":    withToken(`os.environ["ACME_TOKEN"] = "%s"`),
	"Go, struct":             withPassword("Config{\n\tPassword: \"%s\",\n}"),
	"Go, constant":           withToken("const apiKey = \"%s\"\n"),
	"TypeScript, typed":      withToken("const clientSecret: string = '%s';"),
	"JavaScript, object":     withToken("const cfg = { clientSecret: `%s` };"),
	"Java, setter":           withPassword("ds.setPassword(\"%s\");"),
	"PHP, array":             withPassword("'password' => '%s',"),
	"Ruby, symbol":           withPassword(":password => \"%s\""),
	"C#, setenv":             withToken(`setenv("ACME_API_KEY", "%s", 1);`),
	"flag, apart":            withPassword("app login --user bob --password %s --verbose"),
	"flag, joined":           withToken("acme deploy --token=%s"),
	"helm --set":             withPassword("helm install x ./x --set auth.password=%s"),
	"mysql -p":               withPassword("mysql -u root -p%s -h db app"),
	"sshpass -p":             withPassword("sshpass -p '%s' ssh root@host"),
	"curl -u":                withPassword("curl -u admin:%s https://api.acme.io/v1"),
	"curl header":            withToken(`curl -H "Authorization: Bearer %s" https://api.acme.io/v1`),
	"curl header, escaped":   withToken(`{"command":"curl -H \"Authorization: Bearer %s\" https://api.acme.io"}`),
	"header, token scheme":   withToken("> Authorization: token %s\n> Accept: */*\n"),
	"header, own":            withToken("X-Acme-Api-Key: %s\n"),
	"header, private token":  withToken("PRIVATE-TOKEN: %s\n"),
	"header, basic":          basicHeader,
	"cookie":                 withToken("Cookie: theme=dark; session=%s; lang=en\n"),
	"set-cookie":             withToken("< Set-Cookie: sid=%s; Path=/; HttpOnly\n"),
	"postgres URL":           withPassword("DATABASE_URL=postgres://app:%s@db.internal:5432/app\n"),
	"mongodb URL":            withPassword("mongodb+srv://app:%s@cluster0.abcde.mongodb.net/test"),
	"redis URL":              withPassword("redis://:%s@cache:6379/0"),
	"git remote":             withToken("origin\thttps://oauth2:%s@git.acme.io/acme/app.git (fetch)"),
	"token as user":          withToken("https://%s@git.acme.io/acme/app.git"),
	"JDBC":                   withPassword("jdbc:mysql://db:3306/app?user=app&password=%s&useSSL=true"),
	"connection string":      withPassword("Server=db;Database=app;User Id=sa;Password=%s;Encrypt=yes"),
	"storage account":        storageAccount,
	"query string":           withToken("GET /v1/items?api_key=%s&limit=10 HTTP/1.1"),
	"AWS credentials":        awsCredentials,
	"npmrc":                  withToken("//registry.acme.io/:_authToken=%s\n"),
	"pypirc":                 withPassword("[pypi]\nusername = bob\npassword = %s\n"),
	"netrc":                  withPassword("machine git.acme.io login bob password %s\n"),
	"docker config":          dockerConfig,
	"kubernetes secret":      kubernetesSecret,
	"kubeconfig key":         kubeconfigKey,
	"kubernetes env":         withToken("env:\n  - name: ACME_TOKEN\n    value: \"%s\"\n"),
	"XML element":            withPassword("<server><username>bob</username><password>%s</password></server>"),
	"XML attributes":         withPassword(`<add key="SmtpPassword" value="%s" />`),
	"SQL user":               withPassword("CREATE USER app IDENTIFIED BY '%s';"),
	"SQL role":               withPassword("ALTER ROLE app WITH PASSWORD '%s';"),
	"terraform":              withPassword("  administrator_login_password = \"%s\"\n"),
	"prose, password":        withPassword("The admin password is %s, please don't share it."),
	"prose, key":             withRandom("I put the key %s in .env, can you check why it fails?"),
	"prose, token":           withRandom("using token %s for request 8842"),
	"diff":                   withPassword("-  password: old\n+  password: %s\n"),
	"PEM":                    pemShape("\n"),
	"PEM, escaped":           pemShape(`\n`),
	"PEM, twice escaped":     pemShape(`\\n`),
	"PEM, indented":          pemShape("\n      "),
	"PEM, diff":              pemShape("\n+"),
	"PEM, CRLF":              pemShape("\r\n"),
	"PEM, quoted mail":       pemShape("\n> "),
	"PEM, cut off":           pemCut,
	"PEM, concatenated":      pemShape("\\n\" +\n    \""),
	"PEM in base64":          pemBase64,
	"service account":        serviceAccount,
	"JWT":                    jwtShape,
	"env in base64":          envBase64,
	"token over two lines":   func(d draw) (string, []string) { return brokenToken(d, "\n") },
	"token, wrapped, indent": func(d draw) (string, []string) { return brokenToken(d, "\n    ") },
	"token, shell break":     func(d draw) (string, []string) { return brokenToken(d, "\\\n") },
	"value over two lines":   brokenValue,
	"bare value, wrapped":    wrappedValue,
	"shared access signature": func(d draw) (string, []string) {
		s := d.of(alnumAll, 43)
		return "https://x.blob.core.windows.net/c?sv=2022&sig=" + s + "%3D", []string{s}
	},
	"private span": withLiteral("my mother's name is <private>Jane\nof Orleans</private>, really", "Orleans"),
	"slack hook":   slackHook,
	"telegram bot": func(d draw) (string, []string) {
		s := fmt.Sprint(1e9+d.r.IntN(1e9)) + ":AA" + d.alnum(33)
		return "bot " + s, []string{s[11:]}
	},
	"maker's prefix, bare": func(d draw) (string, []string) { s := "gsk_" + d.alnum(52); return "see\n" + s + "\n", []string{s[4:]} },
	"prefix after escape": func(d draw) (string, []string) {
		s := "ghp_" + d.alnum(36)
		return `"a\n` + s + `\nb"`, []string{s[4:]}
	},
	"unseal key": func(d draw) (string, []string) {
		s := d.of(base64All, 44)
		return "Unseal Key 2: " + s + "\n", []string{s}
	},
	"unseal command": func(d draw) (string, []string) {
		s := d.of(base64All, 44)
		return "$ vault operator unseal " + s, []string{s}
	},
	"Azure DevOps": func(d draw) (string, []string) {
		s := d.alnum(76) + "AZDO" + d.alnum(4)
		return "pat " + s, []string{s}
	},
	"terraform, variable":     withToken("variable \"api_key\" {\n  type    = string\n  default = \"%s\"\n}\n"),
	"pgpass":                  withPassword("db.internal:5432:app:bob:%s\n"),
	"unknown maker":           func(d draw) (string, []string) { s := d.alnum(32); return "acme_live_" + s + " is ours", []string{s} },
	"variable without a word": func(d draw) (string, []string) { s := d.alnum(40); return "export ACME_FOO=" + s, []string{s} },
	"seed phrase":             withLiteral(`mnemonic: "legal winner thank year wave sausage worth useful legal winner thank yellow"`, "sausage worth"),
}

func withPassword(format string) func(draw) (string, []string) {
	return func(d draw) (string, []string) {
		s := d.password()
		return fmt.Sprintf(format, s), []string{s}
	}
}

func withToken(format string) func(draw) (string, []string) {
	return func(d draw) (string, []string) {
		s := []string{d.alnum(32), d.hex(40), d.of(lowerNum, 36), d.alnum(24)}[d.r.IntN(4)]
		return fmt.Sprintf(format, s), []string{s}
	}
}

// withRandom makes no hexadecimal secret: after "the key" that is as likely a hash.
func withRandom(format string) func(draw) (string, []string) {
	return func(d draw) (string, []string) {
		s := []string{d.alnum(32), d.of(lowerNum, 36), d.alnum(24)}[d.r.IntN(3)]
		return fmt.Sprintf(format, s), []string{s}
	}
}

func withLiteral(text, secret string) func(draw) (string, []string) {
	return func(draw) (string, []string) { return text, []string{secret} }
}

func newTestRedactor(t testing.TB) *Redactor {
	t.Helper()
	r, err := New(Options{Key: []byte("test key")})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestCaseX1SecretsOfEveryCommonShapeAreReplaced(t *testing.T) {
	r := newTestRedactor(t)
	for name, make := range shapes {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(20) {
				text, secrets := make(newDraw(seed))
				clean, n, err := r.Text(text)
				if err != nil || n == 0 {
					t.Fatalf("found %d, %v in\n%s", n, err, text)
				}
				for _, s := range secrets {
					if survives(s, clean) {
						t.Fatalf("%q survives in\n%s\nof\n%s", s, clean, text)
					}
				}
			}
		})
	}
}
