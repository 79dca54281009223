/* OnlineCounter: requests of a few visitors of two counters, across the ends of slots. Nobody counts twice
 * in a window, nobody who came is missed unless his failed hit could not be settled, the count is of those
 * who were counted and never of more than came, and nothing is left behind. */
/* SPDX-License-Identifier: MIT */
#include "patterns/online_counter/online_counter.h"
#include "patterns/online_counter/online_slots.h"
#include "plain/families/families.h"

/* A visitor of one counter and the same person at the other are two. */
enum {
	COUNTERS = 2,
	PERSONS = 2,
	VISITORS = COUNTERS * PERSONS,
	SLOTS = 2,
	WINDOW_S = 4,
	SLOT_MS = 1000 * WINDOW_S / SLOTS,
	ROUNDS = 4,
	HITS_MAX = PLAIN_CLIENTS_MAX * ROUNDS,
	EFFECTS_MAX = 2 * HITS_MAX,
	FAULTS_THAT_SETTLING_SURVIVES = 1,
	/* The time that a second of skew and memcached's whole seconds add to an item's life. */
	LEFTOVER_MS = 3000,
};

/* One call of hit(). */
typedef struct visit {
	unsigned visitor, effects;
	uint64_t slot, ended_in;
	unsigned began_at, ended_at; /* steps, of its last effect at least */
	mcp_status status;           /* MCP_UNKNOWN until it has ended: a killed client's never does */
	bool has_ended, has_counted;
	unsigned faults;    /* of the world's, from its begin on; those of its end when it has ended */
	bool holds_mark;    /* the visitor's mark is this one's now */
	bool has_left_mark; /* and it was not taken back */
	uint64_t mark_slot;
} visit;

static struct {
	mcp_key_buffer buffers[COUNTERS], mark_buffers[VISITORS];
	mcp_key keys[COUNTERS], marks[VISITORS];
	mcp_online onlines[PLAIN_CLIENTS_MAX][COUNTERS];
	unsigned visit_count, effect_count, budget; /* of faults, at the beginning */
	visit visits[HITS_MAX];
	struct {
		const visit *made;
		uint64_t slot;
	} effects[EFFECTS_MAX]; /* what was added to slots' numbers */
} state;

static const char *const names[COUNTERS] = {"page", "shop"};
static const char *const persons[PERSONS] = {"anna", "bert"};

static const char *person_of(unsigned visitor) {
	return persons[visitor % PERSONS];
}

static unsigned counter_of(unsigned visitor) {
	return visitor / PERSONS;
}

static mcp_bytes bytes_of(const char *text) {
	return mcp_bytes_of(text, strlen(text));
}

static void prepare(plain_world *world) {
	memset(&state, 0, sizeof(state));
	state.budget = world->fault_budget;
	for (unsigned i = 0; i < COUNTERS; i++) {
		state.keys[i] = plain_key(&state.buffers[i], MCP_SPACE_ONLINE, names[i]);
		for (unsigned client = 0; client < PLAIN_CLIENTS_MAX; client++) {
			state.onlines[client][i] = (mcp_online){
				.store = &world->clients[client].door.store,
				.environment = &world->clients[client].environment,
				.key = &state.keys[i],
				.name = bytes_of(names[i]),
				.window = {WINDOW_S, SLOTS},
			};
		}
	}
	for (unsigned i = 0; i < VISITORS; i++) {
		state.marks[i] = mcp_online_mark_key(&state.onlines[0][counter_of(i)],
			&state.mark_buffers[i], bytes_of(person_of(i)));
	}
	if (world->variant == 0 && sim_chance(world->choices, 10)) {
		/* Other software's item under a mark's key. */
		const mcp_record record = {.body = bytes_of("hello")};
		unsigned visitor = sim_choose(world->choices, VISITORS);
		mcp_store_set(world->memory, &state.marks[visitor], &record);
	}
}

static uint64_t slot_now(const plain_world *world) {
	return mcp_window_slot(&state.onlines[0][0].window, PLAIN_EPOCH_MS + world->now_ms);
}

static unsigned faults_so_far(const plain_world *world) {
	return state.budget - world->fault_budget;
}

static mcp_status call_hit(unsigned client, unsigned visitor, bool *has_counted) {
	return mcp_online_hit(&state.onlines[client][counter_of(visitor)], bytes_of(person_of(visitor)),
		has_counted);
}

/* Says whether it stood still, so its mark may have been too old to count by: that is taken back without a
 * fault, or stays by one. */
static bool is_slow(const visit *made) {
	return made->ended_in > made->slot + 1;
}

/* False if it failed. */
static bool hit(plain_client *client, unsigned visitor) {
	plain_world *world = client->world;
	client->operation = (int)state.visit_count++;
	visit *made = &state.visits[client->operation];
	*made = (visit){
		.visitor = visitor,
		.slot = slot_now(world),
		.began_at = world->steps,
		.ended_at = world->steps,
		.faults = faults_so_far(world),
		.status = MCP_UNKNOWN,
	};
	made->status = call_hit(client->index, visitor, &made->has_counted);
	client->operation = -1;
	made->has_ended = true;
	made->ended_in = slot_now(world);
	made->ended_at = world->steps;
	made->faults = faults_so_far(world) - made->faults;
	plain_trace(world, "client %u: %s of %s in slot %llu -> %d, counted %d", client->index,
		person_of(visitor), names[counter_of(visitor)], (unsigned long long)made->slot,
		(int)made->status, made->has_counted);
	if (made->has_counted && made->effects != 1) {
		plain_fail(world, "O2", "%s was counted %u times by the hit that says it did",
			person_of(visitor), made->effects);
	}
	bool may_be_left = made->faults > FAULTS_THAT_SETTLING_SURVIVES || is_slow(made);
	if (!made->has_counted && made->holds_mark && !may_be_left) {
		plain_fail(world, "O2", "%s did not count and left a mark", person_of(visitor));
	}
	return made->status == MCP_OK;
}

/* Hits again if it failed and the server is asked again. */
static void hit_until_told(plain_client *client, unsigned visitor) {
	if (!hit(client, visitor)) {
		plain_sleep(client, SLOT_MS / 2);
		hit(client, visitor);
	}
}

static void act(plain_client *client) {
	sim_choices *choices = client->world->choices;
	hit(client, sim_choose(choices, VISITORS));
	if (sim_chance(choices, 50)) {
		plain_sleep(client, sim_choose(choices, 2 * SLOT_MS));
	}
}

/* Runs for the search: one visitor's requests at once; the same in a slot where he counts
 * again. */
static void run(plain_client *client) {
	switch (client->world->variant) {
		case 1:
			if (client->index < 2) {
				hit_until_told(client, 0);
			}
			return;
		default:
			if (client->index == 0) {
				hit(client, 0);
				plain_sleep(client, WINDOW_S * 1000);
				hit_until_told(client, 0);
			} else if (client->index == 1) {
				plain_sleep(client, WINDOW_S * 1000);
				hit(client, 0);
			}
			return;
	}
}

/* Reads a key's number behind the last ':'; a mark's before the token. */
static uint64_t slot_in(const char *text, unsigned length) {
	uint64_t slot = 0;
	for (unsigned i = 0; i < length && text[i] != ' '; i++) {
		slot = text[i] == ':' ? 0 : slot * 10 + (uint64_t)(text[i] - '0');
	}
	return slot;
}

/* Notes an addition to a slot's number, which is a hit's doing. */
static void note_count(visit *made, const sim_request *request) {
	bool adds = request->verb == SIM_INCREMENT || request->verb == SIM_ADD;
	if (!adds || state.effect_count == EFFECTS_MAX) {
		return;
	}
	made->effects++;
	state.effects[state.effect_count].made = made;
	state.effects[state.effect_count++].slot = slot_in(request->name, request->name_length);
}

static void note_mark(visit *made, const sim_request *request) {
	bool is_gone = request->verb == SIM_DELETE_IF;
	for (unsigned i = 0; i < state.visit_count; i++) {
		visit *other = &state.visits[i];
		if (other->visitor == made->visitor) {
			other->has_left_mark = other->has_left_mark && !(is_gone && other->holds_mark);
			other->holds_mark = false;
		}
	}
	if (!is_gone) {
		made->holds_mark = made->has_left_mark = true;
		made->mark_slot = slot_in(request->bytes, request->length);
	}
}

static void effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_reply *before) {
	(void)before;
	if (status != MCP_OK) {
		return;
	}
	visit *made = &state.visits[request->operation];
	made->ended_at = world->steps;
	if (request->name_length > 7 && memcmp(request->name, "online:", 7) == 0) {
		note_count(made, request);
	} else if (sim_request_is_for(request, &state.marks[made->visitor])) {
		note_mark(made, request);
	}
}

static bool has_failed(const visit *made) {
	return !made->has_ended || made->status != MCP_OK;
}

/* Finds one that failed at the same time: the mark that it leaves and takes back is there and gone for the other. */
static bool has_failed_beside(const visit *failed, const visit *made) {
	bool is_beside = made->ended_at >= failed->began_at && failed->ended_at >= made->began_at;
	return failed != made && failed->visitor == made->visitor && has_failed(failed) && is_beside;
}

/* Finds one that was killed, could not be settled or came late, as long as its mark lets nobody count. */
static bool was_kept_by(const visit *made, const visit *other) {
	bool is_kept = made->visitor == other->visitor && !other->has_counted && other->has_left_mark &&
		made->slot < other->mark_slot + SLOTS;
	return is_kept || has_failed_beside(other, made);
}

/* Says whether it may count twice: taking a mark back deletes an older one with it, and who is under way counts
 * once more. */
static bool may_count_twice(const visit *made) {
	bool may = has_failed(made);
	for (unsigned i = 0; i < state.visit_count; i++) {
		may = may || has_failed_beside(&state.visits[i], made);
	}
	return may;
}

/* Says whether it may be missing: it failed, or the visitor had a hit that stood still with its mark left and
 * not yet counted. */
static bool may_be_missing(const visit *made) {
	bool may = has_failed(made);
	for (unsigned i = 0; i < state.visit_count; i++) {
		const visit *other = &state.visits[i];
		bool is_slow_one = other->visitor == made->visitor && is_slow(other);
		may = may || is_slow_one || was_kept_by(made, other);
	}
	return may;
}

static unsigned count_between(unsigned visitor, uint64_t from, uint64_t to, bool with_doubtful) {
	unsigned number = 0;
	for (unsigned i = 0; i < state.effect_count; i++) {
		const visit *made = state.effects[i].made;
		bool is_in = state.effects[i].slot >= from && state.effects[i].slot <= to;
		bool is_wanted = made->visitor == visitor && (with_doubtful || !may_count_twice(made));
		number += is_wanted && is_in ? 1 : 0;
	}
	return number;
}

/* Checks from the slots that keep it from counting to the one it ended in. */
static void check_visit(plain_world *world, const visit *made) {
	uint64_t from = made->slot - (SLOTS - 1);
	if (!may_be_missing(made) && count_between(made->visitor, from, made->ended_in, true) == 0) {
		plain_fail(world, "O2", "%s came in slot %llu and was not counted",
			person_of(made->visitor), (unsigned long long)made->slot);
	}
}

static void check_window(plain_world *world, const visit *made, uint64_t slot) {
	if (count_between(made->visitor, slot, slot + SLOTS - 1, false) > 1) {
		plain_fail(world, "O2", "%s was counted twice in the window from slot %llu",
			person_of(made->visitor), (unsigned long long)slot);
	}
	if (slot < made->slot || (made->has_ended && slot > made->ended_in)) {
		plain_fail(world, "O4", "%s came in slot %llu and was counted in %llu",
			person_of(made->visitor), (unsigned long long)made->slot, (unsigned long long)slot);
	}
}

static bool came_between(unsigned visitor, uint64_t from, uint64_t to) {
	for (unsigned i = 0; i < state.visit_count; i++) {
		const visit *made = &state.visits[i];
		bool is_in = made->slot <= to && (!made->has_ended || made->ended_in >= from);
		if (made->visitor == visitor && is_in) {
			return true;
		}
	}
	return false;
}

static void check_count(plain_world *world, unsigned counter) {
	mcp_key keys[SLOTS + 3];
	mcp_key_buffer buffers[SLOTS + 3];
	mcp_reply replies[SLOTS + 3];
	uint64_t numbers[SLOTS + 3];
	const mcp_slots_scratch scratch = {keys, buffers, replies, numbers};
	uint64_t from = slot_now(world) - SLOTS, to = slot_now(world) - 1;
	uint64_t expected = 0, most = 0;
	for (unsigned i = 0; i < PERSONS; i++) {
		unsigned visitor = counter * PERSONS + i;
		unsigned counted = count_between(visitor, from, to, true);
		expected += counted;
		most += counted - count_between(visitor, from, to, false);
		most += came_between(visitor, from, to) ? 1 : 0;
	}
	uint64_t count = 0;
	mcp_status status = mcp_online_count(&state.onlines[0][counter], &scratch, &count);
	if (status != MCP_OK || count != expected) {
		plain_fail(world, "O3", "count is %llu, and %llu were counted (status %d)",
			(unsigned long long)count, (unsigned long long)expected, (int)status);
	}
	if (count > most) {
		plain_fail(world, "O3", "count is %llu, and only %llu came", (unsigned long long)count,
			(unsigned long long)most);
	}
}

static void check_leftovers(plain_world *world, uint64_t first_slot) {
	mcp_item item;
	for (unsigned i = 0; i < VISITORS; i++) {
		if (plain_peek(world, &state.marks[i], &item) == MCP_OK) {
			plain_fail(world, "O1", "the mark of %s stays", person_of(i));
		}
	}
	for (uint64_t slot = first_slot; slot <= slot_now(world); slot++) {
		for (unsigned i = 0; i < COUNTERS; i++) {
			mcp_key_buffer buffer;
			mcp_key key = mcp_online_slot_key(&state.onlines[0][i], &buffer, slot);
			if (plain_peek(world, &key, &item) == MCP_OK) {
				plain_fail(world, "O1", "the number of slot %llu stays", (unsigned long long)slot);
			}
		}
	}
}

static void finish(plain_world *world) {
	for (unsigned i = 0; i < state.visit_count; i++) {
		check_visit(world, &state.visits[i]);
	}
	for (unsigned i = 0; i < state.effect_count; i++) {
		check_window(world, state.effects[i].made, state.effects[i].slot);
	}
	for (unsigned i = 0; i < (SLOTS + 1) * COUNTERS; i++) {
		check_count(world, i % COUNTERS);
		plain_pass(world, i % COUNTERS == COUNTERS - 1 ? SLOT_MS : 0);
	}
	/* Whatever went wrong: after a window everybody counts again. */
	plain_pass(world, WINDOW_S * 1000);
	for (unsigned visitor = 0; visitor < VISITORS; visitor++) {
		bool has_counted = false;
		call_hit(0, visitor, &has_counted);
		if (!has_counted) {
			plain_fail(world, "liveness", "%s does not count any more", person_of(visitor));
		}
	}
	plain_pass(world, WINDOW_S * 1000 + SLOT_MS + LEFTOVER_MS);
	check_leftovers(world, mcp_window_slot(&state.onlines[0][0].window, PLAIN_EPOCH_MS));
}

const plain_family plain_online = {
	.name = "online",
	.client_count = 3,
	PLAIN_JUMPS(SLOT_MS / 2, SLOT_MS, 2 * SLOT_MS),
	.prepare = prepare,
	.act = act,
	.rounds = ROUNDS,
	.run = run,
	.effect = effect,
	.finish = finish,
};
