package project

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// signer is how commits are signed here, without a question.
type signer struct {
	on      bool
	refusal string   // why it cannot be done without one
	config  []string // for this command alone
	dir     string   // of a script that is put away afterwards
}

func (s *signer) putAway() {
	if s.dir != "" {
		_ = os.RemoveAll(s.dir) // a script of two lines in the folder for temporary files
	}
}

// silentOptions tell gpg and gpgsm to fail rather than to ask.
const silentOptions = "--batch --no-tty --pinentry-mode error"

// signing reads from git's settings whether commits are signed. gpg is called through a script that forbids it to ask;
// ssh-keygen has nobody to ask, since the command has no terminal; of any other program it cannot be known, and it is not called.
func signing(ctx context.Context, g Git) (*signer, error) {
	out, err := g.read(ctx, "config", "--list", "-z")
	if err != nil {
		return nil, err
	}
	set := map[string]string{}
	for _, kv := range out.Fields() {
		key, value, has := strings.Cut(kv, "\n")
		if !has {
			value = "true"
		}
		set[key] = value
	}
	switch strings.ToLower(set["commit.gpgsign"]) {
	case "", "false", "no", "off", "0":
		return &signer{}, nil
	}
	s := &signer{on: true}
	format := cmpOr(set["gpg.format"], "openpgp")
	program := cmpOr(set["gpg."+format+".program"], map[string]string{"openpgp": cmpOr(set["gpg.program"], "gpg"), "x509": "gpgsm", "ssh": "ssh-keygen"}[format])
	switch base := strings.TrimSuffix(strings.ToLower(filepath.Base(program)), ".exe"); {
	case format == "ssh" && base == "ssh-keygen":
		return s, nil
	case format != "ssh" && (base == "gpg" || base == "gpg2" || base == "gpgsm"):
	default:
		s.refusal = fmt.Sprintf("commits are signed here by %s, which may ask you; commit by hand, or turn auto-commit off (dormouse project autocommit off PROJECT)", cmpOr(program, format))
		return s, nil
	}
	if set["user.signingkey"] == "" && set["user.name"] != "" { // git would look for a key of the agent's
		s.config = append(s.config, fmt.Sprintf("user.signingKey=%s <%s>", set["user.name"], set["user.email"]))
	}
	return s, s.silence(format, program)
}

// silence has git call a signing program through a script that forbids it to ask.
func (s *signer) silence(format, program string) error {
	dir, err := os.MkdirTemp("", "dormouse-sign-")
	if err != nil {
		return fmt.Errorf("prepare signing: %w", err)
	}
	s.dir = dir
	script := filepath.Join(dir, "sign")
	quoted := "'" + strings.ReplaceAll(filepath.ToSlash(program), "'", `'\''`) + "'"
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexec "+quoted+" "+silentOptions+" \"$@\"\n"), 0o700); err != nil {
		return fmt.Errorf("prepare signing: %w", err)
	}
	s.config = append(s.config, "gpg."+format+".program="+filepath.ToSlash(script))
	if format == "openpgp" {
		s.config = append(s.config, "gpg.program="+filepath.ToSlash(script))
	}
	return nil
}
