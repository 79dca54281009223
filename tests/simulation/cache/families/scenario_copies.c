/* Scenarios for caches with several copies. Each begins with a value in all copies, which a loss, a repair or a
 * late writer could bring back. In some scenarios the value expires soon and is rebuilt during and after an outage. */
/* SPDX-License-Identifier: MIT */
#include "cache/families/copies.h"

enum {
	RETURNS_PERCENT = 50, /* of all scenarios: a server goes down and recovers */
	AWAY_MIN_MS = 40,
	AWAY_MAX_MS = 120,
	AWAY_AT_MS = 60,
	RETURNED_MS = 150, /* all clients work within this time */
	BEGUN_MS = 30,     /* the first value is stored by then */
	BUSY_MS = 14,      /* all clients work within this time */
	FULL_PERCENT = 15, /* of the others: 1 or 2 servers have no memory for a while */
	OBSERVED_MS = 400, /* the observer reads this time after the end */
	OBSERVATIONS = 3,
	/* Of all scenarios: with 2 keys, so that reads of many are not reads of one. The observer begins with such a
	 * read, which restores no copy. */
	TWO_KEYS_PERCENT = 20,
	TWO_KEYS_SALT = 26, /* changes no seed of regressions.txt and of the mutants */
};

typedef struct maker {
	uint64_t random;
	sim_scenario *scenario;
	unsigned observer;
} maker;

static uint32_t below(maker *make, uint32_t limit) {
	return (uint32_t)((sim_random(&make->random) >> 32) * limit >> 32);
}

static bool chance(maker *make, uint32_t percent) {
	return below(make, 100) < percent;
}

#define PICK(make, list) ((list)[below((make), sizeof(list) / sizeof((list)[0]))])

static void make_setting(maker *make) {
	sim_scenario *scenario = make->scenario;
	bool has_third = chance(make, 30);
	scenario->server_count = has_third ? 3 : 2;
	scenario->copies = has_third && chance(make, 60) ? 3 : 2;
	scenario->judge = &sim_judge_copies;
	scenario->lease_ms = 1000;
	scenario->wait_ms = chance(make, 50) ? 0 : 100;
	scenario->timeout_ms = 50;
	scenario->retry_after_ms = chance(make, 30) ? 200 : 0;
	scenario->is_exact = true;
	scenario->client_count = 3 + below(make, 2);
	scenario->key_count = 1;
	scenario->kills_at_probe = true;
	make->observer = scenario->client_count - 1;
	for (unsigned i = 0; chance(make, 60) && i < scenario->client_count; i++) {
		scenario->skews_ms[i] = (int32_t)below(make, 400) - 200;
	}
}

static sim_task *add_task(maker *make, unsigned client, sim_program program, uint32_t start_ms) {
	static const uint32_t ttls_ms[] = {0, 10000, 10000, 60000};
	sim_task *task = &make->scenario->tasks[make->scenario->task_count++];
	*task = (sim_task){
		.program = program,
		.client = (uint8_t)client,
		.follow = chance(make, 80) ? SIM_THEN_PUBLISH : SIM_THEN_FORGET,
		.start_ms = start_ms,
		.compute_ms = below(make, 4),
		.lifetime = {.ttl_ms = PICK(make, ttls_ms), .grace_ms = 10000},
	};
	return task;
}

static void make_work(maker *make, unsigned client) {
	static const sim_program programs[] = {SIM_DO_SET, SIM_DO_SET, SIM_DO_SET, SIM_DO_DELETE,
		SIM_DO_DELETE, SIM_DO_READ, SIM_DO_READ, SIM_DO_READ, SIM_DO_READ_MANY, SIM_DO_REMEMBER,
		SIM_DO_REMEMBER, SIM_DO_GET, SIM_DO_ADD, SIM_DO_REPLACE, SIM_DO_UPDATE, SIM_DO_EXPIRE,
		SIM_DO_TOUCH, SIM_DO_PULL};
	unsigned count = 1 + below(make, 3);
	for (unsigned i = 0; i < count; i++) {
		sim_task *task =
			add_task(make, client, PICK(make, programs), BEGUN_MS + below(make, BUSY_MS));
		task->is_forced = task->program == SIM_DO_REMEMBER && chance(make, 30);
		task->waits_for_new = task->is_forced;
	}
}

static void make_tasks(maker *make) {
	if (chance(make, 85)) {
		add_task(make, 0, SIM_DO_SET, 0);
	}
	for (unsigned client = 0; client < make->observer; client++) {
		make_work(make, client);
	}
	bool has_two_keys = sim_mix(make->scenario->seed ^ TWO_KEYS_SALT) % 100 < TWO_KEYS_PERCENT;
	make->scenario->key_count += has_two_keys;
	for (unsigned i = 0; i < OBSERVATIONS; i++) {
		bool is_many = i == (has_two_keys ? 0 : 1);
		add_task(make, make->observer, is_many ? SIM_DO_READ_MANY : SIM_DO_READ, OBSERVED_MS + i);
	}
}

static sim_fault *add_fault(maker *make, sim_fault_kind kind) {
	sim_scenario *scenario = make->scenario;
	sim_fault *fault = &scenario->faults[scenario->fault_count++];
	*fault = (sim_fault){
		.kind = kind,
		.client = (uint8_t)below(make, make->observer),
		.server = (uint8_t)below(make, scenario->server_count),
		.call = (uint16_t)(1 + below(make, 24)),
		.at_ms = BEGUN_MS + below(make, 3 * BUSY_MS),
		.amount_ms = 5 + (int32_t)below(make, 100),
	};
	return fault;
}

static void add_loss(maker *make) {
	static const sim_fault_kind losses[] = {SIM_EVICT, SIM_EVICT, SIM_RESTART};
	sim_fault *loss = add_fault(make, PICK(make, losses));
	if (chance(make, 25)) {
		loss->at_ms = OBSERVED_MS - 1;
	}
}

static void make_faults(maker *make) {
	static const sim_fault_kind others[] = {SIM_KILL_BEFORE, SIM_KILL_AFTER, SIM_LOSE_REPLY,
		SIM_LOSE_REQUEST, SIM_DELAY_REQUEST, SIM_DELAY_REPLY, SIM_STOP_BEFORE, SIM_STOP_AFTER,
		SIM_STOP_AFTER, SIM_DOWN, SIM_FREEZE, SIM_CUT};
	if (chance(make, 75)) {
		add_loss(make);
	}
	for (unsigned i = below(make, 3); i > 0; i--) {
		add_fault(make, PICK(make, others));
	}
}

/* A client deletes the key meanwhile. */
static void make_full(maker *make) {
	for (unsigned i = 1 + below(make, 2); i > 0; i--) {
		sim_fault *full = add_fault(make, SIM_FULL);
		full->at_ms = BEGUN_MS + below(make, BUSY_MS);
		full->amount_ms = 5 + (int32_t)below(make, 2 * BUSY_MS);
	}
	add_task(make, below(make, make->observer), SIM_DO_DELETE, BEGUN_MS + below(make, BUSY_MS));
}

/* --- a server that returns with its previous items --- */

static void make_rebuild(maker *make, unsigned client, uint32_t from_ms, uint32_t within_ms) {
	static const sim_program programs[] = {SIM_DO_REMEMBER, SIM_DO_REMEMBER, SIM_DO_REMEMBER,
		SIM_DO_REMEMBER, SIM_DO_REMEMBER, SIM_DO_GET, SIM_DO_READ, SIM_DO_READ, SIM_DO_SET,
		SIM_DO_DELETE, SIM_DO_UPDATE};
	static const uint32_t ttls_ms[] = {1, 5, 20, 60, 10000};
	sim_task *task = add_task(make, client, PICK(make, programs), from_ms + below(make, within_ms));
	task->follow = SIM_THEN_PUBLISH;
	task->lifetime.ttl_ms = PICK(make, ttls_ms);
	task->compute_ms = chance(make, 60) ? below(make, 3) : below(make, AWAY_MAX_MS);
	task->is_forced = task->program == SIM_DO_REMEMBER && chance(make, 25);
}

static void make_outages(maker *make) {
	static const sim_fault_kind kinds[] = {SIM_CUT, SIM_CUT, SIM_CUT, SIM_DOWN, SIM_FREEZE};
	for (unsigned i = 1 + below(make, 2); i > 0; i--) {
		sim_fault *outage = add_fault(make, PICK(make, kinds));
		outage->server = chance(make, 80) ? 0 : outage->server;
		outage->at_ms = AWAY_AT_MS + below(make, AWAY_MIN_MS);
		outage->amount_ms = (int32_t)(AWAY_MIN_MS + below(make, AWAY_MAX_MS - AWAY_MIN_MS));
	}
	if (chance(make, 50)) {
		add_fault(make, SIM_EVICT)->at_ms = OBSERVED_MS - 1;
	}
}

static void make_return(maker *make) {
	add_task(make, 0, SIM_DO_SET, 0)->lifetime.ttl_ms = 1 + below(make, AWAY_AT_MS);
	for (unsigned client = 0; client < make->observer; client++) {
		for (unsigned i = 1 + below(make, 2); i > 0; i--) {
			make_rebuild(make, client, AWAY_AT_MS, AWAY_MAX_MS);
		}
		if (chance(make, 70)) {
			make_rebuild(make, client, RETURNED_MS, BUSY_MS + AWAY_MAX_MS);
		}
		add_task(make, client, SIM_DO_READ, OBSERVED_MS - BUSY_MS);
		add_task(make, client, SIM_DO_READ, OBSERVED_MS);
	}
	for (unsigned i = 0; i < OBSERVATIONS; i++) {
		add_task(make, make->observer, SIM_DO_READ, OBSERVED_MS + i);
	}
	make_outages(make);
}

void sim_copies_make(sim_scenario *scenario, uint64_t seed) {
	maker make = {.random = sim_mix(seed), .scenario = scenario};
	memset(scenario, 0, offsetof(sim_scenario, tasks));
	scenario->seed = seed;
	make_setting(&make);
	if (sim_mix(seed ^ SIM_TASKS_MAX) % 100 < RETURNS_PERCENT) {
		make_return(&make);
		return;
	}
	make_tasks(&make);
	make_faults(&make);
	if (sim_mix(seed ^ SIM_FAULTS_MAX) % 100 < FULL_PERCENT) {
		make_full(&make);
	}
}
