/* The claims that this process holds for the request, in one table for all Cache objects (C6). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_CLAIMS_H
#define MCP_PHP_CACHE_CLAIMS_H

#include "../../host/give_back.h"
#include "../object/cache_object.h"

/* Allocated by emalloc(). */
typedef struct mcp_held_claim {
	mcp_claim claim;
	uint32_t lease_ms;
	uint64_t served_until_ms; /* end of the stale value for others, wall clock. 0: none */
	uint64_t taken_ns;        /* time of the election, by the measuring clock */
	pid_t pid;                /* a forked child must not store under it or release it */
	uint32_t taker;           /* handle of an object that can be freed */
	bool is_a_calls;          /* taken by a remember(). Otherwise by get() or lookup() */
	bool is_overtaken;        /* this process has set or deleted the key: do not store */
	/* this Fiber has invalidated a tag: the claim no longer counts as a read */
	bool is_no_read;
	mcp_pool *pool; /* a reference, like the names. Needed to release the claim */
	zend_string *scope, *name;
	uint32_t cache_lease_ms; /* lease of the Cache */
	unsigned copies;         /* copies of the Cache */
	mcp_kept_place place;
	zend_string *identity; /* a reference. See computing.h */
	/* tag versions captured before the election: a reference, or NULL */
	zend_string *tags;
	struct mcp_held_claim *older; /* next older claim on the same key */
	mcp_give_back node;
} mcp_held_claim;

/* All claims of this process. NULL in the globals if there are none. */
typedef struct mcp_held_claims mcp_held_claims;

/* Keeps a claim for the process, with the tag versions captured before it, unless it is overdue. A claim of get() or
 * lookup() is dropped when a Cache with the same servers and prefix fulfills it, or when it is released. It is also
 * dropped if it expired too long ago for a result to be stored. A claim of a remember() ends with that call. */
void php_mcp_cache_claims_add(mcp_cache_object *object, zend_string *name,
	const mcp_cache_entry *entry, bool is_a_calls);

/* Finds the claim of get() or lookup() that fits this object best: its own claim, then another object's, then an
 * overtaken claim. NULL: no claim. Valid until user code runs. */
mcp_held_claim *php_mcp_cache_claims_find(mcp_cache_object *object, zend_string *name);
/* Finds the newest claim of this process, of any holder, under which a result can be stored. NULL: no claim. */
const mcp_held_claim *php_mcp_cache_claims_newest(mcp_cache_object *object, zend_string *name);
/* Finds the claim of a call by its token. NULL if the claim was released with the request or belongs to another
 * process. Valid until user code runs. */
mcp_held_claim *php_mcp_cache_claims_find_token(mcp_cache_object *object, zend_string *name,
	uint64_t token);

/* Removes and frees a claim that was fulfilled or released. */
void php_mcp_cache_claims_end(mcp_held_claim *held);
/* Drops this Fiber's claims of get() and lookup() on emptied keys, and releases those that still exist on a server. */
void php_mcp_cache_claims_end_emptied(const mcp_emptied *emptied);

/* Stops counting this Fiber's claims of get() and lookup() as reads if the key has this tag, which the Fiber has
 * invalidated. They remain claims. */
void php_mcp_cache_claims_note_invalidated(const mcp_invalidated_tag *left);

/* Returns true if this request holds any claim. */
bool php_mcp_cache_claims_are_held(void);
/* Returns the age of the oldest claim of this process, at least 1 ms, that others may wait for, or 0. Others wait
 * for keys without a value. Callers with $stale false wait for any key. Excludes claims on `name`. NULL: excludes no
 * claim. */
uint32_t php_mcp_cache_claims_oldest_ms(mcp_cache_object *object, zend_string *name,
	bool waits_for_new);

/* Marks claims on the key as overtaken, after this process has set or deleted the key. */
void php_mcp_cache_claims_overtake(mcp_cache_object *object, zend_string *name);
/* Records the tag versions of claims on the key, unless this process has stored or deleted it since. Returns their
 * number. */
size_t php_mcp_cache_claims_collect_tags(mcp_cache_object *object, zend_string *name,
	mcp_read_tags *noted);

/* Returns the age of the newest claim on this key, which is the compute time. 0: no claim. */
uint32_t php_mcp_cache_claims_age_ms(mcp_cache_object *object, zend_string *name);

/* Returns the compute time since the claim was taken and counts no interval twice: keys elected together would
 * otherwise each count all time so far. */
uint32_t php_mcp_cache_claims_book_ms(const mcp_held_claim *held);

/* Releases the remaining claims and frees everything. Call it at the end of the request and again after the last object
 * is freed. */
void php_mcp_cache_claims_reset(void);
/* The same between 2 requests of one process, after php_mcp_give_back_between(). Keeps claims of calls that
 * continue. */
void php_mcp_cache_claims_reset_between(void);

#endif
