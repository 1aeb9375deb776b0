package pager

import "testing"

func TestDefined(t *testing.T) {
	for in, want := range map[string]string{
		"func Append(l string) error {": "Append", "func (s *Store) Fold() State {": "Fold", "   12→\ttype Store struct {": "Store",
		"export default class Panel extends X {": "Panel", "pub fn parse(s: &str) {": "parse", "async def fetch(url):": "fetch", "    def inner(self):": "inner",
		"return func() error {": "", "// type of a thing": "", "const MaxSize = 3": "MaxSize", "func () {": "", "func": "", "": "", "type = 3": "",
	} {
		if got := defined(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestLostNamesFewAndEachOnce(t *testing.T) {
	in := "def one_long_name():\ndef one_long_name():\ndef another_long_name():\ndef yet_another_rather_long_name_of_a_thing():\ndef short():\n"
	if got := lost(in); got != "one_long_name, another_long_name" {
		t.Errorf("got %q", got)
	}
}
