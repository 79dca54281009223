/* Guarded caches: readers that read the cache, read the database and store; writers that change the database and
 * delete or store. Also unguarded deletes and rebuilds, 2 keys, evictions, lost replies, restarts and expiry. V1 to
 * V4. */
/* SPDX-License-Identifier: MIT */
#include "plain/families/guarded.h"

enum { ROUNDS = 4 };

/* For the search: what each client does with key 0 and with both. */
typedef struct program {
	bool has_prior; /* a value of the row's first version, which the first client has not read */
	bool toggles, differs;
	step steps[GUARDED_CLIENTS][GUARDED_SCRIPT_MAX];
} program;

static const program programs[] = {
	{false, false, false, {{{LOOK, 0}, {READ, 0}, {STORE, 0}}, {{CHANGE, 0}, {DELETE, 0}}}},
	{false, false, false,
		{{{LOOK, 0}, {READ, 0}, {HAS, 0}, {STORE, 0}}, {{CHANGE, 0}, {REMOVE, 0}}}},
	{false, false, false, {{{LOOK, 0}, {READ, 0}, {STORE, 0}}, {{CHANGE, 0}, {PULL, 0}}}},
	{true, false, false, {{{LOOK, 0}, {READ, 0}, {STORE, 0}}, {{CHANGE, 0}, {PULL, 0}}}},
	{false, false, false,
		{{{LOOK, 0}, {READ, 0}, {STORE, 0}}, {{CHANGE, 0}, {PULL, 0}}, {{REMEMBER, 0}}}},
	{false, false, false,
		{{{LOOK, 0}, {READ, 0}, {STORE, 0}}, {{LOOK, 0}, {CHANGE, 0}, {STORE, 0}}}},
	{true, false, false,
		{{{LOOK, 0}, {CHANGE, 0}, {STORE, 0}}, {{LOOK, 0}, {CHANGE, 0}, {STORE, 0}}}},
	{false, false, true,
		{{{LOOK, 0}, {READ, 0}, {STORE, 0}}, {{LOOK, 0}, {READ, 0}, {STORE, 0}},
			{{LOOK, 0}, {READ, 0}, {STORE, 0}}}},
	{false, false, false,
		{{{LOOK, 0}, {READ, 0}, {STORE, 0}}, {{CHANGE, 0}, {REMOVE, 0}},
			{{LOOK, 0}, {CHANGE, 0}, {STORE, 0}}}},
	{false, false, false, {{{REMEMBER, 0}}, {{LOOK, 0}, {CHANGE, 0}, {STORE, 0}}}},
	{false, false, false,
		{{{REMEMBER, 0}}, {{LOOK, 0}, {CHANGE, 0}, {STORE, 0}}, {{CHANGE, 0}, {REMOVE, 0}}}},
	{false, true, false,
		{{{LOOK, 0}, {READ, 0}, {STORE, 0}}, {{LOOK, 0}, {CHANGE, 0}, {STORE, 0}},
			{{LOOK, 0}, {CHANGE, 0}, {STORE, 0}}}},
	{false, false, false,
		{{{LOOK_BOTH, 0}, {READ, 0}, {READ, 1}, {STORE_BOTH, 0}},
			{{CHANGE, 0}, {CHANGE, 1}, {REMOVE, 1}, {REMOVE, 0}}}},
	{false, false, false, {{{LOOK, 0}, {READ, 0}, {ADD, 0}}, {{CHANGE, 0}, {DELETE, 0}}}},
	{true, false, false,
		{{{LOOK, 0}, {CHANGE, 0}, {REPLACE, 0}}, {{LOOK, 0}, {READ, 0}, {STORE, 0}},
			{{CHANGE, 0}, {REMOVE, 0}}}},
};

static const char *const items[] = {"k0", "k1"};

static const program *program_of(const plain_world *world) {
	return &programs[world->variant - 1];
}

/* Stores the initial values. */
static void store_prior(plain_world *world) {
	world->is_quiet = true;
	for (unsigned key = 0; key < GUARDED_KEYS; key++) {
		plain_guarded_check_at_rest(&world->clients[1], key);
		plain_guarded_state.known[1][key] = (knowledge){.has_row = false};
	}
	world->is_quiet = false;
}

static void prepare(plain_world *world) {
	memset(&plain_guarded_state, 0, sizeof(plain_guarded_state));
	plain_guarded_state.budget = world->fault_budget;
	for (unsigned key = 0; key < GUARDED_KEYS; key++) {
		guarded_row *row = &plain_guarded_state.rows[key];
		row->key = plain_key(&row->buffer, MCP_SPACE_CACHE, items[key]);
	}
	bool is_random = world->variant == 0;
	plain_guarded_state.toggles =
		is_random ? sim_chance(world->choices, 30) : program_of(world)->toggles;
	plain_guarded_state.differs =
		is_random ? sim_chance(world->choices, 30) : program_of(world)->differs;
	if (is_random ? sim_chance(world->choices, 50) : program_of(world)->has_prior) {
		store_prior(world);
	}
}

/* Selects a complete sequence of an application. */
static void act(plain_client *client) {
	static const step wholes[][GUARDED_SCRIPT_MAX] = {
		{{LOOK, 0}, {READ, 0}, {STORE, 0}},
		{{LOOK, 0}, {READ, 0}, {STORE, 0}},
		{{LOOK, 0}, {READ, 0}, {HAS, 0}, {STORE, 0}},
		{{HAS, 0}, {READ, 0}, {ADD, 0}},
		{{CHANGE, 0}, {DELETE, 0}},
		{{CHANGE, 0}, {REMOVE, 0}},
		{{CHANGE, 0}, {PULL, 0}},
		{{LOOK, 0}, {CHANGE, 0}, {DELETE, 0}, {LOOK, 0}},
		{{LOOK, 0}, {CHANGE, 0}, {STORE, 0}},
		{{LOOK, 0}, {CHANGE, 0}, {STORE, 0}},
		{{LOOK, 0}, {CHANGE, 0}, {STORE, 0}, {CHANGE, 0}, {STORE, 0}},
		{{LOOK_BOTH, 0}, {READ, 0}, {READ, 1}, {STORE_BOTH, 0}},
		{{LOOK_BOTH, 0}, {CHANGE, 0}, {CHANGE, 1}, {STORE_BOTH, 0}},
		{{REMEMBER, 0}},
		{{LOOK, 0}, {READ, 0}, {STORE, 0}, {STORE, 0}},
		{{LOOK, 0}, {CHANGE, 0}, {REPLACE, 0}},
		{{TAKE, 0}, {STORE, 0}},
		{{TOUCH, 0}},
		{{UPDATE, 0}},
		{{EXPIRE, 0}},
		{{SPOIL, 0}},
	};
	sim_choices *choices = client->world->choices;
	const step *whole = wholes[sim_choose(choices, sizeof(wholes) / sizeof(wholes[0]))];
	unsigned key = sim_chance(choices, 20);
	for (unsigned i = 0; i < GUARDED_SCRIPT_MAX; i++) {
		plain_guarded_act(client, (step){whole[i].action, key ^ whole[i].key});
	}
	if (sim_chance(choices, 60)) {
		/* The request ends. */
		memset(plain_guarded_state.known[client->index], 0,
			sizeof(plain_guarded_state.known[client->index]));
	}
	if (sim_chance(choices, 30)) {
		plain_sleep(client, 1 + sim_choose(choices, HOLDOFF_MS));
	}
}

static void run(plain_client *client) {
	for (unsigned i = 0; i < GUARDED_SCRIPT_MAX; i++) {
		plain_guarded_act(client, program_of(client->world)->steps[client->index][i]);
	}
}

/* Runs after all holdoffs and claims have expired. */
static void finish(plain_world *world) {
	world->now_ms += HOLDOFF_MS + 4 * LEASE_MS;
	for (unsigned key = 0; key < GUARDED_KEYS && world->log.violated == NULL; key++) {
		plain_guarded_check_at_rest(&world->clients[0], key);
	}
}

const plain_family plain_guarded = {
	.client_count = GUARDED_CLIENTS,
	.items = items,
	.item_count = GUARDED_KEYS,
	PLAIN_JUMPS(HOLDOFF_MS, TTL_MS, MCP_GUARDED_MARKER_MS + 2000),
	.asks_for_proofs = true,
	.reads_apart = true,
	.prepare = prepare,
	.act = act,
	.rounds = ROUNDS,
	.run = run,
	.effect = plain_guarded_check_effect,
	.finish = finish,
};
