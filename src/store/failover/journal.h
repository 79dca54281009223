/* The keys that a server is to delete when it answers again: this process changed them while the server could
 * not be told. Each once, in the order in which they came. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_JOURNAL_H
#define MCP_STORE_JOURNAL_H

#include "../../core/bytes.h"

#include <stdbool.h>
#include <stdint.h>

/* A quarter of a megabyte with the longest keys. */
#define MCP_JOURNAL_MAX 1024

/* Zero-initialised: empty, and without memory. */
typedef struct mcp_journal {
	struct mcp_journal_line *lines; /* a ring of MCP_JOURNAL_MAX; NULL: none yet */
	size_t first;
	size_t count;
} mcp_journal;

typedef struct mcp_journal_entry {
	mcp_bytes key;        /* as it is sent */
	uint64_t fingerprint; /* that of the key as it was changed, see mcp_key */
} mcp_journal_entry;

/* False if a key was lost, the oldest for want of room or this one for want of memory. */
bool mcp_journal_add(mcp_journal *journal, mcp_journal_entry entry);
/* Returns the oldest of a journal that is not empty. Borrowed until it is removed. */
mcp_journal_entry mcp_journal_oldest(const mcp_journal *journal);
void mcp_journal_remove_oldest(mcp_journal *journal);
/* Empties it and releases its memory. */
void mcp_journal_clear(mcp_journal *journal);

#endif
