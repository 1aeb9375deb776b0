package proxy

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// The providers' own libraries for JavaScript are clients of a model that asks the memory, alone and beside their own calls. The variable
// names a folder in which npm installed @anthropic-ai/sdk, openai and @google/genai; make clients does that.
func TestTheProvidersLibrariesOfNpmAsClients(t *testing.T) {
	folder := os.Getenv("DORMOUSE_NPM_CLIENTS")
	if folder == "" {
		t.Skip("DORMOUSE_NPM_CLIENTS names no folder with the libraries of npm")
	}
	for name, f := range map[string]form{"anthropic": messages, "openai": chat, "google": generate} {
		b, s, _ := askingBed(t, f)
		s.will([]says{says1("Let me see. "), asks("which port?")}, []says{says1("It is 8443."), calls("Read", `{"path":"a"}`)},
			[]says{asks("and the port?"), calls("Read", `{"path":"b"}`)}, []says{asks("once more, the port?")}, []says{says1("Done.")})
		cmd := exec.CommandContext(t.Context(), "node", "testdata/client.mjs", folder, name, b.url)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
		out, err := cmd.CombinedOutput()
		want := `["Let me see. It is 8443.","Read","Read","Done."]`
		if name == "anthropic" {
			want = `["Let me see. ","It is 8443.","Read","Read","Done."]`
		}
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("%s: %v %s", name, err, got)
		}
		if st := b.proxy.Stats(); s.n != 5 || st.Tools.Queries != 3 || st.SentAnew != 0 || st.Errors != 0 {
			t.Errorf("%s: %d answers, %+v", name, s.n, st)
		}
	}
}
