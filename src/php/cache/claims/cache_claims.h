/* The claims that this process holds during the request, in one table for all Cache objects (C6). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_CLAIMS_H
#define MCP_PHP_CACHE_CLAIMS_H

#include "../../host/give_back.h"
#include "../object/cache_object.h"

/* A claim that this process holds. Allocated with emalloc(). */
typedef struct mcp_held_claim {
	mcp_claim claim;
	uint32_t lease_ms;
	uint64_t served_until_ms; /* until when others get the stale value, wall clock; 0: no value */
	uint64_t taken_ns;        /* time of the election, on the measuring clock */
	pid_t pid;                /* a forked child must not store under the claim or release it */
	uint32_t taker;           /* handle of the electing object, which might have been freed */
	bool is_a_calls;          /* taken by remember(); false: by get() or lookup() */
	bool is_overtaken;        /* this process has since set or deleted the key: do not store */
	/* this Fiber has since invalidated a tag of the key, so the claim no longer counts as a read */
	bool is_no_read;
	mcp_pool *pool; /* needed to release the claim; a reference, like the strings */
	zend_string *scope, *name;
	uint32_t cache_lease_ms; /* $lease of the Cache */
	unsigned copies;         /* $copies of the Cache */
	mcp_kept_place place;
	zend_string *identity; /* see computing.h; a reference */
	/* tag versions captured before the election: a reference, or NULL */
	zend_string *tags;
	struct mcp_held_claim *older; /* next older claim on the same key */
	mcp_give_back node;
} mcp_held_claim;

/* All claims of this process. NULL in the globals if there are none. */
typedef struct mcp_held_claims mcp_held_claims;

/* Keeps a claim, unless it is overdue, with the tag versions that were captured before it. A claim of remember() ends
 * with that call. A claim of get() or lookup() ends when a Cache with the same servers and prefix stores the value or
 * releases the claim. It also ends when it expired too long ago for a result to be stored. */
void php_mcp_cache_claims_add(mcp_cache_object *object, zend_string *name,
	const mcp_cache_entry *entry, bool is_a_calls);

/* Finds the claim of get() or lookup() that this object most likely means. The order is a claim of this object, a
 * claim of another object, and an overtaken claim. NULL: no claim. The result is valid until user code runs. */
mcp_held_claim *php_mcp_cache_claims_find(mcp_cache_object *object, zend_string *name);
/* Finds the newest claim of this process under which a result can be stored, no matter which call took it. NULL: no
 * claim. */
const mcp_held_claim *php_mcp_cache_claims_newest(mcp_cache_object *object, zend_string *name);
/* Finds the claim of a call by the claim's token. NULL if the claim was released at request end or belongs to another
 * process. The result is valid until user code runs. */
mcp_held_claim *php_mcp_cache_claims_find_token(mcp_cache_object *object, zend_string *name,
	uint64_t token);

/* Removes and frees a claim after its value was stored or it was released. */
void php_mcp_cache_claims_end(mcp_held_claim *held);
/* Drops this Fiber's claims of get() and lookup() on emptied keys, and releases the claims that still exist on a
 * server. */
void php_mcp_cache_claims_end_emptied(const mcp_emptied *emptied);

/* Call it after this Fiber has invalidated a tag. Its claims of get() and lookup() on keys with this tag no longer
 * count as reads, but remain claims. */
void php_mcp_cache_claims_note_invalidated(const mcp_invalidated_tag *left);

/* Returns true if this request holds any claim. */
bool php_mcp_cache_claims_are_held(void);
/* Returns the age of the oldest claim of this process whose result other callers might await, at least 1 ms. 0: there
 * is no such claim. Callers wait for a key without a value, and with $stale false (`waits_for_new`) for any key.
 * Claims on `name` are excluded; NULL: none is. */
uint32_t php_mcp_cache_claims_oldest_ms(mcp_cache_object *object, zend_string *name,
	bool waits_for_new);

/* Marks the claims on the key as overtaken. Call it after this process has set or deleted the key. */
void php_mcp_cache_claims_overtake(mcp_cache_object *object, zend_string *name);
/* Adds the tag versions of the claims on the key to *noted, except for overtaken claims. Returns the number of the
 * claims. */
size_t php_mcp_cache_claims_collect_tags(mcp_cache_object *object, zend_string *name,
	mcp_read_tags *noted);

/* Returns the age of the newest claim on this key, which is the compute time. 0: no claim. */
uint32_t php_mcp_cache_claims_age_ms(mcp_cache_object *object, zend_string *name);

/* Returns the compute time since the claim was taken, without the time that was already counted. Otherwise, each of
 * several keys that were elected together would count the whole time. */
uint32_t php_mcp_cache_claims_book_ms(const mcp_held_claim *held);

/* Releases the remaining claims, and frees everything. Call it at request end, and again after the last object has
 * been freed. */
void php_mcp_cache_claims_reset(void);
/* Like php_mcp_cache_claims_reset, between 2 requests of one process and after php_mcp_give_back_between(). Keeps the
 * claims of calls that continue. */
void php_mcp_cache_claims_reset_between(void);

#endif
