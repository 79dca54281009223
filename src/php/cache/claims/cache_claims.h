/* The claims that this process holds, for the request: whatever Cache object took one, it is kept in one
 * place, with its own token, lease and end, until its value is stored or it is given back (C6). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_CLAIMS_H
#define MCP_PHP_CACHE_CLAIMS_H

#include "../../host/give_back.h"
#include "../object/cache_object.h"

/* emalloc'ed. */
typedef struct mcp_held_claim {
	mcp_claim claim;
	uint32_t lease_ms; /* its own */
	uint64_t
		served_until_ms; /* wall clock: the others have the old value until then; 0: there is none */
	uint64_t taken_ns;   /* measuring clock */
	pid_t
		pid; /* the process that took it: a forked child neither stores under it nor gives it back */
	uint32_t taker; /* the handle of the object that took it, which may be gone */
	bool
		is_a_calls; /* a remember() took it and ends it; otherwise get or lookup did, for the process */
	bool
		is_overtaken; /* this process has set or deleted the key since: nothing is stored under it */
	bool
		is_no_look; /* this Fiber has invalidated a tag of its own since: what it sets is not of before */
	mcp_pool *pool; /* a reference, like the names: what giving it back takes */
	zend_string *scope, *name;
	uint32_t cache_lease_ms; /* its Cache's */
	unsigned copies;         /* its Cache's */
	mcp_kept_place place;
	zend_string *mark;            /* where it belongs, see computing.h; a reference */
	zend_string *tags;            /* their numbers of before the election; a reference, or NULL */
	struct mcp_held_claim *older; /* another one on the same key */
	mcp_give_back node;
} mcp_held_claim;

/* All of this process's claims; NULL in the globals while there are none. */
typedef struct mcp_held_claims mcp_held_claims;

/* Keeps a claim that get or lookup has taken, for the process: until it is fulfilled through any Cache of
 * the same servers and prefix, given back, or ran out so long ago that no result would be stored. */
void php_mcp_cache_claims_hold(mcp_cache_call *call, zend_string *name,
	const mcp_cache_entry *entry);
/* Keeps a claim that a remember() has taken, until that call ends it. `tags`: as captured; borrowed, or NULL. */
void php_mcp_cache_claims_hold_for_call(mcp_cache_object *object, zend_string *name,
	const mcp_cache_entry *entry, zend_string *tags);

/* Finds the one that get or lookup took which fits best what this object ends by hand: its own, else another object's of
 * this process, else one that this very process has overtaken. NULL if there is none. Valid until user code runs. */
mcp_held_claim *php_mcp_cache_claims_find(mcp_cache_object *object, zend_string *name);
/* Finds the newest one of this process that something may still be stored under, of any holder; NULL if there is none. */
const mcp_held_claim *php_mcp_cache_claims_newest(mcp_cache_object *object, zend_string *name);
/* Finds the one that a call holds. NULL if it has been given back with the request, or is another process's.
 * Valid until user code runs. */
mcp_held_claim *php_mcp_cache_claims_find_token(mcp_cache_object *object, zend_string *name,
	uint64_t token);

/* Forgets it: it was fulfilled or given back. Frees it. */
void php_mcp_cache_claims_end(mcp_held_claim *held);
/* Leaves it after its call is over and a server did not answer: the process gives it back when the request ends. */
void php_mcp_cache_claims_leave(mcp_held_claim *held);

/* Ends those that get or lookup has taken in this Fiber on keys that it has emptied; what is left of them on a server is
 * given back. */
void php_mcp_cache_claims_end_emptied(const mcp_emptied *emptied);

/* Has those of get and lookup that this Fiber has taken on a server, of keys with this tag, count no more as looks: it has
 * invalidated the tag. They stay claims. */
void php_mcp_cache_claims_follow(const mcp_tag_left *left);

/* Says whether this request holds any, on whatever key. */
bool php_mcp_cache_claims_are_held(void);
/* Returns how long the oldest one of this process has been held that others may be waiting for, from 1 on; 0: there is none.
 * They wait for a key without a value, and callers that wait for new values for any. Of claims on other keys than this one;
 * `name` NULL: of all. */
uint32_t php_mcp_cache_claims_oldest_ms(mcp_cache_object *object, zend_string *name,
	bool waits_for_new);

/* Marks what is held on the key as overtaken: its value was deleted or set by this process. */
void php_mcp_cache_claims_drop(mcp_cache_object *object, zend_string *name);
/* Notes what tags' numbers those that are held on the key were taken under, unless this process has stored a value or
 * deleted it since. Returns how many they are. */
size_t php_mcp_cache_claims_note_tags(mcp_cache_object *object, zend_string *name,
	mcp_read_tags *noted);

/* Says how long ago the newest claim on this key was taken, which is the compute time; 0 if none is held. */
uint32_t php_mcp_cache_claims_age_ms(mcp_cache_object *object, zend_string *name);

/* Returns the milliseconds of computing since the claim was taken, no time twice: of keys that were elected together each
 * would otherwise count all that was computed so far. */
uint32_t php_mcp_cache_claims_book_ms(const mcp_held_claim *held);

/* Gives back at request end, and once more after the last object is gone, what is still held, and frees
 * everything. */
void php_mcp_cache_claims_reset(void);
/* Does so between two requests of one process, after php_mcp_give_back_between(), but for calls that go on. */
void php_mcp_cache_claims_reset_between(void);

#endif
