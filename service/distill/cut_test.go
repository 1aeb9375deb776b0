package distill

import "testing"

func TestALineIsCutWhereAClauseEnds(t *testing.T) {
	for _, c := range []struct {
		in    string
		limit int
		want  string
	}{
		{"Removed the old hook; it was called by nobody", 30, "Removed the old hook"},
		{"The hook in the store was removed, because it was called", 45, "The hook in the store was removed"},
		{"Renamed Close() (it was Stop) in the store", 35, "Renamed Close() in the store"},
		{`For users with a full name (e.g. "John, Jane") it shows both`, 50, "For users with a full name it shows both"},
		{"看这里，缓存从未清除，因为注销只删除会话。", 44, "看这里，缓存从未清除"},
		{"a word that has no clause to be cut at whatever", 30, "a word that has no clause…"},
		{`says "a b c d e f g h i j k l m n o p q r s`, 30, `says "a b c d e f g h i j…`},
	} {
		if got := shorten(c.in, c.limit); got != c.want {
			t.Errorf("shorten(%q, %d) = %q, want %q", c.in, c.limit, got, c.want)
		}
	}
}

func TestWhatIsOpenedIsFound(t *testing.T) {
	for in, want := range map[string]int{"a (b) c": -1, "a (b c": 2, `a "b" c`: -1, `a "b c`: 2, "a) b": -1, "f(x[1]": 1, "": -1} {
		if got := opened(in); got != want {
			t.Errorf("opened(%q) = %d, want %d", in, got, want)
		}
	}
}
