/* Counts what is set aside: it costs a descriptor for each server, and no more than so many; and a fork leaves
 * it to the parent. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static mcp_store *connect_to_server(void) {
	mcp_wire_settings settings = faults_settings(faults_server.socket, FAULTS_TIMEOUT_MS);
	settings.late = &faults_late;
	return faults_connect(&settings, 0, faults_environment());
}

/* Sets one end aside; the other stays with the caller. */
static int set_aside(const char *address) {
	int ends[2];
	assert_int_equal(0, socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	mcp_socket socket = {.descriptor = ends[0]};
	mcp_late_writes_set_aside(&faults_late, address, &socket, false, faults_now_ms());
	assert_int_equal(-1, socket.descriptor);
	return ends[1];
}

static bool is_closed(int other_end) {
	char byte;
	return recv(other_end, &byte, 1, MSG_DONTWAIT) == 0;
}

static bool is_out(const char *address) {
	return mcp_late_writes_are_out(&faults_late, address, faults_now_ms());
}

TEST_WITH(one_is_set_aside_for_each_server_and_so_many_in_all, NULL, faults_forget_late) {
	int ends[MCP_LATE_WRITES_MAX + 2];
	char address[32];
	for (int i = 0; i < MCP_LATE_WRITES_MAX + 1; i++) {
		snprintf(address, sizeof(address), "10.0.0.1:%d", i);
		ends[i] = set_aside(address);
		assert_int_equal(i == MCP_LATE_WRITES_MAX, is_closed(ends[i]));
		assert_int_equal(i != MCP_LATE_WRITES_MAX, is_out(address));
	}
	assert_true(mcp_late_writes_give_one_up(&faults_late));
	assert_true(is_closed(ends[0]));
	assert_false(is_out("10.0.0.1:0"));
	ends[MCP_LATE_WRITES_MAX + 1] = set_aside("10.0.0.1:7");
	assert_true(is_closed(ends[MCP_LATE_WRITES_MAX + 1]));
	assert_true(is_out("10.0.0.1:7"));
	assert_int_equal(MCP_LATE_WRITES_MAX - 1, faults_late.count);
	mcp_late_writes_close(&faults_late);
	for (int i = 0; i < MCP_LATE_WRITES_MAX + 2; i++) {
		close(ends[i]);
	}
}

/* Another server can still be reached: what waits gives its descriptor back. */
TEST_WITH(a_connection_takes_the_descriptor_of_what_waits, NULL, faults_forget_late) {
	mcp_store *store = connect_to_server(), *other = connect_to_server();
	faults_set(other, "key", "value");
	int other_end = set_aside("10.0.0.1:1");
	struct rlimit before, none_left;
	getrlimit(RLIMIT_NOFILE, &before);
	none_left = before;
	/* It was the lowest, so that all below are taken. */
	none_left.rlim_cur = (rlim_t)faults_late.writes[0].socket.descriptor + 1;
	assert_int_equal(0, setrlimit(RLIMIT_NOFILE, &none_left));
	mcp_status status = faults_get(store, "key");
	setrlimit(RLIMIT_NOFILE, &before);
	assert_int_equal(MCP_OK, status);
	assert_true(is_closed(other_end));
	assert_int_equal(0, faults_late.count);
	close(other_end);
	mcp_store_free(other);
	mcp_store_free(store);
}

TEST_WITH(the_child_of_a_fork_leaves_its_parents_wait_alone, NULL, faults_forget_late) {
	int other_end = set_aside("10.0.0.1:1");
	pid_t child = fork();
	if (child == 0) {
		mcp_late_writes_close(&faults_late);
		_exit(faults_late.count == 0 ? 0 : 1);
	}
	int status;
	waitpid(child, &status, 0);
	assert_int_equal(0, status);
	assert_false(is_closed(other_end));
	assert_true(is_out("10.0.0.1:1"));
	assert_int_equal(8, send(other_end, "STORED\r\n", 8, 0));
	assert_false(is_out("10.0.0.1:1"));
	assert_true(is_closed(other_end));
	close(other_end);
}

TEST_WITH(a_server_that_talks_on_and_on_is_not_heard_for_ever, NULL, faults_forget_late) {
	int other_end = set_aside("10.0.0.1:1");
	char noise[1024];
	memset(noise, 'x', sizeof(noise));
	for (int i = 0; i < 64; i++) {
		send(other_end, noise, sizeof(noise), MSG_DONTWAIT);
	}
	assert_true(is_out("10.0.0.1:1"));
	assert_int_equal(1, send(other_end, "\n", 1, 0));
	for (int i = 0; i < 8 && is_out("10.0.0.1:1"); i++) {
	}
	assert_false(is_out("10.0.0.1:1"));
	close(other_end);
}

int main(void) {
	return tests_run(faults_server_start_direct, faults_server_stop);
}
