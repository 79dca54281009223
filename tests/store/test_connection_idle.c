/* The first call over a connection that has been idle: the server has ended it meanwhile, or a firewall has forgotten it. The
 * end was there before anything was sent, so no write is of unknown outcome. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include "../../src/store/store.h"
#include "writes.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The test lets the peer end its connection where requests are counted. */
enum { DESCRIPTORS = 256, LET_GO = 1000 };

/* --- a server that ends its first connection behind the first answer --- */

static bool has_more(int connection) {
	struct pollfd one = {.fd = connection, .events = POLLIN};
	return poll(&one, 1, 0) > 0;
}

static bool begins_with(const char *line, const char *head) {
	return strncmp(line, head, strlen(head)) == 0;
}

typedef struct reply {
	const char *command, *text;
	bool has_value;
} reply;

static const reply replies[] = {
	{"mn", "MN\r\n", false},
	{"version", "VERSION 1.6.18\r\n", false},
	{"stats settings", "STAT cas_enabled yes\r\nEND\r\n", false},
	{"add ", "STORED\r\n", true},
	{"set ", "STORED\r\n", true},
	{"cas ", "STORED\r\n", true},
	{"prepend ", "STORED\r\n", true},
	{"append ", "STORED\r\n", true},
	{"delete ", "DELETED\r\n", false},
	{"incr ", "8\r\n", false},
	{"decr ", "8\r\n", false},
	{"touch ", "TOUCHED\r\n", false},
	{"flush_all", "OK\r\n", false},
};

/* Has the same value at each of the keys. */
static void answer_gets(int connection, const char *keys) {
	char text[1024] = "", key[256];
	int length;
	while (sscanf(keys, "%255s%n", key, &length) == 1) {
		sprintf(text + strlen(text), "VALUE %s 0 5 7\r\nvalue\r\n", key);
		keys += length;
	}
	faults_say(connection, strcat(text, "END\r\n"));
}

static void answer(int connection, faults_counts *counts, const char *line) {
	char value[512];
	if (begins_with(line, "gets ")) {
		answer_gets(connection, line + strlen("gets "));
		return;
	}
	for (size_t i = 0; i < sizeof(replies) / sizeof(*replies); i++) {
		if (begins_with(line, replies[i].command)) {
			if (replies[i].has_value) {
				faults_hear(connection, counts, value);
			}
			faults_say(connection, replies[i].text);
			return;
		}
	}
	faults_say(connection, "ERROR\r\n");
}

static bool is_a_question(const char *line) {
	return strcmp(line, "mn") == 0 || strcmp(line, "version") == 0 || begins_with(line, "stats");
}

/* Answers a question, and a command with what is asked behind it. */
static void answer_one(int connection, faults_counts *counts) {
	char line[512] = "version";
	while (is_a_question(line) || has_more(connection)) {
		if (!faults_hear(connection, counts, line)) {
			return;
		}
		answer(connection, counts, line);
	}
}

static void answer_all(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		answer(connection, counts, line);
	}
}

static void await_turn(faults_counts *counts) {
	while (*(volatile int *)&counts->requests < LET_GO) {
		usleep(1000);
	}
}

static void end_the_first_when_idle(int connection, faults_counts *counts) {
	if (counts->connections == 1) {
		answer_one(connection, counts);
		await_turn(counts);
	} else {
		answer_all(connection, counts);
	}
}

/* As a host that has lost all of its connections: the end is a reset. */
static void reset_the_first_when_idle(int connection, faults_counts *counts) {
	struct linger drop = {.l_onoff = 1, .l_linger = 0};
	bool is_first = counts->connections == 1;
	end_the_first_when_idle(connection, counts);
	if (is_first) {
		setsockopt(connection, SOL_SOCKET, SO_LINGER, &drop, sizeof(drop));
	}
}

/* --- the test's own connections --- */

static bool was_open[DESCRIPTORS];

static bool is_socket(int descriptor) {
	int type;
	socklen_t length = sizeof(type);
	return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) == 0;
}

static void note_descriptors(void) {
	for (int i = 0; i < DESCRIPTORS; i++) {
		was_open[i] = is_socket(i);
	}
}

/* Waits until the end is in the socket of each connection that has been made since. */
static void await_the_end(const faults_peer *peer) {
	peer->counts->requests = LET_GO;
	for (int i = 0; i < DESCRIPTORS; i++) {
		if (!was_open[i] && is_socket(i)) {
			struct pollfd one = {.fd = i, .events = POLLIN};
			assert_int_equal(1, poll(&one, 1, FAULTS_PATIENCE_MS));
		}
	}
}

static mcp_store *connect_by(const faults_peer *peer, uint32_t timeout_ms,
	const mcp_environment *environment) {
	mcp_wire_settings settings = faults_settings(peer->socket, timeout_ms);
	settings.port = peer->port;
	settings.connect_timeout_ms = FAULTS_PATIENCE_MS;
	return faults_connect(&settings, FAULTS_PAUSE_MS, environment);
}

static mcp_store *connect_to(const faults_peer *peer, uint32_t timeout_ms) {
	return connect_by(peer, timeout_ms, faults_environment());
}

/* --- the writes --- */

static mcp_key key;
static mcp_record record;
static mcp_proof proof;

/* A write, and whether it goes by the proof that `warm` has got. */
typedef struct kind {
	mcp_op_verb verb;
	bool is_proven;
} kind;

/* Makes any write; those that compare go by what `warm` has read or written. */
static mcp_status change(mcp_store *store, kind of) {
	return faults_ask(store, of.verb, &record, of.is_proven ? proof : (mcp_proof){.cas = 7});
}

/* Asks by the connection that the write will take: libmemcached's wire counts on another one. */
static void warm(mcp_store *store, kind of) {
	if (of.verb == MCP_OP_INCREMENT || of.verb == MCP_OP_DECREMENT) {
		assert_int_equal(MCP_OK, change(store, of));
	} else if (of.is_proven) {
		record.proof = &proof;
		assert_int_equal(MCP_OK, change(store, (kind){MCP_OP_ADD, false}));
		assert_int_equal(7, proof.cas);
		record.proof = NULL;
	} else {
		assert_int_equal(MCP_OK, faults_get(store, "key"));
	}
}

/* Expects what the write is answered, and whether it is sent over another connection, where nothing that was read over the
 * old one is compared. */
static mcp_status expected_of(kind of) {
	if (of.is_proven) {
		return MCP_UNSUPPORTED;
	}
	return of.verb == MCP_OP_CAS || of.verb == MCP_OP_DELETE_IF ? MCP_EXISTS : MCP_OK;
}

static mcp_store *meet(faults_peer *peer, void (*start)(faults_peer *peer, faults_talk talk),
	faults_talk talk) {
	start(peer, talk);
	note_descriptors();
	key = faults_key("key");
	record = faults_record("value");
	return connect_to(peer, FAULTS_PATIENCE_MS);
}

static void assert_one_is_known(faults_peer *peer, kind of) {
	mcp_status expected = expected_of(of);
	note_descriptors();
	mcp_store *store = connect_to(peer, FAULTS_PATIENCE_MS);
	warm(store, of);
	await_the_end(peer);
	uint64_t breaks = mcp_store_breaks(store);
	mcp_status status = change(store, of);
	if (status != expected) {
		print_message("verb %d at port %d\n", (int)of.verb, peer->port);
	}
	assert_int_equal(expected, status);
	assert_int_equal(expected == MCP_OK ? 2 : 1, peer->counts->connections);
	assert_null(mcp_store_failed(store));
	assert_true(mcp_store_breaks(store) > breaks);
	mcp_store_free(store);
}

static void assert_all_are_known(void (*start)(faults_peer *peer, faults_talk talk),
	faults_talk talk) {
	static const kind kinds[] = {{MCP_OP_ADD, false}, {MCP_OP_SET, false}, {MCP_OP_CAS, false},
		{MCP_OP_CAS, true}, {MCP_OP_PREPEND, false}, {MCP_OP_APPEND, false}, {MCP_OP_DELETE, false},
		{MCP_OP_DELETE_IF, false}, {MCP_OP_DELETE_IF, true}, {MCP_OP_INCREMENT, false},
		{MCP_OP_DECREMENT, false}, {MCP_OP_TOUCH, false}};
	key = faults_key("key");
	record = faults_record("value");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (kinds[i].is_proven && faults_by != FAULTS_DIRECT) {
			continue;
		}
		faults_peer peer;
		start(&peer, talk);
		assert_one_is_known(&peer, kinds[i]);
		faults_peer_stop(&peer);
	}
}

TEST(no_write_is_unknown_over_a_connection_that_has_ended) {
	assert_all_are_known(faults_peer_start, end_the_first_when_idle);
	assert_all_are_known(faults_peer_start_at_a_port, end_the_first_when_idle);
	assert_all_are_known(faults_peer_start_at_a_port, reset_the_first_when_idle);
}

static void assert_many_are_known(void (*start)(faults_peer *peer, faults_talk talk)) {
	faults_peer peer;
	mcp_store *store = meet(&peer, start, end_the_first_when_idle);
	test_write writes[2] = {{.key = key, .record = record},
		{.key = faults_key("other"), .record = record}};
	assert_int_equal(MCP_OK, faults_get(store, "key"));
	await_the_end(&peer);
	test_writes_run(store, MCP_OP_SET, writes, 2);
	assert_int_equal(MCP_OK, writes[0].status);
	assert_int_equal(MCP_OK, writes[1].status);
	assert_int_equal(2, peer.counts->connections);
	mcp_store_free(store);
	faults_peer_stop(&peer);
}

TEST(no_batch_is_unknown_over_a_connection_that_has_ended) {
	assert_many_are_known(faults_peer_start);
	assert_many_are_known(faults_peer_start_at_a_port);
}

static void set_and_read(mcp_store *store) {
	mcp_op steps[2];
	mcp_op_begin(&steps[0], MCP_OP_SET, &key, &record);
	mcp_op_begin(&steps[1], MCP_OP_GET, &key, NULL);
	mcp_store_steps(store, steps, 2);
	assert_int_equal(MCP_OK, steps[0].status);
	assert_int_equal(MCP_OK, steps[1].status);
}

TEST(no_write_with_a_read_is_unknown_over_a_connection_that_has_ended) {
	if (faults_by != FAULTS_DIRECT) {
		skip();
	}
	faults_peer peer;
	mcp_store *store = meet(&peer, faults_peer_start, end_the_first_when_idle);
	set_and_read(store);
	await_the_end(&peer);
	set_and_read(store);
	assert_int_equal(2, peer.counts->connections);
	mcp_store_free(store);
	faults_peer_stop(&peer);
}

static void assert_flush_is_known(void (*start)(faults_peer *peer, faults_talk talk)) {
	faults_peer peer;
	mcp_store *store = meet(&peer, start, end_the_first_when_idle);
	assert_int_equal(MCP_OK, faults_get(store, "key"));
	await_the_end(&peer);
	assert_int_equal(MCP_OK, mcp_store_flush(store));
	mcp_store_free(store);
	faults_peer_stop(&peer);
}

TEST(a_server_that_has_ended_a_connection_is_emptied) {
	assert_flush_is_known(faults_peer_start);
	assert_flush_is_known(faults_peer_start_at_a_port);
}

/* The question whether a server can prove a write is not lost either: behind two that are it would be asked no more. */
TEST(a_server_that_ends_connections_is_asked_for_proofs_still) {
	if (faults_by != FAULTS_DIRECT) {
		skip();
	}
	faults_peer peer;
	mcp_store *store = meet(&peer, faults_peer_start_at_a_port, answer_one);
	record.proof = &proof;
	for (int i = 0; i < 3; i++) {
		assert_int_equal(MCP_OK, faults_get(store, "key"));
		await_the_end(&peer);
		proof.cas = 0;
		assert_int_equal(MCP_OK, change(store, (kind){MCP_OP_ADD, false}));
		assert_int_equal(7, proof.cas);
		await_the_end(&peer);
	}
	mcp_store_free(store);
	faults_peer_stop(&peer);
}

/* --- a connection that somebody between has forgotten --- */

/* The timeout is for a peer that answers, too, however busy the machine is. */
enum { IDLE_MS = 30000, TIMEOUT_MS = 500 };

static void fall_silent(int connection, faults_counts *counts) {
	char line[512];
	if (counts->connections > 1) {
		answer_all(connection, counts);
		return;
	}
	if (faults_hear(connection, counts, line)) {
		answer(connection, counts, line);
	}
	while (faults_hear(connection, counts, line)) {
	}
}

static mcp_status read_one(mcp_store *store) {
	return faults_get(store, "key");
}

static mcp_status read_many(mcp_store *store) {
	return faults_get_two(store, "key", "other");
}

static mcp_status read_cas(mcp_store *store) {
	mcp_key one = faults_key("key");
	uint64_t cas;
	return mcp_store_cas_of(store, &one, &cas);
}

static mcp_status write_one(mcp_store *store) {
	return faults_write(store, MCP_OP_SET);
}

static void assert_asked(mcp_status (*ask)(mcp_store *store), uint64_t idle_ms, mcp_status expected,
	int connections) {
	faults_peer peer;
	faults_peer_start_at_a_port(&peer, fall_silent);
	mcp_store *store = connect_to(&peer, TIMEOUT_MS);
	assert_int_equal(MCP_OK, faults_get(store, "key"));
	faults_pass_ms(idle_ms);
	assert_int_equal(expected, ask(store));
	assert_int_equal(connections, peer.counts->connections);
	assert_int_equal(expected == MCP_OK, mcp_store_failed(store) == NULL);
	assert_int_equal(expected != MCP_OK, mcp_store_is_tripped(store));
	mcp_store_free(store);
	faults_peer_stop(&peer);
}

TEST(a_read_over_a_forgotten_connection_is_tried_once_more) {
	mcp_status (*const reads[])(mcp_store * store) = {read_one, read_many, read_cas,
		mcp_store_ping};
	for (size_t i = 0; i < sizeof(reads) / sizeof(*reads); i++) {
		assert_asked(reads[i], IDLE_MS + 1, MCP_OK, 2);
	}
	assert_asked(read_one, IDLE_MS / 2, MCP_TIMEOUT, 1);
}

TEST(a_write_over_a_forgotten_connection_is_not) {
	assert_asked(write_one, IDLE_MS + 1, MCP_UNKNOWN, 1);
}

/* A server that is frozen takes new connections: they have been idle for no time. */
TEST(a_new_connection_is_given_one_timeout) {
	faults_peer peer;
	faults_peer_start_at_a_port(&peer, faults_say_nothing);
	mcp_store *store = connect_to(&peer, TIMEOUT_MS);
	faults_pass_ms(IDLE_MS + 1);
	assert_int_equal(MCP_TIMEOUT, faults_get(store, "key"));
	assert_int_equal(1, peer.counts->connections);
	mcp_store_free(store);
	faults_peer_stop(&peer);
}

/* --- a connection that the system asks after --- */

static uint32_t asked_after_s;

static uint32_t keepalive_s(const mcp_environment *environment) {
	return asked_after_s;
}

static int option_of(int descriptor, int level, int option) {
	int number = 0;
	socklen_t length = sizeof(number);
	assert_int_equal(0, getsockopt(descriptor, level, option, &number, &length));
	return number;
}

static void assert_kept_alive(int descriptor) {
	assert_int_equal(asked_after_s != 0, option_of(descriptor, SOL_SOCKET, SO_KEEPALIVE));
	if (asked_after_s != 0) {
		assert_int_equal(asked_after_s, option_of(descriptor, IPPROTO_TCP, TCP_KEEPIDLE));
		assert_int_equal(10, option_of(descriptor, IPPROTO_TCP, TCP_KEEPINTVL));
		assert_int_equal(3, option_of(descriptor, IPPROTO_TCP, TCP_KEEPCNT));
	}
}

TEST(every_connection_is_kept_alive_as_it_is_set) {
	const uint32_t settings[] = {0, 60, 7200};
	mcp_environment environment = *faults_environment();
	environment.keepalive_s = keepalive_s;
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
		faults_peer peer;
		faults_peer_start_at_a_port(&peer, answer_all);
		asked_after_s = settings[i];
		note_descriptors();
		mcp_store *store = connect_by(&peer, FAULTS_PATIENCE_MS, &environment);
		key = faults_key("key");
		record = faults_record("value");
		assert_int_equal(MCP_OK, faults_get(store, "key"));
		assert_int_equal(MCP_OK, change(store, (kind){MCP_OP_INCREMENT, false}));
		int seen = 0;
		for (int n = 0; n < DESCRIPTORS; n++) {
			if (!was_open[n] && is_socket(n)) {
				assert_kept_alive(n);
				seen++;
			}
		}
		assert_int_equal(faults_by == FAULTS_DIRECT ? 1 : 2, seen);
		mcp_store_free(store);
		faults_peer_stop(&peer);
	}
}

/* The first connection ends at the first delete. */
static void end_at_the_delete(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		if (begins_with(line, "delete ") && counts->turn++ == 0) {
			return;
		}
		answer(connection, counts, line);
	}
}

/* A restarted server can give the same CAS value to another item. */
TEST(a_version_ends_with_a_write_that_gets_no_reply) {
	faults_peer peer;
	faults_peer_start(&peer, end_at_the_delete);
	mcp_wire_settings to = faults_settings(peer.socket, FAULTS_PATIENCE_MS);
	mcp_store *store = faults_connect(&to, 0, faults_environment());
	mcp_item item;
	key = faults_key("key");
	record = faults_record("value");
	assert_int_equal(MCP_OK, mcp_store_get(store, &key, &item));
	const mcp_key other = faults_key("other");
	assert_true(mcp_status_is_failure(mcp_store_delete(store, &other)));
	assert_int_equal(MCP_EXISTS, mcp_store_cas(store, &key, &record, item.cas));
	assert_int_equal(MCP_OK, mcp_store_get(store, &key, &item));
	assert_int_equal(MCP_OK, mcp_store_cas(store, &key, &record, item.cas));
	mcp_store_free(store);
	faults_peer_stop(&peer);
}

int main(void) {
	return faults_run(NULL, NULL);
}
