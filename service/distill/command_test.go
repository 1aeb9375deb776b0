package distill

import (
	"slices"
	"testing"

	"dormouse/store/memory"
)

func TestProjectCommandsAreToldWithoutTheirDetails(t *testing.T) {
	for part, want := range map[string][2]string{
		"go test ./... -count=1":                {"go test ./...", testedBy},
		"go test -race ./store":                 {"go test", testedBy},
		"bun test apps/cli/skills.test.ts":      {"bun test", testedBy},
		"uv run python -m pytest tests/test.py": {"uv run python -m pytest", testedBy},
		"npm run lint -- --fix":                 {"npm run lint", checkedBy},
		"golangci-lint run ./...":               {"golangci-lint run ./...", checkedBy},
		"mise run fmt":                          {"mise run fmt", checkedBy},
		"go build ./cmd/shop":                   {"go build", builtBy},
		"pnpm build":                            {"pnpm build", builtBy},
		"git status":                            {"", ""},
		"npm run dev":                           {"", ""},
		"cat build.log":                         {"", ""},
	} {
		if line, relation := projectCommand(part); line != want[0] || relation != want[1] {
			t.Errorf("projectCommand(%q) = %q %q, want %q", part, line, relation, want)
		}
	}
}

func TestACommandIsSurerTheOftenerItSucceeded(t *testing.T) {
	s := newScript("s")
	for range 3 {
		s.user("go on").bash("go test ./... 2>&1 | tail -3", "ok shop")
	}
	s.user("and again").bash("go test ./... | tail -3", "--- FAIL: TestCart\nFAIL\tshop")
	var sure []float64
	for _, ex := range s.read() {
		for _, e := range ex.Edges {
			if e.Relation == testedBy {
				sure = append(sure, e.Confidence)
			}
		}
	}
	if want := []float64{0.6, 0.7, 0.8}; !slices.EqualFunc(sure, want, func(a, b float64) bool { return a > b-0.01 && a < b+0.01 }) {
		t.Errorf("confidence %v, want %v", sure, want)
	}
}

func TestTestsThatWereLeftFailingAreAnEvent(t *testing.T) {
	red := "FAIL src/cart.test.ts\nTests: 2 failed, 10 passed"
	s := newScript("s").user("go").edit("/home/u/shop/cart.ts").bash("npm test 2>&1 | tail", red).says("Two tests still fail.")
	wantLines(t, s, "event/observed Tests were left failing: npm test (2 failed)")
	if e := s.read()[0].Events[0]; !slices.Contains(e.Entities, memory.EntityID(memory.TypeCommand, "npm test")) {
		t.Errorf("entities %q", e.Entities)
	}
	wantLines(t, newScript("s").user("go").bash("npm test | tail", red).bash("npm test | tail", "Tests: 12 passed").says("OK."))
	wantLines(t, newScript("s").user("go").bash("npm test | tail", red).edit("/home/u/shop/cart.ts").says("OK."))
}
