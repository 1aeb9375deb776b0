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

// writable takes every folder for one that can be written to: who may, Windows tells only by trying.
func writable(string) bool { return true }
