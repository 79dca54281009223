/* Holds for a remember(), while the user's code runs, its claim, of which the process keeps the other half, and
 * the bytes of the old value. */
/* SPDX-License-Identifier: MIT */
#include "remembering.h"

#include "../../host/environment.h"
#include "../../host/process.h"
#include "../near/cache_nearby.h"
#include "../tags/tag_snapshots.h"
#include "../object/cache_tag_numbers.h"
#include "../value/cache_value.h"
#include "remember_trouble.h"

void php_mcp_remembering_renew(const mcp_remembering *remembering, mcp_cache_call *call) {
	php_mcp_cache_object_renew(call, remembering->object, remembering->name);
	call->cache.lease_ms = remembering->lease_ms;
	call->cache.lease_is_fitted = !remembering->lease_is_given;
}

void php_mcp_remembering_resolve(mcp_remembering *remembering) {
	if (remembering->closure != NULL) {
		mcp_user_call *compute = &remembering->compute;
		zend_fcall_info_init((zval *)(uintptr_t)remembering->closure, 0, &compute->info,
			&compute->cache, NULL, NULL);
		remembering->closure = NULL;
	}
}

mcp_terms php_mcp_remembering_judge(mcp_remembering *remembering) {
	if (remembering->judge == NULL) {
		return MCP_TERMS_RIGHT;
	}
	php_mcp_remembering_resolve(remembering);
	mcp_terms terms = remembering->judge(remembering);
	remembering->judge = NULL;
	return terms;
}

/* --- the claim --- */

void php_mcp_remembering_hold(mcp_remembering *remembering, const mcp_cache_entry *entry) {
	remembering->claim = entry->claim;
	remembering->has_claim = true;
	remembering->claimed_by = php_mcp_process_id();
	mcp_cache cache = php_mcp_cache_object_context(remembering->object);
	mcp_captured_tags captured;
	mcp_cache_capture(&cache, entry, &captured);
	remembering->tags = php_mcp_cache_tag_numbers_copy(mcp_captured_tags_view(&captured));
	php_mcp_cache_claims_hold_for_call(remembering->object, remembering->name, entry,
		remembering->tags);
}

void php_mcp_remembering_release(mcp_remembering *remembering) {
	if (remembering->tags != NULL) {
		zend_string_release(remembering->tags);
	}
	if (remembering->old_payload != NULL) {
		zend_string_release(remembering->old_payload);
	}
}

mcp_held_claim *php_mcp_remembering_find_claim(const mcp_remembering *remembering) {
	bool is_kept = remembering->has_claim && !remembering->claim.is_overdue;
	return is_kept ? php_mcp_cache_claims_find_token(remembering->object, remembering->name,
						 remembering->claim.token)
				   : NULL;
}

/* Ends the call's use of the claim. Where no answer told what became of it, it stays for the process to give back. */
static void end_claim(mcp_remembering *remembering, mcp_status status) {
	mcp_held_claim *held = php_mcp_remembering_find_claim(remembering);
	remembering->has_claim = false;
	if (held == NULL) {
		return;
	}
	if (held->is_overtaken || status == MCP_OK || status == MCP_NOT_STORED) {
		php_mcp_cache_claims_end(held);
	} else {
		php_mcp_cache_claims_leave(held);
	}
}

typedef enum reason {
	NOT_COMPUTED,
	FAILED,
	UNSTORABLE,
} reason;

static void give_back(mcp_remembering *remembering, reason why) {
	mcp_status status = MCP_NOT_STORED;
	const mcp_held_claim *held = php_mcp_remembering_find_claim(remembering);
	if (held != NULL && !held->is_overtaken) {
		mcp_cache_call call;
		php_mcp_remembering_renew(remembering, &call);
		status = why == UNSTORABLE
			? mcp_cache_mark(&call.cache, &call.key, &remembering->claim)
			: mcp_cache_abandon(&call.cache, &call.key, &remembering->claim, why == FAILED);
	}
	end_claim(remembering, status);
}

void php_mcp_remembering_abandon(mcp_remembering *remembering, bool has_failed) {
	give_back(remembering, has_failed ? FAILED : NOT_COMPUTED);
}

/* Marks the key when a value was computed, and the exception that stands keeps it from being stored: callers
 * are not to wait for what will not come. */
static bool mark(mcp_remembering *remembering) {
	if (!php_mcp_user_call_is_exiting()) {
		give_back(remembering, UNSTORABLE);
	}
	return php_mcp_remember_trouble_contain(remembering->object, remembering->name,
		!remembering->is_unheard);
}

bool php_mcp_remembering_goes_together(const mcp_remembering *remembering) {
	const mcp_held_claim *held = php_mcp_remembering_find_claim(remembering);
	return held != NULL && !held->is_overtaken;
}

void php_mcp_remembering_note_stored(const mcp_remembering *remembering, const mcp_key *key,
	mcp_status status) {
	if (status == MCP_OK) {
		php_mcp_tag_snapshots_end(remembering->object, key);
	}
}

/* Stores under the claim; without one of this process there is nothing to store under: MCP_NOT_STORED, or the
 * failure that kept it from asking for one. */
static mcp_status store_under_claim(mcp_remembering *remembering, const mcp_cache_value *value) {
	const mcp_held_claim *held = php_mcp_remembering_find_claim(remembering);
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
	php_mcp_remembering_renew(remembering, &call);
	mcp_near near;
	if (remembering->object->memo != NULL) {
		php_mcp_cache_nearby_begin(&near, remembering->object);
		call.cache.near = &near;
	}
	mcp_status status = mcp_cache_publish(&call.cache, &call.key, &remembering->claim, value);
	php_mcp_remembering_note_stored(remembering, &call.key, status);
	return status;
}

bool php_mcp_remembering_encode(mcp_remembering *remembering, zval *computed,
	mcp_encoded_value *encoded, bool *is_for_caller) {
	bool is_encoded =
		php_mcp_cache_value_encode(encoded, remembering->object, remembering->name, computed);
	*is_for_caller = is_encoded || mark(remembering);
	return is_encoded;
}

void php_mcp_remembering_complete(const mcp_remembering *remembering,
	const mcp_encoded_value *encoded, mcp_cache_value *value) {
	value->payload = encoded->payload;
	value->flags = encoded->flags;
	value->tags = php_mcp_cache_tag_numbers_view(remembering->tags);
}

bool php_mcp_remembering_store(mcp_remembering *remembering, const mcp_encoded_value *encoded,
	mcp_cache_value value) {
	php_mcp_remembering_complete(remembering, encoded, &value);
	return php_mcp_remembering_conclude(remembering, store_under_claim(remembering, &value));
}

bool php_mcp_remembering_conclude(mcp_remembering *remembering, mcp_status status) {
	if (status == MCP_TOO_LARGE || status == MCP_NO_CAS) {
		mcp_cache_call call;
		php_mcp_remembering_renew(remembering, &call);
		php_mcp_cache_value_complain(&call, status, remembering->name);
		return status == MCP_TOO_LARGE && mark(remembering);
	}
	if (mcp_status_is_failure(status)) {
		php_mcp_cache_object_count_uncached(remembering->object, remembering->name);
	}
	end_claim(remembering, status);
	return true;
}

bool php_mcp_remembering_publish(mcp_remembering *remembering, zval *computed,
	mcp_cache_value value) {
	mcp_encoded_value encoded;
	bool is_for_caller;
	if (php_mcp_remembering_encode(remembering, computed, &encoded, &is_for_caller)) {
		is_for_caller = php_mcp_remembering_store(remembering, &encoded, value);
		php_mcp_value_release(&encoded);
	}
	return is_for_caller;
}

void php_mcp_remembering_count_time(const mcp_remembering *remembering, uint32_t compute_ms) {
	if (remembering->has_claim) {
		php_mcp_cache_object_count_computation(remembering->object, compute_ms);
	}
}

void php_mcp_remembering_count_rebuild(const mcp_remembering *remembering, uint32_t compute_ms) {
	if (remembering->has_claim) {
		php_mcp_cache_object_count_rebuild(remembering->object, remembering->name, compute_ms);
	}
}

/* --- the old value --- */

void php_mcp_remembering_keep_old(mcp_remembering *remembering, const mcp_cache_entry *entry,
	zend_string *payload) {
	remembering->old_payload = payload;
	remembering->old_flags = entry->flags;
	remembering->old_hard_ms = entry->envelope.hard_ms;
	remembering->old_story = php_mcp_class_entry_story(entry, true);
}

bool php_mcp_remembering_decode_old(const mcp_remembering *remembering, zval *value) {
	bool ends = remembering->old_hard_ms != MCP_NEVER_MS;
	if (ends && mcp_wall_ms(php_mcp_environment_get()) >= remembering->old_hard_ms) {
		return false;
	}
	const zend_string *old = remembering->old_payload;
	mcp_bytes payload = mcp_bytes_of(ZSTR_VAL(old), ZSTR_LEN(old));
	mcp_cache_call call;
	php_mcp_remembering_renew(remembering, &call);
	return php_mcp_cache_value_take(remembering->object, &call.key, payload, remembering->old_flags,
		value);
}
