package lang

import "github.com/jeandeaual/go-locale"

// Choose has all texts in a language by its tag, or, where that is empty, in the one that the system is set to.
func Choose(set string) string {
	if set != "" {
		return Use(set)
	}
	tags, err := locale.GetLocales()
	if err != nil {
		tags = nil // a system that does not tell: English
	}
	return Use(tags...)
}
