/* Tests how the direct wire shows a server its password: first on each connection, once, and never in a reason; by a real
 * memcached, and by peers that answer something else. */
/* SPDX-License-Identifier: MIT */
#include "../../src/store/server/connection.h"
#include "../../src/store/wire/direct/wire_direct.h"
#include "faults.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define USER "alice"
#define PASSWORD "s3cret"

static mcp_store *connect_as(const char *socket, const char *user, const char *password) {
	mcp_wire_settings settings = {
		.host = socket,
		.connect_timeout_ms = FAULTS_PATIENCE_MS,
		.timeout_ms = FAULTS_PATIENCE_MS,
		.user = mcp_bytes_text(user),
		.password = mcp_bytes_text(password),
	};
	return faults_connect(&settings, FAULTS_PAUSE_MS, faults_environment());
}

static const char *reason_of(mcp_store *store) {
	const mcp_store_failure *failure = mcp_store_last_failure(store);
	return failure != NULL ? failure->reason.text : "";
}

/* --- a real memcached --- */

static private_server guarded;
static char file[128];

static int start_guarded(void **state) {
	snprintf(file, sizeof(file), "/tmp/mcpatterns-auth-%d", (int)getpid());
	FILE *written = fopen(file, "w");
	fputs(USER ":" PASSWORD "\n", written);
	fclose(written);
	guarded.option = "-Y";
	guarded.argument = file;
	faults_by = FAULTS_DIRECT;
	return private_server_start(&guarded) ? 0 : -1;
}

static int stop_guarded(void **state) {
	private_server_stop(&guarded);
	unlink(file);
	return 0;
}

TEST(lets_in_who_has_the_password) {
	mcp_store *store = connect_as(guarded.socket, USER, PASSWORD);
	faults_set(store, "key", "value");
	faults_assert_value(store, "key", "value");
	mcp_store_free(store);
}

TEST(refuses_who_has_another) {
	mcp_store *store = connect_as(guarded.socket, USER, "another");
	assert_int_equal(MCP_UNREACHABLE, faults_get(store, "key"));
	assert_string_equal("rejected the user or the password", reason_of(store));
	mcp_store_free(store);
}

/* A server without -Y takes it for an item, which is gone at once. */
TEST(leaves_nothing_where_none_is_asked_for) {
	private_server open = {0};
	assert_true(private_server_start(&open));
	mcp_store *store = connect_as(open.socket, USER, PASSWORD);
	faults_set(store, "key", "value");
	assert_int_equal(MCP_NOT_FOUND, faults_get(store, "mcpatterns:auth"));
	mcp_store_free(store);
	private_server_stop(&open);
}

/* --- peers --- */

/* Plays a peer that wants exactly what protocol.txt says, on each connection, and then answers one request and closes. */
static void talk_strictly(int connection, faults_counts *counts) {
	char line[512];
	faults_hear(connection, counts, line);
	bool is_right = strcmp(line, "set mcpatterns:auth 0 -1 12") == 0;
	faults_hear(connection, counts, line);
	is_right = is_right && strcmp(line, USER " " PASSWORD) == 0;
	faults_say(connection, is_right ? "STORED\r\n" : "CLIENT_ERROR unauthenticated\r\n");
	faults_hear(connection, counts, line);
	faults_say(connection, "END\r\n");
}

TEST(is_the_first_request_of_each_connection) {
	faults_peer peer;
	faults_peer_start(&peer, talk_strictly);
	mcp_store *store = connect_as(peer.socket, USER, PASSWORD);
	assert_int_equal(MCP_NOT_FOUND, faults_get(store, "key"));
	assert_int_equal(MCP_NOT_FOUND, faults_get(store, "key"));
	assert_int_equal(2, peer.counts->connections);
	assert_int_equal(6, peer.counts->requests);
	mcp_store_free(store);
	faults_peer_stop(&peer);
}

static const char *answer;

static void talk_wrongly(int connection, faults_counts *counts) {
	char line[512];
	faults_hear(connection, counts, line);
	faults_hear(connection, counts, line);
	faults_say(connection, answer);
}

static void assert_refused_once(const char *said, const char *reason) {
	faults_peer peer;
	answer = said;
	faults_peer_start(&peer, talk_wrongly);
	mcp_store *store = connect_as(peer.socket, USER, PASSWORD);
	for (int i = 0; i < 10; i++) {
		assert_int_equal(MCP_UNREACHABLE, faults_get(store, "key"));
	}
	assert_string_equal(reason, reason_of(store));
	assert_null(strstr(reason_of(store), PASSWORD));
	assert_int_equal(1, peer.counts->connections);
	mcp_store_free(store);
	faults_peer_stop(&peer);
}

#define NONSENSE "sent an invalid reply to the password"

TEST(ends_with_whatever_else_is_answered) {
	char endless[4096];
	memset(endless, 'x', sizeof(endless) - 1);
	endless[sizeof(endless) - 1] = '\0';
	assert_refused_once("CLIENT_ERROR authentication failure\r\n",
		"rejected the user or the password");
	assert_refused_once("ERROR\r\n", NONSENSE);
	assert_refused_once("STORED\r\nSTORED\r\n", NONSENSE);
	assert_refused_once("STORED\n", NONSENSE);
	assert_refused_once("NOT_STORED\r\n", NONSENSE);
	assert_refused_once("SERVER_ERROR " USER " " PASSWORD "\r\n", NONSENSE);
	assert_refused_once("CLIENT_ERROR " PASSWORD "\r\n", "rejected the user or the password");
	assert_refused_once(endless, NONSENSE);
	assert_refused_once("", "closed the connection without a reply");
	assert_refused_once("STOR", "closed the connection without a reply");
}

static void drip(int connection, faults_counts *counts) {
	char line[512];
	faults_hear(connection, counts, line);
	faults_hear(connection, counts, line);
	faults_drip(connection, "STOREDSTOREDSTOREDSTOREDSTOREDSTORED", 50);
}

TEST(waits_no_longer_than_for_any_answer) {
	faults_peer peer;
	faults_peer_start(&peer, drip);
	mcp_wire_settings settings = {
		.host = peer.socket,
		.connect_timeout_ms = FAULTS_PATIENCE_MS,
		.timeout_ms = FAULTS_TIMEOUT_MS,
		.user = mcp_bytes_text(USER),
		.password = mcp_bytes_text(PASSWORD),
	};
	mcp_store *store = faults_connect(&settings, FAULTS_PAUSE_MS, faults_environment());
	assert_int_equal(MCP_UNREACHABLE, faults_get(store, "key"));
	assert_string_equal("did not reply within 200 ms", reason_of(store));
	mcp_store_free(store);
	faults_peer_stop(&peer);
}

int main(void) {
	return tests_run(start_guarded, stop_guarded);
}
