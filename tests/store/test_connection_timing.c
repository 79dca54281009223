/* Which requests are timed for the metrics, over our own wire and by a clock of the test's own: one in so many, from
 * its beginning to its answer, and none that waits for other servers in between. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include "../../src/core/metrics/metrics.h"
#include "../../src/store/server/exchange.h"
#include "../../src/store/cluster/store_cluster.h"

#include <stdlib.h>
#include <string.h>

static uint64_t now_ns;

static uint64_t clock_ns(const mcp_environment *environment) {
	return now_ns;
}

/* Makes the first request of each connection a timed one. */
static uint64_t no_chance(const mcp_environment *environment) {
	return 0;
}

/* One peer under two names: its answers are what is asked for first on each connection. */
typedef struct world {
	faults_peer peer;
	mcp_environment environment;
	mcp_store *store;
} world;

static void answer(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		faults_say(connection, "VALUE 0a 0 1 7\r\nA\r\nEND\r\n");
	}
}

static mcp_store *connect_counted(const world *in) {
	mcp_wire_settings settings = faults_settings(in->peer.socket, FAULTS_TIMEOUT_MS);
	return faults_connect(&settings, FAULTS_PAUSE_MS, &in->environment);
}

static int begin(void **state) {
	world *in = calloc(1, sizeof(*in));
	assert_non_null(in);
	faults_by = FAULTS_DIRECT;
	now_ns = 0;
	in->environment = *faults_environment();
	in->environment.monotonic_ns = clock_ns;
	in->environment.random_u64 = no_chance;
	in->environment.metrics = calloc(1, sizeof(mcp_metrics));
	assert_non_null(in->environment.metrics);
	faults_peer_start(&in->peer, answer);
	in->store = connect_counted(in);
	*state = in;
	return 0;
}

static int end(void **state) {
	world *in = *state;
	mcp_store_free(in->store);
	faults_peer_stop(&in->peer);
	free(in->environment.metrics);
	free(in);
	return 0;
}

static const mcp_metrics_server *counted(const world *in) {
	const char *address = in->store->address;
	return mcp_metrics_find_server(in->environment.metrics, mcp_bytes_text(address));
}

static uint64_t timed(const world *in) {
	uint64_t sum = 0;
	for (size_t i = 0; i < MCP_ROUND_TRIPS; i++) {
		sum += mcp_metrics_get(&counted(in)->round_trips[i]);
	}
	return sum;
}

static void hit(const world *in, int times) {
	for (int i = 0; i < times; i++) {
		assert_int_equal(MCP_OK, faults_get(in->store, "0a"));
	}
}

/* Also by a clock that is at its beginning, of which no time may stand for "not timed". */
TEST_WITH(one_hit_in_so_many_is_timed, begin, end) {
	const world *in = *state;
	hit(in, 1);
	assert_int_equal(1, timed(in));
	hit(in, MCP_EXCHANGES_PER_TIMED - 1);
	assert_int_equal(1, timed(in));
	hit(in, 1);
	assert_int_equal(2, timed(in));
	hit(in, 2 * MCP_EXCHANGES_PER_TIMED);
	assert_int_equal(4, timed(in));
	assert_int_equal(1 + 3 * MCP_EXCHANGES_PER_TIMED,
		mcp_metrics_get(&counted(in)->counts[MCP_COUNT_CALLS]));
}

TEST_WITH(what_waits_for_other_servers_is_not_timed, begin, end) {
	const world *in = *state;
	mcp_key key = faults_key("0a");
	mcp_op reply;
	now_ns = UINT64_C(1000000000000);
	for (int i = 0; i < 3; i++) {
		mcp_op *list[] = {&reply};
		mcp_op_begin(&reply, MCP_OP_GET, &key, NULL);
		mcp_store_submit(in->store, list, 1);
		now_ns += 1000000000;
		mcp_store_complete(in->store, list, 1);
		assert_int_equal(MCP_OK, reply.status);
	}
	assert_int_equal(3, mcp_metrics_get(&counted(in)->counts[MCP_COUNT_CALLS]));
	assert_int_equal(0, timed(in));
	assert_int_equal(0, mcp_metrics_get(&counted(in)->timed_ns));
	mcp_store_get_many(in->store, &key, 1, &reply);
	assert_int_equal(1, timed(in));
	assert_int_equal(0, mcp_metrics_get(&counted(in)->timed_ns));
}

/* The time of one that failed says nothing either: the next one counts from its own beginning. */
TEST_WITH(what_failed_is_not_timed, begin, end) {
	world *in = *state;
	hit(in, MCP_EXCHANGES_PER_TIMED);
	faults_peer_stop(&in->peer);
	assert_int_equal(MCP_UNREACHABLE, faults_get(in->store, "0a"));
	assert_int_equal(1, timed(in));
	faults_peer_start(&in->peer, answer);
}
