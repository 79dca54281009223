/* Tags and namespaces: clients compute values of a key under tags, read and change it through views, a clearable
 * cache and a plain one, and invalidate, while a tag or the value is evicted. T1 to T3, T5, T10, N1, I2, C15. */
/* SPDX-License-Identifier: MIT */
#include "plain/families/tags.h"

#include "../../../../src/core/bytes.h"
#include "core/envelope/signature.h"
#include "core/key/key.h"

/* For the search: the actions of each client, with or without an initial value of both tags and the scope. */
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
	{true,
		{{{LOOK, TAG_A}, {INVALIDATE, TAG_A}, {STORE, TAG_A}},
			{{INVALIDATE, TAG_A}, {READ, TAG_A}}}},
	/* The second client guesses versions. */
	{false, {{{INVALIDATE, TAG_A}}, {{SET, TAG_A}, {SET, TAG_A}, {READ, TAG_A}}}},
	{false, {{{DELETE, 0}, {INVALIDATE, TAG_A}}, {{SET, TAG_A}, {ADD, TAG_A}}}},
	{false, {{{DELETE, 0}, {INVALIDATE, TAG_A}, {SET, TAG_A}}, {{SET, TAG_A}, {ADD, TAG_A}}}},
	{true, {{{INCREMENT, TAG_A}}, {{READ, TAG_A}, {INCREMENT, PLAIN}, {READ, TAGS}}}},
	{true, {{{INCREMENT, PLAIN}, {READ_MANY, PLAIN}}, {{READ_MANY, TAG_A}, {READ_MANY, PLAIN}}}},
};

/* The first 2 are processes of one host. */
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
	/* The second process finds the first one's value in the near cache and keeps it from then on (P1). */
	{true,
		{{{READ, TAG_A}}, {{PAUSE, 0}, {READ, TAG_A}, {PAUSE, 0}, {RECALL, TAG_A}},
			{{INVALIDATE, TAG_A}}}},
	{true,
		{{{READ, SCOPE}}, {{PAUSE, 0}, {READ, SCOPE}, {PAUSE, 0}, {RECALL, SCOPE}},
			{{INVALIDATE_STRICTLY, SCOPE}}}},
	/* A value in the near cache is read again when it is no longer valid. */
	{true,
		{{{READ, TAG_A}}, {{PAUSE, 0}, {PAUSE, 0}, {READ, TAG_A}, {NOTHING, 0}},
			{{INVALIDATE, TAG_A}}}},
};

/* 2 hosts are at consecutive steps. */
static const program keys_programs[] = {
	{true, {{{INVALIDATE, TAG_A}, {READ, PLAIN}}, {{READ, TAG_A}}, {{NOTHING, 0}}}},
	{true, {{{INVALIDATE, TAG_A}, {READ, TAG_A}}, {{READ, TAG_A}}, {{NOTHING, 0}}}},
	{true, {{{INVALIDATE_STRICTLY, TAG_A}, {READ, SCOPE}}, {{READ, TAG_A}}, {{NOTHING, 0}}}},
	{false, {{{REMEMBER, TAG_A}}, {{INVALIDATE, TAG_A}, {READ, TAG_A}}, {{NOTHING, 0}}}},
	{false, {{{REMEMBER, SCOPE}}, {{INVALIDATE_STRICTLY, SCOPE}, {READ, SCOPE}}, {{NOTHING, 0}}}},
	{false, {{{REMEMBER, TAG_A}}, {{INVALIDATE, TAG_A}, {READ, TAG_A}}, {{NOTHING, 0}}}},
	/* A value of the old key is read by a host that still signs by it. */
	{true, {{{PAUSE, 0}, {READ, TAG_A}}, {{INVALIDATE, TAG_A}}, {{NOTHING, 0}}}},
	/* All hosts take all steps. The value of the old key may not outlive the last one. */
	{true,
		{{{CHANGE_KEYS, 0}, {PAUSE, 0}, {PAUSE, 0}, {TOUCH, PLAIN}, {TOUCH, PLAIN}, {OUTLIVE, 0},
			 {CHANGE_KEYS, 0}, {INVALIDATE_STRICTLY, TAG_A}},
			{{CHANGE_KEYS, 0}, {OUTLIVE, 0}, {PAUSE, 0}, {PAUSE, 0}, {PAUSE, 0}, {READ, PLAIN}},
			{{CHANGE_KEYS, 0}}}},
	{true,
		{{{CHANGE_KEYS, 0}, {PAUSE, 0}, {UPDATE, PLAIN}, {PAUSE, 0}, {TOUCH, PLAIN}, {OUTLIVE, 0},
			 {CHANGE_KEYS, 0}, {INVALIDATE_STRICTLY, TAG_A}},
			{{CHANGE_KEYS, 0}, {OUTLIVE, 0}, {PAUSE, 0}, {PAUSE, 0}, {PAUSE, 0}, {READ, PLAIN}},
			{{CHANGE_KEYS, 0}}}},
};

/* The lists of signing keys of the first 2 clients. */
static const unsigned keys_lists[][2] = {
	{OLD, OLD_NEW},
	{OLD_NEW, NEW_OLD},
	{NEW_OLD, OLD_NEW},
	{OLD_NEW, NEW_OLD},
	{NEW_OLD, OLD_NEW},
	{NEW, NEW_OLD},
	{OLD_NEW, NEW_OLD},
	{OLD_NEW, OLD_NEW},
	{OLD_NEW, OLD_NEW},
};

static const char *items[KEYS * TAG_COUNT + 1];

static uint64_t fingerprint_of(unsigned tag, const mcp_signing_key *key) {
	static const char *const names[TAG_COUNT] = {"a", "b", "scope."};
	mcp_bytes name = mcp_bytes_of(names[tag], strlen(names[tag]));
	mcp_named_kind kind = tag == 2 ? MCP_NAMED_NAMESPACE : MCP_NAMED_TAG;
	return mcp_signature_name(key, kind, mcp_bytes_none(), name);
}

/* Lists all tags of a list's views, named by one key. */
static void name_views(unsigned list, const mcp_signing_key *key) {
	for (unsigned view = 1; view < 8; view++) {
		mcp_cache_tags *tags = &plain_tags_state.views[list][view];
		unsigned before = tags->count * tags->key_count;
		tags->has_namespace = (view & SCOPE) != 0;
		tags->fingerprints = plain_tags_state.fingerprints[list][view];
		tags->key_count++;
		tags->count = 0;
		/* The namespace tag is first. */
		for (int i = 2; i >= 0; i--) {
			if ((view >> i & 1) != 0) {
				plain_tags_state.fingerprints[list][view][before + tags->count++] =
					fingerprint_of((unsigned)i, key);
			}
		}
	}
}

static void name_items(const mcp_signing_key *key) {
	for (unsigned tag = 0; tag < TAG_COUNT; tag++) {
		unsigned i = plain_tags_state.name_count++;
		plain_tags_state.tags[i] = mcp_key_tag(&plain_tags_state.tag_buffers[i], mcp_bytes_none(),
			fingerprint_of(tag, key), plain_tags_state.key.route);
		memcpy(plain_tags_state.names[i], plain_tags_state.tags[i].wire.data,
			plain_tags_state.tags[i].wire.length);
		items[i] = plain_tags_state.names[i];
	}
	items[plain_tags_state.name_count] = "k";
}

static void begin(uint32_t ttl_ms) {
	memset(&plain_tags_state, 0, sizeof(plain_tags_state));
	plain_tags_state.ttl_ms = ttl_ms;
	plain_tags_state.key = plain_key(&plain_tags_state.buffer, MCP_SPACE_CACHE, "k");
}

static void name_unsigned(void) {
	begin(TTL_MS);
	name_items(NULL);
	name_views(NO_KEY, NULL);
}

static void name_signed(void) {
	begin(SHORT_TTL_MS);
	for (unsigned list = OLD; list < LISTS; list++) {
		const mcp_signing_keys *keys = plain_tags_keys(list);
		for (size_t i = 0; i < keys->count; i++) {
			name_views(list, &keys->keys[i]);
		}
	}
	name_items(&plain_tags_keys(OLD)->keys[0]);
	name_items(&plain_tags_keys(NEW)->keys[0]);
}

static const program *program_of(const plain_world *world) {
	bool is_near = plain_tags_state.processes[0].store != NULL;
	bool is_signed = plain_tags_state.ttl_ms == SHORT_TTL_MS;
	const program *first = is_near ? near_programs : is_signed ? keys_programs : programs;
	return &first[world->variant - 1];
}

/* Stores the initial value. */
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
	name_unsigned();
	store_prior(world);
}

static void prepare_near(plain_world *world) {
	name_unsigned();
	plain_tags_be_near(world);
	store_prior(world);
}

/* With a seed, all clients begin at the first step, or one has taken the second. */
static void prepare_keys(plain_world *world) {
	name_signed();
	bool is_ahead = world->variant == 0 && sim_chance(world->choices, 50);
	for (unsigned i = 0; i < CLIENTS; i++) {
		plain_tags_state.processes[i].list =
			world->variant == 0 ? OLD : keys_lists[world->variant - 1][i % 2];
	}
	plain_tags_state.processes[0].list += is_ahead;
	store_prior(world);
}

static void act(plain_client *client) {
	static const action often[] = {READ, READ, RECALL, RECALL, REMEMBER, REMEMBER, REMEMBER,
		GET_SET, SET, ADD, LOOK, LOOK, LOOK, STORE, STORE, UPDATE, TOUCH, INVALIDATE, INVALIDATE,
		INVALIDATE_STRICTLY, INVALIDATE_STRICTLY};
	static const action others[] = {READ, READ_MANY, READ_MANY, INCREMENT, INCREMENT, SET, ADD, ADD,
		DELETE};
	static const unsigned views[] = {PLAIN, TAG_A, TAG_A, TAG_B, TAGS, SCOPE, TAG_A | SCOPE};
	sim_choices *choices = client->world->choices;
	if (plain_tags_state.ttl_ms == SHORT_TTL_MS && sim_chance(choices, 40)) {
		plain_tags_change_keys(client);
	}
	step next = {often[sim_choose(choices, sizeof(often) / sizeof(often[0]))], 0};
	if (client->world->family == &plain_tags && sim_chance(choices, 40)) {
		next.action = others[sim_choose(choices, sizeof(others) / sizeof(others[0]))];
	}
	if (next.action == INVALIDATE || next.action == INVALIDATE_STRICTLY) {
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
	for (unsigned i = 0; i < plain_tags_state.name_count; i++) {
		if (sim_request_is_for(request, &plain_tags_state.tags[i])) {
			return true;
		}
	}
	return false;
}

/* A tag version never repeats, and only a strict invalidation replaces an existing version (T3). */
static void check_tag(plain_world *world, const sim_request *request) {
	bool is_begun = request->verb == MCP_OP_ADD || request->verb == MCP_OP_SET;
	uint64_t number;
	if (!is_begun || !is_for_tag(request) ||
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

static void effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_op *before) {
	if (status == MCP_OK) {
		check_tag(world, request);
	}
	if (status == MCP_OK && before->status == MCP_OK && !request->is_late &&
		sim_request_is_for(request, &plain_tags_state.key)) {
		plain_tags_check_added(world, request->client, &before->item);
	}
}

/* When all claims and holdoffs have ended, a rebuild makes the value fresh (T5). */
static void finish(plain_world *world) {
	static const unsigned views[] = {TAGS, SCOPE, TAG_A};
	for (unsigned i = 0; i < 3 && world->log.violated == NULL; i++) {
		plain_client *client = &world->clients[0];
		client->world->now_ms += 4 * LEASE_MS;
		plain_tags_state.value_count = plain_tags_state.value_count > VALUES_MAX - 4
			? VALUES_MAX - 4
			: plain_tags_state.value_count;
		plain_tags_remember(client, views[i]);
		if (world->log.violated == NULL && !plain_tags_remember(client, views[i])) {
			plain_fail(world, "T5", "a rebuild through %u leaves nothing fresh", views[i]);
		}
	}
}

const plain_family plain_tags = {
	.client_count = CLIENTS,
	.items = items,
	.item_count = 4,
	PLAIN_JUMPS(100, LEASE_MS, 4 * LEASE_MS),
	.asks_for_proofs = true,
	.reads_apart = true,
	.prepare = prepare,
	.act = act,
	.rounds = ROUNDS,
	.run = run,
	.effect = effect,
	.finish = finish,
};

/* The family with near caches: 2 processes of one host, and 1 of another (P1, P2). */
const plain_family plain_tags_near = {
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

/* The family that changes signing keys in 3 steps (T9). Each host takes the next step after all have taken the
 * previous one, and the last step after all values of the old key have expired. */
const plain_family plain_tags_keys_changed = {
	.client_count = CLIENTS,
	.items = items,
	.item_count = KEYS * TAG_COUNT + 1,
	PLAIN_JUMPS(50, SHORT_TTL_MS / 2, 2 * SHORT_TTL_MS),
	.reads_apart = true,
	.prepare = prepare_keys,
	.act = act,
	.rounds = 2 * ROUNDS,
	.run = run,
	.effect = effect,
	.finish = finish,
};
