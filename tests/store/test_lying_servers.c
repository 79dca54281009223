/* Servers that answer every line with the same lie: who asks them survives it, over our own wire whatever it asks,
 * and over libmemcached whoever counts and asks about the server. Readers and writers there end by libmemcached's own
 * fault, without any memory being written: how often is shown. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include "../../src/store/server/stat_lines.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The lengths of an answer's key: memcached's have 250 bytes at most, and libmemcached's lines 350. */
enum { SHORTEST_KEY = 251, LONGEST_KEY = 340, KEYS = LONGEST_KEY - SHORTEST_KEY + 1 };

typedef struct lie {
	char text[1200];
	size_t length;
} lie;

#define BYTES(text) \
	{ text, sizeof(text) - 1 }

static const lie others[] = {
	BYTES("STAT a\0b 1\r\nEND\r\n"),
	BYTES("STAT pid\0\0\0\0 1\r\nEND\r\n"),
	BYTES("STAT a 1\0\0\r\nEND\r\n"),
	BYTES("STAT \0\r\nEND\r\n"),
	BYTES("STAT\r\nEND\r\n"),
	BYTES("STAT \r\nEND\r\n"),
	BYTES("STAT a\r\nEND\r\n"),
	BYTES("STAT  \r\nEND\r\n"),
	BYTES("STAT a \r\nEND\r\n"),
	BYTES("STAT a b c d e\r\nEND\r\n"),
	BYTES("STAT time 5\r\nSTAT uptime 99\r\nSTAT limit_maxbytes 1\r\nEND\r\n"),
	BYTES("STAT item_size_max 18446744073709551615\r\nEND\r\n"),
	BYTES("STAT item_size_max -1\r\nEND\r\n"),
	BYTES("STAT a \x80\xff\r\nEND\r\n"),
	BYTES("STAT a\tb\x7f c\r\nEND\r\n"),
	BYTES("STAT a b\nEND\r\n"),
	BYTES("STAT a b\r\n"),
	BYTES("STATS\r\nEND\r\n"),
	BYTES("VERSION\r\n"),
	BYTES("VERSION 9999999999999999999999.1.1\r\n"),
	BYTES("VERSION 1\r\n"),
	BYTES("END\r\nEND\r\nEND\r\n"),
	BYTES("OK\r\n"),
	BYTES("42\r\n"),
	BYTES("99999999999999999999999999\r\n"),
	BYTES("STORED\r\n"),
	BYTES("NOT_FOUND\r\n"),
	BYTES("ITEM\r\n"),
	BYTES("ITEM a b\r\nEND\r\n"),
	BYTES("SERVER_ERROR\r\n"),
	BYTES("CLIENT_ERROR\r\n"),
	BYTES("\r\n"),
	BYTES("\0\0\0\0\0\r\n"),
	BYTES("VALUE\r\n"),
	BYTES("VALUE \r\n"),
	BYTES("VALUE key\r\n"),
	BYTES("VALUE key 0\r\n"),
	BYTES("VALUE key 0 -1 7\r\nx\r\nEND\r\n"),
	BYTES("VALUE key 0 18446744073709551615 7\r\nx\r\nEND\r\n"),
	BYTES("VALUE key 99999999999 1 7\r\nx\r\nEND\r\n"),
	BYTES("VALUE key 0 5 7\r\nx\r\nEND\r\n"),
	BYTES("VALUE key 0 1\r\nx\r\nEND\r\n"),
};

enum { OTHERS = sizeof(others) / sizeof(others[0]), LIES = KEYS + OTHERS };

static lie told;

/* Chooses one byte of value, so that the item is whole; every byte of the key is another one than what lay there. */
static void choose(size_t number) {
	if (number >= KEYS) {
		told = others[number - KEYS];
		return;
	}
	size_t length = SHORTEST_KEY + number;
	memcpy(told.text, "VALUE ", 6);
	memset(told.text + 6, 0x41, length);
	told.length =
		6 + length + (size_t)snprintf(told.text + 6 + length, 32, " 0 1 7\r\nx\r\nEND\r\n");
}

static void tell(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		if (send(connection, told.text, told.length, MSG_NOSIGNAL) < 0) {
			return;
		}
	}
}

static void keep_line(void *context, mcp_bytes name, mcp_bytes value) {
	mcp_stat_lines_add(context, name, value);
}

static void read_items(mcp_store *store) {
	mcp_key keys[3] = {faults_key("a"), faults_key("key"), faults_key("c")};
	mcp_op replies[3];
	uint64_t cas;
	mcp_item item;
	mcp_store_get(store, &keys[1], &item);
	mcp_store_get_many(store, keys, 3, replies);
	mcp_store_cas_of(store, &keys[1], &cas);
	mcp_store_get_many(store, keys, 2, replies);
	mcp_store_ping(store);
}

static void count(mcp_store *store) {
	mcp_key key = faults_key("key");
	uint64_t number;
	mcp_store_increment(store, &key, 1, &number);
	mcp_store_decrement(store, &key, 1, &number);
}

static void ask_about_it(mcp_store *store) {
	mcp_key key = faults_key("key");
	mcp_buffer lines = {0};
	uint64_t number;
	mcp_store_stats(store, keep_line, &lines);
	mcp_stat_lines_started_us(&lines, &number);
	mcp_store_started_us(store, &key, &number);
	mcp_store_item_max(store, &key, 100000);
	mcp_buffer_free(&lines);
}

static void write_items(mcp_store *store) {
	mcp_key key = faults_key("key");
	mcp_record record = faults_record("value");
	mcp_store_add(store, &key, &record);
	mcp_store_set(store, &key, &record);
	mcp_store_cas(store, &key, &record, 7);
	mcp_store_touch(store, &key, 0);
	mcp_store_delete(store, &key);
	mcp_store_flush(store);
}

typedef void (*asking)(mcp_store *store);

/* Makes a child of one that ends by its fault, whatever that is: libmemcached, lied to, may run through any code, this
 * program's assertions among it. By cmocka's handlers and jumps it would go on as if it were the parent, and its tests be
 * counted as the parent's. */
static void end_by_a_fault(void) {
	static const int faults[] = {SIGFPE, SIGILL, SIGSEGV, SIGBUS, SIGSYS};
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		signal(faults[i], SIG_DFL);
	}
	setenv("CMOCKA_TEST_ABORT", "1", 1);
	int nothing = open("/dev/null", O_WRONLY);
	dup2(nothing, STDOUT_FILENO);
	dup2(nothing, STDERR_FILENO);
}

/* Asks in a process of its own, twice: what the first answers have left must not hurt the second. */
static bool survives(asking ask, const char *socket) {
	pid_t child = fork();
	if (child == 0) {
		mcp_wire_settings settings = faults_settings(socket, 20);
		end_by_a_fault();
		mcp_store *store = faults_connect(&settings, 0, faults_environment());
		ask(store);
		ask(store);
		mcp_store_free(store);
		_exit(0);
	}
	int status;
	waitpid(child, &status, 0);
	return status == 0;
}

static int ended_by(asking ask) {
	int ended = 0;
	for (size_t i = 0; i < LIES; i++) {
		faults_peer peer;
		choose(i);
		faults_peer_start(&peer, tell);
		if (!survives(ask, peer.socket)) {
			ended++;
		}
		faults_peer_stop(&peer);
	}
	printf("# of %d lies %d ended the process\n", (int)LIES, ended);
	return ended;
}

/* libmemcached looks for a version behind a space that need not be there; nothing else ends it. */
TEST(no_lie_but_one_ends_who_reads) {
	assert_in_range(ended_by(read_items), 0, faults_by == FAULTS_LIBMEMCACHED ? 1 : 0);
}

TEST(no_lie_ends_who_counts) {
	assert_int_equal(0, ended_by(count));
}

TEST(no_lie_ends_who_asks_for_statistics) {
	assert_int_equal(0, ended_by(ask_about_it));
}

/* libmemcached looks at answers to writes by assertions, and reads items in them into no result at all. */
TEST(no_lie_ends_who_writes_by_our_own_wire) {
	int ended = ended_by(write_items);
	assert_true(faults_by == FAULTS_LIBMEMCACHED || ended == 0);
}

int main(void) {
	return faults_run(NULL, NULL);
}
