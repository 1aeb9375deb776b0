package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// What names the keys. Without one, nothing is signed.
const (
	keyGPG   = "DORMOUSE_SIGN_GPG"
	keyP12   = "DORMOUSE_SIGN_P12"
	keyPass  = "DORMOUSE_SIGN_P12_PASS"
	keyApple = "DORMOUSE_SIGN_APPLE"
)

// signSums signs the checksums with gpg.
func (r *release) signSums(ctx context.Context) error {
	key := os.Getenv(keyGPG)
	if key == "" {
		return nil
	}
	sums := filepath.Join(r.out, sumsFile)
	return r.command(ctx, nil, "gpg", "--batch", "--yes", "--local-user", key, "--armor", "--detach-sign", "--output", sums+".asc", sums)
}

// signWindows signs a program for Windows in its place.
func (r *release) signWindows(ctx context.Context, path string) error {
	key := os.Getenv(keyP12)
	if key == "" {
		return nil
	}
	args := []string{"sign", "-pkcs12", key}
	if pass := os.Getenv(keyPass); pass != "" {
		args = append(args, "-readpass", pass)
	}
	signed := path + ".signed"
	args = append(args, "-n", "Dormouse", "-h", "sha256", "-time", strconv.FormatInt(r.made.Unix(), 10), "-in", path, "-out", signed)
	if err := r.command(ctx, nil, "osslsigncode", args...); err != nil {
		return fmt.Errorf("sign %s: %w", filepath.Base(path), err)
	}
	return os.Rename(signed, path)
}

// signApple signs a bundle, the inner one first.
func (r *release) signApple(ctx context.Context, app string) error {
	key := os.Getenv(keyApple)
	if key == "" {
		return nil
	}
	return r.command(ctx, nil, "codesign", "--force", "--deep", "--options", "runtime", "--timestamp", "--sign", key, app)
}
