/* Makes scenarios from seeds: a few clients on 1 or 2 keys in rounds, with a few faults. The gap before a round
 * often ends at an expiry (TTL, grace period or lease). */
/* SPDX-License-Identifier: MIT */
#include "cache/scenario.h"

/* The random decisions of a seed. */
typedef struct maker {
	uint64_t random;
	sim_scenario *scenario;
	int numbers; /* number of increments so far: each adds another power of 4 */
	uint32_t now_ms;
} maker;

static uint32_t below(maker *make, uint32_t limit) {
	return sim_random_below(&make->random, limit);
}

static bool chance(maker *make, uint32_t percent) {
	return below(make, 100) < percent;
}

#define PICK(make, list) ((list)[below((make), sizeof(list) / sizeof((list)[0]))])

static void make_setting(maker *make) {
	static const uint32_t leases_ms[] = {1000, 1000, 2000, 5000};
	static const uint32_t waits_ms[] = {0, 100, 300, 2500};
	sim_scenario *scenario = make->scenario;
	scenario->lease_ms = PICK(make, leases_ms);
	scenario->wait_ms = PICK(make, waits_ms);
	scenario->timeout_ms = 50;
	scenario->retry_after_ms = chance(make, 30) ? 200 : 0;
	scenario->lease_is_fitted = chance(make, 30);
	scenario->is_exact = chance(make, 50);
	scenario->is_wild = chance(make, 4);
	scenario->client_count = 3 + below(make, 3);
	scenario->key_count = chance(make, 70) ? 1 : 2;
	scenario->probe_key = (uint8_t)below(make, scenario->key_count);
	scenario->probers = chance(make, 40) ? 1 + below(make, 2) : 0;
	scenario->kills_at_probe = chance(make, 70);
	int32_t furthest_ms = (int32_t)(scenario->is_wild ? scenario->lease_ms * 10
			: chance(make, 50)                        ? 0
													  : scenario->lease_ms / 5);
	for (unsigned i = 0; i < scenario->client_count; i++) {
		scenario->skews_ms[i] = (int32_t)below(make, (uint32_t)(2 * furthest_ms + 1)) - furthest_ms;
	}
}

static mcp_lifetime make_lifetime(maker *make) {
	static const uint32_t ttls_ms[] = {0, 20, 200, 1000, 3000, 3000, 10000, 60000};
	mcp_lifetime lifetime = {.ttl_ms = PICK(make, ttls_ms)};
	switch (below(make, 6)) {
		case 0:
			break;
		case 1:
			lifetime.grace_ms = MCP_GRACE_FOREVER;
			break;
		case 2:
			lifetime.grace_ms = 50 + below(make, 500);
			break;
		default:
			lifetime.grace_ms = lifetime.ttl_ms;
			break;
	}
	return lifetime;
}

static uint32_t make_compute_ms(maker *make) {
	uint32_t lease_ms = make->scenario->lease_ms;
	const uint32_t times_ms[] = {0, 0, 1, 5, 20, 100, lease_ms / 2, lease_ms + 50, 3 * lease_ms};
	return PICK(make, times_ms);
}

/* Selects the main operations on a key: stampedes, counting, plain changes, or all of them. */
static sim_program make_program(maker *make, unsigned theme) {
	static const sim_program stampede[] = {SIM_DO_GET, SIM_DO_GET, SIM_DO_REMEMBER, SIM_DO_REMEMBER,
		SIM_DO_REMEMBER, SIM_DO_REMEMBER_MANY, SIM_DO_READ, SIM_DO_READ_MANY, SIM_DO_SET,
		SIM_DO_DELETE, SIM_DO_EXPIRE};
	static const sim_program counting[] = {SIM_DO_INCREMENT, SIM_DO_INCREMENT, SIM_DO_INCREMENT,
		SIM_DO_INCREMENT, SIM_DO_INCREMENT, SIM_DO_READ, SIM_DO_READ_MANY, SIM_DO_READ_MANY,
		SIM_DO_SET, SIM_DO_DELETE, SIM_DO_GET, SIM_DO_TOUCH, SIM_DO_EXPIRE, SIM_DO_REMEMBER};
	static const sim_program changing[] = {SIM_DO_ADD, SIM_DO_ADD, SIM_DO_REPLACE, SIM_DO_UPDATE,
		SIM_DO_UPDATE, SIM_DO_UPDATE, SIM_DO_PULL, SIM_DO_PULL, SIM_DO_SET, SIM_DO_DELETE,
		SIM_DO_READ, SIM_DO_GET, SIM_DO_INCREMENT, SIM_DO_TOUCH};
	switch (theme) {
		case 0:
			return PICK(make, stampede);
		case 1:
			return PICK(make, counting);
		case 2:
			return PICK(make, changing);
		default:
			return (sim_program)below(make, SIM_DO_PROBE);
	}
}

static sim_follow make_follow(maker *make) {
	static const sim_follow follows[] = {SIM_THEN_PUBLISH, SIM_THEN_PUBLISH, SIM_THEN_PUBLISH,
		SIM_THEN_PUBLISH, SIM_THEN_PUBLISH, SIM_THEN_SET, SIM_THEN_ABANDON, SIM_THEN_FAIL,
		SIM_THEN_FORGET, SIM_THEN_REARM};
	return PICK(make, follows);
}

/* Powers of 4, so that a number shows which increments it contains and how often. */
static int64_t make_by(maker *make, bool is_small) {
	if (is_small) {
		return (int64_t)below(make, 9) - 4;
	}
	int64_t by = (int64_t)1 << (2 * (make->numbers++ % 20));
	return chance(make, 25) ? -by : by;
}

static sim_value_kind make_kind(maker *make, unsigned theme, bool is_small) {
	if (theme == 1 || (theme == 2 && chance(make, 50))) {
		return is_small ? SIM_NUMBER : chance(make, 95) ? SIM_INTEGER : SIM_TEXT;
	}
	static const sim_value_kind kinds[] = {SIM_TEXT, SIM_TEXT, SIM_EMPTY, SIM_INTEGER};
	return PICK(make, kinds);
}

/* Around 0, where decrements stop, or near the maximum, where increments stop. */
static int64_t make_number(maker *make) {
	bool is_huge = chance(make, 15);
	int64_t small = (int64_t)below(make, 12) - 3;
	return is_huge ? INT64_MAX - 4 - small : small;
}

static sim_task *add_task(maker *make, unsigned client, sim_program program, unsigned theme,
	bool is_small) {
	sim_scenario *scenario = make->scenario;
	sim_task *task = &scenario->tasks[scenario->task_count++];
	*task = (sim_task){
		.program = program,
		.client = (uint8_t)client,
		.key = (uint8_t)below(make, scenario->key_count),
		.follow = make_follow(make),
		.value_kind = make_kind(make, theme, is_small),
		.waits_for_new = chance(make, 30),
		.is_early = chance(make, 20),
		.number = make_number(make),
		.start_ms = make->now_ms + (chance(make, 70) ? 0 : below(make, 4)),
		.compute_ms = make_compute_ms(make),
		.lifetime = make_lifetime(make),
	};
	if (program == SIM_DO_INCREMENT) {
		task->by = make_by(make, is_small);
	}
	return task;
}

/* A gap after which something has just expired or is about to expire. */
static uint32_t make_gap_ms(maker *make, const mcp_lifetime *lifetime) {
	uint32_t lease_ms = make->scenario->lease_ms;
	uint64_t grace_ms = lifetime->grace_ms == MCP_GRACE_FOREVER ? 0 : lifetime->grace_ms;
	const uint64_t gaps_ms[] = {1, 5, 30, lifetime->ttl_ms, lifetime->ttl_ms + 1,
		lifetime->ttl_ms + grace_ms, lifetime->ttl_ms + grace_ms + lease_ms, lease_ms, lease_ms + 1,
		3 * (uint64_t)lease_ms, lifetime->ttl_ms / 2, 4 * (uint64_t)lease_ms};
	return (uint32_t)PICK(make, gaps_ms);
}

static void make_tasks(maker *make) {
	sim_scenario *scenario = make->scenario;
	unsigned theme = below(make, 4);
	bool is_small = chance(make, 20);
	unsigned rounds = 2 + below(make, 4);
	mcp_lifetime lifetime = make_lifetime(make);
	if (chance(make, 85)) {
		for (unsigned key = 0; key < scenario->key_count; key++) {
			sim_task *task = add_task(make, 0, SIM_DO_SET, theme, is_small);
			task->key = (uint8_t)key;
			task->lifetime = lifetime;
		}
	}
	for (unsigned round = 0; round < rounds; round++) {
		for (unsigned i = 0; i < scenario->client_count; i++) {
			unsigned count = chance(make, 70) ? 1 : below(make, 3);
			for (; count > 0 && scenario->task_count < SIM_TASKS_MAX; count--) {
				const sim_task *task =
					add_task(make, i, make_program(make, theme), theme, is_small);
				if (chance(make, 30)) {
					lifetime = task->lifetime;
				}
			}
		}
		make->now_ms += make_gap_ms(make, &lifetime);
	}
	scenario->ends_at_ms = chance(make, 50) ? 0 : below(make, make->now_ms + 50);
}

static sim_fault_kind make_fault_kind(maker *make) {
	static const sim_fault_kind kinds[] = {SIM_LOSE_REQUEST, SIM_LOSE_REPLY, SIM_LOSE_REPLY,
		SIM_DELAY_REQUEST, SIM_DELAY_REQUEST, SIM_DELAY_REPLY, SIM_STOP_BEFORE, SIM_STOP_BEFORE,
		SIM_STOP_AFTER, SIM_STOP_AFTER, SIM_KILL_BEFORE, SIM_KILL_AFTER, SIM_KILL_LATE, SIM_EVICT,
		SIM_EVICT, SIM_FLUSH, SIM_RESTART, SIM_DOWN, SIM_FREEZE, SIM_MOVE_CLOCK, SIM_GARBLE};
	return PICK(make, kinds);
}

static int32_t make_amount_ms(maker *make, sim_fault_kind kind) {
	int32_t lease_ms = (int32_t)make->scenario->lease_ms;
	const int32_t stops_ms[] = {2, 10, 60, lease_ms / 2, lease_ms + 10, 4 * lease_ms};
	const int32_t delays_ms[] = {2, 5, 20, 60, 100, lease_ms, 4 * lease_ms};
	const int32_t outages_ms[] = {1, 20, 100, lease_ms, 2 * lease_ms};
	switch (kind) {
		case SIM_DELAY_REPLY:
		case SIM_DELAY_REQUEST:
		case SIM_KILL_LATE:
			return PICK(make, delays_ms);
		case SIM_DOWN:
		case SIM_FREEZE:
			return PICK(make, outages_ms);
		case SIM_MOVE_CLOCK:
			return (int32_t)below(make, (uint32_t)lease_ms / 5) - lease_ms / 10;
		case SIM_GARBLE:
			return (int32_t)below(make, 4);
		default:
			return PICK(make, stops_ms);
	}
}

static void make_faults(maker *make) {
	sim_scenario *scenario = make->scenario;
	static const unsigned counts[] = {0, 0, 1, 2, 3, 5, 8};
	unsigned count = PICK(make, counts);
	for (unsigned i = 0; i < count; i++) {
		sim_fault_kind kind = make_fault_kind(make);
		scenario->faults[scenario->fault_count++] = (sim_fault){
			.kind = kind,
			.client = (uint8_t)below(make, scenario->client_count),
			.item = (uint8_t)below(make, 2 * scenario->key_count),
			.call = (uint16_t)(1 + below(make, 14)),
			.at_ms = below(make, make->now_ms + 5),
			.amount_ms = make_amount_ms(make, kind),
		};
	}
}

/* Decided last, so that older seeds still make the same runs. */
static void make_later_kinds(maker *make) {
	sim_scenario *scenario = make->scenario;
	for (unsigned i = 0; i < scenario->task_count; i++) {
		scenario->tasks[i].lifetime.keeps_grace = chance(make, 50);
		scenario->tasks[i].is_distrusting = chance(make, 15);
	}
	bool differ = chance(make, 15);
	for (unsigned i = 0; differ && i < scenario->client_count; i++) {
		uint32_t divisor = 1 + below(make, 8);
		scenario->leases_ms[i] = scenario->lease_ms / divisor;
	}
	for (unsigned i = 0; i < scenario->task_count; i++) {
		scenario->tasks[i].is_strict = chance(make, 15);
		scenario->tasks[i].has_initial = chance(make, 40);
	}
	for (unsigned i = 0; i < scenario->task_count; i++) {
		scenario->tasks[i].is_forced = chance(make, 10);
		if (scenario->tasks[i].follow == SIM_THEN_FAIL && chance(make, 50)) {
			scenario->tasks[i].follow = SIM_THEN_MARK;
		}
	}
}

/* A site that migrates: other clients write values without envelopes, and ours read them. */
static void make_foreign(maker *make) {
	sim_scenario *scenario = make->scenario;
	scenario->reads_foreign = chance(make, 12);
	if (!scenario->reads_foreign) {
		return;
	}
	scenario->foreign_grace_ms = chance(make, 15) ? 0 : make_lifetime(make).grace_ms;
	unsigned more = 1 + below(make, 3);
	for (unsigned i = 0; i < more && scenario->fault_count < SIM_FAULTS_MAX; i++) {
		scenario->faults[scenario->fault_count++] = (sim_fault){
			.kind = SIM_PLAIN,
			.item = (uint8_t)below(make, 2 * scenario->key_count),
			.at_ms = chance(make, 30) ? 0 : below(make, make->now_ms + 5),
		};
	}
	/* Bytes that are neither a number nor an envelope would count as a string of the other client. */
	for (unsigned i = 0; i < scenario->fault_count; i++) {
		if (scenario->faults[i].kind == SIM_GARBLE) {
			scenario->faults[i].kind = SIM_PLAIN;
		}
	}
}

/* Nested values: a computation needs the other key, which another client may be computing while it needs this one. */
static void make_nested(maker *make) {
	sim_scenario *scenario = make->scenario;
	for (unsigned i = 0; i < scenario->task_count; i++) {
		scenario->tasks[i].nests = scenario->key_count > 1 && chance(make, 30);
	}
}

void sim_scenario_make(sim_scenario *scenario, uint64_t seed) {
	maker make = {.random = sim_mix(seed), .scenario = scenario};
	memset(scenario, 0, offsetof(sim_scenario, tasks));
	scenario->seed = seed;
	make_setting(&make);
	make_tasks(&make);
	make_faults(&make);
	make_later_kinds(&make);
	make_foreign(&make);
	make_nested(&make);
}
