/* State of a remember() while user code runs: its claim, which the process keeps, and the bytes of the previous
 * value. */
/* SPDX-License-Identifier: MIT */
#include "remember_call.h"

#include "../../engine/computing.h"
#include "../../engine/user_call.h"
#include "../../objects/options.h"
#include "../../host/environment.h"
#include "../../host/process.h"
#include "../../objects/failure.h"
#include "../../pool/pool_listener.h"
#include "../near/cache_nearby.h"
#include "../object/cache_object.h"
#include "../reads/kept_reads.h"
#include "../value/cache_value.h"
#include "Zend/zend_exceptions.h"

/* --- causes: chains exceptions as the engine does. A stored exception's chain comes from stored bytes --- */

void php_mcp_remember_call_release_cause(zend_object **kept) {
	zend_object *thrown = *kept;
	*kept = NULL;
	if (thrown != NULL) {
		OBJ_RELEASE(thrown);
	}
}

void php_mcp_remember_call_keep_cause(zend_object **kept) {
	if (php_mcp_user_call_is_exiting()) {
		return;
	}
	php_mcp_remember_call_release_cause(kept);
	*kept = EG(exception);
	GC_ADDREF(*kept);
	zend_clear_exception();
}

/* A longer chain is cyclic, made of stored bytes. */
#define CAUSES_MAX 100

/* Check the chain first: the engine walks it to its end and expects only exceptions. */
static bool is_sound(zend_object *exception) {
	for (int i = 0; i < CAUSES_MAX; i++) {
		zval buffer;
		zval *previous = php_mcp_exception_property_read(exception, ZEND_STR_PREVIOUS, &buffer);
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

void php_mcp_remember_call_name_cause(zend_object **kept) {
	zend_object *cause = *kept;
	if (cause == NULL || EG(exception) == NULL || cause == EG(exception) || !is_sound(cause) ||
		!is_sound(EG(exception))) {
		return;
	}
	*kept = NULL;
	zend_exception_set_previous(EG(exception), cause);
}

void php_mcp_remember_call_rethrow(zend_object *thrown) {
	zend_object *cause = NULL;
	php_mcp_remember_call_keep_cause(&cause);
	php_mcp_user_call_rethrow(thrown);
	php_mcp_remember_call_name_cause(&cause);
	php_mcp_remember_call_release_cause(&cause);
}

/* --- results that cannot be stored, and paused rebuilds --- */

void php_mcp_remember_call_throw_paused(zend_string *name, uint64_t pause_end_ms) {
	uint64_t now_ms = mcp_wall_ms(php_mcp_environment_get());
	double left_s = pause_end_ms > now_ms ? (double)(pause_end_ms - now_ms) / 1000 : 0;
	char what[120];
	snprintf(what, sizeof(what),
		"has no value: its computation failed, and the next attempt is allowed in %.3F s", left_s);
	php_mcp_failure_throw_about(php_mcp_rebuild_paused_exception, "The key", php_mcp_bytes_of(name),
		what);
	if (EG(exception) != NULL && EG(exception)->ce == php_mcp_rebuild_paused_exception) {
		zend_update_property_double(php_mcp_rebuild_paused_exception, EG(exception),
			ZEND_STRL("retryAfter"), left_s);
	}
}

/* --- the call --- */

void php_mcp_remember_call_renew(const mcp_remember_call *remembering, mcp_cache_call *call) {
	php_mcp_cache_object_renew(call, remembering->object, remembering->name);
	call->cache.lease_ms = remembering->lease_ms;
	call->cache.lease_is_fitted = !remembering->lease_is_given;
}

void php_mcp_remember_call_resolve(mcp_remember_call *remembering) {
	if (remembering->closure != NULL) {
		mcp_user_call *compute = &remembering->compute;
		zend_fcall_info_init((zval *)(uintptr_t)remembering->closure, 0, &compute->info,
			&compute->cache, NULL, NULL);
		remembering->closure = NULL;
	}
}

mcp_argument_verdict php_mcp_remember_call_judge(mcp_remember_call *remembering) {
	if (remembering->judge == NULL) {
		return MCP_ARGUMENTS_RIGHT;
	}
	php_mcp_remember_call_resolve(remembering);
	mcp_argument_verdict verdict = remembering->judge(remembering);
	remembering->judge = NULL;
	return verdict;
}

/* --- the claim --- */

void php_mcp_remember_call_keep_claim(mcp_remember_call *remembering,
	const mcp_cache_entry *entry) {
	remembering->claim = entry->claim;
	remembering->has_claim = true;
	remembering->claimed_by = php_mcp_process_id();
	remembering->tags = php_mcp_cache_object_tag_versions_of(remembering->object, entry);
	php_mcp_cache_claims_add(remembering->object, remembering->name, entry, true);
}

static void release_tags(mcp_remember_call *remembering) {
	if (remembering->tags != NULL) {
		zend_string_release(remembering->tags);
	}
}

void php_mcp_remember_call_release(mcp_remember_call *remembering) {
	release_tags(remembering);
	if (remembering->old_payload != NULL) {
		zend_string_release(remembering->old_payload);
	}
	php_mcp_remember_call_release_cause(&remembering->undecodable);
}

/* Returns this call's claim, or NULL if this process does not hold it. */
static mcp_held_claim *find_claim(const mcp_remember_call *remembering) {
	bool is_kept = remembering->has_claim && !remembering->claim.is_overdue;
	return is_kept ? php_mcp_cache_claims_find_token(remembering->object, remembering->name,
						 remembering->claim.token)
				   : NULL;
}

mcp_held_claim *php_mcp_remember_call_usable_claim(const mcp_remember_call *remembering) {
	mcp_held_claim *held = find_claim(remembering);
	return held != NULL && !held->is_overtaken ? held : NULL;
}

/* Ends the call's use of the claim. After a failure, the request releases the claim at its end. */
static void end_claim(mcp_remember_call *remembering, mcp_status status) {
	mcp_held_claim *held = find_claim(remembering);
	remembering->has_claim = false;
	if (held == NULL) {
		return;
	}
	if (held->is_overtaken || status == MCP_OK || status == MCP_NOT_STORED) {
		php_mcp_cache_claims_end(held);
	} else {
		held->is_a_calls = held->node.is_a_calls = false;
	}
}

typedef enum reason {
	NOT_COMPUTED,
	FAILED,
	UNSTORABLE,
} reason;

static void give_back(mcp_remember_call *remembering, reason why) {
	mcp_status status = MCP_NOT_STORED;
	if (php_mcp_remember_call_usable_claim(remembering) != NULL) {
		mcp_cache_call call;
		php_mcp_remember_call_renew(remembering, &call);
		status = why == UNSTORABLE
			? mcp_cache_mark_uncacheable(&call.cache, &call.key, &remembering->claim)
			: mcp_cache_abandon(&call.cache, &call.key, &remembering->claim, why == FAILED);
	}
	end_claim(remembering, status);
}

void php_mcp_remember_call_abandon(mcp_remember_call *remembering, bool has_failed) {
	give_back(remembering, has_failed ? FAILED : NOT_COMPUTED);
}

/* Mark the key as uncacheable if the computed value cannot be stored, so that callers do not wait for it. Clears the
 * exception if a caller gets the value; after the response, it is logged. False if it is not cleared, such as an
 * exit. Can run user code. */
static bool mark_uncacheable(mcp_remember_call *remembering) {
	if (php_mcp_user_call_is_exiting()) {
		return false;
	}
	give_back(remembering, UNSTORABLE);
	php_mcp_cache_object_tally(remembering->object, MCP_COUNT_UNSTORABLE, 1);
	/* Other exceptions were reported when they were thrown. */
	php_mcp_cache_value_report_unstorable(remembering->object, remembering->name, true);
	if (remembering->is_unheard) {
		return false;
	}
	zend_clear_exception();
	return EG(exception) == NULL; /* its destructor can throw */
}

/* Returns MCP_NOT_STORED without a claim of this process, or the failure that prevented the election. */
static mcp_status store_under_claim(mcp_remember_call *remembering, const mcp_cache_value *value) {
	const mcp_held_claim *held = find_claim(remembering);
	bool is_used = remembering->has_claim && remembering->claim.is_overdue &&
		remembering->claimed_by == php_mcp_process_id();
	if (held == NULL && !is_used) {
		bool is_failure = mcp_status_is_failure(remembering->trouble);
		return is_failure ? remembering->trouble : MCP_NOT_STORED;
	}
	if (held != NULL && held->is_overtaken) {
		php_mcp_cache_object_count_refused(remembering->object, remembering->name);
		return MCP_NOT_STORED;
	}
	mcp_cache_call call;
	php_mcp_remember_call_renew(remembering, &call);
	mcp_near near;
	php_mcp_cache_nearby_join(&near, &call);
	mcp_status status = mcp_cache_publish(&call.cache, &call.key, &remembering->claim, value);
	php_mcp_kept_reads_note_stored(remembering->object, &call.key, status);
	return status;
}

bool php_mcp_remember_call_encode(mcp_remember_call *remembering, zval *computed,
	mcp_encoded_value *encoded, bool *is_for_caller) {
	bool is_encoded =
		php_mcp_cache_value_encode(encoded, remembering->object, remembering->name, computed);
	*is_for_caller = is_encoded || mark_uncacheable(remembering);
	return is_encoded;
}

mcp_cache_value php_mcp_remember_call_value(const mcp_remember_call *remembering,
	const mcp_encoded_value *encoded, uint32_t compute_ms, mcp_lifetime lifetime) {
	return php_mcp_cache_value_of(encoded, compute_ms, lifetime,
		php_mcp_cache_object_view_tag_versions(remembering->tags));
}

bool php_mcp_remember_call_store(mcp_remember_call *remembering, const mcp_cache_value *value) {
	return php_mcp_remember_call_conclude(remembering, store_under_claim(remembering, value));
}

bool php_mcp_remember_call_conclude(mcp_remember_call *remembering, mcp_status status) {
	if (status == MCP_TOO_LARGE || status == MCP_NO_CAS) {
		mcp_cache_call call;
		php_mcp_remember_call_renew(remembering, &call);
		php_mcp_cache_value_throw_status(&call, status, remembering->name);
		return status == MCP_TOO_LARGE && mark_uncacheable(remembering);
	}
	if (mcp_status_is_failure(status)) {
		/* No server could store the value, so the next caller computes again. */
		php_mcp_cache_object_tally(remembering->object, MCP_COUNT_UNCACHED, 1);
		php_mcp_cache_object_trace(remembering->object, MCP_TRACE_UNCACHED, remembering->name);
	}
	end_claim(remembering, status);
	return true;
}

/* Stores under the claim of this process, if there is one. A value of an unstorable type or size marks the key, and the
 * caller still gets it. False with an exception if the caller does not get it. */
static bool publish(mcp_remember_call *remembering, zval *computed, uint32_t compute_ms,
	mcp_lifetime lifetime) {
	mcp_encoded_value encoded;
	bool is_for_caller;
	if (php_mcp_remember_call_encode(remembering, computed, &encoded, &is_for_caller)) {
		mcp_cache_value value =
			php_mcp_remember_call_value(remembering, &encoded, compute_ms, lifetime);
		is_for_caller = php_mcp_remember_call_store(remembering, &value);
		php_mcp_value_release(&encoded);
	}
	return is_for_caller;
}

/* --- the previous value --- */

void php_mcp_remember_call_keep_old(mcp_remember_call *remembering, const mcp_cache_entry *entry,
	zend_string *payload) {
	remembering->old_payload = payload;
	remembering->old_flags = entry->flags;
	remembering->old_hard_ms = entry->envelope.hard_ms;
	remembering->old_story = php_mcp_class_entry_story(entry, true);
}

bool php_mcp_remember_call_decode_old(const mcp_remember_call *remembering, zval *value) {
	bool ends = remembering->old_hard_ms != MCP_NEVER_MS;
	if (ends && mcp_wall_ms(php_mcp_environment_get()) >= remembering->old_hard_ms) {
		return false;
	}
	const zend_string *old = remembering->old_payload;
	mcp_bytes payload = php_mcp_bytes_of(old);
	mcp_cache_call call;
	php_mcp_remember_call_renew(remembering, &call);
	return php_mcp_cache_value_decode_payload(remembering->object, &call.key, payload,
		remembering->old_flags, value);
}

/* The Entry for $compute, and the Entry in the variable of remember()'s caller. */

bool php_mcp_remember_call_wants_entry(const mcp_remember_call *remembering) {
	return php_mcp_user_call_takes(&remembering->compute, php_mcp_entry_class_entry,
		MCP_OFFER_IF_NAMED);
}

mcp_entry_story php_mcp_remember_call_old_story(const mcp_remember_call *remembering) {
	mcp_entry_story story = remembering->old_story;
	bool is_old =
		story.soft_ms != MCP_NEVER_MS && mcp_wall_ms(php_mcp_environment_get()) >= story.soft_ms;
	story.status = is_old ? MCP_ENTRY_STALE : MCP_ENTRY_FRESH;
	return story;
}

/* Creates the Entry for the computation: the previous value, or a Miss if no value is readable. UNDEF if $compute
 * does not take an Entry. Runs user code. False if user code ended the script. */
static bool offer_story(mcp_remember_call *remembering, zval *entry) {
	ZVAL_UNDEF(entry);
	if (!php_mcp_remember_call_wants_entry(remembering)) {
		return true;
	}
	zval value;
	bool is_read =
		remembering->old_payload != NULL && php_mcp_remember_call_decode_old(remembering, &value);
	if (EG(exception) != NULL) { /* thrown while the value was decoded: a miss for $compute */
		php_mcp_remember_call_keep_cause(&remembering->undecodable);
		if (EG(exception) != NULL) {
			return false;
		}
	}
	mcp_entry_story story = {.status = MCP_ENTRY_MISS};
	if (is_read) {
		story = php_mcp_remember_call_old_story(remembering);
	}
	php_mcp_class_entry_make(entry, &story, is_read ? &value : NULL,
		mcp_wall_ms(php_mcp_environment_get()));
	return true;
}

void php_mcp_remember_call_assign_entry(const mcp_remember_call *remembering, zval *return_value) {
	/* call_user_func() passes the variable by value. */
	if (remembering->entry == NULL || !Z_ISREF_P(remembering->entry) || EG(exception) != NULL) {
		return;
	}
	zval value;
	zval entry;
	ZVAL_COPY(&value, return_value);
	php_mcp_class_entry_make(&entry, &remembering->story, &value,
		mcp_wall_ms(php_mcp_environment_get()));
	php_mcp_options_assign_reference(remembering->entry, &entry);
	if (EG(exception) != NULL) {
		zval_ptr_dtor(return_value);
		ZVAL_UNDEF(return_value);
	}
}

/* Tags that depend on the computed value. Versions that the election found are from before the computation, the
 * others from now. */

/* Written in full: after the response, the running function is not remember(). */
#define TAGS_CALLABLE "McPatterns\\Cache::remember(): Argument #14 ($tags) "

static bool is_tag(const zval *name) {
	return Z_TYPE_P(name) == IS_STRING && Z_STRLEN_P(name) > 0 &&
		Z_STRLEN_P(name) <= MCP_WIRE_KEY_MAX && Z_STRVAL_P(name)[0] != '\0';
}

static bool add_all(zend_array *names, zend_array *returned) {
	zval *name;
	ZEND_HASH_FOREACH_VAL(returned, name) {
		ZVAL_DEREF(name);
		if (!is_tag(name)) {
			zend_value_error(TAGS_CALLABLE
				"must return strings of 1 to %d bytes that do not begin with a null byte",
				MCP_WIRE_KEY_MAX);
			return false;
		}
		zend_hash_add(names, Z_STR_P(name), &EG(uninitialized_zval));
	}
	ZEND_HASH_FOREACH_END();
	if (zend_hash_num_elements(names) > MCP_TAG_NAMES_MAX) {
		zend_value_error(TAGS_CALLABLE "must return at most %d tags, including the object's tags",
			MCP_TAG_NAMES_MAX);
	}
	return EG(exception) == NULL;
}

static bool ask_for_tags_of(mcp_remember_call *remembering, zval *computed, zend_array *names) {
	zval returned;
	if (!php_mcp_user_call_run(&remembering->tags_of, computed, &returned)) {
		return false;
	}
	bool is_right = false;
	if (Z_TYPE(returned) == IS_ARRAY) {
		is_right = add_all(names, Z_ARRVAL(returned));
	} else {
		zend_type_error(TAGS_CALLABLE "must return an array of strings, %s returned",
			zend_zval_type_name(&returned));
	}
	zval_ptr_dtor(&returned);
	return is_right && EG(exception) == NULL; /* also false with an exception of the destructors */
}

/* Captures the versions of the object's tags and of these. */
static mcp_status capture(mcp_remember_call *remembering, const zend_array *names) {
	const mcp_cache_object *object = remembering->object;
	mcp_cache_tags *tags = php_mcp_cache_object_make_tags(object->pool, object->tags, names);
	mcp_status status = MCP_OK;
	if (tags->count > 0) {
		mcp_cache_call call;
		mcp_captured_tags captured;
		php_mcp_remember_call_renew(remembering, &call);
		call.cache.tags = tags;
		status = mcp_cache_capture_of(&call.cache, &call.key,
			php_mcp_cache_object_view_tag_versions(remembering->tags), &captured);
		if (status == MCP_OK) {
			release_tags(remembering);
			remembering->tags =
				php_mcp_cache_object_copy_tag_versions(mcp_captured_tags_view(&captured));
		}
	}
	efree(tags);
	return status == MCP_OK ? MCP_OK : MCP_NOT_STORED;
}

/* Calls the callable $tags, if it was given and this call has a claim. Runs user code. MCP_OK: `remembering` has the
 * tag versions. MCP_NOT_STORED: they could not be read, so do not store. MCP_REFUSED: an exception is set. */
static mcp_status ask_tags(mcp_remember_call *remembering, zval *computed) {
	if (php_mcp_user_call_is_none(&remembering->tags_of) || !remembering->has_claim) {
		return MCP_OK;
	}
	zend_array *names = php_mcp_cache_object_copy_tag_names(remembering->object);
	mcp_status status =
		ask_for_tags_of(remembering, computed, names) ? capture(remembering, names) : MCP_REFUSED;
	zend_array_release(names);
	return status;
}

/* The computation of remember(). User code runs while no view of the store is used. In every case, the claim is
 * fulfilled or released. */

/* Runs $compute with its Entry (C17) while the key is marked as computing (C14). */
bool php_mcp_remember_call_run(mcp_remember_call *remembering, zval *result) {
	zval entry;
	if (!offer_story(remembering, &entry)) {
		return false;
	}
	mcp_cache_call call;
	php_mcp_remember_call_renew(remembering, &call);
	bool is_marked = php_mcp_computing_begin(call.cache.store, &call.key);
	zend_object *given = Z_ISUNDEF(entry) ? NULL : Z_OBJ(entry);
	bool is_done = php_mcp_user_call_run_with(&remembering->compute, given, result);
	zval_ptr_dtor(&entry);
	if (is_done && EG(exception) != NULL) { /* the destructor of the previous value threw */
		zval_ptr_dtor(result);
		is_done = false;
	}
	if (is_marked) {
		php_mcp_remember_call_renew(remembering, &call);
		php_mcp_computing_end(call.cache.store, &call.key);
	}
	return is_done;
}

/* Returns the previous value instead of an exception. If the value cannot be read, the exception is kept. */
static void answer_old(mcp_remember_call *remembering, zval *return_value) {
	zend_object *thrown = EG(exception);
	GC_ADDREF(thrown);
	zend_clear_exception();
	if (php_mcp_remember_call_decode_old(remembering, return_value)) {
		remembering->story = php_mcp_remember_call_old_story(remembering);
		OBJ_RELEASE(thrown);
	} else {
		php_mcp_remember_call_rethrow(thrown);
	}
}

/* A failed computation pauses rebuilds; an exit does not (C6). */
static void fail_rebuild(mcp_remember_call *remembering, zval *return_value) {
	bool is_an_exit = php_mcp_user_call_is_exiting();
	php_mcp_remember_call_abandon(remembering, !is_an_exit);
	if (!is_an_exit) {
		php_mcp_remember_call_name_cause(&remembering->undecodable);
	}
	if (!is_an_exit && remembering->stale_on_error && remembering->old_payload != NULL) {
		answer_old(remembering, return_value);
	}
}

/* Determines the lifetime of the computed value. MCP_NOT_STORED: the callable $ttl returned null. MCP_REFUSED: an
 * exception is set. */
static mcp_status find_lifetime(mcp_remember_call *remembering, zval *value,
	mcp_lifetime *lifetime) {
	*lifetime = remembering->options.lifetime;
	if (php_mcp_user_call_is_none(&remembering->ttl_of)) {
		return MCP_OK;
	}
	zval ttl;
	if (!php_mcp_user_call_run(&remembering->ttl_of, value, &ttl)) {
		return MCP_REFUSED;
	}
	if (Z_TYPE(ttl) == IS_NULL) {
		return MCP_NOT_STORED;
	}
	if (!php_mcp_cache_object_parse_returned_lifetime(remembering->object, &ttl,
			&remembering->lifetime, lifetime)) {
		return MCP_REFUSED;
	}
	*lifetime = php_mcp_cache_object_spread_lifetime(*lifetime, remembering->jitter);
	return MCP_OK;
}

void php_mcp_remember_call_compute(mcp_remember_call *remembering, zval *return_value) {
	uint64_t start_ns = php_mcp_environment_measure_ns();
	zval computed;
	if (!php_mcp_remember_call_run(remembering, &computed)) {
		fail_rebuild(remembering, return_value);
		return;
	}
	uint32_t compute_ms = php_mcp_environment_elapsed_ms(start_ns);
	mcp_lifetime lifetime = {0};
	mcp_status status = ask_tags(remembering, &computed);
	if (status == MCP_OK) {
		status = find_lifetime(remembering, &computed, &lifetime);
	}
	uint64_t now_ms = mcp_wall_ms(php_mcp_environment_get());
	bool ends = status == MCP_OK && lifetime.ttl_ms > 0;
	remembering->story = (mcp_entry_story){
		.status = MCP_ENTRY_ELECTED,
		.created_ms = now_ms,
		.soft_ms = ends ? now_ms + lifetime.ttl_ms : MCP_NEVER_MS,
		.compute_ms = compute_ms,
	};
	bool is_done = status == MCP_NOT_STORED;
	if (status == MCP_OK) {
		if (remembering->has_claim) {
			php_mcp_cache_object_count_computation(remembering->object, compute_ms);
			php_mcp_cache_object_count_rebuild(remembering->object, remembering->name, compute_ms);
		}
		is_done = publish(remembering, &computed, compute_ms, lifetime);
	}
	if (is_done) {
		php_mcp_remember_call_abandon(remembering, false);
		ZVAL_COPY_VALUE(return_value, &computed);
	} else {
		zval_ptr_dtor(&computed);
		fail_rebuild(remembering, return_value);
	}
}
