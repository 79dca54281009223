/* Each process has its own buffer for values from the near cache. */
/* SPDX-License-Identifier: MIT */
#include "plain/near_host.h"

#include "plain/wakeups.h"
#include "store/wrapped/change_notifier.h"

#include <stdlib.h>

enum { ROOM_SIZE = 12288 };

static mcp_shm_cache rooms[PLAIN_HOSTS];
static _Alignas(64) char memories[PLAIN_HOSTS][ROOM_SIZE];
static _Alignas(8) char copies[PLAIN_CLIENTS_MAX][MCP_NEAR_ITEM_MAX];

void plain_hosts_prepare(void) {
	memset(memories, 0, sizeof(memories));
	for (unsigned i = 0; i < PLAIN_HOSTS; i++) {
		if (!mcp_shm_cache_open(&rooms[i], memories[i], ROOM_SIZE)) {
			abort();
		}
	}
	plain_bells_prepare();
}

static mcp_store *tell(const mcp_notified_host *host, mcp_store *store) {
	mcp_store *told = mcp_change_notifier_create(store, host);
	if (told == NULL) {
		abort();
	}
	return told;
}

mcp_store *plain_host_store(const plain_client *client, mcp_store *store) {
	mcp_notified_host host = {.changes = &rooms[plain_host_of(client)].changes};
	return tell(&host, store);
}

mcp_store *plain_host_ringing_store(plain_client *client, mcp_store *store) {
	plain_bells_give(client);
	mcp_notified_host host = {
		.changes = &rooms[plain_host_of(client)].changes,
		.bells = plain_bells_of(plain_host_of(client)),
		.environment = &client->environment,
	};
	return tell(&host, store);
}

/* A writer whose processes never crash while writing: tests/core/test_shm_cache_torn.c tests that. */
static mcp_near_writer writer(void) {
	return (mcp_near_writer){1, 1, NULL};
}

mcp_near_host plain_near_host(const plain_client *client, uint32_t age_max_ms) {
	const mcp_shm_cache *shm_cache = &rooms[plain_host_of(client)];
	return (mcp_near_host){
		.environment = &client->environment,
		.changes = &shm_cache->changes,
		.shm_cache = shm_cache,
		.writer = writer,
		.whose = 1,
		.age_max_ms = age_max_ms,
		.copy = copies[client->index],
	};
}
