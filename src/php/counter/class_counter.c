/* The class McPatterns\Counter: its methods, initial values from a callback, and drains of one or many counters. */
/* SPDX-License-Identifier: MIT */
#include "../../patterns/counter/counter.h"
#include "../engine/computing.h"
#include "../engine/interrupt.h"
#include "../engine/user_call.h"
#include "../host/environment.h"
#include "../host/give_back.h"
#include "../objects/classes.h"
#include "../objects/object.h"
#include "../objects/failure.h"
#include "../pool/class_pool.h"
#include "../pooled/pooled_object.h"
#include "zend_exceptions.h"
#include "ext/spl/spl_exceptions.h"
#include "ext/spl/spl_iterators.h"

#include "class_counter_arginfo.h"

typedef struct mcp_counter_object {
	int64_t initial_number;
	zval initial; /* the callable, or UNDEF */
	uint64_t ttl_ms;
	uint64_t wait_ms;
	mcp_named_object named;
} mcp_counter_object;

/* The pattern's arguments, on the stack of a method. Renew them after user code. */
typedef struct mcp_counter_call {
	mcp_counter_object *object;
	mcp_counter counter;
} mcp_counter_call;

static inline mcp_counter_object *counter_from(zend_object *object) {
	return (mcp_counter_object *)((char *)object - offsetof(mcp_counter_object, named.std));
}

static void renew_counter_call(mcp_counter_call *call, mcp_counter_object *object) {
	call->object = object;
	call->counter = (mcp_counter){
		.store = php_mcp_pool_store(object->named.pool),
		.environment = php_mcp_environment_get(),
		.key = &object->named.kept.key,
		.ttl_ms = object->ttl_ms,
		.wait_ms = object->wait_ms,
	};
}

/* Begin a call. Returns false with an Error if the object was never constructed. */
static bool begin_counter_call(mcp_counter_call *call, zend_object *std) {
	mcp_counter_object *object = counter_from(std);
	if (!php_mcp_object_require_constructed(std, object->named.pool)) {
		return false;
	}
	renew_counter_call(call, object);
	return true;
}

static void throw_counter_failure(const mcp_counter_call *call, mcp_status status,
	const char *action) {
	php_mcp_named_object_throw(&call->object->named, status, action, call->counter.store);
}

/* An effect that must be undone if a method ends early in any way. On the heap, because a fatal error removes the C
 * frame. The Counter outlives this state. */
typedef struct undoing {
	mcp_give_back node;
	mcp_counter_object *object;
	int64_t taken;           /* amount that was drained, but is not yet stored */
	mcp_counter_claim claim; /* claim to compute the initial value */
	mcp_status status;       /* status of the restore */
} undoing;

static void restore_taken(mcp_give_back *node) {
	undoing *undo = (undoing *)((char *)node - offsetof(undoing, node));
	mcp_counter_call call;
	renew_counter_call(&call, undo->object);
	undo->status = mcp_counter_give_back(&call.counter, undo->object->initial_number, undo->taken);
}

/* Undo: release the claim to compute the initial value. */
static void release_claim(mcp_give_back *node) {
	undoing *undo = (undoing *)((char *)node - offsetof(undoing, node));
	mcp_counter_call call;
	renew_counter_call(&call, undo->object);
	mcp_counter_release(&call.counter, &undo->claim);
}

static undoing *begin_undoing(const undoing *what, mcp_give_back_function undo) {
	undoing *begun = emalloc(sizeof(*begun));
	*begun = *what;
	begun->node.is_a_calls = true;
	php_mcp_give_back_register(&begun->node, undo);
	return begun;
}

static mcp_status end_undoing(undoing *begun, bool is_done) {
	if (is_done) {
		php_mcp_give_back_unregister(&begun->node);
	} else {
		php_mcp_give_back_now(&begun->node);
	}
	mcp_status status = begun->status;
	efree(begun);
	return status;
}

static void throw_about(mcp_counter_object *object, mcp_status status, const char *format,
	int64_t number) {
	char action[64];
	snprintf(action, sizeof(action), format, (long long)number);
	mcp_counter_call call;
	renew_counter_call(&call, object);
	throw_counter_failure(&call, status, action);
}

/* Call the callback with the argument, and release the argument. Runs user code. */
static bool call_store(mcp_user_call *store, zval *argument) {
	zval result;
	bool is_stored = php_mcp_user_call_run(store, argument, &result);
	zval_ptr_dtor(&result);
	zval_ptr_dtor(argument);
	return is_stored && EG(exception) == NULL; /* a destructor might have thrown */
}

/* Let `store` store the drained amount. Runs user code. Returns false with the callback's exception. If the amount
 * could not be restored, a further exception says so. */
static bool store_taken(mcp_counter_object *object, mcp_user_call *store, int64_t taken) {
	undoing what = {.node.is_lost_otherwise = true, .object = object, .taken = taken};
	undoing *begun = begin_undoing(&what, restore_taken);
	zval argument;
	ZVAL_LONG(&argument, (zend_long)taken);
	bool is_stored = call_store(store, &argument);
	mcp_status status = end_undoing(begun, is_stored);
	if (!is_stored && status != MCP_OK && !php_mcp_user_call_is_exiting()) {
		throw_about(object, status, "restore %lld to the counter", taken);
	}
	return is_stored;
}

static void throw_drain(const mcp_counter_call *call, mcp_status status, int64_t taken) {
	mcp_counter_object *object = call->object;
	if (status == MCP_NOT_STORED) {
		char what[160];
		snprintf(what, sizeof(what),
			"could not be drained within %g s: other processes were draining it, or the server replied too slowly",
			(double)object->wait_ms / 1000);
		php_mcp_failure_throw_about(php_mcp_lock_timeout_exception, "The counter",
			php_mcp_bytes_of(object->named.name), what);
	} else if (status == MCP_UNKNOWN && taken > 0) {
		throw_about(object, status, "take %lld from the counter", taken);
	} else {
		throw_counter_failure(call, status, "drain the counter");
	}
}

/* Drain into *taken, or, if `claim` is not NULL, get the claim. Runs the user's signal handlers between two pauses.
 * MCP_INTERRUPTED: a handler threw. */
static mcp_status wait_for(mcp_counter_call *call, int64_t *taken, mcp_counter_claim *claim) {
	mcp_pauses pauses = {.has_begun = false};
	uint64_t wait_ms = call->counter.wait_ms;
	for (;;) {
		call->counter.pauses = &pauses;
		mcp_status status = claim != NULL ? mcp_counter_elect(&call->counter, claim)
										  : mcp_counter_drain(&call->counter, taken);
		call->counter.pauses = NULL;
		if (status != MCP_INTERRUPTED || !php_mcp_interrupt_run()) {
			return status;
		}
		renew_counter_call(call, call->object);
		call->counter.wait_ms = wait_ms;
	}
}

/* Drain the counter, and let `store` store an amount above 0. `store` can be empty. Runs user code. Returns false
 * with an exception. */
static bool drain_into(mcp_counter_call *call, mcp_user_call *store, int64_t *taken) {
	mcp_status status = wait_for(call, taken, NULL);
	if (EG(exception) != NULL) {
		return false;
	}
	if (status != MCP_OK) {
		throw_drain(call, status, *taken);
		return false;
	}
	bool is_to_be_stored = *taken > 0 && !php_mcp_user_call_is_none(store);
	return !is_to_be_stored || store_taken(call->object, store, *taken);
}

/* Maximum number of rounds. Each further round means that another process created the counter, and that it then
 * disappeared. */
#define ROUNDS_MAX 16

static void throw_about_initial(const mcp_counter_object *object, zend_class_entry *exception,
	const char *what) {
	php_mcp_failure_throw_about(exception, "The initial value of the counter",
		php_mcp_bytes_of(object->named.name), what);
}

/* Convert the callable's result to a number. Returns false with an exception. */
static bool to_number(const mcp_counter_object *object, zval *result, int64_t *number) {
	bool is_int = Z_TYPE_P(result) == IS_LONG;
	if (is_int && Z_LVAL_P(result) >= 0) {
		*number = Z_LVAL_P(result);
		return true;
	}
	char what[96];
	if (is_int) {
		snprintf(what, sizeof(what),
			"must be greater than or equal to 0, " ZEND_LONG_FMT " returned", Z_LVAL_P(result));
	} else {
		snprintf(what, sizeof(what), "must be of type int, %s returned",
			zend_zval_type_name(result));
	}
	throw_about_initial(object, is_int ? zend_ce_value_error : zend_ce_type_error, what);
	return false;
}

/* Compute the initial number with the callable. Runs user code. Returns false with an exception, or if the engine is
 * exiting. */
static bool compute(mcp_counter_object *object, int64_t *number) {
	mcp_counter_call call;
	renew_counter_call(&call, object);
	bool is_marked = php_mcp_computing_begin(call.counter.store, call.counter.key);
	zval result;
	mcp_user_call initial = php_mcp_user_call_of(&object->initial);
	bool is_done = php_mcp_user_call_run(&initial, NULL, &result);
	if (is_marked) {
		renew_counter_call(&call, object);
		php_mcp_computing_end(call.counter.store, call.counter.key);
	}
	is_done = is_done && to_number(object, &result, number);
	zval_ptr_dtor(&result);
	return is_done;
}

/* Returns false with an exception if this Fiber is already computing this counter's initial number, because it must
 * not wait for itself. If another Fiber of this process is computing it, sets the wait to 0, because that Fiber could
 * not continue. */
static bool look_for_recursion(mcp_counter_call *call) {
	switch (php_mcp_computing_find(call->counter.store, call->counter.key)) {
		case MCP_COMPUTING_NOT:
			return true;
		case MCP_COMPUTING_ELSEWHERE:
			call->counter.wait_ms = 0;
			return true;
		default:
			throw_about_initial(call->object, spl_ce_LogicException, "reads the counter itself");
			return false;
	}
}

/* Initialize a missing counter with the callable, and add `by`. Runs user code, and renews `call`. Returns MCP_OK
 * with the number, MCP_EXISTS if another caller has initialized the counter, or a failure that was or must be
 * thrown. */
static mcp_status initialise(mcp_counter_call *call, int64_t by, int64_t *number) {
	undoing what = {.object = call->object};
	if (!look_for_recursion(call)) {
		return MCP_REFUSED;
	}
	mcp_status status = wait_for(call, NULL, &what.claim);
	if (status != MCP_OK) {
		return status;
	}
	int64_t initial;
	undoing *won = begin_undoing(&what, release_claim);
	bool is_computed = compute(what.object, &initial);
	renew_counter_call(call, what.object);
	status = is_computed ? mcp_counter_start(&call->counter, initial, by, number) : MCP_REFUSED;
	end_undoing(won, false);
	return status;
}

/* Add `by` to the counter, or only read it. A missing counter has its initial number. The result of a callable is
 * stored, but an integer is stored only by an addition. */
static mcp_status count_on_server(mcp_counter_call *call, bool is_read, int64_t by,
	int64_t *number) {
	mcp_counter_object *object = call->object;
	bool is_computed = Z_TYPE(object->initial) != IS_UNDEF;
	if (!is_computed && !is_read) {
		return mcp_counter_start(&call->counter, object->initial_number, by, number);
	}
	mcp_status status = MCP_EXISTS;
	for (int round = 0; round < ROUNDS_MAX && status == MCP_EXISTS; round++) {
		status = is_read ? mcp_counter_read(&call->counter, number)
						 : mcp_counter_add(&call->counter, by, number);
		if (status != MCP_NOT_FOUND) {
			return status;
		}
		if (!is_computed) {
			*number = object->initial_number;
			return MCP_OK;
		}
		status = initialise(call, by, number);
	}
	return status == MCP_EXISTS ? MCP_REFUSED : status;
}

#define DEFAULT_WAIT_MS 2500

static void show(const mcp_named_object *named, zval *info) {
	mcp_counter_object *object = php_mcp_named_object_derived(&named->std);
	if (Z_ISUNDEF(object->initial)) {
		add_assoc_long(info, "initial", (zend_long)object->initial_number);
	} else {
		Z_TRY_ADDREF(object->initial);
		add_assoc_zval(info, "initial", &object->initial);
	}
	php_mcp_object_add_seconds(Z_ARRVAL_P(info), "ttl", object->ttl_ms);
	php_mcp_object_add_seconds(Z_ARRVAL_P(info), "wait", object->wait_ms);
	php_mcp_when_down_show(info, &named->when_down, false);
}

static void release_initial(mcp_named_object *named) {
	zval_ptr_dtor(&counter_from(&named->std)->initial);
}

/* Report the callable, which can have a reference to the Counter. */
static HashTable *get_gc(zend_object *std, zval **table, int *count) {
	mcp_counter_object *object = counter_from(std);
	return php_mcp_pooled_object_show_held(object->named.pool, &object->initial, table, count);
}

/* Parse a callable, or an int as PHP does. Returns false with an exception. */
static bool parse_initial(zval *given, uint32_t arg_num, int64_t *number, zval *callable) {
	zend_long parsed;
	ZVAL_UNDEF(callable);
	if (zend_is_callable(given, 0, NULL)) {
		ZVAL_COPY(callable, given);
		return true;
	}
	if (!zend_parse_arg_long(given, &parsed, NULL, false, arg_num)) {
		if (EG(exception) == NULL) {
			zend_argument_type_error(arg_num, "must be a valid callback or of type int, %s given",
				zend_zval_type_name(given));
		}
		return false;
	}
	if (parsed < 0) {
		zend_argument_value_error(arg_num, "must be greater than or equal to 0");
		return false;
	}
	*number = parsed;
	return true;
}

typedef struct counter_arguments {
	zend_object *pool;
	zend_string *name;
	zval *initial, *ttl, *wait;
	zend_long when_down;
	bool throws_when_down;
} counter_arguments;

/* Construct the object. It is unchanged after an exception. */
static void construct(mcp_counter_object *object, const counter_arguments *arguments) {
	mcp_named_object *named = &object->named;
	uint64_t ttl_ms = 0;
	uint64_t wait_ms = DEFAULT_WAIT_MS;
	mcp_pool *pool = php_mcp_named_object_judge_new(named, arguments->pool, arguments->name);
	if (pool == NULL ||
		(arguments->ttl != NULL &&
			!php_mcp_duration_parse(arguments->ttl, 4, MCP_DURATION_ANY, &ttl_ms)) ||
		(arguments->wait != NULL &&
			!php_mcp_duration_parse(arguments->wait, 5, MCP_DURATION_ANY, &wait_ms))) {
		return;
	}
	int64_t number = 0;
	zval callable = {0};
	ZVAL_UNDEF(&callable);
	if (arguments->initial != NULL && !parse_initial(arguments->initial, 3, &number, &callable)) {
		return;
	}
	/* A handler for deprecations might have constructed the object meanwhile. */
	if (!php_mcp_object_require_new(&named->std, named->pool)) {
		zval_ptr_dtor(&callable);
		return;
	}
	object->initial_number = number;
	ZVAL_COPY_VALUE(&object->initial, &callable);
	object->ttl_ms = ttl_ms;
	object->wait_ms = wait_ms;
	named->when_down = php_mcp_when_down_of(arguments->when_down, arguments->throws_when_down);
	php_mcp_named_object_construct(named, MCP_SPACE_COUNTER, pool, arguments->name);
}

ZEND_METHOD(McPatterns_Counter, __construct) {
	counter_arguments arguments = {.throws_when_down = true};
	ZEND_PARSE_PARAMETERS_START(2, 6)
		Z_PARAM_OBJ_OF_CLASS(arguments.pool, php_mcp_pool_class_entry)
		Z_PARAM_STR(arguments.name)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(arguments.initial)
		Z_PARAM_ZVAL(arguments.ttl)
		Z_PARAM_NUMBER_OR_NULL(arguments.wait)
		Z_PARAM_LONG_OR_NULL(arguments.when_down, arguments.throws_when_down)
	ZEND_PARSE_PARAMETERS_END();

	construct(counter_from(Z_OBJ_P(ZEND_THIS)), &arguments);
}

static void answer_count(zend_object *std, bool is_read, int64_t by, const char *action,
	zval *return_value) {
	mcp_counter_call call;
	if (!begin_counter_call(&call, std)) {
		RETURN_THROWS();
	}
	int64_t number = 0;
	mcp_status status = count_on_server(&call, is_read, by, &number);
	if (EG(exception) == NULL && status != MCP_OK &&
		php_mcp_named_object_is_covered(&call.object->named, status, action, call.counter.store)) {
		number = call.object->named.when_down.answer;
	}
	RETURN_LONG((zend_long)number);
}

ZEND_METHOD(McPatterns_Counter, increment) {
	zend_long by = 1;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(by)
	ZEND_PARSE_PARAMETERS_END();
	answer_count(Z_OBJ_P(ZEND_THIS), false, by, "increment the counter", return_value);
}

ZEND_METHOD(McPatterns_Counter, decrement) {
	zend_long by = 1;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(by)
	ZEND_PARSE_PARAMETERS_END();
	if (by == ZEND_LONG_MIN) {
		zend_argument_value_error(1, "must be greater than PHP_INT_MIN");
		RETURN_THROWS();
	}
	answer_count(Z_OBJ_P(ZEND_THIS), false, -by, "decrement the counter", return_value);
}

ZEND_METHOD(McPatterns_Counter, value) {
	ZEND_PARSE_PARAMETERS_NONE();
	answer_count(Z_OBJ_P(ZEND_THIS), true, 0, "read the counter", return_value);
}

ZEND_METHOD(McPatterns_Counter, set) {
	zend_long value;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_LONG(value)
	ZEND_PARSE_PARAMETERS_END();

	mcp_counter_call call;
	if (!begin_counter_call(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	if (value < 0) {
		zend_argument_value_error(1, "must be greater than or equal to 0");
		RETURN_THROWS();
	}
	mcp_status status = mcp_counter_set(&call.counter, value);
	if (status != MCP_OK) {
		throw_counter_failure(&call, status, "set the counter");
	}
}

ZEND_METHOD(McPatterns_Counter, reset) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_counter_call call;
	if (!begin_counter_call(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_status status = mcp_counter_reset(&call.counter);
	if (status != MCP_OK) {
		throw_counter_failure(&call, status, "reset the counter");
	}
}

ZEND_METHOD(McPatterns_Counter, drain) {
	mcp_user_call store = php_mcp_user_call_none();
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_FUNC_OR_NULL(store.info, store.cache)
	ZEND_PARSE_PARAMETERS_END();

	mcp_counter_call call;
	int64_t taken;
	if (!begin_counter_call(&call, Z_OBJ_P(ZEND_THIS)) || !drain_into(&call, &store, &taken)) {
		RETURN_THROWS();
	}
	RETURN_LONG((zend_long)taken);
}

/* --- drainMany(): drains any number of counters in batches --- */

/* User code stores each batch of amounts. If user code fails, the amounts of the batch are added to the counters
 * again. A give-back node owns the amounts of a batch until they are stored. */

/* Maximum number of names in one call of the store callback. */
#define BATCH_MAX MCP_COUNTER_MANY_MAX
/* Position of the parameter with the names. */
#define NAMES 2

/* Kinds of failed drains, in order of severity. */
typedef enum grievance {
	OF_WHAT_IS_STORED,
	OF_A_SERVER,
	OF_AN_OUTCOME, /* the outcome of the drain is unknown */
	GRIEVANCES,
} grievance;

/* Failed drains of one kind: the first counter, and the number of counters. */
typedef struct trouble {
	zend_string *name; /* a reference; NULL: none */
	mcp_status status;
	size_t count;
	int64_t amount;
} trouble;

/* State of a drainMany(). On the heap, because a fatal error in user code removes the C frame. The pool is an
 * argument of the running method, and outlives this state. */
typedef struct draining {
	mcp_give_back node;
	mcp_pool *pool;
	mcp_user_call *store;
	zend_long drained;
	bool has_stopped; /* with an exception, or because the engine is exiting */
	trouble troubles[GRIEVANCES];
	HashTable batch; /* unique names */
	void *memory;    /* for the fields below; NULL before the first batch */
	/* The names whose amounts were drained, but are not yet stored. Borrowed from `batch`. */
	size_t count;
	zend_string **names;
	mcp_counter_one *ones;
	mcp_key_buffer *buffers;
	mcp_counter_scratch scratch;
} draining;

/* Make the counter again for each use, because user code might have closed the connections. */
static mcp_counter counter_of(const draining *self) {
	return (mcp_counter){
		.store = php_mcp_pool_store(self->pool),
		.environment = php_mcp_environment_get(),
	};
}

static grievance grievance_of(const mcp_counter_one *one) {
	if (one->status == MCP_UNKNOWN) {
		return OF_AN_OUTCOME;
	}
	return php_mcp_failure_is_of_server(one->status) ? OF_A_SERVER : OF_WHAT_IS_STORED;
}

static void note_trouble(trouble *met, zend_string *name, const mcp_counter_one *one) {
	if (met->count++ == 0) {
		met->name = zend_string_copy(name);
		met->status = one->status;
	}
	met->amount += one->taken;
}

/* `verb`: format with a place for the amount. */
static void throw_trouble(const draining *self, const trouble *met, const char *verb) {
	char done[48];
	char action[96];
	snprintf(done, sizeof(done), verb, (long long)met->amount);
	if (met->count == 1) {
		snprintf(action, sizeof(action), "%s the counter", done);
	} else {
		snprintf(action, sizeof(action), "%s %zu counters, the first of them", done, met->count);
	}
	mcp_counter counter = counter_of(self);
	mcp_key_buffer buffer;
	mcp_key key = php_mcp_pool_key_make(MCP_SPACE_COUNTER, self->pool, met->name, &buffer);
	php_mcp_failure_throw_for_key(met->status, action, php_mcp_bytes_of(met->name), counter.store,
		&key);
}

/* Throw one exception per kind. The most severe failure is thrown last, with the next less severe failure as the
 * previous exception. */
static void throw_troubles(draining *self) {
	for (int kind = 0; kind < GRIEVANCES; kind++) {
		if (self->troubles[kind].count > 0) {
			throw_trouble(self, &self->troubles[kind],
				kind == OF_AN_OUTCOME ? "take %lld from" : "drain");
		}
	}
}

static void restore_batch(mcp_give_back *node) {
	draining *self = (draining *)((char *)node - offsetof(draining, node));
	mcp_counter counter = counter_of(self);
	mcp_counter_give_back_many(&counter, self->ones, self->count, &self->scratch);
}

/* Throw the failure to restore amounts, with the exception that prevented the store as the previous exception. */
static void throw_what_was_not_given_back(draining *self) {
	trouble lost = {.count = 0};
	for (size_t i = 0; i < self->count; i++) {
		if (self->ones[i].status != MCP_OK) {
			note_trouble(&lost, self->names[i], &self->ones[i]);
		}
	}
	if (lost.count > 0) {
		if (!php_mcp_user_call_is_exiting()) {
			throw_trouble(self, &lost, "restore %lld to");
		}
		zend_string_release(lost.name);
	}
}

/* Let the callback store the batch, or restore it. Runs user code. Returns false with an exception, or if the engine
 * is exiting. */
static bool store_batch(draining *self) {
	zval amounts;
	/* Register before the array is created, because the array can exceed memory_limit. */
	self->node.is_lost_otherwise = true;
	self->node.is_a_calls = true;
	php_mcp_give_back_register(&self->node, restore_batch);
	array_init_size(&amounts, (uint32_t)self->count);
	for (size_t i = 0; i < self->count; i++) {
		zval amount;
		ZVAL_LONG(&amount, (zend_long)self->ones[i].taken);
		zend_symtable_update(Z_ARRVAL(amounts), self->names[i], &amount);
	}
	if (call_store(self->store, &amounts)) {
		php_mcp_give_back_unregister(&self->node);
		self->drained += (zend_long)self->count;
		return true;
	}
	php_mcp_give_back_now(&self->node);
	throw_what_was_not_given_back(self);
	return false;
}

/* Allocate the memory for the first batch. No later batch is longer. */
static void allocate_drain(draining *self, size_t count) {
	if (self->memory != NULL) {
		return;
	}
	size_t each = sizeof(*self->ones) + sizeof(*self->names) + sizeof(*self->buffers);
	size_t shared = mcp_counter_scratch_size(count);
	self->memory = safe_emalloc(count, each, shared);
	self->scratch = mcp_counter_scratch_in(self->memory, count);
	self->ones = (mcp_counter_one *)((char *)self->memory + shared);
	self->names = (zend_string **)(self->ones + count);
	self->buffers = (mcp_key_buffer *)(self->names + count);
}

static size_t name_all(draining *self) {
	allocate_drain(self, zend_hash_num_elements(&self->batch));
	size_t count = 0;
	zend_string *name;
	ZEND_HASH_FOREACH_STR_KEY(&self->batch, name) {
		self->names[count] = name;
		self->ones[count].key =
			php_mcp_pool_key_make(MCP_SPACE_COUNTER, self->pool, name, &self->buffers[count]);
		count++;
	}
	ZEND_HASH_FOREACH_END();
	return count;
}

/* Keep the names with an amount above 0, and record failures. */
static void keep_taken(draining *self, size_t count) {
	self->count = 0;
	for (size_t i = 0; i < count; i++) {
		const mcp_counter_one *one = &self->ones[i];
		if (one->status == MCP_OK && one->taken > 0) {
			self->names[self->count] = self->names[i];
			self->ones[self->count++] = *one;
		} else if (one->status != MCP_OK && one->status != MCP_NOT_STORED) {
			note_trouble(&self->troubles[grievance_of(one)], self->names[i], one);
		}
	}
}

/* Drain and store a batch. Also run the user's signal handlers, which would otherwise not run as long as no amount
 * must be stored. */
static bool drain_batch(draining *self) {
	if (zend_hash_num_elements(&self->batch) == 0) {
		return true;
	}
	if (php_mcp_interrupt_is_pending(php_mcp_environment_get()) && !php_mcp_interrupt_run()) {
		return false;
	}
	mcp_counter counter = counter_of(self);
	size_t count = name_all(self);
	mcp_counter_drain_many(&counter, self->ones, count, &self->scratch);
	keep_taken(self, count);
	bool is_done = self->count == 0 || store_batch(self);
	zend_hash_clean(&self->batch);
	return is_done;
}

/* Add a name, which is a string, or an integer that a PHP array made from a numeric string. Returns false with an
 * exception. */
static bool add_name(draining *self, zval *element) {
	ZVAL_DEREF(element);
	if (Z_TYPE_P(element) != IS_STRING && Z_TYPE_P(element) != IS_LONG) {
		zend_argument_type_error(NAMES, "must be a list of strings, %s found",
			zend_zval_type_name(element));
		return false;
	}
	zend_string *name = zval_get_string(element);
	bool is_name = ZSTR_LEN(name) > 0;
	if (is_name) {
		zend_hash_add(&self->batch, name, &EG(uninitialized_zval));
	} else {
		zend_argument_value_error(NAMES, "must not contain an empty name");
	}
	zend_string_release(name);
	return is_name;
}

static bool take_name(draining *self, zval *element) {
	return add_name(self, element) &&
		(zend_hash_num_elements(&self->batch) < BATCH_MAX || drain_batch(self));
}

static int take_next(zend_object_iterator *iterator, void *context) {
	draining *self = context;
	zval *element = iterator->funcs->get_current_data(iterator);
	if (element == NULL || EG(exception) != NULL) {
		return ZEND_HASH_APPLY_STOP;
	}
	self->has_stopped = !take_name(self, element);
	return self->has_stopped ? ZEND_HASH_APPLY_STOP : ZEND_HASH_APPLY_KEEP;
}

static bool take_all(draining *self, zval *names) {
	if (Z_TYPE_P(names) != IS_ARRAY) {
		spl_iterator_apply(names, take_next, self);
		return !self->has_stopped && EG(exception) == NULL;
	}
	zval *element;
	ZEND_HASH_FOREACH_VAL(Z_ARRVAL_P(names), element) {
		if (!take_name(self, element)) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

static void end_draining(draining *ended) {
	for (int kind = 0; kind < GRIEVANCES; kind++) {
		if (ended->troubles[kind].name != NULL) {
			zend_string_release(ended->troubles[kind].name);
		}
	}
	zend_hash_destroy(&ended->batch);
	if (ended->memory != NULL) {
		efree(ended->memory);
	}
	efree(ended);
}

ZEND_METHOD(McPatterns_Counter, drainMany) {
	zend_object *pool_object;
	zval *names;
	mcp_user_call store = php_mcp_user_call_none();
	ZEND_PARSE_PARAMETERS_START(3, 3)
		Z_PARAM_OBJ_OF_CLASS(pool_object, php_mcp_pool_class_entry)
		Z_PARAM_ITERABLE(names)
		Z_PARAM_FUNC(store.info, store.cache)
	ZEND_PARSE_PARAMETERS_END();

	mcp_pool *pool = php_mcp_class_pool_get(pool_object);
	if (pool == NULL) {
		RETURN_THROWS();
	}
	draining *self = ecalloc(1, sizeof(*self));
	self->pool = pool;
	self->store = &store;
	zend_hash_init(&self->batch, 8, NULL, NULL, false);
	if (take_all(self, names) && drain_batch(self)) {
		throw_troubles(self);
	}
	zend_long drained = self->drained;
	end_draining(self);
	if (EG(exception) != NULL) {
		RETURN_THROWS();
	}
	RETURN_LONG(drained);
}

void php_mcp_class_counter_register(void) {
	static mcp_named_class counter = {
		.offset = offsetof(mcp_counter_object, named),
		.show = show,
		.release = release_initial,
	};
	php_mcp_named_class_register(&counter, register_class_McPatterns_Counter());
	counter.handlers.get_gc = get_gc;
}
