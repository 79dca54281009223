/* One call of remember(): its options, its claim and the previous value of its key. After a fatal error in a
 * callback, no cleanup is needed here, because the process keeps the claim. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_REMEMBER_REMEMBER_CALL_H
#define MCP_PHP_CACHE_REMEMBER_REMEMBER_CALL_H

#include "../../engine/user_call.h"
#include "../../value/value.h"
#include "../claims/cache_claims.h"
#include "../entry/class_entry.h"
#include "../object/cache_object.h"

typedef enum mcp_argument_verdict {
	MCP_ARGUMENTS_WRONG, /* with an exception */
	MCP_ARGUMENTS_RIGHT,
	MCP_ARGUMENTS_RIGHT_AFTER_CODE, /* user code ran: earlier views are invalid */
} mcp_argument_verdict;

typedef struct mcp_remember_call {
	mcp_cache_object *object;
	zend_string *name;
	/* Checks the arguments that only a computing caller needs, such as the lifetime. NULL: done, or not necessary.
	 * Before this check, `compute` is unset if $compute is a closure. */
	mcp_argument_verdict (*judge)(struct mcp_remember_call *remembering);
	const struct mcp_remember_arguments *arguments; /* borrowed */
	const zval *closure;
	mcp_user_call compute;
	mcp_user_call ttl_of;  /* callable $ttl; empty: none */
	mcp_user_call tags_of; /* callable $tags; empty: only the object's tags */
	mcp_lifetime lifetime; /* requested lifetime, without jitter */
	uint32_t lease_ms;
	bool lease_is_given;
	bool stale_on_error;
	bool is_after_response; /* requested, although it might not be supported */
	bool is_forced;
	bool is_unheard; /* runs after the response, so no caller gets a value or an exception */
	double jitter;
	mcp_remember options;
	mcp_claim claim;
	bool has_claim;
	mcp_status trouble;       /* failure that prevented an election, or MCP_OK */
	pid_t claimed_by;         /* a forked child must not store under the claim or release it */
	zval *entry;              /* the caller's variable for the Entry; NULL: not given */
	mcp_entry_story story;    /* entry details of the returned value */
	zend_string *tags;        /* tag versions for the result: a reference, or NULL */
	zend_string *old_payload; /* the previous value, if it can be needed: a reference, or NULL */
	uint32_t old_flags;
	uint64_t old_hard_ms; /* end of the grace period, wall clock (C7) */
	mcp_entry_story old_story;
	/* exception that user code threw while a stored value was decoded: a reference, or NULL */
	zend_object *undecodable;
} mcp_remember_call;

/* --- exceptions that user code threw while a stored value was decoded, kept as the cause of a later failure --- */

/* Clears the current exception, and keeps it in *kept in place of an earlier one. *kept is a reference or NULL. An
 * exit is not cleared. */
void php_mcp_remember_call_keep_cause(zend_object **kept);

/* Makes the kept exception the first cause of the current exception. */
void php_mcp_remember_call_name_cause(zend_object **kept);

void php_mcp_remember_call_release_cause(zend_object **kept);

/* Throws `thrown` again after a stale value has failed to decode, with this failure as the cause. Takes over
 * `thrown`. Throws nothing if the script exits. */
void php_mcp_remember_call_rethrow(zend_object *thrown);

/* --- results that cannot be stored, and paused rebuilds --- */

/* Throws the exception about failed rebuilds of the key, with the time of the next attempt. */
void php_mcp_remember_call_throw_paused(zend_string *name, uint64_t pause_end_ms);

/* Renews the call on the key, with the lease of this remember(). Call it again after user code. */
void php_mcp_remember_call_renew(const mcp_remember_call *remembering, mcp_cache_call *call);

/* Checks the remaining arguments once. Call it before an election, and before a computation without a claim. */
mcp_argument_verdict php_mcp_remember_call_judge(mcp_remember_call *remembering);
/* Resolves the callable $compute once. */
void php_mcp_remember_call_resolve(mcp_remember_call *remembering);

/* --- the claim --- */

/* Keeps a new claim with the tag versions that were captured before it, at most until the request ends. */
void php_mcp_remember_call_keep_claim(mcp_remember_call *remembering, const mcp_cache_entry *entry);
/* Releases the call's references to the tag versions, the previous value and the exception. */
void php_mcp_remember_call_release(mcp_remember_call *remembering);

/* Returns this call's claim, or NULL if this process does not hold it or has overtaken it with its own write. */
mcp_held_claim *php_mcp_remember_call_usable_claim(const mcp_remember_call *remembering);

/* Releases the claim if this process holds it. */
void php_mcp_remember_call_abandon(mcp_remember_call *remembering, bool has_failed);

/* --- storing in steps, for several results at once --- */

/* Encodes a result. Runs user code. False if the result cannot be stored. The key is then marked as uncacheable, and
 * an exception is set unless *is_for_caller, in which case the caller gets the result. */
bool php_mcp_remember_call_encode(mcp_remember_call *remembering, zval *computed,
	mcp_encoded_value *encoded, bool *is_for_caller);
/* Makes the value to store. It borrows the payload and the tags. */
mcp_cache_value php_mcp_remember_call_value(const mcp_remember_call *remembering,
	const mcp_encoded_value *encoded, uint32_t compute_ms, mcp_lifetime lifetime);
/* Stores one result, under the claim if there is one, and calls php_mcp_remember_call_conclude. */
bool php_mcp_remember_call_store(mcp_remember_call *remembering, const mcp_cache_value *value);
/* Ends the call's claim after a store with this status. False with an exception if the caller does not get the
 * value. */
bool php_mcp_remember_call_conclude(mcp_remember_call *remembering, mcp_status status);

/* --- the previous value --- */

/* Keeps the entry as the previous value. Takes over `payload`, a copy of the entry's payload. */
void php_mcp_remember_call_keep_old(mcp_remember_call *remembering, const mcp_cache_entry *entry,
	zend_string *payload);

/* Decodes the previous value. False after the grace period, or if the value cannot be decoded, possibly with an
 * exception. */
bool php_mcp_remember_call_decode_old(const mcp_remember_call *remembering, zval *value);

/* Runs $compute with the previous value's Entry (C14, C17), and stores nothing. Runs user code. False with an
 * exception, or if the script exits. */
bool php_mcp_remember_call_run(mcp_remember_call *remembering, zval *result);

/* Computes the value, and stores it under the claim. Runs user code. *return_value is the result, unless an exception
 * is set. In both cases, the claim is released. */
void php_mcp_remember_call_compute(mcp_remember_call *remembering, zval *return_value);

/* Entries of a remember() (C17): $compute gets the Entry of the previous value, and the caller gets that of the
 * returned value. */

/* True if $compute takes an Entry: with a required parameter, or with a parameter of this type. */
bool php_mcp_remember_call_wants_entry(const mcp_remember_call *remembering);

/* Returns the entry details of the previous value, with its current status. */
mcp_entry_story php_mcp_remember_call_old_story(const mcp_remember_call *remembering);

/* Assigns the Entry to the caller's variable, if one was given. Runs user code. If it throws, *return_value is
 * discarded. */
void php_mcp_remember_call_assign_entry(const mcp_remember_call *remembering, zval *return_value);

/* One call of Cache::rememberMany(): its keys, the keys that it must compute, and its results. */

typedef struct mcp_remembering_many {
	mcp_remember_call defaults; /* the options of each key */
	HashTable *names;           /* all names, in the caller's order */
	HashTable pending;          /* names not yet served, and not computed in this round */
	HashTable turns;            /* name => mcp_remember_call, to compute in this round */
	HashTable distrusts;        /* name => mcp_value_id: values that did not decode */
	bool must_read_again;       /* distrusts have been added */
	/* the near cache was checked; this is done only once, because the call then waits for new values */
	bool has_looked;
	zend_string *awaited; /* the name whose change ends a pause; borrowed, or NULL */
	zend_string *paused;  /* the name with the longest pause after failures; borrowed, or NULL */
	uint64_t paused_until_ms;
	/* last exception that user code threw while a stored value was decoded: a reference, or NULL */
	zend_object *undecodable;
	zval *result;
} mcp_remembering_many;

/* Makes *result, with a value or null for each key. The caller has set call->defaults, including the TTL. Runs user
 * code. If a key is invalid or a callback throws, an exception is the result. */
void php_mcp_remember_many_answer(mcp_remembering_many *call, zval *keys, zval *result);

#endif
