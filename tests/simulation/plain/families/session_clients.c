/* The requests of the family of sessions: each puts its mark into a key, or into none, or destroys the session. */
/* SPDX-License-Identifier: MIT */
#include "plain/families/session.h"

#include "../../../../src/core/holders/holders.h"
#include "plain/families/session_waking.h"
#include "plain/holders.h"

#include <stdlib.h>

session_state plain_session_state;

static session_state *const state = &plain_session_state;

/* --- data of the session: "a|s:2:\"AB\";b|s:1:\"C\";" --- */

void plain_session_read_marks(mcp_bytes data, char marks[SECTIONS][MARKS_MAX]) {
	memset(marks, 0, SECTIONS * MARKS_MAX);
	for (size_t i = 0; i + 5 < data.length; i++) {
		bool is_key = (data.data[i] == 'a' || data.data[i] == 'b') &&
			memcmp(data.data + i + 1, "|s:", 3) == 0;
		if (is_key) {
			char *length_end;
			size_t length = strtoul(data.data + i + 4, &length_end, 10);
			memcpy(marks[data.data[i] - 'a'], length_end + 2, length);
		}
	}
}

static size_t write_marks(char marks[SECTIONS][MARKS_MAX], char out[128]) {
	size_t length = 0;
	for (int i = 0; i < SECTIONS; i++) {
		if (marks[i][0] != '\0') {
			length += (size_t)snprintf(out + length, 128 - length, "%c|s:%zu:\"%s\";", 'a' + i,
				strlen(marks[i]), marks[i]);
		}
	}
	return length;
}

mcp_session_found plain_session_stored(plain_world *world) {
	mcp_op step = {.verb = MCP_OP_GET, .key = &state->key};
	step.status = plain_peek(world, &state->key, &step.item);
	return mcp_session_item_judge(&state->sessions[0], &step);
}

/* Returns the value of the lock's item; empty without one. */
static mcp_bytes stored_lock(plain_world *world, uint64_t *stamp) {
	static const char name[] = "sess:s:lock";
	mcp_bytes bytes = mcp_bytes_of(name, sizeof(name) - 1);
	mcp_item item;
	mcp_lock_item lock;
	if (plain_peek(world, &(mcp_key){.wire = bytes, .route = bytes}, &item) != MCP_OK ||
		!mcp_lock_item_read(item.value, &lock)) {
		return mcp_bytes_none();
	}
	*stamp = lock.stamp;
	return item.value;
}

bool plain_session_has_lock(plain_world *world, unsigned client) {
	uint64_t stamp;
	return stored_lock(world, &stamp).length > 0 && stamp == state->known[client].stamp;
}

/* Relies on a separate stamp per start. A failed start can be about to wake another. */
static bool holds(const plain_client *client, uint64_t stamp, int operation) {
	const mcp_session_known *known = &state->known[client->index];
	bool may_hold = state->is_starting[client->index] && client->phase != PLAIN_BETWEEN;
	return known->stamp == stamp && (known->is_held || may_hold);
}

bool plain_session_is_orphan(const plain_world *world, const plain_client *client, mcp_bytes lock) {
	return plain_holders_know_orphan(world, client, lock, holds);
}

bool plain_session_has_another_lock(plain_world *world, const plain_client *client) {
	uint64_t stamp;
	mcp_bytes lock = stored_lock(world, &stamp);
	return lock.length > 0 && stamp != state->known[client->index].stamp &&
		!plain_session_is_orphan(world, client, lock);
}

const plain_client *plain_session_lock_writer(plain_world *world) {
	uint64_t stamp;
	return stored_lock(world, &stamp).length > 0 ? plain_holders_writer(world, stamp) : NULL;
}

/* --- requests --- */

/* Lets time pass. Another call of the process can lose the connection. */
static void nap(plain_client *client) {
	static const uint32_t naps_ms[] = {5, LOCK_MS / 2, LOCK_MS + 1, OVER_MS};
	bool is_late = state->script != NULL && state->script->has_late_first && client->index == 0;
	if (is_late || (client->world->variant == 0 && sim_chance(client->world->choices, 10))) {
		plain_trace(client->world, "client %u: its connection breaks", client->index);
		client->connection++;
	}
	if (sim_chance(client->world->choices, 40)) {
		plain_sleep(client, naps_ms[sim_choose(client->world->choices, 4)]);
	}
}

static session_op *begin_op(const plain_client *client, char kind) {
	const mcp_session_known *known = &state->known[client->index];
	if (state->op_count == OPS_MAX) {
		abort();
	}
	session_op *one = &state->ops[state->op_count++];
	one->kind = kind;
	one->has_conflict = true;
	one->began = client->world->steps;
	one->has_read = mcp_session_is_there(known) && !known->is_foreign;
	one->birth = one->has_read ? known->birth : 0;
	plain_session_read_marks(mcp_bytes_of(known->data.data, known->data.length), one->seen);
	return one;
}

static void write(plain_client *client, session_op *one, mcp_session_report *report) {
	char marks[SECTIONS][MARKS_MAX], data[128];
	memcpy(marks, one->seen, sizeof(marks));
	char *mine = marks[one->kind - 'a'];
	mine[strlen(mine)] = (char)('A' + (one - state->ops));
	size_t length = write_marks(marks, data);
	mcp_session_write(&state->sessions[client->index], &state->known[client->index],
		mcp_bytes_of(data, length), report);
}

/* The session did not exist for at least a moment since the destroy began. The server can have had no memory for a
 * tombstone. */
static void check_dead(plain_client *client, unsigned since, bool was_refused) {
	mcp_session_kind kind = plain_session_stored(client->world).kind;
	if (kind == MCP_SESSION_NOTHING || (was_refused && state->is_foreign_at_first)) {
		state->has_lost_tombstone = state->has_lost_any = true;
	} else if (kind != MCP_SESSION_TOMBSTONE && state->dead_at < since) {
		plain_fail(client->world, "E13", "client %u has destroyed it, and it was there all along",
			client->index);
	}
}

static void destroy(plain_client *client, const session_op *one, mcp_session_report *report) {
	unsigned since = client->world->steps, refused = client->refused;
	mcp_session_destroy(&state->sessions[client->index], &state->known[client->index], report);
	if (report->outcome != MCP_SESSION_STORED) {
		return;
	}
	check_dead(client, since, client->refused > refused);
	state->has_ended_foreign = state->has_ended_foreign || state->is_foreign_at_first;
	if (one->birth != 0) {
		for (unsigned i = 0; i < state->end_count; i++) {
			if (state->ends[i].birth == one->birth) {
				return;
			}
		}
		state->ends[state->end_count++] = (session_end){one->birth, false, false};
	}
}

/* Closes an unchanged session. */
static void renew(plain_client *client, mcp_session_report *report) {
	plain_world *world = client->world;
	bool was_gone = plain_session_stored(world).kind == MCP_SESSION_NOTHING;
	unsigned writes = state->writes, unanswered = client->unanswered;
	mcp_session_renew(&state->sessions[client->index], &state->known[client->index], report);
	if (report->outcome == MCP_SESSION_STORED && was_gone &&
		state->known[client->index].is_by_lock && state->writes == writes &&
		client->unanswered == unanswered) {
		plain_fail(world, "E17", "client %u: all is well, and the session is gone", client->index);
	}
}

/* The request learns of failures, and of nothing else. */
static void check_outcome(plain_client *client, const mcp_session_report *report, unsigned others) {
	mcp_session_outcome outcome = report->outcome;
	const plain_world *world = client->world;
	const mcp_session_known *known = &state->known[client->index];
	bool was_new = known->kind == MCP_SESSION_NOTHING || known->kind == MCP_SESSION_TOMBSTONE;
	bool is_first = was_new && !known->is_by_lock && others == 0 && !world->has_lost;
	if (outcome == MCP_SESSION_LOST && is_first) {
		plain_fail(client->world, "E17", "client %u: lost, and there was none", client->index);
	}
	/* Other requests can have preceded it for too long. */
	bool is_late = world->now_ms - known->read_ms > SHORT_WAIT_MS;
	bool was_preceded = outcome == MCP_SESSION_NOT_KNOWN ||
		(outcome == MCP_SESSION_FAILED && report->status == MCP_EXISTS);
	bool is_sound = !(is_late && was_preceded) && client->unanswered == 0 && !world->has_lost &&
		!state->has_destroyer;
	if (outcome == MCP_SESSION_UNMERGEABLE && others == 0) {
		plain_fail(client->world, "E20", "client %u: nobody else has changed it", client->index);
	} else if (outcome > MCP_SESSION_DROPPED && outcome != MCP_SESSION_UNMERGEABLE && is_sound) {
		plain_fail(client->world, "E17", "client %u: %d, and nothing went wrong", client->index,
			(int)outcome);
	}
}

/* Its lock was released. */
static void check_end(plain_client *client) {
	if (client->was_answered && !state->is_foreign_at_first && !state->has_orphan[client->index] &&
		plain_session_has_lock(client->world, client->index)) {
		plain_fail(client->world, "E21", "client %u has left its lock", client->index);
	}
}

static void act(plain_client *client, char kind, unsigned writes) {
	mcp_session_known *known = &state->known[client->index];
	mcp_session_report report;
	session_op *one = begin_op(client, kind);
	client->operation = (int)(one - state->ops);
	state->has_destroyer = state->has_destroyer || kind == 'd';
	state->is_running[client->index] = true;
	nap(client);
	state->is_running[client->index] = false;
	plain_session_waking_begin_end(client);
	if (kind == 'd') {
		destroy(client, one, &report);
	} else if (kind == 'r' && mcp_session_has_data(known)) {
		renew(client, &report);
	} else if (kind == 'r') {
		mcp_session_close(&state->sessions[client->index], known);
		report.outcome = MCP_SESSION_DROPPED;
	} else {
		write(client, one, &report);
		one->has_conflict = report.conflicts > 0;
	}
	plain_session_waking_end_end(client);
	one->is_acknowledged = report.outcome == MCP_SESSION_STORED;
	one->has_failed = kind < 'c' && report.outcome == MCP_SESSION_FAILED;
	plain_trace(client->world, "client %u: %c as %c -> %d, %u conflicts", client->index, kind,
		'A' + client->operation, (int)report.outcome, kind < 'c' ? report.conflicts : 0);
	client->operation = -1;
	if (kind < 'c' && report.outcome == MCP_SESSION_DROPPED && !state->has_destroyer &&
		!client->world->has_lost) {
		plain_fail(client->world, "E15", "%c is dropped, and nothing was destroyed",
			'A' + (int)(one - state->ops));
	}
	check_outcome(client, &report, state->writes - writes);
	check_end(client);
}

/* True if the request creates its own session, whose id is generated. */
static bool makes_its_own(plain_client *client) {
	return client->world->variant == 0 && state->locking == MCP_SESSION_MERGE &&
		!state->is_foreign_at_first && sim_chance(client->world->choices, 20);
}

void plain_session_request(plain_client *client, char kind) {
	mcp_session_known *known = &state->known[client->index];
	mcp_pauses pauses = {.has_begun = false};
	*known = (mcp_session_known){.kind = MCP_SESSION_NOTHING};
	uint64_t slept_ms = client->slept_ms, wait_ms = state->sessions[client->index].wait_ms;
	unsigned writes = state->writes;
	bool has_ended = state->has_ended_foreign;
	state->is_excused[client->index] = state->has_orphan[client->index] = false;
	bool is_new = makes_its_own(client);
	plain_session_waking_begin_wait(client);
	state->is_starting[client->index] = true;
	state->has_seen_another[client->index] = false;
	client->patient_until_ms = client->world->now_ms + wait_ms;
	client->late_sleeps = 0;
	mcp_status status = mcp_session_start(&state->sessions[client->index], known, is_new, &pauses);
	state->is_starting[client->index] = false;
	plain_session_waking_end_wait(client);
	if (status == MCP_NOT_STORED && !state->has_seen_another[client->index]) {
		plain_fail(client->world, "E12", "client %u has waited, and nobody held the lock",
			client->index);
	}
	/* The time of one sleep can pass between the reading of a clock and its begin. */
	if (client->slept_ms - slept_ms > wait_ms || client->late_sleeps > 1) {
		plain_fail(client->world, "E14", "client %u waits for %llu ms, %u sleeps began too late",
			client->index, (unsigned long long)(client->slept_ms - slept_ms), client->late_sleeps);
	}
	plain_trace(client->world, "client %u: start -> %d, kind %d", client->index, (int)status,
		(int)known->kind);
	if (status == MCP_OK && has_ended && known->is_foreign) {
		plain_fail(client->world, "E13", "client %u reads what another handler had stored",
			client->index);
	}
	if (status == MCP_OK && state->is_foreign_at_first && !mcp_session_is_there(known) &&
		!client->world->has_lost && !state->has_destroyer && !state->has_lock_ended) {
		plain_fail(client->world, "E18", "client %u finds no session", client->index);
	}
	if (status == MCP_OK) {
		state->has_begun[client->index] = known->is_held;
		act(client, kind, writes);
		state->has_begun[client->index] = false;
	}
	mcp_session_forget(known);
}
