/* A socket over TCP against a peer in this process, without any protocol: what is told of a connection that begins, is silent, takes no
 * more, is cut off or ends. Runs as a Windows program, too. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/store/wire/socket.h"
#include "loopback_peer.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* MANY is far more than the buffers of a connection take at once. */
enum { MANY = 12 * 1024 * 1024, SHORT_MS = 50, PATIENCE_MS = 20000 };

static mcp_deadline within(uint32_t timeout_ms) {
	return mcp_deadline_begin(loopback_environment(), timeout_ms);
}

static mcp_socket_outcome try_to_connect(mcp_socket *self, const char *host, uint16_t port) {
	mcp_deadline deadline = within(PATIENCE_MS);
	*self = (mcp_socket){.descriptor = -1};
	return mcp_socket_connect(self, &(mcp_socket_address){host, port}, &deadline, PATIENCE_MS);
}

/* Speaks first, by a byte: nothing is said to a connection that has said nothing. */
static mcp_socket connect_to(const loopback_peer *peer) {
	mcp_socket self;
	assert_int_equal(MCP_SOCKET_DONE, try_to_connect(&self, "127.0.0.1", peer->port));
	assert_true(mcp_socket_is_open(&self));
	assert_int_equal(1, mcp_socket_try_to_send(&self, mcp_bytes_of("?", 1)));
	return self;
}

static mcp_socket_outcome await(mcp_socket *self, mcp_socket_readiness readiness,
	uint32_t timeout_ms) {
	mcp_deadline deadline = within(timeout_ms);
	return mcp_socket_await(self, readiness, &deadline);
}

static mcp_socket_outcome receive_byte(mcp_socket *self, char *byte) {
	mcp_deadline deadline = within(PATIENCE_MS);
	size_t received;
	return mcp_socket_receive(self, byte, 1, &deadline, &received);
}

static void part(mcp_socket *self, loopback_peer *peer) {
	mcp_socket_close(self);
	assert_false(mcp_socket_is_open(self));
	loopback_peer_stop(peer);
}

/* --- peers --- */

static void hear_the_first(loopback_peer *peer) {
	char byte;
	loopback_peer_hear(peer, &byte, 1);
}

static void end_when_let(loopback_peer *peer) {
	hear_the_first(peer);
	loopback_peer_wait(peer);
}

/* Says a byte when it is let go on, and ends when it is so again. */
static void say_one(loopback_peer *peer) {
	end_when_let(peer);
	loopback_peer_say_text(peer, "x");
	loopback_peer_wait(peer);
}

static void cut_off_when_let(loopback_peer *peer) {
	end_when_let(peer);
	loopback_peer_cut_off(peer);
}

/* Hears to the end, and tells by its answer whether all of it was there, in its order. */
static void judge_many(loopback_peer *peer) {
	char *heard = malloc(MANY);
	char more;
	hear_the_first(peer);
	bool is_right = loopback_peer_hear(peer, heard, MANY) && !loopback_peer_hear(peer, &more, 1);
	for (size_t i = 0; is_right && i < MANY; i++) {
		is_right = heard[i] == (char)(i * 2654435761u >> 24);
	}
	free(heard);
	loopback_peer_say_text(peer, is_right ? "y" : "n");
}

static void hear_all(loopback_peer *peer) {
	char byte;
	while (loopback_peer_hear(peer, &byte, 1)) {
	}
}

/* --- tests --- */

TEST(a_connection_is_silent_until_something_comes) {
	loopback_peer *peer = loopback_peer_start(say_one);
	mcp_socket self = connect_to(peer);
	char bytes[8];
	size_t received = 1;
	assert_true(mcp_socket_is_silent(&self));
	assert_int_equal(MCP_SOCKET_LATE,
		mcp_socket_try_to_receive(&self, bytes, sizeof(bytes), &received));
	assert_int_equal(0, received);
	assert_int_equal(MCP_SOCKET_LATE, await(&self, MCP_SOCKET_TO_RECEIVE, SHORT_MS));
	assert_int_equal(MCP_SOCKET_DONE, await(&self, MCP_SOCKET_TO_SEND, PATIENCE_MS));
	loopback_peer_let_go(peer);
	assert_int_equal(MCP_SOCKET_DONE, await(&self, MCP_SOCKET_TO_RECEIVE, PATIENCE_MS));
	assert_false(mcp_socket_is_silent(&self));
	assert_int_equal(MCP_SOCKET_DONE,
		mcp_socket_try_to_receive(&self, bytes, sizeof(bytes), &received));
	assert_int_equal(1, received);
	assert_int_equal('x', bytes[0]);
	assert_true(mcp_socket_is_silent(&self));
	loopback_peer_let_go(peer);
	part(&self, peer);
}

TEST(a_receive_in_vain_ends_with_its_time) {
	loopback_peer *peer = loopback_peer_start(end_when_let);
	mcp_socket self = connect_to(peer);
	char byte;
	size_t received = 1;
	mcp_deadline deadline = within(SHORT_MS);
	mcp_deadline_left_ms(&deadline); /* not the first wait, which a socket's own time ends */
	assert_int_equal(MCP_SOCKET_LATE, mcp_socket_receive(&self, &byte, 1, &deadline, &received));
	assert_int_equal(0, received);
	loopback_peer_let_go(peer);
	part(&self, peer);
}

TEST(the_end_of_a_connection_is_no_error) {
	loopback_peer *peer = loopback_peer_start(end_when_let);
	mcp_socket self = connect_to(peer);
	char byte;
	size_t received;
	loopback_peer_let_go(peer);
	assert_int_equal(MCP_SOCKET_DONE, await(&self, MCP_SOCKET_TO_RECEIVE, PATIENCE_MS));
	assert_false(mcp_socket_is_silent(&self));
	self.error = -1;
	assert_int_equal(MCP_SOCKET_BROKEN, mcp_socket_try_to_receive(&self, &byte, 1, &received));
	assert_int_equal(0, self.error);
	self.error = -1;
	assert_int_equal(MCP_SOCKET_BROKEN, receive_byte(&self, &byte));
	assert_int_equal(0, self.error);
	part(&self, peer);
}

TEST(a_connection_that_is_cut_off_says_so) {
	loopback_peer *peer = loopback_peer_start(cut_off_when_let);
	mcp_socket self = connect_to(peer);
	char byte;
	loopback_peer_let_go(peer);
	assert_int_equal(MCP_SOCKET_DONE, await(&self, MCP_SOCKET_TO_RECEIVE, PATIENCE_MS));
	assert_false(mcp_socket_is_silent(&self));
	assert_int_equal(MCP_SOCKET_BROKEN, receive_byte(&self, &byte));
	part(&self, peer);
	if (loopback_is_by_wine()) {
		skip(); /* its recv tells no reset from an end (Wine 8.0) */
	}
	assert_int_equal(ECONNRESET, self.error);
}

TEST(nothing_leaves_by_a_connection_that_was_cut_off) {
	loopback_peer *peer = loopback_peer_start(cut_off_when_let);
	mcp_socket self = connect_to(peer);
	mcp_bytes bytes = mcp_bytes_of("lost", 4);
	mcp_deadline deadline = within(PATIENCE_MS);
	loopback_peer_let_go(peer);
	assert_int_equal(MCP_SOCKET_DONE, await(&self, MCP_SOCKET_TO_RECEIVE, PATIENCE_MS));
	assert_int_equal(MCP_SOCKET_BROKEN, mcp_socket_send(&self, &bytes, 1, &deadline));
	assert_true(self.took_nothing);
	assert_true(self.error == ECONNRESET || self.error == EPIPE);
	assert_int_equal(0, mcp_socket_try_to_send(&self, bytes));
	assert_true(self.took_nothing);
	part(&self, peer);
}

/* As many pieces as there may be, every fourth of them empty, and the whole end of what is said told after them. */
TEST(pieces_arrive_whole_and_in_their_order) {
	loopback_peer *peer = loopback_peer_start(judge_many);
	mcp_socket self = connect_to(peer);
	char *said = malloc(MANY), answer = '\0';
	mcp_bytes pieces[MCP_SOCKET_PIECES_MAX];
	size_t begin = 0;
	for (size_t i = 0; i < MANY; i++) {
		said[i] = (char)(i * 2654435761u >> 24);
	}
	for (size_t i = 0; i < MCP_SOCKET_PIECES_MAX; i++) {
		size_t end = i + 1 == MCP_SOCKET_PIECES_MAX ? MANY : i % 4 == 1 ? begin : begin + 61 * i;
		pieces[i] = mcp_bytes_of(said + begin, end - begin);
		begin = end;
	}
	mcp_deadline deadline = within(PATIENCE_MS);
	assert_int_equal(MCP_SOCKET_DONE,
		mcp_socket_send(&self, pieces, MCP_SOCKET_PIECES_MAX, &deadline));
	assert_false(self.took_nothing);
	mcp_socket_end(&self);
	assert_int_equal(MCP_SOCKET_DONE, receive_byte(&self, &answer));
	assert_int_equal('y', answer);
	free(said);
	part(&self, peer);
}

TEST(what_does_not_leave_at_once_is_told) {
	loopback_peer *peer = loopback_peer_start(end_when_let);
	mcp_socket self = connect_to(peer);
	char *said = calloc(1, MANY);
	mcp_bytes bytes = mcp_bytes_of(said, MANY);
	size_t taken = 0, sent = 1;
	for (int i = 0; i < 100 && sent > 0; i++) {
		sent = mcp_socket_try_to_send(&self, bytes);
		assert_int_equal(sent == 0, self.took_nothing);
		taken += sent;
	}
	assert_int_equal(0, sent);
	assert_int_not_equal(0, taken);
	mcp_deadline deadline = within(SHORT_MS);
	assert_int_equal(MCP_SOCKET_LATE, mcp_socket_send(&self, &bytes, 1, &deadline));
	assert_int_equal(MCP_SOCKET_LATE, await(&self, MCP_SOCKET_TO_SEND, SHORT_MS));
	free(said);
	loopback_peer_let_go(peer);
	part(&self, peer);
}

TEST(an_abort_ends_it_for_both) {
	loopback_peer *peer = loopback_peer_start(hear_all);
	mcp_socket self = connect_to(peer);
	mcp_bytes bytes = mcp_bytes_of("dropped", 7);
	mcp_socket_try_to_send(&self, bytes);
	mcp_socket_abort(&self);
	assert_false(mcp_socket_is_open(&self));
	loopback_peer_stop(peer);
}

TEST(where_nobody_listens_it_is_refused) {
	mcp_socket self;
	assert_int_equal(MCP_SOCKET_BROKEN, try_to_connect(&self, "127.0.0.1", loopback_peer_none()));
	assert_int_equal(ECONNREFUSED, self.error);
	assert_false(mcp_socket_is_open(&self));
}

/* A host may have an address of each kind as "localhost"; only one of them is listened at. */
TEST(each_address_of_a_host_is_tried) {
	loopback_peer *peer = loopback_peer_start(hear_all);
	mcp_socket self;
	assert_int_equal(MCP_SOCKET_DONE, try_to_connect(&self, "localhost", peer->port));
	part(&self, peer);
}

TEST(a_name_that_no_host_has_has_no_address) {
	mcp_socket self;
	assert_int_equal(MCP_SOCKET_NO_ADDRESS, try_to_connect(&self, "no such host.invalid", 1));
	assert_false(mcp_socket_is_open(&self));
}

TEST(a_unix_socket_that_is_not_there_is_an_error) {
	mcp_socket self;
	assert_int_equal(MCP_SOCKET_BROKEN, try_to_connect(&self, "/there/is/no/such/socket", 0));
#ifdef _WIN32
	assert_int_equal(EAFNOSUPPORT, self.error);
#else
	assert_int_equal(ENOENT, self.error);
#endif
	assert_false(mcp_socket_is_open(&self));
}

int main(void) {
	loopback_peer_ready();
	return tests_run(NULL, NULL);
}
