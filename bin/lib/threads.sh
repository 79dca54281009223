# Serves by many threads of one process: builds PHP with threads, once (tools/build-php), the extension for it and the program of
# tests/threads, and plays that as it is, under AddressSanitizer, and under ThreadSanitizer. Sourced by bin/test.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

# How many requests each thread serves in each of its two lives. Sanitizers take several times as long.
threads_requests_plain=1000 threads_requests_address=500 threads_requests_thread=200

# What tools/build-php needs.
missing_for_threads() {
	pkg-config --exists openssl 2> /dev/null || echo libssl-dev
	pkg-config --exists sqlite3 2> /dev/null || echo libsqlite3-dev
	has_command xz || echo xz-utils
}

# choose_threads KIND: sets, for the caller, who has made them local, what builds for PHP with threads and runs in it.
choose_threads() {
	local PHP_CONFIG
	PHP_CONFIG=$(tools/build-php --zts --debug 2> "$logs/build-php") || { show "$logs/build-php"; return 1; }
	find_php || return 1
	build=$root/.build/threads/$1
	extension=$build/out/modules/mcpatterns.so
	extension_flags='-g -O1 -fno-omit-frame-pointer' sanitizer=()
	if [ "$1" != plain ]; then
		extension_flags+=" -fsanitize=$1"
		sanitizer=("-fsanitize=$1" -rdynamic "$root/tests/_support/keep_interposing.c")
	fi
	# As under the other sanitizers: their code makes gcc's warnings guess wrong. The plain build of bin/test has them.
	developer_mode=--disable-mcpatterns-dev
	reports=$scratch/reports-threads-$1
	mkdir -p "$build" "$reports"
}

# Where the sanitizers leave their reports, each of which is a failure, and what they need to see all blocks of PHP's requests.
# ThreadSanitizer sees of PHP, which is not built with it, no more than its locks and its memory: what it reports is the
# extension's. It cannot be told of PHP's Fibers, whose stacks it would take for one.
choose_threads_environment() {
	php_environment=(ZEND_DONT_UNLOAD_MODULES=1)
	case "$1" in
		address) php_environment+=(USE_ZEND_ALLOC=0 USE_TRACKED_ALLOC=1 ASAN_OPTIONS="exitcode=0:log_path=$reports/of"
			LSAN_OPTIONS="print_suppressions=0:suppressions=$root/tests/_support/leaks.supp") ;;
		thread) php_environment+=(TSAN_OPTIONS="exitcode=0:history_size=4:log_path=$reports/of" THREADS_LEAVE_OUT=in_fibers) ;;
	esac
}

build_threads() {
	local prefix
	prefix=$(dirname "$(dirname "$php_config")")
	configure_once && make_extension || return 1
	# Without a value, as keep_interposing.c defines it.
	# shellcheck disable=SC2046,SC2086
	gcc -D_GNU_SOURCE= -g -O1 -Wall -Wextra -Wno-unused-parameter $WERROR $("$php_config" --includes | sed 's/-I/-isystem /g') "${sanitizer[@]}" \
		tests/threads/{threads,interface,tallies}.c -o "$build/threads" -L"$prefix/lib" -lphp -Wl,-rpath,"$prefix/lib" -pthread > "$logs/make" 2>&1 ||
		{ explain_failure make; return 1; }
}

# Has threads use at once what they share without PHP, under ThreadSanitizer.
play_shared() {
	mkdir -p "$root/.build/threads"
	run_counted threads-shared make_and_run_shared "$root/.build/threads/shared"
}

make_and_run_shared() {
	# shellcheck disable=SC2086
	gcc -std=gnu11 -D_GNU_SOURCE -g -O1 -Wall -Wextra -Wno-tsan $WERROR -fsanitize=thread -I"$root" tests/threads/shared.c src/core/near/*.c \
		src/core/metrics/*.c src/core/waking/wakeups.c src/php/host/shared_access.c -o "$1" -pthread && "$1"
}

# play_threads KIND
play_threads() {
	local runner=$php php_config phpize php build extension extension_flags developer_mode sanitizer reports php_environment
	local logs=$logs/threads-$1 requests=threads_requests_$1
	mkdir -p "$logs"
	choose_threads "$1" && build_threads "$1" || { echo "  FAILED: nothing to play ($1)"; count 0 1 0; return; }
	choose_threads_environment "$1"
	run_counted threads env "${php_environment[@]}" "$runner" tests/threads/run "$build/threads" "$extension" \
		"$("$php_config" --extension-dir)/opcache.so" --requests "${!requests}"
	count_reports
}

stage_threads() {
	local kind
	stage_note="32 threads of one process, plain, under AddressSanitizer and under ThreadSanitizer"
	play_shared
	find_php || { count 0 1 0; return; }
	for kind in plain address thread; do
		play_threads "$kind"
	done
}
