/* The methods of McPatterns\Cache that change what is there: update, pull, increment, decrement. */
/* SPDX-License-Identifier: MIT */
#include "cache_methods.h"
#include "cache_object.h"

#include "../../core/backoff.h"
#include "../exceptions.h"
#include "../failure.h"
#include "remembering.h"
#include "../value.h"

#include "Zend/zend_exceptions.h"

ZEND_METHOD(McPatterns_Cache, pull) {
	zend_string *name;
	zval *fallback = NULL;
	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(fallback)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_call call;
	if (!mcp_cache_object_begin(&call, Z_OBJ_P(ZEND_THIS), name, 1)) {
		RETURN_THROWS();
	}
	mcp_cache_entry entry;
	mcp_status status = mcp_cache_pull(&call.cache, &call.key, &entry);
	mcp_cache_value_complain(&call, status, name);
	if (status == MCP_EXISTS) {
		zend_throw_exception_ex(mcp_server_exception, 0,
			"Cannot pull \"%s\": others kept changing it", ZSTR_VAL(name));
		RETURN_THROWS();
	}
	if (status == MCP_OK) {
		mcp_cache_claims_drop(call.object, name);
		if (mcp_cache_value_decode(&call, &entry, return_value)) {
			return;
		}
	}
	if (fallback != NULL) {
		RETURN_COPY(fallback);
	}
}

/* What a number could not be made of. */
static void throw_for_number(mcp_status status, zend_string *name) {
	if (status == MCP_NOT_A_NUMBER) {
		zend_throw_exception_ex(mcp_stored_value_exception, 0,
			"Cannot increment \"%s\": its value is not an integer", ZSTR_VAL(name));
	} else if (status == MCP_OUT_OF_RANGE) {
		zend_throw_exception_ex(mcp_stored_value_exception, 0,
			"Cannot increment \"%s\": the result would not fit in an integer", ZSTR_VAL(name));
	}
}

static void count(INTERNAL_FUNCTION_PARAMETERS, bool is_down) {
	zend_string *name;
	zend_long by = 1;
	ZEND_PARSE_PARAMETERS_START(1, 2)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(by)
	ZEND_PARSE_PARAMETERS_END();

	if (by == ZEND_LONG_MIN) {
		zend_argument_value_error(2, "must be greater than PHP_INT_MIN");
		RETURN_THROWS();
	}
	mcp_cache_call call;
	if (!mcp_cache_object_begin(&call, Z_OBJ_P(ZEND_THIS), name, 1)) {
		RETURN_THROWS();
	}
	int64_t number;
	mcp_status status =
		mcp_cache_increment(&call.cache, &call.key, is_down ? -(int64_t)by : by, &number);
	if (status == MCP_OK) {
		RETURN_LONG((zend_long)number);
	}
	throw_for_number(status, name);
	mcp_cache_value_complain(&call, status, name);
	RETURN_FALSE;
}

ZEND_METHOD(McPatterns_Cache, increment) {
	count(INTERNAL_FUNCTION_PARAM_PASSTHRU, false);
}

ZEND_METHOD(McPatterns_Cache, decrement) {
	count(INTERNAL_FUNCTION_PARAM_PASSTHRU, true);
}

/* --- update --- */

/* After so many changes by others in a row something is wrong with the code, not with the luck. */
#define UPDATE_ROUNDS_MAX 1000

typedef struct updating {
	mcp_cache_object *object;
	zend_string *name;
	mcp_lifetime lifetime;
	mcp_callback change;
	bool has_lost; /* others were faster: a running number is made to stand still */
} updating;

/* Calls $change with the old value, which is given over. False with an exception. */
static bool change(updating *update, zval *old, zval *changed) {
	bool is_done = mcp_callback_run(&update->change, old, changed);
	zval_ptr_dtor(old);
	if (is_done && EG(exception) != NULL) {
		zval_ptr_dtor(changed);
		is_done = false;
	}
	return is_done;
}

static mcp_status store_changed(updating *update, const mcp_cache_seen *seen, zval *changed) {
	mcp_encoded_value encoded;
	if (!mcp_value_encode(&encoded, changed, 0)) {
		return MCP_REFUSED;
	}
	mcp_cache_call call;
	mcp_cache_object_renew(&call, update->object, update->name);
	mcp_cache_value value = {
		.payload = encoded.payload,
		.flags = encoded.flags,
		.lifetime = update->lifetime,
	};
	mcp_status status = mcp_cache_update(&call.cache, &call.key, seen, &value);
	mcp_value_release(&encoded);
	mcp_cache_value_complain(&call, status, update->name);
	return status;
}

static void throw_for_update(const updating *update, mcp_status status) {
	if (EG(exception) != NULL) {
		return;
	}
	if (status == MCP_EXISTS) {
		update->object->statistics.gave_up++;
		zend_throw_exception_ex(mcp_server_exception, 0,
			"Cannot update \"%s\": it was changed by others %d times in a row",
			ZSTR_VAL(update->name), UPDATE_ROUNDS_MAX);
		return;
	}
	mcp_cache_call call;
	mcp_cache_object_renew(&call, update->object, update->name);
	mcp_failure_throw_for_key(status, "update",
		mcp_bytes_of(ZSTR_VAL(update->name), ZSTR_LEN(update->name)), call.cache.store, &call.key);
}

/* One round: read, change, store. MCP_EXISTS: somebody else was faster. */
static mcp_status try_update(updating *update, zval *changed) {
	mcp_cache_call call;
	mcp_cache_object_renew(&call, update->object, update->name);
	mcp_cache_entry entry;
	if (update->has_lost) {
		mcp_cache_read_still(&call.cache, &call.key, &entry);
	} else {
		mcp_cache_read(&call.cache, &call.key, &entry);
	}
	if (entry.trouble != MCP_OK) {
		return entry.trouble;
	}
	mcp_cache_seen seen = mcp_cache_see(&entry);
	zval old;
	if (!mcp_cache_value_decode(&call, &entry, &old)) {
		ZVAL_NULL(&old);
	}
	if (EG(exception) != NULL || !change(update, &old, changed)) {
		return MCP_REFUSED;
	}
	mcp_status status = store_changed(update, &seen, changed);
	if (status != MCP_OK) {
		zval_ptr_dtor(changed);
	}
	return status;
}

ZEND_METHOD(McPatterns_Cache, update) {
	updating update = {0};
	zval *ttl = NULL;
	ZEND_PARSE_PARAMETERS_START(2, 3)
		Z_PARAM_STR(update.name)
		Z_PARAM_FUNC(update.change.info, update.change.cache)
		Z_PARAM_OPTIONAL
		Z_PARAM_NUMBER_OR_NULL(ttl)
	ZEND_PARSE_PARAMETERS_END();

	mcp_cache_call call;
	if (!mcp_cache_object_begin(&call, Z_OBJ_P(ZEND_THIS), update.name, 1) ||
		!mcp_cache_lifetime_parse(call.object, (mcp_duration_argument){ttl, 3},
			(mcp_duration_argument){NULL, 0}, &update.lifetime)) {
		RETURN_THROWS();
	}
	update.object = call.object;
	mcp_backoff backoff = mcp_backoff_for_contention();
	mcp_status status = try_update(&update, return_value);
	for (int round = 1; status == MCP_EXISTS && round < UPDATE_ROUNDS_MAX; round++) {
		const mcp_environment *environment = call.cache.environment;
		mcp_sleep_ms(environment,
			mcp_backoff_next_ms(&backoff, mcp_random_u64(environment),
				mcp_monotonic_ms(environment), UINT64_MAX));
		update.has_lost = true;
		status = try_update(&update, return_value);
	}
	if (status != MCP_OK) {
		throw_for_update(&update, status);
		ZVAL_UNDEF(return_value);
		RETURN_THROWS();
	}
	mcp_cache_claims_fulfil(update.object, update.name);
}
