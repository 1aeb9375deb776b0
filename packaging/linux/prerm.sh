#!/bin/sh
# Runs as root before the files go. What a person had Dormouse write (hooks, MCP entries, entries for the log-on) is taken back by that
# person's own "dormouse uninstall": a package must not write in the folders of people.
set -e
case "${1:-remove}" in
remove | 0 | *[0-9].[0-9]*) ;; # Debian, Fedora, Arch
*) exit 0 ;; # an upgrade
esac
if [ -d /run/systemd/system ] && command -v loginctl >/dev/null 2>&1; then
	for user in $(loginctl list-users --no-legend 2>/dev/null | awk '{print $2}'); do
		timeout 60 systemctl --user -M "$user@" stop dormouse.service >/dev/null 2>&1 || true
	done
fi
