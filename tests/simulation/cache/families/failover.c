/* Checks of failover:
 * - A client does not see an older value as fresh if it made the newer one, or came back after it (F3). This
 *   includes an older write that it gave up.
 * - Nor if the server with the newer value is back (F4).
 * - A value that the client has stored since its return is not suspect (F2).
 * - Values from an earlier outage are gone (F7). */
/* SPDX-License-Identifier: MIT */
#include "cache/families/failover.h"

#include "cache/client.h"
#include "cache/judges/judge.h"

/* Selects changes more often than other operations. */
static sim_program program_of(uint64_t random) {
	static const sim_program programs[] = {SIM_DO_READ, SIM_DO_READ, SIM_DO_READ, SIM_DO_READ,
		SIM_DO_GET, SIM_DO_REMEMBER, SIM_DO_REMEMBER, SIM_DO_REMEMBER, SIM_DO_SET, SIM_DO_SET,
		SIM_DO_DELETE, SIM_DO_DELETE, SIM_DO_EXPIRE, SIM_DO_ADD, SIM_DO_REPLACE, SIM_DO_UPDATE,
		SIM_DO_PULL};
	return programs[random % (sizeof(programs) / sizeof(programs[0]))];
}

enum {
	CLIENTS = 3,
	SERVERS = 3,
	STAND_IN = 2, /* the key's first replacement server */
	ENDS_AT_MS = 12000,
	OUTAGE_MIN_MS = 300,
	OUTAGE_MAX_MS = 4000,
	TTL_MS = 1000000,
};

static void add_task(sim_scenario *scenario, uint64_t *random) {
	static const uint32_t graces_ms[] = {0, TTL_MS, TTL_MS};
	sim_task *task = &scenario->tasks[scenario->task_count++];
	*task = (sim_task){
		.program = program_of(sim_random(random)),
		.client = (uint8_t)(sim_random(random) % CLIENTS),
		.start_ms = (uint32_t)(sim_random(random) % ENDS_AT_MS),
		.compute_ms = (uint32_t)(sim_random(random) % 1500),
		.lifetime = {.ttl_ms = TTL_MS, .grace_ms = graces_ms[sim_random(random) % 3]},
	};
}

static void add_fault(sim_scenario *scenario, uint64_t *random, sim_fault_kind kind,
	unsigned server) {
	uint32_t length_ms =
		OUTAGE_MIN_MS + (uint32_t)(sim_random(random) % (OUTAGE_MAX_MS - OUTAGE_MIN_MS));
	scenario->faults[scenario->fault_count++] = (sim_fault){
		.kind = kind,
		.server = (uint8_t)server,
		.client = (uint8_t)(sim_random(random) % CLIENTS),
		.call = (uint16_t)(1 + sim_random(random) % 60),
		.at_ms = (uint32_t)(sim_random(random) % ENDS_AT_MS),
		.amount_ms = (int32_t)length_ms,
	};
}

static void add_faults(sim_scenario *scenario, uint64_t *random) {
	static const sim_fault_kind others[] = {SIM_LOSE_REQUEST, SIM_LOSE_REPLY, SIM_KILL_BEFORE,
		SIM_KILL_AFTER, SIM_STOP_BEFORE, SIM_STOP_AFTER, SIM_RESTART, SIM_EVICT};
	unsigned outages = 1 + (unsigned)(sim_random(random) % 3);
	for (unsigned i = 0; i < outages; i++) {
		bool is_of_all = sim_random(random) % 3 == 0;
		unsigned server = sim_random(random) % 5 == 0 ? 1 : 0;
		add_fault(scenario, random, is_of_all ? SIM_DOWN : SIM_CUT, server);
	}
	if (sim_random(random) % 4 == 0) {
		add_fault(scenario, random, SIM_RESTART, 0);
	}
	if (sim_random(random) % 4 == 0) {
		sim_fault_kind kind = others[sim_random(random) % (sizeof(others) / sizeof(others[0]))];
		add_fault(scenario, random, kind, (unsigned)(sim_random(random) % SERVERS));
	}
}

/* Adds late commands: of one call, or of all calls to a server that hangs. */
static void add_late_commands(sim_scenario *scenario, uint64_t seed) {
	uint64_t random = sim_mix(seed + 0x1A7E);
	unsigned count = (unsigned)(sim_random(&random) % 4);
	for (unsigned i = 0; i < count; i++) {
		sim_fault_kind kind = sim_random(&random) % 3 == 0 ? SIM_FREEZE : SIM_DELAY_REQUEST;
		add_fault(scenario, &random, kind, 0);
	}
}

/* In 1 of 8 scenarios, the first replacement server is down twice during the outage, so that the key moves to the
 * third server and back, repeatedly. */
static void add_outages_of_a_stand_in(sim_scenario *scenario, uint64_t seed) {
	uint64_t random = sim_mix(seed + 0x57A2D);
	if (sim_random(&random) % 8 != 0) {
		return;
	}
	sim_fault_kind kind = sim_random(&random) % 2 == 0 ? SIM_DOWN : SIM_CUT;
	uint8_t client = (uint8_t)(sim_random(&random) % CLIENTS);
	sim_fault fault = {.kind = kind, .client = client};
	fault.amount_ms = ENDS_AT_MS;
	scenario->faults[scenario->fault_count++] = fault;
	fault.server = STAND_IN;
	for (unsigned i = 0; i < 2; i++) {
		fault.at_ms += 500 + (uint32_t)(sim_random(&random) % (ENDS_AT_MS / 4));
		fault.amount_ms = OUTAGE_MIN_MS + (int32_t)(sim_random(&random) % (ENDS_AT_MS / 4));
		scenario->faults[scenario->fault_count++] = fault;
		fault.at_ms += (uint32_t)fault.amount_ms;
	}
}

/* --- checks --- */

static bool is_of_a_change(const sim_entry *entry) {
	switch (entry->kind) {
		case SIM_ENTRY_SET:
		case SIM_ENTRY_ADD:
		case SIM_ENTRY_REPLACE:
		case SIM_ENTRY_UPDATE:
		case SIM_ENTRY_DELETE:
		case SIM_ENTRY_EXPIRE:
		case SIM_ENTRY_PULL:
			return true;
		default:
			return false;
	}
}

static bool changes(const sim_entry *entry) {
	return is_of_a_change(entry) && entry->is_ended && entry->status == MCP_OK;
}

static bool is_look(const sim_entry *entry) {
	return entry->is_ended &&
		(entry->kind == SIM_ENTRY_READ || entry->kind == SIM_ENTRY_LOOKUP ||
			entry->kind == SIM_ENTRY_REMEMBER);
}

static bool is_fresh_look(const sim_entry *entry) {
	return is_look(entry) && entry->has_value && entry->verdict == MCP_VERDICT_FRESH;
}

/* NULL if the store cannot be identified. */
static const sim_entry *writer_of(const sim_world *world, const sim_value *value) {
	for (unsigned i = 0; i < world->entry_count; i++) {
		const sim_entry *entry = &world->entries[i];
		bool is_a_writer = changes(entry) || entry->kind == SIM_ENTRY_PUBLISH;
		if (is_a_writer && entry->is_ended && !entry->is_unknown &&
			sim_entry_id(entry) == value->id && entry->value.kind == value->kind) {
			return entry;
		}
	}
	return NULL;
}

static bool was_stored_before(const sim_entry *writer, const sim_entry *change) {
	return writer->ended < change->started;
}

/* True if the writer began before the change. For a rebuild, its election counts. */
static bool was_begun_before(const sim_world *world, const sim_entry *writer,
	const sim_entry *change) {
	return was_stored_before(writer, change) ||
		(writer->kind == SIM_ENTRY_PUBLISH && writer->origin >= 0 &&
			world->entries[writer->origin].ended < change->started);
}

static bool is_same_process(const sim_entry *a, const sim_entry *b) {
	return a->client == b->client && a->process == b->process;
}

/* True if the process of an entry came back to the key's home server between these 2 moments. */
static bool came_back(const sim_world *world, const sim_entry *process, uint32_t after,
	uint32_t before) {
	for (unsigned i = 0; i < world->entry_count; i++) {
		const sim_entry *entry = &world->entries[i];
		if (is_same_process(entry, process) && entry->was_away && !entry->is_away &&
			entry->is_ended && entry->started > after && entry->ended < before) {
			return true;
		}
	}
	return false;
}

static void check_look(sim_world *world, const sim_entry *look, const sim_entry *writer,
	const sim_entry *change) {
	bool is_home = look->server == sim_key_home(world, look->key);
	bool is_own = is_same_process(change, look) ||
		(is_home && came_back(world, look, change->ended, look->started));
	if (is_own && was_stored_before(writer, change)) {
		sim_world_fail(world, "F3", "client %u finds fresh what is older than a %s by client %u",
			look->client, sim_entry_name(change->kind), change->client);
	}
	bool is_told = change->was_away && change->is_away &&
		came_back(world, change, change->ended, look->started);
	if (is_home && is_told && was_begun_before(world, writer, change)) {
		sim_world_fail(world, "F4", "client %u finds fresh at home what a %s by client %u ended",
			look->client, sim_entry_name(change->kind), change->client);
	}
}

/* A write that a process gave up comes before everything that the process does later, regardless of its execution. */
static void check_late(sim_world *world, const sim_entry *look) {
	const sim_entry *late = NULL;
	for (unsigned i = 0; i < world->entry_count; i++) {
		const sim_entry *entry = &world->entries[i];
		bool is_a_writer = is_of_a_change(entry) || entry->kind == SIM_ENTRY_PUBLISH;
		if (is_a_writer && entry->is_ended && entry->is_unknown && is_same_process(entry, look) &&
			sim_entry_id(entry) == look->seen.id && entry->value.kind == look->seen.kind) {
			late = entry;
		}
	}
	for (unsigned i = 0; i < world->entry_count && late != NULL; i++) {
		const sim_entry *change = &world->entries[i];
		if (changes(change) && is_same_process(change, look) && change->started > late->ended &&
			change->ended < look->started) {
			sim_world_fail(world, "F3", "client %u finds fresh what it gave up before its %s",
				look->client, sim_entry_name(change->kind));
		}
	}
}

/* A value that a client stored since its return is not stale if no other client touched it. */
static void check_own(sim_world *world, const sim_entry *look) {
	const sim_entry *writer = look->has_value ? writer_of(world, &look->seen) : NULL;
	bool is_of_one_life = writer != NULL && is_same_process(writer, look) &&
		writer->life == look->life && !writer->was_away && !look->is_away && !writer->is_away &&
		writer->ended < look->started;
	if (!is_of_one_life || look->verdict == MCP_VERDICT_FRESH) {
		return;
	}
	for (unsigned i = 0; i < world->entry_count; i++) {
		const sim_entry *entry = &world->entries[i];
		bool is_over = entry->is_ended && !entry->is_unknown && entry->ended <= writer->started;
		bool is_between = entry->started < look->ended && !is_over;
		bool may_touch = !is_same_process(entry, look) || entry->kind == SIM_ENTRY_EXPIRE;
		if (is_between && may_touch) {
			return;
		}
	}
	sim_world_fail(world, "F2", "client %u finds old what it has stored itself", look->client);
}

/* True if the process of a read heard from the home server in this entry, certainly after the value was stored. */
static bool heard_home(const sim_world *world, const sim_entry *entry, const sim_entry *look,
	const sim_entry *writer) {
	return is_same_process(entry, look) && entry->is_ended && entry->ended < look->started &&
		entry->server == sim_key_home(world, entry->key) && !entry->was_away && !entry->is_away &&
		!entry->is_unknown && entry->calls > 0 && entry->wall_low > writer->wall_high;
}

/* True if another process could treat the value as stale and claim it, which changes its CAS value. */
static bool may_be_claimed_anew(const sim_world *world, const sim_entry *since,
	const sim_entry *look) {
	for (unsigned i = 0; i < world->entry_count; i++) {
		const sim_entry *entry = &world->entries[i];
		bool is_between =
			entry->started < look->ended && (!entry->is_ended || entry->ended > since->started);
		if (is_between && !is_same_process(entry, look) &&
			(entry->effects > 0 || !entry->is_ended)) {
			return true;
		}
	}
	return false;
}

/* A value from an earlier outage on a replacement server must be a miss, not stale, for clients that have heard
 * from the home server since. */
static void check_left_behind(sim_world *world, const sim_entry *look) {
	const sim_entry *writer =
		look->has_value && look->is_away ? writer_of(world, &look->seen) : NULL;
	bool is_elsewhere = look->server != sim_key_home(world, look->key);
	for (unsigned i = 0; i < world->entry_count && writer != NULL && is_elsewhere; i++) {
		const sim_entry *entry = &world->entries[i];
		if (heard_home(world, entry, look, writer) && !may_be_claimed_anew(world, entry, look)) {
			sim_world_fail(world, "F7",
				"client %u finds elsewhere what an outage before its last left", look->client);
		}
	}
}

static void judged(sim_world *world) {
	for (unsigned i = 0; i < world->entry_count; i++) {
		const sim_entry *look = &world->entries[i];
		if (is_look(look)) {
			check_own(world, look);
			check_left_behind(world, look);
		}
		if (is_fresh_look(look)) {
			check_late(world, look);
		}
		const sim_entry *writer = is_fresh_look(look) ? writer_of(world, &look->seen) : NULL;
		for (unsigned j = 0; j < world->entry_count && writer != NULL; j++) {
			const sim_entry *change = &world->entries[j];
			if (changes(change) && change->ended < look->started && change->client < CLIENTS) {
				check_look(world, look, writer, change);
			}
		}
	}
}

static const sim_judge judge = {.judged = judged};

void sim_failover_make(sim_scenario *scenario, uint64_t seed) {
	uint64_t random = sim_mix(seed + 0xFA11);
	*scenario = (sim_scenario){
		.seed = seed,
		.server_count = SERVERS,
		.fails_over = true,
		.judge = &judge,
		.lease_ms = 3000,
		.wait_ms = 1000,
		.timeout_ms = 100,
		.retry_after_ms = 200,
		.client_count = CLIENTS,
		.key_count = 1,
	};
	unsigned tasks = 6 + (unsigned)(sim_random(&random) % 20);
	for (unsigned i = 0; i < tasks; i++) {
		add_task(scenario, &random);
	}
	add_faults(scenario, &random);
	add_late_commands(scenario, seed);
	add_outages_of_a_stand_in(scenario, seed);
}
