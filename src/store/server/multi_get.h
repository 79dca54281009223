/* A get_many under way: cuts the keys into requests, and finds out which key each answer belongs to. Pure bookkeeping:
 * connection_many.c and bounded_read.c send and receive, and the wire keeps the values. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_MULTI_GET_H
#define MCP_STORE_MULTI_GET_H

#include "../buffer.h"
#include "../store.h"

/* Invariants: keys before `from` are answered; [from, to) is the request under way, of `asked` keys. */
typedef struct mcp_multi_get {
	const mcp_key *keys;
	mcp_reply *replies;
	size_t count;
	size_t from, to;
	size_t asked;
	size_t cursor;      /* where the next answer is expected */
	const char **names; /* the request: keys and their lengths ... */
	size_t *lengths;
	size_t *offsets; /* ... and how far from the wire's items each key's value begins */
} mcp_multi_get;

/* Prepares in `room`, which is used until mcp_multi_get_end. False if there is no memory. */
bool mcp_multi_get_prepare(mcp_multi_get *many, mcp_buffer *room, const mcp_key *keys, size_t count,
	mcp_reply *replies);
/* Chooses the next request, of keys with so many bytes, one more for each; false if every key had its turn. */
bool mcp_multi_get_next(mcp_multi_get *many, size_t bytes_max);
/* Says whether the request under way has others before it. */
static inline bool mcp_multi_get_is_further(const mcp_multi_get *many) {
	return many->from > 0;
}
/* Forgets all answers; the next request is the first one again. For a broken connection: a server that
 * was restarted may give the ids it gave before to other items. */
void mcp_multi_get_again(mcp_multi_get *many);
/* Returns the key that the next answer is for, where nothing is left out; NULL if none is. */
static inline const mcp_key *mcp_multi_get_expected(mcp_multi_get *many) {
	while (many->cursor < many->to && many->replies[many->cursor].status != MCP_NOT_FOUND) {
		many->cursor++;
	}
	return many->cursor < many->to ? &many->keys[many->cursor] : NULL;
}
/* Returns where its item goes; mcp_multi_get_took notes that it has gone there. `items`: where those begin that
 * the wire keeps, as wire.h has it. */
static inline mcp_item *mcp_multi_get_place(const mcp_multi_get *many) {
	return &many->replies[many->cursor].item;
}
/* Numbers rather than pointers, as the items may be in one piece, or in none. */
static inline size_t mcp_multi_get_offset(const mcp_item *item, const char *items) {
	return (size_t)((uintptr_t)item->value.data - (uintptr_t)items);
}
static inline void mcp_multi_get_took(mcp_multi_get *many, const char *items) {
	mcp_reply *reply = &many->replies[many->cursor];
	reply->status = MCP_OK;
	many->offsets[many->cursor] = mcp_multi_get_offset(&reply->item, items);
	many->cursor++;
}
/* MCP_PROTOCOL if the request under way did not ask for that. */
mcp_status mcp_multi_get_take(mcp_multi_get *many, mcp_bytes key, const mcp_item *item,
	const char *items);
/* Fails the request under way and all later ones. An item that was answered before keeps its value and loses
 * its cas id: the connection it belongs to may be gone. */
void mcp_multi_get_fail(mcp_multi_get *many, mcp_status status);
/* Turns what was found into views, where the wire's items begin now. Nothing may follow. */
void mcp_multi_get_end(mcp_multi_get *many, const char *items);

#endif
