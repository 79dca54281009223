/* Checks the sessions that the requests leave. */
/* SPDX-License-Identifier: MIT */
#include "plain/families/session.h"
#include "plain/families/session_waking.h"
#include "plain/families/lock_items.h"
#include "plain/holders.h"

static session_state *const state = &plain_session_state;

/* Records the request that destroyed a session, and whether it held the lock. */
static void note_end(plain_world *world, const sim_request *request, const session_op *one) {
	bool had = state->last_kind == MCP_SESSION_VALUE || state->last_kind == MCP_SESSION_PLACEHOLDER;
	uint64_t birth = had ? state->last_birth : one->birth;
	bool was_proper = !request->is_late && plain_session_has_lock(world, request->client);
	state->ended_at = world->steps;
	for (unsigned i = 0; i < state->end_count; i++) {
		if (state->ends[i].birth == birth) {
			state->ends[i].was_proper = state->ends[i].was_proper || was_proper;
			state->ends[i].has_tombstone = true;
			return;
		}
	}
	if (birth != 0 && state->end_count < BIRTHS_MAX) {
		state->ends[state->end_count++] = (session_end){birth, was_proper, true};
	}
}

/* A lock that is overwritten is the client's own, expired or orphaned. Records its new owner. */
static void note_lock(plain_world *world, const sim_request *request, const mcp_op *before) {
	uint64_t stamp = plain_lock_item(sim_request_value(request)).stamp;
	bool is_free = before->status != MCP_OK || plain_lock_item(before->item.value).stamp == stamp ||
		plain_lock_item_is_over(before->item.value, world) ||
		plain_session_is_orphan(world, &world->clients[request->client], before->item.value);
	if (!is_free) {
		plain_fail(world, "E12", "client %u takes over what another holds", request->client);
	}
	plain_holders_note(request);
}

/* Records the writer. */
void plain_session_effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_op *before) {
	plain_session_waking_effect(request, status);
	if (request->is_late && status == MCP_OK && sim_request_is_for(request, &state->key)) {
		state->has_lock_ended = true; /* it does not belong to the current holder */
	}
	if (request->is_late && !sim_request_is_for(request, &state->key)) {
		state->has_orphan[request->client] = true;
	}
	bool is_write = request->verb == MCP_OP_ADD || request->verb == MCP_OP_CAS;
	bool is_delete = request->verb == MCP_OP_DELETE || request->verb == MCP_OP_DELETE_IF;
	bool is_session = sim_request_is_for(request, &state->key);
	if (status == MCP_OK && is_write && !is_session) {
		note_lock(world, request, before);
	}
	if (status != MCP_OK || request->operation < 0 || !is_session) {
		return;
	}
	if (is_delete) {
		state->has_lost_tombstone = state->has_lost_any = true; /* no memory for it */
	}
	if (!is_write) {
		return;
	}
	session_op *one = &state->ops[request->operation];
	mcp_session_found there = plain_session_stored(world);
	one->has_effect = true;
	state->writes++;
	one->wrote_birth = there.birth;
	one->birth = one->birth != 0 ? one->birth : there.birth;
	if (there.kind == MCP_SESSION_TOMBSTONE) {
		note_end(world, request, one);
	} else if (one->began < state->ended_at && !state->has_lost_any) {
		plain_fail(world, "E13", "%c began before a session was destroyed, and stores behind that",
			'A' + request->operation);
	}
}

void plain_session_lost(plain_world *world) {
	plain_session_waking_lost();
	for (unsigned i = 0; i < world->family->client_count; i++) {
		state->is_excused[i] = true;
	}
	state->has_lock_ended = true;
}

/* True if a first write was executed without its client's knowledge. It can be sent again, also on another
 * connection. */
static bool is_first_unanswered(void) {
	for (unsigned i = 0; i < state->op_count; i++) {
		const session_op *one = &state->ops[i];
		if (one->kind < 'c' && !one->has_read && one->has_effect && !one->is_acknowledged) {
			return true;
		}
	}
	return false;
}

/* Records the effects of an eviction or a restart. */
static void note_loss(plain_world *world, const mcp_session_found *there) {
	mcp_session_kind kind = there->kind;
	bool is_lost = kind == MCP_SESSION_NOTHING && state->last_kind != MCP_SESSION_NOTHING;
	for (unsigned i = 0; i < state->op_count && is_lost; i++) {
		state->ops[i].is_gone = state->ops[i].is_gone || state->ops[i].has_effect;
	}
	bool is_eviction = world->generation == state->last_generation;
	bool is_told = state->locking != MCP_SESSION_LOCK && !is_first_unanswered();
	/* A lost tombstone loses its information, even if a session had been started over it. */
	if (is_lost && state->end_count > 0 && (is_eviction || !is_told)) {
		state->has_lost_tombstone = true;
	}
	state->has_lost_any =
		state->has_lost_any || (is_lost && (state->end_count > 0 || state->is_foreign_at_first));
	bool is_dead = kind == MCP_SESSION_NOTHING || kind == MCP_SESSION_TOMBSTONE;
	state->dead_at = is_dead ? world->steps : state->dead_at;
	state->last_kind = kind;
	state->last_birth = there->birth;
	state->last_generation = world->generation;
}

/* True if the session with this birth was destroyed for good. */
static bool is_ended(uint64_t birth, bool by_tombstone) {
	for (unsigned i = 0; i < state->end_count; i++) {
		bool counts = !state->has_lost_tombstone ||
			(state->locking == MCP_SESSION_LOCK && state->ends[i].was_proper);
		counts =
			counts && (!by_tombstone || (state->ends[i].has_tombstone && !state->has_lost_any));
		if (state->ends[i].birth == birth && birth != 0 && counts) {
			return true;
		}
	}
	return false;
}

static void check_ends(plain_world *world, const mcp_session_found *there) {
	char marks[SECTIONS][MARKS_MAX];
	if (there->kind != MCP_SESSION_VALUE) {
		return;
	}
	if (is_ended(there->birth, false)) {
		plain_fail(world, "E13", "a destroyed session is there again");
	}
	plain_session_read_marks(there->data, marks);
	bool has_foreign = strchr(marks[0], 'y') != NULL || strchr(marks[1], 'y') != NULL;
	if (has_foreign && state->has_ended_foreign && !state->has_lost_any) {
		plain_fail(world, "E13", "a destroyed session of another handler is there again");
	}
	for (unsigned i = 0; i < state->op_count; i++) {
		char mark = (char)('A' + i);
		bool is_there = strchr(marks[0], mark) != NULL || strchr(marks[1], mark) != NULL;
		/* A request that read nothing can add to another request's new session, unless a tombstone forbids it. */
		if (is_there && is_ended(state->ops[i].birth, !state->ops[i].has_read)) {
			plain_fail(world, "E13", "%c has changed what is destroyed, and is there", mark);
		}
	}
}

static void check_holders(plain_world *world) {
	unsigned holders = 0;
	for (unsigned i = 0; i < world->family->client_count; i++) {
		const mcp_session_known *known = &state->known[i];
		state->has_lock_ended |= state->has_begun[i] && world->now_ms - known->read_ms >= LOCK_MS;
		holders += state->is_running[i] && known->is_held && !state->is_excused[i] &&
			!world->clients[i].is_dead && world->now_ms - known->read_ms < LOCK_MS;
	}
	if (holders > 1) {
		plain_fail(world, "E12", "%u requests hold the lock", holders);
	}
}

/* Excuses holders after all wall clocks were set forward, which ends all locks. */
static void note_clocks(plain_world *world) {
	if (world->wall_ahead_ms != state->wall_ahead_ms) {
		state->wall_ahead_ms = world->wall_ahead_ms;
		plain_session_lost(world);
	}
}

/* Records for waiting requests that another request has its turn. */
static void note_others(plain_world *world) {
	for (unsigned i = 0; i < world->family->client_count; i++) {
		state->has_seen_another[i] |=
			state->is_starting[i] && plain_session_has_another_lock(world, &world->clients[i]);
	}
}

void plain_session_check(plain_world *world) {
	mcp_session_found there = plain_session_stored(world);
	note_loss(world, &there);
	check_ends(world, &there);
	note_clocks(world);
	note_others(world);
	check_holders(world);
	plain_session_waking_check(world);
}

/* True if another change of the key, which neither request saw and which was counted, can replace this one. */
static bool is_excused(unsigned of, const char *marks) {
	const session_op *one = &state->ops[of];
	int section = one->kind - 'a';
	bool is_strict = state->locking == MCP_SESSION_LOCK && !state->has_lock_ended;
	for (unsigned i = 0; i < state->op_count && !is_strict; i++) {
		const session_op *other = &state->ops[i];
		bool is_rival = i != of && other->kind == one->kind && other->has_conflict &&
			strchr(one->seen[section], 'A' + (int)i) == NULL &&
			strchr(other->seen[section], 'A' + (int)of) == NULL;
		if (is_rival && strchr(marks, 'A' + (int)i) != NULL) {
			return true;
		}
		/* Or that change was itself replaced. */
		for (unsigned j = 0; j < state->op_count && is_rival; j++) {
			if (j != i && state->ops[j].has_conflict && strchr(marks, 'A' + (int)j) != NULL) {
				return true;
			}
		}
	}
	return false;
}

/* An acknowledged change is there. */
static void check_change(plain_world *world, unsigned of, const mcp_session_found *there) {
	const session_op *one = &state->ops[of];
	char marks[SECTIONS][MARKS_MAX];
	bool is_there = there->kind == MCP_SESSION_VALUE;
	if (!one->is_acknowledged || one->is_gone || one->kind > 'b' ||
		(state->has_destroyer && (!is_there || there->birth != one->wrote_birth))) {
		return;
	}
	if (!is_there) {
		plain_fail(world, "E11", "%c was acknowledged, and the session is gone", 'A' + of);
		return;
	}
	plain_session_read_marks(there->data, marks);
	const char *mine = marks[one->kind - 'a'];
	if (strchr(mine, 'A' + (int)of) == NULL && !is_excused(of, mine)) {
		plain_fail(world, "E11", "%c was acknowledged, and %s is there", 'A' + of, mine);
	}
}

void plain_session_check_changes(plain_world *world) {
	mcp_session_found there = plain_session_stored(world);
	for (unsigned i = 0; i < state->op_count; i++) {
		if (state->ops[i].has_failed && state->ops[i].has_effect) {
			plain_fail(world, "E17", "%c is stored, and its client was told that it is not",
				'A' + (int)i);
		}
	}
	for (unsigned i = 0; i < state->op_count && state->locking != MCP_SESSION_NO_LOCK; i++) {
		check_change(world, i, &there);
	}
}
