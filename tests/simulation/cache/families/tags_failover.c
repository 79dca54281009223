/* Scenarios and checks of tagged values during outages. A value computed before an acknowledged invalidation is not
 * fresh afterwards (T1), and not shown after a strict one (T2). A value that lacks a tag of a view is not fresh in
 * that view (T6). */
/* SPDX-License-Identifier: MIT */
#include "cache/judges/judge.h"
#include "cache/families/tags.h"
#include "cache/values.h"

enum {
	CLIENTS = 3,
	SERVERS = 3,
	KEYS = 3,
	ENDS_AT_MS = 6000,
	OUTAGE_MIN_MS = 200,
	OUTAGE_MAX_MS = 2000,
	TTL_MS = 1000000,
	ALL_TAGS = (1 << SIM_TAGS_MAX) - 1,
};

/* Mostly reads of many, which ask several servers at once. */
static sim_program program_of(uint64_t random) {
	static const sim_program programs[] = {SIM_DO_READ_MANY, SIM_DO_READ_MANY, SIM_DO_READ_MANY,
		SIM_DO_READ_MANY, SIM_DO_REMEMBER_MANY, SIM_DO_REMEMBER_MANY, SIM_DO_REMEMBER, SIM_DO_READ,
		SIM_DO_SET, SIM_DO_SET, SIM_DO_ADD, SIM_DO_DELETE, SIM_DO_INVALIDATE, SIM_DO_INVALIDATE};
	return programs[random % (sizeof(programs) / sizeof(programs[0]))];
}

/* Mostly a view of both tags. */
static uint8_t view_of(uint64_t random) {
	static const uint8_t views[] = {ALL_TAGS, ALL_TAGS, ALL_TAGS, 1, 2, 0};
	return views[random % sizeof(views)];
}

static void add_task(sim_scenario *scenario, uint64_t *random) {
	sim_task *task = &scenario->tasks[scenario->task_count++];
	*task = (sim_task){
		.program = program_of(sim_random(random)),
		.client = (uint8_t)(sim_random(random) % CLIENTS),
		.key = (uint8_t)(sim_random(random) % KEYS),
		.through = view_of(sim_random(random)),
		.start_ms = (uint32_t)(sim_random(random) % ENDS_AT_MS),
		.compute_ms = (uint32_t)(sim_random(random) % 300),
		.lifetime = {.ttl_ms = TTL_MS, .grace_ms = TTL_MS},
	};
	if (task->program == SIM_DO_INVALIDATE) {
		task->through = 1 + (uint8_t)(sim_random(random) % ALL_TAGS);
		task->is_strict = sim_random(random) % 3 == 0;
	}
}

static void add_fault(sim_scenario *scenario, uint64_t *random, sim_fault_kind kind) {
	uint32_t length_ms =
		OUTAGE_MIN_MS + (uint32_t)(sim_random(random) % (OUTAGE_MAX_MS - OUTAGE_MIN_MS));
	scenario->faults[scenario->fault_count++] = (sim_fault){
		.kind = kind,
		.server = (uint8_t)(sim_random(random) % SERVERS),
		.client = (uint8_t)(sim_random(random) % CLIENTS),
		.item = (uint8_t)(2 * (sim_random(random) % KEYS)),
		.call = (uint16_t)(1 + sim_random(random) % 80),
		.at_ms = (uint32_t)(sim_random(random) % ENDS_AT_MS),
		.amount_ms = (int32_t)length_ms,
	};
}

/* All servers are down, so that no replacement exists. The first one recovers while the others are still asked. */
static void lose_all_servers(sim_scenario *scenario, uint64_t *random) {
	uint32_t at_ms = (uint32_t)(sim_random(random) % ENDS_AT_MS);
	for (unsigned i = 0; i < SERVERS; i++) {
		add_fault(scenario, random, SIM_DOWN);
		sim_fault *fault = &scenario->faults[scenario->fault_count - 1];
		fault->server = (uint8_t)i;
		fault->at_ms = at_ms;
	}
	for (unsigned i = 0; i < scenario->task_count; i++) {
		uint32_t after_ms = (uint32_t)(sim_random(random) % OUTAGE_MAX_MS);
		sim_task *task = &scenario->tasks[i];
		task->start_ms = sim_random(random) % 2 == 0 ? at_ms + after_ms : task->start_ms;
	}
}

static void add_faults(sim_scenario *scenario, uint64_t *random) {
	static const sim_fault_kind others[] = {SIM_LOSE_REQUEST, SIM_LOSE_REPLY, SIM_DELAY_REQUEST,
		SIM_STOP_BEFORE, SIM_STOP_AFTER, SIM_RESTART, SIM_EVICT};
	unsigned outages = 1 + (unsigned)(sim_random(random) % 3);
	for (unsigned i = 0; i < outages; i++) {
		add_fault(scenario, random, sim_random(random) % 2 == 0 ? SIM_DOWN : SIM_CUT);
	}
	if (sim_random(random) % 3 == 0) {
		lose_all_servers(scenario, random);
	}
	if (sim_random(random) % 3 == 0) {
		add_fault(scenario, random,
			others[sim_random(random) % (sizeof(others) / sizeof(others[0]))]);
	}
}

/* --- checks --- */

static bool is_store(const sim_entry *entry) {
	return entry->kind == SIM_ENTRY_SET || entry->kind == SIM_ENTRY_ADD ||
		entry->kind == SIM_ENTRY_PUBLISH;
}

static bool is_look(const sim_entry *entry) {
	return entry->is_ended && entry->has_value &&
		(entry->kind == SIM_ENTRY_READ || entry->kind == SIM_ENTRY_LOOKUP ||
			entry->kind == SIM_ENTRY_REMEMBER);
}

/* NULL if the writer is missing or ambiguous. */
static const sim_entry *writer_of(const sim_world *world, const sim_entry *look) {
	const sim_entry *writer = NULL;
	for (unsigned i = 0; i < world->entry_count; i++) {
		const sim_entry *entry = &world->entries[i];
		if (is_store(entry) && entry->key == look->key &&
			sim_value_equals(&entry->value, &look->seen)) {
			if (writer != NULL) {
				return NULL;
			}
			writer = entry;
		}
	}
	return writer;
}

static void check_look(sim_world *world, const sim_entry *look, const sim_entry *writer) {
	bool is_fresh = look->verdict == MCP_VERDICT_FRESH;
	for (unsigned i = 0; i < world->entry_count; i++) {
		const sim_entry *change = &world->entries[i];
		bool is_told = change->kind == SIM_ENTRY_INVALIDATE && change->is_ended &&
			change->status == MCP_OK && change->ended < look->started;
		if (!is_told || (change->through & writer->through) == 0 ||
			writer->captured >= change->started) {
			continue;
		}
		if (change->is_strict || is_fresh) {
			sim_world_fail(world, change->is_strict ? "T2" : "T1",
				"client %u is shown what #%u computed before client %u invalidated it",
				look->client, sim_entry_id(writer), change->client);
		}
	}
	if (is_fresh && (look->through & ~writer->through) != 0) {
		sim_world_fail(world, "T6", "client %u is shown as fresh what lacks a tag of its view",
			look->client);
	}
}

static void judged(sim_world *world) {
	for (unsigned i = 0; i < world->entry_count && !sim_world_has_failed(world); i++) {
		const sim_entry *look = &world->entries[i];
		const sim_entry *writer = is_look(look) ? writer_of(world, look) : NULL;
		if (writer != NULL) {
			check_look(world, look, writer);
		}
	}
}

static const sim_judge judge = {.judged = judged};

void sim_tags_make(sim_scenario *scenario, uint64_t seed) {
	uint64_t random = sim_mix(seed + 0x7A65);
	*scenario = (sim_scenario){
		.seed = seed,
		.server_count = SERVERS,
		.fails_over = true,
		.judge = &judge,
		.lease_ms = 3000,
		.wait_ms = 500,
		.timeout_ms = 100,
		.retry_after_ms = 200,
		.client_count = CLIENTS,
		.key_count = KEYS,
	};
	unsigned tasks = 5 + (unsigned)(sim_random(&random) % 10);
	for (unsigned i = 0; i < tasks; i++) {
		add_task(scenario, &random);
	}
	add_faults(scenario, &random);
}
