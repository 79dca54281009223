/* Session: requests of one session that change a key of it, or nothing, or destroy it, by lock, by merge or by neither, while
 * answers are lost, writes come late, processes stand still and die, items are evicted and the server restarts. An
 * acknowledged change is there in the end (E11), holders do not overlap (E12), and nothing destroyed comes back (E13). */
/* SPDX-License-Identifier: MIT */
#include "core/items/lock_item.h"
#include "patterns/lock/lock.h"
#include "patterns/session/session_item.h"
#include "plain/families/families.h"
#include "plain/families/session_waking.h"

#include <stdlib.h>

enum {
	LOCK_MS = 5000,
	WAIT_MS = 12000,
	SHORT_WAIT_MS = 1000,
	TTL_MS = 1440000,
	ROUNDS = 2,
	OPS_MAX = 26,
	MARKS_MAX = OPS_MAX + 1,
	SKEW_MS = MCP_LOCK_SKEW_MS,
	OVER_MS = LOCK_MS + 2 * SKEW_MS,
	BIRTHS_MAX = OPS_MAX,
	SECTIONS = 2, /* keys of the session */
};

/* A request, which puts its mark into one key, or none. */
typedef struct op {
	char kind; /* 'a', 'b': the key it changes; 'r': nothing; 'd': destroys */
	bool is_acknowledged;
	bool has_read; /* a session, whose birth it knows; else the birth is of what it first stored */
	bool has_conflict;    /* or its process died before it was told */
	bool has_effect;      /* one of its writes has been carried out */
	bool is_gone;         /* what the server lost had its change in it */
	uint64_t birth;       /* that it has read; else of what it first stored, 0: nothing yet */
	uint64_t wrote_birth; /* of what it stored last */
	char seen[SECTIONS][MARKS_MAX];
} op;

typedef struct end {
	uint64_t birth;
	bool was_proper;    /* its lock was held until the tombstone was there */
	bool has_tombstone; /* false: it had gone before, and what was there was another session */
} end;

/* Programs of the three clients, for runs that chance leads to too seldom. */
typedef struct script {
	mcp_session_locking locking;
	bool has_session; /* at first */
	const char *kinds[3];
	bool has_late_first; /* the first one's connection breaks, and its process stands still before it stores */
} script;

/* A first write, beside one who destroys what it has stored, and others who begin anew; and a holder that is overtaken
 * by one who destroys, also between two of its turns. */
static const script scripts[] = {
	{MCP_SESSION_MERGE, false, {"a", "db", "a"}, false},
	{MCP_SESSION_LOCK, true, {"a", "rd", "r"}, false},
	{MCP_SESSION_LOCK, false, {"a", "d", "r"}, false},
	{MCP_SESSION_LOCK, true, {"a", "d", "r"}, true},
};

static struct {
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_session_locking locking;
	mcp_key foreign;
	bool is_foreign_at_first;    /* another handler has stored it */
	bool has_ended_foreign;      /* a destroy of it was acknowledged */
	bool is_opaque;              /* its data cannot be taken apart */
	bool has_stood_still;        /* the first of a script that has a late one */
	const struct script *script; /* NULL: clients do anything */
	unsigned rounds[PLAIN_CLIENTS_MAX];
	mcp_session sessions[PLAIN_CLIENTS_MAX];
	mcp_session_known known[PLAIN_CLIENTS_MAX];
	bool is_running[PLAIN_CLIENTS_MAX]; /* its code, with what it knows */
	bool has_begun[PLAIN_CLIENTS_MAX];  /* under the lock, and has not ended; or it died */
	bool is_excused[PLAIN_CLIENTS_MAX]; /* its lock's item may be lost, or clocks have been set */
	bool has_orphan[PLAIN_CLIENTS_MAX]; /* a try of its lock has arrived late */
	unsigned writes;                    /* of the session that were carried out */
	uint64_t wall_ahead_ms;
	unsigned op_count;
	op ops[OPS_MAX];
	unsigned end_count;
	end ends[BIRTHS_MAX];
	bool has_destroyer, has_lock_ended, has_lost_tombstone;
	bool has_lost_any;          /* tombstone, by a restart, too */
	mcp_session_kind last_kind; /* what stood there after the step before */
	unsigned last_generation;
} state;

/* --- the session's data: "a|s:2:\"AB\";b|s:1:\"C\";" --- */

static void read_marks(mcp_bytes data, char marks[SECTIONS][MARKS_MAX]) {
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

static mcp_session_found stored(plain_world *world) {
	mcp_store_step step = {.verb = MCP_STEP_GET, .key = &state.key};
	step.status = plain_peek(world, &state.key, &step.item);
	return mcp_session_item_judge(&state.sessions[0], &step);
}

/* Says whether the client's lock stands there. */
static bool has_lock(plain_world *world, unsigned client) {
	static const char name[] = "sess:s:lock";
	mcp_bytes bytes = mcp_bytes_of(name, sizeof(name) - 1);
	mcp_item item;
	mcp_lock_item lock;
	return plain_peek(world, &(mcp_key){.wire = bytes, .route = bytes}, &item) == MCP_OK &&
		mcp_lock_item_read(item.value, &lock) && lock.stamp == state.known[client].stamp;
}

/* --- what clients do --- */

/* Lets time pass, and another call of the process lose the connection. */
static void nap(plain_client *client) {
	static const uint32_t naps_ms[] = {5, LOCK_MS / 2, LOCK_MS + 1, OVER_MS};
	bool is_late = state.script != NULL && state.script->has_late_first && client->index == 0;
	if (is_late || (client->world->variant == 0 && sim_chance(client->world->choices, 10))) {
		plain_trace(client->world, "client %u: its connection breaks", client->index);
		client->connection++;
	}
	if (sim_chance(client->world->choices, 40)) {
		plain_sleep(client, naps_ms[sim_choose(client->world->choices, 4)]);
	}
}

static op *begin_op(char kind, const mcp_session_known *known) {
	if (state.op_count == OPS_MAX) {
		abort();
	}
	op *one = &state.ops[state.op_count++];
	one->kind = kind;
	one->has_conflict = true;
	one->has_read = mcp_session_is_there(known) && !known->is_foreign;
	one->birth = one->has_read ? known->birth : 0;
	read_marks(mcp_bytes_of(known->data.data, known->data.length), one->seen);
	return one;
}

static void write(plain_client *client, op *one, mcp_session_report *report) {
	char marks[SECTIONS][MARKS_MAX], data[128];
	memcpy(marks, one->seen, sizeof(marks));
	char *mine = marks[one->kind - 'a'];
	mine[strlen(mine)] = (char)('A' + (one - state.ops));
	size_t length = write_marks(marks, data);
	mcp_session_write(&state.sessions[client->index], &state.known[client->index],
		mcp_bytes_of(data, length), report);
}

static void destroy(plain_client *client, const op *one, mcp_session_report *report) {
	mcp_session_destroy(&state.sessions[client->index], &state.known[client->index], report);
	if (report->outcome == MCP_SESSION_STORED && state.is_foreign_at_first) {
		state.has_ended_foreign = true;
	}
	if (report->outcome == MCP_SESSION_STORED && one->birth != 0) {
		for (unsigned i = 0; i < state.end_count; i++) {
			if (state.ends[i].birth == one->birth) {
				return;
			}
		}
		state.ends[state.end_count++] = (end){one->birth, false, false};
	}
}

/* Closes a session that is as it was. */
static void renew(plain_client *client, mcp_session_report *report) {
	plain_world *world = client->world;
	bool was_gone = stored(world).kind == MCP_SESSION_NOTHING;
	unsigned writes = state.writes, unanswered = client->unanswered;
	mcp_session_renew(&state.sessions[client->index], &state.known[client->index], report);
	if (report->outcome == MCP_SESSION_STORED && was_gone &&
		state.known[client->index].is_by_lock && state.writes == writes &&
		client->unanswered == unanswered) {
		plain_fail(world, "E17", "client %u: all is well, and the session is gone", client->index);
	}
}

/* Checks that it was told of what went wrong, and of nothing else. */
static void check_outcome(plain_client *client, mcp_session_outcome outcome, unsigned others) {
	const plain_world *world = client->world;
	/* Others may have come before it for too long. */
	bool is_late = world->now_ms - state.known[client->index].read_ms > SHORT_WAIT_MS;
	bool is_sound = !(is_late && outcome == MCP_SESSION_NOT_KNOWN) && client->unanswered == 0 &&
		!world->has_lost && !state.has_destroyer;
	if (outcome == MCP_SESSION_UNMERGEABLE && others == 0) {
		plain_fail(client->world, "E20", "client %u: nobody else has changed it", client->index);
	} else if (outcome > MCP_SESSION_DROPPED && outcome != MCP_SESSION_UNMERGEABLE && is_sound) {
		plain_fail(client->world, "E17", "client %u: %d, and nothing went wrong", client->index,
			(int)outcome);
	}
}

/* Checks that its lock is given back. */
static void check_end(plain_client *client) {
	if (client->was_answered && !state.is_foreign_at_first && !state.has_orphan[client->index] &&
		has_lock(client->world, client->index)) {
		plain_fail(client->world, "E21", "client %u has left its lock", client->index);
	}
}

static void act(plain_client *client, char kind, unsigned writes) {
	mcp_session_known *known = &state.known[client->index];
	mcp_session_report report;
	op *one = begin_op(kind, known);
	client->operation = (int)(one - state.ops);
	state.has_destroyer = state.has_destroyer || kind == 'd';
	state.is_running[client->index] = true;
	nap(client);
	state.is_running[client->index] = false;
	plain_session_waking_begin_end(client);
	if (kind == 'd') {
		destroy(client, one, &report);
	} else if (kind == 'r' && mcp_session_has_data(known)) {
		renew(client, &report);
	} else if (kind == 'r') {
		mcp_session_close(&state.sessions[client->index], known);
		report.outcome = MCP_SESSION_DROPPED;
	} else {
		write(client, one, &report);
		one->has_conflict = report.conflicts > 0;
	}
	plain_session_waking_end_end(client);
	one->is_acknowledged = report.outcome == MCP_SESSION_STORED;
	plain_trace(client->world, "client %u: %c as %c -> %d, %u conflicts", client->index, kind,
		'A' + client->operation, (int)report.outcome, kind < 'c' ? report.conflicts : 0);
	client->operation = -1;
	if (kind < 'c' && report.outcome == MCP_SESSION_DROPPED && !state.has_destroyer &&
		!client->world->has_lost) {
		plain_fail(client->world, "E15", "%c is dropped, and nothing was destroyed",
			'A' + (int)(one - state.ops));
	}
	check_outcome(client, report.outcome, state.writes - writes);
	check_end(client);
}

/* Says whether the request makes a session of its own, whose id is handed out. */
static bool makes_its_own(plain_client *client) {
	return client->world->variant == 0 && state.locking == MCP_SESSION_MERGE &&
		!state.is_foreign_at_first && sim_chance(client->world->choices, 20);
}

static void request(plain_client *client, char kind) {
	mcp_session_known *known = &state.known[client->index];
	mcp_pauses pauses = {.has_begun = false};
	*known = (mcp_session_known){.kind = MCP_SESSION_NOTHING};
	uint64_t slept_ms = client->slept_ms;
	unsigned writes = state.writes;
	bool has_ended = state.has_ended_foreign;
	state.is_excused[client->index] = state.has_orphan[client->index] = false;
	bool is_new = makes_its_own(client);
	plain_session_waking_begin_wait(client);
	mcp_status status = mcp_session_start(&state.sessions[client->index], known, is_new, &pauses);
	plain_session_waking_end_wait(client, status);
	if (client->slept_ms - slept_ms > state.sessions[client->index].wait_ms) {
		plain_fail(client->world, "E14", "client %u waits for %llu ms", client->index,
			(unsigned long long)(client->slept_ms - slept_ms));
	}
	plain_trace(client->world, "client %u: start -> %d, kind %d", client->index, (int)status,
		(int)known->kind);
	if (status == MCP_OK && has_ended && known->is_foreign) {
		plain_fail(client->world, "E13", "client %u reads what another handler had stored",
			client->index);
	}
	if (status == MCP_OK && state.is_foreign_at_first && !mcp_session_is_there(known) &&
		!client->world->has_lost && !state.has_destroyer && !state.has_lock_ended) {
		plain_fail(client->world, "E18", "client %u finds no session", client->index);
	}
	if (status == MCP_OK) {
		state.has_begun[client->index] = known->is_held;
		act(client, kind, writes);
		state.has_begun[client->index] = false;
	}
	mcp_session_forget(known);
}

static void act_at_random(plain_client *client) {
	static const char kinds[] = "aaaabbbrrd";
	if (state.script == NULL) {
		request(client, kinds[sim_choose(client->world->choices, sizeof(kinds) - 1)]);
		return;
	}
	const char *own = state.script->kinds[client->index];
	unsigned round = state.rounds[client->index]++;
	if (round < strlen(own)) {
		request(client, own[round]);
	}
}

/* Runs the search's programs: two requests beside each other. */
static void run(plain_client *client) {
	static const char *const programs[] = {"", "aa", "ab", "aa", "ab", "ad", "ad"};
	if (client->index < 2) {
		request(client, programs[client->world->variant][client->index]);
	}
}

/* --- the world --- */

/* Chooses a script in four of seven runs; known seeds lead where they led as long as each keeps its number. */
static const script *choose_script(const plain_world *world) {
	static const script *const by_number[7] = {NULL, &scripts[0], &scripts[1], &scripts[2], NULL,
		&scripts[3], NULL};
	return world->variant > 0 ? NULL : by_number[sim_choose(world->choices, 7)];
}

static mcp_session_locking choose_locking(const plain_world *world) {
	static const mcp_session_locking of_programs[] = {MCP_SESSION_LOCK, MCP_SESSION_LOCK,
		MCP_SESSION_LOCK, MCP_SESSION_MERGE, MCP_SESSION_MERGE, MCP_SESSION_LOCK,
		MCP_SESSION_MERGE};
	if (world->variant > 0) {
		return of_programs[world->variant];
	}
	if (state.script != NULL) {
		return state.script->locking;
	}
	unsigned chosen = sim_choose(world->choices, 10);
	return chosen < 4 ? MCP_SESSION_LOCK : chosen < 9 ? MCP_SESSION_MERGE : MCP_SESSION_NO_LOCK;
}

/* Stores it as another handler does, under another key, with marks of its own. */
static void prepare_foreign(plain_world *world) {
	static const char name[] = "memc.sess.key.s", data[] = "a|s:1:\"y\";b|s:1:\"y\";";
	mcp_bytes wire = mcp_bytes_of(name, sizeof(name) - 1);
	state.foreign = (mcp_key){.wire = wire, .route = mcp_bytes_of("s", 1), .is_safe = true};
	state.is_foreign_at_first = true;
	mcp_record record = {.body = mcp_bytes_of(data, sizeof(data) - 1), .ttl_ms = TTL_MS};
	mcp_store_set(world->memory, &state.foreign, &record);
	for (unsigned i = 0; i < PLAIN_CLIENTS_MAX; i++) {
		state.sessions[i].foreign = &state.foreign;
	}
}

/* Stores what is there at first: a session with a mark of nobody's, nothing, or a tombstone. */
static void prepare_session(plain_world *world) {
	mcp_session_known known = {.kind = MCP_SESSION_NOTHING};
	mcp_session_report report;
	unsigned first = world->variant > 0 ? 0 : sim_choose(world->choices, 5);
	if (state.script != NULL) {
		first = state.script->has_session ? 0 : 4;
	}
	world->is_quiet = true;
	if (first < 4) {
		static const char data[] = "a|s:1:\"z\";b|s:1:\"z\";";
		mcp_session_write(&state.sessions[0], &known, mcp_bytes_of(data, sizeof(data) - 1),
			&report);
	}
	if (first == 3) {
		mcp_pauses pauses = {.has_begun = false};
		mcp_session_start(&state.sessions[0], &known, false, &pauses);
		mcp_session_destroy(&state.sessions[0], &known, &report);
	}
	world->is_quiet = false;
	mcp_session_forget(&known);
}

static void prepare(plain_world *world) {
	for (unsigned i = 0; i < PLAIN_CLIENTS_MAX; i++) {
		mcp_session_forget(&state.known[i]);
	}
	memset(&state, 0, sizeof(state));
	plain_session_waking_prepare(world);
	state.key = plain_key(&state.buffer, MCP_SPACE_SESSION, "s");
	state.script = choose_script(world);
	state.locking = choose_locking(world);
	state.is_opaque = world->variant == 0 && state.script == NULL &&
		state.locking != MCP_SESSION_NO_LOCK && sim_chance(world->choices, 15);
	mcp_session_locking asked = state.locking;
	bool is_hasty = world->variant == 0 && sim_chance(world->choices, 20);
	if (state.is_opaque) {
		state.locking = MCP_SESSION_LOCK; /* also where it was to be merged */
	}
	for (unsigned i = 0; i < PLAIN_CLIENTS_MAX; i++) {
		state.sessions[i] = (mcp_session){
			.store = plain_session_waking_store(i),
			.environment = &world->clients[i].environment,
			.key = &state.key,
			.locking = asked,
			.format = state.is_opaque ? MCP_SESSION_IGBINARY : MCP_SESSION_PHP,
			.merge_depth = 1,
			.ttl_ms = TTL_MS,
			.lock_ttl_ms = LOCK_MS,
			.wait_ms = is_hasty ? SHORT_WAIT_MS : WAIT_MS,
			.owner = mcp_bytes_of("client", 6),
		};
	}
	if (world->variant == 0 && state.script == NULL && sim_chance(world->choices, 20)) {
		prepare_foreign(world);
	} else {
		prepare_session(world);
	}
	state.last_kind = stored(world).kind;
}

/* Notes who has written what, and by whom a session was destroyed under a lock that was held. */
static void effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_reply *before) {
	(void)before;
	plain_session_waking_effect(request, status);
	if (request->is_late && status == MCP_OK && sim_request_is_for(request, &state.key)) {
		state.has_lock_ended = true; /* it is not of who has the lock now */
	}
	if (request->is_late && !sim_request_is_for(request, &state.key)) {
		state.has_orphan[request->client] = true;
	}
	bool is_write = request->verb == SIM_ADD || request->verb == SIM_CAS;
	if (status != MCP_OK || request->operation < 0 || !is_write ||
		!sim_request_is_for(request, &state.key)) {
		return;
	}
	op *one = &state.ops[request->operation];
	mcp_session_found there = stored(world);
	one->has_effect = true;
	state.writes++;
	one->wrote_birth = there.birth;
	one->birth = one->birth != 0 ? one->birth : there.birth;
	if (there.kind == MCP_SESSION_TOMBSTONE && state.end_count < BIRTHS_MAX) {
		bool was_proper = !request->is_late && has_lock(world, request->client);
		for (unsigned i = 0; i < state.end_count; i++) {
			if (state.ends[i].birth == there.birth) {
				state.ends[i].was_proper = state.ends[i].was_proper || was_proper;
				state.ends[i].has_tombstone = true;
				return;
			}
		}
		state.ends[state.end_count++] = (end){there.birth, was_proper, true};
	}
}

static void lost(plain_world *world) {
	plain_session_waking_lost();
	for (unsigned i = 0; i < world->family->client_count; i++) {
		state.is_excused[i] = true;
	}
	state.has_lock_ended = true;
}

/* Notes what an eviction or a restart has taken along. */
static void note_loss(plain_world *world, mcp_session_kind kind) {
	bool is_lost = kind == MCP_SESSION_NOTHING && state.last_kind != MCP_SESSION_NOTHING;
	for (unsigned i = 0; i < state.op_count && is_lost; i++) {
		state.ops[i].is_gone = state.ops[i].is_gone || state.ops[i].has_effect;
	}
	bool is_eviction = world->generation == state.last_generation;
	/* With the tombstone goes what it told, also when a session had been begun over it. */
	if (is_lost && state.end_count > 0 && (is_eviction || state.locking == MCP_SESSION_LOCK)) {
		state.has_lost_tombstone = true;
	}
	state.has_lost_any =
		state.has_lost_any || (is_lost && (state.end_count > 0 || state.is_foreign_at_first));
	state.last_kind = kind;
	state.last_generation = world->generation;
}

/* Says whether what had this birth was destroyed for good. */
static bool is_ended(uint64_t birth, bool by_tombstone) {
	for (unsigned i = 0; i < state.end_count; i++) {
		bool counts = !state.has_lost_tombstone ||
			(state.locking == MCP_SESSION_LOCK && state.ends[i].was_proper);
		counts = counts && (!by_tombstone || (state.ends[i].has_tombstone && !state.has_lost_any));
		if (state.ends[i].birth == birth && birth != 0 && counts) {
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
	read_marks(there->data, marks);
	bool has_foreign = strchr(marks[0], 'y') != NULL || strchr(marks[1], 'y') != NULL;
	if (has_foreign && state.has_ended_foreign && !state.has_lost_any) {
		plain_fail(world, "E13", "a destroyed session of another handler is there again");
	}
	for (unsigned i = 0; i < state.op_count; i++) {
		char mark = (char)('A' + i);
		bool is_there = strchr(marks[0], mark) != NULL || strchr(marks[1], mark) != NULL;
		/* Who had read nothing may add to what another one has begun, but where a tombstone tells it not to. */
		if (is_there && is_ended(state.ops[i].birth, !state.ops[i].has_read)) {
			plain_fail(world, "E13", "%c has changed what is destroyed, and is there", mark);
		}
	}
}

static void check_holders(plain_world *world) {
	unsigned holders = 0;
	for (unsigned i = 0; i < world->family->client_count; i++) {
		const mcp_session_known *known = &state.known[i];
		state.has_lock_ended |= state.has_begun[i] && world->now_ms - known->read_ms >= LOCK_MS;
		holders += state.is_running[i] && known->is_held && !state.is_excused[i] &&
			!world->clients[i].is_dead && world->now_ms - known->read_ms < LOCK_MS;
	}
	if (holders > 1) {
		plain_fail(world, "E12", "%u requests hold the lock", holders);
	}
}

/* Excuses holders when all wall clocks have been put forward: they end all locks. */
static void note_clocks(plain_world *world) {
	if (world->wall_ahead_ms != state.wall_ahead_ms) {
		state.wall_ahead_ms = world->wall_ahead_ms;
		lost(world);
	}
}

/* Lets the first client stand still before its second turn is sent, until others have had the lock. */
static void stand_still(plain_world *world) {
	plain_client *first = &world->clients[0];
	bool is_late = state.script != NULL && state.script->has_late_first && !state.has_stood_still;
	bool is_at_its_end = first->operation >= 0 && first->phase == PLAIN_CALLING;
	if (is_late && is_at_its_end && first->verb == SIM_CAS) {
		plain_trace(world, "client 0 stands still");
		state.has_stood_still = true;
		first->fault = PLAIN_SOUND;
		first->phase = PLAIN_SLEEPING;
		first->due_ms = world->now_ms + 2 * OVER_MS;
	}
}

static void check(plain_world *world) {
	stand_still(world);
	mcp_session_found there = stored(world);
	note_loss(world, there.kind);
	check_ends(world, &there);
	note_clocks(world);
	check_holders(world);
	plain_session_waking_check(world);
}

/* Says whether another change of the key, which neither saw, and which was counted, may stand in its place. */
static bool is_excused(unsigned of, const char *marks) {
	const op *one = &state.ops[of];
	int section = one->kind - 'a';
	bool is_strict = state.locking == MCP_SESSION_LOCK && !state.has_lock_ended;
	for (unsigned i = 0; i < state.op_count && !is_strict; i++) {
		const op *other = &state.ops[i];
		bool is_rival = i != of && other->kind == one->kind && other->has_conflict &&
			strchr(one->seen[section], 'A' + (int)i) == NULL &&
			strchr(other->seen[section], 'A' + (int)of) == NULL;
		if (is_rival && strchr(marks, 'A' + (int)i) != NULL) {
			return true;
		}
		/* Or it had to make way itself. */
		for (unsigned j = 0; j < state.op_count && is_rival; j++) {
			if (j != i && state.ops[j].has_conflict && strchr(marks, 'A' + (int)j) != NULL) {
				return true;
			}
		}
	}
	return false;
}

/* Checks that what was acknowledged is there. */
static void check_change(plain_world *world, unsigned of, const mcp_session_found *there) {
	const op *one = &state.ops[of];
	char marks[SECTIONS][MARKS_MAX];
	bool is_there = there->kind == MCP_SESSION_VALUE;
	if (!one->is_acknowledged || one->is_gone || one->kind > 'b' ||
		(state.has_destroyer && (!is_there || there->birth != one->wrote_birth))) {
		return;
	}
	if (!is_there) {
		plain_fail(world, "E11", "%c was acknowledged, and the session is gone", 'A' + of);
		return;
	}
	read_marks(there->data, marks);
	const char *mine = marks[one->kind - 'a'];
	if (strchr(mine, 'A' + (int)of) == NULL && !is_excused(of, mine)) {
		plain_fail(world, "E11", "%c was acknowledged, and %s is there", 'A' + of, mine);
	}
}

/* Finishes: what is acknowledged is there, and the next request gets its turn. */
static void finish(plain_world *world) {
	mcp_session_known known = {.kind = MCP_SESSION_NOTHING};
	mcp_pauses pauses = {.has_begun = false};
	mcp_session_found there = stored(world);
	for (unsigned i = 0; i < state.op_count && state.locking != MCP_SESSION_NO_LOCK; i++) {
		check_change(world, i, &there);
	}
	plain_pass(world, OVER_MS);
	const mcp_session *last = &state.sessions[PLAIN_CLIENTS_MAX - 1];
	if (mcp_session_start(last, &known, false, &pauses) != MCP_OK) {
		plain_fail(world, "liveness", "the session cannot be had at the last lock's end");
	}
	mcp_session_close(last, &known);
	mcp_session_forget(&known);
}

const plain_family plain_session = {
	.name = "session",
	.client_count = 3,
	.neighbours = 3,
	PLAIN_ITEMS("sess:s", "sess:s:lock", "memc.sess.key.s"),
	PLAIN_JUMPS(LOCK_MS / 2, OVER_MS),
	.skew_ms = SKEW_MS,
	.asks_for_proofs = true,
	.prepare = prepare,
	.act = act_at_random,
	.rounds = ROUNDS,
	.run = run,
	.effect = effect,
	.lost = lost,
	.check = check,
	.finish = finish,
};
