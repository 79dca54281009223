# Counts what passed, failed and was skipped, and prints one line per stage. Sourced by bin/test; everything
# that runs goes through `in_group`, so that nothing survives the script.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

total_passed=0 total_failed=0 total_skipped=0
stage_passed=0 stage_failed=0 stage_skipped=0
stage_name='' stage_started=0 stage_note='' stage_without=''
group=''

begin_stage() {
	stage_name=$1
	stage_passed=0 stage_failed=0 stage_skipped=0
	stage_started=$SECONDS stage_note='' stage_without=''
}

count() {
	stage_passed=$((stage_passed + $1))
	stage_failed=$((stage_failed + $2))
	stage_skipped=$((stage_skipped + $3))
}

# Counts a command as passed or failed.
attempt() {
	if "$@"; then
		count 1 0 0
	else
		count 0 1 0
	fi
}

# skip [WHY]
skip() {
	count 0 0 1
	say_without "${1:-}"
}

# Adds to what the stage's line says that it has not.
say_without() {
	[ -z "$1" ] || stage_without+="${stage_without:+; }$1"
}

# The first line of a log says why something was skipped.
note_skipped() {
	[ "$stage_skipped" -eq 0 ] || stage_note=$(head -n 1 "$logs/$1")
}

# A stage that has run nothing has failed: it would hide that its tests are gone.
end_stage() {
	local note=$stage_note${stage_note:+${stage_without:+; }}$stage_without
	if [ $((stage_passed + stage_failed + stage_skipped)) -eq 0 ]; then
		note="ran nothing"
		stage_failed=1
	fi
	total_passed=$((total_passed + stage_passed))
	total_failed=$((total_failed + stage_failed))
	total_skipped=$((total_skipped + stage_skipped))
	printf '%-12s %5d passed' "$stage_name" "$stage_passed"
	[ "$stage_failed" -eq 0 ] || printf ', %d FAILED' "$stage_failed"
	[ "$stage_skipped" -eq 0 ] || printf ', %d skipped' "$stage_skipped"
	printf ' %4d s%s\n' $((SECONDS - stage_started)) "${note:+   $note}"
}

# Reads "N passed, N failed, N skipped" from the last line of a log; without one it is one failure.
count_last_line() {
	local last
	last=$(tail -n 1 "$1" | tr -d '\r' | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p')
	if [ -z "$last" ]; then
		count 0 1 0
		return 1
	fi
	# shellcheck disable=SC2086
	count $last
}

# judge_log LOG STATUS WHAT: counts by the last line of what ended so, and shows the log if something failed. A bad end without a failure
# is one failure.
judge_log() {
	local log=$1 status=$2 failed=$stage_failed
	if ! count_last_line "$log" || { [ "$status" -ne 0 ] && [ "$stage_failed" -eq "$failed" ]; }; then
		[ "$stage_failed" -gt "$failed" ] || count 0 1 0
		echo "  FAILED: $3 (status $status)"
	fi
	[ "$stage_failed" -eq "$failed" ] || show "$log" 150
}

# fail COMPLAINT [what was said]: one failure.
fail() {
	count 0 1 0
	echo "  FAILED: $1"
	[ $# -eq 1 ] || head -n 20 <<< "$2" | sed 's/^/    /'
	return 1
}

# Ends a script that counts as one stage.
finish() {
	echo "$stage_passed passed, $stage_failed failed, $stage_skipped skipped"
	[ "$stage_failed" -eq 0 ]
	exit
}

# Runs a command in a process group of its own, all output to a file; `stop_group` ends the whole group.
# Descriptor 9 is bin/test's lock, which must not outlive it.
in_group() {
	local log=$1 status
	shift
	set -m
	"$@" > "$log" 2>&1 < /dev/null 9>&- &
	group=$!
	set +m
	wait "$group"
	status=$?
	kill -KILL -- "-$group" 2> /dev/null
	group=''
	return "$status"
}

# at_end COMMAND: runs it when this script ends, by a signal, too.
at_end() {
	# shellcheck disable=SC2064
	trap "$1" EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP
}

stop_group() {
	[ -n "$group" ] || return 0
	kill -TERM -- "-$group" 2> /dev/null
	sleep 0.5
	kill -KILL -- "-$group" 2> /dev/null
	wait "$group" 2> /dev/null
	group=''
}

# The processes that this run has started and that still live, one id a line: all carry its mark in their
# environment, or one that begins with it. The processes that look for it must not.
left_running() (
	mark=$MCP_TEST_RUN
	unset MCP_TEST_RUN
	grep -lzxE "MCP_TEST_RUN=$mark(/[0-9]+)?" /proc/[0-9]*/environ 2> /dev/null | sed 's,/proc/\([0-9]*\)/.*,\1,'
)

stop_left_running() {
	local pid
	for pid in $(left_running); do
		kill -KILL "$pid" 2> /dev/null
	done
}

# Nothing may be left of a test: no server, no worker. What has just been told to end gets a second.
check_nothing_runs() {
	local left pid
	[ -n "$(left_running)" ] || return 0
	sleep 1
	left=$(left_running)
	[ -n "$left" ] || return 0
	echo "  FAILED: $1 left processes running:"
	for pid in $left; do
		printf '    %s %s\n' "$pid" "$(tr '\0' ' ' < "/proc/$pid/cmdline" 2> /dev/null)"
	done
	total_failed=$((total_failed + 1))
	stop_left_running
}

# Prints at most so many lines of a file, indented, and where the rest is.
show() {
	local file=$1 lines=${2:-60}
	awk -v lines="$lines" 'NR <= lines { print "    " $0 }' "$file"
	[ "$(wc -l < "$file")" -le "$lines" ] || echo "    ... all of it is in ${file#"$root"/}"
}

# One check: its command says nothing and ends with 0, or says what is wrong. Status 4: it cannot tell here.
check() {
	local name=$1 log=$logs/check-${1// /-} status
	shift
	in_group "$log" "$@"
	status=$?
	case "$status" in
		0) count 1 0 0 ;;
		4) skip "without $name: $(head -n 1 "$log")" ;;
		*) count 0 1 0; echo "  FAILED: $name"; show "$log" ;;
	esac
	return "$status"
}
