package osservice

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// How long systemd and launchd wait before they start a program again that has failed, in seconds. systemd from
// backoffVersion on begins at firstWait and goes up to lastWait in waitSteps; older ones and launchd wait fixedWait.
const (
	firstWait      = 5
	lastWait       = 300
	waitSteps      = 6
	fixedWait      = 30
	backoffVersion = 254
)

// unit is the systemd user unit of a program, for a systemd of that version. A program that ended in order stays stopped; one
// that was called wrongly (exit code 2) is not called again.
func unit(p Program, version int, made int) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s", madeComment("# ", made, ""))
	line("[Unit]")
	line("Description=%s", unitText(p.Title))
	line("ConditionFileIsExecutable=%s", unitText(p.Exe))
	line("StartLimitIntervalSec=0")
	line("")
	line("[Service]")
	line("Type=exec")
	line("ExecStart=%s", unitCommand(p.Exe, p.Args))
	for _, k := range slices.Sorted(maps.Keys(p.Env)) {
		line("Environment=%s", unitQuote(k+"="+p.Env[k]))
	}
	line("Restart=on-failure")
	line("RestartPreventExitStatus=2")
	if version >= backoffVersion {
		line("RestartSec=%d", firstWait)
		line("RestartSteps=%d", waitSteps)
		line("RestartMaxDelaySec=%d", lastWait)
	} else {
		line("RestartSec=%d", fixedWait)
	}
	line("TimeoutStopSec=90")
	line("")
	line("[Install]")
	line("WantedBy=default.target")
	return b.String()
}

// plist is the LaunchAgent of a program: started at log-on, and again when it failed.
func plist(p Program, made int) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line(`<?xml version="1.0" encoding="UTF-8"?>`)
	line(`<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">`)
	line("%s", madeComment("<!-- ", made, " -->"))
	line(`<plist version="1.0">`)
	line("<dict>")
	key := func(name, value string) { line("\t<key>%s</key>\n\t%s", name, value) }
	text := func(s string) string { return "<string>" + xmlText(s) + "</string>" }
	key("Label", text(launchLabel(p)))
	key("ProgramArguments", "<array>")
	for _, a := range append([]string{p.Exe}, p.Args...) {
		line("\t\t%s", text(a))
	}
	line("\t</array>")
	if len(p.Env) > 0 {
		key("EnvironmentVariables", "<dict>")
		for _, k := range slices.Sorted(maps.Keys(p.Env)) {
			line("\t\t<key>%s</key>\n\t\t%s", xmlText(k), text(p.Env[k]))
		}
		line("\t</dict>")
	}
	key("RunAtLoad", "<true/>")
	key("KeepAlive", "<dict>\n\t\t<key>SuccessfulExit</key>\n\t\t<false/>\n\t</dict>")
	key("ThrottleInterval", fmt.Sprintf("<integer>%d</integer>", fixedWait))
	if p.Desktop {
		key("LimitLoadToSessionType", text("Aqua"))
	} else {
		key("ProcessType", text("Background"))
	}
	if p.Log != "" {
		key("StandardErrorPath", text(p.Log))
	}
	line("</dict>\n</plist>")
	return b.String()
}

// launchLabel is what launchd calls a program.
func launchLabel(p Program) string { return "app." + p.Name }

// desktopEntry is the XDG autostart entry of a program. Its variables go through env, since an entry has none.
func desktopEntry(p Program, made int) string {
	words := p.onceStarted()
	if len(p.Env) > 0 {
		set := []string{"env"}
		for _, k := range slices.Sorted(maps.Keys(p.Env)) {
			set = append(set, k+"="+p.Env[k])
		}
		words = append(set, words...)
	}
	for i, w := range words {
		words[i] = desktopQuote(w)
	}
	return strings.Join([]string{
		madeComment("# ", made, ""),
		"[Desktop Entry]",
		"Type=Application",
		"Version=1.0",
		"Name=" + desktopText(p.Title),
		"Exec=" + strings.Join(words, " "),
		"Terminal=false",
		"NoDisplay=true",
		"X-GNOME-Autostart-enabled=true",
		"",
	}, "\n")
}

// runCommand is the command line of a program in the registry's Run key. The key has no variables, so they are arguments,
// which the programs of Dormouse understand.
func runCommand(p Program) string {
	words := p.onceStarted()
	for _, k := range slices.Sorted(maps.Keys(p.Env)) {
		words = append(words, "--env", k+"="+p.Env[k])
	}
	for i, w := range words {
		words[i] = windowsQuote(w)
	}
	return strings.Join(words, " ")
}
