package transcript

import "testing"

func TestWhatAHookToldStandsApartFromThePrompt(t *testing.T) {
	const told = "<hook_context>" + InjectedMark + " · begin\n· a note about &lt;b&gt;\n" + InjectedMark + " · end ═══\n</hook_context>"
	wrapped, words := Unwrap(told + "\n\ncount the stars")
	if wrapped != told || words != "count the stars" || !Injected(wrapped) || Injected(words) {
		t.Errorf("around %q, said %q", wrapped, words)
	}
}
