/* The work of Cache::rememberMany(): rounds of reading all open keys, computing in one callback, and waiting for
 * others. */
/* SPDX-License-Identifier: MIT */
#include "../../engine/computing.h"
#include "../../engine/user_call.h"
#include "../../engine/interrupt.h"
#include "../../host/environment.h"
#include "../claims/cache_claims.h"
#include "../many/cache_many.h"
#include "../near/cache_nearby.h"
#include "../reads/kept_reads.h"
#include "../object/cache_object.h"
#include "Zend/zend_exceptions.h"
#include "remember.h"

/* The tables of a rememberMany(), with one remembering for each key that it computes. */

static void free_turn(zval *element) {
	mcp_remember_call *turn = Z_PTR_P(element);
	php_mcp_remember_call_release(turn);
	efree(turn);
}

static void free_distrust(zval *element) {
	efree(Z_PTR_P(element));
}

/* Begins with `names`: unique, in the caller's order, valid until the end. Creates *result, with null for each
 * name. Defaults and TTL must be set. */
static void begin_many(mcp_remembering_many *call, HashTable *names, zval *result) {
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

/* Takes over the value. */
static void answer_key(mcp_remembering_many *call, zend_string *name, zval *value) {
	zend_symtable_update(Z_ARRVAL_P(call->result), name, value);
	zend_hash_del(&call->pending, name);
}

/* The process then keeps the claim. `old_payload` can be NULL. */
static void take_turn(mcp_remembering_many *call, zend_string *name, const mcp_cache_entry *entry,
	zend_string *old_payload) {
	mcp_remember_call *turn = emalloc(sizeof(*turn));
	*turn = call->defaults;
	turn->name = name;
	/* Each value gets a separate jitter, so that the values do not expire together. */
	turn->options.lifetime = php_mcp_cache_object_spread_lifetime(turn->lifetime, turn->jitter);
	if (entry->verdict == MCP_VERDICT_ELECTED) {
		php_mcp_remember_call_keep_claim(turn, entry);
	} else {
		turn->trouble = entry->trouble;
	}
	if (turn->stale_on_error && old_payload != NULL) {
		php_mcp_remember_call_keep_old(turn, entry, zend_string_copy(old_payload));
	}
	zend_hash_update_ptr(&call->turns, name, turn);
	zend_hash_del(&call->pending, name);
}

/* Records that rebuilds of a name in `names` are paused, so that it gets no value. */
static void note_pause(mcp_remembering_many *call, zend_string *name, uint64_t until_ms) {
	if (call->paused == NULL || until_ms > call->paused_until_ms) {
		call->paused = name;
		call->paused_until_ms = until_ms;
	}
	zend_hash_del(&call->pending, name);
}

/* Release the claims of all turns. */
static void abandon_turns(mcp_remembering_many *call, bool has_failed) {
	mcp_remember_call *turn;
	ZEND_HASH_FOREACH_PTR(&call->turns, turn) {
		php_mcp_remember_call_abandon(turn, has_failed);
	}
	ZEND_HASH_FOREACH_END();
}

/* Encode a group of values first, then store it: encoding is user code, which must not run during requests. */

/* Limit of the encoded bytes in a group. A group has at least 1 value. */
#define BYTES_TOGETHER_MAX ((size_t)1024 * 1024)

/* A value of a group. */
typedef struct waiting_value {
	mcp_remember_call *turn; /* borrowed from the turns */
	zval value;              /* a reference for the caller */
	mcp_encoded_value encoded;
	mcp_cache_result *result; /* result in the batch; NULL: stored alone */
} waiting_value;

typedef struct publishing {
	mcp_remembering_many *call;
	uint32_t compute_ms;
	uint32_t count;
	size_t bytes;
	mcp_deferred deferred;
	waiting_value values[MCP_CACHE_BATCH_MAX];
	mcp_cache_result results[MCP_CACHE_BATCH_MAX];
	mcp_key_buffer buffers[MCP_CACHE_BATCH_MAX];
} publishing;

/* Takes over the value and returns it to the caller, or keeps the exception that prevents this. False for an exit. */
static bool answer_computed(publishing *self, waiting_value *waiting, bool is_for_caller) {
	if (is_for_caller) {
		answer_key(self->call, waiting->turn->name, &waiting->value);
		return true;
	}
	zval_ptr_dtor(&waiting->value);
	return php_mcp_deferred_keep(&self->deferred);
}

static mcp_cache_value value_of(const publishing *self, const waiting_value *waiting) {
	return php_mcp_remember_call_value(waiting->turn, &waiting->encoded, self->compute_ms,
		waiting->turn->options.lifetime);
}

/* Stores the values with a usable claim in one batch. All share one cache and lease. */
static void store_together(publishing *self) {
	uint32_t count = 0;
	for (uint32_t i = 0; i < self->count; i++) {
		waiting_value *waiting = &self->values[i];
		mcp_remember_call *turn = waiting->turn;
		waiting->result = NULL;
		if (php_mcp_remember_call_usable_claim(turn) != NULL) {
			waiting->result = &self->results[count];
			*waiting->result = (mcp_cache_result){
				.key = php_mcp_cache_object_key(turn->object, turn->name, &self->buffers[count]),
				.claim = &turn->claim,
				.value = value_of(self, waiting),
			};
			count++;
		}
	}
	if (count > 0) {
		mcp_cache_call call;
		mcp_near near;
		php_mcp_remember_call_renew(self->values[0].turn, &call);
		php_mcp_cache_nearby_join(&near, &call);
		mcp_cache_publish_many(&call.cache, self->results, count);
	}
}

/* Stores the group and returns its values to the caller. False for an exit. */
static bool store_all(publishing *self) {
	uint32_t count = self->count;
	bool goes_on = true;
	store_together(self);
	self->count = 0;
	self->bytes = 0;
	for (uint32_t i = 0; i < count; i++) {
		waiting_value *waiting = &self->values[i];
		const mcp_cache_result *result = waiting->result;
		bool is_for_caller;
		if (result != NULL) {
			php_mcp_kept_reads_note_stored(waiting->turn->object, &result->key, result->status);
			is_for_caller = php_mcp_remember_call_conclude(waiting->turn, result->status);
		} else {
			mcp_cache_value value = value_of(self, waiting);
			is_for_caller = php_mcp_remember_call_store(waiting->turn, &value);
		}
		php_mcp_value_release(&waiting->encoded);
		goes_on &= answer_computed(self, waiting, is_for_caller);
	}
	return goes_on;
}

/* Encodes a value and adds it to the group. False for an exit. */
static bool publish_one(publishing *self, mcp_remember_call *turn, zval *computed) {
	waiting_value *waiting = &self->values[self->count];
	bool is_for_caller;
	waiting->turn = turn;
	if (computed == NULL) {
		ZVAL_NULL(&waiting->value);
		php_mcp_remember_call_abandon(turn, false);
		return answer_computed(self, waiting, true);
	}
	ZVAL_COPY_DEREF(&waiting->value, computed);
	if (!php_mcp_remember_call_encode(turn, &waiting->value, &waiting->encoded, &is_for_caller)) {
		return answer_computed(self, waiting, is_for_caller);
	}
	self->count++;
	self->bytes += waiting->encoded.payload.length;
	bool is_full = self->count == MCP_CACHE_BATCH_MAX || self->bytes >= BYTES_TOGETHER_MAX;
	return !is_full || store_all(self);
}

/* Stores and returns computed values. A missing value becomes null, and its claim is released. A failed store does
 * not affect the others (C18). Exceptions come last. Runs user code. */
static void publish(mcp_remembering_many *call, HashTable *computed, uint32_t compute_ms) {
	publishing *self = emalloc(sizeof(*self));
	self->call = call;
	self->compute_ms = compute_ms;
	self->count = 0;
	self->bytes = 0;
	self->deferred = (mcp_deferred){0};
	bool goes_on = true;
	mcp_remember_call *turn;
	ZEND_HASH_FOREACH_PTR(&call->turns, turn) {
		goes_on = publish_one(self, turn, zend_symtable_find(computed, turn->name));
		if (!goes_on) {
			break;
		}
	}
	ZEND_HASH_FOREACH_END();
	if (goes_on) {
		store_all(self);
	}
	for (uint32_t i = 0; i < self->count; i++) { /* not stored after an exit */
		php_mcp_value_release(&self->values[i].encoded);
		zval_ptr_dtor(&self->values[i].value);
	}
	php_mcp_deferred_throw(&self->deferred);
	efree(self);
}

/* Computes all turns in one callback. In every case, each claim is fulfilled or released. */

static void mark_computing(mcp_remembering_many *call, bool begins) {
	const mcp_remember_call *turn;
	ZEND_HASH_FOREACH_PTR(&call->turns, turn) {
		mcp_cache_call single;
		php_mcp_remember_call_renew(turn, &single);
		if (begins) {
			php_mcp_computing_begin(single.cache.store, &single.key);
		} else {
			php_mcp_computing_end(single.cache.store, &single.key);
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* Lists the names for $compute, in the caller's order. */
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

/* Count the time once, because the keys were computed together. */
static void count_computation(mcp_remembering_many *call, uint32_t compute_ms) {
	uint32_t share_ms = compute_ms / MAX(zend_hash_num_elements(&call->turns), 1);
	bool is_counted = false;
	const mcp_remember_call *turn;
	ZEND_HASH_FOREACH_PTR(&call->turns, turn) {
		if (turn->has_claim && !is_counted) {
			php_mcp_cache_object_count_computation(turn->object, compute_ms);
			is_counted = true;
		}
		if (turn->has_claim) {
			php_mcp_cache_object_count_rebuild(turn->object, turn->name, share_ms);
		}
	}
	ZEND_HASH_FOREACH_END();
}

/* With staleOnError, serve the stale values instead of the exception, if every key has one (C6). */
static bool answer_old(mcp_remembering_many *call) {
	mcp_remember_call *turn;
	ZEND_HASH_FOREACH_PTR(&call->turns, turn) {
		if (turn->old_payload == NULL) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	zend_object *thrown = EG(exception);
	GC_ADDREF(thrown);
	zend_clear_exception();
	ZEND_HASH_FOREACH_PTR(&call->turns, turn) {
		zval value;
		if (!php_mcp_remember_call_decode_old(turn, &value)) {
			php_mcp_remember_call_rethrow(thrown);
			return false;
		}
		answer_key(call, turn->name, &value);
	}
	ZEND_HASH_FOREACH_END();
	OBJ_RELEASE(thrown);
	return true;
}

/* Reject a list of values for keys that are not a list: the assignment is unknown. */
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
			"must return an array of values by key, [key => value, ...], a list returned");
		return false;
	}
	return true;
}

/* Computes the turns in one callback and stores the results. False with an exception or if the engine exits, after all
 * claims were released. */
static bool compute(mcp_remembering_many *call) {
	uint64_t start_ns = php_mcp_environment_measure_ns();
	zval names;
	zval computed;
	list_turns(call, &names);
	mark_computing(call, true);
	bool is_done = php_mcp_user_call_run(&call->defaults.compute, &names, &computed);
	mark_computing(call, false);
	zval_ptr_dtor(&names);
	if (is_done && !judge_computed(call, &computed)) {
		is_done = false;
		zval_ptr_dtor(&computed);
	}
	if (!is_done) {
		bool is_an_exit = php_mcp_user_call_is_exiting();
		abandon_turns(call, !is_an_exit);
		if (!is_an_exit) {
			php_mcp_remember_call_name_cause(&call->undecodable);
		}
		return !is_an_exit && answer_old(call);
	}
	uint32_t compute_ms = php_mcp_environment_elapsed_ms(start_ns);
	count_computation(call, compute_ms);
	publish(call, Z_ARRVAL(computed), compute_ms);
	zval_ptr_dtor(&computed);
	abandon_turns(call, !php_mcp_user_call_is_exiting());
	return EG(exception) == NULL;
}

/* A value that this caller cannot decode counts as missing. It takes part in the common round of waiting. */
static void distrust(mcp_remembering_many *call, zend_string *name, const mcp_cache_entry *entry) {
	mcp_value_id distrust = mcp_cache_value_id_of(entry);
	zend_hash_update_mem(&call->distrusts, name, &distrust, sizeof(distrust));
	call->must_read_again = true;
}

/* Handle all turns first, so that each claim is kept. Decode values only afterwards, because this runs user code. */
static void sort_out(mcp_remembering_many *call, mcp_cache_many *many,
	const mcp_next_action *steps) {
	for (size_t i = 0; i < many->count; i++) {
		mcp_verdict verdict = many->batch.entries[i].verdict;
		if (many->batch.entries[i].trouble == MCP_PAUSED) {
			note_pause(call, many->names[i], many->batch.entries[i].envelope.pause_end_ms);
			continue;
		}
		bool is_turn = verdict == MCP_VERDICT_ELECTED || verdict == MCP_VERDICT_MISS;
		if (steps[i] == MCP_REMEMBER_DONE && is_turn) {
			take_turn(call, many->names[i], &many->batch.entries[i], many->copies[i]);
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
		if (php_mcp_cache_many_take(many, i, &value)) {
			answer_key(call, many->names[i], &value);
			continue;
		}
		php_mcp_remember_call_keep_cause(&call->undecodable);
		distrust(call, many->names[i], &many->batch.entries[i]);
	}
}

/* Lists one distrust for each key; NULL if there are no distrusts. */
static mcp_value_id *list_distrusts(mcp_remembering_many *call, const mcp_cache_many *many) {
	call->must_read_again = false;
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

static void read_pending(mcp_remembering_many *call, bool is_over) {
	mcp_cache_many many = {.object = call->defaults.object};
	many.cache = php_mcp_cache_object_context(many.object);
	php_mcp_cache_many_begin(&many, call->pending.arData, zend_hash_num_elements(&call->pending));
	if (many.object->memo != NULL && !call->has_looked) {
		php_mcp_cache_many_near_find(&many, &call->defaults.options);
	}
	call->has_looked = true;
	mcp_next_action *steps = safe_emalloc(many.count, sizeof(*steps), 0);
	mcp_value_id *distrusts = list_distrusts(call, &many);
	mcp_cache_remember_many(&many.cache, &many.batch, &call->defaults.options, distrusts, is_over,
		steps);
	for (size_t i = many.batch.count; i < many.count; i++) {
		steps[i] = MCP_REMEMBER_DONE;
	}
	php_mcp_cache_many_near_keep(&many);
	php_mcp_cache_many_copy_payloads(&many);
	php_mcp_cache_many_note_reads(&many);
	sort_out(call, &many, steps);
	if (distrusts != NULL) {
		efree(distrusts);
	}
	efree(steps);
	php_mcp_cache_many_end(&many);
}

/* --- the call --- */

/* Serves keys that this Fiber already computes (C14, for each key). False with an exception. */
static bool answer_recursions(mcp_remembering_many *call, HashTable *names) {
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(names, name) {
		mcp_remember_call single = call->defaults;
		single.name = name;
		zval value;
		ZVAL_UNDEF(&value);
		bool is_answered = php_mcp_remember_answer_recursion(&single, &value);
		php_mcp_remember_call_release_cause(&single.undecodable);
		if (is_answered) {
			if (EG(exception) != NULL) {
				return false;
			}
			answer_key(call, name, &value);
		}
		if (single.options.wait_ms == 0) {
			call->defaults.options.wait_ms = 0;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

/* Limit of lost races after the wait. Beyond it, keys change faster than a claim can be taken. */
#define LATE_ROUNDS_MAX 64

/* Computes all remaining keys without a claim. */
static void take_all_turns(mcp_remembering_many *call) {
	const mcp_cache_entry unclaimed = {.verdict = MCP_VERDICT_MISS};
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(&call->pending, name) {
		take_turn(call, name, &unclaimed, NULL);
	}
	ZEND_HASH_FOREACH_END();
}

/* Returns the name to listen for: one of the missing keys, which usually arrive one by one. */
static zend_string *first_pending(mcp_remembering_many *call) {
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(&call->pending, name) {
		return name;
	}
	ZEND_HASH_FOREACH_END();
	return NULL;
}

/* Runs signal handlers of the user. MCP_WAIT_INTERRUPTED: a handler has thrown. */
static mcp_wait wait_for_others(mcp_remembering_many *call, mcp_pauses *pauses) {
	uint64_t deadline_ms = pauses->begun_ms + mcp_cache_wait_ms(&call->defaults.options);
	mcp_remember_call awaited = call->defaults;
	awaited.name = call->awaited = first_pending(call);
	mcp_wait waited;
	do {
		mcp_cache_call one;
		php_mcp_remember_call_renew(&awaited, &one);
		mcp_cache_listen(&one.cache, &one.key, pauses);
		waited = mcp_cache_wait(&one.cache, NULL, pauses, deadline_ms);
	} while (waited == MCP_WAIT_INTERRUPTED && php_mcp_interrupt_run());
	return waited;
}

/* Record whether the awaited name has a value or a turn, and notify other listeners of a value. */
static void hear_of_awaited(mcp_remembering_many *call, mcp_pauses *pauses) {
	zend_string *name = call->awaited;
	call->awaited = NULL;
	if (name == NULL || zend_hash_exists(&call->pending, name)) {
		return;
	}
	mcp_waiting_found_more(pauses);
	if (!zend_hash_exists(&call->turns, name)) {
		mcp_waiting_tell(php_mcp_environment_get(), pauses);
	}
}

static void run_rounds(mcp_remembering_many *call) {
	const mcp_environment *environment = php_mcp_environment_get();
	call->defaults.options.oldest_claim_ms = php_mcp_cache_claims_oldest_ms(call->defaults.object,
		NULL, !call->defaults.options.serve_stale);
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
			read_pending(call, is_over);
		}
		hear_of_awaited(call, &pauses);
		if (call->must_read_again && EG(exception) == NULL) {
			read_pending(call,
				is_over); /* before computing, so that the turns are computed together */
		}
		if (EG(exception) != NULL) {
			abandon_turns(call, false);
			return;
		}
		if (zend_hash_num_elements(&call->turns) > 0 && !compute(call)) {
			return;
		}
		if (call->paused != NULL) {
			php_mcp_remember_call_throw_paused(call->paused, call->paused_until_ms);
			return;
		}
		if (zend_hash_num_elements(&call->turns) == 0 && !call->must_read_again &&
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
	if (php_mcp_cache_many_collect_names(&names, keys)) {
		begin_many(call, &names, result);
		if (answer_recursions(call, &names)) {
			run_rounds(call);
		}
		php_mcp_remember_call_release_cause(&call->undecodable);
		zend_hash_destroy(&call->distrusts);
		zend_hash_destroy(&call->turns);
		zend_hash_destroy(&call->pending);
	}
	zend_hash_destroy(&names);
}
