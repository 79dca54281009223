/* Semaphore: clients acquire, refresh, sleep too long, release or crash, on hosts with different clocks, with a
 * server whose clock is late. There are never more holders than permits, no client changes another's permit, "all
 * taken" is reported only if true, and no item is left. */
/* SPDX-License-Identifier: MIT */
#include "patterns/lock/semaphore.h"
#include "plain/families/lock_items.h"
#include "plain/holders.h"

enum {
	PERMITS_MAX = 2,
	TTL_MS = 5000,
	ROUNDS = 3,
	PATIENCE_MS = 300,
	SKEW_MS = MCP_LOCK_SKEW_MS,
	OVER_MS = TTL_MS + 2 * SKEW_MS,
};

typedef struct holder {
	mcp_semaphore semaphore;
	mcp_hold hold;
	uint32_t permit;
	char owner[8];
	bool is_acquiring, has_seen_others[PERMITS_MAX];
	bool is_giving_back; /* its hold */
	int calls;           /* of acquire */
} holder;

static struct {
	mcp_key_buffer buffer, permit_buffers[PERMITS_MAX];
	mcp_key key, permit_keys[PERMITS_MAX];
	uint32_t permits;
	holder holders[PLAIN_CLIENTS_MAX];
	bool has_orphan; /* a write that arrived after its client had given up */
} state;

static void prepare(plain_world *world) {
	memset(&state, 0, sizeof(state));
	plain_holders_prepare(world);
	state.key = plain_key(&state.buffer, MCP_SPACE_SEMAPHORE, "job");
	state.permits = world->variant == 0 ? 1 + sim_choose(world->choices, PERMITS_MAX) : 2;
	for (uint32_t i = 0; i < PERMITS_MAX; i++) {
		state.permit_keys[i] = mcp_semaphore_permit_key(&state.permit_buffers[i], &state.key, i);
	}
	for (unsigned i = 0; i < PLAIN_CLIENTS_MAX; i++) {
		holder *one = &state.holders[i];
		snprintf(one->owner, sizeof(one->owner), "o%u", i);
		one->semaphore.permits = state.permits;
		one->semaphore.lock = (mcp_lock){
			.store = &world->clients[i].door.store,
			.environment = &world->clients[i].environment,
			.key = &state.key,
			.owner = mcp_bytes_of(one->owner, 2),
			.ttl_ms = TTL_MS,
			.skew_ms = SKEW_MS,
			.holder = plain_holder_of(&world->clients[i]),
			.named = plain_holder_of(&world->clients[i]),
		};
	}
}

static holder *holder_of(const plain_client *client) {
	return &state.holders[client->index];
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

static bool is_held(const holder *one) {
	return mcp_lock_is_held(&one->semaphore.lock, &one->hold);
}

static mcp_lock lock_of(const holder *one) {
	mcp_lock lock = one->semaphore.lock;
	lock.key = &state.permit_keys[one->permit];
	return lock;
}

typedef struct scratch_room {
	mcp_key keys[PERMITS_MAX];
	mcp_key_buffer buffers[PERMITS_MAX];
	mcp_op replies[PERMITS_MAX];
	uint32_t free_ones[PERMITS_MAX];
} scratch_room;

static mcp_semaphore_scratch scratch_in(scratch_room *room) {
	return (mcp_semaphore_scratch){room->keys, room->buffers, room->replies, room->free_ones};
}

static mcp_status call_acquire(holder *one, uint64_t wait_ms) {
	scratch_room room;
	mcp_semaphore_scratch scratch = scratch_in(&room);
	return mcp_semaphore_acquire(&one->semaphore, &scratch, &one->hold, &one->permit, wait_ms);
}

static void acquire(plain_client *client, uint64_t wait_ms) {
	plain_world *world = client->world;
	holder *one = holder_of(client);
	uint64_t stamp = one->hold.stamp;
	uint32_t before = one->permit;
	client->was_set = false;
	uint64_t began_ms = world->now_ms + world->wall_ahead_ms;
	one->is_acquiring = true;
	client->operation = one->calls++;
	memset(one->has_seen_others, 0, sizeof(one->has_seen_others));
	mcp_status status = call_acquire(one, wait_ms);
	one->is_acquiring = false;
	client->operation = -1;
	plain_trace(world, "client %u: acquire -> %d, permit %u", client->index, (int)status,
		one->permit);
	/* Its clock can have been set meanwhile. It has released a permit that took too long to acquire. */
	bool has_slept = world->now_ms + world->wall_ahead_ms - began_ms >= TTL_MS - SKEW_MS;
	for (uint32_t i = 0; i < state.permits && status == MCP_NOT_STORED && !has_slept; i++) {
		if (!one->has_seen_others[i]) {
			plain_fail(world, "S4", "client %u is told that all are taken, and nobody had %u",
				client->index, i);
		}
	}
	/* Or set forward, beyond the end of the new hold. */
	bool is_set = status == MCP_OK && client->was_set;
	if ((status == MCP_OK) != is_held(one) && !is_set && !mcp_status_is_failure(status)) {
		plain_fail(world, "S1", "client %u: acquire says %d, and held is %d", client->index,
			(int)status, is_held(one));
	}
	bool is_same = one->hold.stamp == stamp && is_held(one);
	if (is_same && before != one->permit) {
		plain_fail(world, "S5", "client %u held %u and has %u now", client->index, before,
			one->permit);
	}
}

static void refresh(plain_client *client) {
	holder *one = holder_of(client);
	mcp_lock lock = lock_of(one);
	mcp_lock_refresh(&lock, &one->hold);
}

static void release(holder *one) {
	mcp_lock lock = lock_of(one);
	one->is_giving_back = one->hold.deadline_ms != 0;
	mcp_lock_release(&lock, &one->hold);
	one->is_giving_back = false;
}

static void act(plain_client *client) {
	sim_choices *choices = client->world->choices;
	holder *one = holder_of(client);
	static const uint32_t waits_ms[] = {0, PATIENCE_MS, 2 * TTL_MS};
	acquire(client, waits_ms[sim_choose(choices, 3)]);
	if (is_held(one) && sim_chance(choices, 40)) {
		static const uint32_t naps_ms[] = {10, TTL_MS / 2, TTL_MS - 1, TTL_MS, OVER_MS};
		plain_sleep(client, naps_ms[sim_choose(choices, 5)]);
	}
	if (is_held(one) && sim_chance(choices, 40)) {
		refresh(client);
	}
	if (!sim_chance(choices, 20)) {
		release(one);
	}
}

/* Programs of the search: 3 concurrent clients; crashed holders, and 2 clients that want to take over. */
static void run(plain_client *client) {
	switch (client->world->variant) {
		case 1:
			acquire(client, 0);
			release(holder_of(client));
			return;
		default:
			if (client->index > 0) {
				plain_sleep(client, OVER_MS);
			}
			acquire(client, 0);
			return;
	}
}

/* A changed or deleted item belongs to the client, is expired, or is orphaned (S2). */
static void effect(plain_world *world, const sim_request *request, mcp_status status,
	const mcp_op *before) {
	holder *one = &state.holders[request->client];
	if (status != MCP_OK) {
		return;
	}
	bool has_body = request->verb == MCP_OP_ADD || request->verb == MCP_OP_CAS;
	mcp_bytes body = sim_request_value(request);
	uint64_t stamp = has_body ? plain_lock_item(body).stamp : one->hold.stamp;
	if (has_body) {
		plain_holders_note(request);
	}
	if (has_body && request->is_late && one->hold.stamp != stamp) {
		state.has_orphan = true;
	}
	if (request->verb == MCP_OP_ADD || request->is_late || before->status != MCP_OK) {
		return;
	}
	if (!plain_lock_item_is_of(before->item.value, &one->semaphore.lock, stamp) &&
		!plain_lock_item_is_over(before->item.value, world) &&
		!plain_holders_know_orphan(world, &world->clients[request->client], before->item.value,
			holds)) {
		plain_fail(world, "S2", "client %u changes or deletes what is another's", request->client);
	}
}

static void note_taken(plain_world *world, holder *one, uint32_t permit) {
	mcp_item item;
	bool is_there = plain_peek(world, &state.permit_keys[permit], &item) == MCP_OK;
	if (is_there && one->is_acquiring &&
		!plain_lock_item_is_of(item.value, &one->semaphore.lock, one->hold.stamp) &&
		!plain_holders_know_orphan(world, &world->clients[one - state.holders], item.value,
			may_hold)) {
		one->has_seen_others[permit] = true;
	}
}

/* A client that assumes to hold a permit has its item, so no 2 clients hold the same permit, and there are no more
 * holders than permits (S1). */
static void check(plain_world *world) {
	for (unsigned i = 0; i < world->family->client_count; i++) {
		holder *one = &state.holders[i];
		for (uint32_t permit = 0; permit < state.permits; permit++) {
			note_taken(world, one, permit);
		}
		if (world->clients[i].is_dead || !is_held(one)) {
			continue;
		}
		mcp_item item;
		bool is_there = one->permit < state.permits &&
			plain_peek(world, &state.permit_keys[one->permit], &item) == MCP_OK;
		if (!is_there ||
			!plain_lock_item_is_of(item.value, &one->semaphore.lock, one->hold.stamp)) {
			plain_fail(world, "S1", "client %u holds permit %u, and its item is not there", i,
				one->permit);
		}
	}
}

/* A remaining item is free for processes that share its writer's memory. An item of a killed process is free for
 * all (S3). */
static void check_left(plain_world *world, mcp_lock *last) {
	const mcp_key *semaphores = last->key;
	for (uint32_t permit = 0; permit < state.permits; permit++) {
		mcp_item item;
		last->key = &state.permit_keys[permit];
		if (plain_peek(world, last->key, &item) != MCP_OK) {
			continue;
		}
		const plain_client *writer = plain_holders_writer(world, plain_lock_item(item.value).stamp);
		last->holder = plain_holder_beside(writer);
		if (mcp_lock_find(last) != MCP_NOT_FOUND) {
			plain_fail(world, "S3", "nobody holds what client %u has left", writer->index);
		}
		last->holder = plain_holder_beside(&world->clients[writer->index < 2 ? 2 : 0]);
		if (writer->is_dead && mcp_lock_find(last) != MCP_NOT_FOUND) {
			plain_fail(world, "S3", "client %u was killed, and has left it", writer->index);
		}
	}
	last->key = semaphores;
}

/* The objects are freed, then the leases of the processes end. */
static void finish(plain_world *world) {
	bool was_killed = false;
	for (unsigned i = 0; i < world->family->client_count; i++) {
		was_killed = was_killed || world->clients[i].is_dead;
		if (!world->clients[i].is_dead) {
			release(&state.holders[i]);
		}
	}
	holder *last = &state.holders[PLAIN_CLIENTS_MAX - 1];
	scratch_room room;
	mcp_semaphore_scratch scratch = scratch_in(&room);
	uint32_t available = 0;
	mcp_semaphore_available(&last->semaphore, &scratch, &available);
	if (!was_killed && !state.has_orphan && available != state.permits) {
		plain_fail(world, "S2", "%u of %u are free when all holders are gone", available,
			state.permits);
	}
	check_left(world, &last->semaphore.lock);
	plain_pass(world, OVER_MS);
	mcp_semaphore_available(&last->semaphore, &scratch, &available);
	if (available != state.permits || call_acquire(last, 0) != MCP_OK) {
		plain_fail(world, "S3", "%u of %u are free at the last holder's TTL and skew", available,
			state.permits);
	}
}

const plain_family plain_semaphore = {
	.client_count = 3,
	PLAIN_JUMPS(TTL_MS / 2, TTL_MS, OVER_MS),
	.skew_ms = SKEW_MS,
	.has_late_clock = true,
	.asks_for_proofs = true,
	.prepare = prepare,
	.act = act,
	.rounds = ROUNDS,
	.run = run,
	.effect = effect,
	.check = check,
	.finish = finish,
};
