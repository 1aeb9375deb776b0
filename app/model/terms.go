package model

import (
	"strings"

	"dormouse/app/lang"
	"dormouse/service/api"
	"dormouse/store/memory"
)

// typeNames are what entities may be.
var typeNames = map[string]lang.Word{memory.TypeProject: lang.Mark("Project"), memory.TypeFile: lang.Mark("File"), memory.TypeCommit: lang.Mark("Commit"),
	memory.TypeCommand: lang.Mark("Command"), memory.TypeError: lang.Mark("Error"), memory.TypeIssue: lang.Mark("Issue"), memory.TypePreference: lang.Mark("Preference"),
	memory.TypeTool: lang.Mark("Tool"), memory.TypeLibrary: lang.Mark("Library"), memory.TypeComponent: lang.Mark("Component"), memory.TypeTag: lang.Mark("Tag")}

// typeName is what an entity is.
func typeName(t string) string {
	switch {
	case t == "":
		return lang.Say("Name")
	case typeNames[t] != "":
		return typeNames[t].Text()
	}
	return strings.ToUpper(t[:1]) + Line(t[1:])
}

// TypeOf is what the first of some types of entity is called; without any, the rest.
func TypeOf(types []string) string {
	if len(types) == 0 {
		return lang.Say("Other")
	}
	return typeName(types[0])
}

// relations are those that rules find, as they are read from their two ends. A model may find others, which keep their names.
var relations = map[string][2]lang.Word{
	"part-of": {lang.Mark("is part of {name}"), lang.Mark("{name} is part of it")},
	"touches": {lang.Mark("touches {name}"), lang.Mark("{name} touches it")},
	"uses":    {lang.Mark("uses {name}"), lang.Mark("{name} uses it")},
}

// relates is a relation of an entity to another one.
func relates(relation, other string) string {
	if r, ok := relations[relation]; ok {
		return r[0].Text(other)
	}
	return relationWords(relation) + " " + other
}

// related is a relation of another one to an entity.
func related(relation, other string) string {
	if r, ok := relations[relation]; ok {
		return r[1].Text(other)
	}
	return lang.Say("{name} {relation} it", other, relationWords(relation))
}

// relationWords is a relation without words of its own, as it is said between two names.
func relationWords(relation string) string {
	words := strings.ReplaceAll(Line(relation), "-", " ")
	if strings.HasSuffix(words, " by") || strings.HasPrefix(words, "part ") {
		return "is " + words
	}
	return words
}

// missingWord is why a session cannot be opened, as it begins a line; empty where it can.
func missingWord(why string) string {
	words := map[string]lang.Word{api.MissingDeleted: lang.Mark("Deleted"), api.MissingAway: lang.Mark("Out of reach"), api.MissingElsewhere: lang.Mark("Not on this machine")}
	if w := words[why]; w != "" {
		return w.Text()
	}
	return strings.TrimSuffix(sentence(why), ".")
}

// missingWhy is why a session cannot be opened, as a part of a sentence; empty where it can.
func missingWhy(why string) string {
	if why == "" {
		return ""
	}
	return lowerFirst(missingWord(why))
}
