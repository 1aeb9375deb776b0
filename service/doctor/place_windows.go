package doctor

import (
	"path/filepath"
	"strings"

	"golang.org/x/sys/windows"
)

// networkDrive names the kind of drive where it is one of the network; \\wsl$ and \\wsl.localhost are, too.
func networkDrive(dir string) string {
	volume := filepath.VolumeName(dir)
	if strings.HasPrefix(volume, `\\`) && !strings.HasPrefix(volume, `\\?\`) {
		return volume
	}
	root, err := windows.UTF16PtrFromString(volume + `\`)
	if err != nil || windows.GetDriveType(root) != windows.DRIVE_REMOTE {
		return ""
	}
	return volume
}
