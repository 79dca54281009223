/* The work of Cache::rememberMany(): rounds of looking at all keys not answered yet, computing what
 * this caller was elected for in one callback, and waiting for the others. */
/* SPDX-License-Identifier: MIT */
#include "remember_many.h"

#include "../../host/environment.h"
#include "../../engine/interrupt.h"
#include "../many/cache_collect.h"
#include "../many/cache_many_near.h"
#include "remember.h"
#include "../claims/cache_claims.h"
#include "../value/remember_cause.h"
#include "remember_many_compute.h"
#include "remember_trouble.h"

/* Distrusts a value that for this caller is none: it is one more kind of waiting in the common round. */
static void distrust(mcp_remembering_many *call, zend_string *name, const mcp_cache_entry *entry) {
	mcp_value_id distrust = mcp_cache_value_id_of(entry);
	zend_hash_update_mem(&call->distrusts, name, &distrust, sizeof(distrust));
	call->must_look_again = true;
}

/* Sorts out the turns first, all of them, so that each claim is kept, and only then the values: decoding is
 * user code. */
static void sort_out(mcp_remembering_many *call, mcp_cache_many *many,
	const mcp_next_action *steps) {
	for (size_t i = 0; i < many->count; i++) {
		mcp_verdict verdict = many->entries[i].verdict;
		if (many->entries[i].trouble == MCP_PAUSED) {
			php_mcp_remembering_many_note_pause(call, many->names[i],
				many->entries[i].envelope.pause_end_ms);
			continue;
		}
		bool is_turn = verdict == MCP_VERDICT_ELECTED || verdict == MCP_VERDICT_MISS;
		if (steps[i] == MCP_REMEMBER_DONE && is_turn) {
			php_mcp_remembering_many_take_turn(call, many->names[i], &many->entries[i],
				many->copies[i]);
		}
	}
	if (php_mcp_cache_many_complain(many)) {
		return;
	}
	for (size_t i = 0; i < many->count && EG(exception) == NULL; i++) {
		if (!zend_hash_exists(&call->pending, many->names[i]) || steps[i] != MCP_REMEMBER_DONE) {
			continue;
		}
		zval value;
		if (php_mcp_cache_many_near_take(many, i, &value)) {
			php_mcp_remembering_many_answer(call, many->names[i], &value);
			continue;
		}
		php_mcp_remember_cause_keep(&call->undecodable);
		distrust(call, many->names[i], &many->entries[i]);
	}
}

/* Lists one for each key; NULL if there are none. */
static mcp_value_id *list_distrusts(mcp_remembering_many *call, const mcp_cache_many *many) {
	call->must_look_again = false;
	if (zend_hash_num_elements(&call->distrusts) == 0) {
		return NULL;
	}
	mcp_value_id *distrusts = ecalloc(many->count, sizeof(*distrusts));
	for (size_t i = 0; i < many->count; i++) {
		const mcp_value_id *found = zend_hash_find_ptr(&call->distrusts, many->names[i]);
		if (found != NULL) {
			distrusts[i] = *found;
		}
	}
	return distrusts;
}

static void look(mcp_remembering_many *call, bool is_over) {
	mcp_cache_many many = {.object = call->defaults.object};
	many.cache = php_mcp_cache_object_context(many.object);
	php_mcp_cache_many_begin(&many, &call->pending);
	if (many.object->memo != NULL && !call->has_looked) {
		php_mcp_cache_many_near_find(&many, &call->defaults.options);
	}
	call->has_looked = true;
	mcp_next_action *steps = safe_emalloc(many.count, sizeof(*steps), 0);
	mcp_value_id *distrusts = list_distrusts(call, &many);
	mcp_cache_batch batch = php_mcp_cache_many_near_batch(&many);
	mcp_cache_remember_many(&many.cache, &batch, &call->defaults.options, distrusts, is_over,
		steps);
	for (size_t i = many.asked; i < many.count; i++) {
		steps[i] = MCP_REMEMBER_DONE;
	}
	php_mcp_cache_many_near_keep(&many);
	php_mcp_cache_many_copy_payloads(&many);
	php_mcp_cache_many_note_looks(&many);
	sort_out(call, &many, steps);
	if (distrusts != NULL) {
		efree(distrusts);
	}
	efree(steps);
	php_mcp_cache_many_near_end(&many);
}

/* --- the call --- */

/* Answers, by C14 for each key, those that this Fiber is computing. False with an exception. */
static bool answer_recursions(mcp_remembering_many *call, HashTable *names) {
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(names, name) {
		mcp_remembering single = call->defaults;
		single.name = name;
		zval value;
		ZVAL_UNDEF(&value);
		bool is_answered = php_mcp_remember_answer_recursion(&single, &value);
		php_mcp_remember_cause_release(&single.undecodable);
		if (is_answered) {
			if (EG(exception) != NULL) {
				return false;
			}
			php_mcp_remembering_many_answer(call, name, &value);
		}
		if (single.options.wait_ms == 0) {
			call->defaults.options.wait_ms = 0;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

/* So many lost races after the wait is over: the keys come and go faster than they can be claimed. */
#define LATE_ROUNDS_MAX 64

/* Takes all turns: everything left is computed without a claim. */
static void take_all_turns(mcp_remembering_many *call) {
	const mcp_cache_entry unclaimed = {.verdict = MCP_VERDICT_MISS};
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(&call->pending, name) {
		php_mcp_remembering_many_take_turn(call, name, &unclaimed, NULL);
	}
	ZEND_HASH_FOREACH_END();
}

/* Returns the name that the call listens for: one of those that it still lacks, which come one by one anyway. */
static zend_string *first_pending(mcp_remembering_many *call) {
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(&call->pending, name) {
		return name;
	}
	ZEND_HASH_FOREACH_END();
	return NULL;
}

/* Runs the user's signal handlers meanwhile. MCP_WAIT_INTERRUPTED: one of them has thrown. */
static mcp_wait wait_for_others(mcp_remembering_many *call, mcp_pauses *pauses) {
	uint64_t deadline_ms = pauses->begun_ms + mcp_cache_wait_ms(&call->defaults.options);
	mcp_remembering awaited = call->defaults;
	awaited.name = call->awaited = first_pending(call);
	mcp_wait waited;
	do {
		mcp_cache_call one;
		php_mcp_remembering_renew(&awaited, &one);
		mcp_cache_listen(&one.cache, &one.key, pauses);
		waited = mcp_cache_wait(&one.cache, NULL, pauses, deadline_ms);
	} while (waited == MCP_WAIT_INTERRUPTED && php_mcp_interrupt_run());
	return waited;
}

/* Notes whether the name that was waited for has its value now, or its turn; tells the other listeners of a value. */
static void hear_of_awaited(mcp_remembering_many *call, mcp_pauses *pauses) {
	zend_string *name = call->awaited;
	call->awaited = NULL;
	if (name == NULL || zend_hash_exists(&call->pending, name)) {
		return;
	}
	mcp_waiting_note_found(pauses);
	if (!zend_hash_exists(&call->turns, name)) {
		mcp_waiting_tell(php_mcp_environment_get(), pauses);
	}
}

static void run_rounds(mcp_remembering_many *call) {
	const mcp_environment *environment = php_mcp_environment_get();
	call->defaults.options.holds_ms = php_mcp_cache_claims_oldest_ms(call->defaults.object, NULL,
		!call->defaults.options.serve_stale);
	bool is_over = mcp_cache_wait_ms(&call->defaults.options) == 0;
	mcp_pauses pauses = {.has_begun = false};
	mcp_waiting_begin(environment, &pauses);
	int late = 0;
	while (zend_hash_num_elements(&call->pending) > 0) {
		zend_hash_clean(&call->turns);
		late += is_over;
		if (late > LATE_ROUNDS_MAX) {
			take_all_turns(call);
		} else {
			look(call, is_over);
		}
		hear_of_awaited(call, &pauses);
		if (call->must_look_again && EG(exception) == NULL) {
			look(call, is_over); /* before what the first look said is computed: together */
		}
		if (EG(exception) != NULL) {
			php_mcp_remembering_many_abandon(call, false);
			return;
		}
		if (zend_hash_num_elements(&call->turns) > 0) {
			if (!php_mcp_remember_many_compute(call)) {
				return;
			}
		}
		if (call->paused != NULL) {
			php_mcp_remember_trouble_throw_paused(call->paused, call->paused_until_ms);
			return;
		}
		if (zend_hash_num_elements(&call->turns) == 0 && !call->must_look_again &&
			zend_hash_num_elements(&call->pending) > 0) {
			mcp_wait waited = wait_for_others(call, &pauses);
			if (waited == MCP_WAIT_INTERRUPTED) {
				return;
			}
			is_over = waited == MCP_WAIT_OVER;
		}
	}
}

void php_mcp_remember_many_answer(mcp_remembering_many *call, zval *keys, zval *result) {
	HashTable names;
	if (php_mcp_cache_collect_names(&names, keys, 1)) {
		php_mcp_remembering_many_begin(call, &names, result);
		if (answer_recursions(call, &names)) {
			run_rounds(call);
		}
		php_mcp_remembering_many_end(call);
	}
	zend_hash_destroy(&names);
}
