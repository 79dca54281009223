# Builds the extension a second time, with AddressSanitizer and UndefinedBehaviorSanitizer, and runs phpt on it
# in the PHP that is there, over the transport that the first run did not have. Sourced by bin/test.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

# What every process that a test starts inherits. PHP's own allocator would hide the extension's blocks
# from the sanitizer; the tracked one still minds memory_limit. Modules stay loaded, or reports had no names.
# A leak does not change how a process ends (exitcode): `count_reports` tells PHP's leaks from ours.
sanitized_environment() {
	local options=abort_on_error=1:exitcode=0:handle_sigill=1:verify_asan_link_order=0
	php_environment=(
		LD_PRELOAD="$build/keep_interposing.so $(readlink -f "$(gcc -print-file-name=libasan.so)")"
		USE_ZEND_ALLOC=0 USE_TRACKED_ALLOC=1 ZEND_DONT_UNLOAD_MODULES=1
		ASAN_OPTIONS="$options:log_exe_name=1:log_path=$reports/of"
		LSAN_OPTIONS="print_suppressions=0:suppressions=$reports.supp"
	)
}

# Makes a folder in which a process that has left root can write its report, too.
make_writable_by_all() {
	local path=$1
	mkdir -p "$path"
	chmod 1777 "$path"
	while path=$(dirname "$path"); [ "$path" != / ]; do
		chmod a+x "$path" 2> /dev/null
	done
}

# Sets `build`, `extension`, `php_environment` and what goes with them to the sanitized ones, for the caller, who
# has made them local; reports are kept under this name.
choose_sanitized() {
	reports=$scratch/reports-$1
	make_writable_by_all "$reports"
	# Beside the reports: a process that has left root finds nothing in a clone that is root's alone.
	install -m 644 "$root/tests/_support/leaks.supp" "$reports.supp"
	compiler=gcc
	build=$root/.build/extension/$("$php_config" --version)-$(basename "$("$php_config" --extension-dir)")-sanitized
	extension_flags='-g1 -O1 -fno-omit-frame-pointer -fsanitize=address,undefined'
	# Undefined behavior is an illegal instruction, which AddressSanitizer reports: of two libraries of
	# sanitizers in one process only the first would write into its file.
	extension_flags="$extension_flags -fsanitize-undefined-trap-on-error"
	# Sanitizers change the code so that gcc's warnings guess wrong; the plain build has them.
	developer_mode=--disable-mcpatterns-dev
	choose_transport direct
	mkdir -p "$build"
	sanitized_environment
}

build_sanitized() {
	local compiler build extension extension_flags developer_mode php_environment reports headers
	choose_sanitized build
	local logs=$logs/build-sanitized
	mkdir -p "$logs"
	gcc -shared -fPIC -O1 -Wall $WERROR "$root/tests/_support/keep_interposing.c" -o "$build/keep_interposing.so" &&
		configure_once && read_headers_once && make_extension && load_extension
}

# Prints where the objects of that build are, for the C tests, which would compile core, store and patterns in one and the
# same way; nothing where there are none. By another compiler, or libFuzzer's, they are others.
sanitized_objects() {
	local compiler=$compiler build extension extension_flags developer_mode php_environment reports
	[ "$compiler$built$without_libmemcached" = gccyesno ] && [ -z "$fuzz_seconds" ] && is_sanitized_wanted || return 0
	choose_sanitized objects
	echo "$build/out"
}

# Keeps of phpt_files what stage_sanitize runs. Not the stress tests, which measure how processes race at full speed, nor those
# that measure resident memory, of which a sanitizer keeps what was freed, nor those that leave the root directory, where it
# finds none of its files: the plain build runs them.
keep_sanitized() {
	mapfile -t phpt_files < <(printf '%s\n' "${phpt_files[@]}" | grep -v '/stress_' | xargs grep -L -e RssAnon -e 'chroot(dirname')
	[ "$quick" = no ] || leave_out not-sanitized-without-full
}

# Keeps of phpt_files what stage_sanitize does not run, and what is about libmemcached.
leave_out_sanitized() {
	local all=("${phpt_files[@]}")
	keep_sanitized
	leave_out not-without-libmemcached
	mapfile -t phpt_files < <(printf '%s\n' "${all[@]}" | grep -vxF -f <(printf '%s\n' "${phpt_files[@]}"))
}

stage_sanitize() {
	stage_note="phpt over ${transport:-direct}, under AddressSanitizer and UBSan"
	local compiler build extension extension_flags developer_mode php_environment reports
	choose_sanitized phpt
	local valgrind=no
	phpt_log=$logs/sanitized phpt_timeout=240
	copy_tests
	find_phpt
	[ "$quick" = no ] || leave_out_long
	[ "${#patterns[@]}" -gt 0 ] || keep_sanitized
	judge_phpt
	count_reports
}

# Stored items, damaged, under every method that reads them.
fuzz_items() {
	local compiler build extension extension_flags developer_mode php_environment reports options=()
	choose_sanitized fuzz
	local failed=$stage_failed
	local module
	for module in igbinary msgpack; do
		[ ! -e "$("$php_config" --extension-dir)/$module.so" ] || options+=(-d extension="$module")
	done
	run_counted fuzz-items run_item_fuzzer
	count_reports
	[ "$stage_failed" -eq "$failed" ] || echo "  what it tried last is in .build/logs/fuzz-items.json, for --input"
}

run_item_fuzzer() {
	env "${php_environment[@]}" "$php" -n "${options[@]}" -d extension="$extension" -d memory_limit=256M \
		-d mcpatterns.mc_legacy=1 tests/fuzz/fuzz_items.php --seed "${seed:-1}" \
		${fuzz_seconds:+--seconds "$fuzz_seconds"} --case-file "$logs/fuzz-items.json"
}

# A sanitizer's report in any process fails the run, also where nobody looked at how that process ended.
count_reports() {
	local report kept=$root/.build/logs/${reports##*/}
	mkdir -p "$kept"
	find "$reports" -type f -exec cp -t "$kept" {} +
	for report in "$kept"/*; do
		if [ -e "$report" ] && { grep -q ThreadSanitizer "$report" || is_ours "$report"; }; then
			echo "  FAILED: a sanitizer's report, ${report#"$root"/}"
			show "$report" 60
			count 0 1 0
		fi
	done
}

# Not what says no more than that a Fiber has a stack of its own, nor that leaks cannot be looked for in `unshare`, whose child has
# other process ids; of leaks, only what is ours.
is_ours() {
	if grep -q 'ERROR: LeakSanitizer' "$1" && ! grep -q 'ERROR: AddressSanitizer' "$1"; then
		has_lasting_leak "$1"
		return
	fi
	grep -vqE '__asan_handle_no_return|^False positive error reports may follow|^For details see|^==unshare==[0-9]+==(LeakSanitizer has encountered|HINT: )|^$' "$1"
}

# A block that we or libmemcached took for longer than a request. What PHP's allocator gave is freed with the
# request, and may be a cycle that waits for the collector; and other programs leak as they like.
has_lasting_leak() {
	awk '/leak of/ { lasts = 0 }
		/^ *#1 / { lasts = /__zend_|\/source\/(src|mcpatterns)|mcpatterns\.so|libmemcached/ }
		lasts && /\/source\/(src|mcpatterns)|mcpatterns\.so|libmemcached/ { found = 1 }
		END { exit !found }' "$1"
}
