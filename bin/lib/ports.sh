# What the runs against another system's C library have in common: tests/run-windows and tests/run-musl source it, with `root` set.
# It counts into `passed`, `failed` and `skipped`; `build` is the folder for all logs.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash disable=SC2034

passed=0 failed=0 skipped=0
# Of each family of the simulator.
seeds=2000
# Seconds that nothing here takes on any machine: what has not ended by then hangs.
hang=${HANG:-900}

finish() {
	echo "$passed passed, $failed failed, $skipped skipped"
	[ "$failed" -eq 0 ] && exit 0
	exit 1
}

# Ends a run of which nothing, or not all, can be done here: says why, and counts so many things as skipped.
go_without() {
	echo "there is no $1"
	skipped=$((skipped + $2))
	finish
}

# A failure that no log's last line tells.
fail() {
	echo "FAILED: $1"
	failed=$((failed + 1))
}

# add_up LOG STATUS: adds what the log's last line counts, and shows the end of a log of which something failed. A log without
# such a line, and a bad end without a failure, are one failure.
add_up() {
	local log=$1 status=$2 p f s
	if ! read -r p f s < <(tail -n 1 "$log" | tr -d '\r' | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed, \([0-9]*\) skipped$/\1 \2 \3/p'); then
		p=0 f=0 s=0
		fail "$(basename "$log") ended without counting (status $status)"
	elif [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then
		fail "$(basename "$log") ended with status $status"
	fi
	[ "$status" -eq 0 ] && [ "$f" -eq 0 ] || tail -n 60 "$log"
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
}

# One part of the simulator: its name, which is a family's or "regressions", and what runs the program. Its status stands beside its log.
play() {
	local name=$1 options
	shift
	case "$name" in
		regressions) options=(--regressions tests/simulation/regressions.txt) ;;
		*) options=(--family "$name" --seeds "$seeds") ;;
	esac
	timeout -k 5 "$hang" "$@" "${options[@]}" < /dev/null > "$build/log/$name" 2>&1
	echo $? > "$build/log/$name.status"
}

# simulate COMMAND ...: the seeds of every family, and those of old failures, side by side.
simulate() {
	local name names
	mapfile -t names < <(sed -n 's/^\t{"\([a-z-]*\)", &.*/\1/p' tests/simulation/world/families.c)
	[ "${#names[@]}" -gt 0 ] || fail "the simulator has no family"
	names+=(regressions)
	mkdir -p "$build/log"
	rm -f "$build"/log/*
	export -f play
	export build seeds hang
	printf '%s\n' "${names[@]}" | xargs -P "$(nproc)" -I{} bash -c 'play "$@"' _ {} "$@"
	for name in "${names[@]}"; do
		add_up "$build/log/$name" "$(cat "$build/log/$name.status" || echo 1)"
	done
}

# make_simulator VARIABLE=VALUE ...: in $build/simulation, which is one passed or failed.
make_simulator() {
	if make -s --no-print-directory -C tests/simulation -j "$(nproc)" OUT="$build/simulation" "$@" > "$build/made" 2>&1; then
		passed=$((passed + 1))
		return
	fi
	cat "$build/made"
	fail "the simulator does not compile"
	return 1
}

# with_c_tests COMMAND ...: for the C tests that can be linked without Debian's libraries, sources as strictly as anywhere.
with_c_tests() {
	env BUILD="$build/c-tests" ALONE=yes SANITIZE= SOURCE_FLAGS="-O2 -Wpointer-arith -Wvla ${standard:-}" HANG="$hang" "$@" \
		> "$build/tested" 2>&1
}

# run_tests PAGE VARIABLE=VALUE ...: as these have tests/run-c-tests do it. The programs that are left out are named, and each is
# skipped; the page must say why.
run_tests() {
	local page=$1 name
	shift
	with_c_tests "$@" tests/run-c-tests
	add_up "$build/tested" $?
	for name in $(sed -n 's/^not run: //p' "$build/tested"); do
		echo "not run here: $name"
		grep -qw -- "${name#*/}" "$page" || fail "$page does not say why $name is not run"
	done
}

# Where the named folder is not absolute, it is of the folder that the program was started in.
build_folder() {
	build=${BUILD:-$root/.build/$1}
	case "$build" in
		/*) ;;
		*) build=$PWD/$build ;;
	esac
	mkdir -p "$build"
}
