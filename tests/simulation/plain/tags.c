/* Tags and namespaces: clients that compute values of one key under tags, read and change it through views, through
 * a clearable cache and through a plain one, and invalidate, while a tag or the value is evicted. T1 to T3, T5, N1. */
/* SPDX-License-Identifier: MIT */
#include "families.h"

#include "../../../src/core/decimal.h"
#include "../../../src/patterns/cache_tags.h"

enum { VALUES_MAX = 64, CHANGES_MAX = 48, NUMBERS_MAX = 128, ROUNDS = 3, SCRIPT_MAX = 3 };
enum { TTL_MS = 3600000, LEASE_MS = 1000, WAIT_MS = 300, COMPUTE_MS = 50 };

/* What a client looks through; a bit for each tag that all of its values have. */
enum { PLAIN = 0, TAG_A = 1, TAG_B = 2, SCOPE = 4, TAGS = 3 };

typedef enum action {
	NOTHING,
	READ,
	REMEMBER,
	GET_SET, /* get, compute, set with the numbers of that look */
	SET,     /* with the numbers as of the call */
	ADD,
	UPDATE,
	TOUCH,
	INVALIDATE,
	INVALIDATE_STRICTLY,
	ACTIONS
} action;

typedef struct step {
	action action;
	unsigned through; /* or what to invalidate */
} step;

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
};
enum { PROGRAMS = sizeof(programs) / sizeof(programs[0]) };

/* Names it in its payload. */
typedef struct computed {
	unsigned began;
	unsigned tags;
} computed;

typedef struct change {
	unsigned began, ended; /* 0: not acknowledged */
	unsigned tag;
	bool is_strict;
} change;

static struct {
	mcp_key_buffer buffer, tag_buffers[3];
	mcp_key key, tags[3];
	char names[4][32];
	mcp_cache_tags views[8];
	mcp_cache_statistics statistics;
	unsigned moment, value_count, change_count, number_count;
	computed values[VALUES_MAX];
	change changes[CHANGES_MAX];
	uint64_t numbers[NUMBERS_MAX]; /* that a tag has begun with */
} state;

static const char *items[4];
static const uint32_t jumps_ms[] = {100, LEASE_MS, 4 * LEASE_MS};

static mcp_cache cache_of(plain_client *client, unsigned through) {
	return (mcp_cache){
		.store = &client->store,
		.environment = &client->environment,
		.statistics = &state.statistics,
		.lease_ms = LEASE_MS,
		.tags = through == PLAIN ? NULL : &state.views[through],
	};
}

static unsigned begin_value(unsigned tags) {
	state.values[state.value_count] = (computed){++state.moment, tags};
	return state.value_count++;
}

static bool is_full(void) {
	return state.value_count >= VALUES_MAX - 1 || state.change_count >= CHANGES_MAX - 1;
}

static mcp_cache_value fill(unsigned number, char *digits, const mcp_captured_tags *captured) {
	return (mcp_cache_value){
		.payload = mcp_bytes_of(digits, mcp_decimal_format_u64(number, digits)),
		.lifetime = {.ttl_ms = TTL_MS, .grace_ms = TTL_MS},
		.tags = mcp_captured_tags_view(captured),
	};
}

/* Invalidated before this look began, and computed before that. */
static bool is_after(const change *done, const computed *value, unsigned looked) {
	return done->ended > 0 && done->ended < looked && (value->tags & done->tag) != 0 &&
		value->began < done->began;
}

/* T1, T2, N1, by what was shown. */
static void check_shown(plain_client *client, const mcp_cache_entry *entry, unsigned through,
	unsigned looked) {
	if (!entry->has_value) {
		return;
	}
	uint64_t number;
	if (!mcp_decimal_parse_u64(entry->payload, &number) || number >= state.value_count) {
		plain_fail(client->world, "C9", "client %u is shown what nobody wrote", client->index);
		return;
	}
	const computed *value = &state.values[number];
	bool is_fresh = entry->verdict == MCP_VERDICT_FRESH;
	for (unsigned i = 0; i < state.change_count; i++) {
		const change *done = &state.changes[i];
		if (is_after(done, value, looked) && done->is_strict) {
			plain_fail(client->world, "T2", "client %u is shown value %u", client->index,
				(unsigned)number);
		} else if (is_after(done, value, looked) && is_fresh) {
			plain_fail(client->world, "T1", "client %u is shown value %u as fresh", client->index,
				(unsigned)number);
		}
	}
	if ((through & SCOPE) != 0 && (value->tags & SCOPE) == 0) {
		plain_fail(client->world, "N1", "client %u is shown a value of no namespace",
			client->index);
	}
	if (is_fresh && (through & ~value->tags & TAGS) != 0) {
		plain_fail(client->world, "T6", "client %u is shown a value of other tags as fresh",
			client->index);
	}
}

static void note_shown(plain_client *client, const mcp_cache_entry *entry, unsigned through,
	unsigned looked) {
	plain_trace(client->world, "client %u through %u: verdict %d, %.*s", client->index, through,
		(int)entry->verdict, entry->has_value ? (int)entry->payload.length : 0,
		entry->payload.data);
	check_shown(client, entry, through, looked);
}

static void look(plain_client *client, unsigned through) {
	mcp_cache cache = cache_of(client, through);
	mcp_cache_entry entry;
	unsigned looked = ++state.moment;
	mcp_cache_read(&cache, &state.key, &entry);
	note_shown(client, &entry, through, looked);
}

/* Computes under the claim that the look was given. */
static void publish(plain_client *client, const mcp_cache *cache, unsigned through,
	const mcp_cache_entry *entry) {
	mcp_captured_tags captured;
	mcp_cache_capture(cache, entry, &captured);
	mcp_claim claim = entry->claim;
	unsigned number = begin_value(through);
	plain_sleep(client, COMPUTE_MS);
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_cache_value value = fill(number, digits, &captured);
	mcp_cache_publish(cache, &state.key, &claim, &value);
}

static bool remember(plain_client *client, unsigned through) {
	mcp_cache cache = cache_of(client, through);
	mcp_remember wishes = {
		.lifetime = {.ttl_ms = TTL_MS, .grace_ms = TTL_MS},
		.wait_ms = WAIT_MS,
		.serve_stale = true,
	};
	mcp_cache_entry entry;
	/* It looks again while it waits: what is over by its last look is over by its answer. */
	unsigned looked = ++state.moment;
	mcp_cache_remember(&cache, &state.key, &wishes, &entry);
	note_shown(client, &entry, through, looked);
	if (entry.verdict == MCP_VERDICT_ELECTED) {
		publish(client, &cache, through, &entry);
	}
	return entry.verdict == MCP_VERDICT_FRESH;
}

static void get_set(plain_client *client, unsigned through) {
	mcp_cache cache = cache_of(client, through);
	mcp_cache_entry entry;
	unsigned looked = ++state.moment;
	mcp_cache_get(&cache, &state.key, &entry);
	note_shown(client, &entry, through, looked);
	mcp_captured_tags captured;
	mcp_cache_capture(&cache, &entry, &captured);
	if (entry.verdict == MCP_VERDICT_FRESH || entry.trouble != MCP_OK ||
		mcp_cache_complete_capture(&cache, &state.key, &captured) != MCP_OK) {
		return;
	}
	unsigned number = begin_value(through);
	plain_sleep(client, COMPUTE_MS);
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_cache_value value = fill(number, digits, &captured);
	mcp_cache_set(&cache, &state.key, &value);
}

static void store(plain_client *client, unsigned through, bool adds) {
	mcp_cache cache = cache_of(client, through);
	mcp_captured_tags captured;
	if (mcp_cache_capture_now(&cache, &state.key, &captured) != MCP_OK) {
		return;
	}
	/* What the caller computed before is not known to be older: nothing is promised of that. */
	unsigned number = begin_value(through);
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_cache_value value = fill(number, digits, &captured);
	if (adds) {
		mcp_cache_add(&cache, &state.key, &value);
	} else {
		mcp_cache_set(&cache, &state.key, &value);
	}
}

/* The value's tags stay, and those of the view are added. */
static void update(plain_client *client, unsigned through) {
	mcp_cache cache = cache_of(client, through);
	mcp_cache_entry entry;
	unsigned looked = ++state.moment;
	mcp_cache_peek(&cache, &state.key, &entry);
	note_shown(client, &entry, through, looked);
	if (entry.trouble != MCP_OK || entry.verdict == MCP_VERDICT_STALE ||
		entry.verdict == MCP_VERDICT_BUSY) {
		return; /* a new value of an old one is as new as this one, by the rules for ends */
	}
	uint64_t before;
	bool has_before = entry.has_value && mcp_decimal_parse_u64(entry.payload, &before);
	mcp_cache_seen seen = mcp_cache_see(&entry);
	mcp_captured_tags captured;
	if (!mcp_cache_capture_kept(&cache, &entry, &captured) ||
		mcp_cache_complete_capture(&cache, &state.key, &captured) != MCP_OK) {
		return;
	}
	unsigned number = begin_value(through | (has_before ? state.values[before].tags : 0));
	plain_sleep(client, COMPUTE_MS);
	char digits[MCP_DECIMAL_MAX_LENGTH];
	mcp_cache_value value = fill(number, digits, &captured);
	mcp_cache_update(&cache, &state.key, &seen, &value);
}

static void touch(plain_client *client, unsigned through) {
	mcp_cache cache = cache_of(client, through);
	mcp_cache_touch(&cache, &state.key, (mcp_lifetime){.ttl_ms = TTL_MS, .grace_ms = TTL_MS});
}

static void invalidate(plain_client *client, unsigned tag, bool is_strict) {
	mcp_cache cache = cache_of(client, PLAIN);
	change *done = &state.changes[state.change_count++];
	*done = (change){.began = ++state.moment, .tag = tag, .is_strict = is_strict};
	mcp_status status =
		mcp_cache_invalidate(&cache, mcp_bytes_none(), &state.views[tag], is_strict);
	plain_trace(client->world, "client %u invalidates %u%s -> %d", client->index, tag,
		is_strict ? " strictly" : "", (int)status);
	if (status == MCP_OK) {
		done->ended = ++state.moment;
	}
}

static void act(plain_client *client, step wanted) {
	if (is_full()) {
		return;
	}
	switch (wanted.action) {
		case READ:
			look(client, wanted.through);
			break;
		case REMEMBER:
			remember(client, wanted.through);
			break;
		case GET_SET:
			get_set(client, wanted.through);
			break;
		case SET:
		case ADD:
			store(client, wanted.through, wanted.action == ADD);
			break;
		case UPDATE:
			update(client, wanted.through);
			break;
		case TOUCH:
			touch(client, wanted.through);
			break;
		case INVALIDATE:
		case INVALIDATE_STRICTLY:
			invalidate(client, wanted.through, wanted.action == INVALIDATE_STRICTLY);
			break;
		default:
			break;
	}
}

/* --- the family --- */

static void name_keys(void) {
	state.key = plain_key(&state.buffer, MCP_SPACE_CACHE, "k");
	uint64_t fingerprints[] = {
		mcp_key_tag_fingerprint(mcp_bytes_none(), mcp_bytes_of("a", 1)),
		mcp_key_tag_fingerprint(mcp_bytes_none(), mcp_bytes_of("b", 1)),
		mcp_key_namespace_fingerprint(mcp_bytes_none(), mcp_bytes_of("scope.", 6)),
	};
	for (unsigned i = 0; i < 3; i++) {
		state.tags[i] =
			mcp_key_tag(&state.tag_buffers[i], mcp_bytes_none(), fingerprints[i], state.key.route);
		memcpy(state.names[i], state.tags[i].wire.data, state.tags[i].wire.length);
		items[i] = state.names[i];
	}
	items[3] = "k";
	for (unsigned view = 1; view < 8; view++) {
		state.views[view].has_namespace = (view & SCOPE) != 0;
		/* The namespace's comes first. */
		for (int i = 2; i >= 0; i--) {
			if ((view >> i & 1) != 0) {
				mcp_cache_tags_add(&state.views[view], fingerprints[i]);
			}
		}
	}
}

/* Stored before anything begins. */
static void prepare(plain_world *world) {
	memset(&state, 0, sizeof(state));
	name_keys();
	bool has_prior = world->variant == 0 ? plain_chance(world->choices, 50)
										 : programs[world->variant - 1].has_prior;
	if (has_prior) {
		world->is_quiet = true;
		store(&world->clients[0], TAG_A | TAG_B | SCOPE, false);
		world->is_quiet = false;
	}
}

static void run_at_random(plain_client *client) {
	static const action often[] = {READ, READ, REMEMBER, REMEMBER, REMEMBER, GET_SET, SET, ADD,
		UPDATE, TOUCH, INVALIDATE, INVALIDATE, INVALIDATE_STRICTLY, INVALIDATE_STRICTLY};
	static const unsigned views[] = {PLAIN, TAG_A, TAG_A, TAG_B, TAGS, SCOPE, TAG_A | SCOPE};
	plain_choices *choices = client->world->choices;
	for (unsigned round = 0; round < ROUNDS; round++) {
		step next = {often[plain_choose(choices, sizeof(often) / sizeof(often[0]))], 0};
		if (next.action >= INVALIDATE) {
			next.through = 1u << plain_choose(choices, 3);
		} else {
			next.through = views[plain_choose(choices, sizeof(views) / sizeof(views[0]))];
		}
		act(client, next);
		if (plain_chance(choices, 30)) {
			plain_sleep(client, 1 + plain_choose(choices, 50));
		}
	}
}

static void run(plain_client *client) {
	if (client->world->variant == 0) {
		run_at_random(client);
		return;
	}
	for (unsigned i = 0; i < SCRIPT_MAX; i++) {
		act(client, programs[client->world->variant - 1].steps[client->index][i]);
	}
}

static bool is_for_tag(const plain_request *request) {
	return plain_request_is_for(request, &state.tags[0]) ||
		plain_request_is_for(request, &state.tags[1]) ||
		plain_request_is_for(request, &state.tags[2]);
}

/* T3: no number ever comes again, and nothing but a strict invalidation replaces one that is there. */
static void effect(plain_world *world, const plain_request *request, mcp_status status,
	const mcp_reply *before) {
	(void)before;
	bool is_begun = request->verb == PLAIN_ADD || request->verb == PLAIN_SET;
	uint64_t number;
	if (!is_begun || status != MCP_OK || !is_for_tag(request) ||
		!mcp_decimal_parse_u64(mcp_bytes_of(request->body, request->body_length), &number)) {
		return;
	}
	for (unsigned i = 0; i < state.number_count; i++) {
		if (state.numbers[i] >> MCP_TAG_COUNT_BITS == number >> MCP_TAG_COUNT_BITS) {
			plain_fail(world, "T3", "a tag has a number again");
		}
	}
	if (state.number_count < NUMBERS_MAX) {
		state.numbers[state.number_count++] = number;
	}
}

static void lost(plain_world *world) {
	(void)world;
}

static void check(plain_world *world) {
	(void)world;
}

/* T5: one rebuild makes it fresh, when what was claimed and held off is over. */
static void finish(plain_world *world) {
	static const unsigned views[] = {TAGS, SCOPE, TAG_A};
	for (unsigned i = 0; i < 3 && world->violated == NULL; i++) {
		plain_client *client = &world->clients[0];
		client->world->now_ms += 4 * LEASE_MS;
		state.value_count = state.value_count > VALUES_MAX - 4 ? VALUES_MAX - 4 : state.value_count;
		remember(client, views[i]);
		if (world->violated == NULL && !remember(client, views[i])) {
			plain_fail(world, "T5", "a rebuild through %u leaves nothing fresh", views[i]);
		}
	}
}

const plain_family plain_tags = {
	.name = "tags",
	.client_count = 3,
	.items = items,
	.item_count = 4,
	.jumps_ms = jumps_ms,
	.jump_count = 3,
	.reads_apart = true,
	.prepare = prepare,
	.run = run,
	.effect = effect,
	.lost = lost,
	.check = check,
	.finish = finish,
};
