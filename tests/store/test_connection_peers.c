/* Meets the store with peers that are no memcached, or a broken one: wrong answers, half answers, refusals,
 * answers in drips, proxies. Also what really reaches the other side, and how often. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static mcp_status set(mcp_store *store, const char *key) {
	mcp_key wire = faults_key(key);
	mcp_record record = faults_record("value");
	return mcp_store_set(store, &wire, &record);
}

/* Says the text with "+" for a space and "|" for a line's end: a key cannot hold them. */
static void say_coded(int connection, const char *text) {
	for (; *text != '\0'; text++) {
		const char letter[2] = {*text};
		faults_say(connection, *text == '+' ? " " : *text == '|' ? "\r\n" : letter);
	}
}

/* Answers every request with what the request's key says. */
static void answer_as_the_key_says(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		char *key = strchr(line, ' ');
		if (key == NULL || strncmp(line, "value", 5) == 0) {
			continue;
		}
		say_coded(connection, strtok(key, " "));
	}
}

TEST(refusals_are_refusals) {
	faults_meeting with = faults_meet_patiently(answer_as_the_key_says);
	assert_int_equal(MCP_REFUSED, set(with.store, "SERVER_ERROR+out+of+memory+storing+object|"));
	assert_int_equal(MCP_TOO_LARGE, set(with.store, "SERVER_ERROR+object+too+large+for+cache|"));
	assert_int_equal(MCP_REFUSED, set(with.store, "ERROR|"));
	assert_int_equal(MCP_REFUSED, set(with.store, "CLIENT_ERROR+bad+data+chunk|"));
	assert_int_equal(MCP_REFUSED, faults_get(with.store, "SERVER_ERROR+Connection+timed+out|"));
	assert_int_equal(MCP_REFUSED, faults_get(with.store, "SERVER_ERROR+out+of+memory+writing|"));
	assert_int_equal(MCP_REFUSED, faults_get(with.store, "ERROR|"));
	assert_int_equal(MCP_NOT_FOUND, faults_get(with.store, "END|"));
	faults_part(&with);
}

TEST(a_proxys_error_leaves_a_write_open) {
	faults_meeting with = faults_meet_patiently(answer_as_the_key_says);
	assert_int_equal(MCP_UNKNOWN, set(with.store, "SERVER_ERROR+Connection+timed+out|"));
	/* The proxy has other servers: it is not left alone. */
	assert_int_equal(MCP_NOT_FOUND, faults_get(with.store, "END|"));
	assert_int_equal(MCP_REFUSED, set(with.store, "SERVER_ERROR+Out+of+memory|"));
	faults_part(&with);
}

TEST(answers_that_make_no_sense_are_protocol_errors) {
	faults_meeting with = faults_meet_patiently(answer_as_the_key_says);
	assert_int_equal(MCP_PROTOCOL, faults_get(with.store, "HELLO|"));
	assert_int_equal(MCP_PROTOCOL, faults_get(with.store, "VALUE+other+0+1|x|END|"));
	assert_int_equal(MCP_PROTOCOL, faults_get(with.store, "STORED|"));
	assert_int_equal(MCP_PROTOCOL, faults_get(with.store, "OK|"));
	assert_int_equal(MCP_UNKNOWN, set(with.store, "HELLO|"));
	assert_int_equal(MCP_NOT_FOUND, faults_get(with.store, "END|"));
	faults_part(&with);
}

/* Gives every question the answer to the one before it on the same connection. */
static void answer_one_behind(int connection, faults_counts *counts) {
	char line[512], last[512] = "gets nothing";
	while (faults_hear(connection, counts, line)) {
		char text[2048];
		snprintf(text, sizeof(text), "VALUE %s 0 4 7\r\nlast\r\nEND\r\n", last + strlen("gets "));
		faults_say(connection, text);
		strcpy(last, line);
	}
}

TEST(anothers_answer_is_never_handed_out) {
	faults_meeting with = faults_meet_patiently(answer_one_behind);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(MCP_PROTOCOL, faults_get(with.store, i % 2 == 0 ? "even" : "odd"));
	}
	assert_int_equal(5, with.peer.counts->connections);
	mcp_key keys[2] = {faults_key("a"), faults_key("b")};
	mcp_op replies[2];
	mcp_store_get_many(with.store, keys, 2, replies);
	assert_int_equal(MCP_PROTOCOL, replies[0].status);
	assert_int_equal(MCP_PROTOCOL, replies[1].status);
	faults_part(&with);
}

/* Answers two questions by a value for the first alone; then "OK", which is nobody's value. */
static void answer_once(int connection, faults_counts *counts) {
	char line[512];
	bool is_first = true;
	while (faults_hear(connection, counts, line)) {
		faults_say(connection, is_first ? "VALUE same 0 5 7\r\nvalue\r\nEND\r\n" : "OK\r\n");
		is_first = false;
	}
}

TEST(an_answer_without_value_does_not_repeat_the_last_one) {
	faults_meeting with = faults_meet_patiently(answer_once);
	faults_assert_value(with.store, "same", "value");
	assert_int_equal(MCP_PROTOCOL, faults_get(with.store, "same"));
	faults_part(&with);
}

static void close_after_each_request(int connection, faults_counts *counts) {
	char line[512];
	bool is_heard = faults_hear(connection, counts, line);
	bool is_ping = is_heard && strstr(line, "mcpatterns:ping") != NULL; /* is it full? */
	counts->requests -= is_ping;
}

TEST(a_read_is_sent_twice_at_most_and_a_write_once) {
	faults_meeting with = faults_meet_patiently(close_after_each_request);
	mcp_key key = faults_key("key");
	assert_int_equal(MCP_UNREACHABLE, faults_get(with.store, "key"));
	assert_int_equal(2, with.peer.counts->requests);
	assert_int_equal(MCP_UNREACHABLE, faults_get(with.store, "key"));
	assert_int_equal(2, with.peer.counts->requests);
	faults_pass_ms(FAULTS_PAUSE_MS);
	assert_int_equal(MCP_UNKNOWN, mcp_store_delete(with.store, &key));
	assert_int_equal(3, with.peer.counts->requests);
	faults_part(&with);
}

/* Gives a peer that a busy machine keeps from its processor the time to hear what was sent. */
static void assert_asked(const faults_meeting *with, int requests) {
	uint64_t began_ms = faults_now_ms();
	while (with->peer.counts->requests < requests &&
		faults_now_ms() - began_ms < FAULTS_PATIENCE_MS) {
		usleep(1000);
	}
	assert_int_equal(requests, with->peer.counts->requests);
}

TEST(a_read_without_an_answer_is_not_repeated) {
	faults_meeting with = faults_meet(faults_say_nothing);
	assert_int_equal(MCP_TIMEOUT, faults_get(with.store, "key"));
	assert_asked(&with, 1);
	faults_part(&with);
}

TEST(what_must_not_be_sent_is_not_sent) {
	faults_meeting with = faults_meet(faults_say_nothing);
	mcp_key key = faults_key("key");
	mcp_record record = faults_record("value");
	assert_int_equal(MCP_EXISTS, mcp_store_cas(with.store, &key, &record, 0));
	assert_int_equal(MCP_EXISTS, mcp_store_delete_if(with.store, &key, 0));
	assert_int_equal(MCP_BAD_KEY, set(with.store, "a key"));
	assert_int_equal(MCP_BAD_KEY, faults_get(with.store, "a\r\nflush_all"));
	assert_int_equal(0, with.peer.counts->connections);
	char *large = calloc(1, MCP_STORE_ITEM_MAX);
	record.body = mcp_bytes_of(large, MCP_STORE_ITEM_MAX);
	assert_int_equal(MCP_TOO_LARGE, mcp_store_set(with.store, &key, &record));
	free(large);
	/* It was asked how much it takes. */
	assert_int_equal(1, with.peer.counts->connections);
	faults_part(&with);
}

static void ignore_line(void *context, mcp_bytes name, mcp_bytes value) {
	(*(int *)context)++;
}

static void give_statistics(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		if (strncmp(line, "version", 7) == 0) {
			faults_say(connection, "VERSION 1.6.18\r\n");
		} else if (strncmp(line, "stats", 5) == 0) {
			char text[128];
			snprintf(text, sizeof(text),
				"STAT uptime 5\r\nSTAT time %d\r\nSTAT limit_maxbytes 67108864\r\n"
				"STAT item_size_max 1048576\r\nEND\r\n",
				1700000005 + counts->connections);
			faults_say(connection, text);
		} else if (strcmp(line, "gets mcpatterns:ping") == 0) {
			faults_say(connection, "END\r\n");
		} else {
			faults_say(connection, "HELLO\r\n");
		}
	}
}

TEST(the_start_is_asked_for_once_per_connection) {
	faults_meeting with = faults_meet_patiently(give_statistics);
	mcp_key key = faults_key("key");
	uint64_t started_us = 0, first_us;
	assert_int_equal(MCP_OK, mcp_store_started_us(with.store, &key, &first_us));
	assert_true(first_us == 1700000001000000);
	int requests = with.peer.counts->requests;
	assert_int_equal(MCP_OK, mcp_store_started_us(with.store, &key, &started_us));
	assert_true(started_us == first_us);
	assert_int_equal(requests, with.peer.counts->requests);
	assert_int_equal(MCP_PROTOCOL, faults_get(with.store, "key"));
	assert_int_equal(MCP_OK, mcp_store_started_us(with.store, &key, &started_us));
	assert_true(started_us > first_us);
	faults_part(&with);
}

#define VERSION \
	{ "version", "VERSION 1.6.18\r\n" }
#define START "STAT uptime 5\r\nSTAT time 1700000005\r\nSTAT limit_maxbytes 67108864\r\n"

static const faults_reply of_mcrouter[] = {VERSION,
	{"", "STAT version mcrouter 1.0\r\nSTAT time 1700000005\r\nSTAT uptime 5\r\nEND\r\n"}};
static const faults_reply without_sense[] = {VERSION,
	{"", "STAT uptime 0\r\nSTAT time 18446744073709551615\r\nSTAT limit_maxbytes 1\r\nEND\r\n"}};
/* A memcached that was started as a proxy: itself has a limit, but no item. */
static const faults_reply of_memcacheds_proxy[] = {VERSION,
	{"", START "STAT proxy_conn_requests 0\r\nEND\r\n"}};
/* A start as memcached has it, and no settings: the front of a cloud's many. */
static const faults_reply without_settings[] = {VERSION, {"stats settings", "ERROR\r\n"},
	{"", START "END\r\n"}};
static const faults_reply of_who_closes_on_stats[] = {{"gets", "END\r\n"}, {"", NULL}};
static const faults_reply of_who_refuses_stats[] = {VERSION, {"", "ERROR\r\n"}};
static const faults_reply of_who_fails_at_stats[] = {VERSION,
	{"", "SERVER_ERROR out of memory writing stats\r\n"}};

TEST(no_start_but_memcacheds_own_is_believed) {
	const faults_reply *const peers[] = {of_mcrouter, without_sense, of_memcacheds_proxy,
		without_settings};
	mcp_key key = faults_key("key");
	for (int i = 0; i < 4; i++) {
		faults_meeting with = faults_meet_replies(peers[i]);
		uint64_t started_us;
		int lines = 0;
		assert_int_equal(MCP_UNSUPPORTED, mcp_store_started_us(with.store, &key, &started_us));
		assert_int_equal(MCP_OK, mcp_store_stats(with.store, ignore_line, &lines));
		assert_int_equal(peers[i] == of_memcacheds_proxy ? 4 : 3, lines);
		faults_part(&with);
	}
}

TEST(a_peer_without_statistics_is_told_apart_from_a_dead_one) {
	const faults_reply *const proxies[] = {of_who_closes_on_stats, of_who_refuses_stats};
	mcp_key key = faults_key("key");
	for (int i = 0; i < 2; i++) {
		faults_meeting with = faults_meet_replies(proxies[i]);
		uint64_t started_us;
		int lines = 0;
		assert_int_equal(MCP_UNSUPPORTED, mcp_store_stats(with.store, ignore_line, &lines));
		assert_int_equal(MCP_UNSUPPORTED, mcp_store_settings(with.store, ignore_line, &lines));
		assert_int_equal(MCP_UNSUPPORTED, mcp_store_started_us(with.store, &key, &started_us));
		assert_int_equal(0, lines);
		faults_part(&with);
	}
	faults_meeting with = faults_meet_patiently(close_after_each_request);
	assert_int_equal(MCP_UNREACHABLE, mcp_store_stats(with.store, ignore_line, NULL));
	faults_part(&with);
}

/* A proxy closes the connection on the question, each time. */
TEST(a_peer_that_tells_no_start_is_asked_once) {
	const faults_reply *const peers[] = {of_who_closes_on_stats, of_who_refuses_stats, of_mcrouter,
		without_settings};
	mcp_key key = faults_key("key");
	for (int i = 0; i < 4; i++) {
		faults_meeting with = faults_meet_replies(peers[i]);
		uint64_t started_us;
		assert_int_equal(MCP_UNSUPPORTED, mcp_store_started_us(with.store, &key, &started_us));
		faults_get(with.store, "key");
		int requests = with.peer.counts->requests;
		assert_int_equal(MCP_UNSUPPORTED, mcp_store_started_us(with.store, &key, &started_us));
		assert_int_equal(requests, with.peer.counts->requests);
		faults_part(&with);
	}
}

/* Else one process would believe its start, and another would not. */
TEST(an_error_at_the_question_is_no_refusal_of_it) {
	faults_meeting with = faults_meet_replies(of_who_fails_at_stats);
	mcp_key key = faults_key("key");
	uint64_t started_us;
	assert_int_equal(MCP_REFUSED, mcp_store_started_us(with.store, &key, &started_us));
	int requests = with.peer.counts->requests;
	assert_int_equal(MCP_REFUSED, mcp_store_started_us(with.store, &key, &started_us));
	assert_true(with.peer.counts->requests > requests);
	faults_part(&with);
}

/* Gives all statistics but to whoever comes first, to whom it has an error at the settings. */
static void fail_at_the_first_settings(int connection, faults_counts *counts) {
	char line[512];
	bool is_first = counts->connections == 1;
	while (faults_hear(connection, counts, line)) {
		bool fails = is_first && strncmp(line, "stats settings", 14) == 0;
		faults_say(connection,
			fails                                  ? "SERVER_ERROR out of memory writing stats\r\n"
				: strncmp(line, "version", 7) == 0 ? "VERSION 1.6.18\r\n"
				: strncmp(line, "stats", 5) == 0
				? "STAT uptime 5\r\nSTAT time 1700000005\r\nSTAT limit_maxbytes 67108864\r\n"
				  "STAT item_size_max 1048576\r\nEND\r\n"
				: "END\r\n");
	}
}

/* A large value that was stored before must not decide by what this process makes tokens. */
TEST(an_error_at_the_settings_is_no_refusal_of_them) {
	faults_meeting with = faults_meet_patiently(fail_at_the_first_settings);
	mcp_key key = faults_key("key");
	uint64_t started_us;
	assert_true(mcp_store_item_max(with.store, &key, 100000) > 100000);
	assert_int_equal(MCP_OK, mcp_store_started_us(with.store, &key, &started_us));
	faults_part(&with);
}

/* Gives statistics without end, a line at two thirds of a timeout. */
static void give_statistics_slowly(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		if (strncmp(line, "version", 7) == 0) {
			faults_say(connection, "VERSION 1.6.18\r\n");
			continue;
		}
		for (int i = 0; i < 100; i++) {
			faults_say(connection, "STAT name 1\r\n");
			usleep(FAULTS_TIMEOUT_MS * 1000 * 2 / 3);
		}
	}
}

TEST(slow_statistics_last_no_longer_than_one_answer) {
	faults_meeting with = faults_meet(give_statistics_slowly);
	int lines = 0;
	uint64_t began_ms = faults_now_ms();
	assert_int_equal(MCP_TIMEOUT, mcp_store_stats(with.store, ignore_line, &lines));
	faults_assert_lasted(began_ms, 0, FAULTS_TIMEOUT_MS);
	assert_int_equal(0, lines);
	faults_part(&with);
}

/* Listens, never accepts, and has no room in its queue; *length is the address's. */
static int listen_without_room(struct sockaddr *address, socklen_t *length) {
	int listener = socket(address->sa_family, SOCK_STREAM, 0);
	assert_int_equal(0, bind(listener, address, *length));
	assert_int_equal(0, listen(listener, 0));
	getsockname(listener, address, length);
	for (int i = 0; i < 4; i++) {
		int waiting = socket(address->sa_family, SOCK_STREAM | SOCK_NONBLOCK, 0);
		connect(waiting, address, *length);
	}
	return listener;
}

TEST(a_server_that_accepts_nobody_is_unreachable_in_time) {
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t length = sizeof(address);
	int listener = listen_without_room((struct sockaddr *)&address, &length);
	mcp_wire_settings settings = faults_settings("127.0.0.1", 10000);
	settings.port = ntohs(address.sin_port);
	mcp_store *store = faults_connect(&settings, FAULTS_PAUSE_MS, faults_environment());
	uint64_t began_ms = faults_now_ms();
	assert_int_equal(MCP_UNREACHABLE, set(store, "key"));
	faults_assert_lasted(began_ms, FAULTS_CONNECT_TIMEOUT_MS - 1, FAULTS_CONNECT_TIMEOUT_MS);
	mcp_store_free(store);
	close(listener);
}

TEST(a_socket_whose_queue_is_full_is_unreachable) {
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	snprintf(address.sun_path, sizeof(address.sun_path), "/tmp/mcpatterns-%d.sock", getpid());
	socklen_t length = sizeof(address);
	int listener = listen_without_room((struct sockaddr *)&address, &length);
	mcp_store *store = faults_store(address.sun_path);
	assert_int_equal(MCP_UNREACHABLE, set(store, "key"));
	mcp_store_free(store);
	close(listener);
	unlink(address.sun_path);
}

int main(void) {
	return faults_run(NULL, NULL);
}
