package recall

import (
	"slices"
	"strings"
	"testing"

	"dormouse/store/index/words"
	"dormouse/store/memory"
)

func TestSentencesEndWhereTheyEnd(t *testing.T) {
	for text, want := range map[string][]string{
		"The port is 8443. It was 8080 before the change!": {"The port is 8443.", "It was 8080 before the change!"},
		"- one\n- two\n\n```\ncode()\n```":                 {"one", "two", "code()"},
		"The answer is:\n8443":                             {"The answer is: 8443"},
		"Use v1.2.3 of foo.bar, e.g. from main.go":         {"Use v1.2.3 of foo.bar, e.g. from main.go"},
		"端口是8443。以前是8080！":                                 {"端口是8443。", "以前是8080！"},
		"":                                                 nil,
		"bad \xff utf8":                                    {"bad \uFFFD utf8"},
		strings.Repeat("word ", 200):                       {strings.TrimSpace(strings.Repeat("word ", 96)) + ellipsis},
	} {
		if got := sentences(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestAnswersAreTheSentencesThatHoldWhatIsAskedFor(t *testing.T) {
	sources := [][]Said{
		{{Text: "Which port does the gateway listen on? I forgot."}, {Text: "The gateway listens on port 8443. The database is elsewhere."}},
		{{Text: "The database listens on port 5432."}},
		{{Text: "Renamed the parser."}, {Text: "the gateway listens on port 8443"}},
	}
	got := Answers(words.New(), "Which port does the gateway listen on?", sources, 3)
	if len(got) == 0 || got[0].Text != "The gateway listens on port 8443." || got[0].From != 0 || got[0].Said != 1 {
		t.Fatalf("%+v", got)
	}
	for i, a := range got {
		if strings.Contains(a.Text, "Renamed") || i > 0 && strings.EqualFold(strings.TrimSuffix(a.Text, "."), "the gateway listens on port 8443") {
			t.Errorf("%d: %+v", i, a)
		}
	}
	for _, q := range []string{"Who painted the Mona Lisa?", "the of and", "", "\x00"} {
		if got := Answers(words.New(), q, sources, 3); len(got) != 0 {
			t.Errorf("%q is answered with %+v", q, got)
		}
	}
	if got := Answers(words.New(), "网关端口", [][]Said{{{Text: "数据库在别处。网关端口是8443。"}}}, 3); len(got) != 1 || got[0].Text != "网关端口是8443。" {
		t.Errorf("%+v", got)
	}
}

func TestWhatIsSaidInATurn(t *testing.T) {
	nodes := []memory.Node{
		{ID: "1", Role: memory.RoleUser, Output: "why?", Metadata: memory.Metadata{Kind: memory.KindPrompt}},
		{ID: "2", Role: memory.RoleUser, Output: memory.Mark, Metadata: memory.Metadata{Kind: memory.KindInjected}},
		{ID: "3", Role: memory.RoleTool, Name: "mcp__dormouse__memory_search", Output: "told"},
		{ID: "4", Role: memory.RoleTool, Name: "Bash", Metadata: memory.Metadata{Commands: []string{"go test"}}},
		{ID: "5", Role: memory.RoleAssistant, Output: "because"},
	}
	said, who := SaidInTurn(nodes, nil)
	if len(said) != 3 || !slices.Equal(who, []string{"person", "tool", "agent"}) || said[2].Node != "5" {
		t.Errorf("%+v %v", said, who)
	}
	if said, _ := SaidInTurn(nodes, []string{"5"}); len(said) != 1 {
		t.Errorf("%+v", said)
	}
}
