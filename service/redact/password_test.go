package redact

import (
	"fmt"
	"testing"
)

// passwordPlaces are where nothing but a literal password can stand. %s is its place.
var passwordPlaces = map[string]string{
	"env":                     "DB_PASSWORD=%s\n",
	"env, small letters":      "password=%s\n",
	"env, exported":           "export PGPASSWORD=%s\n",
	"env, in front":           "PGPASSWORD=%s psql -h db",
	"env, short name":         "DB_PW=%s\nDB_HOST=db\n",
	"env, one word":           "SMTPPASSWD=%s\n",
	"env, with a remark":      "DB_PASSWORD=%s # rotate\n",
	"env, in a JSON string":   `{"stdout":"DB_USER=app\nDB_PASSWORD=%s\nDB_PORT=1"}`,
	"docker -e":               "docker run -e POSTGRES_PASSWORD=%s -p 80:80 acme/app",
	"compose, list":           "environment:\n  - MYSQL_PASSWORD=%s\n  - MYSQL_DATABASE=app\n",
	"INI":                     "[client]\nuser = root\npassword = %s\n",
	"properties":              "spring.datasource.username=app\nspring.datasource.password=%s\n",
	"YAML":                    "db:\n  user: app\n  password: %s\n",
	"YAML, quoted":            "db:\n  user: app\n  password: '%s'\n",
	"JSON":                    `{"user": "bob", "password": "%s"}`,
	"JSON in a string":        `{"body": "{\"password\": \"%s\"}"}`,
	"TOML":                    "[db]\npassword = \"%s\"\n",
	"Go":                      "Config{\n\tUser: \"bob\",\n\tPassword: \"%s\",\n}",
	"Python":                  `connect(host="db", password="%s", port=5432)`,
	"Java":                    `ds.setPassword("%s");`,
	"PHP":                     "'password' => '%s',",
	"C#":                      `var c = new NetworkCredential("bob", "%s");`,
	"Go, basic":               `req.SetBasicAuth("bob", "%s")`,
	"Go, mail":                `smtp.PlainAuth("", "bob@acme.io", "%s", "smtp.acme.io")`,
	"Python, tuple":           `requests.get(url, auth=("bob", "%s"))`,
	"flag":                    "app login --user bob --password %s host",
	"flag, last":              "app login --password %s\n",
	"flag, joined":            "app login --password=%s",
	"mysql":                   "mysql -u root -p%s app",
	"sshpass":                 "sshpass -p %s ssh root@host",
	"docker login":            "docker login -u bob -p %s registry.acme.io",
	"docker login, continued": "docker login \\\n  -u bob \\\n  -p %s \\\n  registry.acme.io",
	"psexec":                  `psexec \\10.0.0.1 -u Administrator -p %s cmd`,
	"ldapsearch":              "ldapsearch -x -D cn=admin,dc=acme -w %s -b dc=acme",
	"openssl":                 "openssl rsa -in key.pem -passin pass:%s",
	"curl":                    "curl -u bob:%s https://api.acme.io",
	"URL":                     "DATABASE_URL=postgres://app:%s@db.internal:5432/app\n",
	"URL without user":        "redis://:%s@cache:6379/0",
	"connection string":       "Server=db;User Id=sa;Password=%s;Encrypt=yes",
	"JDBC":                    "jdbc:mysql://db:3306/app?user=app&password=%s&useSSL=true",
	"netrc":                   "machine git.acme.io login bob password %s\n",
	"XML":                     "<user>bob</user><password>%s</password>",
	"XML, attributes":         `<add key="SmtpPassword" value="%s" />`,
	"SQL":                     "CREATE USER app IDENTIFIED BY '%s';",
	"prose, quoted":           `The default password is "%s", change it.`,
}

func TestPasswordsOfLettersOnlyAreReplaced(t *testing.T) {
	r := newTestRedactor(t)
	const small = "abcdefghijklmnopqrstuvwxyz"
	total, missed := 0, 0
	for name, place := range passwordPlaces {
		t.Run(name, func(t *testing.T) {
			for _, word := range []string{"whiteduke", "goodspec", "braksha", "blooberry", "Winterfell", "correcthorsebatterystaple", "open-sesame"} {
				if text := fmt.Sprintf(place, word); !gone(t, r, text, word) {
					t.Errorf("%q is left", text)
				}
			}
			for seed := range uint64(60) {
				d := newDraw(seed)
				word := d.of([]string{small, alnumAll[:52]}[seed%2], 8+int(seed%12))
				total++
				if !gone(t, r, fmt.Sprintf(place, word), word) {
					missed++
				}
			}
		})
	}
	if missed*200 > total {
		t.Errorf("%d of %d passwords that a machine drew are left, more than 0.5 %%", missed, total)
	}
}

func gone(t *testing.T, r *Redactor, text, secret string) bool {
	t.Helper()
	clean, _, err := r.Text(text)
	if err != nil {
		t.Fatal(err)
	}
	return !survives(secret, clean)
}

func TestWordsThatStandForAPasswordStay(t *testing.T) {
	r := newTestRedactor(t)
	for _, place := range []string{passwordPlaces["env"], passwordPlaces["YAML"], passwordPlaces["JSON"], passwordPlaces["flag"], passwordPlaces["URL"]} {
		for _, word := range []string{"changeme", "yourpassword", "your_password_here", "password", "secret", "test-password", "string",
			"<password>", "${DB_PASSWORD}", "********", "xxxxxxxx", "thisismypassword", "123456", "EXAMPLE", "Passwort", "contrasena"} {
			text := fmt.Sprintf(place, word)
			if clean, _, err := r.Text(text); err != nil || clean != text {
				t.Errorf("%q became %q, %v", text, clean, err)
			}
		}
	}
}

func TestCodeAboutSecretsStays(t *testing.T) {
	r := newTestRedactor(t)
	for _, text := range []string{
		"\tsecrets = byteorder.BEAppendUint16(secrets, 0)",
		"earlySecret = tls13.NewEarlySecret(cipherSuite.hash.New, session.secret)",
		"cert := Certificate{\n\tPrivateKey:  testRSA2048PrivateKey,\n}",
		"config.Certificates[0].PrivateKey = testEd25519PrivateKey\n",
		"OAuth2Authorization authorization = TestOAuth2Authorizations.authorization(registeredClient).build();",
		"var testKey = []byte{0x00, 0x11, 0x22}",
		"password = os.Args[4]",
		"decoded_secret = Base.decode64!(secret)",
		"FS_IOC_REMOVE_ENCRYPTION_KEY = 0xc0406618",
		"await page.type(\"#password\", process.env.AUTH0_PASSWORD!)",
		"'password' => '--password='.$connection['password'],",
		"public Saml2Credential(@Nullable PrivateKey privateKey, X509Certificate certificate)",
		`new TestingAuthenticationToken("user", "password", "ROLE_GENERAL");`,
		`userRepo.save(User.withUsernameAndPassword("denied", "password"));`,
		`{"Action":"pass","Package":"errors","Elapsed":0}`,
		`{"bucket":"pass","completedAt":"2026-07-13T19:57:03Z","verdict":"pass","assertions":[]}`,
		"[crypto](crypto.md): `derivePassword`, `sha256sum`, `genPrivateKey`",
		"BindAuthenticator.emptyPassword=\\u7528\\u6237\\u540d\\u6216\\u5bc6\\u7801\n",
		"Provider.badCredentials = \\uc790\\uaca9 \\uc99d\\uba85\n",
		"HostKeyAlgorithms: \"ecdsa-sha2-nistp256-cert-v01@openssh.com,ecdsa-sha2-nistp384\"",
		"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
		"Token: `urn:uuid:181d4fae-7d8c-11d0-a765-00a0c91e6bf2`",
		"https?://([a-f0-9]{8}:[a-f0-9]{8})@(?:gems.acme.io)",
		"publicKeyToken=\"6595b64144ccf1df\"",
		"PASS=\"\\x1b[32mPASS\"",
		"interface Login {\n  user: string\n  password: string\n}",
		"this.user = user\nthis.password = plaintext\n",
		"def login(user, password=default_password):",
		"const RIGHTWARDS_ARROW_FROM_BAR=String.fromCharCode(0x21A6);const GREATER_THAN=String.fromCharCode(0x2265);",
		"\tauthorization = TestOAuth2Authorizations\n\t\t.authorization(client)\n",
		"\t\thKey = maxOfUint32(hKey, b.highlowcontainer.keys)",
		"\"stateless_reset_token\":\"0102030405060708090a0b0c0d0e0f10\"",
		"encryption_key = \"00112233445566778899aabbccddeeff\"",
		"<Color x:Key=\"NormalBrushGradient1\">#FFBAE4FF</Color>",
		"cmd/rules/1password.go:1password-service-account-token:25",
		"rpool,v1.0.0,h1:GqA5TC/0021Y/b9FG4Oi9Mr3q7XYx6KllzawFIhcdPw=,7f59f32c568539afee9a21a665a4156962b019beaac8404e26ba37af056b4f1e",
		"`credentials/processcreds#Options`, or `credentials/ec2rolecrds#Options`",
		"use --password when you connect to a database",
		"{\"label\": {\"password\": \"Passwort\", \"forgotPassword\": \"Vergessen\"}}",
		"rules: { password: 'required', token: 'nullable' }",
		"passwd:         files systemd\ngroup:          files systemd\n",
		"The password is required. Your password is invalid. The password is incorrect, the password was changed.",
	} {
		if clean, _, err := r.Text(text); err != nil || clean != text {
			t.Errorf("%q\nbecame\n%q, %v", text, clean, err)
		}
	}
}
