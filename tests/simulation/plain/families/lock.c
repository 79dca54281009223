/* Lock: clients acquire, refresh, request a token, sleep too long, release or crash. Clocks of hosts differ, and
 * the server's clock can be late or report no start. L1 to L4, L7 to L9 and L11 hold at every step, and no item is
 * left. */
/* SPDX-License-Identifier: MIT */
#include "plain/families/lock_items.h"
#include "plain/holders.h"

#include <stdlib.h>

enum { TTL_MS = 5000, ROUNDS = 3, TOKENS_MAX = 64, PATIENCE_MS = 300, SKEW_MS = MCP_LOCK_SKEW_MS };
/* From then on, every process may take over a crashed holder's lock, regardless of late clocks. */
enum { OVER_MS = TTL_MS + 2 * SKEW_MS };
/* The first program of the search with a server that reports no start. */
enum { FIRST_WITHOUT_START = 6 };

typedef struct holder {
	mcp_lock lock;
	mcp_hold hold;
	char owner[8];
	uint64_t excused_stamp; /* the hold whose item was evicted, or lost by a restart */
	bool was_stored;        /* before the loss */
	uint64_t acquired_at;   /* position in the order of acquisitions */
	bool is_acquiring, has_seen_another;
	bool is_giving_back; /* its hold */
	int calls;           /* of acquire */
} holder;

typedef struct token_note {
	uint64_t acquired_at, token;
} token_note;

static struct {
	mcp_key_buffer buffer;
	mcp_key key;
	holder holders[PLAIN_CLIENTS_MAX];
	uint64_t acquisitions;
	/* An add or a takeover that arrived after its client had given up. For processes without its memory, only its
	 * TTL ends it. */
	bool has_orphan;
	bool may_have_lost, was_there, has_lost; /* the lock's item, by an eviction or a restart */
	unsigned token_count;
	token_note tokens[TOKENS_MAX];
} lock_state;

static holder *holder_of(const plain_client *client) {
	return &lock_state.holders[client->index];
}

static void prepare(plain_world *world) {
	memset(&lock_state, 0, sizeof(lock_state));
	plain_holders_prepare(world);
	world->tells_no_start = world->variant == 0 ? sim_chance(world->choices, 50)
												: world->variant >= FIRST_WITHOUT_START;
	lock_state.key = plain_key(&lock_state.buffer, MCP_SPACE_LOCK, "job");
	/* In some runs, 2 holders have the same name. */
	bool is_namesake = sim_chance(world->choices, 25);
	for (unsigned i = 0; i < PLAIN_CLIENTS_MAX; i++) {
		holder *one = &lock_state.holders[i];
		snprintf(one->owner, sizeof(one->owner), "o%u", is_namesake ? 0 : i);
		one->lock = (mcp_lock){
			.store = &world->clients[i].door.store,
			.environment = &world->clients[i].environment,
			.key = &lock_state.key,
			.owner = mcp_bytes_of(one->owner, 2),
			.ttl_ms = TTL_MS,
			.skew_ms = SKEW_MS,
			.holder = plain_holder_of(&world->clients[i]),
			.named = plain_holder_of(&world->clients[i]),
		};
	}
}

static bool holds(const plain_client *client, uint64_t stamp, int operation) {
	const holder *one = holder_of(client);
	bool is_of_this_call = operation >= 0 && operation == client->operation;
	return one->hold.stamp == stamp &&
		(one->hold.deadline_ms != 0 || one->is_giving_back || is_of_this_call);
}

/* Or is about to write it again. */
static bool may_hold(const plain_client *client, uint64_t stamp, int operation) {
	const holder *one = holder_of(client);
	return holds(client, stamp, operation) || (one->is_acquiring && one->hold.stamp == stamp);
}

/* True if the item is this holder's acquisition. */
static bool is_stored(plain_world *world, const holder *one) {
	mcp_item item;
	return plain_peek(world, &lock_state.key, &item) == MCP_OK &&
		plain_lock_item_is_of(item.value, &one->lock, one->hold.stamp);
}

static void acquire(plain_client *client, uint64_t wait_ms) {
	plain_world *world = client->world;
	holder *one = holder_of(client);
	client->was_set = false;
	uint64_t began_ms = world->now_ms + world->wall_ahead_ms;
	one->is_acquiring = true;
	client->operation = one->calls++;
	one->has_seen_another = false;
	mcp_status status = mcp_lock_acquire(&one->lock, &one->hold, wait_ms);
	one->is_acquiring = false;
	client->operation = -1;
	plain_trace(world, "client %u: acquire -> %d", client->index, (int)status);
	/* Its clock can have been set meanwhile. It has released a lock that took too long to acquire. */
	uint64_t took_ms = world->now_ms + world->wall_ahead_ms - began_ms;
	bool has_slept = took_ms >= TTL_MS - SKEW_MS;
	if (status == MCP_NOT_STORED && !one->has_seen_another && !has_slept) {
		plain_fail(world, "L7", "client %u is told that it is taken, and nobody had it",
			client->index);
	}
	bool is_held = mcp_lock_is_held(&one->lock, &one->hold);
	/* Or set forward, beyond the end of the new hold. */
	if ((status == MCP_OK && !is_held && !client->was_set) ||
		(status == MCP_NOT_STORED && is_held)) {
		plain_fail(world, "L1", "client %u: acquire says %d, and held is %d", client->index,
			(int)status, is_held);
	}
}

static void note_token(plain_client *client, uint64_t token) {
	plain_world *world = client->world;
	const holder *one = holder_of(client);
	for (unsigned i = 0; i < lock_state.token_count; i++) {
		const token_note *other = &lock_state.tokens[i];
		bool is_later = one->acquired_at > other->acquired_at;
		bool is_same = one->acquired_at == other->acquired_at;
		/* A holder that slept through its deadline and still has the lock counts as the next holder. */
		if (is_same ? token < other->token : is_later != (token > other->token)) {
			plain_fail(world, "L9",
				"client %u: token %llu of acquisition %llu, beside %llu of %llu", client->index,
				(unsigned long long)token, (unsigned long long)one->acquired_at,
				(unsigned long long)other->token, (unsigned long long)other->acquired_at);
		}
	}
	if (lock_state.token_count < TOKENS_MAX) {
		lock_state.tokens[lock_state.token_count++] = (token_note){one->acquired_at, token};
	}
}

static void fence(plain_client *client) {
	holder *one = holder_of(client);
	uint64_t token;
	if (mcp_lock_fence(&one->lock, &one->hold, &token) == MCP_OK) {
		note_token(client, token);
	}
}

/* Requests a token of another lock, which no other client uses. Without a reported start, both locks have the same
 * fence. */
static void fence_another(plain_client *client) {
	char name[16];
	snprintf(name, sizeof(name), "job of %u", client->index);
	mcp_key_buffer buffer;
	mcp_key key = plain_key(&buffer, MCP_SPACE_LOCK, name);
	mcp_lock lock = holder_of(client)->lock;
	mcp_hold hold = {.stamp = 0};
	uint64_t token;
	lock.key = &key;
	if (mcp_lock_acquire(&lock, &hold, 0) == MCP_OK) {
		mcp_lock_fence(&lock, &hold, &token);
	}
	mcp_lock_release(&lock, &hold);
}

static void refresh(plain_client *client, uint64_t ttl_ms) {
	holder *one = holder_of(client);
	mcp_lock lock = one->lock;
	lock.ttl_ms = ttl_ms;
	bool was_held = mcp_lock_is_held(&lock, &one->hold);
	mcp_status status = mcp_lock_refresh(&lock, &one->hold);
	if (status == MCP_OK && !was_held) {
		plain_fail(client->world, "L8", "client %u extends what has run out", client->index);
	}
	if (status == MCP_NOT_FOUND && mcp_lock_is_held(&one->lock, &one->hold)) {
		plain_fail(client->world, "L8", "client %u was told that it lost the lock, and holds it",
			client->index);
	}
}

static void release(plain_client *client) {
	holder *one = holder_of(client);
	one->is_giving_back = one->hold.deadline_ms != 0;
	mcp_lock_release(&one->lock, &one->hold);
	one->is_giving_back = false;
	if (mcp_lock_is_held(&one->lock, &one->hold)) {
		plain_fail(client->world, "L2", "client %u holds what it released", client->index);
	}
}

/* Works while it holds the lock. */
static void work(plain_client *client) {
	sim_choices *choices = client->world->choices;
	if (sim_chance(choices, client->world->tells_no_start ? 80 : 40)) {
		fence(client);
	}
	if (sim_chance(choices, 40)) {
		static const uint32_t naps_ms[] = {10, TTL_MS / 2, TTL_MS - 1, TTL_MS, OVER_MS};
		plain_sleep(client, naps_ms[sim_choose(choices, 5)]);
	}
	for (unsigned i = sim_choose(choices, 4); i > 1; i--) {
		refresh(client, sim_chance(choices, 50) ? TTL_MS : TTL_MS / 4);
	}
	if (sim_chance(choices, 20)) {
		fence(client);
	}
	/* A new connection replaces a lost one, and the hold does not notice this. */
	if (sim_chance(choices, 30)) {
		mcp_lock_find(&holder_of(client)->lock);
	}
}

static void act(plain_client *client) {
	sim_choices *choices = client->world->choices;
	static const uint32_t waits_ms[] = {0, PATIENCE_MS, 2 * TTL_MS};
	if (client->world->tells_no_start && sim_chance(choices, 20)) {
		fence_another(client);
	}
	acquire(client, waits_ms[sim_choose(choices, 3)]);
	holder *one = holder_of(client);
	if (mcp_lock_is_held(&one->lock, &one->hold)) {
		work(client);
	}
	if (!sim_chance(choices, 10)) {
		release(client);
	}
}

/* Programs of the search: short and concurrent. */
static void run(plain_client *client) {
	switch (client->world->variant) {
		case 1:
			acquire(client, 0);
			release(client);
			return;
		case 2:
			acquire(client, 0);
			if (client->index == 0) {
				refresh(client, TTL_MS);
				release(client);
			}
			return;
		case 3:
			acquire(client, 0);
			fence(client);
			if (client->index == 0) {
				release(client);
			}
			return;
		case 4:
			/* A crashed holder, and 2 clients that want to take over. */
			if (client->index > 0) {
				plain_sleep(client, OVER_MS);
			}
			acquire(client, 0);
			if (client->index == 2) {
				release(client);
			}
			return;
		case FIRST_WITHOUT_START:
			acquire(client, 0);
			fence(client);
			release(client);
			return;
		case FIRST_WITHOUT_START + 1:
			/* Sequential holders. Between them the fence can be lost, or created by a client without the lock. */
			if (client->index == 2) {
				fence_another(client);
				return;
			}
			plain_sleep(client, client->index * OVER_MS);
			acquire(client, 0);
			fence(client);
			release(client);
			return;
		case FIRST_WITHOUT_START + 2:
			/* The second client's add is late, and a fault follows. */
			if (client->index < 2) {
				client->has_late_write = client->index == 1;
				acquire(client, 0);
				release(client);
			}
			return;
		default:
			/* The first refresh is late and meets the second one. */
			if (client->index == 0) {
				acquire(client, 0);
				refresh(client, TTL_MS / 4);
				refresh(client, TTL_MS);
				plain_sleep(client, TTL_MS - 1);
			}
			return;
	}
}

static holder *holder_of_request(const sim_request *request) {
	return &lock_state.holders[request->client];
}

static uint64_t stamp_of(const sim_request *request) {
	return plain_lock_item(sim_request_value(request)).stamp;
}

static void note_acquisition(const sim_request *request) {
	holder *one = holder_of_request(request);
	bool is_orphan = request->is_late && one->hold.stamp != stamp_of(request);
	lock_state.has_orphan = lock_state.has_orphan || is_orphan;
	one->acquired_at = ++lock_state.acquisitions;
}

/* Another client's item may be replaced only if it is expired or orphaned. */
static void take_over(plain_world *world, const sim_request *request, const mcp_op *before) {
	bool is_free = before->status == MCP_OK &&
		(plain_lock_item_is_over(before->item.value, world) ||
			plain_holders_know_orphan(world, &world->clients[request->client], before->item.value,
				holds));
	if (!is_free) {
		plain_fail(world, "L2", "client %u takes over what is another's", request->client);
	}
	note_acquisition(request);
}

/* A change of an existing item is made by its owner, or the item is expired (L2). An add or a cas contains owner
 * and stamp. A delete is of the client's open hold. */
static void effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_op *before) {
	holder *one = holder_of_request(request);
	if (status != MCP_OK || !sim_request_is_for(request, &lock_state.key)) {
		return;
	}
	if (request->verb == MCP_OP_ADD || request->verb == MCP_OP_CAS) {
		plain_holders_note(request);
	}
	if (request->verb == MCP_OP_ADD) {
		note_acquisition(request);
		return;
	}
	bool is_cas = request->verb == MCP_OP_CAS;
	uint64_t stamp = is_cas ? stamp_of(request) : one->hold.stamp;
	if (before->status == MCP_OK && plain_lock_item_is_of(before->item.value, &one->lock, stamp)) {
		return;
	}
	if (is_cas) {
		take_over(world, request, before);
	} else if (!request->is_late) {
		plain_fail(world, "L2", "client %u deletes what is another's", request->client);
	}
}

static bool is_there(plain_world *world) {
	mcp_item item;
	return plain_peek(world, &lock_state.key, &item) == MCP_OK;
}

static void lost(plain_world *world) {
	lock_state.may_have_lost = true;
	lock_state.was_there = is_there(world);
	for (unsigned i = 0; i < world->family->client_count; i++) {
		lock_state.holders[i].was_stored = is_stored(world, &lock_state.holders[i]);
	}
}

/* Excuses the holder whose item was evicted or lost by a restart. The lost item can be the fence. */
static void excuse(plain_world *world) {
	bool has_lost = lock_state.may_have_lost && lock_state.was_there && !is_there(world);
	lock_state.may_have_lost = false;
	lock_state.has_lost = lock_state.has_lost || has_lost;
	for (unsigned i = 0; i < world->family->client_count && has_lost; i++) {
		holder *one = &lock_state.holders[i];
		if (one->was_stored) {
			one->excused_stamp = one->hold.stamp;
		}
	}
}

/* A client that assumes to hold the lock has the item, so no other client holds it (L1, L3). */
static void check(plain_world *world) {
	excuse(world);
	mcp_item item;
	bool has_item = plain_peek(world, &lock_state.key, &item) == MCP_OK;
	unsigned holding = 0;
	for (unsigned i = 0; i < world->family->client_count; i++) {
		holder *one = &lock_state.holders[i];
		if (has_item && one->is_acquiring &&
			!plain_lock_item_is_of(item.value, &one->lock, one->hold.stamp) &&
			!plain_holders_know_orphan(world, &world->clients[i], item.value, may_hold)) {
			one->has_seen_another = true;
		}
		bool is_holding = !world->clients[i].is_dead && mcp_lock_is_held(&one->lock, &one->hold) &&
			one->hold.stamp != one->excused_stamp;
		if (!is_holding) {
			continue;
		}
		holding++;
		if (!is_stored(world, one)) {
			plain_fail(world, "L3", "client %u holds it, and its item is gone", i);
		}
	}
	if (holding > 1) {
		plain_fail(world, "L1", "%u clients hold it", holding);
	}
}

/* A remaining item is free for processes that share its writer's memory. An item of a killed process is free for
 * all (L11). */
static void check_left(plain_world *world, mcp_lock *last) {
	mcp_item item;
	if (plain_peek(world, &lock_state.key, &item) != MCP_OK) {
		return;
	}
	const plain_client *writer = plain_holders_writer(world, plain_lock_item(item.value).stamp);
	last->holder = plain_holder_beside(writer);
	if (mcp_lock_find(last) != MCP_NOT_FOUND) {
		plain_fail(world, "L11", "nobody holds what client %u has left", writer->index);
	}
	last->holder = plain_holder_beside(&world->clients[writer->index < 2 ? 2 : 0]);
	if (writer->is_dead && mcp_lock_find(last) != MCP_NOT_FOUND) {
		plain_fail(world, "L11", "client %u was killed, and has left it", writer->index);
	}
}

/* The objects are freed, then the leases of the processes end. */
static void finish(plain_world *world) {
	bool was_killed = false;
	for (unsigned i = 0; i < world->family->client_count; i++) {
		holder *one = &lock_state.holders[i];
		was_killed = was_killed || world->clients[i].is_dead;
		if (!world->clients[i].is_dead) {
			mcp_lock_release(&one->lock, &one->hold);
		}
	}
	holder *last = &lock_state.holders[PLAIN_CLIENTS_MAX - 1];
	bool is_excused = was_killed || lock_state.has_lost || lock_state.has_orphan;
	if (!is_excused && mcp_lock_find(&last->lock) != MCP_NOT_FOUND) {
		plain_fail(world, "L5", "it is locked when all holders are gone");
	}
	check_left(world, &last->lock);
	plain_pass(world, OVER_MS);
	last->hold = (mcp_hold){0};
	if (mcp_lock_acquire(&last->lock, &last->hold, 0) != MCP_OK) {
		plain_fail(world, "liveness", "it cannot be had at the last holder's TTL and skew");
	}
}

const plain_family plain_lock = {
	.client_count = 3,
	PLAIN_ITEMS("lock:job", "lock:~#fence"),
	PLAIN_JUMPS(TTL_MS / 2, TTL_MS, OVER_MS),
	.skew_ms = SKEW_MS,
	.has_late_clock = true,
	.asks_for_proofs = true,
	.prepare = prepare,
	.act = act,
	.rounds = ROUNDS,
	.run = run,
	.effect = effect,
	.lost = lost,
	.check = check,
	.finish = finish,
};
