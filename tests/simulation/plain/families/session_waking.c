/* Wake-ups of a session's lock. A process that sleeps by the clock does not listen, unless it sleeps briefly after
 * useless wake-ups. */
/* SPDX-License-Identifier: MIT */
#include "plain/families/session_waking.h"

#include "plain/wakeups.h"
#include "plain/near_host.h"

#include <stdlib.h>

enum { DEAF_MAX_MS = 20 };

static struct {
	mcp_store *stores[PLAIN_CLIENTS_MAX];
	bool waits[PLAIN_CLIENTS_MAX];
	unsigned gave_back[PLAIN_CLIENTS_MAX]; /* number of the lock's change that this release was */
	unsigned changes;                      /* of the lock */
	/* By a process of the host whose call has returned, and unchanged since. */
	bool was_given_back;
	bool was_killed; /* a process that can have been the woken one */
} state;

void plain_session_waking_prepare(plain_world *world) {
	for (unsigned i = 0; i < PLAIN_CLIENTS_MAX; i++) {
		free(state.stores[i]);
	}
	memset(&state, 0, sizeof(state));
	plain_hosts_prepare();
	for (unsigned i = 0; i < PLAIN_CLIENTS_MAX; i++) {
		plain_client *client = &world->clients[i];
		state.stores[i] = plain_host_ringing_store(client, &client->door.store);
	}
}

mcp_store *plain_session_waking_store(unsigned client) {
	return state.stores[client];
}

void plain_session_waking_begin_wait(plain_client *client) {
	state.waits[client->index] = true;
	plain_bells_wait(client, true);
}

void plain_session_waking_end_wait(plain_client *client) {
	plain_bells_wait(client, false);
	state.waits[client->index] = false;
}

void plain_session_waking_begin_end(plain_client *client) {
	state.gave_back[client->index] = 0;
}

void plain_session_waking_end_end(plain_client *client) {
	unsigned gave_back = state.gave_back[client->index];
	if (gave_back != 0 && gave_back == state.changes && plain_host_of(client) == 0) {
		state.was_given_back = true;
	}
}

void plain_session_waking_effect(const sim_request *request, mcp_status status) {
	static const char name[] = "sess:s:lock";
	mcp_key key = {.wire = mcp_bytes_of(name, sizeof(name) - 1)};
	if (status == MCP_OK && sim_request_is_for(request, &key)) {
		bool is_end = request->verb == MCP_OP_DELETE_IF && !request->is_late;
		state.was_given_back = false;
		state.changes++;
		state.gave_back[request->client] = is_end ? state.changes : 0;
	}
}

void plain_session_waking_lost(void) {
	state.was_given_back = false;
}

static bool sleeps(const plain_client *client) {
	bool sleeps_by_clock = client->phase == PLAIN_SLEEPING && client->dozes_on == NULL &&
		client->due_ms > client->world->now_ms + DEAF_MAX_MS;
	return sleeps_by_clock || plain_bells_sleeps(client);
}

void plain_session_waking_check(plain_world *world) {
	unsigned sleeping = 0, awake = 0;
	for (unsigned i = 0; i < world->family->client_count; i++) {
		const plain_client *client = &world->clients[i];
		bool waits = state.waits[i] && plain_host_of(client) == 0;
		state.was_killed = state.was_killed || client->is_dead;
		sleeping += waits && sleeps(client);
		awake += waits && !sleeps(client);
	}
	if (state.was_given_back && !state.was_killed && sleeping > 0 && awake == 0) {
		plain_fail(world, "W1", "%u sleep on, and the lock is free", sleeping);
	}
}
