package shape

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Windows has no time zones by their names, so the program brings them there; elsewhere they are the system's.
func TestCaseY7WindowsHasTheTimeZonesByName(t *testing.T) {
	c := exec.Command("go", "list", "-deps", "./cmd/dormouse")
	c.Dir = "../../.."
	c.Env = append(os.Environ(), "GOOS=windows", "CGO_ENABLED=0")
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(strings.Fields(string(out)), "time/tzdata") {
		t.Error("dormouse for Windows does not hold time/tzdata")
	}
}
