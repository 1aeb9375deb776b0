package redact

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEachInvisibleCharacterIsSeenByItsFirstByte(t *testing.T) {
	for c := rune(0); c <= utf8.MaxRune; c++ {
		if !utf8.ValidRune(c) {
			continue
		}
		if s := "aä界" + string(c) + "z"; hasInvisible(s) != isInvisible(c) {
			t.Fatalf("%U: %v", c, hasInvisible(s))
		}
	}
	for _, s := range []string{"", "plain", "\xe2", "\xe2\x80", "\xff\xfe", strings.Repeat("“quoted”", 9)} {
		if hasInvisible(s) {
			t.Errorf("%q", s)
		}
	}
}
