package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"dormouse/service/doctor"
)

func testReport(worst doctor.State) doctor.Report {
	all := []doctor.Finding{
		{Check: "git", State: doctor.OK, Text: "git 2.50.0 on linux"},
		{Check: "projects", State: doctor.OK, Text: "shop (/home/robin/code/shop): read by go-git"},
		{Check: "projects", State: doctor.Warn, Text: "a-project-with-a-long-name (/srv/code/a-project-with-a-long-name): its repository belongs to another user",
			Remedy: "git config --global --add safe.directory /srv/code/a-project-with-a-long-name"},
		{Check: "settings", State: doctor.Fail, Text: "config.toml:3: unknown setting", Remedy: "mend that line"},
	}
	n := map[doctor.State]int{doctor.OK: 2, doctor.Warn: 3, doctor.Fail: 4}[worst]
	return doctor.Report{State: worst, Findings: all[:n]}
}

func TestWhatTheDoctorFoundLooksAsItShould(t *testing.T) {
	for _, s := range []doctor.State{doctor.OK, doctor.Warn, doctor.Fail} {
		golden(t, "doctor-"+string(s)+".80", formatReport(viewOf(80), testReport(s)))
	}
	for _, l := range formatReport(viewOf(80), poisoned(testReport(doctor.Fail))) {
		if strings.ContainsAny(l, "\x1b\r\a\u202e\u009b") {
			t.Errorf("%q", l)
		}
	}
}

func TestTheDoctorNeedsNoServiceAndFailsWhereSomethingIsBroken(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	r := dormouse(t, home, "doctor")
	if r.code != exitOK || !strings.Contains(r.out, "the service is not running") || !strings.Contains(r.out, "Nothing is broken") {
		t.Errorf("%+v", r)
	}
	r = dormouse(t, home, "doctor", "--fsck", "--json")
	var report doctor.Report
	if err := json.Unmarshal([]byte(r.out), &report); err != nil || r.code != exitOK || report.State != doctor.Warn || report.Findings[len(report.Findings)-1].Check != "fsck" {
		t.Errorf("%+v, %v", r, err)
	}
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte("nonsense = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r = dormouse(t, home, "doctor")
	if r.code != exitFailure || !strings.Contains(r.out, "1 broken") || r.err != "" {
		t.Errorf("%+v", r)
	}
	serve(t, home)
	if r := dormouse(t, home, "doctor"); !strings.Contains(r.out, "process 4242") {
		t.Errorf("%+v", r)
	}
}

func TestTheDoctorSaysOnceThatThereIsNoHomeFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there it is not HOME that says where it is")
	}
	s := newSetup(t)
	s.user = ""
	t.Setenv("HOME", "")
	r := s.run(t)
	if n := strings.Count(r.out, "there is no home folder"); n != 1 || !strings.Contains(r.out, "set HOME") || strings.Contains(r.out, "mend the file") {
		t.Errorf("%d times in\n%s%s", n, r.out, r.err)
	}
}
