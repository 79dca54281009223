/* Depth-first search over the choices of the next step. Each schedule runs from its beginning with a prefix of
 * choices. A state that was seen (servers, clients, what they received, and the order of ends and beginnings) is
 * not followed again. Only events that others can observe are choices: arriving requests, and time. */
/* SPDX-License-Identifier: MIT */
#include "cache/explore.h"

#include "cache/explore_cases.h"
#include "cache/programs/liveness.h"
#include "world/choices.h"

#include <stdlib.h>

enum {
	DEPTH_MAX = 200,
	OPTIONS_MAX = 40,
	SEEN_MIN = 1 << 12,
	SEEN_MAX = 1 << 21,
};

/* A possible next event. */
typedef struct option {
	enum { STEP, TEAR, LAND, JUMP, LOSE_REQUEST, LOSE_REPLY, LATE, KILL, KILL_DONE } kind;
	unsigned index; /* client or late request */
} option;

typedef struct search {
	sim_world *world;
	sim_exploration *exploration;
	sim_scenario scenario;
	sim_choices choices;
	unsigned faults, jumps; /* in this schedule */
	FILE *trace;            /* NULL: silent */
	bool has_moved[SIM_EXPLORED_CLIENTS_MAX];
	sim_entry *unsent[SIM_EXPLORED_CLIENTS_MAX]; /* began, nothing sent yet; NULL: none */
} search;

/* States of this exploration. Most explorations have few, and a growing table stays in the processor's cache. */
static struct {
	uint64_t mask;
	uint64_t count;
	uint64_t slots[SEEN_MAX];
} seen;

static void forget_seen(uint64_t size) {
	memset(seen.slots, 0, size * sizeof(seen.slots[0]));
	seen.mask = size - 1;
	seen.count = 0;
}

static bool enter(uint64_t key) {
	uint64_t at = key >> 8 & seen.mask;
	while (seen.slots[at] != 0 && seen.slots[at] != key) {
		at = (at + 1) & seen.mask;
	}
	bool is_new = seen.slots[at] == 0;
	seen.slots[at] = key;
	seen.count += is_new;
	return is_new;
}

/* Doubles the table. At its maximum size it is emptied, and pruned states are followed again. */
static void grow_seen(void) {
	uint64_t size = seen.mask + 1;
	if (size == SEEN_MAX) {
		forget_seen(size);
		return;
	}
	uint64_t *kept = malloc(size * sizeof(*kept));
	if (kept == NULL) {
		abort();
	}
	memcpy(kept, seen.slots, size * sizeof(*kept));
	forget_seen(2 * size);
	for (uint64_t i = 0; i < size; i++) {
		if (kept[i] != 0) {
			enter(kept[i]);
		}
	}
	free(kept);
}

static bool see(uint64_t key) {
	if (seen.count > seen.mask / 2) {
		grow_seen();
	}
	return enter(key | 1);
}

static uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t length) {
	for (; length >= 8; bytes += 8, length -= 8) {
		uint64_t word;
		memcpy(&word, bytes, sizeof(word));
		hash = (hash ^ word) * 0x9FB21C651E98DF25u;
		hash ^= hash >> 32;
	}
	uint64_t rest = length;
	memcpy(&rest, bytes, length);
	return sim_mix(hash ^ rest);
}

static uint64_t hash_client(const sim_client *client) {
	uint64_t hash =
		client->observed ^ ((uint64_t)client->phase << 60) ^ ((uint64_t)client->calls << 40);
	hash ^= (uint64_t)client->call.next << 50;
	hash ^= client->paused_ms << 8;
	if (client->phase == SIM_SENDING || client->phase == SIM_REPLYING) {
		hash = sim_call_hash(client, hash);
	}
	return sim_mix(hash ^ ((uint64_t)client->call.failure << 36) ^ ((uint64_t)client->task << 30));
}

static uint64_t hash_item(const sim_item *item, uint64_t hash) {
	hash = sim_mix(hash + item->is_present);
	if (item->is_present) {
		hash = sim_mix(hash ^ item->cas ^ ((uint64_t)item->flags << 32) ^ item->expires_ms << 20);
		hash = hash_bytes(hash, item->bytes, item->length);
	}
	return hash;
}

static uint64_t hash_server(const sim_world *world, const sim_server *server, uint64_t hash) {
	for (unsigned i = 0; i < 2 * world->scenario->key_count; i++) {
		hash = hash_item(&server->items[i], hash);
	}
	for (unsigned i = 0; i < SIM_OTHERS_MAX && world->others[i][0] != 0; i++) {
		hash = hash_item(&server->items[SIM_OF_KEYS + i], hash);
	}
	return hash;
}

static uint64_t hash_world(const search *run) {
	const sim_world *world = run->world;
	uint64_t hash =
		sim_mix(world->now_ms ^ ((uint64_t)run->faults << 50) ^ ((uint64_t)run->jumps << 55));
	for (unsigned i = 0; i < world->server_count; i++) {
		hash = hash_server(world, &world->servers[i], hash);
	}
	for (unsigned i = 0; i < run->exploration->clients; i++) {
		hash = sim_mix(hash ^ hash_client(&world->clients[i]));
	}
	uint64_t order = 0;
	for (unsigned i = 0; i < world->entry_count; i++) {
		const sim_entry *entry = &world->entries[i];
		order +=
			sim_mix(entry->preceded_by ^ sim_entry_id(entry) ^ ((uint64_t)entry->is_ended << 20));
	}
	for (unsigned i = 0; i < world->late_count; i++) {
		order += sim_mix(0xABC ^ ((uint64_t)world->late[i].client << 32) ^ world->late[i].serial);
	}
	return sim_mix(hash ^ order);
}

/* Lets a client continue. No other client can observe a begun operation before its first request arrives, so the
 * entry begins then, which leaves the fewest possible orders. */
static void advance(search *run, unsigned index) {
	sim_client *client = &run->world->clients[index];
	sim_world_advance(run->world, client);
	sim_entry *entry = sim_current_entry(client);
	if (client->phase == SIM_SENDING && entry != NULL && entry->calls == 1 &&
		client->call.next == 0) {
		entry->preceded_by = 0;
		run->unsent[index] = entry;
	}
}

static void begin_entry(search *run, unsigned index) {
	sim_entry *entry = run->unsent[index];
	if (entry != NULL) {
		entry->preceded_by = run->world->ended_hash;
		entry->started = ++run->world->moment;
		run->unsent[index] = NULL;
	}
}

/* True if no other client can observe when this client continues: it takes a reply or ends a pause, and no
 * observable time passes. */
static bool is_by_itself(const search *run, const sim_client *client) {
	bool may_jump = run->exploration->jump_ms > 0 && run->jumps == 0;
	return !may_jump &&
		(client->phase == SIM_SLEEPING ||
			(client->phase == SIM_REPLYING && !sim_world_may_be_torn(client)));
}

/* Advances each client to its next observable step. */
static void settle(search *run) {
	for (unsigned i = 0; i < run->exploration->clients; i++) {
		while (!sim_world_has_failed(run->world) && is_by_itself(run, &run->world->clients[i])) {
			advance(run, i);
		}
	}
}

static void begin(search *run) {
	sim_world *world = run->world;
	sim_world_prepare(world, &run->scenario);
	world->is_choosing = true;
	sim_explore_set_up(world, run->exploration->state);
	world->log.trace = run->trace;
	run->faults = 0;
	run->jumps = 0;
	for (unsigned i = 0; i < run->exploration->clients; i++) {
		sim_world_start_client(world, &world->clients[i]);
		run->has_moved[i] = false;
		run->unsent[i] = NULL;
	}
	world->client_count = run->exploration->clients;
	settle(run);
}

static void offer(option *options, unsigned *count, int kind, unsigned index) {
	if (*count < OPTIONS_MAX) {
		options[(*count)++] = (option){kind, index};
	}
}

/* True if the client has made the maximum number of calls. */
static bool is_cut_off(const search *run, const sim_client *client) {
	return client->calls > run->exploration->calls_max && client->phase != SIM_DONE;
}

/* True if the client must wait: an earlier client with the same operation has not moved yet. */
static bool is_second(const search *run, unsigned index) {
	const unsigned *operations = run->exploration->operations;
	return index > 0 && operations[index] == operations[index - 1] && !run->has_moved[index - 1];
}

static unsigned list_options(const search *run, option *options) {
	const sim_world *world = run->world;
	unsigned count = 0;
	for (unsigned i = 0; i < run->exploration->clients; i++) {
		const sim_client *client = &world->clients[i];
		if (client->phase == SIM_DONE || is_cut_off(run, client) || is_second(run, i)) {
			continue;
		}
		offer(options, &count, STEP, i);
		if (sim_world_may_tear(world, client)) {
			offer(options, &count, TEAR, i);
		}
		if (client->phase == SIM_SENDING && run->faults < run->exploration->faults_max) {
			bool is_read = sim_verb_is_read(client->call.requests[0].verb);
			offer(options, &count, LOSE_REQUEST, i);
			offer(options, &count, KILL, i);
			if (!is_read) {
				offer(options, &count, LOSE_REPLY, i);
				offer(options, &count, LATE, i);
				offer(options, &count, KILL_DONE, i);
			}
		}
	}
	for (unsigned i = 0; i < world->late_count; i++) {
		offer(options, &count, LAND, i);
	}
	if (count > 0 && run->exploration->jump_ms > 0 && run->jumps == 0) {
		offer(options, &count, JUMP, 0);
	}
	return count;
}

/* Lets time pass. A client that has read a clock began before that. */
static void jump(search *run) {
	run->jumps++;
	for (unsigned i = 0; i < run->exploration->clients; i++) {
		begin_entry(run, i);
	}
	sim_trace_world(run->world, "%u ms go by", run->exploration->jump_ms);
	sim_world_move_time(run->world, run->world->now_ms + run->exploration->jump_ms);
}

static void take(search *run, const option *chosen) {
	sim_world *world = run->world;
	sim_client *client = &world->clients[chosen->index];
	run->faults += chosen->kind > JUMP;
	if (chosen->kind != LAND && chosen->kind != JUMP) {
		run->has_moved[chosen->index] = true;
		begin_entry(run, chosen->index);
	}
	switch (chosen->kind) {
		case STEP:
			advance(run, chosen->index);
			break;
		case TEAR:
			world->tears = true;
			advance(run, chosen->index);
			world->tears = false;
			break;
		case LAND:
			sim_world_land_late(world, chosen->index);
			break;
		case JUMP:
			jump(run);
			break;
		case LATE:
			sim_world_detach(world, client, world->now_ms);
			/* fallthrough */
		case LOSE_REQUEST:
			sim_world_leave_unanswered(world, client, world->now_ms);
			break;
		case LOSE_REPLY:
			client->call.is_reply_lost = true;
			client->call.deadline_ms = world->now_ms;
			sim_world_advance(world, client);
			break;
		case KILL_DONE:
			client->call.is_killed_after = true;
			sim_world_advance(world, client);
			break;
		case KILL:
			sim_world_kill(world, client);
			client->task = run->scenario.task_count;
			break;
	}
	settle(run);
}

static bool is_cut(const search *run) {
	for (unsigned i = 0; i < run->exploration->clients; i++) {
		if (is_cut_off(run, &run->world->clients[i])) {
			return true;
		}
	}
	return false;
}

/* Follows the prefix, then always the first choice. False at a state that was seen. */
static bool follow(search *run) {
	begin(run);
	option options[OPTIONS_MAX];
	for (unsigned step = 0; step < DEPTH_MAX && !sim_world_has_failed(run->world); step++) {
		bool is_new = run->trace == NULL && sim_choices_are_new(&run->choices);
		if (is_new && !see(hash_world(run))) {
			return false;
		}
		unsigned count = list_options(run, options);
		if (count == 0) {
			run->exploration->cut += is_cut(run);
			return true;
		}
		take(run, &options[sim_choose(&run->choices, count)]);
	}
	run->exploration->cut += !sim_world_has_failed(run->world);
	return true;
}

/* From here on, time decides. The key must become fresh again, and the history must be explainable. */
static void end(search *run) {
	sim_world *world = run->world;
	if (sim_world_has_failed(world)) {
		return;
	}
	world->is_choosing = false;
	sim_liveness_begin(world);
	sim_world_run_until(world, UINT64_MAX);
	sim_liveness_end(world);
}

static void show(search *run, FILE *trace) {
	sim_choices_again(&run->choices);
	run->trace = trace;
	follow(run);
	end(run);
	run->world->log.trace = NULL;
}

bool sim_explore(sim_world *world, sim_exploration *exploration, FILE *trace) {
	search run = {
		.world = world,
		.exploration = exploration,
		.choices = sim_choices_of_search(),
	};
	forget_seen(SEEN_MIN);
	sim_explore_make(&run.scenario, exploration);
	world->log.trace = NULL;
	do {
		if (!follow(&run)) {
			exploration->pruned++;
			continue;
		}
		exploration->schedules++;
		end(&run);
		if (sim_world_has_failed(world)) {
			if (trace != NULL) {
				show(&run, trace);
			}
			return false;
		}
	} while (sim_choices_next(&run.choices));
	return true;
}
