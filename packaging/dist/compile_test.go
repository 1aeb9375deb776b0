package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// The libraries of another processor are taken from a folder of their own, and what is missing of them is named.
func TestLibrariesOfAnotherProcessor(t *testing.T) {
	other := target{"linux", map[string]string{"amd64": "arm64", "arm64": "amd64"}[runtime.GOARCH]}
	triplet, ok := cross[other]
	if _, err := exec.LookPath("pkg-config"); err != nil || !ok || runtime.GOOS != "linux" {
		t.Skip("there is no pkg-config, or no other processor")
	}
	tools, sys := t.TempDir(), filepath.Join(t.TempDir(), "with a blank")
	write(t, filepath.Join(tools, triplet+"-gcc"), "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(tools, triplet+"-gcc"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", tools+":"+os.Getenv("PATH"))
	t.Setenv(sysrootEnv, sys)
	pc := filepath.Join(sys, "usr/lib", triplet, "pkgconfig")
	for _, name := range libraries {
		write(t, filepath.Join(pc, name+".pc"), "Name: x\nDescription: x\nVersion: 1\nLibs: -lx\n")
	}
	env, why := compiler(t.Context(), other)
	if want := "CC=" + triplet + "-gcc '--sysroot=" + sys + "'"; why != "" || !slices.Contains(env, want) || !slices.Contains(env, "PKG_CONFIG_SYSROOT_DIR="+sys) {
		t.Errorf("%q %q", env, why)
	}
	if err := os.Remove(filepath.Join(pc, "xinerama.pc")); err != nil {
		t.Fatal(err)
	}
	if env, why := compiler(t.Context(), other); env != nil || !strings.Contains(why, "xinerama") {
		t.Errorf("%q %q", env, why)
	}
	t.Setenv(sysrootEnv, filepath.Join(tools, "none"))
	if dir := sysroot(other); dir != "" {
		t.Errorf("%s is a sysroot", dir)
	}
}
