# Runs stages side by side. A lane is a list of stages, maybe behind --nice, that run one after another, in a process of its own; what a
# stage prints appears whole when it ends. Sourced by bin/test.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

lanes=()

run_stage() {
	begin_stage "$1"
	"stage_$1"
	end_stage
	check_nothing_runs "stage $1"
}

# Each lane has a folder for temporary files and a mark of its own, by which it knows what it has left running. Must
# run in a process of its own.
run_lane() {
	local number=$1 stage
	shift
	lanes=()
	scratch=$scratch/$number
	mkdir -p "$scratch" || return 1
	export TMPDIR=$scratch MCP_TEST_RUN=$scratch
	total_passed=0 total_failed=0 total_skipped=0
	trap 'stop_group; stop_left_running' EXIT
	trap 'exit 143' INT TERM HUP
	# Computes while nobody else wants to.
	[ "$1" != --nice ] || { renice -n 19 "$BASHPID" > /dev/null; shift; }
	for stage in "$@"; do
		run_stage "$stage" > "$scratch.says" 2>&1
		cat "$scratch.says"
	done
	echo "$total_passed $total_failed $total_skipped" > "$scratch.total"
}

# run_lanes "STAGE ..." "STAGE ...": returns when all have ended, and has added up what they counted. A lane that ends
# without counting is one failure.
run_lanes() {
	local number=0 stages passed failed skipped
	rm -f "$scratch"/*.total
	for stages in "$@"; do
		number=$((number + 1))
		[ -n "${stages// /}" ] || continue
		set -m
		# shellcheck disable=SC2086
		run_lane "$number" $stages < /dev/null &
		lanes+=($!)
		set +m
	done
	[ "${#lanes[@]}" -eq 0 ] || wait "${lanes[@]}"
	lanes=()
	number=0
	for stages in "$@"; do
		number=$((number + 1))
		[ -n "${stages// /}" ] || continue
		read -r passed failed skipped 2> /dev/null < "$scratch/$number.total" || {
			echo "  FAILED: the lane of $stages ended without counting"
			passed=0 failed=1 skipped=0
		}
		total_passed=$((total_passed + passed))
		total_failed=$((total_failed + failed))
		total_skipped=$((total_skipped + skipped))
	done
}

# A lane ends what it has started by itself, as bin/test does.
stop_lanes() {
	[ "${#lanes[@]}" -gt 0 ] || return 0
	kill -TERM "${lanes[@]}" 2> /dev/null
	wait "${lanes[@]}" 2> /dev/null
	lanes=()
}
