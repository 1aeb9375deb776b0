package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense)([.-].*)?$`)

// permissive are the licences under which text is taken, by sentences that stand in them and in no other.
var permissive = []struct{ name, mark string }{
	{"Apache-2.0", "apache license version 2.0"},
	{"MIT", "permission is hereby granted, free of charge, to any person obtaining a copy"},
	{"ISC", "permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted"},
	{"BSD", "redistribution and use in source and binary forms, with or without modification, are permitted"},
	{"zlib", "permission is granted to anyone to use this software for any purpose, including commercial applications"},
}

// noLicence is the reason where there is no licence file.
const noLicence = "no licence file"

// binding are words of licences that ask for more.
var binding = []string{"gnu general public", "gnu lesser", "gnu affero", "mozilla public license", "eclipse public", "creative commons", "non-commercial", "business source"}

// licenceOf is the permissive licence of what lies in dir, by all licence files there. Where it is none, reason says why.
func licenceOf(dir string) (name, reason string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", "cannot be read"
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() || !licenceFile.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", "its licence cannot be read"
		}
		name, reason := classify(string(b))
		if name == "" {
			return "", reason
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return "", noLicence
	}
	return strings.Join(names, ", "), ""
}

// classify is the licence that a text is.
func classify(text string) (name, reason string) {
	low := strings.Join(strings.Fields(strings.ToLower(strings.ReplaceAll(text, "*", " "))), " ")
	low = strings.ReplaceAll(low, "apache license, version", "apache license version")
	var found []string
	for _, p := range permissive {
		if strings.Contains(low, p.mark) {
			found = append(found, p.name)
		}
	}
	for _, b := range binding {
		if strings.Contains(low, b) {
			return "", "its licence speaks of " + b
		}
	}
	if len(found) == 0 {
		return "", "its licence is not known"
	}
	return strings.Join(found, " and "), ""
}

// foreign reports whether a folder below a source has a licence of its own that is none of the permissive ones, or is kept apart as
// the work of others.
func foreign(dir string) bool {
	switch filepath.Base(dir) {
	case "third_party", "vendor", "node_modules":
		return true
	}
	_, reason := licenceOf(dir)
	return reason != "" && reason != noLicence
}
