# Gives each run a directory of its own, so that several may go on in one folder at once: they share what was compiled
# and nothing else. Sourced by ./run and plain/run, which set `out`.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

# Sets `run`: for the program, the logs, and the mutants' trees.
begin_run() {
	mkdir -p "$out" || exit 1
	run=$(mktemp -d "$out/run.XXXXXX") || exit 1
	trap name_run EXIT
}

name_run() {
	echo "what this run has left: $run"
}

# end_run STATUS: keeps it and says where it is, unless all was well.
end_run() {
	trap - EXIT
	if [ "$1" -eq 0 ]; then rm -rf "$run"; else name_run; fi
}

# build_program COMMAND ...: builds $out/simulation, one run at a time, and keeps it as $run/simulation, which no other run
# builds anew.
build_program() {
	local log=$run/build.log
	(flock 9 && "$@" && cp "$out/simulation" "$run/simulation") 9> "$out/lock" > "$log" 2>&1 && return
	cat "$log"
	echo "FAILED: the simulator could not be built"
	end_run 1
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
}
