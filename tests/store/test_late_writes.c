/* A write whose answer does not come leaves its connection open until it comes, and says so; everything else goes on
 * over another one. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include "../../src/store/server/connection.h"
#include "../../src/store/wire/direct/wire_direct.h"
#include "writes.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
	RELEASED = 1000,
	PATIENCE_MS = 5000,
	/* More than any socket of the loopback takes at once, and less than an item may be. */
	LARGE = 900000,
};

static mcp_store *connect_within(const char *socket, uint32_t timeout_ms) {
	mcp_wire_settings settings = faults_settings(socket, timeout_ms);
	settings.late = &faults_late;
	return faults_connect(&settings, 0, faults_environment());
}

static mcp_store *connect_to(const char *socket) {
	return connect_within(socket, FAULTS_TIMEOUT_MS);
}

static mcp_status set(mcp_store *store, const char *name, const char *value) {
	mcp_key key = faults_key(name);
	mcp_record record = faults_record(value);
	return mcp_store_set(store, &key, &record);
}

/* Waits however busy the machine is. */
static void wait_until_settled(mcp_store *store) {
	for (int i = 0; i < PATIENCE_MS && mcp_store_has_late_write(store); i++) {
		usleep(1000);
	}
	assert_false(mcp_store_has_late_write(store));
}

static size_t open_descriptors(void) {
	size_t open = 0;
	for (int i = 0; i < 1024; i++) {
		open += fcntl(i, F_GETFD) >= 0;
	}
	return open;
}

/* --- a real server --- */

TEST_WITH(a_write_is_awaited_until_a_frozen_server_answers, NULL, faults_forget_late) {
	mcp_store *store = connect_to(faults_server.socket);
	faults_set(store, "key", "early");
	assert_false(mcp_store_has_late_write(store));
	faults_freeze(&faults_server);
	assert_int_equal(MCP_UNKNOWN, set(store, "key", "late"));
	assert_true(mcp_store_has_late_write(store));
	faults_thaw(&faults_server);
	wait_until_settled(store);
	faults_assert_value(store, "key", "late");
	assert_int_equal(0, faults_late.count);
	mcp_store_free(store);
}

/* The process has it, not the connection that sent it. */
TEST_WITH(a_late_write_outlives_its_connection, NULL, faults_forget_late) {
	mcp_store *store = connect_to(faults_server.socket);
	faults_freeze(&faults_server);
	assert_int_equal(MCP_UNKNOWN, set(store, "key", "late"));
	mcp_store_free(store);
	store = connect_within(faults_server.socket, 2 * FAULTS_TIMEOUT_MS);
	assert_true(mcp_store_has_late_write(store));
	faults_thaw(&faults_server);
	wait_until_settled(store);
	mcp_store_free(store);
}

TEST_WITH(reads_are_not_set_aside, NULL, faults_forget_late) {
	mcp_store *store = connect_to(faults_server.socket);
	mcp_key key = faults_key("key");
	uint64_t cas;
	faults_set(store, "key", "value");
	faults_freeze(&faults_server);
	assert_int_equal(MCP_TIMEOUT, faults_get(store, "key"));
	assert_int_equal(MCP_TIMEOUT, mcp_store_cas_of(store, &key, &cas));
	assert_int_equal(MCP_TIMEOUT, mcp_store_ping(store));
	assert_false(mcp_store_has_late_write(store));
	faults_thaw(&faults_server);
	mcp_store_free(store);
}

static mcp_status delete_one(mcp_store *store, const mcp_key *key) {
	return mcp_store_delete(store, key);
}

static mcp_status touch(mcp_store *store, const mcp_key *key) {
	return mcp_store_touch(store, key, 1000);
}

static mcp_status increment(mcp_store *store, const mcp_key *key) {
	uint64_t number;
	return mcp_store_increment(store, key, 1, &number);
}

static mcp_status add_proven(mcp_store *store, const mcp_key *key) {
	mcp_record record = faults_record("value");
	mcp_proof proof = {0};
	record.proof = &proof;
	return mcp_store_add(store, key, &record);
}

static mcp_status set_two(mcp_store *store, const mcp_key *key) {
	test_write writes[] = {
		{.key = *key, .record = faults_record("one")},
		{.key = faults_key("another"), .record = faults_record("two")},
	};
	test_writes_run(store, MCP_OP_SET, writes, 2);
	assert_int_equal(writes[0].status, writes[1].status);
	return writes[0].status;
}

static mcp_status delete_two(mcp_store *store, const mcp_key *key) {
	mcp_key keys[] = {*key, faults_key("another")};
	mcp_status statuses[2];
	mcp_store_delete_many(store, keys, 2, statuses);
	return statuses[1];
}

TEST_WITH(every_kind_of_write_is_awaited, NULL, faults_forget_late) {
	static mcp_status (*const writes[])(mcp_store *, const mcp_key *) = {delete_one, touch,
		increment, add_proven, set_two, delete_two};
	mcp_key key = faults_key("key"), proven = faults_key("proven");
	for (size_t i = 0; i < sizeof(writes) / sizeof(*writes); i++) {
		mcp_store *store = connect_to(faults_server.socket);
		add_proven(store, &proven); /* so that it has learnt what it is to know */
		faults_freeze(&faults_server);
		assert_int_equal(MCP_UNKNOWN, writes[i](store, &key));
		assert_true(mcp_store_has_late_write(store));
		faults_thaw(&faults_server);
		wait_until_settled(store);
		mcp_store_free(store);
	}
}

TEST_WITH(a_server_that_dies_has_answered, NULL, faults_forget_late) {
	private_server server = {0};
	assert_true(private_server_start(&server));
	mcp_store *store = connect_to(server.socket);
	faults_set(store, "key", "early");
	faults_freeze(&server);
	assert_int_equal(MCP_UNKNOWN, set(store, "key", "late"));
	assert_true(mcp_store_has_late_write(store));
	faults_kill(&server);
	wait_until_settled(store);
	mcp_store_free(store);
	private_server_stop(&server);
}

TEST_WITH(a_server_that_never_answers_is_awaited_for_two_minutes, NULL, faults_forget_late) {
	size_t before = open_descriptors();
	mcp_store *store = connect_to(faults_server.socket);
	faults_freeze(&faults_server);
	assert_int_equal(MCP_UNKNOWN, set(store, "key", "late"));
	faults_pass_ms(MCP_LATE_WRITES_WAIT_MS - 10000);
	assert_true(mcp_store_has_late_write(store));
	faults_pass_ms(10000);
	assert_false(mcp_store_has_late_write(store));
	assert_int_equal(before, open_descriptors());
	faults_thaw(&faults_server);
	mcp_store_free(store);
}

/* Waits for it, which is carried out over another connection than it is read. */
static void wait_for_value(mcp_store *store, const char *value) {
	mcp_key key = faults_key("key");
	mcp_item item = {.cas = 0};
	for (int i = 0; i < PATIENCE_MS; i++) {
		assert_int_equal(MCP_OK, mcp_store_get(store, &key, &item));
		if (mcp_bytes_equal(item.value, mcp_bytes_text(value))) {
			return;
		}
		usleep(1000);
	}
	fail();
}

/* Nobody need have looked in between. */
TEST_WITH(the_next_outage_is_awaited_as_well, NULL, faults_forget_late) {
	mcp_store *store = connect_to(faults_server.socket);
	for (int i = 0; i < 3; i++) {
		faults_set(store, "key", "early");
		faults_freeze(&faults_server);
		assert_int_equal(MCP_UNKNOWN, set(store, "key", "late"));
		assert_int_equal(1, faults_late.count);
		faults_thaw(&faults_server);
		wait_for_value(store, "late");
	}
	mcp_store_free(store);
}

TEST_WITH(an_outage_costs_one_descriptor_however_long_it_is, NULL, faults_forget_late) {
	size_t before = open_descriptors();
	mcp_store *store = connect_within(faults_server.socket, 2);
	faults_freeze(&faults_server);
	for (int i = 0; i < 300; i++) {
		mcp_status status = set(store, "key", "late");
		assert_true(status == MCP_UNKNOWN || status == MCP_UNREACHABLE);
		assert_in_range(open_descriptors(), before, before + 1);
		faults_pass_ms(1000);
		mcp_store_has_late_write(store);
	}
	faults_thaw(&faults_server);
	wait_until_settled(store);
	mcp_store_free(store);
	assert_int_equal(before, open_descriptors());
}

/* --- peers --- */

static void wait_for(const faults_counts *counts, int requests) {
	while (*(const volatile int *)&counts->requests < requests) {
		usleep(1000);
	}
}

/* Takes a write of one line, answers it when it is told to, and notes whether the client was still there. */
static void answer_a_delete_late(int connection, faults_counts *counts) {
	char line[512], more;
	if (!faults_hear(connection, counts, line)) {
		return;
	}
	wait_for(counts, RELEASED);
	counts->requests += recv(connection, &more, 1, MSG_DONTWAIT | MSG_PEEK) < 0;
	faults_say(connection, "DELETED");
	usleep(20000);
	faults_say(connection, "\r\n");
	while (read(connection, &more, 1) > 0) {
	}
	counts->requests++;
}

TEST_WITH(an_answer_counts_when_its_line_has_ended, NULL, faults_forget_late) {
	faults_peer peer;
	faults_peer_start(&peer, answer_a_delete_late);
	mcp_store *store = connect_to(peer.socket);
	mcp_key key = faults_key("key");
	assert_int_equal(MCP_UNKNOWN, mcp_store_delete(store, &key));
	assert_true(mcp_store_has_late_write(store));
	peer.counts->requests = RELEASED;
	wait_until_settled(store);
	wait_for(peer.counts, RELEASED + 2); /* it was still open, and was closed then */
	mcp_store_free(store);
	faults_peer_stop(&peer);
}

/* Takes nothing until it is told to; then all of it, and its end. */
static void take_late(int connection, faults_counts *counts) {
	char bytes[4096];
	wait_for(counts, RELEASED);
	while (read(connection, bytes, sizeof(bytes)) > 0) {
	}
	counts->requests++;
}

/* Where only a part was taken the server is told that there will be no more: else it would wait for the rest. */
TEST_WITH(a_write_that_was_sent_in_part_ends_when_the_server_has_read_it, NULL,
	faults_forget_late) {
	faults_peer peer;
	faults_peer_start(&peer, take_late);
	mcp_store *store = connect_to(peer.socket);
	char *large = calloc(1, LARGE + 1);
	memset(large, 'x', LARGE);
	assert_int_equal(MCP_UNKNOWN, set(store, "key", large));
	assert_true(mcp_store_has_late_write(store));
	peer.counts->requests = RELEASED;
	wait_for(peer.counts, RELEASED + 1);
	wait_until_settled(store);
	free(large);
	mcp_store_free(store);
	faults_peer_stop(&peer);
}

/* Answers the first of two, and the second when it is told to. */
static void answer_two_in_two_steps(int connection, faults_counts *counts) {
	char line[512];
	for (int i = 0; i < 2; i++) {
		if (!faults_hear(connection, counts, line)) {
			return;
		}
	}
	faults_say(connection, "DELETED\r\n");
	wait_for(counts, RELEASED);
	faults_say(connection, "DELETED\r\n");
}

TEST_WITH(many_writes_are_awaited_to_the_last, NULL, faults_forget_late) {
	faults_peer peer;
	faults_peer_start(&peer, answer_two_in_two_steps);
	mcp_store *store = connect_to(peer.socket);
	mcp_key keys[] = {faults_key("one"), faults_key("two")};
	mcp_status statuses[2];
	mcp_store_delete_many(store, keys, 2, statuses);
	assert_int_equal(MCP_OK, statuses[0]);
	assert_int_equal(MCP_UNKNOWN, statuses[1]);
	assert_true(mcp_store_has_late_write(store));
	peer.counts->requests = RELEASED;
	wait_until_settled(store);
	mcp_store_free(store);
	faults_peer_stop(&peer);
}

int main(void) {
	return tests_run(faults_server_start_direct, faults_server_stop);
}
