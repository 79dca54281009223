/* The state of the family of wake-ups: awaited keys, and observations. */
/* SPDX-License-Identifier: MIT */
#ifndef PLAIN_WAKING_H
#define PLAIN_WAKING_H

#include "patterns/cache/cache.h"
#include "plain/client.h"

enum { PROCESSES = 4, NEIGHBOURS = 3, KEYS = 2, ROUNDS = 3, SCRIPT_MAX = 2 };
enum {
	TTL_MS = 4000,
	LEASE_MS = 500,
	WAIT_MS = 300,
	LONG_WAIT_MS = 3000,
	COMPUTE_MS = 40,
	LONG_COMPUTE_MS = 250
};

typedef enum waking_action {
	NOTHING,
	REMEMBER,
	SLOWLY,
	STRICTLY,
	BOTH,
	SET,
	DELETE,
	EXPIRE
} waking_action;

typedef struct waking_process {
	mcp_store *store;
	mcp_cache_statistics statistics;
	unsigned wrote[KEYS]; /* last version made by the current operation; 0: none */
	unsigned awaits;      /* key of the awaited value */
	bool is_signalled, may_be_signalled;
} waking_process;

typedef struct waking_state {
	mcp_key_buffer buffers[KEYS];
	mcp_key keys[KEYS];
	unsigned value_count;
	uint32_t wait_ms;
	unsigned versions[KEYS]; /* of the items: incremented by each effective write and each loss */
	unsigned told[KEYS];     /* versions whose write has returned to a process of the first host */
	waking_process processes[PROCESSES];
} waking_state;

extern waking_state plain_waking_state;

mcp_cache plain_waking_cache(plain_client *client);
/* Executes an action on one key, or on both. */
void plain_waking_act(plain_client *client, unsigned key, waking_action wanted);

#endif
