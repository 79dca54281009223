# Gives each run its own directory, so that several can run in one folder at once. They share only compiled objects.
# Sourced by ./run, which sets `here`, `out`, `compiler` and `jobs`, and counts `passed` and `failed`.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

# Sets `run`, the directory of the program, the logs and the trees of mutants.
begin_run() {
	mkdir -p "$out" || exit 1
	run=$(mktemp -d "$out/run.XXXXXX") || exit 1
	trap name_run EXIT
}

name_run() {
	echo "what this run has left: $run"
}

# end_run STATUS: prints the counts. Unless all tests passed, keeps the directory and prints its path.
end_run() {
	trap - EXIT
	if [ "$1" -eq 0 ]; then rm -rf "$run"; else name_run; fi
	echo "$passed passed, $failed failed, 0 skipped"
	exit "$1"
}

# Builds $out/simulation, one run at a time, and keeps it as $run/simulation, which no other run rebuilds.
build_program() {
	local log=$run/build.log
	(flock 9 && make_simulator "$out" "$root" SANITIZE="${SANITIZE:-}" && cp "$out/simulation${EXE:-}" "$run/simulation") \
		9> "$out/lock" > "$log" 2>&1 && return
	cat "$log"
	echo "FAILED: the simulator could not be built"
	failed=1
	end_run 1
}

# make_simulator FOLDER TREE [options of make ...]: builds it with the patterns of that tree.
make_simulator() {
	make -s --no-print-directory -C "$here" -j "$jobs" OUT="$1" SOURCES="$2" CC="$compiler" "${@:3}"
}
