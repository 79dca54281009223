/* Operations are tasks. States are created by tasks of an earlier client, so that each state is reachable. */
/* SPDX-License-Identifier: MIT */
#include "cache/explore_cases.h"

#include "cache/programs/programs.h"

enum {
	LEASE_MS = 1000,
	TTL_MS = 10000,
	GRACE_MS = 10000,
	WAIT_MS = 5,
	SETTER = SIM_CLIENTS_MAX - 1,
	STATE_TASKS_MAX = 3,
};

typedef struct operation {
	const char *name;
	sim_task task;
	bool is_common; /* 3 clients explore it in every run */
	bool is_hot;    /* increments or freezes a number */
	bool has_next;
	sim_task next;
} operation;

#define LIFE(ttl, grace) .lifetime = {.ttl_ms = (ttl), .grace_ms = (grace)}
#define LONG LIFE(TTL_MS, GRACE_MS)

/* Releases of clang-format lay braces in a macro out differently. */
/* clang-format off */
#define SET_TEXT {.program = SIM_DO_SET, LONG}
#define SET_NUMBER {.program = SIM_DO_SET, .value_kind = SIM_INTEGER, LONG}
#define INCREMENT {.program = SIM_DO_INCREMENT, .by = 4}
#define CLAIM {.program = SIM_DO_GET, .follow = SIM_THEN_FORGET}
#define PLACE {.program = SIM_DO_REMEMBER, .follow = SIM_THEN_FORGET, LONG}
/* clang-format on */

static const operation operations[] = {
	{.name = "read", .task = {.program = SIM_DO_READ}},
	{.name = "get",
		.task = {.program = SIM_DO_GET, .follow = SIM_THEN_PUBLISH, .compute_ms = 1, LONG},
		.is_common = true},
	{.name = "get-strict", .task = {.program = SIM_DO_GET, .is_strict = true, LONG}},
	{.name = "get-set",
		.task = {.program = SIM_DO_GET, .follow = SIM_THEN_SET, .compute_ms = 1, LONG}},
	{.name = "get-fail", .task = {.program = SIM_DO_GET, .follow = SIM_THEN_FAIL, LONG}},
	{.name = "remember-mark", .task = {.program = SIM_DO_REMEMBER, .follow = SIM_THEN_MARK, LONG}},
	{.name = "remember-new",
		.task = {.program = SIM_DO_REMEMBER,
			.follow = SIM_THEN_PUBLISH,
			.waits_for_new = true,
			.compute_ms = 1,
			LONG}},
	{.name = "remember",
		.task = {.program = SIM_DO_REMEMBER, .follow = SIM_THEN_PUBLISH, .compute_ms = 1, LONG},
		.is_common = true},
	{.name = "remember-distrust",
		.task = {.program = SIM_DO_REMEMBER,
			.follow = SIM_THEN_PUBLISH,
			.is_distrusting = true,
			.compute_ms = 1,
			LONG}},
	{.name = "remember-force",
		.task = {.program = SIM_DO_REMEMBER,
			.follow = SIM_THEN_PUBLISH,
			.is_forced = true,
			.waits_for_new = true,
			.compute_ms = 1,
			LONG}},
	{.name = "set", .task = {.program = SIM_DO_SET, LONG}},
	{.name = "set-number",
		.task = {.program = SIM_DO_SET, .value_kind = SIM_INTEGER, LONG},
		.is_common = true},
	{.name = "add", .task = {.program = SIM_DO_ADD, LONG}},
	{.name = "replace", .task = {.program = SIM_DO_REPLACE, LONG}},
	{.name = "update",
		.task = {.program = SIM_DO_UPDATE, .value_kind = SIM_INTEGER, .compute_ms = 1, LONG},
		.is_common = true,
		.is_hot = true},
	{.name = "update-strict",
		.task = {.program = SIM_DO_UPDATE, .is_strict = true, .compute_ms = 1, LONG}},
	{.name = "delete", .task = {.program = SIM_DO_DELETE}, .is_common = true},
	{.name = "expire", .task = {.program = SIM_DO_EXPIRE}, .is_common = true},
	{.name = "touch",
		.task = {.program = SIM_DO_TOUCH, LIFE(2 * TTL_MS, GRACE_MS)},
		.is_hot = true},
	{.name = "touch-short", .task = {.program = SIM_DO_TOUCH, LIFE(TTL_MS / 2, 0)}},
	{.name = "pull", .task = {.program = SIM_DO_PULL}, .is_common = true, .is_hot = true},
	{.name = "increment",
		.task = {.program = SIM_DO_INCREMENT, .by = 1},
		.is_common = true,
		.is_hot = true},
	{.name = "increment-from",
		.task = {.program = SIM_DO_INCREMENT,
			.by = 1,
			.has_initial = true,
			.value_kind = SIM_INTEGER,
			LONG},
		.is_common = true},
	{.name = "decrement", .task = {.program = SIM_DO_INCREMENT, .by = -1}},
	{.name = "set-increment", .task = SET_NUMBER, .has_next = true, .next = INCREMENT},
	{.name = "increment-read",
		.task = INCREMENT,
		.has_next = true,
		.next = {.program = SIM_DO_READ}},
	{.name = "delete-set",
		.task = {.program = SIM_DO_DELETE},
		.has_next = true,
		.next = SET_NUMBER},
};

typedef struct state {
	const char *name;
	uint32_t then_ms; /* passes after the tasks */
	bool is_common;
	unsigned count;
	sim_task tasks[STATE_TASKS_MAX];
} state;

static const state states[] = {
	{"absent", 0, true, 0, {{0}}},
	{"fresh", 0, false, 1, {SET_TEXT}},
	{"stale", TTL_MS + 1, true, 1, {SET_TEXT}},
	{"number", 0, false, 1, {SET_NUMBER}},
	{"counting", 0, true, 2, {SET_NUMBER, INCREMENT}},
	{"counting-stale", TTL_MS + 1, false, 2, {SET_NUMBER, INCREMENT}},
	{"other-counter", 0, false, 3, {SET_NUMBER, INCREMENT, SET_NUMBER}},
	{"placeholder", 0, true, 1, {PLACE}},
	{"placeholder-run-out", LEASE_MS + 1, false, 1, {PLACE}},
	{"marked", 0, false, 1, {{.program = SIM_DO_REMEMBER, .follow = SIM_THEN_MARK, LONG}}},
	{"marked-stale", 0, false, 2,
		{{.program = SIM_DO_SET, LIFE(1, GRACE_MS)},
			{.program = SIM_DO_GET, .follow = SIM_THEN_MARK, .start_ms = 10}}},
	{"claimed", 0, false, 2,
		{{.program = SIM_DO_SET, LIFE(1, GRACE_MS)},
			{.program = SIM_DO_GET, .follow = SIM_THEN_FORGET, .start_ms = 10}}},
	{"claim-run-out", LEASE_MS + 1, false, 2,
		{{.program = SIM_DO_SET, LIFE(1, GRACE_MS)},
			{.program = SIM_DO_GET, .follow = SIM_THEN_FORGET, .start_ms = 10}}},
	{"ended", TTL_MS + GRACE_MS + 1, false, 1, {SET_TEXT}},
	{"plain", 0, false, 0, {{0}}},
};

unsigned sim_explore_operation_count(void) {
	return sizeof(operations) / sizeof(operations[0]);
}

const char *sim_explore_operation_name(unsigned number) {
	return operations[number].name;
}

unsigned sim_explore_state_count(void) {
	return sizeof(states) / sizeof(states[0]);
}

const char *sim_explore_state_name(unsigned number) {
	return states[number].name;
}

bool sim_explore_is_common(unsigned number) {
	return operations[number].is_common;
}

bool sim_explore_is_hot(unsigned number) {
	return operations[number].is_hot;
}

bool sim_explore_state_is_hot(unsigned number) {
	return strcmp(states[number].name, "counting") == 0;
}

/* True if a client without envelopes has written, and such values are read (C19). */
static bool is_plain(unsigned number) {
	return strcmp(states[number].name, "plain") == 0;
}

bool sim_explore_state_is_common(unsigned number) {
	return states[number].is_common;
}

static void add_task(sim_scenario *scenario, unsigned client, const sim_task *task) {
	scenario->tasks[scenario->task_count] = *task;
	scenario->tasks[scenario->task_count].client = (uint8_t)client;
	scenario->task_count++;
}

void sim_explore_make(sim_scenario *scenario, const sim_exploration *exploration) {
	memset(scenario, 0, sizeof(*scenario));
	scenario->seed = 1;
	scenario->lease_ms = LEASE_MS;
	scenario->wait_ms = WAIT_MS;
	scenario->timeout_ms = 50;
	scenario->is_flat = true;
	scenario->is_exact = true;
	scenario->client_count = exploration->clients;
	scenario->key_count = 1;
	scenario->kills_at_probe = true;
	scenario->reads_foreign = is_plain(exploration->state);
	scenario->foreign_grace_ms = GRACE_MS;
	for (unsigned i = 0; i < exploration->clients; i++) {
		const operation *wanted = &operations[exploration->operations[i]];
		add_task(scenario, i, &wanted->task);
		if (wanted->has_next) {
			add_task(scenario, i, &wanted->next);
		}
	}
}

void sim_explore_set_up(sim_world *world, unsigned number) {
	const state *wanted = &states[number];
	sim_client *setter = &world->clients[SETTER];
	for (unsigned i = 0; i < wanted->count; i++) {
		sim_world_move_time(world, SIM_START_MS + wanted->tasks[i].start_ms);
		setter->probe = wanted->tasks[i];
		setter->probe.client = SETTER;
		sim_world_start_probe(world, setter);
		while (setter->phase != SIM_DONE) {
			sim_world_move_time(world, setter->due_ms);
			sim_world_advance(world, setter);
		}
	}
	sim_world_move_time(world, world->now_ms + wanted->then_ms);
	if (is_plain(number)) {
		sim_world_strike(world, &(sim_fault){.kind = SIM_PLAIN});
	}
}
