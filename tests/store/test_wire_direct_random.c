/* A server that answers at random over a real socket, whole answers at the wrong moments and damaged ones: none of
 * it makes our own wire crash, hang or hand out another key's value. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include "../../src/store/server/stat_lines.h"
#include "../../src/store/store.h"
#include "writes.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { PATIENCE_MS = 3 };

static mcp_store *connect_to(const char *socket) {
	mcp_wire_settings settings = faults_settings(socket, PATIENCE_MS);
	faults_by = FAULTS_DIRECT;
	return faults_connect(&settings, 0, faults_environment());
}

/* Draws by SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t next_random(uint64_t *state) {
	uint64_t mixed = (*state += 0x9E3779B97F4A7C15u);
	mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
	mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
	return mixed ^ (mixed >> 31);
}

enum { NAMES = 4 };
static const char *const names[NAMES] = {"one", "two", "three", "four"};

static const char *const sensible[] = {"END\r\n", "STORED\r\n", "NOT_STORED\r\n", "EXISTS\r\n",
	"NOT_FOUND\r\n", "DELETED\r\n", "TOUCHED\r\n", "OK\r\n", "42\r\n", "STAT a b\r\nEND\r\n",
	"STAT a\r\nSTAT a_longer_name and its value\r\nEND\r\n", "ERROR\r\n", "CLIENT_ERROR x\r\n",
	"SERVER_ERROR x\r\n", "HD c5\r\n", "MN\r\n"};

/* Composes an item of any key, whose value is its key; or any other answer. */
static size_t compose(uint64_t *random, char text[256]) {
	if (next_random(random) % 3 == 0) {
		size_t chosen = next_random(random) % (sizeof(sensible) / sizeof(*sensible));
		return (size_t)snprintf(text, 256, "%s", sensible[chosen]);
	}
	const char *name = names[next_random(random) % NAMES];
	size_t length = strlen(name) + (next_random(random) % 4 == 0);
	return (size_t)snprintf(text, 256, "VALUE %s 0 %zu 7\r\n%s\r\n%s", name, length, name,
		next_random(random) % 2 == 0 ? "END\r\n" : "");
}

/* The first half of all connections get whole answers, at the wrong moments; the others damaged ones. */
enum { ROUNDS = 300 };

/* Introduces itself as one that takes steps, most of the time. */
static bool introduce(int connection, const char *line, uint64_t random) {
	bool is_asked = strcmp(line, "mn") == 0 || strcmp(line, "version") == 0 ||
		strcmp(line, "stats settings") == 0;
	if (!is_asked || random % 8 == 0) {
		return false;
	}
	faults_say(connection,
		line[0] == 'm'       ? "MN\r\n"
			: line[0] == 'v' ? "VERSION 1.6.18\r\n"
							 : "STAT cas_enabled yes\r\nEND\r\n");
	return true;
}

static void talk_at_random(int connection, faults_counts *counts) {
	uint64_t random = (uint64_t)counts->connections;
	char line[512], text[256];
	while (faults_hear(connection, counts, line)) {
		if (introduce(connection, line, next_random(&random))) {
			continue;
		}
		for (uint64_t i = next_random(&random) % 3; i > 0; i--) {
			size_t length = compose(&random, text);
			while (counts->connections > ROUNDS && next_random(&random) % 2 == 0) {
				text[next_random(&random) % length] = (char)next_random(&random);
			}
			send(connection, text, length, MSG_NOSIGNAL);
		}
		if (next_random(&random) % 4 == 0) {
			return;
		}
	}
}

static void assert_own(const faults_meeting *with, size_t name, mcp_status status,
	const mcp_item *item) {
	if (status == MCP_OK && with->peer.counts->connections < ROUNDS) {
		assert_true(item->value.length >= strlen(names[name]));
		assert_memory_equal(names[name], item->value.data, strlen(names[name]));
	}
}

static void read_many(const faults_meeting *with) {
	mcp_key keys[NAMES];
	mcp_op replies[NAMES];
	for (size_t i = 0; i < NAMES; i++) {
		keys[i] = faults_key(names[i]);
	}
	mcp_store_get_many(with->store, keys, NAMES, replies);
	for (size_t i = 0; i < NAMES; i++) {
		assert_own(with, i, replies[i].status, &replies[i].item);
	}
}

/* Writes many, whatever is answered: each write has an outcome, and no batch is called done that was answered
 * too little. */
static void write_many(const faults_meeting *with, uint64_t random) {
	static const char value[3000];
	test_write writes[NAMES];
	mcp_key keys[NAMES];
	mcp_status statuses[NAMES];
	for (size_t i = 0; i < NAMES; i++) {
		keys[i] = faults_key(names[i]);
		writes[i] = (test_write){.key = keys[i], .status = MCP_NO_CAS};
		writes[i].record.head = mcp_bytes_of(value, random >> (4 * i) & 15);
		writes[i].record.body = mcp_bytes_of(value, i % 2 == 0 ? random % sizeof(value) : i);
		statuses[i] = MCP_NO_CAS;
	}
	if (random % 2 == 0) {
		test_writes_run(with->store, MCP_OP_SET, writes, NAMES);
	} else {
		mcp_store_delete_many(with->store, keys, NAMES, statuses);
	}
	for (size_t i = 0; i < NAMES; i++) {
		assert_int_not_equal(MCP_NO_CAS, random % 2 == 0 ? writes[i].status : statuses[i]);
		assert_int_not_equal(MCP_UNSUPPORTED, random % 2 == 0 ? writes[i].status : statuses[i]);
	}
}

/* Reads all names by steps, behind a write of one of them. */
static void carry_out(const faults_meeting *with, uint64_t random) {
	mcp_key keys[NAMES];
	mcp_record record = faults_record("value");
	mcp_op steps[NAMES];
	for (size_t i = 0; i < NAMES; i++) {
		keys[i] = faults_key(names[i]);
		steps[i] = (mcp_op){.verb = MCP_OP_GET, .key = &keys[i], .status = MCP_NO_CAS};
	}
	steps[0].verb = random % 2 == 0 ? MCP_OP_ADD : MCP_OP_TOUCH;
	steps[0].record = steps[3].record = &record;
	steps[3].verb = random % 3 == 0 ? MCP_OP_GET_AND_TOUCH : MCP_OP_GET;
	mcp_store_steps(with->store, steps, NAMES);
	assert_int_not_equal(MCP_NO_CAS, steps[0].status);
	for (size_t i = 1; i < NAMES; i++) {
		assert_int_not_equal(MCP_NO_CAS, steps[i].status);
		assert_own(with, i, steps[i].status, &steps[i].item);
	}
}

/* Keeps a statistic's line as Pool::stats() does, too: lines are read when all have come. */
static void keep_line(void *context, mcp_bytes name, mcp_bytes value) {
	assert_true(name.length > 0);
	assert_null(memchr(name.data, '\0', name.length));
	assert_true(value.length == 0 || memchr(value.data, '\0', value.length) == NULL);
	assert_true(mcp_stat_lines_add(context, name, value));
}

static void count_line(void *context, mcp_bytes name, mcp_bytes value) {
	*(size_t *)context += name.length + value.length;
}

static void read_statistics(const faults_meeting *with) {
	mcp_buffer lines = {0};
	size_t length = 0;
	mcp_store_stats(with->store, keep_line, &lines);
	mcp_stat_lines_visit(&lines, count_line, &length);
	assert_in_range(length, 0, lines.length);
	mcp_buffer_free(&lines);
}

static void ask_anything(const faults_meeting *with, uint64_t random) {
	size_t name = random % NAMES;
	mcp_key key = faults_key(names[name]);
	mcp_record record = faults_record("value");
	mcp_item item;
	uint64_t number;
	switch ((random >> 8) % 12) {
		case 0:
			mcp_store_add(with->store, &key, &record);
			return;
		case 1:
			mcp_store_cas(with->store, &key, &record, 7);
			return;
		case 2:
			mcp_store_delete(with->store, &key);
			return;
		case 3:
			mcp_store_increment(with->store, &key, 1, &number);
			return;
		case 4:
			read_statistics(with);
			return;
		case 5:
			read_many(with);
			return;
		case 6:
		case 7:
			write_many(with, random >> 16);
			return;
		case 8:
		case 9:
			carry_out(with, random >> 16);
			return;
		default:
			assert_own(with, name, mcp_store_get(with->store, &key, &item), &item);
	}
}

TEST(no_bytes_make_it_crash_hang_or_answer_for_another_key) {
	faults_meeting with;
	faults_peer_start(&with.peer, talk_at_random);
	with.store = connect_to(with.peer.socket);
	uint64_t random = 20081021;
	/* A peer that the machine keeps waiting has a full backlog, and asking fails at once. */
	uint64_t until_ms = faults_now_ms() + 60000;
	while (with.peer.counts->connections < 2 * ROUNDS && faults_now_ms() < until_ms) {
		uint64_t began_ms = faults_now_ms();
		ask_anything(&with, next_random(&random));
		assert_in_range(faults_now_ms() - began_ms, 0, 1000);
	}
	assert_true(with.peer.counts->connections >= 2 * ROUNDS);
	faults_part(&with);
}
