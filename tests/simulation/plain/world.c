/* The steps of the world: the next client's call and its fault, the passage of time, and evictions. Nothing happens
 * between steps. */
/* SPDX-License-Identifier: MIT */
#include "plain/world.h"

#include "plain/client.h"

#include "store/memory/store_memory.h"
#include "world/random.h"

/* Returns how late the server's clock is. A stopped clock never goes back: at its maximum delay, it runs again. */
static uint64_t server_late_ms(const plain_world *world) {
	if (world->clock_stood_at_ms == 0) {
		return 0;
	}
	uint64_t stood_ms = world->now_ms - world->clock_stood_at_ms;
	return stood_ms < world->late_max_ms ? stood_ms : world->late_max_ms;
}

static uint64_t wall_ms(const mcp_environment *environment) {
	const plain_world *world = environment->context;
	return PLAIN_EPOCH_MS + world->now_ms - server_late_ms(world);
}

void plain_pass(plain_world *world, uint64_t duration_ms) {
	world->now_ms += duration_ms;
}

static void set_clock(plain_client *client, uint64_t ahead_ms) {
	plain_trace(client->world, "client %u's clock is %llu ms ahead", client->index,
		(unsigned long long)ahead_ms);
	client->wall_ahead_ms = ahead_ms;
	client->was_set = true;
}

static void stand_or_catch_up(plain_world *world) {
	bool stood = world->clock_stood_at_ms != 0;
	plain_trace(world, "the server's clock %s", stood ? "catches up" : "stands still");
	world->clock_stood_at_ms = stood ? 0 : world->now_ms;
}

/* In some runs, the server's clock has its maximum delay from the beginning. */
static void be_late_at_first(plain_world *world) {
	const plain_family *family = world->family;
	world->late_max_ms = PLAIN_LATE_MAX_MS;
	if (!family->has_late_clock || !sim_chance(world->choices, 20)) {
		return;
	}
	if (family->has_dead_clock) {
		world->late_max_ms = PLAIN_DEAD_FOR_MS;
	}
	stand_or_catch_up(world);
	plain_pass(world, world->late_max_ms);
}

/* With a seed, clocks are arbitrary. A search begins with one clock ahead, and changes others as a fault. */
static void prepare_clocks(plain_world *world) {
	uint32_t skew_ms = world->family->skew_ms;
	world->wall_ahead_ms = world->clock_stood_at_ms = 0;
	if (skew_ms == 0) {
		return;
	}
	for (unsigned i = 0; i < world->family->client_count; i++) {
		bool is_ahead = world->choices->is_search && i == 1;
		unsigned part = world->choices->is_search ? 0 : sim_choose(world->choices, 3);
		set_clock(&world->clients[i], is_ahead ? skew_ms - 1 : part * (skew_ms - 1) / 2);
	}
}

mcp_status plain_peek(plain_world *world, const mcp_key *key, mcp_item *item) {
	return mcp_store_get(world->memory, key, item);
}

static void run_client(void *argument) {
	plain_client *client = argument;
	const plain_family *family = client->world->family;
	if (client->world->variant > 0) {
		family->run(client);
	} else {
		for (unsigned round = 0; round < family->rounds; round++) {
			family->act(client);
		}
	}
	client->phase = PLAIN_IDLE;
}

static void prepare(plain_world *world) {
	world->is_quiet = world->has_lost = world->has_skipped = world->tells_no_start = false;
	world->log.violated = NULL;
	world->log.now_ms = &world->now_ms;
	/* Uses no random choice, so that the seeds of other runs stay valid. */
	world->may_lack_memory = world->family->may_lack_memory &&
		(world->choices->is_search || sim_mix(world->choices->random) % 4 == 3);
	world->now_ms = 1000;
	world->generation = world->steps = world->late_count = 0;
	world->memory = sim_store_create(&world->environment, wall_ms, world);
	world->shuns = sim_chance(world->choices, 30);
	world->proves = world->family->asks_for_proofs && sim_chance(world->choices, 50);
	for (unsigned i = 0; i < PLAIN_CLIENTS_MAX; i++) {
		plain_client_prepare(&world->clients[i], world, i);
	}
	prepare_clocks(world);
	be_late_at_first(world);
	world->family->prepare(world);
}

static plain_client *running;

plain_client *plain_running(void) {
	return running;
}

static void resume(plain_client *client) {
	client->phase = PLAIN_IDLE;
	running = client;
	sim_fiber_resume(&client->fiber);
	running = NULL;
}

void plain_give_way(plain_client *client) {
	if (!client->world->is_quiet) {
		client->phase = PLAIN_BETWEEN;
		sim_fiber_give_way();
	}
}

/* A possible next step. */
typedef struct step {
	enum {
		CALL,
		GO_ON,
		WAKE,
		LAND,
		JUMP,
		SKIP,
		STAND,
		SET_CLOCK,
		PUT_FORWARD,
		EVICT,
		RESTART
	} kind;
	unsigned index;
	sim_fault_kind fault;
} step;

enum { STEPS_MAX = PLAIN_CLIENTS_MAX * (SIM_NO_MEMORY + 1) + PLAIN_LATE_MAX + 32 };

typedef struct step_list {
	unsigned count;
	step steps[STEPS_MAX];
} step_list;

static void offer(step_list *list, step offered) {
	if (list->count < STEPS_MAX) {
		list->steps[list->count++] = offered;
	}
}

static const plain_client *first_sleeper(const plain_world *world) {
	const plain_client *first = NULL;
	for (unsigned i = 0; i < world->family->client_count; i++) {
		const plain_client *client = &world->clients[i];
		bool is_asleep = client->phase == PLAIN_SLEEPING && !client->is_rung;
		if (is_asleep && (first == NULL || client->due_ms < first->due_ms)) {
			first = client;
		}
	}
	return first;
}

static void offer_sound(const plain_world *world, step_list *list) {
	for (unsigned i = 0; i < world->family->client_count; i++) {
		if (world->clients[i].phase == PLAIN_CALLING) {
			offer(list, (step){CALL, i, SIM_SOUND});
		}
	}
	for (unsigned i = 0; i < world->family->client_count; i++) {
		const plain_client *client = &world->clients[i];
		bool is_woken = client->phase == PLAIN_SLEEPING && client->is_rung;
		if (client->phase == PLAIN_BETWEEN || is_woken) {
			offer(list, (step){GO_ON, i, SIM_SOUND});
		}
	}
	const plain_client *sleeper = first_sleeper(world);
	if (sleeper != NULL) {
		offer(list, (step){WAKE, sleeper->index, SIM_SOUND});
	}
	for (unsigned i = 0; i < world->late_count; i++) {
		if (plain_client_may_land(world, i)) {
			offer(list, (step){LAND, i, SIM_SOUND});
		}
	}
}

/* True if the server needs memory. In the text protocol, a delete by CAS value is a write, too. */
static bool needs_memory(const plain_client *client) {
	const plain_world *world = client->world;
	bool stores = client->verb == MCP_OP_ADD || client->verb == MCP_OP_CAS ||
		(client->verb == MCP_OP_DELETE_IF && !world->proves);
	return stores && world->may_lack_memory;
}

static bool is_possible(const plain_client *client, sim_fault_kind fault) {
	if (fault == SIM_NO_MEMORY) {
		return needs_memory(client);
	}
	if (client->verb != MCP_OP_GET && client->verb != MCP_OP_PING) {
		return fault != SIM_DELAY_REQUEST || client->world->late_count < PLAIN_LATE_MAX;
	}
	/* For a read, a lost request is the same as a lost reply, without a late effect. */
	return fault != SIM_LOSE_REQUEST && fault != SIM_DELAY_REQUEST && fault != SIM_KILL_BEFORE;
}

static void offer_clocks(const plain_world *world, step_list *list) {
	const plain_family *family = world->family;
	for (unsigned i = 0; i < family->jump_count; i++) {
		offer(list, (step){JUMP, i, SIM_SOUND});
	}
	if (!world->has_skipped) {
		offer(list, (step){SKIP, 0, SIM_SOUND});
	}
	if (family->has_late_clock) {
		offer(list, (step){STAND, 0, SIM_SOUND});
	}
	if (family->skew_ms > 0) {
		offer(list, (step){PUT_FORWARD, 0, SIM_SOUND});
	}
	for (unsigned i = 0; i < family->client_count && family->skew_ms > 0; i++) {
		offer(list, (step){SET_CLOCK, i, SIM_SOUND});
	}
}

static void offer_faults(const plain_world *world, step_list *list) {
	const plain_family *family = world->family;
	for (unsigned i = 0; i < family->client_count; i++) {
		for (sim_fault_kind fault = 1; fault <= SIM_NO_MEMORY; fault++) {
			const plain_client *client = &world->clients[i];
			if (client->phase == PLAIN_CALLING && is_possible(client, fault)) {
				offer(list, (step){CALL, i, fault});
			}
		}
	}
	offer_clocks(world, list);
	for (unsigned i = 0; i < family->item_count; i++) {
		offer(list, (step){EVICT, i, SIM_SOUND});
	}
	if (family->item_count > 0) {
		offer(list, (step){RESTART, 0, SIM_SOUND});
	}
}

static void lose(plain_world *world, const step *what) {
	if (world->family->lost != NULL) {
		world->family->lost(world);
	}
	world->has_lost = true;
	if (what->kind == RESTART) {
		plain_trace(world, "the server restarts");
		mcp_store_memory_restart(world->memory);
		world->generation++;
		world->late_count = 0;
		return;
	}
	const char *name = world->family->items[what->index];
	plain_trace(world, "%s is evicted", name);
	mcp_bytes bytes = mcp_bytes_text(name);
	mcp_store_memory_evict(world->memory, &(mcp_key){.wire = bytes, .route = bytes});
}

/* Corrects the late clocks of all hosts. */
static void put_forward(plain_world *world) {
	world->wall_ahead_ms += world->family->jumps_ms[world->family->jump_count - 1];
	for (unsigned i = 0; i < world->family->client_count; i++) {
		world->clients[i].was_set = true;
	}
	plain_trace(world, "all wall clocks are put forward");
}

static void take(plain_world *world, const step *chosen) {
	plain_client *client = &world->clients[chosen->index];
	switch (chosen->kind) {
		case CALL:
			client->fault = chosen->fault;
			resume(client);
			break;
		case GO_ON:
			resume(client);
			break;
		case WAKE:
			if (world->now_ms < client->due_ms) {
				world->now_ms = client->due_ms;
			}
			resume(client);
			break;
		case LAND:
			plain_client_land(world, chosen->index);
			break;
		case JUMP:
			plain_trace(world, "%u ms pass", world->family->jumps_ms[chosen->index]);
			plain_pass(world, world->family->jumps_ms[chosen->index]);
			break;
		case SKIP:
			plain_trace(world, "the server's clock skips a second");
			mcp_memory_server_skip_second(mcp_store_memory_server(world->memory));
			world->has_skipped = true;
			break;
		case STAND:
			stand_or_catch_up(world);
			break;
		case SET_CLOCK:
			set_clock(client, client->wall_ahead_ms > 0 ? 0 : world->family->skew_ms - 1);
			break;
		case PUT_FORWARD:
			put_forward(world);
			break;
		default:
			lose(world, chosen);
			break;
	}
}

/* A seed selects occasional faults. A search tries each fault everywhere. */
static bool choose_step(plain_world *world, step *chosen) {
	step_list list = {.count = 0};
	offer_sound(world, &list);
	if (list.count == 0) {
		return false;
	}
	bool may_fail = world->fault_budget > 0;
	if (may_fail && world->choices->is_search) {
		offer_faults(world, &list);
	} else if (may_fail && sim_chance(world->choices, 12)) {
		list.count = 0;
		offer_faults(world, &list);
		if (list.count == 0) {
			offer_sound(world, &list);
		}
	}
	*chosen = list.steps[sim_choose(world->choices, list.count)];
	bool is_fault = chosen->kind >= JUMP || chosen->fault != SIM_SOUND;
	world->fault_budget -= is_fault ? 1 : 0;
	return true;
}

static void run_steps(plain_world *world) {
	for (unsigned i = 0; i < world->family->client_count; i++) {
		plain_client *client = &world->clients[i];
		sim_fiber_start(&client->fiber, run_client, client);
		resume(client);
	}
	step chosen;
	while (world->log.violated == NULL && choose_step(world, &chosen)) {
		take(world, &chosen);
		if (world->log.violated == NULL && world->family->check != NULL) {
			world->family->check(world);
		}
		if (++world->steps > PLAIN_STEPS_MAX) {
			plain_fail(world, "liveness", "%u steps, and no end", world->steps);
		}
	}
}

void plain_world_run(plain_world *world, const plain_family *family, unsigned variant,
	sim_choices *choices, unsigned fault_budget) {
	world->family = family;
	world->variant = variant;
	world->choices = choices;
	world->fault_budget = fault_budget;
	prepare(world);
	run_steps(world);
	if (world->log.violated == NULL) {
		world->is_quiet = true;
		family->finish(world);
	}
	mcp_store_free(world->memory);
}
