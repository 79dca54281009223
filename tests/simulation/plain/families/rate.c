/* RateLimiter: attempts of a few processes across slots. Admitted attempts never exceed the limit of their
 * algorithm. A rejected attempt uses nothing up. An attempt without a reply is neither admitted nor rejected. At
 * the end no item is left, and attempts are admitted again. */
/* SPDX-License-Identifier: MIT */
#include "patterns/rate_limiter/rate_limiter.h"
#include "plain/families/families.h"

enum {
	SLOT_MS = 2000,
	SLOTS_MAX = 2,
	LIMIT_MAX = 3,
	ROUNDS = 4,
	ATTEMPTS_MAX = PLAIN_CLIENTS_MAX * ROUNDS,
	KEYS_MAX = 64,
	/* Extra lifetime of an item because of 2 s of skew and memcached's whole seconds. */
	LEFTOVER_MS = 5000,
	LIFE_MIN_MS = 1000, /* of a bucket's number */
};

typedef struct attempt {
	uint64_t cost;
	uint64_t began_ms, ended_ms; /* by the world's clock */
	mcp_status status;           /* MCP_UNKNOWN until it has ended; a killed client's never does */
	bool is_admitted, has_ended;
	unsigned faults;  /* of the world, during the attempt */
	int64_t counted;  /* sum of its writes that took effect */
	unsigned changes; /* their number */
} attempt;

static struct {
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_limit limit;
	unsigned budget; /* of faults, at the beginning */
	unsigned attempt_count, key_count;
	attempt attempts[ATTEMPTS_MAX];
	char keys[KEYS_MAX][SIM_NAME_MAX]; /* all written keys */
	unsigned key_lengths[KEYS_MAX];
} state;

static uint64_t period_ms(void) {
	return state.limit.period_ms;
}

/* A seed selects any kind of limit. A search has one per program. */
static void choose_limit(sim_choices *choices, unsigned variant) {
	mcp_limit *limit = &state.limit;
	bool is_search = variant > 0;
	static const mcp_limiting hows[] = {MCP_LIMITING_SLIDING_WINDOW, MCP_LIMITING_SLIDING_WINDOW,
		MCP_LIMITING_SLIDING_WINDOW, MCP_LIMITING_TOKEN_BUCKET, MCP_LIMITING_FIXED_WINDOW};
	limit->algorithm = is_search ? hows[variant] : (mcp_limiting)sim_choose(choices, 3);
	limit->limit = is_search ? 1 : 1 + sim_choose(choices, LIMIT_MAX);
	limit->slots = is_search ? 1 : 1 + sim_choose(choices, SLOTS_MAX);
	limit->period_ms =
		SLOT_MS * (limit->algorithm == MCP_LIMITING_SLIDING_WINDOW ? limit->slots : 1);
	limit->burst = is_search ? 1 : 1 + sim_choose(choices, LIMIT_MAX);
}

static void prepare(plain_world *world) {
	memset(&state, 0, sizeof(state));
	state.budget = world->fault_budget;
	state.key = plain_key(&state.buffer, MCP_SPACE_RATE, "login:anna");
	choose_limit(world->choices, world->variant);
}

static mcp_rate rate_of(plain_client *client) {
	return (mcp_rate){
		.store = &client->door.store,
		.environment = &client->environment,
		.key = &state.key,
		.limit = &state.limit,
	};
}

typedef struct scratch_room {
	mcp_key keys[SLOTS_MAX + 1];
	mcp_key_buffer buffers[SLOTS_MAX + 1];
	mcp_op replies[SLOTS_MAX + 1];
	uint64_t numbers[SLOTS_MAX + 1];
} scratch_room;

static mcp_slots_scratch scratch_in(scratch_room *room) {
	return (mcp_slots_scratch){room->keys, room->buffers, room->replies, room->numbers};
}

static unsigned faults_so_far(const plain_world *world) {
	return state.budget - world->fault_budget;
}

/* True if a bucket's number can have expired since the attempt found none: other attempts can have continued from
 * its late amount. */
static bool is_late(const attempt *made) {
	return state.limit.algorithm == MCP_LIMITING_TOKEN_BUCKET &&
		made->ended_ms - made->began_ms >= LIFE_MIN_MS;
}

/* A rejected attempt leaves no more than it found (R2). A fixed window counts it. */
static void check_refused(plain_world *world, const attempt *made) {
	bool may_count =
		made->faults > 0 || state.limit.algorithm == MCP_LIMITING_FIXED_WINDOW || is_late(made);
	if (made->status == MCP_OK && !made->is_admitted && made->counted != 0 && !may_count) {
		plain_fail(world, "R2", "a refused attempt has counted %lld", (long long)made->counted);
	}
}

/* The last call of an attempt with a result got a reply, except an undo (R5). */
static void check_asked(plain_client *client, const attempt *made) {
	bool is_known = client->was_answered || client->verb == MCP_OP_DECREMENT;
	if (made->status == MCP_OK && !is_known) {
		plain_fail(client->world, "R5", "an attempt without an answer is a %s",
			made->is_admitted ? "yes" : "no");
	}
	if (made->status != MCP_OK && made->is_admitted) {
		plain_fail(client->world, "R5", "an attempt failed and is a yes");
	}
}

static void try_one(plain_client *client, uint64_t cost) {
	plain_world *world = client->world;
	client->operation = (int)state.attempt_count++;
	attempt *made = &state.attempts[client->operation];
	*made = (attempt){
		.cost = cost,
		.began_ms = world->now_ms,
		.status = MCP_UNKNOWN,
		.faults = faults_so_far(world),
	};
	scratch_room room;
	mcp_rate rate = rate_of(client);
	mcp_slots_scratch scratch = scratch_in(&room);
	made->status = mcp_rate_attempt(&rate, &scratch, cost, &made->is_admitted);
	client->operation = -1;
	made->has_ended = true;
	made->ended_ms = world->now_ms;
	made->faults = faults_so_far(world) - made->faults;
	plain_trace(world, "client %u: %llu -> %d, %s", client->index, (unsigned long long)cost,
		(int)made->status, made->is_admitted ? "admitted" : "refused");
	check_refused(world, made);
	check_asked(client, made);
}

static uint64_t cost_max(void) {
	return state.limit.algorithm == MCP_LIMITING_TOKEN_BUCKET ? state.limit.burst
															  : state.limit.limit;
}

static void act(plain_client *client) {
	sim_choices *choices = client->world->choices;
	try_one(client, 1 + sim_choose(choices, (unsigned)cost_max()));
	if (sim_chance(choices, 50)) {
		plain_sleep(client, sim_choose(choices, 3 * SLOT_MS / 2));
	}
}

/* Programs of the search: an attempt before the end of a slot and one in the next; 3 concurrent attempts. */
static void run(plain_client *client) {
	switch (client->world->variant) {
		case 1:
			if (client->index < 2) {
				plain_sleep(client, client->index * SLOT_MS);
				try_one(client, 1);
			}
			return;
		default:
			try_one(client, 1);
			return;
	}
}

static void note_key(const sim_request *request) {
	for (unsigned i = 0; i < state.key_count; i++) {
		if (state.key_lengths[i] == request->name_length &&
			memcmp(state.keys[i], request->name, request->name_length) == 0) {
			return;
		}
	}
	if (state.key_count < KEYS_MAX) {
		memcpy(state.keys[state.key_count], request->name, request->name_length);
		state.key_lengths[state.key_count++] = request->name_length;
	}
}

static int64_t number_in(const sim_request *request) {
	int64_t number = 0;
	for (unsigned i = 0; i < request->length; i++) {
		number = number * 10 + (request->bytes[i] - '0');
	}
	return number;
}

static void effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_op *before) {
	/* An expired number needs no undo. */
	bool is_over = status == MCP_NOT_FOUND && request->verb == MCP_OP_DECREMENT;
	if ((status != MCP_OK && !is_over) || request->operation < 0) {
		return;
	}
	attempt *made = &state.attempts[request->operation];
	note_key(request);
	made->changes++;
	if (request->verb == MCP_OP_INCREMENT) {
		made->counted += (int64_t)request->amount;
	} else if (request->verb == MCP_OP_DECREMENT) {
		made->counted -= (int64_t)request->amount;
	} else {
		made->counted += number_in(request);
	}
}

/* Sums the attempts admitted certainly within this interval. */
static uint64_t admitted_between(uint64_t from_ms, uint64_t to_ms) {
	uint64_t sum = 0;
	for (unsigned i = 0; i < state.attempt_count; i++) {
		const attempt *made = &state.attempts[i];
		bool is_in = made->has_ended && made->began_ms >= from_ms && made->ended_ms <= to_ms;
		sum += made->is_admitted && is_in ? made->cost : 0;
	}
	return sum;
}

static void check_most(plain_world *world, const char *invariant, uint64_t from_ms, uint64_t to_ms,
	uint64_t most) {
	uint64_t admitted = admitted_between(from_ms, to_ms);
	if (admitted > most) {
		plain_fail(world, invariant, "%llu admitted from %llu to %llu ms, and at most %llu may be",
			(unsigned long long)admitted, (unsigned long long)from_ms, (unsigned long long)to_ms,
			(unsigned long long)most);
	}
}

/* Checks an interval that begins with an attempt (R1). It excludes the last millisecond of the period. */
static void check_slots(plain_world *world, uint64_t from_ms) {
	bool is_sliding = state.limit.algorithm == MCP_LIMITING_SLIDING_WINDOW;
	uint64_t most = is_sliding ? state.limit.limit : 2 * state.limit.limit;
	check_most(world, "R1", from_ms, from_ms + period_ms() - 1, most);
	uint64_t slot_ms = mcp_limit_slot_ms(&state.limit);
	uint64_t begin_ms = from_ms - (PLAIN_EPOCH_MS + from_ms) % slot_ms;
	check_most(world, "R1", begin_ms, begin_ms + slot_ms - 1, state.limit.limit);
}

/* Checks each interval between 2 attempts (R6). Clocks count milliseconds. */
static void check_bucket(plain_world *world, uint64_t from_ms) {
	for (unsigned i = 0; i < state.attempt_count; i++) {
		uint64_t to_ms = state.attempts[i].ended_ms;
		if (state.attempts[i].has_ended && to_ms >= from_ms) {
			uint64_t more = (to_ms - from_ms + 1) * state.limit.limit / period_ms();
			check_most(world, "R6", from_ms, to_ms, state.limit.burst + more);
		}
	}
}

static void check_leftovers(plain_world *world) {
	for (unsigned i = 0; i < state.key_count; i++) {
		mcp_item item;
		mcp_bytes bytes = mcp_bytes_of(state.keys[i], state.key_lengths[i]);
		mcp_key key = {.wire = bytes, .route = bytes};
		if (plain_peek(world, &key, &item) == MCP_OK) {
			plain_fail(world, "R4", "%.*s stays", (int)bytes.length, bytes.data);
		}
	}
}

/* The whole limit is available again. */
static void check_room(plain_world *world) {
	scratch_room room;
	mcp_rate rate = rate_of(&world->clients[0]);
	mcp_slots_scratch scratch = scratch_in(&room);
	mcp_rate_state left;
	mcp_status status = mcp_rate_read_state(&rate, &scratch, cost_max(), &left);
	if (status != MCP_OK || left.remaining != cost_max() || left.wait_us != 0) {
		plain_fail(world, "liveness", "after all that time %llu are left (status %d)",
			(unsigned long long)left.remaining, (int)status);
	}
	bool is_admitted;
	if (mcp_rate_attempt(&rate, &scratch, cost_max(), &is_admitted) != MCP_OK || !is_admitted) {
		plain_fail(world, "liveness", "nothing is admitted any more");
	}
}

/* A cost is admitted at the promised time. */
static void check_wait(plain_world *world, uint64_t cost) {
	scratch_room room;
	mcp_rate rate = rate_of(&world->clients[0]);
	mcp_slots_scratch scratch = scratch_in(&room);
	mcp_rate_state left = {0};
	mcp_rate_read_state(&rate, &scratch, cost, &left);
	plain_pass(world, (left.wait_us + 999) / 1000);
	mcp_rate_read_state(&rate, &scratch, cost, &left);
	if (left.wait_us != 0 || left.remaining < cost) {
		plain_fail(world, "liveness", "the time has come for %llu, and %llu us are left",
			(unsigned long long)cost, (unsigned long long)left.wait_us);
	}
}

static void finish(plain_world *world) {
	bool is_bucket = state.limit.algorithm == MCP_LIMITING_TOKEN_BUCKET;
	for (unsigned i = 0; i < state.attempt_count; i++) {
		uint64_t from_ms = state.attempts[i].began_ms;
		if (is_bucket) {
			check_bucket(world, from_ms);
		} else {
			check_slots(world, from_ms);
		}
	}
	check_wait(world, 1);
	check_wait(world, cost_max());
	plain_pass(world, period_ms() + state.limit.burst * period_ms() + SLOT_MS + LEFTOVER_MS);
	check_leftovers(world);
	check_room(world);
}

const plain_family plain_rate = {
	.client_count = 3,
	PLAIN_JUMPS(SLOT_MS / 2, SLOT_MS, 2 * SLOT_MS),
	.prepare = prepare,
	.act = act,
	.rounds = ROUNDS,
	.run = run,
	.effect = effect,
	.finish = finish,
};
