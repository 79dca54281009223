# Gives each run a directory of its own, so that several may go on in one folder at once: they share what was compiled
# and nothing else. Sourced by ./run, which sets `here`, `out`, `compiler` and `jobs`, and counts `passed` and `failed`.
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

# end_run STATUS: keeps the directory and says where it is, unless all was well; then says the counts.
end_run() {
	trap - EXIT
	if [ "$1" -eq 0 ]; then rm -rf "$run"; else name_run; fi
	echo "$passed passed, $failed failed, 0 skipped"
	exit "$1"
}

# Builds $out/simulation, one run at a time, and keeps it as $run/simulation, which no other run builds anew.
build_program() {
	local log=$run/build.log
	(flock 9 && make_simulator "$out" "$root" SANITIZE="${SANITIZE:-}" && cp "$out/simulation" "$run/simulation") \
		9> "$out/lock" > "$log" 2>&1 && return
	cat "$log"
	echo "FAILED: the simulator could not be built"
	failed=1
	end_run 1
}

# make_simulator FOLDER TREE [make's own ...]: with the patterns of that tree.
make_simulator() {
	make -s --no-print-directory -C "$here" -j "$jobs" OUT="$1" SOURCES="$2" CC="$compiler" "${@:3}"
}
