/* Counter: clients increment, start the counter from a computed number, drain it and restore. Each increment is
 * another power of 4, so that a sum shows which increments it contains and how often. K1, K2 and K4. */
/* SPDX-License-Identifier: MIT */
#include "plain/families/families.h"

#include "../../../../src/core/bytes.h"
#include "patterns/counter/counter.h"

enum {
	AMOUNTS_MAX = 24,
	TAKINGS_MAX = 32,
	ROUNDS = 3,
	BASE = 24,
	COMPUTE_MS = 200,
	GUARD_KEPT_MS = 60000
};

/* Whether an amount is in the sum. */
typedef enum fate { NEVER, SURELY, PERHAPS } fate;

typedef struct taking {
	int64_t amount;
	fate is_taken;
	bool is_doubtful; /* its guard may have ended early, and the restore got no reply */
} taking;

static struct {
	mcp_key_buffer buffer, guard_buffer;
	mcp_key key, guard;
	mcp_counter counters[PLAIN_CLIENTS_MAX];
	mcp_counter_claim claims[PLAIN_CLIENTS_MAX];
	bool is_computing[PLAIN_CLIENTS_MAX];
	bool has_base; /* the initial number was computed */
	unsigned amount_count, taking_count;
	fate counted[AMOUNTS_MAX + 1]; /* by power of 4; BASE: the initial number */
	taking takings[TAKINGS_MAX];
} state;

static int64_t power(unsigned index) {
	return (int64_t)1 << (2 * index);
}

static void prepare(plain_world *world) {
	memset(&state, 0, sizeof(state));
	state.key = plain_key(&state.buffer, MCP_SPACE_COUNTER, "views");
	state.guard = mcp_counter_guard_key(&state.guard_buffer, &state.key, MCP_COUNTER_DUTY_INITIAL);
	state.has_base = world->variant == 0 ? sim_chance(world->choices, 50) : world->variant == 2;
	for (unsigned i = 0; i < PLAIN_CLIENTS_MAX; i++) {
		state.counters[i] = (mcp_counter){
			.store = &world->clients[i].door.store,
			.environment = &world->clients[i].environment,
			.key = &state.key,
			.wait_ms = 2500,
		};
	}
}

/* Recorded first, because a killed client records nothing later. */
static unsigned begin_amount(void) {
	unsigned index = state.amount_count++;
	state.counted[index] = PERHAPS;
	return index;
}

static fate fate_of(mcp_status status) {
	return status == MCP_OK ? SURELY : status == MCP_UNKNOWN ? PERHAPS : NEVER;
}

static bool has_digit(int64_t sum, unsigned index) {
	return ((sum >> (2 * index)) & 3) != 0;
}

/* Records the result of an increment, and checks that the returned number contains it (K1). */
static void end_amount(plain_client *client, unsigned index, mcp_status status, int64_t number) {
	plain_trace(client->world, "client %u: counts 4^%u -> %d, %lld", client->index, index,
		(int)status, status == MCP_OK ? (long long)number : 0);
	state.counted[index] = fate_of(status);
	bool is_drained = state.taking_count > 0;
	if (status == MCP_OK && !is_drained && !client->world->has_lost && !has_digit(number, index)) {
		plain_fail(client->world, "K1", "client %u's own increment is not in its answer",
			client->index);
	}
}

static void count(plain_client *client) {
	if (state.amount_count == AMOUNTS_MAX) {
		return;
	}
	unsigned index = begin_amount();
	int64_t number = 0;
	mcp_status status = mcp_counter_start(&state.counters[client->index], 0, power(index), &number);
	end_amount(client, index, status, number);
}

/* Computes the initial number under the claim, like a callable, and increments it. */
static mcp_status compute(plain_client *client, unsigned index, int64_t *number) {
	const mcp_counter *counter = &state.counters[client->index];
	mcp_item item;
	bool is_elected = mcp_hold_is_open(&state.claims[client->index].hold);
	if (is_elected && plain_peek(client->world, &state.key, &item) == MCP_OK) {
		plain_fail(client->world, "K2", "client %u computes what is there", client->index);
	}
	state.is_computing[client->index] = true;
	plain_sleep(client, COMPUTE_MS);
	state.is_computing[client->index] = false;
	bool has_failed = sim_chance(client->world->choices, 20);
	mcp_status status = MCP_NOT_FOUND;
	if (!has_failed) {
		status = mcp_counter_start(counter, power(BASE), power(index), number);
	}
	mcp_counter_release(counter, &state.claims[client->index]);
	return status;
}

static void count_from_base(plain_client *client) {
	if (state.amount_count == AMOUNTS_MAX) {
		return;
	}
	const mcp_counter *counter = &state.counters[client->index];
	unsigned index = begin_amount();
	int64_t number = 0;
	mcp_status status;
	do {
		status = mcp_counter_add(counter, power(index), &number);
		if (status != MCP_NOT_FOUND) {
			break;
		}
		uint64_t slept_ms = client->slept_ms;
		status = mcp_counter_elect(counter, &state.claims[client->index]);
		if (client->slept_ms - slept_ms > counter->wait_ms) {
			plain_fail(client->world, "K2", "client %u waited too long", client->index);
		}
		if (status == MCP_OK) {
			status = compute(client, index, &number);
			break;
		}
	} while (status == MCP_EXISTS);
	end_amount(client, index, status, number);
}

static void give_back(plain_client *client, taking *taken) {
	taken->is_taken = PERHAPS;
	mcp_status status = mcp_counter_give_back(&state.counters[client->index], 0, taken->amount);
	taken->is_taken = status == MCP_OK ? NEVER : status == MCP_UNKNOWN ? PERHAPS : SURELY;
}

static void drain(plain_client *client) {
	if (state.taking_count == TAKINGS_MAX) {
		return;
	}
	/* Recorded at the request, in case the client is killed. */
	taking *taken = &state.takings[state.taking_count++];
	*taken = (taking){.is_taken = PERHAPS};
	client->operation = (int)(taken - state.takings);
	int64_t amount;
	unsigned unanswered = client->unanswered;
	mcp_status status = mcp_counter_drain(&state.counters[client->index], &amount);
	client->operation = -1;
	plain_trace(client->world, "client %u: drains -> %d, %lld", client->index, (int)status,
		(long long)amount);
	taken->amount = amount;
	taken->is_taken = fate_of(status);
	/* Also if it was repeated, and the guard belonged to another client by then. */
	bool had_no_answer = !client->was_answered || client->unanswered != unanswered;
	taken->is_doubtful = client->world->late_max_ms > PLAIN_LATE_MAX_MS && had_no_answer;
	if (status == MCP_OK && sim_chance(client->world->choices, 20)) {
		give_back(client, taken);
	}
}

static void act(plain_client *client) {
	sim_choices *choices = client->world->choices;
	bool is_drainer = client->index >= 2;
	if (is_drainer) {
		drain(client);
	} else if (state.has_base) {
		count_from_base(client);
	} else {
		count(client);
	}
	if (sim_chance(choices, 30)) {
		plain_sleep(client, 1 + sim_choose(choices, 50));
	}
}

/* Programs of the search: concurrent increments; a computed start; an increment during 2 drains. */
static void run(plain_client *client) {
	bool is_last = client->index == client->world->family->client_count - 1;
	switch (client->world->variant) {
		case 1:
			if (!is_last) {
				count(client);
			}
			return;
		case 2:
			if (client->index < 2) {
				count_from_base(client);
			}
			return;
		default:
			if (client->index == 0) {
				count(client);
			} else if (client->index == 1 || is_last) {
				drain(client);
			}
			return;
	}
}

static void effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_op *before) {
	if (!sim_request_is_for(request, &state.key)) {
		return;
	}
	if (request->verb == MCP_OP_DECREMENT && request->operation >= 0) {
		state.takings[request->operation].amount = (int64_t)request->amount;
	}
	bool is_start = request->verb == MCP_OP_ADD && status == MCP_OK;
	if (!is_start || !state.has_base) {
		return;
	}
	int64_t first;
	if (mcp_decimal_parse_i64(sim_request_value(request), &first) && has_digit(first, BASE)) {
		state.counted[BASE] = SURELY;
	} else if (!world->has_lost && request->operation < 0) {
		plain_fail(world, "K2", "the number starts without its first number");
	}
}

/* One process computes the initial number as long as its guard lives and no client times out (K2). No lock survives
 * a server that is late by more than 1 minute. */
static void check(plain_world *world) {
	unsigned computing = 0;
	for (unsigned i = 0; i < world->family->client_count; i++) {
		mcp_lock lock = {.environment = &world->clients[i].environment};
		bool is_guarded = mcp_lock_is_held(&lock, &state.claims[i].hold);
		computing += state.is_computing[i] && is_guarded && !world->clients[i].is_dead ? 1 : 0;
	}
	bool is_excused = world->has_lost || world->late_max_ms > PLAIN_LATE_MAX_MS;
	if (computing > 1 && !is_excused) {
		plain_fail(world, "K2", "%u clients compute the first number", computing);
	}
}

/* Returns the sum of the final number and all amounts that were certainly drained. */
static int64_t sum_known(plain_world *world) {
	mcp_item item;
	int64_t sum = 0;
	if (plain_peek(world, &state.key, &item) == MCP_OK) {
		mcp_decimal_parse_i64(item.value, &sum);
	}
	for (unsigned i = 0; i < state.taking_count; i++) {
		sum += state.takings[i].is_taken == SURELY ? state.takings[i].amount : 0;
	}
	return sum;
}

/* Every amount is in the sum exactly as often as its clients learned. */
static void check_digits(plain_world *world, int64_t sum) {
	for (unsigned i = 0; i <= BASE; i++) {
		unsigned times = (unsigned)(sum >> (2 * i)) & 3;
		bool is_right =
			state.counted[i] == PERHAPS ? times <= 1 : times == (state.counted[i] == SURELY);
		if (!is_right) {
			plain_fail(world, state.taking_count > 0 ? "K4" : "K1", "4^%u is counted %u times", i,
				times);
		}
	}
}

/* If drained amounts are unknown, the sum may lack at most these. An amount drained without a confirmed guard can
 * have been drained twice. */
static void check_bounds(plain_world *world, int64_t sum) {
	int64_t least = 0, most = 0, perhaps_taken = 0, twice_taken = 0;
	for (unsigned i = 0; i <= BASE; i++) {
		least += state.counted[i] == SURELY ? power(i) : 0;
		most += state.counted[i] != NEVER ? power(i) : 0;
	}
	for (unsigned i = 0; i < state.taking_count; i++) {
		const taking *taken = &state.takings[i];
		perhaps_taken += taken->is_taken == PERHAPS ? taken->amount : 0;
		twice_taken += taken->is_doubtful ? taken->amount : 0; /* even if it was restored */
	}
	if (sum > most + twice_taken || sum + perhaps_taken < least) {
		plain_fail(world, "K4", "%lld known and %lld perhaps taken of %lld to %lld counted",
			(long long)sum, (long long)perhaps_taken, (long long)least, (long long)most);
	}
}

static void finish(plain_world *world) {
	bool has_unknown_taking = false;
	for (unsigned i = 0; i < state.taking_count; i++) {
		const taking *taken = &state.takings[i];
		bool is_unknown = taken->is_taken == PERHAPS || (taken->is_doubtful && taken->amount > 0);
		has_unknown_taking = has_unknown_taking || is_unknown;
	}
	if (!world->has_lost && has_unknown_taking) {
		check_bounds(world, sum_known(world));
	} else if (!world->has_lost) {
		check_digits(world, sum_known(world));
	}
	/* The guard of a killed client delays later ones at most by the default wait, if their clocks agree. */
	plain_pass(world, MCP_LOCK_SKEW_MS - 1);
	int64_t taken;
	const mcp_counter *last = &state.counters[0];
	if (mcp_counter_drain(last, &taken) != MCP_OK) {
		plain_fail(world, "liveness", "it cannot be drained when all is over");
	}
	mcp_counter_claim claim;
	mcp_counter_reset(last);
	mcp_status status = mcp_counter_elect(last, &claim);
	if (status != MCP_OK) {
		plain_fail(world, "liveness", "nobody is elected when all is over (%d)", (int)status);
	}
}

const plain_family plain_counter = {
	.client_count = 4,
	PLAIN_ITEMS("views"),
	PLAIN_JUMPS(500, 1000, 3000, 13000, 62000),
	.skew_ms = MCP_LOCK_SKEW_MS,
	.has_late_clock = true,
	.asks_for_proofs = true,
	.has_dead_clock = true, /* a guard can end early */
	.prepare = prepare,
	.act = act,
	.rounds = ROUNDS,
	.run = run,
	.effect = effect,
	.check = check,
	.finish = finish,
};
