/* Names find their records, however many there are, and whoever was killed while it made one; times find their places
 * in histograms; what is forgotten is forgotten altogether. */
/* SPDX-License-Identifier: MIT */
#include "metrics_fixture.h"

TEST_WITH(a_name_finds_its_record_again, make, unmake) {
	mcp_metrics *metrics = *state;
	char name[MCP_METRICS_NAME_MAX];
	size_t length;
	mcp_metrics_group *page = mcp_metrics_find_group(metrics, mcp_bytes_text("page:"));
	mcp_metrics_group *empty = mcp_metrics_find_group(metrics, mcp_bytes_text(""));
	assert_ptr_equal(page, mcp_metrics_find_group(metrics, mcp_bytes_text("page:")));
	assert_ptr_equal(empty, mcp_metrics_find_group(metrics, mcp_bytes_text("")));
	assert_ptr_not_equal(page, empty);
	assert_true(mcp_metrics_read_name(&page->name, name, &length));
	assert_int_equal(5, length);
	assert_memory_equal("page:", name, 5);
	assert_true(mcp_metrics_read_name(&empty->name, name, &length));
	assert_int_equal(0, length);
}

TEST_WITH(names_beyond_the_last_place_share_one, make, unmake) {
	mcp_metrics *metrics = *state;
	mcp_metrics_group *rest = &metrics->groups[MCP_METRICS_GROUPS - 1];
	for (int i = 0; i < 200; i++) {
		char name[16];
		snprintf(name, sizeof(name), "%d:", i);
		mcp_metrics_group *group = mcp_metrics_find_group(metrics, mcp_bytes_text(name));
		assert_int_equal(i >= MCP_METRICS_GROUPS - 1, group == rest);
		mcp_metrics_add(&group->counts[MCP_COUNT_HITS], 1);
	}
	assert_int_equal(200 - (MCP_METRICS_GROUPS - 1),
		mcp_metrics_get(&rest->counts[MCP_COUNT_HITS]));
	assert_int_equal(0, mcp_metrics_get(&rest->name.id));
}

TEST_WITH(long_names_are_cut_and_stay_different, make, unmake) {
	mcp_metrics *metrics = *state;
	char long_one[300], other[300], name[MCP_METRICS_NAME_MAX];
	size_t length;
	memset(long_one, 'a', sizeof(long_one));
	memset(other, 'a', sizeof(other));
	other[299] = 'b';
	mcp_metrics_lock *one = mcp_metrics_find_lock(metrics, mcp_bytes_of(long_one, 300));
	mcp_metrics_lock *two = mcp_metrics_find_lock(metrics, mcp_bytes_of(other, 300));
	assert_ptr_not_equal(one, two);
	assert_true(mcp_metrics_read_name(&one->name, name, &length));
	assert_int_equal(MCP_METRICS_NAME_MAX, length);
	assert_int_equal('~', name[MCP_METRICS_NAME_MAX - 17]);
}

/* The maker was killed after each word that it wrote. */
TEST_WITH(a_half_made_name_is_completed_by_the_next, make, unmake) {
	mcp_metrics *metrics = *state;
	const char *whole = "a name of more than two words";
	mcp_metrics_server *server = mcp_metrics_find_server(metrics, mcp_bytes_text(whole));
	mcp_metrics_name made = server->name;
	const size_t words = sizeof(made) / sizeof(mcp_metrics_word);
	for (size_t written = 1; written < words; written++) {
		char name[MCP_METRICS_NAME_MAX];
		size_t length;
		memset(&server->name, 0, sizeof(server->name));
		memcpy(&server->name, &made, sizeof(mcp_metrics_word));
		/* The check is the second word, and written last. */
		memcpy((char *)&server->name + 16, (char *)&made + 16, (written - 1) * 8);
		assert_false(mcp_metrics_read_name(&server->name, name, &length));
		assert_ptr_equal(server, mcp_metrics_find_server(metrics, mcp_bytes_text(whole)));
		assert_true(mcp_metrics_read_name(&server->name, name, &length));
		assert_memory_equal(whole, name, strlen(whole));
	}
}

TEST(a_time_is_counted_at_the_first_bound_that_it_does_not_exceed) {
	for (size_t place = 0; place < MCP_COMPUTE_TIMES - 1; place++) {
		uint64_t bound = mcp_histogram_bound(place, 0);
		assert_int_equal(place, mcp_histogram_place(bound, 0, MCP_COMPUTE_TIMES));
		assert_int_equal(place + 1, mcp_histogram_place(bound + 1, 0, MCP_COMPUTE_TIMES));
	}
	assert_int_equal(0, mcp_histogram_place(0, 0, MCP_COMPUTE_TIMES));
	assert_int_equal(MCP_COMPUTE_TIMES - 1, mcp_histogram_place(UINT64_MAX, 0, MCP_COMPUTE_TIMES));
	assert_int_equal(0, mcp_histogram_place(16384, MCP_ROUND_TRIPS_FIRST, MCP_ROUND_TRIPS));
	assert_int_equal(1, mcp_histogram_place(16385, MCP_ROUND_TRIPS_FIRST, MCP_ROUND_TRIPS));
}

TEST_WITH(reset_forgets_numbers_and_keeps_names, make, unmake) {
	mcp_metrics *metrics = *state;
	mcp_metrics_group *group = mcp_metrics_find_group(metrics, mcp_bytes_text("page:"));
	mcp_metrics_server *server = mcp_metrics_find_server(metrics, mcp_bytes_text("10.0.0.1:11211"));
	mcp_rebuild *rebuilds = calloc(MCP_REBUILDS_SCRATCH, sizeof(*rebuilds));
	mcp_trace_event event;
	mcp_metrics_begin(metrics, NOW_MS);
	mcp_metrics_begin(metrics, NOW_MS + 1);
	assert_int_equal(NOW_MS, mcp_metrics_get(&metrics->since_ms));
	mcp_metrics_count_computation(group, 12);
	mcp_metrics_time_answer(server, 12345);
	mcp_metrics_add(&mcp_metrics_find_lock(metrics, mcp_bytes_text("l"))->counts[MCP_COUNT_LOSSES],
		1);
	mcp_trace_append(&metrics->trace, mcp_trace_with_letter(mcp_trace_who(1, 0), 'H'), NOW_MS,
		mcp_bytes_text("k"));
	mcp_rebuilds_add(&metrics->rebuilds, NOW_MS, 0, mcp_bytes_text("k"), 5);
	assert_int_equal(1, mcp_trace_read(&metrics->trace, MCP_TRACE_ALL_GROUPS, &event, 1));
	mcp_metrics_reset(metrics, NOW_MS + 5);
	assert_int_equal(NOW_MS + 5, mcp_metrics_get(&metrics->since_ms));
	assert_int_equal(0, mcp_metrics_get(&group->counts[MCP_COUNT_COMPUTE_MS]));
	assert_int_equal(0, mcp_metrics_get(&server->timed_ns));
	assert_int_equal(0, mcp_trace_read(&metrics->trace, MCP_TRACE_ALL_GROUPS, &event, 1));
	assert_int_equal(0, mcp_rebuilds_read(&metrics->rebuilds, NOW_MS, rebuilds));
	assert_ptr_equal(group, mcp_metrics_find_group(metrics, mcp_bytes_text("page:")));
	/* And what comes after it counts from nothing. */
	mcp_rebuilds_add(&metrics->rebuilds, NOW_MS, 0, mcp_bytes_text("k"), 7);
	assert_int_equal(1, mcp_rebuilds_read(&metrics->rebuilds, NOW_MS, rebuilds));
	assert_int_equal(7, rebuilds[0].spent_ms);
	assert_int_equal(1, rebuilds[0].count);
	free(rebuilds);
}

TEST_WITH(each_process_enters_once, make, unmake) {
	mcp_metrics *metrics = *state;
	for (uint32_t pid = 1; pid <= MCP_METRICS_PROCESSES; pid++) {
		assert_true(mcp_metrics_enter(metrics, pid));
		assert_true(mcp_metrics_enter(metrics, 1));
	}
	assert_false(mcp_metrics_enter(metrics, MCP_METRICS_PROCESSES + 1));
}
