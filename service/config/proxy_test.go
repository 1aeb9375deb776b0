package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestProxySettings(t *testing.T) {
	for in, want := range map[string]string{
		"port = 1\nmax_request = 1048576\n[proxy.upstreams]\nanthropic = \"https://gw.example.com/a\"\nlocal = \"http://127.0.0.1:11434\"\nsix = \"http://[::1]:1/\"": "",
		"port = 70000":    "proxy.port",
		"max_request = 1": "proxy.max_request",
		"window = 999":    "proxy.window",
		"[proxy.upstreams]\nx = \"http://api.example.com\"":        "not encrypted",
		"[proxy.upstreams]\nx = \"http://127.0.0.1.example.com\"":  "not encrypted",
		"[proxy.upstreams]\nx = \"https://u:p@api.example.com\"":   "no name, password",
		"[proxy.upstreams]\nx = \"https://api.example.com?key=a\"": "no name, password",
		"[proxy.upstreams]\nx = \"api.example.com\"":               "no address",
		"[proxy.upstreams]\n\"A b\" = \"https://api.example.com\"": "no name",
		"[proxy.upstreams]\nx = 1":                                 "line",
	} {
		file := filepath.Join(t.TempDir(), "config.toml")
		if err := os.WriteFile(file, []byte("[proxy]\n"+in), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Load(file)
		if want == "" {
			if err != nil || c.Proxy.Port != 1 || c.Proxy.Upstreams["local"] != "http://127.0.0.1:11434" {
				t.Errorf("%+v %v", c.Proxy, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", in, err, want)
		}
	}
}

func TestPricesOfACache(t *testing.T) {
	for in, want := range map[string]string{"input = 1.0\noutput = 2.0\ncache_read = 0.1\ncache_write = 1.25": "", "input = 1.0\ncache_read = -1.0": "price", "cache_write = 1000000.0": "price"} {
		file := filepath.Join(t.TempDir(), "config.toml")
		if err := os.WriteFile(file, []byte("[llm.prices.m]\n"+in), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := Load(file)
		if want == "" && (err != nil || c.LLM.Prices["m"] != Price{1, 2, 0.1, 1.25}) || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %+v %v", in, c.LLM.Prices, err)
		}
	}
}
