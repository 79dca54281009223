/* One change of one key: what every store's table takes in one function, so that what a store over a store has to say
 * about a write it says once. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_CHANGE_H
#define MCP_STORE_CHANGE_H

#include "../core/bytes.h"
#include "proof.h"

#include <stdbool.h>

/* A record to store: head and body are sent one after the other as one value. */
typedef struct mcp_record {
	mcp_bytes head;
	mcp_bytes body;
	uint32_t flags;
	/* 0: forever. Lives at least this long and less than 2 s longer (3 s from thirty days on), but up
	 * to a second less now and then, see mcp_expiry_from_ttl. */
	uint64_t ttl_ms;
	/* Zeroed, or NULL: not wanted. Filled in by an add, a set or a cas that is MCP_OK, where the store can; a
	 * store that is asked for the first time over a connection may need a round trip more to find out. */
	mcp_proof *proof;
	/* It ends the wait of no other process: it claims something, or keeps it. */
	bool is_claim;
	/* NULL: nothing is to be done before others are told of it. */
	struct mcp_before_ring *before_ring;
} mcp_record;

/* Work to be done with a record that was stored and that other processes of this host wait for, before they are woken: what
 * it leaves for them they find. `raised_from`: the number that the key's change counter had (core/near/changes.h), and
 * has no more. */
typedef struct mcp_before_ring {
	void (*run)(struct mcp_before_ring *work, uint64_t raised_from);
} mcp_before_ring;

/* The kind of a change. Beside the record each goes by what stands in brackets, and by no more. Each may fail
 * besides; none but the proven ones answers MCP_UNSUPPORTED. */
typedef enum mcp_change_verb {
	/* MCP_OK, MCP_NOT_STORED or MCP_TOO_LARGE; a set is never MCP_NOT_STORED. */
	MCP_CHANGE_ADD,
	MCP_CHANGE_SET,
	/* [cas] MCP_OK, MCP_EXISTS, MCP_NOT_FOUND, MCP_TOO_LARGE. For the cas id 0, that is not known: MCP_NO_CAS when the
	 * server gives none, else MCP_EXISTS, and nothing is sent (by text that would be an injection). */
	MCP_CHANGE_CAS,
	/* [proof] As cas, of what the caller itself has written, without having read it again, user code and all else in
	 * between. MCP_UNSUPPORTED: the proof is none, or none any more, and nothing was sent; read the item, and go by
	 * what is there. */
	MCP_CHANGE_CAS_PROVEN,
	/* Puts the record's body before the value that is there, whatever it is: MCP_OK, or MCP_NOT_STORED. Flags and TTL
	 * stay, the cas id changes. */
	MCP_CHANGE_PREPEND,
	/* Puts it behind the value. MCP_NOT_STORED both where nothing is and where the whole would be larger than the server
	 * takes; what was there stays. */
	MCP_CHANGE_APPEND,
	/* [no record] MCP_OK or MCP_NOT_FOUND. */
	MCP_CHANGE_DELETE,
	/* [no record, cas] Deletes atomically and only if the item still has this cas id: a cas into the past. Statuses as
	 * cas. */
	MCP_CHANGE_DELETE_IF,
	/* [no record, proof] Is to delete_if what cas_proven is to cas. */
	MCP_CHANGE_DELETE_PROVEN,
	/* [no record, by, number] MCP_OK with the new number, MCP_NOT_FOUND, MCP_NOT_A_NUMBER. Unsigned 64 bits; increment
	 * wraps at 2^64, decrement stops at 0. Flags and TTL stay, the cas id changes. */
	MCP_CHANGE_INCREMENT,
	MCP_CHANGE_DECREMENT,
	/* Goes by the record's TTL: MCP_OK or MCP_NOT_FOUND. The cas id stays. */
	MCP_CHANGE_TOUCH,
} mcp_change_verb;

/* One change of one key, lent for the call. Made by store.h's thin calls; what its verb does not go by is zero. */
typedef struct mcp_change {
	mcp_change_verb verb;
	const mcp_record *record;
	uint64_t cas;
	const mcp_proof *proof;
	uint64_t by;
	uint64_t *number; /* filled in when MCP_OK */
} mcp_change;

#endif
