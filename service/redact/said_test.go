package redact

import (
	"fmt"
	"strings"
	"testing"

	"dormouse/store/memory"
)

// saidPlaces are where a person or a command states a password in passing. %s is its place.
var saidPlaces = map[string]string{
	"use the password":      "use the password %s for the staging database",
	"use password":          "please use password %s when you log in",
	"as the password":       "you can log in with %s as the password",
	"as password":           "use %s as password",
	"X is the password":     "%s is the password for the wiki",
	"password is":           "the password is %s",
	"password is, more":     "The admin password is %s, and the host is db1.",
	"password is now":       "the root password is now %s",
	"password was":          "the old password was %s and has to go",
	"password will be":      "the new password will be %s from Monday",
	"password should be":    "the password should be %s",
	"password for":          "password for bob: %s",
	"password for is":       "the password for the staging box is %s",
	"password of":           "the password of root is %s",
	"password on":           "my password on that host is %s",
	"password, comma":       "user bob, password %s",
	"password in brackets":  "log in as bob (password %s)",
	"password, brackets":    "the password (%s) is on the wiki",
	"password dash":         "password - %s",
	"password arrow":        "password -> %s",
	"set password to":       "set the password to %s",
	"changed from":          "changed the password from %s to something new",
	"with password":         "connect as bob with password %s",
	"login with slash":      "login with bob / %s",
	"log in as slash":       "log in as bob / %s please",
	"login slash":           "login: bob / %s",
	"credentials slash":     "the credentials are bob / %s",
	"creds colon":           "creds: bob:%s",
	"user pass":             "user bob pass %s",
	"username and password": "username and password are bob and %s",
	"api key is":            "the api key is %s",
	"API key":               "here is my API key: %s",
	"token colon":           "my token: %s",
	"token is":              "the access token is %s",
	"secret is":             "the client secret is %s",
	"pwd":                   "pwd=%s",
	"pwd colon":             "pwd: %s",
	"pw":                    "pw is %s",
	"pass is":               "pass is %s",
	"passphrase":            "the passphrase is %s",
	"passphrase for":        "passphrase for the key: %s",
	"passcode":              "the passcode is %s",
	"echo sudo":             "echo %s | sudo -S apt update",
	"echo quoted sudo":      "echo '%s' | sudo -S -p '' apt update",
	"sudo here string":      "sudo -S apt update <<< %s",
	"sshpass":               "sshpass -p %s ssh bob@host",
	"sshpass quoted":        "sshpass -p '%s' ssh bob@host",
	"zip":                   "zip -P %s out.zip secret.txt",
	"zip -e":                "zip -r -P %s out.zip dir",
	"unzip":                 "unzip -P %s in.zip",
	"7z":                    "7z x -p%s a.7z",
	"7z a":                  "7z a -p%s -mhe=on a.7z dir",
	"openssl -k":            "openssl enc -aes-256-cbc -k %s -in a -out b",
	"openssl -pass":         "openssl enc -aes-256-cbc -pass pass:%s -in a",
	"net use":               `net use \\h\share /user:bob %s`,
	"net use, first":        `net use Z: \\h\share %s /user:bob`,
	"net user":              "net user bob %s /add",
	"mysql":                 "mysql -u root -p%s app",
	"mysqldump":             "mysqldump -uroot -p%s app > a.sql",
	"curl":                  "curl -u bob:%s https://h/x",
	"curl, joined":          "curl -ubob:%s https://h/x",
	"wget":                  "wget --user=bob --password=%s https://h/x",
	"http":                  "http -a bob:%s https://h/x",
	"docker login":          "docker login -p %s -u bob r.io",
	"htpasswd":              "htpasswd -b f bob %s",
	"htpasswd -bc":          "htpasswd -bc /etc/nginx/.htpasswd bob %s",
	"PGPASSWORD":            "PGPASSWORD=%s psql -h db",
	"ALTER USER":            "ALTER USER bob PASSWORD '%s';",
	"ALTER USER WITH":       "ALTER USER bob WITH PASSWORD '%s';",
	"ALTER ROLE":            "alter role bob with login encrypted password '%s'",
	"CREATE USER":           "CREATE USER bob IDENTIFIED BY '%s';",
	"IDENTIFIED WITH":       "ALTER USER 'bob'@'%%' IDENTIFIED WITH mysql_native_password BY '%s';",
	"SET PASSWORD":          "SET PASSWORD FOR 'bob'@'localhost' = PASSWORD('%s');",
	"kubectl":               "kubectl create secret generic db --from-literal=password=%s",
	"kubectl, quoted":       "kubectl create secret generic db --from-literal=password='%s'",
	"chpasswd":              "echo 'bob:%s' | chpasswd",
	"passwd stdin":          "echo %s | passwd --stdin bob",
	"docker login stdin":    "echo %s | docker login -u bob --password-stdin",
	"gpg":                   "gpg --batch --passphrase %s -c a.txt",
	"ssh-keygen":            "ssh-keygen -t ed25519 -N %s -f k",
	"ssh-keygen quoted":     "ssh-keygen -t ed25519 -N '%s' -f k",
	"ansible":               `ansible-playbook x.yml -e "ansible_become_pass=%s"`,
	"redis-cli":             "redis-cli -h h -a %s ping",
	"mongo":                 "mongosh -u bob -p %s db",
	"smbclient":             "smbclient //h/s -U bob%%%s",
	"ldap":                  "ldapsearch -x -D cn=a -w %s",
	"rar":                   "unrar x -p%s a.rar",
	"expect":                "expect \"assword:\"\nsend \"%s\\r\"\n",
	"German is":             "das Passwort ist %s",
	"German colon":          "Passwort: %s",
	"German for":            "das Passwort für den Server lautet %s",
	"German Kennwort":       "Kennwort: %s",
	"German mit":            "melde dich mit dem Passwort %s an",
	"German Zugangsdaten":   "Zugangsdaten: bob / %s",
	"German als":            "nimm %s als Passwort",
	"French est":            "le mot de passe est %s",
	"French colon":          "mot de passe : %s",
	"French pour":           "le mot de passe pour bob est %s",
	"Spanish es":            "la contraseña es %s",
	"Spanish colon":         "contraseña: %s",
	"Spanish clave":         "la clave es %s",
	"Portuguese":            "a senha é %s",
	"Italian":               "la password è %s",
	"Dutch":                 "het wachtwoord is %s",
	"Polish":                "hasło: %s",
	"Russian":               "пароль: %s",
	"Russian dash":          "пароль — %s",
	"Chinese is":            "密码是%s",
	"Chinese is, space":     "数据库密码是 %s",
	"Chinese for":           "密码为%s",
	"Chinese colon":         "密码：%s",
	"Chinese spoken":        "口令是%s",
	"Chinese key":           "密钥：%s",
	"Chinese use":           "用密码%s登录",
	"Japanese":              "パスワードは%sです",
	"Korean":                "비밀번호는 %s 입니다",
}

// keyPlaces are those of saidPlaces where a machine made the value, so that a person's password is not looked for.
var keyPlaces = map[string]bool{"api key is": true, "API key": true, "token colon": true, "token is": true, "secret is": true, "Chinese key": true}

func TestPasswordsThatAreSaidInPassingAreReplaced(t *testing.T) {
	r := newTestRedactor(t)
	for name, place := range saidPlaces {
		t.Run(name, func(t *testing.T) {
			for _, word := range []string{"kX9#mPq2vL", "Tr0ub4dor&3", "Sommer2024!", "kqzvwxjh7", "gH7-pQ2x_9Kd"} {
				if keyPlaces[name] && (word == "Sommer2024!" || word == "kqzvwxjh7") {
					continue
				}
				if text := fmt.Sprintf(place, word); !gone(t, r, text, word) {
					t.Errorf("%q is left", text)
				}
			}
			for _, word := range []string{"winterfell", "sunshine", "tiger-42", "hunter2"} {
				text, _, err := r.Text(fmt.Sprintf(place, word))
				if err != nil {
					t.Fatal(err)
				}
				if clean := memory.Guard(text); !commands[name] && !keyPlaces[name] && strings.Contains(clean, word) {
					t.Errorf("%q would be remembered", clean)
				}
			}
		})
	}
}

// commands are those of saidPlaces that no sentence is; what stands there is judged by redaction alone, to which some words stand for others.
var commands = map[string]bool{"PGPASSWORD": true, "curl": true, "curl, joined": true, "http": true, "zip": true, "zip -e": true, "unzip": true,
	"7z": true, "7z a": true, "rar": true, "openssl -k": true, "openssl -pass": true, "net use": true, "net use, first": true, "net user": true,
	"mysql": true, "mysqldump": true, "docker login": true, "htpasswd": true, "htpasswd -bc": true, "echo sudo": true, "echo quoted sudo": true,
	"sudo here string": true, "sshpass": true, "sshpass quoted": true, "CREATE USER": true, "IDENTIFIED WITH": true, "SET PASSWORD": true,
	"chpasswd": true, "passwd stdin": true, "docker login stdin": true, "ssh-keygen": true, "ssh-keygen quoted": true, "redis-cli": true,
	"mongo": true, "smbclient": true, "ldap": true, "expect": true, "gpg": true, "ansible": true, "wget": true}

// TestProseAboutSecretsStays takes sentences in which a word follows the name of a secret and is none: neither redaction nor what takes its place
// before something is remembered may touch them.
func TestProseAboutSecretsStays(t *testing.T) {
	r := newTestRedactor(t)
	for _, text := range []string{
		"The password is wrong.", "the password was incorrect", "Your password is required", "password reset", "the password field is empty",
		"api key is missing", "The API key is invalid or expired.", "the token is stored in the keychain", "password: string", "password: required",
		"Passwords are hashed with argon2id.", "the password is hashed with bcrypt", "use the password manager", "use a password manager instead",
		"with password authentication disabled", "Added password validation", "log in with Google / GitHub", "login with email and password",
		"the access token is refreshed every hour", "token budget is 2000", "max tokens: 4096", "the secret is in Vault", "The password is never logged.",
		"changed the password policy from weak to strong", "the passphrase is optional", "das Passwort ist falsch", "Passwort vergessen?",
		"le mot de passe est obligatoire", "la contraseña es incorrecta", "密码是必填的", "密码长度至少十二位", "パスワードは必須です",
		"we must pass the value to the handler", "--- PASS: TestHasUncommittedChanges (0.04s)", "All checks pass: fmt, lint and test",
		"the password prompt is shown twice", "it is the password that is wrong", "the problem is the password", "this is the token for the lexer",
		"echo $SUDO_PASS | sudo -S apt update", "echo hello | sudo tee /etc/motd", "zip -r out.zip dir", "net use Z: /delete", "openssl enc -k \"$KEY\" -in a",
		"the key is to keep it simple", "Password for user bob:", "enter the password for the database", "the pin is soldered", "pin the version: 1.2.3",
	} {
		if clean, _, err := r.Text(text); err != nil || clean != text {
			t.Errorf("%q became %q, %v", text, clean, err)
		}
		if clean := memory.Guard(text); clean != text {
			t.Errorf("%q would be remembered as %q", text, clean)
		}
	}
}
