/* Why a server failed, as the store tells it: the system's reason, what the server answered, how long was waited,
 * and which of several servers it was. A read and a write tell the same. */
/* SPDX-License-Identifier: MIT */
#include "../../src/store/cluster/store_cluster.h"
#include "../../src/store/store.h"
#include "faults.h"
#include "writes.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#define REFUSED "could not be reached: connection refused, nothing listens there"
#define NO_FILE "could not be reached: no such file"

/* As the system has it where the tests do not run as root. */
static bool is_forbidden;

int connect(int descriptor, const struct sockaddr *address, socklen_t length) {
	if (is_forbidden) {
		errno = EACCES;
		return -1;
	}
	return (int)syscall(SYS_connect, descriptor, address, length);
}

static mcp_store *connect_to(const char *host, uint16_t port) {
	mcp_wire_settings settings = faults_settings(host, FAULTS_TIMEOUT_MS);
	settings.port = port;
	return faults_connect(&settings, 0, faults_environment());
}

/* Has each answer judged. */
static void ask_everything(mcp_store *store, void (*judge)(mcp_store *store, mcp_status status)) {
	judge(store, faults_get(store, "key"));
	judge(store, faults_get_two(store, "a", "b"));
	judge(store, mcp_store_ping(store));
	judge(store, mcp_store_stats(store, NULL, NULL));
	for (int i = 0; i < FAULTS_WRITES; i++) {
		judge(store, faults_write(store, faults_writes[i]));
	}
}

static const char *expected_reason;

static void judge_unreachable(mcp_store *store, mcp_status status) {
	assert_int_equal(MCP_UNREACHABLE, status);
	assert_string_equal(expected_reason, faults_reason(store));
}

/* Asserts it whatever is asked, and from then on once more. */
static void assert_unreachable(mcp_store *store, const char *reason) {
	expected_reason = reason;
	assert_null(faults_reason(store));
	ask_everything(store, judge_unreachable);
	ask_everything(store, judge_unreachable);
	mcp_store_free(store);
}

/* Returns a port that was free a moment ago. */
static uint16_t closed_port(void) {
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t length = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(0, bind(listener, (struct sockaddr *)&address, length));
	getsockname(listener, (struct sockaddr *)&address, &length);
	close(listener);
	return ntohs(address.sin_port);
}

TEST(a_port_without_a_server_is_refused) {
	assert_unreachable(connect_to("127.0.0.1", closed_port()), REFUSED);
}

TEST(a_socket_that_is_not_there_is_no_such_file) {
	assert_unreachable(connect_to("/tmp/mcpatterns-nothing/here.sock", 0), NO_FILE);
}

static void make_socket_file(struct sockaddr_un *address) {
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	snprintf(address->sun_path, sizeof(address->sun_path), "/tmp/mcpatterns-%d.sock", getpid());
	int listener = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(0, bind(listener, (struct sockaddr *)address, sizeof(*address)));
	close(listener);
}

TEST(a_socket_without_a_server_is_refused) {
	struct sockaddr_un address;
	make_socket_file(&address);
	assert_unreachable(connect_to(address.sun_path, 0), REFUSED);
	unlink(address.sun_path);
}

TEST(a_socket_that_is_not_ours_is_no_permission) {
	struct sockaddr_un address;
	make_socket_file(&address);
	is_forbidden = true;
	assert_unreachable(connect_to(address.sun_path, 0), "could not be reached: permission denied");
	is_forbidden = false;
	unlink(address.sun_path);
}

TEST(a_host_that_no_name_can_have_is_unknown) {
	/* A label has 63 letters at most, so that no name server is asked. */
	assert_unreachable(
		connect_to("a1234567890123456789012345678901234567890123456789012345678901234", 11211),
		"could not be reached: its host is unknown");
}

TEST(a_server_that_accepts_nobody_is_given_the_connect_timeout) {
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t length = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(0, bind(listener, (struct sockaddr *)&address, length));
	assert_int_equal(0, listen(listener, 0));
	getsockname(listener, (struct sockaddr *)&address, &length);
	int waiting[4];
	for (int i = 0; i < 4; i++) {
		waiting[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		connect(waiting[i], (struct sockaddr *)&address, length);
	}
	mcp_store *store = connect_to("127.0.0.1", ntohs(address.sin_port));
	uint64_t began_ms = faults_now_ms();
	assert_int_equal(MCP_UNREACHABLE, faults_get(store, "key"));
	faults_assert_lasted(began_ms, FAULTS_CONNECT_TIMEOUT_MS - 1, FAULTS_CONNECT_TIMEOUT_MS);
	assert_string_equal("could not be reached within 200 ms", faults_reason(store));
	assert_int_equal(MCP_UNREACHABLE, faults_write(store, MCP_OP_SET));
	assert_string_equal("could not be reached within 200 ms", faults_reason(store));
	mcp_store_free(store);
	for (int i = 0; i < 4; i++) {
		close(waiting[i]);
	}
	close(listener);
}

/* The peer's answer to everything; NULL: it closes instead. */
static const char *answer;

static void answer_the_same(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line) && answer != NULL) {
		if (strncmp(line, "value", 5) != 0) {
			faults_say(connection, answer);
		}
	}
}

/* Asserts that each of them is told what it is answered with, as the reason has it. */
static void assert_answer_is_told(const char *text, mcp_status read, mcp_status written,
	const char *reason) {
	answer = text;
	faults_meeting with = faults_meet(answer_the_same);
	assert_int_equal(read, faults_get(with.store, "key"));
	assert_string_equal(reason, faults_reason(with.store));
	faults_pass_ms(FAULTS_PAUSE_MS);
	assert_int_equal(written, faults_write(with.store, MCP_OP_SET));
	assert_string_equal(reason, faults_reason(with.store));
	faults_pass_ms(FAULTS_PAUSE_MS);
	assert_int_equal(read, faults_get_two(with.store, "a", "b"));
	assert_string_equal(reason, faults_reason(with.store));
	faults_part(&with);
}

TEST(answers_that_are_not_memcacheds_are_shown) {
	assert_answer_is_told("HTTP/1.1 400 Bad Request\r\nServer: x\r\n\r\n", MCP_PROTOCOL,
		MCP_UNKNOWN, "replied \"HTTP/1.1 400 Bad Request\", which is not the memcached protocol");
	assert_answer_is_told("a \"quoted\" line,  host: x\r\n", MCP_PROTOCOL, MCP_UNKNOWN,
		"replied \"a ?quoted? line,  host: x\", which is not the memcached protocol");
}

/* libmemcached has words of its own for it, which are not the server's. */
TEST(a_number_that_is_too_large_is_nonsense) {
	assert_answer_is_told("99999999999999999999999\r\n", MCP_PROTOCOL, MCP_UNKNOWN,
		faults_by == FAULTS_LIBMEMCACHED
			? "sent an unexpected reply"
			: "replied \"99999999999999999999999\", which is not the memcached protocol");
}

TEST(answers_are_shown_printable_and_bounded) {
	assert_answer_is_told("\x01\x7f\xc3\xa4\tz\r\n", MCP_PROTOCOL, MCP_UNKNOWN,
		"replied \"?????z\", which is not the memcached protocol");
	assert_answer_is_told(
		"a234567890123456789012345678901234567890123456789012345678901234567890\r\n", MCP_PROTOCOL,
		MCP_UNKNOWN,
		"replied \"a23456789012345678901234567890123456789012345678901234567890...\","
		" which is not the memcached protocol");
}

TEST(refusals_are_shown) {
	/* A proxy's: whether the server behind it has written is not known. */
	assert_answer_is_told("SERVER_ERROR Connection timed out\r\n", MCP_REFUSED, MCP_UNKNOWN,
		"replied \"SERVER_ERROR Connection timed out\"");
	/* libmemcached keeps only what kind it is. */
	assert_answer_is_told("SERVER_ERROR out of memory storing object\r\n", MCP_REFUSED, MCP_REFUSED,
		faults_by == FAULTS_LIBMEMCACHED ? "replied \"SERVER_ERROR out of memory\""
										 : "replied \"SERVER_ERROR out of memory storing object\"");
	assert_answer_is_told("CLIENT_ERROR bad data chunk\r\n", MCP_REFUSED, MCP_REFUSED,
		"replied \"CLIENT_ERROR bad data chunk\"");
	assert_answer_is_told("ERROR\r\n", MCP_REFUSED, MCP_REFUSED, "replied \"ERROR\"");
}

TEST(another_questions_answer_is_not_taken) {
	answer = "VALUE other 0 1\r\nx\r\nEND\r\n";
	faults_meeting with = faults_meet_patiently(answer_the_same);
	assert_int_equal(MCP_PROTOCOL, faults_get(with.store, "key"));
	assert_string_equal("sent an unexpected reply", faults_reason(with.store));
	assert_int_equal(MCP_PROTOCOL, faults_get_two(with.store, "a", "b"));
	assert_string_equal("sent an unexpected reply", faults_reason(with.store));
	faults_part(&with);
}

TEST(a_server_that_closes_is_told_apart_from_a_silent_one) {
	answer = NULL;
	faults_meeting with = faults_meet_patiently(answer_the_same);
	assert_int_equal(MCP_UNREACHABLE, faults_get(with.store, "key"));
	assert_string_equal("closed the connection without a reply", faults_reason(with.store));
	faults_pass_ms(FAULTS_PAUSE_MS);
	assert_int_equal(MCP_UNKNOWN, faults_write(with.store, MCP_OP_INCREMENT));
	assert_string_equal("closed the connection without a reply", faults_reason(with.store));
	faults_part(&with);
	assert_answer_is_told("", MCP_TIMEOUT, MCP_UNKNOWN, "did not reply within 200 ms");
}

/* Takes nobody any more: says so at the door, and reads nothing. */
static void turn_away(int connection, faults_counts *counts) {
	faults_say(connection, "ERROR Too many open connections\r\n");
}

/* libmemcached does not look at what has come where the end was a reset, as it is over TCP, or came before it sent, as it may over a Unix
 * socket: the words are there for who asks again, and what became of a write is not known. */
static bool may_miss_words;

static void assert_turned_away(mcp_store *store, mcp_status status) {
	assert_true(status == MCP_UNREACHABLE || (may_miss_words && status == MCP_UNKNOWN));
	assert_string_equal("replied \"ERROR Too many open connections\"", faults_reason(store));
	faults_pass_ms(FAULTS_PAUSE_MS);
}

static void assert_all_are_turned_away(const faults_peer *peer) {
	mcp_store *store = connect_to(peer->socket, peer->port);
	test_write writes[2] = {{.key = faults_key("key"), .record = faults_record("value")},
		{.key = faults_key("other"), .record = faults_record("value")}};
	mcp_op step = {.verb = MCP_OP_GET, .key = &writes[0].key};
	ask_everything(store, assert_turned_away);
	test_writes_run(store, MCP_OP_SET, writes, 2);
	assert_turned_away(store, writes[0].status);
	assert_turned_away(store, writes[1].status);
	mcp_store_steps(store, &step, 1);
	assert_turned_away(store, step.status);
	mcp_store_free(store);
}

TEST(a_server_without_a_connection_left_has_done_nothing) {
	faults_peer peer;
	may_miss_words = faults_by == FAULTS_LIBMEMCACHED;
	faults_peer_start(&peer, turn_away);
	assert_all_are_turned_away(&peer);
	faults_peer_stop(&peer);
	faults_peer_start_at_a_port(&peer, turn_away);
	assert_all_are_turned_away(&peer);
	may_miss_words = false;
	faults_peer_stop(&peer);
}

/* Only a new connection is turned away: over one that was there it is an answer of no server's. */
static void turn_away_later(int connection, faults_counts *counts) {
	char line[512];
	faults_hear(connection, counts, line);
	faults_say(connection, "END\r\n");
	faults_hear(connection, counts, line);
	faults_say(connection, "ERROR Too many open connections\r\n");
	faults_hear(connection, counts, line);
}

TEST(an_old_connection_is_not_turned_away) {
	faults_meeting with = faults_meet_patiently(turn_away_later);
	assert_int_equal(MCP_NOT_FOUND, faults_get(with.store, "key"));
	assert_int_equal(faults_by == FAULTS_DIRECT ? MCP_PROTOCOL : MCP_REFUSED,
		faults_get(with.store, "key"));
	faults_part(&with);
}

TEST(a_wire_says_that_its_connection_broke) {
	answer = NULL;
	faults_peer peer;
	faults_peer_start(&peer, answer_the_same);
	mcp_wire_settings settings = faults_settings(peer.socket, FAULTS_TIMEOUT_MS);
	mcp_wire *wire = faults_wire(&settings, faults_environment());
	mcp_bytes key = mcp_bytes_of("key", 3);
	mcp_key of = {.wire = key};
	mcp_record record = {.body = key};
	mcp_op set = {.verb = MCP_OP_SET, .key = &of, .record = &record};
	mcp_op increment = {.verb = MCP_OP_INCREMENT, .key = &of, .by = 1};
	mcp_item found;
	assert_int_equal(MCP_BROKEN, mcp_wire_get(wire, key, &found));
	assert_int_equal(MCP_BROKEN, mcp_wire_write(wire, &set));
	assert_int_equal(MCP_BROKEN, mcp_wire_write(wire, &increment));
	mcp_wire_free(wire);
	faults_peer_stop(&peer);
}

TEST(a_server_that_is_left_alone_keeps_its_reason) {
	answer = "";
	faults_meeting with = faults_meet(answer_the_same);
	assert_int_equal(MCP_UNKNOWN, faults_write(with.store, MCP_OP_INCREMENT));
	mcp_store_failure first = *mcp_store_last_failure(with.store);
	assert_false(first.is_tripped);
	assert_int_equal(MCP_UNREACHABLE, faults_write(with.store, MCP_OP_INCREMENT));
	const mcp_store_failure *failure = mcp_store_last_failure(with.store);
	assert_true(failure->is_tripped);
	assert_string_equal("did not reply within 200 ms", failure->reason.text);
	assert_int_equal(first.at_ms, failure->at_ms);
	faults_part(&with);
}

TEST(a_server_that_answers_again_keeps_its_last_failure) {
	private_server server = {0};
	assert_true(private_server_start(&server));
	mcp_store *store = faults_store(server.socket);
	faults_set(store, "key", "value");
	assert_null(faults_reason(store));
	faults_freeze(&server);
	assert_int_equal(MCP_TIMEOUT, faults_get(store, "key"));
	uint64_t at_ms = mcp_store_last_failure(store)->at_ms;
	faults_thaw(&server);
	faults_pass_ms(FAULTS_PAUSE_MS);
	faults_assert_value(store, "key", "value");
	assert_string_equal("did not reply within 200 ms", faults_reason(store));
	assert_int_equal(at_ms, mcp_store_last_failure(store)->at_ms);
	mcp_store_free(store);
	private_server_stop(&server);
}

/* Picks by the first letter, which says where a key lives. */
static size_t pick(void *router, mcp_bytes route) {
	return (size_t)(route.data[0] - '0');
}

TEST(a_cluster_says_which_of_its_servers_failed) {
	mcp_store *members[3] = {
		connect_to("/tmp/mcpatterns-nothing/0.sock", 0),
		connect_to("127.0.0.1", closed_port()),
		connect_to("/tmp/mcpatterns-nothing/2.sock", 0),
	};
	mcp_store *cluster = mcp_store_cluster_create(members, 3, pick, NULL);
	assert_null(mcp_store_failed(cluster));
	assert_int_equal(MCP_UNREACHABLE, faults_get(cluster, "1"));
	assert_ptr_equal(members[1], mcp_store_failed(cluster));
	assert_string_equal(REFUSED, faults_reason(cluster));
	faults_pass_ms(1);
	assert_int_equal(MCP_UNREACHABLE, faults_get(cluster, "2"));
	assert_ptr_equal(members[2], mcp_store_failed(cluster));
	assert_string_equal(NO_FILE, faults_reason(cluster));
	faults_pass_ms(1);
	assert_int_equal(MCP_UNREACHABLE, faults_get(cluster, "1"));
	assert_string_equal(members[1]->address, mcp_store_failed(cluster)->address);
	mcp_store_free(cluster);
	for (int i = 0; i < 3; i++) {
		mcp_store_free(members[i]);
	}
}

int main(void) {
	return faults_run(NULL, NULL);
}
