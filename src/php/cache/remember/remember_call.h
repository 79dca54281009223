/* One call of remember(): its options, its claim and its previous value. After a fatal error in a callback, no
 * cleanup is needed here, because the process keeps the claim. */
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
	 * Until then `compute` is unset if $compute is a closure. */
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
	bool is_after_response; /* requested, but possibly not supported */
	bool is_forced;
	bool is_unheard; /* runs after the response: no caller gets a value or an exception */
	double jitter;
	mcp_remember options;
	mcp_claim claim;
	bool has_claim;
	mcp_status trouble;       /* failure that prevented an election, or MCP_OK */
	pid_t claimed_by;         /* a forked child must not store under it or release it */
	zval *entry;              /* the caller's variable for the Entry; NULL: not given */
	mcp_entry_story story;    /* entry details of the returned value */
	zend_string *tags;        /* tag versions for the result: a reference, or NULL */
	zend_string *old_payload; /* the previous value, if it may be needed: a reference, or NULL */
	uint32_t old_flags;
	uint64_t old_hard_ms; /* end of the grace period, wall clock (C7) */
	mcp_entry_story old_story;
	zend_object *undecodable; /* exception thrown by a stored value's code: a reference, or NULL */
} mcp_remember_call;

/* --- exceptions of stored values' code, as the cause of a later failure --- */

/* Clears the current exception and keeps it in *kept, in place of a previously kept exception. *kept is a reference
 * or NULL. An exit is not cleared. */
void php_mcp_remember_call_keep_cause(zend_object **kept);

/* Makes the kept exception the first cause of the current exception. */
void php_mcp_remember_call_name_cause(zend_object **kept);

void php_mcp_remember_call_release_cause(zend_object **kept);

/* Takes over `thrown` and throws it again after a stale value failed to decode, with that failure as its cause. Not
 * after an exit. */
void php_mcp_remember_call_rethrow(zend_object *thrown);

/* --- results that cannot be stored, and paused rebuilds --- */

/* Throws an exception about failed rebuilds of the key, with the time of the next attempt. */
void php_mcp_remember_call_throw_paused(zend_string *name, uint64_t pause_end_ms);

/* Begins a call, with the lease of this remember(). Repeat it after user code. */
void php_mcp_remember_call_renew(const mcp_remember_call *remembering, mcp_cache_call *call);

/* Checks the remaining arguments once. Call it before an election, and before computing without a claim. */
mcp_argument_verdict php_mcp_remember_call_judge(mcp_remember_call *remembering);
/* Resolves the callable $compute once. */
void php_mcp_remember_call_resolve(mcp_remember_call *remembering);

/* --- the claim --- */

/* Keeps a new claim, at most until the request ends, with the tag versions captured before it. */
void php_mcp_remember_call_keep_claim(mcp_remember_call *remembering, const mcp_cache_entry *entry);
/* Releases the references to the tag versions, the previous value and the exception. */
void php_mcp_remember_call_release(mcp_remember_call *remembering);

/* Returns this call's claim if this process holds it and its own writes have not overtaken it, or NULL. */
mcp_held_claim *php_mcp_remember_call_usable_claim(const mcp_remember_call *remembering);

/* Releases the claim if this process holds it. */
void php_mcp_remember_call_abandon(mcp_remember_call *remembering, bool has_failed);

/* --- publishing in steps, for several results at once --- */

/* Encodes a result. Runs user code. False if it cannot be stored: the key is then marked as uncacheable, and an
 * exception is set unless *is_for_caller. */
bool php_mcp_remember_call_encode(mcp_remember_call *remembering, zval *computed,
	mcp_encoded_value *encoded, bool *is_for_caller);
/* Creates the value to store, with borrowed payload and tags. */
mcp_cache_value php_mcp_remember_call_value(const mcp_remember_call *remembering,
	const mcp_encoded_value *encoded, uint32_t compute_ms, mcp_lifetime lifetime);
/* Stores one result, under the claim if there is one, and concludes. */
bool php_mcp_remember_call_store(mcp_remember_call *remembering, const mcp_cache_value *value);
/* Concludes after a store. False with an exception if the caller does not get the value. */
bool php_mcp_remember_call_conclude(mcp_remember_call *remembering, mcp_status status);

/* --- the previous value --- */

/* Takes over `payload`, a copy of the entry's payload. */
void php_mcp_remember_call_keep_old(mcp_remember_call *remembering, const mcp_cache_entry *entry,
	zend_string *payload);

/* False after the grace period, or if the value cannot be read, possibly with an exception. */
bool php_mcp_remember_call_decode_old(const mcp_remember_call *remembering, zval *value);

/* Runs $compute with the previous value's Entry (C14, C17) and stores nothing. Runs user code. False with an
 * exception, or if the script exits. */
bool php_mcp_remember_call_run(mcp_remember_call *remembering, zval *result);

/* Computes and stores under the claim. Runs user code. *return_value is the result; otherwise an exception is set and
 * the claim is released. */
void php_mcp_remember_call_compute(mcp_remember_call *remembering, zval *return_value);

/* Entries of a remember() (C17): $compute gets one of the previous value, the caller one of the returned value. */

/* True if $compute takes an Entry: by a required parameter, or by a parameter of this type. */
bool php_mcp_remember_call_wants_entry(const mcp_remember_call *remembering);

/* Returns the previous value's entry details with its current status. */
mcp_entry_story php_mcp_remember_call_old_story(const mcp_remember_call *remembering);

/* Assigns the Entry to the caller's variable, if one was given. Runs user code. If it throws, *return_value is
 * discarded. */
void php_mcp_remember_call_assign_entry(const mcp_remember_call *remembering, zval *return_value);

/* One call of Cache::rememberMany(): its keys, turns and results. */

typedef struct mcp_remembering_many {
	mcp_remember_call defaults; /* the options of each key */
	HashTable *names;           /* all names, in the caller's order */
	HashTable pending;          /* names neither served nor computed in this round */
	HashTable turns;            /* name => mcp_remember_call: to compute in this round */
	HashTable distrusts;        /* name => mcp_value_id: values that did not decode */
	bool must_read_again;       /* distrusts have been added */
	/* the near cache was checked. It is checked only once, because later the call waits for new values */
	bool has_looked;
	zend_string *awaited; /* the name whose change ends a pause; borrowed, or NULL */
	zend_string *paused;  /* the name with the longest pause after failures; borrowed, or NULL */
	uint64_t paused_until_ms;
	zend_object *undecodable; /* last exception thrown by a stored value: a reference, or NULL */
	zval *result;
} mcp_remembering_many;

/* Makes *result with a value or null for each key, unless a key is rejected. Defaults and TTL must be set in `call`.
 * Runs user code. An exception can be the result. */
void php_mcp_remember_many_answer(mcp_remembering_many *call, zval *keys, zval *result);

#endif
