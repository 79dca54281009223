/* Follows a write whose answer did not come, until it arrives later: by a relay that holds back the old
 * connection's bytes, while a new connection goes straight to the server. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { RELEASED = 1000, ARRIVED = 2000 };

static int connect_to_server(void) {
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", faults_server.socket);
	int connection = socket(AF_UNIX, SOCK_STREAM, 0);
	connect(connection, (struct sockaddr *)&address, sizeof(address));
	return connection;
}

static void wait_until(const faults_counts *counts, int requests) {
	while (*(const volatile int *)&counts->requests < requests) {
		usleep(1000);
	}
}

/* Takes one write, and hands it on when it is told to. */
static void hold_back(int connection, faults_counts *counts) {
	char command[512], value[512], request[1100], answer[64];
	if (!faults_hear(connection, counts, command) || !faults_hear(connection, counts, value)) {
		return;
	}
	wait_until(counts, RELEASED);
	int to = connect_to_server();
	snprintf(request, sizeof(request), "%s\r\n%s\r\n", command, value);
	faults_say(to, request);
	if (read(to, answer, sizeof(answer)) > 0) {
		counts->requests = ARRIVED;
	}
	close(to);
}

static void let_arrive(faults_meeting *with) {
	with->peer.counts->requests = RELEASED;
	wait_until(with->peer.counts, ARRIVED);
}

/* Nothing that a plain set would respect can be put in its way: neither a delete nor a new cas id. */
TEST(a_late_set_passes_a_delete_and_a_cas) {
	faults_meeting old = faults_meet(hold_back);
	mcp_store *new = faults_store(faults_server.socket);
	mcp_key key = faults_key("key");
	mcp_record late = faults_record("late"), newer = faults_record("newer");
	mcp_item item;
	assert_int_equal(MCP_UNKNOWN, mcp_store_set(old.store, &key, &late));
	assert_int_equal(MCP_NOT_FOUND, mcp_store_delete(new, &key));
	assert_int_equal(MCP_OK, mcp_store_add(new, &key, &newer));
	assert_int_equal(MCP_OK, mcp_store_get(new, &key, &item));
	assert_int_equal(MCP_OK, mcp_store_cas(new, &key, &newer, item.cas));
	faults_assert_value(new, "key", "newer");
	let_arrive(&old);
	faults_assert_value(new, "key", "late");
	mcp_store_free(new);
	faults_part(&old);
}

/* A result is published so. */
TEST(a_late_cas_passes_nothing) {
	faults_meeting old = faults_meet(hold_back);
	mcp_store *new = faults_store(faults_server.socket);
	mcp_key key = faults_key("another");
	mcp_record late = faults_record("late");
	faults_set(new, "another", "old");
	mcp_item item;
	assert_int_equal(MCP_OK, mcp_store_get(new, &key, &item));
	assert_int_equal(MCP_UNKNOWN, mcp_store_cas(old.store, &key, &late, item.cas));
	faults_set(new, "another", "newer");
	let_arrive(&old);
	faults_assert_value(new, "another", "newer");
	mcp_store_free(new);
	faults_part(&old);
}

/* Neither does an add, while something is there. */
TEST(a_late_add_passes_no_value) {
	faults_meeting old = faults_meet(hold_back);
	mcp_store *new = faults_store(faults_server.socket);
	mcp_key key = faults_key("added");
	mcp_record late = faults_record("late");
	assert_int_equal(MCP_UNKNOWN, mcp_store_add(old.store, &key, &late));
	faults_set(new, "added", "newer");
	let_arrive(&old);
	faults_assert_value(new, "added", "newer");
	mcp_store_free(new);
	faults_part(&old);
}

int main(void) {
	return faults_run(faults_server_start, faults_server_stop);
}
