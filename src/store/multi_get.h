/* A get_many under way: cuts the keys into requests, finds out which key each answer belongs to, and
 * keeps the values together. Pure bookkeeping: connection.c and bounded_read.c send and receive. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_MULTI_GET_H
#define MCP_STORE_MULTI_GET_H

#include "buffer.h"
#include "store.h"

/* Invariants: keys before `from` are answered; [from, to) is the request under way. */
typedef struct mcp_multi_get {
	const mcp_key *keys;
	mcp_reply *replies;
	size_t count;
	size_t from, to;
	size_t cursor;     /* where the next answer is expected */
	size_t kept_bytes; /* of `values`, by earlier requests */
	mcp_buffer *values;
	const char **names; /* the request: keys and their lengths ... */
	size_t *lengths;
	size_t *offsets; /* ... and where in `values` each key's value begins */
} mcp_multi_get;

typedef struct mcp_multi_get_room {
	mcp_buffer arrays; /* used while the get_many runs */
	mcp_buffer values; /* what its views point into */
} mcp_multi_get_room;

/* False: no memory. */
bool mcp_multi_get_prepare(mcp_multi_get *many, mcp_multi_get_room *room, const mcp_key *keys,
	size_t count, mcp_reply *replies);
/* The next request, of keys with so many bytes, one more for each; returns how many names it has, 0 when
 * every key had its turn. */
size_t mcp_multi_get_next(mcp_multi_get *many, size_t bytes_max);
/* Forgets all answers; the next request is the first one again. For a broken connection: a server that
 * was restarted may give the ids it gave before to other items. */
void mcp_multi_get_again(mcp_multi_get *many);
/* MCP_PROTOCOL when the request under way did not ask for that, MCP_UNREACHABLE when memory ran
 * out. Copies the value. */
mcp_status mcp_multi_get_take(mcp_multi_get *many, mcp_bytes key, const mcp_item *item);
/* The request under way and all later ones failed. What was answered before keeps its value and loses its
 * cas id: the connection it belongs to may be gone. */
void mcp_multi_get_fail(mcp_multi_get *many, mcp_status status);
/* Turns what was kept into views. Nothing may follow. */
void mcp_multi_get_end(mcp_multi_get *many);

void mcp_multi_get_free(mcp_multi_get_room *room);

#endif
