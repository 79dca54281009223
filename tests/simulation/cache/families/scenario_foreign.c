/* Scenarios of caches with several copies whose keys another client also writes, without an envelope and to copy 0
 * only. The caches do not read its values. A copy 0 is lost at about that time, so that a repairing read meets the
 * other client's value. */
/* SPDX-License-Identifier: MIT */
#include "cache/client.h"
#include "cache/families/copies.h"

enum {
	CHANGES_PERCENT = 5, /* of the operations; the others are reads */
	GRACE_MS = 10000,
	TTL_MS = 60000,
	BEGUN_MS = 30, /* the first value is stored by then */
	BUSY_MS = 6,   /* all clients work within this time */
	LOOKS = 3,
};

static uint32_t below(uint64_t *random, uint32_t limit) {
	return (uint32_t)((sim_random(random) >> 32) * limit >> 32);
}

static bool chance(uint64_t *random, uint32_t percent) {
	return below(random, 100) < percent;
}

static sim_task *add_task(sim_scenario *scenario, unsigned client, sim_program program,
	uint32_t start_ms) {
	sim_task *task = &scenario->tasks[scenario->task_count++];
	*task = (sim_task){
		.program = program,
		.client = (uint8_t)client,
		.follow = SIM_THEN_PUBLISH,
		.start_ms = start_ms,
		.lifetime = {.ttl_ms = TTL_MS, .grace_ms = GRACE_MS},
	};
	return task;
}

static sim_fault *add_fault(sim_scenario *scenario, sim_fault_kind kind, uint32_t at_ms) {
	sim_fault *fault = &scenario->faults[scenario->fault_count++];
	*fault = (sim_fault){.kind = kind, .at_ms = at_ms};
	return fault;
}

static void add_work(sim_scenario *scenario, uint64_t *random, unsigned client) {
	static const sim_program looks[] = {SIM_DO_READ, SIM_DO_READ, SIM_DO_READ_MANY, SIM_DO_GET,
		SIM_DO_REMEMBER};
	static const sim_program changes[] = {SIM_DO_SET, SIM_DO_DELETE, SIM_DO_UPDATE, SIM_DO_TOUCH,
		SIM_DO_EXPIRE};
	for (unsigned i = 0; i < LOOKS; i++) {
		sim_program program = chance(random, CHANGES_PERCENT)
			? changes[below(random, sizeof(changes) / sizeof(changes[0]))]
			: looks[below(random, sizeof(looks) / sizeof(looks[0]))];
		add_task(scenario, client, program, BEGUN_MS + below(random, BUSY_MS));
	}
}

void sim_foreign_make(sim_scenario *scenario, uint64_t seed) {
	uint64_t random = sim_mix(seed + 0xF03E);
	bool has_third = chance(&random, 30);
	*scenario = (sim_scenario){
		.seed = seed,
		.server_count = has_third ? 3 : 2,
		.copies = has_third && chance(&random, 50) ? 3 : 2,
		.judge = &sim_judge_foreign,
		.lease_ms = 1000,
		.timeout_ms = 50,
		.is_exact = true,
		.client_count = 3,
		.key_count = 1,
		.kills_at_probe = true,
	};
	if (chance(&random, 90)) {
		add_task(scenario, 0, SIM_DO_SET, 0)->lifetime.ttl_ms = chance(&random, 70) ? TTL_MS : 5;
	}
	for (unsigned client = 0; client < scenario->client_count; client++) {
		add_work(scenario, &random, client);
	}
	if (chance(&random, 80)) {
		add_fault(scenario, SIM_EVICT, BEGUN_MS - 1 + below(&random, BUSY_MS / 2));
	}
	for (unsigned i = 1 + below(&random, 2); i > 0; i--) {
		add_fault(scenario, SIM_PLAIN, BEGUN_MS + below(&random, BUSY_MS));
	}
}
