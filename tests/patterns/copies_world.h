/* The world of the copies' tests: an outage world whose caches keep each value on two servers, and do not fail over. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_PATTERNS_COPIES_WORLD_H
#define MCP_TESTS_PATTERNS_COPIES_WORLD_H

#include "../../src/patterns/copies/copies.h"
#include "outage_world.h"

typedef struct copies_world {
	outage_world *w;
	mcp_copies *copies[OUTAGE_PROCESSES];
	mcp_claim claim;
	/* A copy's item as it was once, see copies_take. */
	mcp_record record;
	char bytes[256];
	/* A step of others in the middle of a process's call. */
	void (*act)(struct copies_world *world);
	outage_link *link;
	unsigned waits; /* calls on the link that go before it */
	bool has_come;
} copies_world;

int copies_open(void **state);
int copies_close(void **state);

#define WITH_COPIES(test) TEST_WITH(test, copies_open, copies_close)

void copies_lose(copies_world *c, size_t server);
bool copies_has(copies_world *c, size_t server);
/* Counts the calls of a process since outage_watch(), to all servers. */
unsigned copies_calls(copies_world *c, size_t process);
/* Asserts that nobody finds another value, whichever copy is lost. */
void copies_assert_both_have(copies_world *c, const char *shown);
/* Keeps in `record` what the home copy is now. */
void copies_take(copies_world *c);

/* Leaves "old" everywhere and past its soft end; process 2 could not reach copy 0, and has stored "newer" on
 * the other. */
void copies_leave_newer_on_the_other(copies_world *c);

/* Has `act` come once, before the call of this process to the server that `waits` more go before. */
void copies_interleave(copies_world *c, size_t process, size_t server, unsigned waits,
	void (*act)(copies_world *c));
/* Sets "theirs" by process 1; the next deletes by it. */
void copies_rival_sets(copies_world *c);
void copies_rival_deletes(copies_world *c);
/* Ends that; false if the process made less calls. */
bool copies_has_come(copies_world *c);

#endif
