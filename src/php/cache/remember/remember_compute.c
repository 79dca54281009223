/* The elected caller's half of Cache::remember(): runs the callback with nothing borrowed from the
 * store, and whatever becomes of it the claim is fulfilled or given back. */
/* SPDX-License-Identifier: MIT */
#include "remember_compute.h"

#include "../../engine/computing.h"
#include "../../host/environment.h"
#include "../object/cache_lifetime.h"
#include "../value/remember_cause.h"
#include "remember_story.h"
#include "remember_tags.h"

#include "Zend/zend_exceptions.h"

/* Runs by C17. Takes over `entry`. */
static bool run_with(mcp_remembering *remembering, zval *entry, zval *result) {
	zend_object *given = Z_ISUNDEF_P(entry) ? NULL : Z_OBJ_P(entry);
	bool is_done = php_mcp_user_call_run_with(&remembering->compute, given, result);
	zval_ptr_dtor(entry);
	if (is_done && EG(exception) != NULL) { /* the old value's destructor has thrown */
		zval_ptr_dtor(result);
		return false;
	}
	return is_done;
}

/* Marks the key by C14 while its callback runs. */
static bool run_marked(mcp_remembering *remembering, zval *entry, zval *result) {
	mcp_cache_call call;
	php_mcp_remembering_renew(remembering, &call);
	bool is_marked = php_mcp_computing_begin(call.cache.store, &call.key);
	bool is_done = run_with(remembering, entry, result);
	if (is_marked) {
		php_mcp_remembering_renew(remembering, &call);
		php_mcp_computing_end(call.cache.store, &call.key);
	}
	return is_done;
}

bool php_mcp_remember_run(mcp_remembering *remembering, zval *result) {
	zval entry;
	return php_mcp_remember_story_offer(remembering, &entry) &&
		run_marked(remembering, &entry, result);
}

/* Answers with the old value in place of an ordinary exception; if it cannot be read, the exception stays. */
static void answer_old(mcp_remembering *remembering, zval *return_value) {
	zend_object *thrown = EG(exception);
	GC_ADDREF(thrown);
	zend_clear_exception();
	if (php_mcp_remembering_decode_old(remembering, return_value)) {
		remembering->story = php_mcp_remember_story_of_old(remembering);
		OBJ_RELEASE(thrown);
	} else {
		php_mcp_remember_cause_rethrow(thrown);
	}
}

/* Fails by C6. */
static void fail(mcp_remembering *remembering, zval *return_value) {
	bool is_an_exit = php_mcp_user_call_is_exiting();
	php_mcp_remembering_abandon(remembering, !is_an_exit);
	if (!is_an_exit) {
		php_mcp_remember_cause_name(&remembering->undecodable);
	}
	if (!is_an_exit && remembering->stale_on_error && remembering->old_payload != NULL) {
		answer_old(remembering, return_value);
	}
}

/* Finds the lifetime of what was computed. MCP_OK; MCP_NOT_STORED: the callable wants it not stored;
 * MCP_REFUSED with an exception. */
static mcp_status find_lifetime(mcp_remembering *remembering, zval *value, mcp_lifetime *lifetime) {
	*lifetime = remembering->options.lifetime;
	if (!remembering->has_ttl_callback) {
		return MCP_OK;
	}
	zval ttl;
	if (!php_mcp_user_call_run(&remembering->ttl_of, value, &ttl)) {
		return MCP_REFUSED;
	}
	if (Z_TYPE(ttl) == IS_NULL) {
		return MCP_NOT_STORED;
	}
	if (!php_mcp_cache_lifetime_parse_returned(remembering->object, &ttl, &remembering->lifetime,
			lifetime)) {
		return MCP_REFUSED;
	}
	*lifetime = php_mcp_cache_lifetime_spread(*lifetime, remembering->jitter);
	return MCP_OK;
}

static mcp_entry_story story_of(const mcp_cache_value *value, bool has_lifetime) {
	uint64_t now_ms = mcp_wall_ms(php_mcp_environment_get());
	bool ends = has_lifetime && value->lifetime.ttl_ms > 0;
	return (mcp_entry_story){
		.status = MCP_ENTRY_ELECTED,
		.created_ms = now_ms,
		.soft_ms = ends ? now_ms + value->lifetime.ttl_ms : MCP_NEVER_MS,
		.compute_ms = value->compute_ms,
	};
}

void php_mcp_remember_compute(mcp_remembering *remembering, zval *return_value) {
	uint64_t start_ns = php_mcp_environment_measure_ns();
	zval computed;
	if (!php_mcp_remember_run(remembering, &computed)) {
		fail(remembering, return_value);
		return;
	}
	mcp_cache_value value = {.compute_ms = php_mcp_environment_elapsed_ms(start_ns)};
	mcp_status status = php_mcp_remember_tags_ask(remembering, &computed);
	if (status == MCP_OK) {
		status = find_lifetime(remembering, &computed, &value.lifetime);
	}
	remembering->story = story_of(&value, status == MCP_OK);
	bool is_done = status == MCP_NOT_STORED;
	if (status == MCP_OK) {
		php_mcp_remembering_count_time(remembering, value.compute_ms);
		php_mcp_remembering_count_rebuild(remembering, value.compute_ms);
		is_done = php_mcp_remembering_publish(remembering, &computed, value);
	}
	if (is_done) {
		php_mcp_remembering_abandon(remembering, false);
		ZVAL_COPY_VALUE(return_value, &computed);
	} else {
		zval_ptr_dtor(&computed);
		fail(remembering, return_value);
	}
}
