/* A simulated memcached with the items of a few cache keys, of their side keys and of other names. Independent of
 * clients, messages and faults. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_SERVER_H
#define SIM_SERVER_H

#include "world/door.h"

enum {
	SIM_SERVERS_MAX = 3,
	SIM_KEYS_MAX = 3,
	SIM_OTHERS_MAX = 6,
	/* Item 2k belongs to key k, 2k + 1 to its side key. The other names follow (see sim_world.others). */
	SIM_OF_KEYS = 2 * SIM_KEYS_MAX,
	SIM_ITEMS_MAX = SIM_OF_KEYS + SIM_OTHERS_MAX,
	SIM_VALUE_MAX = 128,
};

static inline bool sim_item_is_other(unsigned item) {
	return item >= SIM_OF_KEYS;
}

static inline bool sim_item_is_side(unsigned item) {
	return item < SIM_OF_KEYS && (item & 1) != 0;
}

typedef struct sim_item {
	bool is_present;
	uint16_t length;
	uint32_t flags;
	uint64_t cas;
	uint64_t expires_ms; /* on the server's clock; 0: never */
	uint64_t stored_ms;  /* time of this value */
	char bytes[SIM_VALUE_MAX];
} sim_item;

typedef struct sim_answer {
	mcp_status status;
	uint64_t number;
	uint64_t cas; /* of a stored item */
	bool is_torn; /* the item's CAS value is from a later increment, see sim_world_advance */
	sim_item item;
} sim_answer;

/* `memory` has the items. Its clock counts the world's milliseconds as seconds, so that items expire at an exact
 * millisecond. */
typedef struct sim_server {
	mcp_store *memory;
	sim_item items[SIM_ITEMS_MAX]; /* what `memory` had after the last change of each item */
	uint64_t last_cas;
	uint32_t generation; /* number of restarts */
} sim_server;

/* The moment of a request's execution. `cas_id`: new CAS value, unique on this server. `slack_ms`: extra lifetime
 * of the item, because a real server counts seconds. */
typedef struct sim_moment {
	uint64_t now_ms;
	uint64_t cas_id;
	uint32_t slack_ms;
} sim_moment;

void sim_server_execute(sim_server *server, const sim_request *request, const sim_moment *moment,
	sim_answer *answer);
/* Removes the item with this name. */
void sim_server_lose(sim_server *server, unsigned item, const char *name);
void sim_server_restart(sim_server *server);

#endif
