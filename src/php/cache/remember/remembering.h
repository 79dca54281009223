/* One call of Cache::remember(): what was asked, the claim it computes under, and the old value it may have to
 * answer with. Plain data, so that a fatal error in a callback leaves nothing to undo here; the claim itself is
 * among the process's. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_REMEMBER_REMEMBERING_H
#define MCP_PHP_CACHE_REMEMBER_REMEMBERING_H

#include "../../engine/user_call.h"
#include "../../value/value.h"
#include "../claims/cache_claims.h"
#include "../entry/class_entry.h"
#include "../object/cache_object.h"

/* The outcome of judging a call. */
typedef enum mcp_terms {
	MCP_TERMS_WRONG, /* with an exception */
	MCP_TERMS_RIGHT,
	MCP_TERMS_RIGHT_AFTER_CODE, /* of the application: the views of before are dead */
} mcp_terms;

typedef struct mcp_remembering {
	mcp_cache_object *object;
	zend_string *name;
	/* Judges, of the arguments, the lifetime and all else that only who computes needs; NULL: it is judged, or nothing is to
	 * be. Until then the compute call is the closure, where there is one. */
	mcp_terms (*judge)(struct mcp_remembering *remembering);
	const struct mcp_remember_arguments *arguments; /* borrowed */
	const zval *closure;
	mcp_user_call compute;
	mcp_user_call ttl_of; /* when has_ttl_callback */
	bool has_ttl_callback;
	mcp_user_call tags_of; /* none: no tags but the object's */
	mcp_lifetime lifetime; /* as asked for, without jitter */
	uint32_t lease_ms;
	bool lease_is_given;
	bool stale_on_error;
	bool is_after_response; /* as asked for; possible or not */
	bool is_forced;
	bool is_unheard; /* it runs after the response: no caller gets a value or an exception */
	double jitter;
	mcp_remember options;
	mcp_claim claim;
	bool has_claim;
	mcp_status trouble;       /* why none was asked for: a failure, or MCP_OK */
	pid_t claimed_by;         /* a forked child neither stores under it nor gives it back */
	zval *entry;              /* the caller's variable for the story; NULL: not given */
	mcp_entry_story story;    /* of what is answered */
	zend_string *tags;        /* what the result is stored with: a reference, or NULL */
	zend_string *old_payload; /* where it may be wanted: a reference, or NULL */
	uint32_t old_flags;
	uint64_t old_hard_ms; /* wall clock; it is served no more from then on (C7) */
	mcp_entry_story old_story;
	zend_object *undecodable; /* what a stored value threw while it decoded: a reference, or NULL */
} mcp_remembering;

/* Begins, or begins again after user code, a call with this remember's lease. */
void php_mcp_remembering_renew(const mcp_remembering *remembering, mcp_cache_call *call);

/* Judges the terms, if they are not judged yet: before this caller is elected, or computes without a claim. */
mcp_terms php_mcp_remembering_judge(mcp_remembering *remembering);
/* Looks up the computation, if that is not done yet. */
void php_mcp_remembering_resolve(mcp_remembering *remembering);

/* --- the claim --- */

/* Keeps the claim, which has just been taken, until the request ends at the latest, and the tags' numbers of before
 * it. */
void php_mcp_remembering_hold(mcp_remembering *remembering, const mcp_cache_entry *entry);
/* Releases what it has references to: those numbers, and the old value. */
void php_mcp_remembering_release(mcp_remembering *remembering);

/* Finds what the process keeps of this call's claim. NULL if nothing is held, or not by this process. */
mcp_held_claim *php_mcp_remembering_find_claim(const mcp_remembering *remembering);

/* Gives the claim back when there is still one of this process. */
void php_mcp_remembering_abandon(mcp_remembering *remembering, bool has_failed);

/* --- publishing in its parts, for many results at once --- */

/* Encodes; runs user code. False if it cannot be stored: the key is marked, and there is an exception unless it
 * *is_for_caller all the same. */
bool php_mcp_remembering_encode(mcp_remembering *remembering, zval *computed,
	mcp_encoded_value *encoded, bool *is_for_caller);
/* Fills in what of the value is known by now; borrowed. */
void php_mcp_remembering_complete(const mcp_remembering *remembering,
	const mcp_encoded_value *encoded, mcp_cache_value *value);
/* Says whether there is a claim of this process to store under, which no store of its own has overtaken. */
bool php_mcp_remembering_goes_together(const mcp_remembering *remembering);
/* Stores it by itself, under the claim if there is one, and concludes. */
bool php_mcp_remembering_store(mcp_remembering *remembering, const mcp_encoded_value *encoded,
	mcp_cache_value value);
/* Notes the outcome of a store under the claim, and then concludes: false with an exception if the caller does not get the
 * value. */
void php_mcp_remembering_note_stored(const mcp_remembering *remembering, const mcp_key *key,
	mcp_status status);
bool php_mcp_remembering_conclude(mcp_remembering *remembering, mcp_status status);

/* Counts what of that was for this key. */
void php_mcp_remembering_count_rebuild(const mcp_remembering *remembering, uint32_t compute_ms);
/* Adds to the statistics what was computed to be stored. */
void php_mcp_remembering_count_time(const mcp_remembering *remembering, uint32_t compute_ms);

/* --- the old value --- */

/* Takes over `payload`, a copy of the entry's. */
void php_mcp_remembering_keep_old(mcp_remembering *remembering, const mcp_cache_entry *entry,
	zend_string *payload);

/* False if its hard end has come; or, perhaps with an exception, if it cannot be read. */
bool php_mcp_remembering_decode_old(const mcp_remembering *remembering, zval *value);

/* The computing half of Cache::remember(). */

/* Computes with what the computation is told of the old value (C14, C17), and stores nothing. False with an exception, or
 * when the engine is on its way out. Runs user code. */
bool php_mcp_remember_run(mcp_remembering *remembering, zval *result);

/* Computes, stores under the claim, and puts what the caller gets into *return_value; or gives the
 * claim back, and an exception is set. Runs user code. */
void php_mcp_remember_compute(mcp_remembering *remembering, zval *return_value);

/* The story that a remember() tells: its computation of what there was, its caller of what is answered (C17). */

/* Says whether the computation is given an Entry: a parameter that must be given, or one whose type is Entry. */
bool php_mcp_remember_story_is_wanted(const mcp_remembering *remembering);

/* Tells what the old value is now, fresh or stale. */
mcp_entry_story php_mcp_remember_story_of_old(const mcp_remembering *remembering);

/* Puts the story of what is answered into the caller's variable, if it gave one. Runs user code: when that throws,
 * the answer is taken back. */
void php_mcp_remember_story_tell(const mcp_remembering *remembering, zval *return_value);

#endif
