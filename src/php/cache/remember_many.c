/* The method Cache::rememberMany(): rounds of looking at all keys not answered yet, computing what
 * this caller was elected for in one callback, and waiting for the others. */
/* SPDX-License-Identifier: MIT */
#include "cache_methods.h"
#include "cache_many.h"
#include "remember_many.h"

#include "../environment.h"
#include "../interrupt.h"

static void free_turn(zval *element) {
	mcp_remembering *turn = Z_PTR_P(element);
	if (turn->old_payload != NULL) {
		zend_string_release(turn->old_payload);
	}
	efree(turn);
}

static void free_distrust(zval *element) {
	efree(Z_PTR_P(element));
}

void mcp_remember_many_answer(mcp_remembering_many *call, zend_string *name, zval *value) {
	zend_symtable_update(Z_ARRVAL_P(call->result), name, value);
	zend_hash_del(&call->pending, name);
}

/* It is this caller's turn: the process keeps the claim from here on. */
static void take_turn(mcp_remembering_many *call, zend_string *name, const mcp_cache_entry *entry,
	zend_string *old_payload) {
	mcp_remembering *turn = emalloc(sizeof(*turn));
	*turn = call->defaults;
	turn->name = name;
	/* Each has a lifetime of its own: jitter is there so that they do not expire together. */
	mcp_cache_lifetime_parse(turn->object, (mcp_duration_argument){call->ttl, 2},
		(mcp_duration_argument){NULL, 0}, &turn->options.lifetime);
	if (entry->verdict == MCP_VERDICT_ELECTED) {
		mcp_remembering_hold(turn, &entry->claim);
	}
	if (turn->stale_on_error && old_payload != NULL) {
		turn->old_payload = zend_string_copy(old_payload);
		turn->old_flags = entry->flags;
		turn->old_hard_ms = entry->envelope.hard_ms;
	}
	zend_hash_update_ptr(&call->turns, name, turn);
	zend_hash_del(&call->pending, name);
}

/* For this caller there is no such value: it is one more kind of waiting in the common round. */
static void distrust(mcp_remembering_many *call, zend_string *name, const mcp_cache_entry *entry) {
	mcp_distrust distrust = mcp_cache_distrust(entry);
	zend_hash_update_mem(&call->distrusts, name, &distrust, sizeof(distrust));
	call->must_look_again = true;
}

/* First the turns, all of them, so that each claim is kept, and only then the values: decoding is user code. */
static void sort_out(mcp_remembering_many *call, mcp_cache_many *many,
	const mcp_remember_step *steps) {
	for (size_t i = 0; i < many->count; i++) {
		mcp_verdict verdict = many->entries[i].verdict;
		bool is_turn = verdict == MCP_VERDICT_ELECTED || verdict == MCP_VERDICT_MISS;
		if (steps[i] == MCP_REMEMBER_DONE && is_turn) {
			take_turn(call, many->names[i], &many->entries[i], many->copies[i]);
		}
	}
	if (mcp_cache_many_complain(many)) {
		return;
	}
	for (size_t i = 0; i < many->count && EG(exception) == NULL; i++) {
		if (steps[i] != MCP_REMEMBER_DONE || zend_hash_exists(&call->turns, many->names[i])) {
			continue;
		}
		zval value;
		if (mcp_cache_many_take(many, i, &value)) {
			mcp_remember_many_answer(call, many->names[i], &value);
			continue;
		}
		mcp_remember_cause_keep(&call->undecodable);
		distrust(call, many->names[i], &many->entries[i]);
	}
}

/* One for each key; NULL when there are none. */
static mcp_distrust *list_distrusts(mcp_remembering_many *call, const mcp_cache_many *many) {
	call->must_look_again = false;
	if (zend_hash_num_elements(&call->distrusts) == 0) {
		return NULL;
	}
	mcp_distrust *distrusts = ecalloc(many->count, sizeof(*distrusts));
	for (size_t i = 0; i < many->count; i++) {
		const mcp_distrust *found = zend_hash_find_ptr(&call->distrusts, many->names[i]);
		if (found != NULL) {
			distrusts[i] = *found;
		}
	}
	return distrusts;
}

static void look(mcp_remembering_many *call, bool is_over) {
	mcp_cache_many many = {.object = call->defaults.object};
	many.cache = mcp_cache_object_context(many.object);
	mcp_cache_many_begin(&many, &call->pending);
	mcp_remember_step *steps = safe_emalloc(many.count, sizeof(*steps), 0);
	mcp_distrust *distrusts = list_distrusts(call, &many);
	mcp_cache_batch batch = mcp_cache_many_batch(&many);
	mcp_cache_remember_many(&many.cache, &batch, &call->defaults.options, distrusts, is_over,
		steps);
	mcp_cache_many_copy_payloads(&many);
	sort_out(call, &many, steps);
	if (distrusts != NULL) {
		efree(distrusts);
	}
	efree(steps);
	mcp_cache_many_end(&many);
}

/* --- the call --- */

/* C14 for each key: answers those that this Fiber is computing. False with an exception. */
static bool answer_recursions(mcp_remembering_many *call, HashTable *names) {
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(names, name) {
		mcp_remembering single = call->defaults;
		single.name = name;
		zval value;
		ZVAL_UNDEF(&value);
		bool is_answered = mcp_remember_answer_recursion(&single, &value);
		mcp_remember_cause_release(&single.undecodable);
		if (is_answered) {
			if (EG(exception) != NULL) {
				return false;
			}
			mcp_remember_many_answer(call, name, &value);
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

/* Everything left is computed without a claim. */
static void take_all_turns(mcp_remembering_many *call) {
	const mcp_cache_entry unclaimed = {.verdict = MCP_VERDICT_MISS};
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(&call->pending, name) {
		take_turn(call, name, &unclaimed, NULL);
	}
	ZEND_HASH_FOREACH_END();
}

static void run_rounds(mcp_remembering_many *call) {
	const mcp_environment *environment = mcp_environment_get();
	uint64_t deadline_ms = mcp_monotonic_ms(environment) + call->defaults.options.wait_ms;
	bool is_over = call->defaults.options.wait_ms == 0;
	mcp_backoff backoff = mcp_backoff_for_waiting();
	int late = 0;
	while (zend_hash_num_elements(&call->pending) > 0) {
		zend_hash_clean(&call->turns);
		late += is_over;
		if (late > LATE_ROUNDS_MAX) {
			take_all_turns(call);
		} else {
			look(call, is_over);
		}
		if (call->must_look_again && EG(exception) == NULL) {
			look(call, is_over); /* before what the first look said is computed: together */
		}
		if (EG(exception) != NULL) {
			mcp_remember_many_abandon(call, false);
			return;
		}
		if (zend_hash_num_elements(&call->turns) > 0) {
			if (!mcp_remember_many_compute(call)) {
				return;
			}
		} else if (!call->must_look_again && zend_hash_num_elements(&call->pending) > 0) {
			mcp_cache cache = mcp_cache_object_context(call->defaults.object);
			mcp_wait waited = mcp_cache_wait(&cache, &backoff, deadline_ms);
			if (waited == MCP_WAIT_INTERRUPTED && !mcp_interrupt_run()) {
				return;
			}
			is_over = waited == MCP_WAIT_OVER;
		}
	}
}

static bool parse(mcp_remembering_many *call, HashTable **keys, zend_execute_data *execute_data) {
	mcp_remembering *defaults = &call->defaults;
	ZEND_PARSE_PARAMETERS_START(3, 3)
		Z_PARAM_ARRAY_HT(*keys)
		Z_PARAM_NUMBER_OR_NULL(call->ttl)
		Z_PARAM_FUNC(defaults->compute.info, defaults->compute.cache)
	ZEND_PARSE_PARAMETERS_END_EX(return false);

	defaults->object = mcp_cache_object_get(Z_OBJ_P(ZEND_THIS));
	return defaults->object != NULL && mcp_remember_use_defaults(defaults, call->ttl);
}

ZEND_METHOD(McPatterns_Cache, rememberMany) {
	mcp_remembering_many call = {0};
	HashTable *keys;
	if (!parse(&call, &keys, execute_data)) {
		RETURN_THROWS();
	}
	uint32_t count = zend_hash_num_elements(keys);
	HashTable names;
	zend_hash_init(&names, count, NULL, NULL, false);
	if (!mcp_cache_many_collect(&names, keys, 1)) {
		zend_hash_destroy(&names);
		RETURN_THROWS();
	}
	array_init_size(return_value, zend_hash_num_elements(&names));
	call.result = return_value;
	call.names = &names;
	zend_hash_init(&call.pending, count, NULL, NULL, false);
	zend_hash_init(&call.turns, count, NULL, free_turn, false);
	zend_hash_init(&call.distrusts, 8, NULL, free_distrust, false);
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(&names, name) {
		zval nothing;
		ZVAL_NULL(&nothing);
		zend_symtable_update(Z_ARRVAL_P(return_value), name, &nothing);
		zend_hash_add_empty_element(&call.pending, name);
	}
	ZEND_HASH_FOREACH_END();
	if (answer_recursions(&call, &names)) {
		run_rounds(&call);
	}
	mcp_remember_cause_release(&call.undecodable);
	zend_hash_destroy(&call.distrusts);
	zend_hash_destroy(&call.turns);
	zend_hash_destroy(&call.pending);
	zend_hash_destroy(&names);
}
