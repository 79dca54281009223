/* Session: requests of a session change one of its keys, or nothing, or destroy it, with a lock, with merging or
 * without both, during lost replies, late writes, stopped and crashed processes, evictions and restarts. An
 * acknowledged change is there at the end (E11), holds do not overlap (E12), and nothing destroyed returns (E13). */
/* SPDX-License-Identifier: MIT */
#include "plain/families/session.h"
#include "plain/holders.h"
#include "plain/families/session_waking.h"

/* A first write next to a request that destroys its session and others that start again, and a holder that is
 * overtaken by a destroying request, also between its turns. */
static const session_script scripts[] = {
	{MCP_SESSION_MERGE, false, {"a", "db", "a"}, false},
	{MCP_SESSION_LOCK, true, {"a", "rd", "r"}, false},
	{MCP_SESSION_LOCK, false, {"a", "d", "r"}, false},
	{MCP_SESSION_LOCK, true, {"a", "d", "r"}, true},
};

static session_state *const state = &plain_session_state;

/* --- actions of clients --- */

static void act_at_random(plain_client *client) {
	static const char kinds[] = "aaaabbbrrd";
	if (state->script == NULL) {
		plain_session_request(client, kinds[sim_choose(client->world->choices, sizeof(kinds) - 1)]);
		return;
	}
	const char *own = state->script->kinds[client->index];
	unsigned round = state->rounds[client->index]++;
	if (round < strlen(own)) {
		plain_session_request(client, own[round]);
	}
}

/* Programs of the search: 2 concurrent requests. */
static void run(plain_client *client) {
	static const char *const programs[] = {"", "aa", "ab", "aa", "ab", "ad", "ad"};
	if (client->index < 2) {
		plain_session_request(client, programs[client->world->variant][client->index]);
	}
}

/* --- the world --- */

/* Selects a script in 4 of 7 runs. Known seeds stay valid as long as each script keeps its number. */
static const session_script *choose_script(const plain_world *world) {
	static const session_script *const by_number[7] = {NULL, &scripts[0], &scripts[1], &scripts[2],
		NULL, &scripts[3], NULL};
	return world->variant > 0 ? NULL : by_number[sim_choose(world->choices, 7)];
}

static mcp_session_locking choose_locking(const plain_world *world) {
	static const mcp_session_locking of_programs[] = {MCP_SESSION_LOCK, MCP_SESSION_LOCK,
		MCP_SESSION_LOCK, MCP_SESSION_MERGE, MCP_SESSION_MERGE, MCP_SESSION_LOCK,
		MCP_SESSION_MERGE};
	if (world->variant > 0) {
		return of_programs[world->variant];
	}
	if (state->script != NULL) {
		return state->script->locking;
	}
	unsigned chosen = sim_choose(world->choices, 10);
	return chosen < 4 ? MCP_SESSION_LOCK : chosen < 9 ? MCP_SESSION_MERGE : MCP_SESSION_NO_LOCK;
}

/* Stores the session as another handler does, under another key, with its own marks. */
static void prepare_foreign(plain_world *world) {
	static const char name[] = "memc.sess.key.s", data[] = "a|s:1:\"y\";b|s:1:\"y\";";
	mcp_bytes wire = mcp_bytes_of(name, sizeof(name) - 1);
	state->foreign = (mcp_key){.wire = wire, .route = mcp_bytes_of("s", 1), .is_safe = true};
	state->is_foreign_at_first = true;
	mcp_record record = {.body = mcp_bytes_of(data, sizeof(data) - 1), .ttl_ms = TTL_MS};
	mcp_store_set(world->memory, &state->foreign, &record);
	for (unsigned i = 0; i < PLAIN_CLIENTS_MAX; i++) {
		state->sessions[i].foreign = &state->foreign;
	}
}

/* Stores the initial state: a session with a mark of no request, nothing, or a tombstone. */
static void prepare_session(plain_world *world) {
	mcp_session_known known = {.kind = MCP_SESSION_NOTHING};
	mcp_session_report report;
	unsigned first = world->variant > 0 ? 0 : sim_choose(world->choices, 5);
	if (state->script != NULL) {
		first = state->script->has_session ? 0 : 4;
	}
	world->is_quiet = true;
	if (first < 4) {
		static const char data[] = "a|s:1:\"z\";b|s:1:\"z\";";
		mcp_session_write(&state->sessions[0], &known, mcp_bytes_of(data, sizeof(data) - 1),
			&report);
	}
	if (first == 3) {
		mcp_pauses pauses = {.has_begun = false};
		mcp_session_start(&state->sessions[0], &known, false, &pauses);
		mcp_session_destroy(&state->sessions[0], &known, &report);
	}
	world->is_quiet = false;
	mcp_session_forget(&known);
}

static void prepare(plain_world *world) {
	for (unsigned i = 0; i < PLAIN_CLIENTS_MAX; i++) {
		mcp_session_forget(&state->known[i]);
	}
	memset(state, 0, sizeof(*state));
	plain_session_waking_prepare(world);
	plain_holders_prepare(world);
	state->key = plain_key(&state->buffer, MCP_SPACE_SESSION, "s");
	state->script = choose_script(world);
	state->locking = choose_locking(world);
	state->is_opaque = world->variant == 0 && state->script == NULL &&
		state->locking != MCP_SESSION_NO_LOCK && sim_chance(world->choices, 15);
	mcp_session_locking asked = state->locking;
	bool is_hasty = world->variant == 0 && sim_chance(world->choices, 20);
	if (state->is_opaque) {
		state->locking = MCP_SESSION_LOCK; /* even if it was to be merged */
	}
	for (unsigned i = 0; i < PLAIN_CLIENTS_MAX; i++) {
		state->sessions[i] = (mcp_session){
			.store = plain_session_waking_store(i),
			.environment = &world->clients[i].environment,
			.key = &state->key,
			.locking = asked,
			.format = state->is_opaque ? MCP_SESSION_IGBINARY : MCP_SESSION_PHP,
			.merge_depth = 1,
			.ttl_ms = TTL_MS,
			.lock_ttl_ms = LOCK_MS,
			.wait_ms = is_hasty ? SHORT_WAIT_MS : WAIT_MS,
			.owner = mcp_bytes_of("client", 6),
			.holder = plain_holder_of(&world->clients[i]),
			.late = &state->late[i],
		};
	}
	if (world->variant == 0 && state->script == NULL && sim_chance(world->choices, 20)) {
		prepare_foreign(world);
	} else {
		prepare_session(world);
	}
	mcp_session_found there = plain_session_stored(world);
	state->last_kind = there.kind;
	state->last_birth = there.birth;
}

/* Stops the first client before its second turn until others have had the lock. */
static void stand_still(plain_world *world) {
	plain_client *first = &world->clients[0];
	bool is_late =
		state->script != NULL && state->script->has_late_first && !state->has_stood_still;
	bool is_at_its_end = first->operation >= 0 && first->phase == PLAIN_CALLING;
	if (is_late && is_at_its_end && first->verb == MCP_OP_CAS) {
		plain_trace(world, "client 0 stands still");
		state->has_stood_still = true;
		first->fault = SIM_SOUND;
		first->phase = PLAIN_SLEEPING;
		first->due_ms = world->now_ms + 2 * OVER_MS;
	}
}

static void check(plain_world *world) {
	stand_still(world);
	plain_session_check(world);
}

/* A lock that no client holds does not block processes that share its writer's memory. */
static void check_left(plain_world *world) {
	const plain_client *writer = plain_session_lock_writer(world);
	if (writer == NULL) {
		return;
	}
	mcp_session_known known = {.kind = MCP_SESSION_NOTHING};
	mcp_pauses pauses = {.has_begun = false};
	mcp_session next = state->sessions[PLAIN_CLIENTS_MAX - 1];
	next.holder = plain_holder_beside(writer);
	next.locking = MCP_SESSION_LOCK;
	next.wait_ms = 0;
	if (mcp_session_start(&next, &known, false, &pauses) == MCP_NOT_STORED) {
		plain_fail(world, "E12", "nobody holds the lock that client %u has left", writer->index);
	}
	mcp_session_close(&next, &known);
	mcp_session_forget(&known);
}

/* Acknowledged changes are there, and the next request gets its turn. */
static void finish(plain_world *world) {
	mcp_session_known known = {.kind = MCP_SESSION_NOTHING};
	mcp_pauses pauses = {.has_begun = false};
	plain_session_check_changes(world);
	check_left(world);
	plain_pass(world, OVER_MS);
	const mcp_session *last = &state->sessions[PLAIN_CLIENTS_MAX - 1];
	if (mcp_session_start(last, &known, false, &pauses) != MCP_OK) {
		plain_fail(world, "liveness", "the session cannot be had at the last lock's end");
	}
	mcp_session_close(last, &known);
	mcp_session_forget(&known);
}

const plain_family plain_session = {
	.client_count = 3,
	.neighbours = 3,
	PLAIN_ITEMS("sess:s", "sess:s:lock", "memc.sess.key.s"),
	PLAIN_JUMPS(LOCK_MS / 2, OVER_MS),
	.skew_ms = SKEW_MS,
	.asks_for_proofs = true,
	.may_lack_memory = true,
	.prepare = prepare,
	.act = act_at_random,
	.rounds = ROUNDS,
	.run = run,
	.effect = plain_session_effect,
	.lost = plain_session_lost,
	.check = check,
	.finish = finish,
};
