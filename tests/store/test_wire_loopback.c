/* The direct wire over TCP against a peer in this process: connects, sends, receives, waits, gives up and tells why, by whatever
 * sockets the system has. Runs as a Windows program, too. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/store/server/connection.h"
#include "../../src/store/wire/direct/wire_direct.h"
#include "loopback_peer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Far more than the buffers of a connection take at once. */
enum { LARGE = 12 * 1024 * 1024, LINE = 512, TIMEOUT_MS = 300, PATIENCE_MS = 20000 };

static mcp_wire_settings settings_of(uint16_t port, uint32_t timeout_ms) {
	return (mcp_wire_settings){
		.host = "127.0.0.1",
		.port = port,
		.connect_timeout_ms = PATIENCE_MS,
		.timeout_ms = timeout_ms,
	};
}

static mcp_store *connect_to(uint16_t port, uint32_t timeout_ms, mcp_late_writes *late) {
	mcp_wire_settings settings = settings_of(port, timeout_ms);
	settings.late = late;
	mcp_wire *wire = mcp_wire_direct_create(&settings, loopback_environment());
	mcp_store *store = mcp_connection_create(wire, &settings, 0, loopback_environment());
	assert_non_null(store);
	return store;
}

static mcp_key key_of(const char *text) {
	mcp_bytes bytes = mcp_bytes_text(text);
	return (mcp_key){.wire = bytes, .route = bytes};
}

static mcp_status set(mcp_store *store, const char *value, size_t length) {
	mcp_key key = key_of("k");
	mcp_record record = {.body = mcp_bytes_of(value, length)};
	return mcp_store_set(store, &key, &record);
}

static mcp_status get(mcp_store *store, mcp_item *item) {
	mcp_key key = key_of("k");
	return mcp_store_get(store, &key, item);
}

static const char *reason_of(mcp_store *store) {
	return mcp_store_last_failure(store)->reason.text;
}

/* --- peers --- */

/* Holds one item, as memcached does. */
static void keep_one(loopback_peer *peer) {
	char line[LINE], *value = malloc(LARGE + 2);
	size_t length = 0;
	while (loopback_peer_hear_line(peer, line, sizeof(line))) {
		if (sscanf(line, "set k 0 0 %zu", &length) == 1) {
			if (!loopback_peer_hear(peer, value, length + 2) ||
				!loopback_peer_say_text(peer, "STORED\r\n")) {
				break;
			}
		} else if (strncmp(line, "gets k", 6) == 0) {
			char head[LINE];
			snprintf(head, sizeof(head), "VALUE k 0 %zu 7\r\n", length);
			if (!loopback_peer_say_text(peer, head) ||
				!loopback_peer_say(peer, value, length + 2) ||
				!loopback_peer_say_text(peer, "END\r\n")) {
				break;
			}
		} else if (!loopback_peer_say_text(peer,
					   strncmp(line, "stats", 5) == 0 ? "STAT item_size_max 1073741824\r\nEND\r\n"
													  : "ERROR\r\n")) {
			break;
		}
	}
	free(value);
}

/* Answers with a part of what there would be to say, and ends. */
static void break_off(loopback_peer *peer) {
	char line[LINE];
	if (loopback_peer_hear_line(peer, line, sizeof(line))) {
		loopback_peer_say_text(peer, "VALUE k 0 100 7\r\nhalf");
	}
}

static void hang_up(loopback_peer *peer) {
	char line[LINE];
	loopback_peer_hear_line(peer, line, sizeof(line));
}

/* Sends its answer a byte at a time, and never to the end: waits only for the other side to be gone. */
static void drip(loopback_peer *peer) {
	char line[LINE];
	if (!loopback_peer_hear_line(peer, line, sizeof(line)) ||
		!loopback_peer_say_text(peer, "VALUE k 0 1000000 7\r\n")) {
		return;
	}
	struct timespec pause = {0, 20000000};
	while (loopback_peer_say(peer, "x", 1)) {
		nanosleep(&pause, NULL);
	}
}

/* Sends all of its answer so. */
static void drip_to_the_end(loopback_peer *peer) {
	static const char answer[] = "VALUE k 0 5 7\r\nhello\r\nEND\r\n";
	char line[LINE];
	struct timespec pause = {0, 1000000};
	loopback_peer_hear_line(peer, line, sizeof(line));
	for (const char *byte = answer; *byte != '\0' && loopback_peer_say(peer, byte, 1); byte++) {
		nanosleep(&pause, NULL);
	}
	loopback_peer_hear_line(peer, line, sizeof(line));
}

static void say_nothing(loopback_peer *peer) {
	char line[LINE];
	while (loopback_peer_hear_line(peer, line, sizeof(line))) {
	}
}

/* Says nothing until it is let go on. */
static void answer_late(loopback_peer *peer) {
	char line[LINE], value[LINE];
	while (loopback_peer_hear_line(peer, line, sizeof(line)) &&
		loopback_peer_hear_line(peer, value, sizeof(value))) {
		loopback_peer_wait(peer);
		loopback_peer_say_text(peer, "STORED\r\n");
	}
}

static void never_read(loopback_peer *peer) {
	loopback_peer_wait(peer);
}

/* --- tests --- */

TEST(what_is_sent_comes_back) {
	loopback_peer *peer = loopback_peer_start(keep_one);
	mcp_store *store = connect_to(peer->port, PATIENCE_MS, NULL);
	for (int i = 0; i < 100; i++) {
		char value[LINE];
		int length = snprintf(value, sizeof(value), "value %d", i);
		mcp_item item;
		assert_int_equal(MCP_OK, set(store, value, (size_t)length));
		assert_int_equal(MCP_OK, get(store, &item));
		assert_int_equal(length, item.value.length);
		assert_memory_equal(value, item.value.data, item.value.length);
	}
	mcp_store_free(store);
	loopback_peer_stop(peer);
}

TEST(a_value_larger_than_all_buffers_comes_back) {
	loopback_peer *peer = loopback_peer_start(keep_one);
	mcp_store *store = connect_to(peer->port, PATIENCE_MS, NULL);
	char *value = malloc(LARGE);
	for (size_t i = 0; i < LARGE; i++) {
		value[i] = (char)(i * 2654435761u >> 24);
	}
	mcp_item item;
	assert_int_equal(MCP_OK, set(store, value, LARGE));
	assert_int_equal(MCP_OK, get(store, &item));
	assert_int_equal(LARGE, item.value.length);
	assert_memory_equal(value, item.value.data, LARGE);
	mcp_store_free(store);
	free(value);
	loopback_peer_stop(peer);
}

TEST(where_nobody_listens_it_says_so) {
	mcp_store *store = connect_to(loopback_peer_none(), TIMEOUT_MS, NULL);
	mcp_item item;
	assert_int_equal(MCP_UNREACHABLE, get(store, &item));
	assert_string_equal("could not be reached: connection refused, nothing listens there",
		reason_of(store));
	mcp_store_free(store);
}

TEST(a_name_that_no_host_has_is_said_so) {
	mcp_wire_settings settings = settings_of(1, TIMEOUT_MS);
	settings.host = "no such host.invalid";
	mcp_store *store =
		mcp_connection_create(mcp_wire_direct_create(&settings, loopback_environment()), &settings,
			0, loopback_environment());
	mcp_item item;
	assert_int_equal(MCP_UNREACHABLE, get(store, &item));
	assert_string_equal("could not be reached: its host is unknown", reason_of(store));
	mcp_store_free(store);
}

TEST(an_answer_that_ends_too_early_is_no_value) {
	static const loopback_talk talks[] = {break_off, hang_up};
	for (int i = 0; i < 2; i++) {
		loopback_peer *peer = loopback_peer_start(talks[i]);
		mcp_store *store = connect_to(peer->port, PATIENCE_MS, NULL);
		mcp_item item;
		assert_true(mcp_status_is_unanswered(get(store, &item)));
		assert_int_not_equal('\0', *reason_of(store));
		mcp_store_free(store);
		loopback_peer_stop(peer);
	}
}

TEST(an_answer_that_drips_is_cut_off) {
	loopback_peer *peer = loopback_peer_start(drip);
	mcp_store *store = connect_to(peer->port, TIMEOUT_MS, NULL);
	mcp_item item;
	assert_int_equal(MCP_TIMEOUT, get(store, &item));
	mcp_store_free(store);
	loopback_peer_stop(peer);
}

TEST(an_answer_that_drips_to_its_end_is_whole) {
	loopback_peer *peer = loopback_peer_start(drip_to_the_end);
	mcp_store *store = connect_to(peer->port, PATIENCE_MS, NULL);
	mcp_item item;
	assert_int_equal(MCP_OK, get(store, &item));
	assert_int_equal(5, item.value.length);
	assert_memory_equal("hello", item.value.data, 5);
	mcp_store_free(store);
	loopback_peer_stop(peer);
}

TEST(a_peer_that_says_nothing_is_given_up) {
	loopback_peer *peer = loopback_peer_start(say_nothing);
	mcp_store *store = connect_to(peer->port, TIMEOUT_MS, NULL);
	mcp_item item;
	assert_int_equal(MCP_TIMEOUT, get(store, &item));
	assert_string_equal("did not reply within 300 ms", reason_of(store));
	mcp_store_free(store);
	loopback_peer_stop(peer);
}

TEST(a_peer_that_reads_nothing_is_given_up) {
	loopback_peer *peer = loopback_peer_start(never_read);
	mcp_wire_settings settings = settings_of(peer->port, TIMEOUT_MS);
	mcp_wire *wire = mcp_wire_direct_create(&settings, loopback_environment());
	char *value = calloc(1, LARGE);
	mcp_key key = key_of("k");
	mcp_record record = {.body = mcp_bytes_of(value, LARGE)};
	mcp_op op = {.verb = MCP_OP_SET, .key = &key, .record = &record};
	assert_int_equal(MCP_TIMEOUT, mcp_wire_write(wire, &op));
	mcp_wire_free(wire);
	free(value);
	loopback_peer_let_go(peer);
	loopback_peer_stop(peer);
}

TEST(a_late_write_is_out_until_its_answer_comes) {
	static mcp_late_writes late;
	loopback_peer *peer = loopback_peer_start(answer_late);
	mcp_store *store = connect_to(peer->port, TIMEOUT_MS, &late);
	assert_int_equal(MCP_UNKNOWN, set(store, "v", 1));
	assert_true(mcp_store_has_late_write(store));
	loopback_peer_let_go(peer);
	struct timespec pause = {0, 1000000};
	for (int i = 0; i < PATIENCE_MS && mcp_store_has_late_write(store); i++) {
		nanosleep(&pause, NULL);
	}
	assert_false(mcp_store_has_late_write(store));
	mcp_store_free(store);
	mcp_late_writes_close(&late);
	loopback_peer_stop(peer);
}

int main(void) {
	loopback_peer_ready();
	return tests_run(NULL, NULL);
}
