/* Tags and namespaces: clients that compute values of one key under tags, read and change it through views, through
 * a clearable cache and through a plain one, and invalidate, while a tag or the value is evicted. T1 to T3, T5, N1. */
/* SPDX-License-Identifier: MIT */
#include "plain/families/tags.h"

#include "core/decimal.h"
#include "core/key/key_tag.h"

/* For the search: what each client does, with a value of both tags and the scope there before, or with none. */
typedef struct program {
	bool has_prior;
	step steps[3][SCRIPT_MAX];
} program;

static const program programs[] = {
	{false, {{{REMEMBER, TAG_A}}, {{INVALIDATE, TAG_A}, {READ, TAG_A}}}},
	{false, {{{REMEMBER, TAG_A}}, {{INVALIDATE_STRICTLY, TAG_A}, {READ, PLAIN}}}},
	{true, {{{REMEMBER, TAG_A}}, {{INVALIDATE, TAG_A}, {READ, TAG_A}}}},
	{true, {{{REMEMBER, TAG_A}, {READ, PLAIN}}, {{INVALIDATE_STRICTLY, TAG_A}, {READ, TAG_A}}}},
	{false, {{{GET_SET, TAG_A}}, {{INVALIDATE, TAG_A}, {READ, TAG_A}}}},
	{true,
		{{{INVALIDATE, TAG_A}, {READ, PLAIN}}, {{INVALIDATE_STRICTLY, TAG_A}, {READ, PLAIN}},
			{{NOTHING, 0}}}},
	{true, {{{UPDATE, PLAIN}}, {{INVALIDATE, TAG_A}, {READ, TAG_A}}}},
	{true, {{{READ, TAG_A}, {READ, TAG_A}}, {{INVALIDATE, TAG_A}, {READ, TAG_A}}}},
	{false, {{{SET, PLAIN}, {READ, SCOPE}}, {{INVALIDATE_STRICTLY, SCOPE}, {READ, SCOPE}}}},
	{true, {{{REMEMBER, SCOPE}}, {{INVALIDATE_STRICTLY, SCOPE}, {READ, PLAIN}}}},
	{true, {{{LOOK, TAG_A}, {LOOK, TAG_A}, {STORE, TAG_A}}, {{INVALIDATE, TAG_A}, {READ, TAG_A}}}},
	{false, {{{LOOK, TAG_A}, {STORE, TAG_A}}, {{INVALIDATE, TAG_A}, {READ, TAG_A}}}},
	{false, {{{LOOK, TAG_A}, {LOOK, TAG_A}, {STORE, TAG_A}}, {{INVALIDATE, TAG_A}, {READ, TAG_A}}}},
	{true, {{{LOOK, TAG_A}, {STORE, TAGS}}, {{INVALIDATE_STRICTLY, TAG_A}, {READ, PLAIN}}}},
};

/* The first two are processes of one host. */
static const program near_programs[] = {
	{true,
		{{{READ, TAG_A}, {RECALL, TAG_A}}, {{INVALIDATE, TAG_A}, {READ, TAG_A}}, {{NOTHING, 0}}}},
	{true, {{{READ, TAG_A}, {RECALL, TAG_A}}, {{READ, PLAIN}}, {{INVALIDATE, TAG_A}}}},
	{true,
		{{{READ, TAG_A}, {READ, TAG_A}, {RECALL, TAG_A}}, {{NOTHING, 0}}, {{INVALIDATE, TAG_A}}}},
	{true,
		{{{READ, PLAIN}, {READ, TAG_A}}, {{INVALIDATE_STRICTLY, TAG_A}, {READ, PLAIN}},
			{{NOTHING, 0}}}},
	{true,
		{{{READ, SCOPE}, {RECALL, SCOPE}}, {{INVALIDATE_STRICTLY, SCOPE}, {READ, SCOPE}},
			{{NOTHING, 0}}}},
	{false,
		{{{REMEMBER, TAG_A}, {READ, TAG_A}}, {{INVALIDATE, TAG_A}, {READ, TAG_A}}, {{NOTHING, 0}}}},
	/* The second process finds near what the first has kept, and believes it from then on (P1). */
	{true,
		{{{READ, TAG_A}}, {{PAUSE, 0}, {READ, TAG_A}, {PAUSE, 0}, {RECALL, TAG_A}},
			{{INVALIDATE, TAG_A}}}},
	{true,
		{{{READ, SCOPE}}, {{PAUSE, 0}, {READ, SCOPE}, {PAUSE, 0}, {RECALL, SCOPE}},
			{{INVALIDATE_STRICTLY, SCOPE}}}},
	/* A value there near is looked for once more when it no longer counts. */
	{true,
		{{{READ, TAG_A}}, {{PAUSE, 0}, {PAUSE, 0}, {READ, TAG_A}, {NOTHING, 0}},
			{{INVALIDATE, TAG_A}}}},
};

static const char *items[4];

static void name_keys(void) {
	plain_tags_state.key = plain_key(&plain_tags_state.buffer, MCP_SPACE_CACHE, "k");
	uint64_t fingerprints[] = {
		mcp_key_tag_fingerprint(mcp_bytes_none(), mcp_bytes_of("a", 1)),
		mcp_key_tag_fingerprint(mcp_bytes_none(), mcp_bytes_of("b", 1)),
		mcp_key_namespace_fingerprint(mcp_bytes_none(), mcp_bytes_of("scope.", 6)),
	};
	for (unsigned i = 0; i < 3; i++) {
		plain_tags_state.tags[i] = mcp_key_tag(&plain_tags_state.tag_buffers[i], mcp_bytes_none(),
			fingerprints[i], plain_tags_state.key.route);
		memcpy(plain_tags_state.names[i], plain_tags_state.tags[i].wire.data,
			plain_tags_state.tags[i].wire.length);
		items[i] = plain_tags_state.names[i];
	}
	items[3] = "k";
	for (unsigned view = 1; view < 8; view++) {
		mcp_cache_tags *tags = &plain_tags_state.views[view];
		tags->has_namespace = (view & SCOPE) != 0;
		tags->fingerprints = plain_tags_state.fingerprints[view];
		/* The namespace's comes first. */
		for (int i = 2; i >= 0; i--) {
			if ((view >> i & 1) != 0) {
				plain_tags_state.fingerprints[view][tags->count++] = fingerprints[i];
			}
		}
	}
}

static const program *program_of(const plain_world *world) {
	bool is_near = plain_tags_state.processes[0].store != NULL;
	return &(is_near ? near_programs : programs)[world->variant - 1];
}

/* Stores before anything begins. */
static void store_prior(plain_world *world) {
	bool has_prior =
		world->variant == 0 ? sim_chance(world->choices, 50) : program_of(world)->has_prior;
	if (has_prior) {
		world->is_quiet = true;
		plain_tags_act(&world->clients[0], (step){SET, TAG_A | TAG_B | SCOPE});
		world->is_quiet = false;
	}
}

static void prepare(plain_world *world) {
	memset(&plain_tags_state, 0, sizeof(plain_tags_state));
	name_keys();
	store_prior(world);
}

static void prepare_near(plain_world *world) {
	memset(&plain_tags_state, 0, sizeof(plain_tags_state));
	name_keys();
	plain_tags_be_near(world);
	store_prior(world);
}

static void act(plain_client *client) {
	static const action often[] = {READ, READ, RECALL, RECALL, REMEMBER, REMEMBER, REMEMBER,
		GET_SET, SET, ADD, LOOK, LOOK, LOOK, STORE, STORE, UPDATE, TOUCH, INVALIDATE, INVALIDATE,
		INVALIDATE_STRICTLY, INVALIDATE_STRICTLY};
	static const unsigned views[] = {PLAIN, TAG_A, TAG_A, TAG_B, TAGS, SCOPE, TAG_A | SCOPE};
	sim_choices *choices = client->world->choices;
	step next = {often[sim_choose(choices, sizeof(often) / sizeof(often[0]))], 0};
	if (next.action >= INVALIDATE) {
		next.through = 1u << sim_choose(choices, 3);
	} else {
		next.through = views[sim_choose(choices, sizeof(views) / sizeof(views[0]))];
	}
	plain_tags_act(client, next);
	if (sim_chance(choices, 30)) {
		plain_sleep(client, 1 + sim_choose(choices, 50));
	}
}

static void run(plain_client *client) {
	for (unsigned i = 0; i < SCRIPT_MAX; i++) {
		plain_tags_act(client, program_of(client->world)->steps[client->index][i]);
	}
}

static bool is_for_tag(const sim_request *request) {
	return sim_request_is_for(request, &plain_tags_state.tags[0]) ||
		sim_request_is_for(request, &plain_tags_state.tags[1]) ||
		sim_request_is_for(request, &plain_tags_state.tags[2]);
}

/* Checks by T3 that no number ever comes again, and nothing but a strict invalidation replaces one that is there. */
static void effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_reply *before) {
	(void)before;
	bool is_begun = request->verb == SIM_ADD || request->verb == SIM_SET;
	uint64_t number;
	if (!is_begun || status != MCP_OK || !is_for_tag(request) ||
		!mcp_decimal_parse_u64(sim_request_value(request), &number)) {
		return;
	}
	for (unsigned i = 0; i < plain_tags_state.number_count; i++) {
		if (plain_tags_state.numbers[i] >> MCP_TAG_COUNT_BITS == number >> MCP_TAG_COUNT_BITS) {
			plain_fail(world, "T3", "a tag has a number again");
		}
	}
	if (plain_tags_state.number_count < NUMBERS_MAX) {
		plain_tags_state.numbers[plain_tags_state.number_count++] = number;
	}
}

/* Finishes by T5: one rebuild makes it fresh, when what was claimed and held off is over. */
static void finish(plain_world *world) {
	static const unsigned views[] = {TAGS, SCOPE, TAG_A};
	for (unsigned i = 0; i < 3 && world->violated == NULL; i++) {
		plain_client *client = &world->clients[0];
		client->world->now_ms += 4 * LEASE_MS;
		plain_tags_state.value_count = plain_tags_state.value_count > VALUES_MAX - 4
			? VALUES_MAX - 4
			: plain_tags_state.value_count;
		plain_tags_remember(client, views[i]);
		if (world->violated == NULL && !plain_tags_remember(client, views[i])) {
			plain_fail(world, "T5", "a rebuild through %u leaves nothing fresh", views[i]);
		}
	}
}

const plain_family plain_tags = {
	.name = "tags",
	.client_count = CLIENTS,
	.items = items,
	.item_count = 4,
	PLAIN_JUMPS(100, LEASE_MS, 4 * LEASE_MS),
	.reads_apart = true,
	.prepare = prepare,
	.act = act,
	.rounds = ROUNDS,
	.run = run,
	.effect = effect,
	.finish = finish,
};

/* The family where values are near: two processes of one host, and one of another (P1, P2). */
const plain_family plain_tags_near = {
	.name = "tagsnear",
	.client_count = CLIENTS,
	.items = items,
	.item_count = 4,
	PLAIN_JUMPS(NEAR_MS / 2, NEAR_MS, 4 * LEASE_MS),
	.reads_apart = true,
	.prepare = prepare_near,
	.act = act,
	.rounds = ROUNDS,
	.run = run,
	.effect = effect,
	.finish = finish,
};
