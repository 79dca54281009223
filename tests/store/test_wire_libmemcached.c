/* That signals wait as long as a request is under way, and not a moment longer, however it ends: a handler
 * in the middle of libmemcached's wait could make it endless, and one that is kept off for ever is lost. And that
 * a connection which is given up takes along what this host has not delivered yet. */
/* SPDX-License-Identifier: MIT */
#include "../../src/store/wire/libmemcached/libmemcached_version.h"
#include "../../src/store/wire/libmemcached/wire_libmemcached.h"
#include "../../src/store/wire/libmemcached/wire_libmemcached_line.h"
#include "faults.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* More than a narrow listener's receive buffer takes, and less than any send buffer. */
enum { LARGE = 24000, NARROW = 4096 };

static uint64_t terminate_at_once(const mcp_environment *environment) {
	return (uint64_t)1 << (SIGTERM - 1);
}

static mcp_wire *wire_at(const char *host, uint16_t port, uint32_t timeout_ms) {
	static mcp_environment environment;
	environment = *faults_environment();
	environment.deadly_signals = terminate_at_once;
	mcp_wire_settings settings = {
		.host = host,
		.port = port,
		.connect_timeout_ms = timeout_ms,
		.timeout_ms = timeout_ms,
	};
	mcp_wire *wire = mcp_wire_libmemcached_create(&settings, &environment);
	assert_non_null(wire);
	return wire;
}

static mcp_wire *wire_to(const char *socket) {
	return wire_at(socket, 0, FAULTS_PATIENCE_MS);
}

static bool is_blocked(int number) {
	sigset_t blocked;
	pthread_sigmask(SIG_BLOCK, NULL, &blocked);
	return sigismember(&blocked, number) == 1;
}

static void assert_waiting(void) {
	assert_true(is_blocked(SIGUSR1));
	assert_true(is_blocked(SIGALRM));
	assert_false(is_blocked(SIGTERM));
}

static void assert_over(mcp_status expected, mcp_status status) {
	assert_int_equal(expected, status);
	assert_false(is_blocked(SIGUSR1));
	assert_false(is_blocked(SIGALRM));
}

static mcp_status write_one(mcp_wire *wire, mcp_op_verb verb, const char *name, mcp_bytes value) {
	mcp_key key = {.wire = mcp_bytes_text(name)};
	mcp_record record = {.body = value};
	mcp_op op = {.verb = verb, .key = &key, .record = &record, .by = 1};
	return mcp_wire_write(wire, &op);
}

static mcp_status put(mcp_wire *wire, const char *key, const char *value) {
	return write_one(wire, MCP_OP_SET, key, mcp_bytes_text(value));
}

static mcp_status ask_for_two(mcp_wire *wire) {
	const mcp_key keys[] = {{.wire = mcp_bytes_text("one")}, {.wire = mcp_bytes_text("two")}};
	mcp_op ops[2];
	mcp_op *list[] = {&ops[0], &ops[1]};
	for (int i = 0; i < 2; i++) {
		mcp_op_begin(&ops[i], MCP_OP_GET, &keys[i], NULL);
		ops[i].status = MCP_NOT_FOUND;
	}
	return mcp_wire_ask(wire, list, 2, false);
}

static mcp_status next(mcp_wire *wire) {
	mcp_bytes key;
	mcp_item item;
	return mcp_wire_next(wire, &key, &item);
}

static bool take_line(void *context, mcp_bytes name, mcp_bytes value) {
	return *(const bool *)context;
}

TEST(signals_wait_until_the_last_of_many_answers) {
	mcp_wire *wire = wire_to(faults_server.socket);
	assert_over(MCP_OK, put(wire, "one", "1"));
	assert_over(MCP_OK, put(wire, "two", "2"));
	for (int round = 0; round < 2; round++) {
		assert_int_equal(MCP_OK, ask_for_two(wire));
		assert_waiting();
		assert_int_equal(MCP_OK, next(wire));
		assert_waiting();
		assert_int_equal(MCP_OK, next(wire));
		assert_waiting();
		assert_over(MCP_NOT_FOUND, next(wire));
	}
	mcp_wire_free(wire);
}

TEST(who_breaks_off_is_rid_of_the_other_answers) {
	mcp_wire *wire = wire_to(faults_server.socket);
	mcp_item item;
	assert_over(MCP_OK, put(wire, "one", "1"));
	assert_over(MCP_OK, put(wire, "two", "2"));
	assert_int_equal(MCP_OK, ask_for_two(wire));
	assert_int_equal(MCP_OK, next(wire));
	mcp_wire_break_off(wire);
	assert_over(MCP_NOT_FOUND, mcp_wire_get(wire, mcp_bytes_text("three"), &item));
	mcp_wire_free(wire);
}

TEST(signals_wait_no_longer_than_a_request) {
	mcp_wire *wire = wire_to(faults_server.socket);
	mcp_bytes key = mcp_bytes_text("number");
	mcp_item item;
	const bool everything = true, enough = false;
	assert_over(MCP_OK, put(wire, "number", "1"));
	assert_over(MCP_OK, mcp_wire_get(wire, key, &item));
	assert_over(MCP_OK, write_one(wire, MCP_OP_INCREMENT, "number", mcp_bytes_text("")));
	assert_over(MCP_OK, write_one(wire, MCP_OP_DECREMENT, "number", mcp_bytes_text("")));
	assert_over(MCP_OK, write_one(wire, MCP_OP_TOUCH, "number", mcp_bytes_text("")));
	assert_over(MCP_OK, mcp_wire_ping(wire));
	assert_over(MCP_OK, mcp_wire_stats(wire, NULL, take_line, (void *)&everything));
	assert_over(MCP_PROTOCOL, mcp_wire_stats(wire, NULL, take_line, (void *)&enough));
	assert_over(MCP_OK, write_one(wire, MCP_OP_DELETE, "number", mcp_bytes_text("")));
	assert_over(MCP_OK, write_one(wire, MCP_OP_FLUSH, "", mcp_bytes_text("")));
	mcp_wire_free(wire);
}

static void talk_nonsense(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		faults_say(connection, "HELLO\r\n");
	}
}

TEST(signals_wait_no_longer_than_a_request_that_fails) {
	faults_peer peer;
	mcp_item item;
	faults_peer_start(&peer, talk_nonsense);
	mcp_wire *wire = wire_to(peer.socket);
	assert_over(MCP_PROTOCOL, mcp_wire_get(wire, mcp_bytes_text("key"), &item));
	assert_int_equal(MCP_OK, ask_for_two(wire));
	assert_over(MCP_PROTOCOL, next(wire));
	mcp_wire_free(wire);
	faults_peer_stop(&peer);
	wire = wire_to(peer.socket);
	assert_over(MCP_UNREACHABLE, ask_for_two(wire));
	assert_over(MCP_UNREACHABLE, put(wire, "key", "value"));
	mcp_wire_free(wire);
}

/* Listens so that the kernel connects whoever comes, and nobody reads until the test does. */
static int listen_narrowly(uint16_t *port) {
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t length = sizeof(address);
	int room = NARROW;
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &room, sizeof(room));
	assert_int_equal(0, bind(listener, (struct sockaddr *)&address, sizeof(address)));
	assert_int_equal(0, listen(listener, 16));
	assert_int_equal(0, getsockname(listener, (struct sockaddr *)&address, &length));
	*port = ntohs(address.sin_port);
	return listener;
}

/* Reads the next connection to its end, however late. */
static size_t bytes_that_arrive(int listener) {
	static char bytes[2 * LARGE];
	size_t arrived = 0;
	int connection = accept(listener, NULL, NULL);
	assert_true(connection >= 0);
	for (ssize_t count = 1; count > 0; arrived += count > 0 ? (size_t)count : 0) {
		count = read(connection, bytes, sizeof(bytes));
	}
	close(connection);
	return arrived;
}

TEST(what_is_given_up_is_not_delivered_later) {
	static char value[LARGE];
	uint16_t port;
	int listener = listen_narrowly(&port);
	mcp_wire *wire = wire_at("127.0.0.1", port, FAULTS_TIMEOUT_MS);
	for (int connection = 0; connection < 3; connection++) {
		assert_over(MCP_TIMEOUT,
			write_one(wire, MCP_OP_SET, "key", mcp_bytes_of(value, sizeof(value))));
		size_t arrived = bytes_that_arrive(listener);
		assert_true(arrived > 0);
		assert_true(arrived < LARGE);
	}
	mcp_wire_free(wire);
	close(listener);
}

/* --- the connection's descriptor --- */

static void answer_sets(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		if (strncmp(line, "set", 3) == 0) {
			faults_hear(connection, counts, line);
			faults_say(connection, "STORED\r\n");
		}
	}
}

static int descriptor_of(mcp_wire *wire) {
	return mcp_libmemcached_of(wire)->descriptor;
}

/* If this fails, libmemcached's instance is another one than wire_libmemcached_line.c knows. */
TEST(this_library_shows_its_descriptor) {
	void (*const starts[])(faults_peer * peer, faults_talk talk) = {faults_peer_start,
		faults_peer_start_at_a_port};
	for (size_t i = 0; i < 2; i++) {
		faults_peer peer;
		starts[i](&peer, answer_sets);
		mcp_wire *wire = wire_at(peer.socket, peer.port, FAULTS_PATIENCE_MS);
		assert_int_equal(MCP_WIRE_DESCRIPTOR_NONE, descriptor_of(wire));
		assert_over(MCP_OK, put(wire, "key", "value"));
		struct sockaddr_storage address;
		socklen_t length = sizeof(address);
		assert_int_equal(0, getpeername(descriptor_of(wire), (struct sockaddr *)&address, &length));
		mcp_wire_break_off(wire);
		assert_int_equal(MCP_WIRE_DESCRIPTOR_NONE, descriptor_of(wire));
		mcp_wire_free(wire);
		faults_peer_stop(&peer);
	}
}

/* As over a libmemcached whose instance is not known. */
static mcp_status put_unseen(mcp_wire *wire, uint64_t idle_ms) {
	mcp_libmemcached_of(wire)->descriptor = MCP_WIRE_DESCRIPTOR_HIDDEN;
	wire->now_ms += idle_ms;
	return put(wire, "key", "value");
}

TEST(a_connection_that_cannot_be_seen_is_made_anew_for_a_write) {
	faults_peer peer;
	faults_peer_start_at_a_port(&peer, answer_sets);
	mcp_wire *wire = wire_at(peer.socket, peer.port, FAULTS_PATIENCE_MS);
	assert_over(MCP_OK, put(wire, "key", "value"));
	assert_over(MCP_OK, put_unseen(wire, 999));
	assert_over(MCP_UNSUPPORTED, put_unseen(wire, 1000));
	assert_int_equal(1, peer.counts->connections);
	assert_over(MCP_OK, put(wire, "key", "value"));
	assert_int_equal(2, peer.counts->connections);
	mcp_wire_free(wire);
	faults_peer_stop(&peer);
}

TEST(the_library_is_one_we_support) {
	assert_non_null(strchr(mcp_libmemcached_version(), '.'));
	assert_true(mcp_libmemcached_is_supported());
}

int main(void) {
	return tests_run(faults_server_start, faults_server_stop);
}
