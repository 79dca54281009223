# Runs the phpt tests with PHP's own run-tests.php, in parallel and on a copy, because it writes its logs
# beside the tests. Sourced by bin/test.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

# Everything else of the project stays reachable from the copy under the same relative names.
copy_tests() {
	local entry name
	phpt=$build/phpt
	rm -rf "$phpt"
	mkdir -p "$phpt"
	for entry in "$root"/*; do
		name=$(basename "$entry")
		[ "$name" = tests ] || ln -s "$entry" "$phpt/$name"
	done
	cp -R "$root/tests" "$phpt/tests"
}

# run-tests.php lets valgrind follow children; of those only PHP is of interest.
# Without the pipes for gdb, which another user or root directory cannot make, and with ioctls that it does not know, of terminals.
not_under_valgrind='--vgdb=no --sim-hints=lax-ioctls --trace-children-skip=*/setpriv,*/memcached,*/sh,*/dash,*/bash,*/true,*/php-fpm*'
known_to_valgrind=--suppressions=$root/tests/_support/valgrind.supp

# Pools wait 2 s unless a test says otherwise: a busy machine needs more than the default of 0.5 s.
# -n: the machine's ini files play no part. A test names in --EXTENSIONS-- what else it needs, in the order
# to load them (php-memcached needs igbinary and msgpack first); what is not there makes it a skip.
run_phpt() {
	local options=(-q --shuffle -j"$phpt_jobs" --set-timeout "$phpt_timeout" -g FAIL,BORK,WARN,LEAK,XLEAK,SKIP)
	if [ "$valgrind" = yes ]; then
		local -x MCPATTERNS_VALGRIND=1
		# Code that pcre compiles at run time reads ahead, which valgrind takes for an error.
		options+=(-j"$(nproc)" -m --set-timeout 600 -d pcre.jit=0)
	fi
	write_tested_php
	NO_INTERACTION=1 TEST_PHP_EXECUTABLE=$tested_php TEST_PHP_EXTENSION=$extension NO_COLOR=1 \
		VALGRIND_OPTS="$not_under_valgrind $known_to_valgrind" \
		"$php" -n "$build/source/run-tests.php" -n "${options[@]}" -d extension="$extension" -d mcpatterns.timeout=2 \
		"${phpt_files[@]}"
}

# What php_environment says is for PHP alone: run-tests.php, and the shells that it starts, would be slower by it.
write_tested_php() {
	tested_php=$php
	[ "${#php_environment[@]}" -gt 0 ] || return 0
	tested_php=$build/php
	{ echo '#!/bin/sh'; printf 'export %q\n' "${php_environment[@]}"; printf 'exec %q "$@"\n' "$php"; } > "$tested_php"
	chmod +x "$tested_php"
}

find_phpt() {
	local pattern
	phpt_files=() phpt_lost=
	while IFS= read -r file; do
		if [ "${#patterns[@]}" -eq 0 ]; then
			phpt_files+=("$file")
			continue
		fi
		for pattern in "${patterns[@]}"; do
			case "$file" in *"$pattern"*) phpt_files+=("$file"); break ;; esac
		done
	done < <(cd "$phpt" && find tests -name '*.phpt' | sort | sed "s,^,$phpt/,")
	[ "${without_libmemcached:-no}" = no ] || leave_out not-without-libmemcached
}

# Leaves out what a list of tests/ names. A test that is gone, or has another name, leaves the list: judge_phpt counts what
# is lost as one failure.
leave_out() {
	local list=$1 file listed=()
	while IFS= read -r file; do
		[ -e "$root/tests/$file" ] || phpt_lost+="  FAILED: tests/$list names $file, which is not there"$'\n'
		listed+=("$phpt/tests/$file")
	done < <(grep -v '^#' "$root/tests/$list" | grep .)
	mapfile -t phpt_files < <(printf '%s\n' "${phpt_files[@]}" | grep -vxF -f <(printf '%s\n' "${listed[@]}"))
}

# Leaves out what looks for races at length.
leave_out_long() {
	leave_out not-without-full
	mapfile -t phpt_files < <(printf '%s\n' "${phpt_files[@]}" | grep -v /stress_)
}

# "Tests passed    :   12 ( 85.7%) ..."
summary_number() {
	sed -n "s/^$1 *: *\([0-9]*\).*/\1/p" "$phpt_log" | tail -n 1
}

sum_of() {
	local name number sum=0
	for name in "$@"; do
		number=$(summary_number "$name")
		sum=$((sum + ${number:-0}))
	done
	echo "$sum"
}

show_failed_phpt() {
	local test shown=0
	grep -aE '^(FAIL|BORK|WARN|LEAK|XLEAK|XFAIL).* \[|\(warn: ' "$phpt_log" | sort -u | head -40 | sed 's/^/  /'
	while IFS= read -r test; do
		[ "$shown" -lt 8 ] || { echo "  ... and more: ${phpt#"$root"/}"; break; }
		echo "  --- ${test#"$phpt"/}"
		show "$test" 40
		shown=$((shown + 1))
	done < <(find "$phpt/tests" -name '*.diff' -o -name '*.mem' | sort)
}

# Why tests were skipped, and how many for each reason.
name_skipped_phpt() {
	local reasons
	reasons=$(sed -n 's/.*SKIP .* reason: *//p' "$phpt_log" | sort | uniq -c | sed 's/^ *//' | paste -sd, | sed 's/,/, /g')
	say_without "${reasons:+skipped: $reasons}"
}

stage_phpt() {
	stage_note="over ${transport:-libmemcached}"
	phpt_log=$logs/phpt phpt_timeout=240
	copy_tests
	find_phpt
	[ "$quick$valgrind" != yesno ] || { leave_out_long; leave_out_sanitized; }
	judge_phpt
}

# The tests that ask for the full size (tests/_support/full_size.inc) have it here, one at a time, and the
# figures that they report are shown.
stage_soak() {
	local figures=$logs/figures
	phpt_log=$logs/soak phpt_timeout=2400 phpt_jobs=1
	copy_tests
	find_phpt
	[ "${#phpt_files[@]}" -eq 0 ] || mapfile -t phpt_files < <(grep -l at_full_size "${phpt_files[@]}")
	MCPATTERNS_FULL_SIZE=$figures judge_phpt
	[ ! -e "$figures" ] || sed 's/^/  /' "$figures"
}

# The tests that may start a memcached, by what they include.
starting_a_server() {
	local includes
	includes=$(cd "$root/tests/_support" && grep -l 'memcached\.inc' *.inc | tr '\n' '|')memcached.inc
	xargs grep -lE "_support/(${includes//./\\.})"
}

# Those that start a server, but the stress tests and what the list of this name leaves out.
test_all_but() {
	copy_tests
	find_phpt
	leave_out "$1"
	mapfile -t phpt_files < <(printf '%s\n' "${phpt_files[@]}" | grep -v '/stress_' | starting_a_server)
	judge_phpt
}

# Every server behind a twemproxy of its own.
stage_proxy() {
	local -x MCPATTERNS_PROXY=1
	has_command nutcracker || { skip "phpt behind no twemproxy: there is no package nutcracker"; return; }
	stage_note="phpt behind $(nutcracker --version 2>&1 | sed -n 's/^This is nutcracker-/twemproxy /p')"
	phpt_log=$logs/proxy phpt_timeout=240
	test_all_but not-behind-a-proxy
}

# Every server with TLS and a password.
stage_tls() {
	"$php" -n -r 'exit((int) !in_array("tls", stream_get_transports()));' || { skip "PHP has no TLS"; return; }
	stage_note="phpt over TLS with a password"
	build_tls || { count 0 1 0; return; }
	local build extension extension_flags php_environment logs=$logs/tls
	choose_tls
	make_certificates || { echo "  FAILED: no certificates"; count 0 1 0; return; }
	phpt_log=$logs/phpt phpt_timeout=240
	test_all_but not-over-tls
}

# run-tests.php runs a failed test that looks at a clock once more, and warns when it passes then: it has failed all the same.
judge_phpt() {
	local failed status
	[ -z "$phpt_lost" ] || { printf '%s' "$phpt_lost"; count 0 1 0; }
	[ "${#phpt_files[@]}" -gt 0 ] || return 0
	in_group "$phpt_log" run_phpt
	status=$?
	failed=$(sum_of 'Tests failed' 'Tests warned' 'Tests leaked' 'Tests borked' 'Expected fail')
	count "$(sum_of 'Tests passed')" "$failed" "$(sum_of 'Tests skipped')"
	name_skipped_phpt
	[ "$(sum_of 'Tests passed' 'Tests skipped')" -eq 0 ] || [ "$failed" -gt 0 ] || [ "$status" -ne 0 ] || return 0
	show_failed_phpt
	if [ -z "$(summary_number 'Tests passed')" ]; then
		echo "  FAILED: run-tests.php did not finish"
		tail -n 20 "$phpt_log" | sed 's/^/    /'
		[ "$failed" -gt 0 ] || count 0 1 0
	elif [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
		echo "  FAILED: run-tests.php ended with status $status"
		count 0 1 0
	fi
}
