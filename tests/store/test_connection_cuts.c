/* Many writes through a connection that is cut after any byte of theirs or of their answers, to a real memcached: what is
 * said to be done is, what is said not to have been sent was not, and nothing is done twice. Over our own wire. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"
#include "writes.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { ROUNDS = 600, WRITES = 8, COMMANDS = 8 * 32, ANSWERS = 8 * 9 };

/* Shared with the peer's process: how much it lets pass of the next connection. */
typedef struct cut {
	unsigned requests, answers; /* bytes */
} cut;

static cut *next_cut;

static int set_up(void **state) {
	faults_by = FAULTS_DIRECT;
	next_cut =
		mmap(NULL, sizeof(*next_cut), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return next_cut == MAP_FAILED ? -1 : faults_server_start(state);
}

static int connect_to_server(void) {
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int server = socket(AF_UNIX, SOCK_STREAM, 0);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", faults_server.socket);
	assert_int_equal(0, connect(server, (struct sockaddr *)&address, sizeof(address)));
	return server;
}

/* False if the connection ends, or its cut is reached. */
static bool pass_on(int from, int to, unsigned *left) {
	char bytes[4096];
	ssize_t length = read(from, bytes, *left < sizeof(bytes) ? *left : sizeof(bytes));
	if (length <= 0) {
		return false;
	}
	send(to, bytes, (size_t)length, MSG_NOSIGNAL);
	*left -= (unsigned)length;
	return *left > 0;
}

/* Cuts it off; the server has done what reached it when its answers have come. */
static void cut_off(int connection, faults_counts *counts) {
	cut left = *next_cut;
	int server = connect_to_server();
	struct pollfd both[2] = {{.fd = connection, .events = POLLIN},
		{.fd = server, .events = POLLIN}};
	while (left.requests > 0 && poll(both, 2, -1) > 0) {
		if ((both[0].revents != 0 && !pass_on(connection, server, &left.requests)) ||
			(both[1].revents != 0 && !pass_on(server, connection, &left.answers))) {
			break;
		}
	}
	shutdown(server, SHUT_WR);
	char rest[4096];
	while (read(server, rest, sizeof(rest)) > 0) {
	}
	close(server);
}

static unsigned random_below(unsigned limit) {
	return (unsigned)rand() % limit;
}

static void name(char texts[WRITES][16], mcp_key keys[WRITES]) {
	for (int i = 0; i < WRITES; i++) {
		snprintf(texts[i], 16, "key-%d", i);
		keys[i] = faults_key(texts[i]);
	}
}

static bool is_there(mcp_store *direct, const mcp_key *key, const char *value) {
	mcp_item item;
	mcp_status status = mcp_store_get(direct, key, &item);
	assert_true(status == MCP_OK || status == MCP_NOT_FOUND);
	return status == MCP_OK && item.value.length == strlen(value) &&
		memcmp(item.value.data, value, item.value.length) == 0;
}

/* How often each outcome was seen: a test that never meets one says nothing. */
static unsigned seen_done, seen_unknown, seen_unknown_done, seen_unknown_not_done;

static void note(mcp_status status, bool is_done) {
	if (status == MCP_OK) {
		assert_true(is_done);
		seen_done++;
		return;
	}
	assert_int_equal(MCP_UNKNOWN, status);
	seen_unknown++;
	seen_unknown_done += is_done;
	seen_unknown_not_done += !is_done;
}

static void assert_all_were_seen(void) {
	assert_true(seen_done > ROUNDS / 4);
	assert_true(seen_unknown_done > ROUNDS / 4);
	assert_true(seen_unknown_not_done > ROUNDS / 4);
}

static mcp_store *meet_the_cut(faults_peer *peer) {
	faults_peer_start(peer, cut_off);
	mcp_wire_settings settings = faults_settings(peer->socket, 5000);
	settings.connect_timeout_ms = 5000;
	return faults_connect(&settings, 0, faults_environment());
}

static void choose_a_cut(void) {
	*next_cut = (cut){1 + random_below(COMMANDS), 1 + random_below(2 * ANSWERS)};
}

TEST(sets_are_done_as_they_are_said_to_be) {
	faults_peer peer;
	mcp_store *direct = faults_store(faults_server.socket);
	mcp_store *store = meet_the_cut(&peer);
	char texts[WRITES][16], value[16];
	mcp_key keys[WRITES];
	test_write writes[WRITES];
	name(texts, keys);
	srand(15);
	seen_done = seen_unknown = seen_unknown_done = seen_unknown_not_done = 0;
	for (int round = 0; round < ROUNDS; round++) {
		choose_a_cut();
		snprintf(value, sizeof(value), "value-%d", round);
		for (int i = 0; i < WRITES; i++) {
			writes[i] = (test_write){.key = keys[i], .record = faults_record(value)};
		}
		test_writes_run(store, MCP_OP_SET, writes, WRITES);
		for (int i = 0; i < WRITES; i++) {
			note(writes[i].status, is_there(direct, &keys[i], value));
		}
	}
	assert_all_were_seen();
	mcp_store_free(store);
	mcp_store_free(direct);
	faults_peer_stop(&peer);
}

TEST(deletes_are_done_as_they_are_said_to_be) {
	faults_peer peer;
	mcp_store *direct = faults_store(faults_server.socket);
	mcp_store *store = meet_the_cut(&peer);
	char texts[WRITES][16];
	mcp_key keys[WRITES];
	mcp_status statuses[WRITES];
	name(texts, keys);
	srand(18);
	seen_done = seen_unknown = seen_unknown_done = seen_unknown_not_done = 0;
	for (int round = 0; round < ROUNDS; round++) {
		choose_a_cut();
		for (int i = 0; i < WRITES; i++) {
			faults_set(direct, texts[i], "there");
		}
		mcp_store_delete_many(store, keys, WRITES, statuses);
		for (int i = 0; i < WRITES; i++) {
			note(statuses[i], !is_there(direct, &keys[i], "there"));
		}
	}
	assert_all_were_seen();
	mcp_store_free(store);
	mcp_store_free(direct);
	faults_peer_stop(&peer);
}

int main(void) {
	return tests_run(set_up, faults_server_stop);
}
