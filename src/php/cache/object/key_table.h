/* A table of what this process keeps of keys until its request ends: looks at tags, and notes of guarded Caches. It is the
 * process's, not an object's: whatever Cache of the same servers and prefix asks finds the same. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_KEPT_H
#define MCP_PHP_CACHE_KEPT_H

#include "cache_emptied.h"
#include "cache_object.h"

/* At most so many keys; where one more has no room, the oldest is forgotten. */
#define MCP_KEPT_MAX 16384

/* The head of what is kept of one key; emalloc'ed, with the rest behind it. */
typedef struct mcp_kept {
	mcp_kept_place place;
	bool is_of_several; /* Fibers, of which the place has the first */
} mcp_kept;

/* Begins as NULL, and is NULL again after a reset. In a forked child what its parent has kept counts as forgotten: it may be
 * what the child stores. */
typedef struct mcp_kept_table mcp_kept_table;

/* Forgets all. */
void php_mcp_key_table_reset(mcp_kept_table **table);

/* Finds what is kept of a key of this object. NULL if nothing is. */
void *php_mcp_key_table_find(mcp_kept_table **table, const mcp_cache_object *object,
	const mcp_key *key);
/* Keeps something of a key that nothing is kept of: `size` bytes, head included, of which only the head is filled in. May
 * forget the oldest, never this one. */
void *php_mcp_key_table_add(mcp_kept_table **table, const mcp_cache_object *object,
	const mcp_key *key, size_t size);
/* Gives what is kept of the key another size; where it stood before is freed. */
void *php_mcp_key_table_resize(mcp_kept_table **table, const mcp_cache_object *object,
	const mcp_key *key, size_t size);
void php_mcp_key_table_remove(mcp_kept_table **table, const mcp_cache_object *object,
	const mcp_key *key);

/* Notes that this Fiber has it, too. */
void php_mcp_key_table_note_fiber(mcp_kept *kept);
/* Says whether it is known that this Fiber has it. */
bool php_mcp_key_table_knows_fiber(const mcp_kept *kept);

/* Returns how many keys something is kept of. */
size_t php_mcp_key_table_count(mcp_kept_table **table);
/* Forgets the oldest, of a table that has some. */
void php_mcp_key_table_forget_oldest(mcp_kept_table **table);
/* Says whether something was forgotten, for want of room or by a fork. */
bool php_mcp_key_table_has_forgotten(mcp_kept_table **table);
/* Takes it from now on as if something had been forgotten. */
void php_mcp_key_table_doubt(mcp_kept_table **table);

/* Visits what this Fiber alone has; each begins with a mcp_kept. */
void php_mcp_key_table_visit(mcp_kept_table **table, void (*visit)(void *kept, const void *context),
	const void *context);
/* Ends what this Fiber alone has of keys that it has emptied. */
void php_mcp_key_table_end_emptied(mcp_kept_table **table, const mcp_emptied *emptied);

#endif
