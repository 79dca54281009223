/* The steps of the world: sending, arriving, answering, faults, and time. Each is small and happens
 * at one moment; schedulers only decide which comes next. */
/* SPDX-License-Identifier: MIT */
#include "world.h"

#include "checks.h"
#include "client.h"
#include "liveness.h"
#include "programs.h"
#include "trace.h"
#include "values.h"

#include <stdarg.h>

static void prepare_client(sim_world *world, unsigned index) {
	sim_client *client = &world->clients[index];
	sim_client_connect(client, world, index);
	client->phase = SIM_DONE;
	client->random = sim_mix(world->scenario->seed * 31 + index + 1);
	client->skew_ms = world->scenario->skews_ms[index];
	client->generation = UINT32_MAX;
	client->shunned_until_ms = 0;
	client->paused_ms = 0;
	client->calls = 0;
	client->task = 0;
	client->entry = -1;
	client->begun = 0;
	client->is_at_many = false;
	client->observed = index;
	client->call.count = 0;
	client->unsettled = 0;
	client->has_blind_count = false;
	client->view = 0;
}

/* The timed faults by their time. */
static void order_faults(sim_world *world) {
	const sim_scenario *scenario = world->scenario;
	world->timed_count = 0;
	for (unsigned i = 0; i < scenario->fault_count; i++) {
		if (!sim_fault_is_timed(scenario->faults[i].kind)) {
			continue;
		}
		uint64_t at_ms = scenario->faults[i].at_ms;
		unsigned at = world->timed_count++;
		while (at > 0 && scenario->faults[world->fault_order[at - 1]].at_ms > at_ms) {
			world->fault_order[at] = world->fault_order[at - 1];
			at--;
		}
		world->fault_order[at] = (uint8_t)i;
	}
}

void sim_world_prepare(sim_world *world, sim_scenario *scenario) {
	world->scenario = scenario;
	world->now_ms = SIM_START_MS;
	world->step = 1;
	world->cas_ids = 0;
	world->down_from_ms = world->down_until_ms = world->frozen_until_ms = 0;
	world->is_choosing = world->merges_replies = world->is_probing = world->is_quiet = false;
	world->has_clock_moves = false;
	world->faults_done = world->late_count = world->entry_count = 0;
	world->ended_hash = 0;
	world->call_count = world->moment = 0;
	for (unsigned i = 0; i < SIM_KEYS_MAX; i++) {
		world->side_lost[i] = 0;
		world->has_lost_frozen[i] = false;
	}
	world->failure.invariant = NULL;
	world->seen.epoch_count = world->seen.counter_count = world->seen.election_count = 0;
	world->seen.last_side_writer = NULL;
	for (unsigned i = 0; i < SIM_ITEMS_MAX; i++) {
		world->server.items[i].is_present = false;
		world->server.items[i].length = 0;
	}
	world->server.last_cas = 0;
	world->server.generation = 0;
	world->client_count = scenario->client_count;
	for (unsigned i = 0; i < SIM_CLIENTS_MAX; i++) {
		prepare_client(world, i);
	}
	order_faults(world);
}

void sim_world_fail(sim_world *world, const char *invariant, const char *format, ...) {
	if (sim_world_has_failed(world)) {
		return;
	}
	world->failure.invariant = invariant;
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(world->failure.text, sizeof(world->failure.text), format, arguments);
	va_end(arguments);
	sim_trace_failure(world);
}

static void run_tasks(void *argument) {
	sim_client *client = argument;
	sim_world *world = client->world;
	const sim_scenario *scenario = world->scenario;
	for (; client->task < scenario->task_count; client->task++) {
		const sim_task *task = &scenario->tasks[client->task];
		if (task->client != client->index) {
			continue;
		}
		uint64_t start_ms = SIM_START_MS + task->start_ms;
		if (world->now_ms < start_ms) {
			sim_world_sleep(client, start_ms);
		}
		sim_program_run(client, task);
		client->entry = -1;
	}
	client->phase = SIM_DONE;
}

void sim_world_start_client(sim_world *world, sim_client *client) {
	client->phase = SIM_SLEEPING;
	client->due_ms = world->now_ms;
	sim_fiber_start(&client->fiber, run_tasks, client);
}

static void run_probe(void *argument) {
	sim_client *client = argument;
	sim_program_run(client, &client->probe);
	client->entry = -1;
	client->phase = SIM_DONE;
}

void sim_world_start_probe(sim_world *world, sim_client *client) {
	client->phase = SIM_SLEEPING;
	client->due_ms = world->now_ms;
	sim_fiber_start(&client->fiber, run_probe, client);
}

/* An entry that no client made, at this very step. */
static sim_entry *note_fault(sim_world *world, sim_entry_kind kind, unsigned key) {
	if (world->entry_count == SIM_ENTRIES_MAX) {
		return NULL;
	}
	sim_entry *entry = &world->entries[world->entry_count++];
	*entry = (sim_entry){
		.kind = kind,
		.client = SIM_CLIENTS_MAX,
		.key = (uint8_t)key,
		.is_ended = true,
		.started = world->moment + 1,
		.ended = world->moment + 2,
		.origin = -1,
	};
	world->moment += 2;
	return entry;
}

/* The number that an envelope with a running one falls back to; false when there is none. */
static bool number_in_envelope(const sim_world *world, unsigned key, int64_t *number) {
	sim_envelope found;
	if (!sim_open(&world->server.items[2 * key], key, &found)) {
		return false;
	}
	sim_value value = sim_value_decode(found.payload, found.flags, key);
	*number = value.number;
	return found.envelope.has_value && found.envelope.has_counter && sim_value_is_number(&value);
}

static void remove_item(sim_world *world, unsigned item) {
	sim_item *lost = &world->server.items[item];
	if (sim_item_is_side(item)) {
		bool is_frozen = lost->length > 0 && lost->bytes[0] == '=';
		world->side_lost[item / 2] = ++world->moment;
		world->has_lost_frozen[item / 2] = world->has_lost_frozen[item / 2] || is_frozen;
	}
	lost->is_present = false;
	lost->length = 0;
}

static void lose(sim_world *world, unsigned item) {
	if (!world->server.items[item].is_present) {
		return;
	}
	world->step++;
	unsigned key = item / 2;
	int64_t number;
	if (!sim_item_is_side(item)) {
		note_fault(world, SIM_ENTRY_LOST, key);
	} else if (number_in_envelope(world, key, &number)) {
		sim_entry *entry = note_fault(world, SIM_ENTRY_SIDE_LOST, key);
		if (entry != NULL) {
			entry->by = number;
		}
	}
	remove_item(world, item);
}

/* Once nobody may be served from the envelope. */
static bool has_ended(const sim_world *world, unsigned key) {
	sim_envelope found;
	return sim_open(&world->server.items[2 * key], key, &found) &&
		found.envelope.hard_ms <= SIM_EPOCH_MS + world->now_ms + world->scenario->lease_ms;
}

/* An envelope's end is known to the model. A running number's is not as long as somebody may be served
 * from its envelope, because it must not come first (where clocks agree well enough to tell). */
static void expire(sim_world *world, unsigned item) {
	sim_trace_world(world, "%s has expired", sim_item_name(item));
	if (!sim_item_is_side(item)) {
		lose(world, item);
	} else if (world->scenario->is_wild || has_ended(world, item / 2)) {
		lose(world, item);
	} else {
		remove_item(world, item);
	}
}

void sim_world_move_time(sim_world *world, uint64_t to_ms) {
	if (to_ms <= world->now_ms) {
		return;
	}
	world->now_ms = to_ms;
	for (unsigned i = 0; i < 2 * world->scenario->key_count; i++) {
		const sim_item *item = &world->server.items[i];
		if (item->is_present && item->expires_ms != 0 && item->expires_ms <= to_ms) {
			expire(world, i);
		}
	}
}

/* Side keys first: whoever is just starting a number again may still do so before the value is gone. */
static void lose_all(sim_world *world) {
	for (unsigned i = 0; i < SIM_ITEMS_MAX; i += 2) {
		lose(world, i + 1);
		lose(world, i);
	}
}

static void restart(sim_world *world) {
	lose_all(world);
	sim_server_restart(&world->server);
	world->late_count = 0;
	for (unsigned i = 0; i < SIM_CLIENTS_MAX; i++) {
		sim_client *client = &world->clients[i];
		if (client->phase != SIM_REPLYING || client->call.failure != MCP_OK) {
			continue;
		}
		/* Its answer dies with the connection: a read is sent again, a write is not. */
		if (sim_verb_is_read(client->call.requests[0].verb)) {
			client->phase = SIM_SENDING;
			client->call.next = 0;
		} else {
			client->call.failure = MCP_UNKNOWN;
			client->call.answered = 0;
		}
		client->due_ms = world->now_ms;
		client->generation = world->server.generation;
	}
}

/* What somebody else's program might leave under our key: nothing of it may ever be served. */
static void garble(sim_world *world, const sim_fault *fault) {
	unsigned key = fault->item / 2;
	sim_item *item = &world->server.items[2 * key];
	const sim_item *other = &world->server.items[2 * ((key + 1) % SIM_KEYS_MAX)];
	world->step++;
	switch (fault->amount_ms & 3) {
		case 0:
			item->flags = MCP_FLAG_ENVELOPE;
			item->length = (uint16_t)(item->is_present && item->length > 0 ? item->length - 1 : 0);
			break;
		case 1:
			if (other->is_present) {
				sim_item_copy(item, other);
				break;
			}
			/* fallthrough */
		case 2:
			item->flags = 0;
			item->length = 5;
			memcpy(item->bytes, "hello", 5);
			break;
		default:
			item->flags = 1;
			item->length = 2;
			memcpy(item->bytes, "42", 2);
			break;
	}
	item->is_present = true;
	item->expires_ms = 0;
	item->cas = ++world->server.last_cas + ((uint64_t)SIM_CLIENTS_MAX << 40);
	note_fault(world, SIM_ENTRY_GARBLED, key);
}

void sim_world_strike(sim_world *world, const sim_fault *fault) {
	world->step++;
	sim_trace_world(world, "%s %s %d", sim_fault_name(fault->kind),
		fault->kind == SIM_EVICT || fault->kind == SIM_GARBLE ? sim_item_name(fault->item) : "",
		(int)fault->amount_ms);
	uint64_t end_ms = world->now_ms + (uint64_t)fault->amount_ms;
	switch (fault->kind) {
		case SIM_EVICT:
			lose(world, fault->item);
			break;
		case SIM_FLUSH:
			lose_all(world);
			break;
		case SIM_RESTART:
			restart(world);
			break;
		case SIM_DOWN:
			world->down_until_ms = end_ms;
			break;
		case SIM_FREEZE:
			world->frozen_until_ms = end_ms;
			break;
		case SIM_MOVE_CLOCK:
			if (fault->client == SIM_CLIENTS_MAX) {
				sim_world_move_time(world, end_ms);
			} else {
				world->clients[fault->client].skew_ms += fault->amount_ms;
			}
			break;
		case SIM_GARBLE:
			garble(world, fault);
			break;
		default:
			break;
	}
}

/* The earliest of all that is under way; false when nothing is. */
typedef struct next_event {
	enum { OF_CLIENT, OF_LATE, OF_FAULT } source;
	unsigned index;
	uint64_t due_ms;
} next_event;

static bool find_next(const sim_world *world, next_event *next) {
	next->due_ms = UINT64_MAX;
	/* Who comes first at the same moment differs from moment to moment. */
	unsigned turn = (unsigned)(sim_mix(world->scenario->seed + world->step) & 0xFF);
	for (unsigned i = 0; i < world->client_count; i++) {
		unsigned index = (i + turn) % world->client_count;
		const sim_client *client = &world->clients[index];
		if (client->phase != SIM_DONE && client->due_ms < next->due_ms) {
			*next = (next_event){OF_CLIENT, index, client->due_ms};
		}
	}
	for (unsigned i = 0; i < world->late_count; i++) {
		if (world->late[i].due_ms < next->due_ms) {
			*next = (next_event){OF_LATE, i, world->late[i].due_ms};
		}
	}
	if (world->faults_done < world->timed_count && !world->is_probing) {
		unsigned index = world->fault_order[world->faults_done];
		uint64_t at_ms = SIM_START_MS + world->scenario->faults[index].at_ms;
		if (at_ms < next->due_ms && next->due_ms != UINT64_MAX) {
			*next = (next_event){OF_FAULT, index, at_ms};
		}
	}
	return next->due_ms != UINT64_MAX;
}

void sim_world_run_until(sim_world *world, uint64_t end_ms) {
	next_event next = {OF_CLIENT, 0, 0};
	while (!sim_world_has_failed(world) && find_next(world, &next) && next.due_ms < end_ms) {
		sim_world_move_time(world, next.due_ms);
		if (next.source == OF_CLIENT) {
			sim_world_advance(world, &world->clients[next.index]);
		} else if (next.source == OF_LATE) {
			sim_world_land_late(world, next.index);
		} else {
			world->faults_done++;
			sim_world_strike(world, &world->scenario->faults[next.index]);
		}
		if (world->step > SIM_STEPS_MAX) {
			sim_world_fail(world, "liveness", "%u steps, and no end", world->step);
		}
	}
}

void sim_world_run(sim_world *world) {
	const sim_scenario *scenario = world->scenario;
	for (unsigned i = 0; i < world->client_count; i++) {
		sim_world_start_client(world, &world->clients[i]);
	}
	sim_world_run_until(world,
		scenario->ends_at_ms == 0 ? UINT64_MAX : SIM_START_MS + scenario->ends_at_ms);
	if (!sim_world_has_failed(world)) {
		sim_liveness_begin(world);
		sim_world_run_until(world, UINT64_MAX);
		sim_liveness_end(world);
	}
}
