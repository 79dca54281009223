/* Samples are kept in order and expire. An incomplete sample is missing. The state of a server has the time of its
 * observation. */
/* SPDX-License-Identifier: MIT */
#include "metrics_fixture.h"

#include "../../src/core/metrics/metrics.h"

#define HOUR_MS 3600000

static size_t read_all(const mcp_metrics *metrics, uint64_t now_ms, mcp_history_shown *shown) {
	return mcp_history_read(&metrics->history, now_ms, 0, shown);
}

static void hit_and_sample(mcp_metrics *metrics, uint64_t now_ms) {
	mcp_metrics_sample(metrics, now_ms);
	static const char *const names[] = {"page:", "user:"};
	for (size_t i = 0; i < 2; i++) {
		mcp_metrics_group *group = mcp_metrics_find_group(metrics, mcp_bytes_text(names[i]));
		mcp_metrics_add(&group->counts[MCP_COUNT_HITS], 1);
	}
}

TEST_WITH(an_hour_is_there_by_minutes_and_its_end_by_steps, make, unmake) {
	mcp_metrics *metrics = *state;
	mcp_history_shown shown[MCP_HISTORY_SHOWN];
	uint64_t end_ms = NOW_MS + 2 * HOUR_MS;
	for (uint64_t at_ms = NOW_MS; at_ms <= end_ms; at_ms += 500) {
		hit_and_sample(metrics, at_ms);
	}
	size_t count = read_all(metrics, end_ms, shown);
	assert_in_range(count, MCP_HISTORY_SAMPLES + 60, MCP_HISTORY_SHOWN);
	assert_true(shown[0].at_ms <= end_ms - HOUR_MS);
	for (size_t i = 0; i < count; i++) {
		uint64_t gap_ms = i == 0 ? 0 : shown[i].at_ms - shown[i - 1].at_ms;
		bool is_recent = i > count - MCP_HISTORY_SAMPLES;
		assert_in_range(gap_ms, is_recent ? MCP_HISTORY_STEP_MS : 0,
			is_recent ? MCP_HISTORY_STEP_MS : MCP_HISTORY_MINUTE_MS);
		/* The count is of both groups, and a sample comes before the hits of its own moment. */
		uint64_t hits = 2 * ((shown[i].at_ms - NOW_MS) / 500);
		assert_int_equal(hits, shown[i].sums[MCP_SUM_OF_CACHES + MCP_COUNT_HITS]);
	}
}

TEST_WITH(each_kind_has_its_own_sum, make, unmake) {
	mcp_metrics *metrics = *state;
	mcp_history_shown shown[MCP_HISTORY_SHOWN];
	mcp_metrics_server *one = mcp_metrics_find_server(metrics, mcp_bytes_text("10.0.0.1:11211"));
	mcp_metrics_server *two = mcp_metrics_find_server(metrics, mcp_bytes_text("10.0.0.2:11211"));
	mcp_metrics_count_computation(mcp_metrics_find_group(metrics, mcp_bytes_text("page:")), 12);
	mcp_metrics_count_computation(mcp_metrics_find_group(metrics, mcp_bytes_text("user:")), 30);
	mcp_metrics_add(&mcp_metrics_find_lock(metrics, mcp_bytes_text("l"))->counts[MCP_COUNT_LOSSES],
		3);
	mcp_metrics_add(&one->counts[MCP_COUNT_CALLS], 5);
	mcp_metrics_add(&two->counts[MCP_COUNT_CALLS], 6);
	mcp_metrics_add(&two->counts[MCP_COUNT_WHEN_DOWN], 7);
	mcp_metrics_add(&mcp_metrics_find_session(metrics, mcp_bytes_text("a."))
						 ->counts[MCP_COUNT_SESSION_FAILURES],
		8);
	mcp_metrics_add(&mcp_metrics_find_session(metrics, mcp_bytes_text("b."))
						 ->counts[MCP_COUNT_SESSION_FAILURES],
		9);
	mcp_metrics_sample(metrics, NOW_MS);
	assert_int_equal(1, read_all(metrics, NOW_MS, shown));
	assert_int_equal(17, shown[0].sums[MCP_SUM_OF_SESSIONS + MCP_COUNT_SESSION_FAILURES]);
	assert_int_equal(42, shown[0].sums[MCP_SUM_OF_CACHES + MCP_COUNT_COMPUTE_MS]);
	assert_int_equal(2, shown[0].sums[MCP_SUM_OF_CACHES + MCP_COUNT_COMPUTATIONS]);
	assert_int_equal(3, shown[0].sums[MCP_SUM_OF_LOCKS + MCP_COUNT_LOSSES]);
	assert_int_equal(11, shown[0].sums[MCP_SUM_OF_SERVERS + MCP_COUNT_CALLS]);
	assert_int_equal(0, shown[0].sums[MCP_SUM_OF_SERVERS + MCP_COUNT_FAILURES]);
	assert_int_equal(7, shown[0].sums[MCP_SUM_OF_SERVERS + MCP_COUNT_WHEN_DOWN]);
}

TEST_WITH(what_is_old_or_of_another_beginning_is_not_there, make, unmake) {
	mcp_metrics *metrics = *state;
	mcp_history_shown shown[MCP_HISTORY_SHOWN];
	hit_and_sample(metrics, NOW_MS);
	hit_and_sample(metrics, NOW_MS + 2 * MCP_HISTORY_MINUTE_MS);
	assert_int_equal(2, read_all(metrics, NOW_MS + HOUR_MS, shown));
	assert_int_equal(0, read_all(metrics, NOW_MS + 2 * HOUR_MS, shown));
	assert_int_equal(1, read_all(metrics, NOW_MS, shown)); /* nothing of the future */
	assert_int_equal(1, mcp_history_read(&metrics->history, NOW_MS + HOUR_MS, NOW_MS + 1, shown));
	mcp_metrics_reset(metrics, NOW_MS + HOUR_MS);
	assert_int_equal(0, read_all(metrics, NOW_MS + HOUR_MS, shown));
	hit_and_sample(metrics, NOW_MS + HOUR_MS);
	assert_int_equal(1, read_all(metrics, NOW_MS + HOUR_MS, shown));
}

/* A clock that was wrong leaves samples of the future, which must not keep those of now away. */
TEST_WITH(a_clock_that_is_set_back_is_believed, make, unmake) {
	mcp_metrics *metrics = *state;
	mcp_history_shown shown[MCP_HISTORY_SHOWN];
	for (uint64_t at_ms = 0; at_ms < HOUR_MS; at_ms += MCP_HISTORY_STEP_MS) {
		hit_and_sample(metrics, NOW_MS + HOUR_MS + at_ms);
	}
	for (uint64_t at_ms = 0; at_ms < 10 * MCP_HISTORY_STEP_MS; at_ms += MCP_HISTORY_STEP_MS) {
		hit_and_sample(metrics, NOW_MS + at_ms);
	}
	assert_in_range(read_all(metrics, NOW_MS + 9 * MCP_HISTORY_STEP_MS, shown), 10, 11);
}

/* The process that took it was killed after each word that it wrote. */
TEST_WITH(a_half_taken_sample_is_not_there, make, unmake) {
	mcp_metrics *metrics = *state;
	mcp_history_shown shown[MCP_HISTORY_SHOWN];
	hit_and_sample(metrics, NOW_MS);
	hit_and_sample(metrics, NOW_MS + MCP_HISTORY_MINUTE_MS);
	size_t place = NOW_MS / MCP_HISTORY_STEP_MS % MCP_HISTORY_SAMPLES;
	mcp_history_sample *sample = &metrics->history.steps[place];
	mcp_history_sample whole = *sample;
	mcp_metrics_add(&sample->at_ms, 1);
	/* The minute's is there in its place. */
	assert_int_equal(2, read_all(metrics, NOW_MS + MCP_HISTORY_MINUTE_MS, shown));
	assert_int_equal(NOW_MS, shown[0].at_ms);
	memset(&metrics->history.minutes, 0, sizeof(metrics->history.minutes));
	mcp_metrics_word *words = (mcp_metrics_word *)sample;
	for (size_t i = 0; i < sizeof(*sample) / sizeof(*words); i++) {
		*sample = whole;
		mcp_metrics_add(&words[i], 1);
		assert_int_equal(1, read_all(metrics, NOW_MS + MCP_HISTORY_MINUTE_MS, shown));
	}
	*sample = whole;
	assert_int_equal(2, read_all(metrics, NOW_MS + MCP_HISTORY_MINUTE_MS, shown));
}

/* The largest of all groups, and not their sum. */
TEST_WITH(a_peak_is_not_added_up, make, unmake) {
	mcp_metrics *metrics = *state;
	mcp_history_shown shown[MCP_HISTORY_SHOWN];
	const unsigned which = MCP_COUNT_AUDIT_OLDEST_MS;
	mcp_metrics_group *first = mcp_metrics_find_group(metrics, mcp_bytes_text("first"));
	mcp_metrics_group *second = mcp_metrics_find_group(metrics, mcp_bytes_text("second"));
	mcp_metrics_raise(&first->counts[which], 5000);
	mcp_metrics_raise(&second->counts[which], 12000);
	mcp_metrics_raise(&second->counts[which], 3000);
	assert_int_equal(12000, mcp_metrics_get(&second->counts[which]));
	hit_and_sample(metrics, NOW_MS);
	assert_int_equal(1, read_all(metrics, NOW_MS, shown));
	assert_int_equal(12000, shown[0].sums[MCP_SUM_OF_CACHES + which]);
}

static uint64_t used_ms(const mcp_metrics_server *server, uint64_t now_ms) {
	return mcp_metrics_state_used_ms(&server->state,
		mcp_metrics_get(&server->counts[MCP_COUNT_CALLS]), now_ms);
}

/* After a long time without samples, a call counts as a call of now, because its time is unknown. */
TEST_WITH(a_server_is_in_use_while_its_calls_become_more, make, unmake) {
	mcp_metrics *metrics = *state;
	mcp_metrics_server *server = mcp_metrics_find_server(metrics, mcp_bytes_text("10.0.0.1:11211"));
	mcp_metrics_sample(metrics, NOW_MS);
	mcp_metrics_add(&server->counts[MCP_COUNT_CALLS], 1);
	assert_int_equal(NOW_MS + 1, used_ms(server, NOW_MS + 1));
	mcp_metrics_sample(metrics, NOW_MS + HOUR_MS);
	assert_int_equal(NOW_MS + HOUR_MS, used_ms(server, NOW_MS + HOUR_MS + 1));
	mcp_metrics_sample(metrics, NOW_MS + 2 * HOUR_MS);
	assert_int_equal(NOW_MS + HOUR_MS, used_ms(server, NOW_MS + 2 * HOUR_MS));
	mcp_metrics_add(&server->counts[MCP_COUNT_CALLS], 1);
	assert_int_equal(NOW_MS + 2 * HOUR_MS + 1, used_ms(server, NOW_MS + 2 * HOUR_MS + 1));
}

TEST_WITH(an_outage_begins_with_its_first_opening, make, unmake) {
	mcp_metrics *metrics = *state;
	mcp_metrics_state *server =
		&mcp_metrics_find_server(metrics, mcp_bytes_text("10.0.0.1:11211"))->state;
	assert_false(mcp_metrics_state_is_open(server, NOW_MS));
	mcp_metrics_state_open(server, NOW_MS, NOW_MS + 1000);
	mcp_metrics_state_open(server, NOW_MS + 1500, NOW_MS + 2500);
	assert_true(mcp_metrics_state_is_open(server, NOW_MS + 2499));
	assert_false(mcp_metrics_state_is_open(server, NOW_MS + 2500));
	assert_int_equal(NOW_MS, mcp_metrics_get(&server->open_since_ms));
	mcp_metrics_state_close(server);
	assert_false(mcp_metrics_state_is_open(server, NOW_MS + 2000));
	mcp_metrics_state_open(server, NOW_MS + 3000, NOW_MS + 4000);
	assert_int_equal(NOW_MS + 3000, mcp_metrics_get(&server->open_since_ms));
	/* The process ended, and never told that the server had answered others. */
	mcp_metrics_state_open(server, NOW_MS + HOUR_MS, NOW_MS + HOUR_MS + 1000);
	assert_int_equal(NOW_MS + HOUR_MS, mcp_metrics_get(&server->open_since_ms));
}

TEST_WITH(a_failure_has_its_time_and_its_reason, make, unmake) {
	mcp_metrics *metrics = *state;
	mcp_metrics_state *server =
		&mcp_metrics_find_server(metrics, mcp_bytes_text("10.0.0.1:11211"))->state;
	char reason[MCP_METRICS_REASON_MAX], longer[300];
	size_t length;
	assert_int_equal(0, mcp_metrics_state_failure(server, reason, &length));
	mcp_metrics_state_fail(server, NOW_MS, mcp_bytes_text("did not reply within 200 ms"));
	mcp_metrics_state_fail(server, NOW_MS + 5, mcp_bytes_text("broke the connection"));
	assert_int_equal(NOW_MS + 5, mcp_metrics_state_failure(server, reason, &length));
	assert_int_equal(20, length);
	assert_memory_equal("broke the connection", reason, 20);
	mcp_metrics_add(&server->reason_text[1], 1);
	assert_int_equal(0, mcp_metrics_state_failure(server, reason, &length));
	memset(longer, 'a', sizeof(longer));
	mcp_metrics_state_fail(server, NOW_MS + 6, mcp_bytes_of(longer, sizeof(longer)));
	assert_int_equal(NOW_MS + 6, mcp_metrics_state_failure(server, reason, &length));
	assert_int_equal(MCP_METRICS_REASON_MAX, length);
}
