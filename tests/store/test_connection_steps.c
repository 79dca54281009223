/* Steps in one go over our own wire: one send, an answer for each, and whatever the server says or leaves unsaid, nothing
 * is sent twice, no key has another's value, and what was read over one connection is compared over no other. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include "../../src/store/store.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 3 };

/* An add of "a", and reads of "b" and "c". */
typedef struct errand {
	mcp_key keys[STEPS];
	mcp_record record;
	mcp_op steps[STEPS];
} errand;

static void prepare(errand *of) {
	static const char *const names[STEPS] = {"a", "b", "c"};
	of->record = faults_record("value");
	for (int i = 0; i < STEPS; i++) {
		of->keys[i] = faults_key(names[i]);
		of->steps[i] = (mcp_op){
			.verb = i == 0 ? MCP_OP_ADD : MCP_OP_GET,
			.key = &of->keys[i],
			.record = &of->record,
			.status = MCP_BAD_KEY, /* which nothing here answers */
		};
	}
}

static void run(mcp_store *store, errand *of) {
	prepare(of);
	mcp_store_steps(store, of->steps, STEPS);
}

static void assert_statuses(const errand *of, mcp_status a, mcp_status b, mcp_status c) {
	assert_int_equal(a, of->steps[0].status);
	assert_int_equal(b, of->steps[1].status);
	assert_int_equal(c, of->steps[2].status);
}

static void assert_item(const mcp_op *step, const char *value) {
	assert_int_equal(MCP_OK, step->status);
	assert_int_equal(strlen(value), step->item.value.length);
	assert_memory_equal(value, step->item.value.data, strlen(value));
}

/* --- a peer that says what it is, hears an errand as a whole, and answers as it is told --- */

#define GOOD "STORED\r\nVALUE b 5 3 7\r\nbee\r\nEND\r\nEND\r\n"
static const char *settings = "STAT cas_enabled yes\r\nEND\r\n";
static const char *first_answer;
static bool stays_connected;

/* Hears a line behind the introduction; false if the other side closed. */
static bool hear(int connection, faults_counts *counts, char line[512]) {
	while (faults_hear(connection, counts, line)) {
		counts->requests--;
		if (strcmp(line, "mn") == 0) {
			faults_say(connection, "MN\r\n");
		} else if (strcmp(line, "version") == 0) {
			faults_say(connection, "VERSION 1.6.18\r\n");
		} else if (strcmp(line, "stats settings") == 0) {
			faults_say(connection, settings);
		} else {
			counts->requests++;
			return true;
		}
	}
	return false;
}

static bool hear_errand(int connection, faults_counts *counts) {
	static const char *const lines[] = {"add a 0 0 5", "value", "gets b", "gets c"};
	char line[512];
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		if (!hear(connection, counts, line) || strcmp(line, lines[i]) != 0) {
			return false;
		}
	}
	return true;
}

static void answer_errands(int connection, faults_counts *counts) {
	while (hear_errand(connection, counts)) {
		faults_say(connection, counts->connections > 1 ? GOOD : first_answer);
		if (counts->connections == 1 && !stays_connected) {
			return;
		}
	}
}

static faults_meeting meet(const char *answer, bool stays) {
	first_answer = answer;
	stays_connected = stays;
	return faults_meet_patiently(answer_errands);
}

static void assert_goes_on(faults_meeting *with) {
	errand next;
	run(with->store, &next);
	assert_statuses(&next, MCP_OK, MCP_OK, MCP_NOT_FOUND);
	assert_item(&next.steps[1], "bee");
	faults_part(with);
}

TEST(an_errand_is_one_round_trip) {
	faults_meeting with = meet(GOOD, true);
	for (int i = 0; i < 3; i++) {
		errand of;
		run(with.store, &of);
		assert_statuses(&of, MCP_OK, MCP_OK, MCP_NOT_FOUND);
		assert_item(&of.steps[1], "bee");
		assert_int_equal(5, of.steps[1].item.flags);
		assert_true(of.steps[1].read.cas == 7);
	}
	assert_int_equal(1, with.peer.counts->connections);
	assert_int_equal(3 * 4, with.peer.counts->requests);
	faults_part(&with);
}

/* Cuts it after each byte: what has been answered is known, all else is not, and nothing is sent again. */
TEST(behind_a_cut_nothing_is_known) {
	static const size_t ends[STEPS] = {8, 33, 38};
	assert_int_equal(ends[2], strlen(GOOD));
	for (size_t length = 0; length < strlen(GOOD); length++) {
		char answer[64] = "";
		memcpy(answer, GOOD, length);
		faults_meeting with = meet(answer, false);
		errand of;
		run(with.store, &of);
		assert_statuses(&of, length >= ends[0] ? MCP_OK : MCP_UNKNOWN,
			length >= ends[1] ? MCP_OK : MCP_UNREACHABLE, MCP_UNREACHABLE);
		assert_int_equal(1, with.peer.counts->connections);
		assert_int_equal(4, with.peer.counts->requests);
		assert_goes_on(&with);
	}
}

TEST(silence_costs_one_timeout) {
	first_answer = "STORED\r\nVALUE b 5 3 7\r\n";
	stays_connected = true;
	faults_meeting with = faults_meet(answer_errands);
	errand of;
	uint64_t began_ms = faults_now_ms();
	run(with.store, &of);
	faults_assert_one_timeout(began_ms);
	assert_statuses(&of, MCP_OK, MCP_TIMEOUT, MCP_TIMEOUT);
	run(with.store, &of);
	assert_statuses(&of, MCP_UNREACHABLE, MCP_UNREACHABLE, MCP_UNREACHABLE);
	assert_int_equal(4, with.peer.counts->requests);
	faults_part(&with);
}

/* Refuses one; the connection goes on. */
TEST(a_refusal_is_one_steps) {
	faults_meeting with =
		meet("SERVER_ERROR out of memory storing object\r\nEND\r\nVALUE c 0 1 9\r\nx\r\nEND\r\n",
			true);
	errand of;
	for (int i = 0; i < 2; i++) {
		run(with.store, &of);
		assert_statuses(&of, MCP_REFUSED, MCP_NOT_FOUND, MCP_OK);
		assert_item(&of.steps[2], "x");
	}
	assert_int_equal(1, with.peer.counts->connections);
	faults_part(&with);
	with = meet("SERVER_ERROR object too large for cache\r\nEND\r\nEND\r\n", true);
	run(with.store, &of);
	assert_statuses(&of, MCP_TOO_LARGE, MCP_NOT_FOUND, MCP_NOT_FOUND);
	faults_part(&with);
}

TEST(a_proxys_refusal_is_unknown) {
	faults_meeting with = meet("SERVER_ERROR Connection timed out\r\nEND\r\nEND\r\n", true);
	errand of;
	run(with.store, &of);
	assert_statuses(&of, MCP_UNKNOWN, MCP_NOT_FOUND, MCP_NOT_FOUND);
	faults_part(&with);
}

/* One of its lies, and what is known then. */
typedef struct lie {
	const char *answer;
	mcp_status a, b, c;
} lie;

TEST(no_lie_is_believed) {
	static const lie lies[] = {
		{"ERROR\r\nEND\r\nEND\r\n", MCP_REFUSED, MCP_UNREACHABLE, MCP_UNREACHABLE},
		{"VALUE b 5 3 7\r\nbee\r\nEND\r\nEND\r\n", MCP_UNKNOWN, MCP_PROTOCOL, MCP_PROTOCOL},
		{"TOUCHED\r\nEND\r\nEND\r\n", MCP_UNKNOWN, MCP_PROTOCOL, MCP_PROTOCOL},
		{"STORED\r\nVALUE c 5 3 7\r\nsee\r\nEND\r\nEND\r\n", MCP_UNKNOWN, MCP_PROTOCOL,
			MCP_PROTOCOL},
		{"STORED\r\nSTORED\r\nEND\r\n", MCP_UNKNOWN, MCP_PROTOCOL, MCP_PROTOCOL},
		{"STORED\r\nVALUE b 5 3 7\r\nbee\r\nVALUE b 5 3 7\r\nbee\r\nEND\r\nEND\r\n", MCP_UNKNOWN,
			MCP_PROTOCOL, MCP_PROTOCOL},
		{"STORED\r\nVALUE b 5 3 7\r\nbeehive\r\nEND\r\nEND\r\n", MCP_UNKNOWN, MCP_PROTOCOL,
			MCP_PROTOCOL},
		{"STORED\r\nSERVER_ERROR out of memory\r\nEND\r\n", MCP_OK, MCP_REFUSED, MCP_UNREACHABLE},
		{"STORED\r\nEND\r\nVALUE b 0 1 9\r\nx\r\nEND\r\n", MCP_UNKNOWN, MCP_PROTOCOL, MCP_PROTOCOL},
		{"STORED\r\nEND\r\nEND\r\nEND\r\n", MCP_UNKNOWN, MCP_PROTOCOL, MCP_PROTOCOL},
	};
	for (size_t i = 0; i < sizeof(lies) / sizeof(*lies); i++) {
		faults_meeting with = meet(lies[i].answer, true);
		errand of;
		run(with.store, &of);
		assert_statuses(&of, lies[i].a, lies[i].b, lies[i].c);
		assert_goes_on(&with);
	}
}

/* Says a line too many behind its first answer, which the next errand's add would take for its own. */
static void answer_with_a_line_too_many(int connection, faults_counts *counts) {
	bool is_first = counts->connections == 1;
	for (int i = 0; hear_errand(connection, counts); i++) {
		faults_say(connection, is_first && i > 0 ? "NOT_STORED\r\nEND\r\nEND\r\n" : GOOD);
		if (is_first && i == 0) {
			usleep(20000);
			faults_say(connection, "STORED\r\n");
			counts->requests++;
		}
	}
}

TEST(no_unrequested_line_makes_a_write_known) {
	faults_meeting with = faults_meet_patiently(answer_with_a_line_too_many);
	errand of;
	run(with.store, &of);
	assert_statuses(&of, MCP_OK, MCP_OK, MCP_NOT_FOUND);
	while (*(volatile int *)&with.peer.counts->requests < 5) {
		usleep(1000);
	}
	run(with.store, &of);
	assert_statuses(&of, MCP_UNKNOWN, MCP_PROTOCOL, MCP_PROTOCOL);
	assert_goes_on(&with);
}

/* --- cas ids --- */

static mcp_proof read_base(mcp_store *store, const char *name) {
	mcp_key key = faults_key(name);
	mcp_op step = {.verb = MCP_OP_GET, .key = &key};
	mcp_store_steps(store, &step, 1);
	assert_int_equal(MCP_OK, step.status);
	return step.read;
}

/* Compares and swaps the first key, and deletes the second if it is what was read. */
static void close_by(mcp_store *store, mcp_proof value, mcp_proof lock, mcp_status of[2]) {
	mcp_key keys[] = {faults_key("value"), faults_key("lock")};
	mcp_record record = faults_record("new");
	mcp_op steps[] = {
		{.verb = MCP_OP_CAS, .key = &keys[0], .record = &record, .expects = value},
		{.verb = MCP_OP_DELETE_IF, .key = &keys[1], .expects = lock},
	};
	mcp_store_steps(store, steps, 2);
	of[0] = steps[0].status;
	of[1] = steps[1].status;
}

/* Hears a close by meta in one piece, or by text one after the other: then each waits for its answer. */
static void answer_closes(int connection, faults_counts *counts) {
	char line[512];
	while (hear(connection, counts, line)) {
		if (strncmp(line, "gets ", 5) == 0) {
			char item[600];
			snprintf(item, sizeof(item), "VALUE %s 0 3 8\r\nold\r\nEND\r\n", line + 5);
			faults_say(connection, item);
		} else if (strcmp(line, "cas value 0 0 3 8") == 0) {
			hear(connection, counts, line);
			faults_say(connection, "STORED\r\n");
		} else if (strcmp(line, "md lock C8") == 0 || strcmp(line, "cas lock 0 2592001 0 8") == 0) {
			counts->requests += 100;
			faults_say(connection, line[0] == 'm' ? "HD\r\n" : "STORED\r\n");
		}
	}
}

TEST(a_proxy_is_spoken_to_one_by_one) {
	static const char *const all[] = {"STAT cas_enabled yes\r\nEND\r\n",
		"STAT proxy_enabled yes\r\nSTAT cas_enabled yes\r\nEND\r\n", "ERROR\r\n"};
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		mcp_status of[2];
		settings = all[i];
		faults_meeting with = faults_meet_patiently(answer_closes);
		mcp_proof value = read_base(with.store, "value"), lock = read_base(with.store, "lock");
		close_by(with.store, value, lock, of);
		assert_int_equal(MCP_OK, of[0]);
		assert_int_equal(MCP_OK, of[1]);
		assert_int_equal(1, with.peer.counts->connections);
		assert_in_range(with.peer.counts->requests, 105, 106); /* an empty value is a line, too */
		faults_part(&with);
	}
	settings = all[0];
}

/* Counts what is sent behind the introduction. */
static void answer_nothing(int connection, faults_counts *counts) {
	char line[512];
	while (hear(connection, counts, line)) {
		faults_say(connection, "END\r\n");
	}
}

/* Asks it for what is sent in one go or not at all. */
TEST(a_proxy_is_sent_nothing_in_one_go) {
	static const char *const all[] = {"STAT cas_enabled yes\r\nEND\r\n",
		"STAT proxy_enabled yes\r\nSTAT cas_enabled yes\r\nEND\r\n", "ERROR\r\n"};
	for (size_t i = 1; i < sizeof(all) / sizeof(*all); i++) {
		settings = all[i];
		faults_meeting with = faults_meet_patiently(answer_nothing);
		errand of;
		prepare(&of);
		mcp_store_steps_at_once(with.store, of.steps, STEPS);
		assert_statuses(&of, MCP_UNSUPPORTED, MCP_UNSUPPORTED, MCP_UNSUPPORTED);
		assert_int_equal(0, with.peer.counts->requests);
		assert_null(mcp_store_failed(with.store));
		faults_part(&with);
	}
	settings = all[0];
}

/* Starts a server in the place of the last one, with two items that have the ids which the last one's had. */
static void begin_anew(const char *value) {
	faults_kill(&faults_server);
	faults_restart(&faults_server);
	mcp_store *other = faults_store(faults_server.socket);
	faults_set(other, "value", value);
	faults_set(other, "lock", value);
	mcp_store_free(other);
}

TEST(no_id_is_compared_over_another_connection) {
	mcp_status of[2];
	mcp_store *store = faults_store(faults_server.socket);
	begin_anew("mine");
	mcp_proof value = read_base(store, "value"), lock = read_base(store, "lock");
	begin_anew("theirs");
	for (int i = 0; i < 2; i++) {
		close_by(store, value, lock, of);
		assert_int_equal(MCP_UNSUPPORTED, of[0]);
		assert_int_equal(MCP_UNSUPPORTED, of[1]);
		faults_assert_value(store, "value", "theirs"); /* over a new connection, the second time */
		faults_assert_value(store, "lock", "theirs");
	}
	assert_true(read_base(store, "value").cas == value.cas);
	mcp_store_free(store);
}

TEST(an_idle_connections_end_leaves_nothing_unknown) {
	mcp_store *store = faults_store(faults_server.socket);
	errand of;
	run(store, &of);
	assert_statuses(&of, MCP_OK, MCP_NOT_FOUND, MCP_NOT_FOUND);
	faults_kill(&faults_server);
	faults_restart(&faults_server);
	run(store, &of);
	assert_statuses(&of, MCP_OK, MCP_NOT_FOUND, MCP_NOT_FOUND);
	assert_null(mcp_store_failed(store));
	mcp_store_free(store);
}

/* Leaves the write where it can still be carried out, and says so. */
TEST_WITH(a_frozen_server_may_do_it_later, NULL, faults_forget_late) {
	mcp_wire_settings to = faults_settings(faults_server.socket, FAULTS_TIMEOUT_MS);
	to.late = &faults_late;
	mcp_store *store = faults_connect(&to, 1, faults_environment());
	assert_int_equal(MCP_NOT_FOUND, faults_get(store, "nothing"));
	errand of;
	mcp_store *other = faults_store(faults_server.socket);
	mcp_key key = faults_key("a");
	mcp_store_delete(other, &key);
	run(store, &of);
	assert_statuses(&of, MCP_OK, MCP_NOT_FOUND, MCP_NOT_FOUND);
	mcp_store_delete(other, &key);
	faults_freeze(&faults_server);
	run(store, &of);
	assert_statuses(&of, MCP_UNKNOWN, MCP_TIMEOUT, MCP_TIMEOUT);
	assert_true(mcp_store_has_late_write(store));
	faults_thaw(&faults_server);
	for (int i = 0; i < 500 && faults_get(other, "a") != MCP_OK; i++) {
		usleep(10000);
	}
	faults_assert_value(other, "a", "value");
	mcp_store_free(other);
	mcp_store_free(store);
}

int main(void) {
	return tests_run(faults_server_start_direct, faults_server_stop);
}
