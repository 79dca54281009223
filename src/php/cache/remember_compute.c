/* The elected caller's half of Cache::remember(): runs the callback with nothing borrowed from the
 * store, and whatever becomes of it the claim is fulfilled or given back. */
/* SPDX-License-Identifier: MIT */
#include "remember.h"

#include "../computing.h"
#include "../duration.h"
#include "../environment.h"
#include "../value.h"

#include "Zend/zend_exceptions.h"

#include <unistd.h>

void mcp_remember_renew(const mcp_remembering *remembering, mcp_cache_call *call) {
	mcp_cache_call_renew(call, remembering->object, remembering->name);
	call->cache.lease_ms = remembering->lease_ms;
	call->cache.lease_is_fitted = !remembering->lease_is_given;
}

void mcp_remember_hold(mcp_remembering *remembering, const mcp_claim *claim) {
	remembering->claim = *claim;
	remembering->has_claim = true;
	remembering->claimed_by = getpid();
	mcp_cache_claims_hold(remembering->object, remembering->name, claim);
}

/* Whether this process may act on the claim: it took it, and it has not been fulfilled or given back
 * meanwhile (by a set() in the callback, say). That the object was elected for the key anew, because
 * the lease was over, does not end it. An overdue claim is not held, only used. */
static bool take_claim(mcp_remembering *remembering) {
	if (!remembering->has_claim) {
		return false;
	}
	remembering->has_claim = false;
	bool is_held = remembering->claim.is_overdue ||
		mcp_cache_claims_end(remembering->object, remembering->name, &remembering->claim);
	return is_held && remembering->claimed_by == getpid();
}

void mcp_remember_abandon(mcp_remembering *remembering, bool has_failed) {
	if (take_claim(remembering)) {
		mcp_cache_call call;
		mcp_remember_renew(remembering, &call);
		mcp_cache_abandon(&call.cache, &call.key, &remembering->claim, has_failed);
	}
}

bool mcp_callback_run(mcp_callback *callback, zval *argument, zval *result) {
	ZVAL_UNDEF(result);
	callback->info.retval = result;
	callback->info.params = argument;
	callback->info.param_count = argument != NULL ? 1 : 0;
	/* A copy, because the call fills in what was not resolved, without taking references. */
	zend_fcall_info_cache cache = callback->cache;
	if (zend_call_function(&callback->info, &cache) == SUCCESS && EG(exception) == NULL &&
		!Z_ISUNDEF_P(result)) {
		if (Z_ISREF_P(result)) {
			zend_unwrap_reference(result); /* of a function that returns by reference */
		}
		return true;
	}
	zval_ptr_dtor(result);
	ZVAL_UNDEF(result);
	return false;
}

/* C14: the key is marked while its callback runs. */
static bool run_marked(mcp_remembering *remembering, zval *result) {
	mcp_cache_call call;
	mcp_remember_renew(remembering, &call);
	bool is_marked = mcp_computing_begin(call.cache.store, &call.key);
	bool is_done = mcp_callback_run(&remembering->compute, NULL, result);
	if (is_marked) {
		mcp_remember_renew(remembering, &call);
		mcp_computing_end(call.cache.store, &call.key);
	}
	return is_done;
}

bool mcp_remember_is_exiting(void) {
	return EG(exception) == NULL || zend_is_unwind_exit(EG(exception)) ||
		zend_is_graceful_exit(EG(exception));
}

bool mcp_remember_decode_old(const mcp_remembering *remembering, zval *value) {
	const zend_string *old = remembering->old_payload;
	mcp_bytes payload = mcp_bytes_of(ZSTR_VAL(old), ZSTR_LEN(old));
	return mcp_value_decode(value, payload, remembering->old_flags);
}

void mcp_remember_rethrow(zend_object *thrown) {
	if (EG(exception) != NULL && mcp_remember_is_exiting()) {
		OBJ_RELEASE(thrown);
		return;
	}
	zend_clear_exception();
	zval exception;
	ZVAL_OBJ(&exception, thrown);
	zend_throw_exception_object(&exception);
}

/* The old value in place of an ordinary exception; when it cannot be read, the exception stays. */
static void answer_old(const mcp_remembering *remembering, zval *return_value) {
	zend_object *thrown = EG(exception);
	GC_ADDREF(thrown);
	zend_clear_exception();
	if (mcp_remember_decode_old(remembering, return_value)) {
		OBJ_RELEASE(thrown);
	} else {
		mcp_remember_rethrow(thrown);
	}
}

/* C6. */
static void fail(mcp_remembering *remembering, zval *return_value) {
	bool is_an_exit = mcp_remember_is_exiting();
	mcp_remember_abandon(remembering, !is_an_exit);
	if (!is_an_exit && remembering->stale_on_error && remembering->old_payload != NULL) {
		answer_old(remembering, return_value);
	}
}

/* Said in full: after the response the function that is running is not remember(). */
#define TTL_CALLABLE "McPatterns\\Cache::remember(): Argument #2 ($ttl) "

/* The lifetime of what was computed. MCP_OK; MCP_NOT_STORED: the callable wants it not stored;
 * MCP_REFUSED with an exception. */
static mcp_status find_lifetime(mcp_remembering *remembering, zval *value, mcp_lifetime *lifetime) {
	*lifetime = remembering->options.lifetime;
	if (!remembering->has_ttl_callback) {
		return MCP_OK;
	}
	zval ttl;
	if (!mcp_callback_run(&remembering->ttl_of, value, &ttl)) {
		return MCP_REFUSED;
	}
	if (Z_TYPE(ttl) == IS_NULL) {
		return MCP_NOT_STORED;
	}
	bool is_number = Z_TYPE(ttl) == IS_LONG || Z_TYPE(ttl) == IS_DOUBLE;
	if (!is_number) {
		zend_type_error(TTL_CALLABLE "must return an int, a float or null, %s returned",
			zend_zval_type_name(&ttl));
		zval_ptr_dtor(&ttl);
		return MCP_REFUSED;
	}
	double seconds = zval_get_double(&ttl);
	if (!(seconds >= 0 && seconds <= MCP_DURATION_MAX_S)) {
		zend_value_error(TTL_CALLABLE "must return 0 to 10000000000 seconds, %g returned", seconds);
		return MCP_REFUSED;
	}
	mcp_duration_argument given = {&ttl, 2};
	return mcp_cache_object_lifetime_spread(remembering->object, given,
			   (mcp_duration_argument){remembering->grace, 4}, remembering->jitter, lifetime)
		? MCP_OK
		: MCP_REFUSED;
}

bool mcp_remember_publish(mcp_remembering *remembering, zval *computed, mcp_lifetime lifetime,
	uint32_t compute_ms) {
	mcp_encoded_value encoded;
	if (!mcp_value_encode(&encoded, computed, 0)) {
		return false;
	}
	mcp_status status = MCP_OK;
	if (take_claim(remembering)) {
		mcp_cache_call call;
		mcp_remember_renew(remembering, &call);
		mcp_cache_value value = {
			.payload = encoded.payload,
			.flags = encoded.flags,
			.compute_ms = compute_ms,
			.lifetime = lifetime,
		};
		status = mcp_cache_publish(&call.cache, &call.key, &remembering->claim, &value);
		if (status == MCP_TOO_LARGE) {
			mcp_cache_abandon(&call.cache, &call.key, &remembering->claim, true);
		}
	}
	mcp_value_release(&encoded);
	mcp_cache_throw_if_too_large(status, remembering->name);
	return status != MCP_TOO_LARGE;
}

uint32_t mcp_remember_measure_ms(uint64_t start_ns) {
	uint64_t elapsed_ms = (mcp_environment_measure_ns() - start_ns + 999999) / 1000000;
	return elapsed_ms > UINT32_MAX ? UINT32_MAX : (uint32_t)elapsed_ms;
}

void mcp_remember_compute(mcp_remembering *remembering, zval *return_value) {
	uint64_t start_ns = mcp_environment_measure_ns();
	zval computed;
	if (!run_marked(remembering, &computed)) {
		fail(remembering, return_value);
		return;
	}
	uint32_t compute_ms = mcp_remember_measure_ms(start_ns);
	mcp_lifetime lifetime;
	mcp_status status = find_lifetime(remembering, &computed, &lifetime);
	bool is_done = status == MCP_NOT_STORED ||
		(status == MCP_OK && mcp_remember_publish(remembering, &computed, lifetime, compute_ms));
	if (is_done) {
		mcp_remember_abandon(remembering, false);
		ZVAL_COPY_VALUE(return_value, &computed);
	} else {
		zval_ptr_dtor(&computed);
		fail(remembering, return_value);
	}
}
