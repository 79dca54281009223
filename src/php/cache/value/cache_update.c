/* The work of McPatterns\Cache's methods that change what is there: update's rounds, and what follows a
 * pull, a delete, an expire or an increment. */
/* SPDX-License-Identifier: MIT */
#include "cache_update.h"

#include "../../../core/backoff.h"
#include "../../host/environment.h"
#include "../../objects/exceptions.h"
#include "../../objects/failure.h"
#include "../claims/cache_claims.h"
#include "../claims/claim_results.h"
#include "../guarded/cache_guarding.h"
#include "../tags/tag_snapshots.h"
#include "cache_value.h"

bool php_mcp_cache_update_pull(mcp_cache_call *call, zend_string *name, zval *value) {
	mcp_cache_entry entry;
	mcp_status status = mcp_cache_pull(&call->cache, &call->key, &entry);
	php_mcp_cache_guarding_note_deleted(call->object, &call->key, status);
	php_mcp_cache_value_complain(call, status, name);
	if (status == MCP_EXISTS) {
		php_mcp_failure_throw(status, "pull", mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name)), NULL);
	}
	if (status != MCP_OK) {
		return false;
	}
	php_mcp_cache_claims_drop(call->object, name);
	return php_mcp_cache_value_decode(call, &entry, value);
}

static bool finish_overtaking(mcp_cache_call *call, zend_string *name, mcp_status status) {
	php_mcp_cache_guarding_note_deleted(call->object, &call->key, status);
	if (status == MCP_OK) {
		php_mcp_cache_claims_drop(call->object, name);
	}
	php_mcp_cache_value_complain(call, status, name);
	return status == MCP_OK;
}

bool php_mcp_cache_update_overtake(mcp_cache_call *call, zend_string *name,
	mcp_cache_operation operation) {
	return finish_overtaking(call, name, operation(&call->cache, &call->key));
}

bool php_mcp_cache_update_forget(mcp_cache_call *call, zend_string *name) {
	bool was_there;
	mcp_status status = mcp_cache_forget(&call->cache, &call->key, &was_there);
	return finish_overtaking(call, name, status) && was_there;
}

bool php_mcp_cache_update_touch(mcp_cache_call *call, zend_string *name, mcp_lifetime lifetime) {
	mcp_status status = mcp_cache_touch(&call->cache, &call->key, lifetime);
	php_mcp_cache_value_complain(call, status, name);
	return status == MCP_OK;
}

/* Throws what a number could not be made of. */
static void throw_for_number(mcp_status status, zend_string *name) {
	mcp_bytes shown = mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name));
	if (status == MCP_NOT_A_NUMBER) {
		php_mcp_failure_throw_because(status, "increment", shown, "its value is not an integer");
	} else if (status == MCP_OUT_OF_RANGE) {
		php_mcp_failure_throw_because(status, "increment", shown,
			"the result would not fit in an integer");
	}
}

bool php_mcp_cache_update_count(mcp_cache_call *call, zend_string *name, int64_t by,
	const mcp_cache_initial *initial, int64_t *number) {
	mcp_status status = mcp_cache_increment_from(&call->cache, &call->key, by, initial, number);
	if (EXPECTED(status == MCP_OK)) {
		return true;
	}
	throw_for_number(status, name);
	php_mcp_cache_value_complain(call, status, name);
	return false;
}

/* --- update --- */

/* After so many changes by others in a row something is wrong with the code, not with the luck. */
#define UPDATE_ROUNDS_MAX 1000

typedef struct updating {
	mcp_cache_object *object;
	zend_string *name;
	mcp_lifetime lifetime;
	mcp_user_call change;
	bool has_lost;          /* a round: the next one freezes a running number */
	mcp_captured_tags tags; /* as the value was read with, and of before $change was called */
} updating;

/* Calls $change with the old value, which is given over. False with an exception. */
static bool change(updating *update, zval *old, zval *changed) {
	bool is_done = php_mcp_user_call_run(&update->change, old, changed);
	zval_ptr_dtor(old);
	if (is_done && EG(exception) != NULL) {
		zval_ptr_dtor(changed);
		is_done = false;
	}
	return is_done;
}

static mcp_status store_changed(updating *update, const mcp_cache_seen *seen, zval *changed) {
	mcp_encoded_value encoded;
	if (!php_mcp_cache_value_encode(&encoded, update->object, update->name, changed)) {
		return MCP_REFUSED;
	}
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, update->object, update->name);
	mcp_cache_value value = {
		.payload = encoded.payload,
		.flags = encoded.flags,
		.lifetime = update->lifetime,
		.tags = mcp_captured_tags_view(&update->tags),
		.signer = update->tags.signer,
	};
	mcp_status status = mcp_cache_update(&call.cache, &call.key, seen, &value);
	if (status == MCP_OK) {
		php_mcp_tag_snapshots_end(update->object, &call.key);
	}
	php_mcp_value_release(&encoded);
	php_mcp_cache_value_complain(&call, status, update->name);
	return status;
}

static void throw_for_update(const updating *update, mcp_status status) {
	if (EG(exception) != NULL) {
		return;
	}
	if (status == MCP_EXISTS) {
		php_mcp_cache_object_tally(update->object, MCP_COUNT_GAVE_UP, 1);
		char reason[64];
		snprintf(reason, sizeof(reason), "it was changed by others %d times in a row",
			UPDATE_ROUNDS_MAX);
		php_mcp_failure_throw_because(status, "update",
			mcp_bytes_of(ZSTR_VAL(update->name), ZSTR_LEN(update->name)), reason);
		return;
	}
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, update->object, update->name);
	php_mcp_failure_throw_for_key(status, "update",
		mcp_bytes_of(ZSTR_VAL(update->name), ZSTR_LEN(update->name)), call.cache.store, &call.key);
}

/* Throws for too many tags: with less of them an invalidation of the one left out would not reach the value. */
static void throw_for_tags(const updating *update) {
	php_mcp_failure_throw_about(php_mcp_stored_value_exception, "The value of",
		mcp_bytes_of(ZSTR_VAL(update->name), ZSTR_LEN(update->name)),
		"has tags that together with the view's are more than a value can have; it was left as it was");
}

/* Makes, before anything is computed, what was absent when the value was read. */
static mcp_status make_tags(updating *update) {
	if (update->object->tags == NULL) {
		return MCP_OK;
	}
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, update->object, update->name);
	return mcp_cache_complete_capture(&call.cache, &call.key, &update->tags);
}

/* Makes one round: read, change, store. MCP_EXISTS: another caller was faster. */
static mcp_status try_update(updating *update, zval *changed) {
	mcp_cache_call call;
	php_mcp_cache_object_renew(&call, update->object, update->name);
	mcp_cache_entry entry;
	if (update->has_lost) {
		mcp_cache_read_still(&call.cache, &call.key, &entry);
	} else {
		mcp_cache_peek(&call.cache, &call.key, &entry);
	}
	if (entry.trouble != MCP_OK) {
		return entry.trouble;
	}
	mcp_cache_seen seen = mcp_cache_see(&entry);
	if (!mcp_cache_capture_kept(&call.cache, &entry, &update->tags)) {
		throw_for_tags(update);
		return MCP_REFUSED;
	}
	zval old;
	if (!php_mcp_cache_value_decode(&call, &entry, &old)) {
		ZVAL_NULL(&old);
	}
	if (EG(exception) != NULL) {
		return MCP_REFUSED;
	}
	mcp_status made = make_tags(update);
	if (made != MCP_OK) {
		zval_ptr_dtor(&old);
		return made;
	}
	if (!change(update, &old, changed)) {
		return MCP_REFUSED;
	}
	mcp_status status = store_changed(update, &seen, changed);
	if (status != MCP_OK) {
		zval_ptr_dtor(changed);
	}
	return status;
}

bool php_mcp_cache_update_change(mcp_cache_object *object, zend_string *name,
	const mcp_user_call *change, mcp_lifetime lifetime, zval *changed) {
	updating update; /* its tags are filled in with each round: clearing them costs too much */
	update.object = object;
	update.name = name;
	update.lifetime = lifetime;
	update.change = *change;
	update.has_lost = false;
	const mcp_environment *environment = php_mcp_environment_get();
	mcp_backoff backoff = mcp_backoff_for_contention();
	mcp_status status = try_update(&update, changed);
	for (int round = 1; status == MCP_EXISTS && round < UPDATE_ROUNDS_MAX; round++) {
		mcp_sleep_ms(environment,
			mcp_backoff_next_ms(&backoff, mcp_random_u64(environment),
				mcp_monotonic_ms(environment), UINT64_MAX));
		update.has_lost = true;
		status = try_update(&update, changed);
	}
	if (status != MCP_OK) {
		throw_for_update(&update, status);
		ZVAL_UNDEF(changed);
		return false;
	}
	php_mcp_claim_results_fulfil(object, name);
	return true;
}
