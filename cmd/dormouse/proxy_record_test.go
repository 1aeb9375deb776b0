package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"dormouse/service/api"
)

func testRecording(on bool) api.Proxy {
	x := testProxy(api.ProxyOn, "")
	x.Recording = &api.ProxyRecording{File: "/home/robin/code/today.jsonl", On: on, Since: unix("2026-05-04 17:00"), Requests: 120, Messages: 241, Bytes: 1_402_331, Limit: 104_857_600, Redacted: 2}
	if !on {
		x.Recording.Ended, x.Recording.Unread, x.Recording.Missed = "it reached its limit", 3, 1
	}
	return x
}

func TestARecordingLooksAsItShould(t *testing.T) {
	for name, x := range map[string]api.Proxy{"recording": testRecording(true), "recording-over": testRecording(false), "recording-none": testProxy(api.ProxyOn, "")} {
		golden(t, name+".80", formatRecording(viewOf(80), x))
		golden(t, name+".120", formatRecording(viewOf(120), x))
	}
	golden(t, "proxy-recording.80", formatProxy(viewOf(80), testRecording(true)))
}

func TestWhatPassesIsRecorded(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	f := serve(t, home)
	for _, c := range []struct{ args, asked, out string }{
		{"today.jsonl", "record /home/robin/code/today.jsonl 100000000", "is recorded"},
		{"/tmp/x.jsonl --limit 2MB", "record /tmp/x.jsonl 2000000", "is recorded"},
		{"off", "record  104857600", "over: you ended it"},
		{"", "proxy ", "Nothing was recorded"},
	} {
		r := dormouse(t, home, append([]string{"proxy", "record"}, strings.Fields(c.args)...)...)
		if r.code != exitOK || f.asked[len(f.asked)-1] != c.asked || !strings.Contains(r.out, c.out) {
			t.Errorf("%s: %+v, asked %q", c.args, r, f.asked[len(f.asked)-1])
		}
	}
	if r := dormouse(t, home, "proxy", "record", "x", "--limit", "2"); r.code != exitUsage || !strings.Contains(r.err, "1MB to 1GB") {
		t.Errorf("%+v", r)
	}
}

func TestReplaySetsSomePoliciesSideBySide(t *testing.T) {
	r := dormouse(t, t.TempDir(), "replay", recording(t), "--policy", "fifo,dormouse", "--json")
	var rows []replayed
	if err := json.Unmarshal([]byte(r.out), &rows); err != nil || len(rows) != 3 || rows[0].Policy != "none" || rows[1].Policy != "fifo" || rows[2].Policy != "dormouse" {
		t.Errorf("%v %s%s", err, r.out, r.err)
	}
}
