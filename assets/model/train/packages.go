package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// npmPackages are those that the tests with real agents install and that carry documentation, in the versions that those were
// written for.
var npmPackages = []string{"@google/gemini-cli@0.61.0", "@openai/codex@0.171.0"}

// addPackages adds the documentation of npm packages.
func addPackages(c *corpus, o corpusOptions) error {
	for _, name := range npmPackages {
		dir, version, err := downloadPackage(name, o.work)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		s := source{name: strings.TrimSuffix(name, "@"+version) + " (npm)", version: version}
		if s.licence, err = packageLicence(dir); err != nil {
			s.licence = err.Error()
			c.left = append(c.left, s)
			continue
		}
		pairs, err := markdownPairs(dir, "package")
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		c.take(s, pairs, o.most)
	}
	return nil
}

// downloadPackage unpacks a package below work, without what it depends on and without running anything of it.
func downloadPackage(name, work string) (dir, version string, err error) {
	dir = filepath.Join(work, "npm", strings.NewReplacer("/", "-", "@", "-").Replace(name))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", "", err
	}
	pack := exec.Command("npm", "pack", "--silent", "--ignore-scripts", name)
	pack.Dir = dir
	if out, err := pack.CombinedOutput(); err != nil {
		return "", "", fmt.Errorf("npm pack: %w: %s", err, out)
	}
	found, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(found) != 1 {
		return "", "", fmt.Errorf("npm pack left %d files in %s", len(found), dir)
	}
	if out, err := exec.Command("tar", "-xzf", found[0], "-C", dir).CombinedOutput(); err != nil {
		return "", "", fmt.Errorf("unpack %s: %w: %s", found[0], err, out)
	}
	version = name[strings.LastIndexByte(name, '@')+1:]
	return filepath.Join(dir, "package"), version, nil
}

// packageLicence is the permissive licence that a package says it has; a licence file in it must not say otherwise.
func packageLicence(dir string) (string, error) {
	b, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return "", err
	}
	var says struct{ License string }
	if err := json.Unmarshal(b, &says); err != nil {
		return "", err
	}
	for _, p := range permissive {
		if says.License == p.name {
			if _, reason := licenceOf(dir); reason != "" && reason != noLicence {
				return "", fmt.Errorf("%s", reason)
			}
			return says.License, nil
		}
	}
	return "", fmt.Errorf("its licence is %q", says.License)
}
