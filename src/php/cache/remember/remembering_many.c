/* Holds for a rememberMany(), from its first key to its last, tables of names, and one remembering for each key
 * that it computes. */
/* SPDX-License-Identifier: MIT */
#include "remembering_many.h"

#include "../object/cache_lifetime.h"
#include "../value/remember_cause.h"

static void free_turn(zval *element) {
	mcp_remembering *turn = Z_PTR_P(element);
	php_mcp_remembering_release(turn);
	efree(turn);
}

static void free_distrust(zval *element) {
	efree(Z_PTR_P(element));
}

void php_mcp_remembering_many_begin(mcp_remembering_many *call, HashTable *names, zval *result) {
	uint32_t count = zend_hash_num_elements(names);
	array_init_size(result, count);
	call->result = result;
	call->names = names;
	zend_hash_init(&call->pending, count, NULL, NULL, false);
	zend_hash_init(&call->turns, count, NULL, free_turn, false);
	zend_hash_init(&call->distrusts, 8, NULL, free_distrust, false);
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(names, name) {
		zval nothing;
		ZVAL_NULL(&nothing);
		zend_symtable_update(Z_ARRVAL_P(result), name, &nothing);
		zend_hash_add_empty_element(&call->pending, name);
	}
	ZEND_HASH_FOREACH_END();
}

void php_mcp_remembering_many_end(mcp_remembering_many *call) {
	php_mcp_remember_cause_release(&call->undecodable);
	zend_hash_destroy(&call->distrusts);
	zend_hash_destroy(&call->turns);
	zend_hash_destroy(&call->pending);
}

void php_mcp_remembering_many_answer(mcp_remembering_many *call, zend_string *name, zval *value) {
	zend_symtable_update(Z_ARRVAL_P(call->result), name, value);
	zend_hash_del(&call->pending, name);
}

void php_mcp_remembering_many_take_turn(mcp_remembering_many *call, zend_string *name,
	const mcp_cache_entry *entry, zend_string *old_payload) {
	mcp_remembering *turn = emalloc(sizeof(*turn));
	*turn = call->defaults;
	turn->name = name;
	/* Each has a lifetime of its own: jitter is there so that they do not expire together. */
	turn->options.lifetime = php_mcp_cache_lifetime_spread(turn->lifetime, turn->jitter);
	if (entry->verdict == MCP_VERDICT_ELECTED) {
		php_mcp_remembering_hold(turn, entry);
	} else {
		turn->trouble = entry->trouble;
	}
	if (turn->stale_on_error && old_payload != NULL) {
		php_mcp_remembering_keep_old(turn, entry, zend_string_copy(old_payload));
	}
	zend_hash_update_ptr(&call->turns, name, turn);
	zend_hash_del(&call->pending, name);
}

void php_mcp_remembering_many_note_pause(mcp_remembering_many *call, zend_string *name,
	uint64_t until_ms) {
	if (call->paused == NULL || until_ms > call->paused_until_ms) {
		call->paused = name;
		call->paused_until_ms = until_ms;
	}
	zend_hash_del(&call->pending, name);
}

void php_mcp_remembering_many_abandon(mcp_remembering_many *call, bool has_failed) {
	zval *turn;
	ZEND_HASH_FOREACH_VAL(&call->turns, turn) {
		php_mcp_remembering_abandon(Z_PTR_P(turn), has_failed);
	}
	ZEND_HASH_FOREACH_END();
}
