//go:build !unix

package disk

import (
	"io/fs"
	"os"
)

func openFile(path string, flag int, mode fs.FileMode) (*os.File, error) {
	return os.OpenFile(path, flag, mode)
}
