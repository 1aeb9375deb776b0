#!/bin/sh
# systemd.sh MANAGER DORMOUSE HOME: runs the service under a systemd user manager, as the first process of namespaces of its
# own, and prints how the service is after each step: the step's name, a tab, and the status as JSON on one line.
set -eu
manager=$1 exe=$2 HOME=$3
export HOME XDG_RUNTIME_DIR=/run/user/0
unset DBUS_SESSION_BUS_ADDRESS DORMOUSE_HOME XDG_CONFIG_HOME || true
mount --make-rprivate /
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/system /run/user/0
chmod 700 /run/user/0
cd "$HOME"

log_on() {
	"$manager" --user >/dev/null 2>&1 &
	session=$!
	n=0
	until systemctl --user is-system-running >/dev/null 2>&1; do
		n=$((n + 1))
		[ $n -lt 200 ] || { echo "the user manager does not come up"; exit 1; }
		sleep 0.05
	done
}
log_off() {
	kill "$session"
	wait "$session" || true
}
tell() { printf '%s\t%s\n' "$1" "$("$exe" service status --json | tr -d '\n')"; }
# until_answers waits until the service answers.
until_answers() {
	n=0
	until "$exe" service status >/dev/null; do
		n=$((n + 1))
		[ $n -lt 400 ] || { echo "the service does not come up"; exit 1; }
		sleep 0.1
	done
}

log_on
"$exe" service install >/dev/null
tell installed
printf 'unit-pid\t%s\n' "$(systemctl --user show dormouse --property=MainPID --value)"
"$exe" service install >/dev/null
tell again
"$exe" service restart >/dev/null
tell restarted
mv "$exe" "$exe-2"
exe=$exe-2
"$exe" service install >/dev/null
tell upgraded
kill -9 "$(systemctl --user show dormouse --property=MainPID --value)"
until [ "$(systemctl --user show dormouse --property=SubState --value)" = auto-restart ]; do sleep 0.02; done
tell crashed
systemctl --user restart dormouse # instead of waiting for the back-off
until_answers
tell after-crash
"$exe" service stop >/dev/null
tell stopped
"$exe" service start >/dev/null
"$exe" stop >/dev/null
until [ "$(systemctl --user show dormouse --property=ActiveState --value)" = inactive ]; do sleep 0.02; done
tell stopped-by-api
log_off
log_on
until_answers
tell after-log-on
"$exe" service uninstall >/dev/null
[ "$(systemctl --user show dormouse --property=LoadState --value)" = not-found ]
log_off
