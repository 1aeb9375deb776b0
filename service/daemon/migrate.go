package daemon

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dormouse/service/llm"
	"dormouse/store/home"
)

// migrations bring older state folders up, see home.Format.
var migrations = []home.Migration{
	{From: 1, Touches: []string{booksFile}, Apply: func(h home.Home) error {
		path := filepath.Join(h.Dir(), booksFile)
		raw, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		seeded, err := llm.Seeded(raw, time.Local)
		if err != nil {
			return nil // damaged books are told where they are needed, with what helps
		}
		return home.WriteFile(path, seeded)
	}},
}

// migrate brings the state folder up to the format of this program.
func (d *Daemon) migrate() error {
	from, backups, err := d.p.Home.Migrate(migrations)
	if err != nil {
		return err
	}
	if len(backups) > 0 {
		d.p.Log.Info("the state folder was brought up to a newer format", "component", "home", "from", from, "to", home.Format, "copies", strings.Join(backups, ", "))
	}
	return nil
}
