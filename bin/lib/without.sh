# Tests the extension as a compiler alone builds it: without libmemcached, zlib and zstd. Sourced by bin/test.
# SPDX-License-Identifier: MIT
# shellcheck shell=bash

libmemcached_version() {
	if [ "$without_libmemcached" = yes ]; then
		echo "no libmemcached"
	else
		echo "libmemcached $(pkg-config --modversion libmemcached)"
	fi
}

# Some of each class, of servers and their outages, of what is shared by processes, and of whole programs. --without-libmemcached
# runs all.
phpt_without=(
	php/cache/add_succeeds_for_one_when_nothing_fresh_is_there.phpt
	php/cache/remember/remember_cold_key_is_computed_once_by_many_processes.phpt
	php/cache/many/get_multiple_answers_as_get_would.phpt
	php/cache/tags/tags_invalidate_what_was_computed_before.phpt
	php/cache/copies/copies_are_found_when_one_is_lost.phpt
	php/cache/guarded/set_goes_where_the_look_found_nothing.phpt
	php/cache/near/near_never_answers_what_this_host_changed.phpt
	php/clock/time_stands_still_until_advanced.phpt
	php/counter/counts_between_zero_and_php_int_max.phpt
	php/entry/entry_tells_the_story_of_a_value.phpt
	php/event_log/since_gives_each_event_once.phpt
	php/key/of_is_the_documented_hash.phpt
	php/lifecycle/fork_with_an_open_connection_confuses_nobody.phpt
	php/lock/acquire_excludes_everybody_else.phpt
	php/lock/token_grows_from_holder_to_holder.phpt
	php/mc/get_and_set_keep_the_articles_contract.phpt
	php/member_set/members_are_those_that_joined_and_did_not_leave.phpt
	php/metrics/every_count_is_shown_everywhere.phpt
	php/online_counter/count_is_that_of_exact_sets.phpt
	php/pool/servers/server_for_is_where_php_memcached_looks.phpt
	php/pool/stats_of_each_server.phpt
	php/rate_limiter/attempt_admits_the_limit_and_no_more.phpt
	php/semaphore/acquire_lets_in_as_many_as_there_are_permits.phpt
	php/session/handler_works_as_files_do.phpt
	php/table/rows_are_those_that_were_put_and_not_deleted.phpt
	php/unique_visitors/count_is_of_different_visitors.phpt
)

# What a compiler alone makes of the sources.
stage_without() {
	stage_note="libmemcached, zlib and zstd: a build by a compiler alone"
	local build=$build extension
	build_without_libraries || { count 0 1 0; return; }
	check "advice" refuses_with_advice
	check "linkage" tools/check-module --without-libmemcached "$extension"
	run_counted libraries "$php" -n -d extension="$extension" tests/without_libraries.php "$extension"
	phpt_log=$logs/without-phpt phpt_timeout=120
	copy_tests
	find_phpt
	[ "${#patterns[@]}" -gt 0 ] || phpt_files=("${phpt_without[@]/#/$phpt/tests/}")
	judge_phpt
}
