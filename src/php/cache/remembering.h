/* One call of Cache::remember(): what was asked, and the claim it computes under. Plain data, so that
 * a fatal error in a callback leaves nothing to undo here; the claim itself is among the process's. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_REMEMBERING_H
#define MCP_PHP_REMEMBERING_H

#include "cache_object.h"

typedef struct mcp_callback {
	zend_fcall_info info;
	zend_fcall_info_cache cache;
} mcp_callback;

typedef struct mcp_remembering {
	mcp_cache_object *object;
	zend_string *name;
	mcp_callback compute;
	mcp_callback ttl_of; /* when has_ttl_callback */
	bool has_ttl_callback;
	zval *ttl, *grace; /* as given; NULL or null: not */
	uint32_t lease_ms;
	bool lease_is_given;
	bool stale_on_error;
	bool is_after_response; /* as asked for; possible or not */
	double jitter;
	mcp_remember options;
	mcp_claim claim;
	bool has_claim;
	pid_t claimed_by;         /* a forked child neither stores under it nor gives it back */
	zend_string *old_payload; /* for stale_on_error and is_after_response: a reference, or NULL */
	uint32_t old_flags;
	uint64_t old_hard_ms;     /* wall clock; it is served no more from then on (C7) */
	zend_object *undecodable; /* what a stored value threw while it decoded: a reference, or NULL */
} mcp_remembering;

/* Reads and checks the arguments of remember(). False with an exception. */
bool mcp_remember_parse(mcp_remembering *remembering, zend_execute_data *execute_data);

/* Begins, or begins again after user code, a call with this remember's lease. */
void mcp_remembering_renew(const mcp_remembering *remembering, mcp_cache_call *call);

/* Computes, stores under the claim, and puts what the caller gets into *return_value; or gives the
 * claim back, and an exception is set. */
void mcp_remember_compute(mcp_remembering *remembering, zval *return_value);

/* The object's defaults for everything but the TTL (NULL or null: that too), as rememberMany has it. */
bool mcp_remember_use_defaults(mcp_remembering *remembering, zval *ttl);

/* --- its parts, for rememberMany and for computing after the response --- */

/* False with an exception, or when the engine is on its way out. `argument` may be NULL. */
bool mcp_callback_run(mcp_callback *callback, zval *argument, zval *result);

/* The exception, if any, is an exit or a Fiber being dropped, not a failure. */
bool mcp_remember_is_exiting(void);

/* Stores under the claim when there is one of this process; of `value`, payload and flags are filled in
 * here. False with an exception when the value cannot be stored (its type, its size). */
bool mcp_remembering_publish(mcp_remembering *remembering, zval *computed, mcp_cache_value value);

/* Adds to the statistics what was computed to be stored. */
void mcp_remembering_count_time(const mcp_remembering *remembering, uint32_t compute_ms);

/* The old value that was kept. False when its hard end has come; or, perhaps with an exception, when it
 * cannot be read. */
bool mcp_remembering_decode_old(const mcp_remembering *remembering, zval *value);

/* After a value did not decode: what its own code threw is kept for what the computation may throw. An exit
 * stays. *kept is a reference, or NULL. */
void mcp_remember_cause_keep(zend_object **kept);
/* Makes what was kept the first cause of the exception that is set. */
void mcp_remember_cause_name(zend_object **kept);
void mcp_remember_cause_release(zend_object **kept);

/* Gives the claim back when there is still one of this process. */
void mcp_remembering_abandon(mcp_remembering *remembering, bool has_failed);

/* Keeps the claim, which has just been taken, until the request ends at the latest. */
void mcp_remembering_hold(mcp_remembering *remembering, const mcp_claim *claim);

/* What the process keeps of this call's claim. NULL when nothing is held, or not by this process. */
mcp_held_claim *mcp_remembering_find_claim(const mcp_remembering *remembering);

/* Throws again what stood back for the decoding of an old value, with what that threw as its cause, unless
 * that has ended the script. Takes over the reference. */
void mcp_remember_cause_rethrow(zend_object *thrown);

/* C14. True when *return_value or an exception is the answer, because this Fiber is computing this
 * very key. When another one is, nothing will be waited for. */
bool mcp_remember_answer_recursion(mcp_remembering *remembering, zval *return_value);

/* Asks the protocol. True when *return_value or an exception is the answer; false when it is this
 * caller's turn, with or without a claim. */
bool mcp_remember_answer_from_cache(mcp_remembering *remembering, zval *return_value);

#endif
