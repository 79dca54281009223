# Plants faults in a copy of the tree, and asks what finds them. Sourced by tools/prove-checks and tools/prove-request-end.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

. "$root/bin/lib/report.sh"

copy=$(mktemp -d) || exit 1
trap 'rm -rf "$copy"' EXIT

ask_git() {
	git -C "$copy" -c user.name=prove-checks -c user.email=prove-checks@localhost "$@"
}

make_copy() {
	(cd "$root" && tree_files | tar -cf - -T -) | tar -xf - -C "$copy"
	ask_git init -q . && ask_git add -Af . && ask_git commit -q -m 'test: plant faults'
}

# Files that are as they were keep their times: what was compiled of them counts.
restore_copy() {
	ask_git reset -q --hard && ask_git clean -qfdx -e /.build
}

# change_copy SHELL-COMMAND: it runs in the restored copy. A command that changes nothing there speaks of a text that has become
# another one.
change_copy() {
	restore_copy
	(cd "$copy" && eval "$1") && ask_git status --porcelain --ignored | grep -qv ' \.build/$' && return
	fail "fails, or changes nothing: $1"
}

# says 'what it must say' STATUS COMMAND ...: in the copy. Status "bad" is any but 0.
says() {
	local message=$1 expected=$2 said status
	shift 2
	said=$("$copy/$1" "${@:2}" 2>&1)
	status=$?
	[ "$expected" != bad ] || [ "$status" -eq 0 ] || expected=$status
	if [ "$status" != "$expected" ] || ! grep -qE -- "$message" <<< "$said"; then
		fail "$* (status $status) does not say \"$message\":" "$said"
		return
	fi
	count 1 0 0
}
