/* The elected caller's half of Cache::rememberMany(): one callback for all of its turns, and whatever becomes
 * of it each claim is fulfilled or given back. */
/* SPDX-License-Identifier: MIT */
#include "remember_many_compute.h"

#include "../../engine/computing.h"
#include "../../host/environment.h"
#include "../value/remember_cause.h"
#include "remember_many_publish.h"

#include "Zend/zend_exceptions.h"

static void mark(mcp_remembering_many *call, bool begins) {
	zval *turn;
	ZEND_HASH_FOREACH_VAL(&call->turns, turn) {
		mcp_cache_call single;
		php_mcp_remembering_renew(Z_PTR_P(turn), &single);
		if (begins) {
			php_mcp_computing_begin(single.cache.store, &single.key);
		} else {
			php_mcp_computing_end(single.cache.store, &single.key);
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* Lists the names that $compute is given, in the caller's order. */
static void list_turns(mcp_remembering_many *call, zval *names) {
	array_init_size(names, zend_hash_num_elements(&call->turns));
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(call->names, name) {
		if (zend_hash_exists(&call->turns, name)) {
			add_next_index_str(names, zend_string_copy(name));
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* Counts a share of the time for each. */
static void count_rebuilds(mcp_remembering_many *call, uint32_t compute_ms) {
	uint32_t share_ms = compute_ms / MAX(zend_hash_num_elements(&call->turns), 1);
	zval *turn;
	ZEND_HASH_FOREACH_VAL(&call->turns, turn) {
		php_mcp_remembering_count_rebuild(Z_PTR_P(turn), share_ms);
	}
	ZEND_HASH_FOREACH_END();
}

/* Counts the time once for all of them: they were computed together. */
static void count_time(mcp_remembering_many *call, uint32_t compute_ms) {
	zval *turn;
	ZEND_HASH_FOREACH_VAL(&call->turns, turn) {
		const mcp_remembering *remembering = Z_PTR_P(turn);
		if (remembering->has_claim) {
			php_mcp_remembering_count_time(remembering, compute_ms);
			return;
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* Answers, by C6 with staleOnError, with the old values in place of the exception, if every key has one. */
static bool answer_old(mcp_remembering_many *call) {
	zend_string *name;
	zval *turn;
	ZEND_HASH_FOREACH_VAL(&call->turns, turn) {
		if (((mcp_remembering *)Z_PTR_P(turn))->old_payload == NULL) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	zend_object *thrown = EG(exception);
	GC_ADDREF(thrown);
	zend_clear_exception();
	ZEND_HASH_FOREACH_STR_KEY_VAL(&call->turns, name, turn) {
		const mcp_remembering *old = Z_PTR_P(turn);
		zval value;
		if (!php_mcp_remembering_decode_old(old, &value)) {
			php_mcp_remember_cause_rethrow(thrown);
			return false;
		}
		php_mcp_remembering_many_answer(call, name, &value);
	}
	ZEND_HASH_FOREACH_END();
	OBJ_RELEASE(thrown);
	return true;
}

/* Recognizes a list of values for keys that are no list: it does not say which value is whose. */
static bool is_list_of_values(mcp_remembering_many *call, HashTable *computed) {
	uint32_t count = zend_hash_num_elements(computed);
	if (count == 0 || !zend_array_is_list(computed)) {
		return false;
	}
	bool are_all_keys = true;
	for (uint32_t i = 0; i < count && are_all_keys; i++) {
		zend_string *name = zend_long_to_str((zend_long)i);
		are_all_keys = zend_hash_exists(&call->turns, name);
		zend_string_release(name);
	}
	return !are_all_keys;
}

static bool judge_computed(mcp_remembering_many *call, zval *computed) {
	if (Z_TYPE_P(computed) != IS_ARRAY) {
		zend_argument_type_error(3, "must return an array, %s returned",
			zend_zval_type_name(computed));
		return false;
	}
	if (is_list_of_values(call, Z_ARRVAL_P(computed))) {
		zend_argument_value_error(3,
			"must return the values by their keys, [key => value, ...], a list returned");
		return false;
	}
	return true;
}

bool php_mcp_remember_many_compute(mcp_remembering_many *call) {
	uint64_t start_ns = php_mcp_environment_measure_ns();
	zval names;
	zval computed;
	list_turns(call, &names);
	mark(call, true);
	bool is_done = php_mcp_user_call_run(&call->defaults.compute, &names, &computed);
	mark(call, false);
	zval_ptr_dtor(&names);
	if (is_done && !judge_computed(call, &computed)) {
		is_done = false;
		zval_ptr_dtor(&computed);
	}
	if (!is_done) {
		bool is_an_exit = php_mcp_user_call_is_exiting();
		php_mcp_remembering_many_abandon(call, !is_an_exit);
		if (!is_an_exit) {
			php_mcp_remember_cause_name(&call->undecodable);
		}
		return !is_an_exit && answer_old(call);
	}
	uint32_t compute_ms = php_mcp_environment_elapsed_ms(start_ns);
	count_time(call, compute_ms);
	count_rebuilds(call, compute_ms);
	php_mcp_remember_many_publish(call, Z_ARRVAL(computed), compute_ms);
	zval_ptr_dtor(&computed);
	php_mcp_remembering_many_abandon(call, !php_mcp_user_call_is_exiting());
	return EG(exception) == NULL;
}
