/* The method Cache::rememberMany(): rounds of looking at all keys not answered yet, computing what
 * this caller was elected for in one callback, and waiting for the others. */
/* SPDX-License-Identifier: MIT */
#include "cache_methods.h"
#include "many.h"
#include "remember.h"

#include "../computing.h"
#include "../environment.h"
#include "../interrupt.h"

#include "ext/spl/spl_exceptions.h"
#include "Zend/zend_exceptions.h"

typedef struct remembering_many {
	mcp_remembering defaults; /* what each key is remembered with */
	zval *ttl;                /* the argument */
	HashTable pending;        /* the names not answered yet, in the caller's order */
	HashTable turns;          /* name => mcp_remembering: those to be computed in this round */
	zval *result;
} remembering_many;

static void free_turn(zval *element) {
	mcp_remembering *turn = Z_PTR_P(element);
	if (turn->old_payload != NULL) {
		zend_string_release(turn->old_payload);
	}
	efree(turn);
}

static void answer(remembering_many *call, zend_string *name, zval *value) {
	zend_symtable_update(Z_ARRVAL_P(call->result), name, value);
	zend_hash_del(&call->pending, name);
}

/* It is this caller's turn: the process keeps the claim from here on. */
static void take_turn(remembering_many *call, zend_string *name, const mcp_cache_entry *entry,
	zend_string *old_payload) {
	mcp_remembering *turn = emalloc(sizeof(*turn));
	*turn = call->defaults;
	turn->name = name;
	/* Each has a lifetime of its own: jitter is there so that they do not expire together. */
	mcp_cache_object_lifetime(turn->object, (mcp_duration_argument){call->ttl, 2},
		(mcp_duration_argument){NULL, 0}, &turn->options.lifetime);
	if (entry->verdict == MCP_VERDICT_ELECTED) {
		mcp_remember_hold(turn, &entry->claim);
	}
	if (turn->stale_on_error && old_payload != NULL) {
		turn->old_payload = zend_string_copy(old_payload);
		turn->old_flags = entry->flags;
	}
	zend_hash_update_ptr(&call->turns, name, turn);
}

/* A value that does not decode: the single-key protocol settles whose turn it is. */
static void answer_unreadable(remembering_many *call, zend_string *name,
	const mcp_cache_entry *entry) {
	mcp_remembering single = call->defaults;
	single.name = name;
	single.options.distrust = mcp_cache_distrust(entry);
	zval value;
	ZVAL_UNDEF(&value);
	if (!mcp_remember_answer_from_cache(&single, &value)) {
		mcp_cache_entry turn = {
			.verdict = single.has_claim ? MCP_VERDICT_ELECTED : MCP_VERDICT_MISS,
			.claim = single.claim,
		};
		turn.flags = single.old_flags;
		take_turn(call, name, &turn, single.old_payload);
	} else if (EG(exception) == NULL) {
		answer(call, name, &value);
	}
	if (single.old_payload != NULL) {
		zend_string_release(single.old_payload);
	}
}

/* First the turns, all of them, and only then the values: decoding is user code. */
static void sort_out(remembering_many *call, mcp_many *many, const mcp_remember_step *steps) {
	for (size_t i = 0; i < many->count; i++) {
		mcp_verdict verdict = many->entries[i].verdict;
		bool is_turn = verdict == MCP_VERDICT_ELECTED || verdict == MCP_VERDICT_MISS;
		if (steps[i] == MCP_REMEMBER_DONE && is_turn) {
			take_turn(call, many->names[i], &many->entries[i], many->copies[i]);
		}
	}
	for (size_t i = 0; i < many->count && EG(exception) == NULL; i++) {
		if (steps[i] != MCP_REMEMBER_DONE || zend_hash_exists(&call->turns, many->names[i])) {
			continue;
		}
		zval value;
		if (mcp_many_take(many, i, &value)) {
			answer(call, many->names[i], &value);
		} else if (EG(exception) == NULL) {
			answer_unreadable(call, many->names[i], &many->entries[i]);
		}
	}
}

static void look(remembering_many *call, bool is_over) {
	mcp_many many = {.object = call->defaults.object};
	many.cache = mcp_cache_object_context(many.object);
	mcp_many_begin(&many, &call->pending);
	mcp_remember_step *steps = safe_emalloc(many.count, sizeof(*steps), 0);
	mcp_cache_batch batch = mcp_many_batch(&many);
	mcp_cache_remember_many(&many.cache, &batch, &call->defaults.options, NULL, is_over, steps);
	mcp_many_copy_payloads(&many);
	sort_out(call, &many, steps);
	efree(steps);
	mcp_many_end(&many);
}

/* --- computing --- */

static void mark(remembering_many *call, bool begins) {
	zval *turn;
	ZEND_HASH_FOREACH_VAL(&call->turns, turn) {
		mcp_cache_call single;
		mcp_remember_renew(Z_PTR_P(turn), &single);
		if (begins) {
			mcp_computing_begin(single.cache.store, &single.key);
		} else {
			mcp_computing_end(single.cache.store, &single.key);
		}
	}
	ZEND_HASH_FOREACH_END();
}

static void abandon_all(remembering_many *call, bool has_failed) {
	zval *turn;
	ZEND_HASH_FOREACH_VAL(&call->turns, turn) {
		mcp_remember_abandon(Z_PTR_P(turn), has_failed);
	}
	ZEND_HASH_FOREACH_END();
}

/* The list of names that $compute is given. */
static void list_turns(remembering_many *call, zval *names) {
	array_init_size(names, zend_hash_num_elements(&call->turns));
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(&call->turns, name) {
		add_next_index_str(names, zend_string_copy(name));
	}
	ZEND_HASH_FOREACH_END();
}

static bool publish_one(mcp_remembering *turn, zval *computed, uint32_t compute_ms) {
	mcp_cache_value value = {.compute_ms = compute_ms, .lifetime = turn->options.lifetime};
	return mcp_remember_publish(turn, computed, value);
}

/* Once for all of them: they were computed together. */
static void count_time(remembering_many *call, uint32_t compute_ms) {
	zval *turn;
	ZEND_HASH_FOREACH_VAL(&call->turns, turn) {
		const mcp_remembering *remembering = Z_PTR_P(turn);
		if (remembering->has_claim) {
			mcp_remember_count_time(remembering, compute_ms);
			return;
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* Stores what was computed; what is missing was not, and its claim is given back. A value that cannot
 * be stored does not keep the others from being stored; the first such exception is thrown after them. */
static void publish_all(remembering_many *call, zval *computed, uint32_t compute_ms) {
	zval thrown;
	ZVAL_UNDEF(&thrown);
	zend_string *name;
	zval *turn;
	ZEND_HASH_FOREACH_STR_KEY_VAL(&call->turns, name, turn) {
		zval *value = zend_symtable_find(Z_ARRVAL_P(computed), name);
		zval copy;
		ZVAL_NULL(&copy);
		if (value == NULL) {
			mcp_remember_abandon(Z_PTR_P(turn), false);
		} else {
			ZVAL_COPY_DEREF(&copy, value);
		}
		if (value == NULL || publish_one(Z_PTR_P(turn), &copy, compute_ms)) {
			answer(call, name, &copy);
			continue;
		}
		zval_ptr_dtor(&copy);
		if (mcp_remember_is_exiting()) {
			break;
		}
		if (Z_ISUNDEF(thrown)) {
			ZVAL_OBJ_COPY(&thrown, EG(exception));
		}
		zend_clear_exception();
	}
	ZEND_HASH_FOREACH_END();
	if (!Z_ISUNDEF(thrown) && EG(exception) == NULL) {
		zend_throw_exception_object(&thrown);
	} else {
		zval_ptr_dtor(&thrown);
	}
}

/* C6 with staleOnError: the old values in place of the exception, when every key has one. */
static bool answer_old(remembering_many *call) {
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
		if (!mcp_remember_decode_old(old, &value)) {
			mcp_remember_rethrow(thrown);
			return false;
		}
		answer(call, name, &value);
	}
	ZEND_HASH_FOREACH_END();
	OBJ_RELEASE(thrown);
	return true;
}

/* False with an exception, or when the engine is on its way out. */
static bool compute(remembering_many *call) {
	uint64_t start_ns = mcp_environment_measure_ns();
	zval names;
	zval computed;
	list_turns(call, &names);
	mark(call, true);
	bool is_done = mcp_callback_run(&call->defaults.compute, &names, &computed);
	mark(call, false);
	zval_ptr_dtor(&names);
	if (is_done && Z_TYPE(computed) != IS_ARRAY) {
		zend_argument_type_error(3, "must return an array, %s returned",
			zend_zval_type_name(&computed));
		is_done = false;
		zval_ptr_dtor(&computed);
	}
	if (!is_done) {
		bool is_an_exit = mcp_remember_is_exiting();
		abandon_all(call, !is_an_exit);
		return !is_an_exit && answer_old(call);
	}
	uint32_t compute_ms = mcp_environment_elapsed_ms(start_ns);
	count_time(call, compute_ms);
	publish_all(call, &computed, compute_ms);
	zval_ptr_dtor(&computed);
	abandon_all(call, !mcp_remember_is_exiting());
	return EG(exception) == NULL;
}

/* --- the call --- */

/* C14 for each key: answers those that this Fiber is computing. False with an exception. */
static bool answer_recursions(remembering_many *call, HashTable *names) {
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(names, name) {
		mcp_remembering single = call->defaults;
		single.name = name;
		zval value;
		ZVAL_UNDEF(&value);
		if (mcp_remember_answer_recursion(&single, &value)) {
			if (EG(exception) != NULL) {
				return false;
			}
			answer(call, name, &value);
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
static void take_all_turns(remembering_many *call) {
	const mcp_cache_entry unclaimed = {.verdict = MCP_VERDICT_MISS};
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(&call->pending, name) {
		take_turn(call, name, &unclaimed, NULL);
	}
	ZEND_HASH_FOREACH_END();
}

static void run_rounds(remembering_many *call) {
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
		if (EG(exception) != NULL) {
			abandon_all(call, false);
			return;
		}
		if (zend_hash_num_elements(&call->turns) > 0) {
			if (!compute(call)) {
				return;
			}
		} else if (zend_hash_num_elements(&call->pending) > 0) {
			mcp_cache cache = mcp_cache_object_context(call->defaults.object);
			mcp_wait waited = mcp_cache_wait(&cache, &backoff, deadline_ms);
			if (waited == MCP_WAIT_INTERRUPTED && !mcp_interrupt_run()) {
				return;
			}
			is_over = waited == MCP_WAIT_OVER;
		}
	}
}

static bool parse(remembering_many *call, HashTable **keys, zend_execute_data *execute_data) {
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
	remembering_many call = {0};
	HashTable *keys;
	if (!parse(&call, &keys, execute_data)) {
		RETURN_THROWS();
	}
	uint32_t count = zend_hash_num_elements(keys);
	HashTable names;
	zend_hash_init(&names, count, NULL, NULL, false);
	if (!mcp_many_collect(&names, keys, 1)) {
		zend_hash_destroy(&names);
		RETURN_THROWS();
	}
	array_init_size(return_value, zend_hash_num_elements(&names));
	call.result = return_value;
	zend_hash_init(&call.pending, count, NULL, NULL, false);
	zend_hash_init(&call.turns, count, NULL, free_turn, false);
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
	zend_hash_destroy(&call.turns);
	zend_hash_destroy(&call.pending);
	zend_hash_destroy(&names);
}
