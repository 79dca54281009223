/* Processes that each reach three memcacheds over connections of their own, with failover: what happens to one
 * connection happens to one process. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_PATTERNS_OUTAGE_WORLD_H
#define MCP_TESTS_PATTERNS_OUTAGE_WORLD_H

#include "../../src/patterns/cache/cache.h"
#include "../../src/store/failover/store_failover.h"
#include "world.h"

enum { OUTAGE_SERVERS = 3, OUTAGE_PROCESSES = 3 };

#define OUTAGE_TTL_MS 300000u
#define OUTAGE_GRACE_MS 600000u
#define OUTAGE_LEASE_MS 4000u

typedef enum outage_fault {
	OUTAGE_SOUND,
	OUTAGE_CUT, /* no call is answered, and after the first one none is sent */
	OUTAGE_BREAK, /* the next call's connection is lost before it: a read is sent again, a write is unknown */
	OUTAGE_REPLY_LOST, /* the next write happens, and its answer does not come */
} outage_fault;

typedef struct outage_link {
	mcp_store store;
	mcp_store *memory;
	outage_fault fault;
	bool is_tripped;
	bool tells_no_start;
	bool has_no_memory; /* for what is to be stored; by text a delete by a cas id is, too */
	uint64_t breaks;
	bool has_late_write;
	unsigned pings;
	unsigned calls;    /* that were sent, and answered or waited for */
	unsigned timeouts; /* of these, that were not answered */
	unsigned deletes;
	uint64_t deleted;   /* the fingerprint of the last key of these */
	unsigned cut_after; /* so many more calls are answered, then it is cut; 0: not */
	void (*before_call)(void *context);
	void *context;
} outage_link;

typedef struct outage_process {
	outage_link links[OUTAGE_SERVERS];
	mcp_store *marked[OUTAGE_SERVERS];
	mcp_server_health *known;
	mcp_store *cluster;
	mcp_store *store; /* with failover */
	mcp_cache_statistics statistics;
	mcp_cache cache;
} outage_process;

typedef struct outage_world {
	test_world clock; /* its environment, and nothing else of it */
	mcp_store *servers[OUTAGE_SERVERS];
	outage_process processes[OUTAGE_PROCESSES];
	mcp_key_buffer buffer;
	mcp_key key;
	size_t home, other, third; /* the key's candidates */
} outage_world;

int outage_open(void **state);
int outage_close(void **state);
#define OUTAGE_TEST(name, w) TEST_OF(outage_world, name, w, outage_open, outage_close)

mcp_key outage_key(outage_world *w, mcp_key_buffer *buffer, const char *name);

/* Cuts one process's connection to one server; the next cuts those of all processes. */
void outage_cut(outage_world *w, size_t process, size_t server);
void outage_cut_all(outage_world *w, size_t server);
/* Heals it: it answers again, with what it held, and is no longer left alone. */
void outage_heal(outage_world *w, size_t process, size_t server);
void outage_heal_all(outage_world *w, size_t server);
/* Restarts it: it is empty, its cas ids begin anew, and all connections to it break with their next call. */
void outage_restart(outage_world *w, size_t server);
/* Watches the calls of each process to each server from now on. */
void outage_watch(outage_world *w);
unsigned outage_calls(const outage_world *w, size_t process, size_t server);

mcp_cache_value outage_value(const char *text);
mcp_status outage_set(outage_world *w, size_t process, const char *text);
mcp_status outage_delete(outage_world *w, size_t process);
/* Looks as Cache::peek does: "fresh VALUE", "old VALUE" or "nothing". Valid until the next call. */
const char *outage_look(outage_world *w, size_t process);
/* Looks the key up to rebuild it: the verdict. */
mcp_verdict outage_remember(outage_world *w, size_t process, mcp_claim *claim);
mcp_status outage_publish(outage_world *w, size_t process, const mcp_claim *claim,
	const char *text);

/* Takes it away so that processes 0 and 1 notice the outage; process 2 asks nothing meanwhile. */
void outage_take_home_away(outage_world *w);
/* Brings it back; both have come back to it when this returns. */
void outage_bring_home_back(outage_world *w);

#endif
