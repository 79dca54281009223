/* The elected caller's half of Cache::remember(): runs the callback with nothing borrowed from the
 * store, and whatever becomes of it the claim is fulfilled or given back. */
/* SPDX-License-Identifier: MIT */
#include "remembering.h"

#include "../computing.h"
#include "../duration.h"
#include "../environment.h"
#include "../value.h"

#include "Zend/zend_exceptions.h"

#include <unistd.h>

void mcp_remembering_renew(const mcp_remembering *remembering, mcp_cache_call *call) {
	mcp_cache_object_renew(call, remembering->object, remembering->name);
	call->cache.lease_ms = remembering->lease_ms;
	call->cache.lease_is_fitted = !remembering->lease_is_given;
}

void mcp_remembering_hold(mcp_remembering *remembering, const mcp_claim *claim) {
	remembering->claim = *claim;
	remembering->has_claim = true;
	remembering->claimed_by = getpid();
	mcp_cache_claims_hold_for_call(remembering->object, remembering->name, claim);
}

mcp_held_claim *mcp_remembering_find_claim(const mcp_remembering *remembering) {
	bool is_kept = remembering->has_claim && !remembering->claim.is_overdue;
	return is_kept ? mcp_cache_claims_find_token(remembering->object, remembering->name,
						 remembering->claim.token)
				   : NULL;
}

/* The call is done with the claim. Where no answer told what became of it, it stays for the process to
 * give back. */
static void end_claim(mcp_remembering *remembering, mcp_status status) {
	mcp_held_claim *held = mcp_remembering_find_claim(remembering);
	remembering->has_claim = false;
	if (held == NULL) {
		return;
	}
	if (held->is_overtaken || status == MCP_OK || status == MCP_NOT_STORED) {
		mcp_cache_claims_end(held);
	} else {
		mcp_cache_claims_leave(held);
	}
}

void mcp_remembering_abandon(mcp_remembering *remembering, bool has_failed) {
	mcp_status status = MCP_NOT_STORED;
	const mcp_held_claim *held = mcp_remembering_find_claim(remembering);
	if (held != NULL && !held->is_overtaken) {
		mcp_cache_call call;
		mcp_remembering_renew(remembering, &call);
		status = mcp_cache_abandon(&call.cache, &call.key, &remembering->claim, has_failed);
	}
	end_claim(remembering, status);
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
	mcp_remembering_renew(remembering, &call);
	bool is_marked = mcp_computing_begin(call.cache.store, &call.key);
	bool is_done = mcp_callback_run(&remembering->compute, NULL, result);
	if (is_marked) {
		mcp_remembering_renew(remembering, &call);
		mcp_computing_end(call.cache.store, &call.key);
	}
	return is_done;
}

bool mcp_remember_is_exiting(void) {
	return EG(exception) == NULL || zend_is_unwind_exit(EG(exception)) ||
		zend_is_graceful_exit(EG(exception));
}

void mcp_remember_cause_release(zend_object **kept) {
	zend_object *thrown = *kept;
	*kept = NULL;
	if (thrown != NULL) {
		OBJ_RELEASE(thrown);
	}
}

void mcp_remember_cause_keep(zend_object **kept) {
	if (mcp_remember_is_exiting()) {
		return;
	}
	mcp_remember_cause_release(kept);
	*kept = EG(exception);
	GC_ADDREF(*kept);
	zend_clear_exception();
}

/* More have not been thrown one upon another: the chain is one that does not end, made of stored bytes. */
#define CAUSES_MAX 100

static zval *previous_of(zend_object *exception, zval *buffer) {
	return zend_read_property_ex(zend_get_exception_base(exception), exception,
		ZSTR_KNOWN(ZEND_STR_PREVIOUS), true, buffer);
}

/* The engine goes through the causes to their end, and takes each for an exception. */
static bool is_sound(zend_object *exception) {
	for (int i = 0; i < CAUSES_MAX; i++) {
		zval buffer;
		zval *previous = previous_of(exception, &buffer);
		if (Z_TYPE_P(previous) != IS_OBJECT) {
			return Z_TYPE_P(previous) == IS_NULL;
		}
		if (!instanceof_function(Z_OBJCE_P(previous), zend_ce_throwable)) {
			return false;
		}
		exception = Z_OBJ_P(previous);
	}
	return false;
}

void mcp_remember_cause_name(zend_object **kept) {
	zend_object *cause = *kept;
	if (cause == NULL || EG(exception) == NULL || cause == EG(exception) || !is_sound(cause) ||
		!is_sound(EG(exception))) {
		return;
	}
	*kept = NULL;
	zend_exception_set_previous(EG(exception), cause);
}

bool mcp_remembering_decode_old(const mcp_remembering *remembering, zval *value) {
	bool ends = remembering->old_hard_ms != MCP_NEVER_MS;
	if (ends && mcp_wall_ms(mcp_environment_get()) >= remembering->old_hard_ms) {
		return false;
	}
	const zend_string *old = remembering->old_payload;
	mcp_bytes payload = mcp_bytes_of(ZSTR_VAL(old), ZSTR_LEN(old));
	bool is_read = mcp_value_decode(value, payload, remembering->old_flags);
	remembering->object->statistics.unreadable += !is_read;
	return is_read;
}

void mcp_remember_cause_rethrow(zend_object *thrown) {
	if (EG(exception) != NULL && mcp_remember_is_exiting()) {
		OBJ_RELEASE(thrown);
		return;
	}
	zend_object *cause = NULL;
	mcp_remember_cause_keep(&cause);
	zval exception;
	ZVAL_OBJ(&exception, thrown);
	zend_throw_exception_object(&exception);
	mcp_remember_cause_name(&cause);
	mcp_remember_cause_release(&cause);
}

/* The old value in place of an ordinary exception; when it cannot be read, the exception stays. */
static void answer_old(const mcp_remembering *remembering, zval *return_value) {
	zend_object *thrown = EG(exception);
	GC_ADDREF(thrown);
	zend_clear_exception();
	if (mcp_remembering_decode_old(remembering, return_value)) {
		OBJ_RELEASE(thrown);
	} else {
		mcp_remember_cause_rethrow(thrown);
	}
}

/* C6. */
static void fail(mcp_remembering *remembering, zval *return_value) {
	bool is_an_exit = mcp_remember_is_exiting();
	mcp_remembering_abandon(remembering, !is_an_exit);
	if (!is_an_exit) {
		mcp_remember_cause_name(&remembering->undecodable);
	}
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
	return mcp_cache_lifetime_parse_spread(remembering->object, given,
			   (mcp_duration_argument){remembering->grace, 4}, remembering->jitter, lifetime)
		? MCP_OK
		: MCP_REFUSED;
}

/* MCP_REFUSED: there is no claim to store under, or not this process's. */
static mcp_status store_under_claim(mcp_remembering *remembering, const mcp_cache_value *value) {
	const mcp_held_claim *held = mcp_remembering_find_claim(remembering);
	bool is_used = remembering->has_claim && remembering->claim.is_overdue &&
		remembering->claimed_by == getpid();
	if (held == NULL && !is_used) {
		return MCP_REFUSED;
	}
	if (held != NULL && held->is_overtaken) {
		remembering->object->statistics.refused++;
		return MCP_NOT_STORED;
	}
	mcp_cache_call call;
	mcp_remembering_renew(remembering, &call);
	return mcp_cache_publish(&call.cache, &call.key, &remembering->claim, value);
}

bool mcp_remembering_publish(mcp_remembering *remembering, zval *computed, mcp_cache_value value) {
	mcp_encoded_value encoded;
	if (!mcp_value_encode(&encoded, computed, 0)) {
		return false;
	}
	value.payload = encoded.payload;
	value.flags = encoded.flags;
	mcp_status status = store_under_claim(remembering, &value);
	mcp_value_release(&encoded);
	if (status == MCP_TOO_LARGE || status == MCP_NO_CAS) {
		mcp_remembering_abandon(remembering, true);
		mcp_cache_call call;
		mcp_remembering_renew(remembering, &call);
		mcp_cache_value_complain(&call, status, remembering->name);
		return false;
	}
	end_claim(remembering, status);
	return true;
}

void mcp_remembering_count_time(const mcp_remembering *remembering, uint32_t compute_ms) {
	if (remembering->has_claim) {
		remembering->object->statistics.compute_ms += compute_ms;
	}
}

void mcp_remember_compute(mcp_remembering *remembering, zval *return_value) {
	uint64_t start_ns = mcp_environment_measure_ns();
	zval computed;
	if (!run_marked(remembering, &computed)) {
		fail(remembering, return_value);
		return;
	}
	mcp_cache_value value = {.compute_ms = mcp_environment_elapsed_ms(start_ns)};
	mcp_status status = find_lifetime(remembering, &computed, &value.lifetime);
	bool is_done = status == MCP_NOT_STORED;
	if (status == MCP_OK) {
		mcp_remembering_count_time(remembering, value.compute_ms);
		is_done = mcp_remembering_publish(remembering, &computed, value);
	}
	if (is_done) {
		mcp_remembering_abandon(remembering, false);
		ZVAL_COPY_VALUE(return_value, &computed);
	} else {
		zval_ptr_dtor(&computed);
		fail(remembering, return_value);
	}
}
