/* The clocks, randomness and pauses of a client. */
/* SPDX-License-Identifier: MIT */
#include "plain/client.h"

static uint64_t wall_ms(const mcp_environment *environment) {
	const plain_client *client = environment->context;
	return PLAIN_EPOCH_MS + client->world->now_ms + client->world->wall_ahead_ms +
		client->wall_ahead_ms;
}

static uint64_t monotonic_ms(const mcp_environment *environment) {
	const plain_client *client = environment->context;
	return client->world->now_ms;
}

static uint64_t random_u64(const mcp_environment *environment) {
	plain_client *client = environment->context;
	client->random = client->random * 6364136223846793005u + 1442695040888963407u;
	return client->random ^ (client->random >> 29) ^ ((uint64_t)(client->index + 1) << 60);
}

static void sleep_ms(const mcp_environment *environment, uint32_t duration_ms) {
	plain_sleep(environment->context, duration_ms);
}

void plain_sleep(plain_client *client, uint32_t duration_ms) {
	if (client->world->is_quiet) {
		plain_pass(client->world, duration_ms);
		return;
	}
	client->slept_ms += duration_ms;
	client->due_ms = client->world->now_ms + duration_ms;
	client->phase = PLAIN_SLEEPING;
	sim_fiber_give_way();
	bool was_woken = client->world->now_ms < client->due_ms;
	client->slept_ms -= was_woken ? client->due_ms - client->world->now_ms : 0;
}

void plain_client_set_environment(plain_client *client) {
	client->environment = (mcp_environment){
		.wall_ms = wall_ms,
		.monotonic_ms = monotonic_ms,
		.random_u64 = random_u64,
		.sleep_ms = sleep_ms,
		.context = client,
	};
}
