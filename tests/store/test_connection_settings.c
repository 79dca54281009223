/* Watches the store learn a server's settings before it writes: how large an item may be, and whether there are
 * cas ids. By real servers that were started otherwise, and by proxies that tell nothing. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 9000 };

static mcp_store *open_server(private_server *server) {
	assert_true(private_server_start(server));
	return faults_patient_store(server->socket);
}

static void close_server(mcp_store *store, private_server *server) {
	mcp_store_free(store);
	private_server_stop(server);
}

/* Sets a value of so many bytes under "key". */
static mcp_status set_large(mcp_store *store, size_t length) {
	mcp_key key = faults_key("key");
	mcp_record record = faults_record("");
	char *bytes = malloc(length);
	memset(bytes, 'v', length);
	record.body = mcp_bytes_of(bytes, length);
	mcp_status status = mcp_store_set(store, &key, &record);
	free(bytes);
	return status;
}

static void assert_goes_in(mcp_store *store, size_t length) {
	mcp_key key = faults_key("key");
	mcp_item item;
	assert_int_equal(MCP_OK, set_large(store, length));
	assert_int_equal(MCP_OK, mcp_store_get(store, &key, &item));
	assert_int_equal(length, item.value.length);
}

TEST(what_a_smaller_server_refuses_is_not_sent) {
	private_server server = {.option = "-I", .argument = "512k"};
	mcp_store *store = open_server(&server);
	mcp_key key = faults_key("key");
	size_t limit = 524288 - MCP_STORE_ITEM_OVERHEAD;
	faults_set(store, "key", "old");
	assert_int_equal(MCP_TOO_LARGE, set_large(store, limit - strlen("key")));
	faults_assert_value(store, "key", "old");
	assert_int_equal(limit, mcp_store_item_max(store, &key, limit));
	assert_goes_in(store, limit - strlen("key") - 1);
	close_server(store, &server);
}

TEST(what_a_larger_server_takes_is_sent) {
	private_server server = {.option = "-I", .argument = "8m"};
	mcp_store *store = open_server(&server);
	size_t limit = 8 * 1048576 - MCP_STORE_ITEM_OVERHEAD;
	assert_goes_in(store, limit - strlen("key") - 1);
	faults_set(store, "key", "old");
	assert_int_equal(MCP_TOO_LARGE, set_large(store, limit - strlen("key")));
	faults_assert_value(store, "key", "old");
	close_server(store, &server);
}

TEST(a_restarted_server_is_asked_again) {
	private_server server = {.option = "-I", .argument = "2m"};
	mcp_store *store = open_server(&server);
	assert_goes_in(store, 1500000);
	server.argument = "1m";
	faults_kill(&server);
	assert_int_equal(MCP_UNREACHABLE, set_large(store, LARGE));
	faults_restart(&server);
	faults_pass_ms(FAULTS_PAUSE_MS);
	faults_set(store, "key", "old");
	assert_int_equal(MCP_TOO_LARGE, set_large(store, 1500000));
	faults_assert_value(store, "key", "old");
	close_server(store, &server);
}

/* Drops the value that follows a "set" or "cas". */
static bool take_value(int connection, faults_counts *counts) {
	char line[512];
	bool is_heard = faults_hear(connection, counts, line);
	counts->requests--;
	return is_heard;
}

/* A server that counts the "stats" among its requests a hundredfold, and closes on them when it is told to,
 * or refuses them. */
enum { ASKED = 100 };

static void stand_in(int connection, faults_counts *counts, const char *to_stats) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		if (strncmp(line, "stats settings", 14) == 0) {
			counts->requests += ASKED - 1;
			if (to_stats == NULL) {
				return;
			}
			faults_say(connection, to_stats);
		} else if (strncmp(line, "version", 7) == 0) {
			counts->requests--;
			faults_say(connection, "VERSION 1.6.18\r\n");
		} else if (strncmp(line, "gets key", 8) == 0) {
			faults_say(connection, "VALUE key 0 1 7\r\nx\r\nEND\r\n");
		} else if (strncmp(line, "get", 3) == 0) {
			counts->requests--; /* whether it is there */
			faults_say(connection, "END\r\n");
		} else {
			if (!take_value(connection, counts)) {
				return;
			}
			faults_say(connection, "STORED\r\n");
		}
	}
}

static void close_on_stats(int connection, faults_counts *counts) {
	stand_in(connection, counts, NULL);
}

static void refuse_stats(int connection, faults_counts *counts) {
	stand_in(connection, counts, "ERROR\r\n");
}

static void tell_settings(int connection, faults_counts *counts) {
	stand_in(connection, counts, "STAT maxbytes 1\r\nSTAT item_size_max 16384\r\nEND\r\n");
}

TEST(small_writes_ask_nothing_and_large_ones_once) {
	faults_meeting with = faults_meet_patiently(tell_settings);
	assert_int_equal(MCP_OK, set_large(with.store, 8000));
	assert_int_equal(1, with.peer.counts->requests);
	assert_int_equal(MCP_OK, set_large(with.store, LARGE));
	assert_int_equal(MCP_OK, set_large(with.store, LARGE));
	assert_int_equal(ASKED + 3, with.peer.counts->requests);
	assert_int_equal(MCP_TOO_LARGE, set_large(with.store, 16384));
	assert_int_equal(ASKED + 3, with.peer.counts->requests);
	faults_part(&with);
}

TEST(a_proxy_without_settings_is_asked_once_and_written_to) {
	const faults_talk proxies[] = {refuse_stats, close_on_stats};
	for (int i = 0; i < 2; i++) {
		faults_meeting with = faults_meet_patiently(proxies[i]);
		assert_int_equal(MCP_OK, set_large(with.store, LARGE));
		int asked = with.peer.counts->requests / ASKED;
		assert_in_range(asked, 1, 2);
		assert_int_equal(MCP_OK, set_large(with.store, LARGE));
		assert_int_equal(MCP_TOO_LARGE, set_large(with.store, MCP_STORE_ITEM_MAX));
		assert_int_equal(ASKED * asked + 2, with.peer.counts->requests);
		faults_part(&with);
	}
}

/* Tells no settings, and takes no item of more than so many bytes. */
static void take_small_ones_and_tell_nothing(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		unsigned long length = 0;
		if (strncmp(line, "stats settings", 14) == 0) {
			faults_say(connection, "ERROR\r\n");
		} else if (strncmp(line, "get", 3) == 0) {
			faults_say(connection, "END\r\n");
		} else if (sscanf(line, "set key %*u %*d %lu", &length) == 1 &&
			take_value(connection, counts)) {
			faults_say(connection,
				length > LARGE ? "SERVER_ERROR object too large for cache\r\n" : "STORED\r\n");
		} else {
			return;
		}
	}
}

TEST(a_size_that_was_refused_is_not_sent_again) {
	faults_meeting with = faults_meet_patiently(take_small_ones_and_tell_nothing);
	assert_int_equal(MCP_OK, set_large(with.store, LARGE));
	assert_int_equal(MCP_TOO_LARGE, set_large(with.store, LARGE + 1));
	int requests = with.peer.counts->requests;
	assert_int_equal(MCP_TOO_LARGE, set_large(with.store, LARGE + 1));
	assert_int_equal(MCP_TOO_LARGE, set_large(with.store, 2 * LARGE));
	assert_int_equal(requests, with.peer.counts->requests);
	assert_int_equal(MCP_OK, set_large(with.store, LARGE));
	faults_part(&with);
}

TEST(no_size_that_a_batch_was_refused_is_sent_again) {
	static char bytes[2 * LARGE];
	static const size_t refused[] = {LARGE + 1, 2 * LARGE};
	memset(bytes, 'v', sizeof(bytes));
	faults_meeting with = faults_meet_patiently(take_small_ones_and_tell_nothing);
	mcp_key key = faults_key("key");
	mcp_record records[2];
	mcp_op ops[2];
	assert_int_equal(MCP_OK, set_large(with.store, LARGE));
	for (int i = 0; i < 2; i++) {
		records[i] = faults_record("");
		records[i].body = mcp_bytes_of(bytes, refused[i]);
		mcp_op_begin(&ops[i], MCP_OP_SET, &key, &records[i]);
	}
	mcp_store_run_all(with.store, ops, 2);
	assert_int_equal(MCP_TOO_LARGE, ops[0].status);
	assert_int_equal(MCP_TOO_LARGE, ops[1].status);
	int requests = with.peer.counts->requests;
	assert_int_equal(MCP_TOO_LARGE, set_large(with.store, LARGE + 1));
	assert_int_equal(requests, with.peer.counts->requests);
	assert_int_equal(MCP_OK, set_large(with.store, LARGE));
	faults_part(&with);
}

/* There may be a server at the other end by now that counts from the beginning. */
TEST(no_cas_id_outlives_a_connection_that_asking_broke) {
	faults_meeting with = faults_meet_patiently(close_on_stats);
	char large[LARGE] = {0};
	mcp_key key = faults_key("key");
	mcp_record record = faults_record("");
	mcp_item item;
	record.body = mcp_bytes_of(large, sizeof(large));
	assert_int_equal(MCP_OK, mcp_store_get(with.store, &key, &item));
	assert_int_equal(MCP_EXISTS, mcp_store_cas(with.store, &key, &record, item.cas));
	assert_int_equal(MCP_OK, mcp_store_get(with.store, &key, &item));
	assert_int_equal(MCP_OK, mcp_store_cas(with.store, &key, &record, item.cas));
	faults_part(&with);
}

/* Hangs up on questions, and refuses to read one key. */
static void close_on_stats_and_refuse_a_read(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line) && strncmp(line, "stats settings", 14) != 0) {
		if (strncmp(line, "version", 7) == 0) {
			faults_say(connection, "VERSION 1.6.18\r\n");
		} else if (strncmp(line, "gets key", 8) == 0) {
			faults_say(connection, "VALUE key 0 1 7\r\nx\r\nEND\r\n");
		} else if (strncmp(line, "get", 3) == 0) {
			faults_say(connection, "SERVER_ERROR busy\r\n");
		} else if (take_value(connection, counts)) {
			faults_say(connection, "STORED\r\n");
		}
	}
}

TEST(no_read_that_fails_renews_a_cas_id) {
	mcp_key key = faults_key("key"), other = faults_key("other");
	for (int of_many = 0; of_many < 2; of_many++) {
		faults_meeting with = faults_meet_patiently(close_on_stats_and_refuse_a_read);
		char large[LARGE] = {0};
		mcp_record record = faults_record("");
		mcp_item item, none;
		mcp_op reply;
		record.body = mcp_bytes_of(large, sizeof(large));
		assert_int_equal(MCP_OK, mcp_store_get(with.store, &key, &item));
		assert_int_equal(MCP_EXISTS, mcp_store_cas(with.store, &key, &record, item.cas));
		record.body.length = 1;
		if (of_many) {
			mcp_store_get_many(with.store, &other, 1, &reply);
		} else {
			reply.status = mcp_store_get(with.store, &other, &none);
		}
		assert_int_equal(MCP_REFUSED, reply.status);
		assert_int_equal(MCP_EXISTS, mcp_store_cas(with.store, &key, &record, item.cas));
		assert_int_equal(MCP_OK, mcp_store_get(with.store, &key, &item));
		assert_int_equal(MCP_OK, mcp_store_cas(with.store, &key, &record, item.cas));
		faults_part(&with);
	}
}

/* The write that it was for is the first that is told of it, however often it was asked; from then on the server is
 * left alone. */
TEST(who_cannot_be_asked_has_failed_the_write) {
	mcp_store *store = faults_store("/nonexistent/mcpatterns.sock");
	mcp_key key = faults_key("key");
	assert_int_equal(MCP_STORE_ITEM_MAX, mcp_store_item_max(store, &key, LARGE));
	assert_int_equal(MCP_STORE_ITEM_MAX, mcp_store_item_max(store, &key, LARGE));
	assert_int_equal(MCP_UNREACHABLE, set_large(store, LARGE));
	assert_false(mcp_store_last_failure(store)->is_tripped);
	assert_int_equal(MCP_UNREACHABLE, set_large(store, LARGE));
	assert_true(mcp_store_last_failure(store)->is_tripped);
	mcp_store_free(store);
}

TEST(a_server_without_cas_ids_says_so) {
	private_server server = {.option = "-C"};
	mcp_store *store = open_server(&server);
	mcp_key key = faults_key("key");
	mcp_record record = faults_record("new");
	mcp_item item;
	mcp_op reply;
	assert_int_equal(MCP_EXISTS, mcp_store_cas(store, &key, &record, 0));
	faults_set(store, "key", "old");
	assert_int_equal(MCP_OK, mcp_store_get(store, &key, &item));
	assert_int_equal(0, item.cas);
	assert_int_equal(MCP_NO_CAS, mcp_store_cas(store, &key, &record, item.cas));
	assert_int_equal(MCP_NO_CAS, mcp_store_delete_if(store, &key, item.cas));
	mcp_store_get_many(store, &key, 1, &reply);
	assert_int_equal(MCP_OK, reply.status);
	assert_int_equal(MCP_NO_CAS, mcp_store_cas(store, &key, &record, reply.item.cas));
	faults_assert_value(store, "key", "old");
	assert_int_equal(MCP_OK, mcp_store_delete(store, &key));
	close_server(store, &server);
}

int main(void) {
	return faults_run(NULL, NULL);
}
