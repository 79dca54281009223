/* The world: its start, its running clients, and its next event. */
/* SPDX-License-Identifier: MIT */
#include "cache/world.h"

#include "cache/client.h"
#include "cache/programs/liveness.h"
#include "cache/programs/programs.h"

static void prepare_client(sim_world *world, unsigned index) {
	sim_client *client = &world->clients[index];
	uint64_t random = client->random = sim_mix(world->scenario->seed * 31 + index + 1);
	sim_client_connect(client, world, index);
	client->phase = SIM_DONE;
	client->random = random;
	client->skew_ms = world->scenario->skews_ms[index];
	client->paused_ms = 0;
	client->calls = 0;
	client->task = 0;
	client->entry = -1;
	client->begun = 0;
	client->process = 0;
	client->is_at_many = false;
	client->observed = index;
	client->call.count = 0;
	client->has_blind_count = false;
}

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

static uint64_t servers_ms(const mcp_environment *environment) {
	const sim_world *world = environment->context;
	return world->now_ms * 1000;
}

void sim_world_prepare(sim_world *world, sim_scenario *scenario) {
	world->scenario = scenario;
	world->now_ms = SIM_START_MS;
	world->step = 1;
	world->is_choosing = world->is_probing = world->is_quiet = false;
	world->has_clock_moves = false;
	world->faults_done = world->late_count = world->entry_count = 0;
	world->ended_hash = 0;
	world->call_count = world->moment = 0;
	for (unsigned i = 0; i < SIM_KEYS_MAX; i++) {
		world->side_lost[i] = 0;
		world->has_lost_frozen[i] = false;
	}
	world->log.violated = NULL;
	world->log.now_ms = &world->now_ms;
	world->seen.epoch_count = world->seen.counter_count = world->seen.election_count = 0;
	world->seen.last_side_writer = NULL;
	world->server_count = scenario->server_count == 0 ? 1 : scenario->server_count;
	for (unsigned i = 0; i < world->server_count; i++) {
		world->down_until_ms[i] = world->frozen_until_ms[i] = world->full_until_ms[i] = 0;
		if (world->servers[i].memory == NULL) {
			world->servers[i].memory = sim_store_create(&world->environment, servers_ms, world);
		}
		sim_server_restart(&world->servers[i]);
		world->servers[i].generation = 0;
	}
	for (unsigned i = 0; i < SIM_OTHERS_MAX; i++) {
		world->others[i][0] = 0;
	}
	world->client_count = scenario->client_count;
	for (unsigned i = 0; i < SIM_CLIENTS_MAX; i++) {
		prepare_client(world, i);
	}
	order_faults(world);
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

/* The earliest event in progress. False if there is none. */
typedef struct next_event {
	enum { OF_CLIENT, OF_LATE, OF_FAULT } source;
	unsigned index;
	uint64_t due_ms;
} next_event;

static bool find_next(const sim_world *world, next_event *next) {
	next->due_ms = UINT64_MAX;
	/* The order of simultaneous events varies. */
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
