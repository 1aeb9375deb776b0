package daemon

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/assets"
	"dormouse/service/api"
	"dormouse/store/home"
)

// saidForms are how a person or an agent gives a password away, as decisions and wishes that would be remembered. %s is its place.
var saidForms = []string{
	"We decided to use the password %s for the staging database.", "From now on always use %s as the root password.", "The admin password is %s from now on.",
	"Remember: the password for bob: %s", "Please always log in with bob / %s on the wiki.", "I prefer that the api key is %s on staging.",
	"Decision: my token: %s goes into CI.", "Always run echo %s | sudo -S apt update before the build.", "We decided on sshpass -p %s ssh bob@host.",
	"Always pack with zip -P %s out.zip dir.", "From now on call curl -u bob:%s https://acme.io/x.", "Never forget: PGPASSWORD=%s psql -h db.",
	"We chose ALTER USER bob PASSWORD '%s'; for the migration.", "Merke dir: das Passwort ist %s", "Wir nehmen ab jetzt das Passwort %s für den Server.",
	"Le mot de passe est %s pour toujours.", "Recuerda: la contraseña es %s", "请记住，数据库密码是%s", "以后登录口令：%s", "The passphrase is %s and we keep it.",
}

// saidTranscript writes a session of Claude Code in which each secret is said in each way in turn, by the person and by the agent.
func saidTranscript(t *testing.T, path string, secrets []string) {
	t.Helper()
	var out strings.Builder
	parent := any(nil)
	for i, s := range secrets {
		text := fmt.Sprintf(saidForms[i%len(saidForms)], s)
		for j, role := range []string{"user", "assistant"} {
			id := fmt.Sprintf("5a1d0000-0000-4000-8000-%06d%06d", i, j)
			message := map[string]any{"role": role, "content": text}
			if role == "assistant" {
				message = map[string]any{"role": role, "id": "msg_" + id, "model": "claude", "content": []any{map[string]any{"type": "text", "text": "Done. " + text}}}
			}
			line, err := json.Marshal(map[string]any{"type": role, "uuid": id, "parentUuid": parent, "sessionId": "5a1d0000-0000-4000-8000-000000000000", "cwd": "/w/app",
				"timestamp": fmt.Sprintf("2026-01-02T%02d:%02d:00Z", 1+i/30, 2*(i%30)+j), "message": message})
			if err != nil {
				t.Fatal(err)
			}
			out.Write(append(line, '\n'))
			parent = id
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(out.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSixtySecretsThatWereSaidAreNowhereInTheStateFolderNorTold(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	var secrets []string
	for range 60 {
		b := make([]byte, 12)
		for i := range b {
			b[i] = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"[r.IntN(56)]
		}
		secrets = append(secrets, "k7"+string(b)+"Q4")
	}
	roots, dir := samples(t), t.TempDir()
	saidTranscript(t, filepath.Join(roots, filepath.FromSlash(assets.SampleClaude), "-w-app", "5a1d0000-0000-4000-8000-000000000000.jsonl"), secrets)
	s := start(t, params(dir, roots))
	if st, err := s.Status(t.Context()); err != nil || st.Counts.Sessions != 10 || st.Counts.Redacted < 120 {
		t.Errorf("%v, counts %+v", err, st.Counts)
	}
	told := ""
	for _, prompt := range []string{"", "what is the password of the staging database?"} {
		in, err := s.Inject(t.Context(), api.InjectQuery{Agent: "claude-code", Cwd: "/w/app", Prompt: prompt})
		if err != nil {
			t.Fatal(err)
		}
		told += in.Text + in.Output
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	leak := func(where, content string) {
		low := strings.ToLower(content)
		for _, secret := range secrets {
			if i := strings.Index(low, strings.ToLower(secret)); i >= 0 {
				t.Errorf("%s holds a secret: %q", where, low[max(0, i-60):min(len(low), i+30)])
				return
			}
		}
	}
	leak("what is told", told)
	err := filepath.WalkDir(home.At(dir).Dir(), func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(p)
		leak(p, string(b))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	eachOfIndex(t, home.At(dir).Index(), leak)
	for _, repository := range repositories(t, dir) {
		leak(repository, git(t, repository, "cat-file", "--batch-all-objects", "--batch"))
	}
}
