/* Which servers are believed when they prove a write, and for how long: until the connection ends, however it does.
 * All others are written to as if they knew nothing of it. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include "../../src/store/store.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static mcp_status add(mcp_store *store, const char *name, mcp_proof *proof) {
	mcp_key key = faults_key(name);
	mcp_record record = faults_record("value");
	*proof = (mcp_proof){0};
	record.proof = proof;
	return mcp_store_add(store, &key, &record);
}

static mcp_status delete_proven(mcp_store *store, const char *name, const mcp_proof *proof) {
	mcp_key key = faults_key(name);
	return mcp_store_delete_proven(store, &key, proof);
}

/* --- servers as they may be; what they hear behind the question is text, or meta where they said so --- */

/* The words of a peer about itself, and its reply to the read behind a write. */
typedef struct portrait {
	const char *noop, *version, *settings, *look;
} portrait;

static portrait who;

/* Counts as requests what was asked by meta; everything is stored. */
static void be(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		counts->requests--;
		if (strcmp(line, "mn") == 0) {
			faults_say(connection, who.noop);
		} else if (strcmp(line, "version") == 0) {
			faults_say(connection, who.version);
		} else if (strcmp(line, "stats settings") == 0) {
			faults_say(connection, who.settings);
		} else if (strcmp(line, "gets key") == 0) {
			faults_say(connection, who.look);
		} else if (strncmp(line, "md ", 3) == 0) {
			counts->requests++;
			faults_say(connection, strstr(line, " C7") != NULL ? "HD\r\n" : "EX\r\n");
		} else if (strncmp(line, "add ", 4) == 0) {
			faults_hear(connection, counts, line);
			counts->requests--;
			faults_say(connection, "STORED\r\n");
		}
	}
}

static faults_meeting meet(const portrait *of) {
	who = *of;
	return faults_meet_patiently(be);
}

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))
#define SETTINGS "STAT maxbytes 67108864\r\nSTAT cas_enabled yes\r\nEND\r\n"
#define RECENT "VERSION 1.6.13\r\n"
#define ITEM "VALUE key 0 5 7\r\nvalue\r\nEND\r\n"

TEST(who_can_prove_it_is_believed) {
	static const portrait peers[] = {
		{"MN\r\n", RECENT, SETTINGS, ITEM},
		{"MN\r\n", "VERSION 2.0\r\n", SETTINGS, ITEM},
		{"MN\r\n", RECENT, "STAT proxy_enabled no\r\n" SETTINGS, ITEM},
	};
	for (size_t i = 0; i < COUNT(peers); i++) {
		faults_meeting with = meet(&peers[i]);
		mcp_proof proof;
		assert_int_equal(MCP_OK, add(with.store, "key", &proof));
		assert_true(proof.cas == 7 && proof.connection != 0);
		assert_int_equal(MCP_OK, delete_proven(with.store, "key", &proof));
		assert_int_equal(1, with.peer.counts->connections);
		faults_part(&with);
	}
}

/* One connection, and one question: by meta it would be told nothing that makes sense. */
TEST(who_cannot_is_written_to_by_text) {
	static const portrait peers[] = {
		{"ERROR\r\n", "VERSION 1.5.22\r\n", SETTINGS, NULL},
		{"MN\r\n", "VERSION 1.6.12\r\n", SETTINGS, NULL}, /* nobody has tried its meta commands */
		{"MN\r\n", "VERSION unknown\r\n", SETTINGS, NULL},
		{"MN\r\n", "ERROR\r\n", SETTINGS, NULL},
		{"MN\r\n", RECENT, "STAT cas_enabled no\r\nEND\r\n", NULL}, /* memcached -C */
		{"MN\r\n", RECENT, "STAT proxy_enabled yes\r\n" SETTINGS, NULL},
		{"MN\r\n", RECENT, "ERROR\r\n", NULL},
		{"MN\r\n", RECENT, "SERVER_ERROR no\r\n", NULL},
	};
	for (size_t i = 0; i < COUNT(peers); i++) {
		faults_meeting with = meet(&peers[i]);
		mcp_proof proof;
		for (int n = 0; n < 3; n++) {
			assert_int_equal(MCP_OK, add(with.store, "key", &proof));
			assert_true(proof.cas == 0);
			assert_int_equal(MCP_UNSUPPORTED, delete_proven(with.store, "key", &proof));
		}
		assert_int_equal(1, with.peer.counts->connections);
		faults_part(&with);
	}
}

/* --- questions that the connection does not survive --- */

static const faults_reply of_who_closes[] = {{"mn", NULL}, {"add ", ""}, {"cas ", ""},
	{"value", "STORED\r\n"}, {"", "VALUE key 0 1 9\r\nx\r\nEND\r\n"}};

/* The write goes over another connection, and after the second one lost nobody asks any more. */
TEST(a_question_too_much_is_given_up) {
	static char endless[200000];
	for (size_t at = 0; at + 20 < sizeof(endless);) {
		at += (size_t)snprintf(endless + at, 20, "STAT a %d\r\n", 12345);
	}
	const portrait peers[] = {
		{"EN\r\n", "", "", NULL},
		{RECENT, "MN\r\n", SETTINGS, NULL},
		{"MN\r\n", RECENT, SETTINGS "END\r\n", NULL},
		{"MN\r\n", RECENT, endless, NULL},
	};
	for (size_t i = 0; i <= COUNT(peers); i++) {
		faults_meeting with =
			i < COUNT(peers) ? meet(&peers[i]) : faults_meet_replies(of_who_closes);
		mcp_proof proof;
		for (int n = 0; n < 5; n++) {
			assert_int_equal(MCP_OK, add(with.store, "key", &proof));
			assert_true(proof.cas == 0);
		}
		assert_int_equal(3, with.peer.counts->connections);
		faults_part(&with);
	}
}

/* The ids of before may be another life's. */
TEST(what_was_read_before_such_a_question_is_not_written_over) {
	faults_meeting with = faults_meet_replies(of_who_closes);
	mcp_key key = faults_key("key");
	mcp_record record = faults_record("value");
	mcp_proof proof = {.cas = 0};
	mcp_item item;
	assert_int_equal(MCP_OK, mcp_store_get(with.store, &key, &item));
	uint64_t breaks = mcp_store_breaks(with.store);
	record.proof = &proof;
	assert_int_equal(MCP_EXISTS, mcp_store_cas(with.store, &key, &record, item.cas));
	assert_int_equal(MCP_EXISTS, mcp_store_delete_if(with.store, &key, item.cas));
	assert_true(mcp_store_breaks(with.store) > breaks);
	assert_int_equal(MCP_OK, mcp_store_get(with.store, &key, &item));
	record.proof = NULL;
	assert_int_equal(MCP_OK, mcp_store_cas(with.store, &key, &record, item.cas));
	faults_part(&with);
}

static void say_nothing(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		counts->requests -= strncmp(line, "add ", 4) != 0;
	}
}

/* "Unknown" would be wrong: nothing of the write was sent. */
TEST(a_question_without_an_answer_sends_no_write) {
	faults_meeting with = faults_meet(say_nothing);
	mcp_proof proof;
	uint64_t began_ms = faults_now_ms();
	assert_int_equal(MCP_UNREACHABLE, add(with.store, "key", &proof));
	faults_assert_one_timeout(began_ms);
	assert_true(mcp_store_is_tripped(with.store));
	assert_int_equal(MCP_UNREACHABLE, add(with.store, "key", &proof));
	assert_int_equal(0, with.peer.counts->requests);
	faults_part(&with);
}

/* --- answers that lie --- */

/* Replies so to the read behind the write. */
static faults_meeting meet_lying(const char *look) {
	return meet(&(portrait){"MN\r\n", RECENT, SETTINGS, look});
}

TEST(a_wrong_id_deletes_nothing) {
	faults_meeting with = meet_lying("VALUE key 0 5 8\r\nvalue\r\nEND\r\n");
	mcp_proof proof;
	assert_int_equal(MCP_OK, add(with.store, "key", &proof));
	assert_int_equal(MCP_EXISTS, delete_proven(with.store, "key", &proof));
	faults_part(&with);
}

/* No id, or others have written in between, or it is gone already. */
TEST(no_id_is_no_proof) {
	static const char *const looks[] = {"VALUE key 0 5\r\nvalue\r\nEND\r\n",
		"VALUE key 0 5 0\r\nvalue\r\nEND\r\n", "VALUE key 0 5 7\r\nother\r\nEND\r\n",
		"VALUE key 1 5 7\r\nvalue\r\nEND\r\n", "VALUE key 0 4 7\r\nvalu\r\nEND\r\n", "END\r\n"};
	for (size_t i = 0; i < COUNT(looks); i++) {
		faults_meeting with = meet_lying(looks[i]);
		mcp_proof proof;
		assert_int_equal(MCP_OK, add(with.store, "key", &proof));
		assert_int_equal(MCP_UNSUPPORTED, delete_proven(with.store, "key", &proof));
		faults_part(&with);
	}
}

/* The write was answered, and yet the connection is not one to go on with. */
TEST(garbage_is_no_answer) {
	static const char *const looks[] = {"VALUE key 0 5 7x\r\nvalue\r\nEND\r\n", ITEM "END\r\n",
		"VALUE yek 0 5 7\r\nvalue\r\nEND\r\n", ("VALUE key 0 5 7\r\nvalue\r\n" ITEM),
		"SERVER_ERROR busy\r\n", ""};
	for (size_t i = 0; i < COUNT(looks); i++) {
		who = (portrait){"MN\r\n", RECENT, SETTINGS, looks[i]};
		faults_meeting with = faults_meet(be);
		mcp_proof proof;
		assert_int_equal(MCP_UNKNOWN, add(with.store, "key", &proof));
		assert_true(proof.cas == 0);
		faults_part(&with);
	}
}

/* --- connections that end --- */

/* A server that counts its ids anew gives the next holder the id that the one before had. */
TEST(a_restarted_server_proves_nothing_of_before) {
	faults_restart(&faults_server);
	mcp_store *holder = faults_store(faults_server.socket);
	mcp_store *next = faults_store(faults_server.socket);
	mcp_proof mine, theirs;
	assert_int_equal(MCP_OK, add(holder, "lock", &mine));
	faults_kill(&faults_server);
	faults_restart(&faults_server);
	assert_int_equal(MCP_OK, add(next, "lock", &theirs));
	assert_true(mine.cas == theirs.cas);
	assert_int_equal(MCP_NOT_FOUND, faults_get(holder, "nothing")); /* over a new connection */
	assert_int_equal(MCP_UNSUPPORTED, delete_proven(holder, "lock", &mine));
	assert_int_equal(MCP_UNSUPPORTED, delete_proven(next, "lock", &mine));
	faults_assert_value(next, "lock", "value");
	assert_int_equal(MCP_OK, delete_proven(next, "lock", &theirs));
	mcp_store_free(holder);
	mcp_store_free(next);
}

TEST(a_proven_write_without_an_answer_is_unknown_once) {
	mcp_store *store = faults_store(faults_server.socket);
	mcp_proof proof;
	assert_int_equal(MCP_OK, add(store, "frozen", &proof));
	faults_freeze(&faults_server);
	assert_int_equal(MCP_UNKNOWN, delete_proven(store, "frozen", &proof));
	faults_thaw(&faults_server);
	assert_int_equal(MCP_UNSUPPORTED, delete_proven(store, "frozen", &proof));
	mcp_store_free(store);
}

/* It is looked at first, so that the write is not of unknown outcome. */
TEST(a_connection_that_was_closed_while_idle_is_noticed) {
	mcp_store *store = faults_store(faults_server.socket);
	mcp_proof proof;
	assert_int_equal(MCP_OK, add(store, "idle", &proof));
	faults_kill(&faults_server);
	faults_restart(&faults_server);
	uint64_t breaks = mcp_store_breaks(store);
	assert_int_equal(MCP_UNSUPPORTED, delete_proven(store, "idle", &proof));
	assert_true(mcp_store_breaks(store) > breaks);
	assert_null(mcp_store_failed(store));
	mcp_store_free(store);
}

/* Proves by a read as by the write before it, over their one connection alone. */
TEST(what_was_read_among_steps_is_proven) {
	mcp_store *store = faults_store(faults_server.socket);
	mcp_key key = faults_key("read");
	mcp_op step = {.verb = MCP_OP_GET, .key = &key};
	mcp_proof proof;
	assert_int_equal(MCP_OK, add(store, "read", &proof));
	mcp_store_steps(store, &step, 1);
	assert_true(step.proof.cas == proof.cas && step.proof.connection == proof.connection);
	faults_kill(&faults_server);
	faults_restart(&faults_server);
	assert_int_equal(MCP_NOT_FOUND, faults_get(store, "nothing")); /* over a new connection */
	assert_int_equal(MCP_OK, add(store, "read", &proof));
	assert_int_equal(MCP_UNSUPPORTED, delete_proven(store, "read", &step.proof));
	faults_assert_value(store, "read", "value");
	mcp_store_free(store);
}

int main(void) {
	return tests_run(faults_server_start_direct, faults_server_stop);
}
