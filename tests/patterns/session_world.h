/* The world of the sessions' tests: two requests of one session on a memcached in memory, and short words for what they do
 * and find. Between them and it faults can be planted, send by send. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_PATTERNS_SESSION_WORLD_H
#define MCP_TESTS_PATTERNS_SESSION_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "../../src/patterns/session/session.h"
#include "../../src/store/store.h"

enum { TTL_MS = 1440000, LOCK_MS = 30000, WAIT_MS = 35000 };

/* Faults of the sends, which are counted from `sends` = 0 on. */
typedef struct faulty_sends {
	unsigned sends;
	uint64_t connection;  /* the name of the open one; another: the one before has broken */
	unsigned lost_send;   /* this one's answers are lost, and the connection with them, ... */
	size_t lost_from;     /* ... from this step on */
	bool drops_lost_send; /* it does not reach the server either */
	bool loses_all_sends;
	bool gives_no_cas;
	bool refuses_session; /* it cannot be read */
	bool is_foreign_down; /* the server of the other handler's item does not answer */
	bool has_no_memory;
	bool needs_memory_to_compare; /* for a delete by a cas id, as by text */
	unsigned before_send;         /* before this one */
	void (*before)(void);         /* others do this; NULL: nothing */
	uint64_t inner_connection;
} faulty_sends;

extern uint64_t now_ms;
extern mcp_store *store;
extern mcp_session session;
/* Two requests of one session. */
extern mcp_session_known first, second;
extern mcp_session_report report;
extern mcp_key key, other_key, foreign_key;
extern faulty_sends faults;

int open_session_world(void **state);
int close_session_world(void **state);
#define SESSION_TEST(name) TEST_WITH(name, open_session_world, close_session_world)

mcp_status start_request(mcp_session_known *known);
mcp_session_outcome write_session(mcp_session_known *known, const char *data);
mcp_session_outcome renew_session(mcp_session_known *known);
mcp_session_outcome destroy_session(mcp_session_known *known);

/* Stores a session by the first request; the next one lets both begin behind that; and both without a lock. */
void begin_with(const char *data);
void begin_both_with(const char *data);
void merge_both_with(const char *data);
/* Stores it as another handler does; flags: of its item. */
void store_foreign(const char *data, uint32_t flags);

void assert_data(const mcp_session_known *known, const char *data);
/* Asserts what a request finds that begins now. */
void assert_stored(const char *data);
void assert_kind(mcp_session_kind kind);
/* Asserts that the lock can be had at once. */
void assert_free(void);

#endif
