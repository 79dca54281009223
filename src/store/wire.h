/* One connection to one memcached: each call sends one request, once, and reads its whole answer.
 * No retries, no checks, no breaker: that is connection.c's. wire_libmemcached.c is behind this. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_H
#define MCP_STORE_WIRE_H

#include "store.h"
#include "wire_libmemcached.h"

/* Connects when it must. An answer is told as store.h has it; of the failures
 * - MCP_UNREACHABLE: could not connect, nothing was sent;
 * - MCP_TIMEOUT: an answer did not come in time;
 * - MCP_UNKNOWN: the connection broke;
 * - MCP_PROTOCOL: the answer made no sense;
 * - MCP_REFUSED: the server answered that it did not.
 * After each of the first four the connection is closed, so that no late answer is ever read. */
typedef struct mcp_wire mcp_wire;

/* Copies what it needs. NULL when memory ran out. */
mcp_wire *mcp_wire_create(const mcp_server_settings *settings);
/* Closes without waiting. */
void mcp_wire_free(mcp_wire *wire);
/* In the child of a fork: sends nothing, closes nothing, and leaks what the connection hangs on. */
void mcp_wire_disown(mcp_wire *wire);

/* Closes the connection: the caller found out that the answers are not what was asked for. */
void mcp_wire_reset(mcp_wire *wire);

/* How long each single wait for bytes may take from now on; 0 fails where it would have to wait. */
void mcp_wire_wait_at_most(mcp_wire *wire, uint64_t timeout_ms);

/* The item's views live until the next get or next. */
mcp_status mcp_wire_get(mcp_wire *wire, mcp_bytes key, mcp_item *item);
/* A get that only wants to know that somebody answers. Ends no view. */
mcp_status mcp_wire_ping(mcp_wire *wire);

/* Asks for many at once. MCP_OK: then `next` until it is not MCP_OK, without another call between. */
mcp_status mcp_wire_ask(mcp_wire *wire, const char *const *keys, const size_t *lengths,
	size_t count);
/* The next item that was found; MCP_NOT_FOUND after the last. */
mcp_status mcp_wire_next(mcp_wire *wire, mcp_bytes *key, mcp_item *item);

typedef enum mcp_wire_verb {
	MCP_WIRE_ADD,
	MCP_WIRE_SET,
	MCP_WIRE_CAS,
	MCP_WIRE_PREPEND, /* flags and expiry stay as they are */
} mcp_wire_verb;

typedef struct mcp_wire_item {
	mcp_bytes key;
	mcp_bytes value;
	uint32_t flags;
	int64_t expiry; /* memcached's number, see core/expiry.h */
	uint64_t cas; /* for MCP_WIRE_CAS alone, and never 0: as text the value would become commands */
} mcp_wire_item;

mcp_status mcp_wire_store(mcp_wire *wire, mcp_wire_verb verb, const mcp_wire_item *item);
mcp_status mcp_wire_delete(mcp_wire *wire, mcp_bytes key);
mcp_status mcp_wire_touch(mcp_wire *wire, mcp_bytes key, int64_t expiry);
mcp_status mcp_wire_increment(mcp_wire *wire, mcp_bytes key, uint64_t by, uint64_t *number);
mcp_status mcp_wire_decrement(mcp_wire *wire, mcp_bytes key, uint64_t by, uint64_t *number);
mcp_status mcp_wire_flush(mcp_wire *wire);

/* Called in the middle of reading: must not allocate from an engine, throw or call the wire, except
 * mcp_wire_wait_at_most. False: that is enough, the connection is closed and the answer MCP_PROTOCOL. */
typedef bool (*mcp_wire_line)(void *context, mcp_bytes name, mcp_bytes value);

/* `kind`: "settings" and so on, or NULL. */
mcp_status mcp_wire_stats(mcp_wire *wire, const char *kind, mcp_wire_line line, void *context);

#endif
