/* The notes that this process has made at looks through guarded Caches, until its request ends: which value, or which mark
 * in the place of one, what it stores later is meant to replace. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_NOTES_H
#define MCP_PHP_CACHE_NOTES_H

#include "../../../patterns/cache/guarded/cache_guarded.h"
#include "../object/cache_emptied.h"
#include "../object/cache_object.h"

/* Room is made for so many at once, at most. */
#define MCP_NOTES_AT_ONCE 4096

/* Finds the note of a key of this object, whichever object of the same servers and prefix made it. NULL if there is none. */
mcp_read_stamp *php_mcp_read_stamps_find(const mcp_cache_object *object, const mcp_key *key);
/* Finds it if no other Fiber has it, too. */
mcp_read_stamp *php_mcp_read_stamps_find_own(const mcp_cache_object *object, const mcp_key *key);
/* Makes one where there is none, which may forget the oldest. */
mcp_read_stamp *php_mcp_read_stamps_make(const mcp_cache_object *object, const mcp_key *key);
/* Makes room for notes of so many keys, MCP_NOTES_AT_ONCE at most: none of theirs is forgotten when they are made, one
 * after the other, and all of them keep their places. The first key stands at `key`, each next one `stride` bytes later. */
void php_mcp_read_stamps_reserve(const mcp_cache_object *object, const mcp_key *key, size_t stride,
	size_t count);
/* Says whether one was forgotten, for want of room or by a fork: who has no note may have looked. */
bool php_mcp_read_stamps_were_forgotten(void);
/* Notes that a Pool has other servers: what was noted on those before is not found any more. */
void php_mcp_read_stamps_doubt(void);

/* Ends those that this Fiber alone has made at keys that it has emptied. */
void php_mcp_read_stamps_end_emptied(const mcp_emptied *emptied);

/* Forgets all at request end, and once more after the last object is gone. */
void php_mcp_read_stamps_reset(void);

#endif
