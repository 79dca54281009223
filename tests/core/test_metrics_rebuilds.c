/* The sketch shows the dearest keys of the last minute, and nothing of them is lost while it has places. */
/* SPDX-License-Identifier: MIT */
#include "metrics_fixture.h"

#include <pthread.h>

#define WRITERS 4

static mcp_rebuild scratch[MCP_REBUILDS_SCRATCH];

TEST_WITH(the_dearest_keys_of_a_minute_come_first, make, unmake) {
	mcp_metrics *metrics = *state;
	mcp_rebuilds *rebuilds = &metrics->rebuilds;
	for (uint64_t second = 0; second < 60; second++) {
		mcp_rebuilds_add(rebuilds, NOW_MS + second * 1000, 3, mcp_bytes_text("often"), 10);
		mcp_rebuilds_add(rebuilds, NOW_MS + second * 1000, 4, mcp_bytes_text("often"), 1);
	}
	mcp_rebuilds_add(rebuilds, NOW_MS + 30000, 3, mcp_bytes_text("dear"), 900);
	size_t count = mcp_rebuilds_read(rebuilds, NOW_MS + 54000, scratch);
	assert_int_equal(3, count);
	assert_memory_equal("dear", scratch[0].key, 4);
	assert_int_equal(900, scratch[0].spent_ms);
	assert_int_equal(1, scratch[0].count);
	assert_memory_equal("often", scratch[1].key, 5);
	assert_int_equal(3, scratch[1].group);
	assert_int_equal(550, scratch[1].spent_ms);
	assert_int_equal(55, scratch[1].count);
	assert_int_equal(4, scratch[2].group);
}

TEST_WITH(what_is_older_than_a_minute_is_gone, make, unmake) {
	mcp_metrics *metrics = *state;
	mcp_rebuilds *rebuilds = &metrics->rebuilds;
	mcp_rebuilds_add(rebuilds, NOW_MS, 0, mcp_bytes_text("k"), 5);
	assert_int_equal(1, mcp_rebuilds_read(rebuilds, NOW_MS + 50000, scratch));
	assert_int_equal(0, mcp_rebuilds_read(rebuilds, NOW_MS + 60000, scratch));
	assert_int_equal(0, mcp_rebuilds_read(rebuilds, NOW_MS - 60000, scratch));
	assert_int_equal(0, mcp_rebuilds_read(rebuilds, 0, scratch));
	/* Its place is taken by another key of a later slice, and nothing of it is left there. */
	uint64_t round_ms = (uint64_t)MCP_REBUILDS_SLICES_KEPT * MCP_REBUILDS_SLICE_MS;
	mcp_rebuilds_add(rebuilds, NOW_MS + round_ms, 0, mcp_bytes_text("k"), 2);
	assert_int_equal(1, mcp_rebuilds_read(rebuilds, NOW_MS + round_ms, scratch));
	assert_int_equal(2, scratch[0].spent_ms);
	assert_int_equal(1, scratch[0].count);
}

TEST_WITH(dear_keys_survive_a_flood_of_cheap_ones, make, unmake) {
	mcp_metrics *metrics = *state;
	mcp_rebuilds *rebuilds = &metrics->rebuilds;
	for (uint32_t i = 0; i < 20000; i++) {
		char key[16];
		snprintf(key, sizeof(key), "cheap %" PRIu32, i);
		mcp_rebuilds_add(rebuilds, NOW_MS, 0, mcp_bytes_text(key), 1);
		if (i % 20 == 0) {
			mcp_rebuilds_add(rebuilds, NOW_MS, 0, mcp_bytes_text("dear"), 500);
		}
	}
	size_t count = mcp_rebuilds_read(rebuilds, NOW_MS, scratch);
	assert_int_equal(MCP_REBUILDS_SHOWN, count);
	assert_memory_equal("dear", scratch[0].key, 4);
	/* Never more than it has cost: what others left in its place is taken off. */
	assert_in_range(scratch[0].spent_ms, 990 * 500, 1000 * 500);
}

static void *add_many(void *rebuilds) {
	for (uint32_t i = 0; i < 50000; i++) {
		char key[16];
		snprintf(key, sizeof(key), "key %" PRIu32, i % MCP_REBUILDS_PLACES);
		mcp_rebuilds_add(rebuilds, NOW_MS, 0, mcp_bytes_text(key), 3);
	}
	return NULL;
}

TEST_WITH(nothing_is_lost_while_there_are_places, make, unmake) {
	mcp_metrics *metrics = *state;
	pthread_t writers[WRITERS];
	for (int i = 0; i < WRITERS; i++) {
		assert_int_equal(0, pthread_create(&writers[i], NULL, add_many, &metrics->rebuilds));
	}
	for (int i = 0; i < WRITERS; i++) {
		pthread_join(writers[i], NULL);
	}
	size_t shown = mcp_rebuilds_read(&metrics->rebuilds, NOW_MS, scratch);
	assert_int_equal(MCP_REBUILDS_SHOWN, shown);
	for (size_t i = 0; i < shown; i++) {
		assert_int_equal(3 * scratch[i].count, scratch[i].spent_ms);
		assert_in_range(scratch[i].count, WRITERS * 50000 / MCP_REBUILDS_PLACES - WRITERS,
			WRITERS * 50000 / MCP_REBUILDS_PLACES + WRITERS);
	}
}
