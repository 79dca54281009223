/* The class McPatterns\Counter: its methods, initial values from a callback, and draining. */
/* SPDX-License-Identifier: MIT */
#include "../../patterns/counter/counter.h"
#include "../engine/computing.h"
#include "../engine/interrupt.h"
#include "../engine/user_call.h"
#include "../host/environment.h"
#include "../host/give_back.h"
#include "../objects/classes.h"
#include "../objects/duration.h"
#include "../objects/failure.h"
#include "../objects/object.h"
#include "../pool/class_pool.h"
#include "../pool/pool.h"
#include "../pooled/pooled_object.h"
#include "../pooled/when_down.h"
#include "counter_drain_many.h"
#include "zend_exceptions.h"
#include "ext/spl/spl_exceptions.h"
#include "php.h"

#include "class_counter_arginfo.h"

typedef struct mcp_counter_object {
	mcp_pool *pool;    /* a reference; NULL until constructed */
	zend_string *name; /* a reference */
	int64_t initial_number;
	zval initial; /* the callable, or UNDEF */
	uint64_t ttl_ms;
	uint64_t wait_ms;
	mcp_when_down when_down;
	mcp_pool_kept_key kept; /* of the name */
	zend_object std;
} mcp_counter_object;

/* Arguments of the pattern, on the stack of a method. Renew after user code. */
typedef struct mcp_counter_call {
	mcp_counter_object *object;
	mcp_counter counter;
} mcp_counter_call;

static inline mcp_counter_object *php_mcp_counter_object_from(zend_object *object) {
	return (mcp_counter_object *)((char *)object - offsetof(mcp_counter_object, std));
}

static void php_mcp_counter_call_renew(mcp_counter_call *call, mcp_counter_object *object) {
	call->object = object;
	call->counter = (mcp_counter){
		.store = php_mcp_pool_store(object->pool),
		.environment = php_mcp_environment_get(),
		.key = &object->kept.key,
		.ttl_ms = object->ttl_ms,
		.wait_ms = object->wait_ms,
	};
}

/* Begin a call. Returns false with an Error if the object was never constructed. */
static bool php_mcp_counter_call_begin(mcp_counter_call *call, zend_object *std) {
	mcp_counter_object *object = php_mcp_counter_object_from(std);
	if (!php_mcp_object_require_constructed(std, object->pool)) {
		return false;
	}
	php_mcp_counter_call_renew(call, object);
	return true;
}

static void php_mcp_counter_call_throw(const mcp_counter_call *call, mcp_status status,
	const char *action) {
	const zend_string *name = call->object->name;
	php_mcp_failure_throw_for_key(status, action, mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name)),
		call->counter.store, call->counter.key);
}

static void php_mcp_counter_object_free(mcp_counter_object *object) {
	if (object->pool != NULL) {
		zval_ptr_dtor(&object->initial);
		zend_string_release(object->name);
		php_mcp_pool_let_go(object->pool);
		object->pool = NULL;
	}
}

/* Drained amount that is not stored yet, restored on every way out. On the heap, because a fatal error removes the C
 * frame. The object outlives it. */
typedef struct taking {
	mcp_give_back node;
	mcp_counter_object *object;
	int64_t taken;
	mcp_status status; /* of the restore */
} taking;

static void give_back(mcp_give_back *node) {
	taking *taking_back = (taking *)((char *)node - offsetof(taking, node));
	mcp_counter_call call;
	php_mcp_counter_call_renew(&call, taking_back->object);
	taking_back->status = mcp_counter_give_back(&call.counter, taking_back->object->initial_number,
		taking_back->taken);
}

static taking *begin(mcp_counter_object *object, int64_t taken) {
	taking *begun = emalloc(sizeof(*begun));
	*begun = (taking){
		.node = {.is_lost_otherwise = true, .is_a_calls = true},
		.object = object,
		.taken = taken,
	};
	php_mcp_give_back_register(&begun->node, give_back);
	return begun;
}

static mcp_status end(taking *begun, bool is_stored) {
	if (is_stored) {
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
	php_mcp_counter_call_renew(&call, object);
	php_mcp_counter_call_throw(&call, status, action);
}

/* Runs user code. */
static bool call_store(mcp_user_call *store, int64_t taken) {
	zval argument;
	zval result;
	ZVAL_LONG(&argument, (zend_long)taken);
	bool is_stored = php_mcp_user_call_run(store, &argument, &result);
	zval_ptr_dtor(&result);
	return is_stored && EG(exception) == NULL; /* the result's destructor may have thrown */
}

/* Store the drained amount. Returns false with an exception: the callback's own, chained if the amount could not be
 * restored. */
static bool store_taken(mcp_counter_object *object, mcp_user_call *store, int64_t taken) {
	taking *begun = begin(object, taken);
	bool is_stored = call_store(store, taken);
	mcp_status status = end(begun, is_stored);
	if (!is_stored && status != MCP_OK && !php_mcp_user_call_is_exiting()) {
		throw_about(object, status, "restore %lld to the counter", taken);
	}
	return is_stored;
}

static void throw_timeout(const mcp_counter_object *object) {
	char what[160];
	snprintf(what, sizeof(what),
		"could not be drained within %g s: other processes were draining it, or the server replied too slowly",
		(double)object->wait_ms / 1000);
	php_mcp_failure_throw_about(php_mcp_lock_timeout_exception, "The counter",
		mcp_bytes_of(ZSTR_VAL(object->name), ZSTR_LEN(object->name)), what);
}

static void throw_drain(const mcp_counter_call *call, mcp_status status, int64_t taken) {
	mcp_counter_object *object = call->object;
	if (status == MCP_NOT_STORED) {
		throw_timeout(object);
	} else if (status == MCP_UNKNOWN && taken > 0) {
		throw_about(object, status, "take %lld from the counter", taken);
	} else {
		php_mcp_counter_call_throw(call, status, "drain the counter");
	}
}

/* Runs the user's signal handlers between two pauses. MCP_INTERRUPTED: a handler threw. */
static mcp_status drain(mcp_counter_call *call, int64_t *taken) {
	mcp_pauses pauses = {.has_begun = false};
	mcp_status status;
	call->counter.pauses = &pauses;
	while ((status = mcp_counter_drain(&call->counter, taken)) == MCP_INTERRUPTED &&
		php_mcp_interrupt_run()) {
		php_mcp_counter_call_renew(call, call->object);
		call->counter.pauses = &pauses;
	}
	call->counter.pauses = NULL;
	return status;
}

/* Drain, and let `store` store an amount above 0. `store` may be none. Runs user code. Returns false with an
 * exception. */
static bool php_mcp_counter_drain_into(mcp_counter_call *call, mcp_user_call *store,
	int64_t *taken) {
	mcp_status status = drain(call, taken);
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

/* Each round means that the counter appeared and vanished again. */
#define ROUNDS_MAX 16

/* Won election of the process that computes an initial value. On the heap, because a fatal error removes the C
 * frame. The object outlives it. */
typedef struct election {
	mcp_give_back node;
	mcp_counter_object *object;
	mcp_counter_claim claim;
} election;

static void give_back_election(mcp_give_back *node) {
	election *won = (election *)((char *)node - offsetof(election, node));
	mcp_counter_call call;
	php_mcp_counter_call_renew(&call, won->object);
	mcp_counter_release(&call.counter, &won->claim);
}

static election *begin_election(mcp_counter_object *object, const mcp_counter_claim *claim) {
	election *won = emalloc(sizeof(*won));
	*won = (election){.node.is_a_calls = true, .object = object, .claim = *claim};
	php_mcp_give_back_register(&won->node, give_back_election);
	return won;
}

/* Release the guard. Only the elected process does. */
static void end_election(election *won) {
	php_mcp_give_back_now(&won->node);
	efree(won);
}

static void throw_about_initial(const mcp_counter_object *object, zend_class_entry *exception,
	const char *format, ...) ZEND_ATTRIBUTE_FORMAT(printf, 3, 4);

static void throw_about_initial(const mcp_counter_object *object, zend_class_entry *exception,
	const char *format, ...) {
	char what[96];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	php_mcp_failure_throw_about(exception, "The initial value of the counter",
		mcp_bytes_of(ZSTR_VAL(object->name), ZSTR_LEN(object->name)), what);
}

/* Convert the callable's result. Returns false with an exception. */
static bool to_number(const mcp_counter_object *object, zval *result, int64_t *number) {
	if (Z_TYPE_P(result) != IS_LONG) {
		throw_about_initial(object, zend_ce_type_error, "must be of type int, %s returned",
			zend_zval_type_name(result));
		return false;
	}
	if (Z_LVAL_P(result) < 0) {
		throw_about_initial(object, zend_ce_value_error,
			"must be greater than or equal to 0, " ZEND_LONG_FMT " returned", Z_LVAL_P(result));
		return false;
	}
	*number = Z_LVAL_P(result);
	return true;
}

/* Runs user code. Returns false with an exception, or if the engine is exiting. */
static bool compute(mcp_counter_object *object, int64_t *number) {
	mcp_counter_call call;
	php_mcp_counter_call_renew(&call, object);
	bool is_marked = php_mcp_computing_begin(call.counter.store, call.counter.key);
	zval result;
	mcp_user_call initial = php_mcp_user_call_of(&object->initial);
	bool is_done = php_mcp_user_call_run(&initial, NULL, &result);
	if (is_marked) {
		php_mcp_counter_call_renew(&call, object);
		php_mcp_computing_end(call.counter.store, call.counter.key);
	}
	is_done = is_done && to_number(object, &result, number);
	zval_ptr_dtor(&result);
	return is_done;
}

/* Returns false with an exception if this Fiber is already computing this number: it must not wait for itself. If
 * another Fiber of this process is computing it, the call does not wait, because that Fiber could not continue. */
static bool look_for_recursion(mcp_counter_call *call) {
	switch (php_mcp_computing_look(call->counter.store, call->counter.key)) {
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

/* Runs the user's signal handlers between two pauses. MCP_REFUSED: a handler threw. */
static mcp_status elect(mcp_counter_call *call, mcp_counter_claim *claim) {
	mcp_pauses pauses = {.has_begun = false};
	mcp_status status;
	uint64_t wait_ms = call->counter.wait_ms;
	call->counter.pauses = &pauses;
	while ((status = mcp_counter_elect(&call->counter, claim)) == MCP_INTERRUPTED) {
		if (!php_mcp_interrupt_run()) {
			return MCP_REFUSED;
		}
		php_mcp_counter_call_renew(call, call->object);
		call->counter.wait_ms = wait_ms;
		call->counter.pauses = &pauses;
	}
	call->counter.pauses = NULL;
	return status;
}

/* Initialize a missing counter from the callable, unless another caller does, and add `by`. Returns MCP_OK with the
 * number, MCP_EXISTS if the counter exists now, else a status that was or must be thrown. Runs user code: `call` is
 * renewed. */
static mcp_status initialise(mcp_counter_call *call, int64_t by, int64_t *number) {
	mcp_counter_object *object = call->object;
	mcp_counter_claim claim;
	if (!look_for_recursion(call)) {
		return MCP_REFUSED;
	}
	mcp_status status = elect(call, &claim);
	if (status != MCP_OK) {
		return status;
	}
	int64_t initial;
	election *won = begin_election(object, &claim);
	bool is_done = compute(object, &initial);
	php_mcp_counter_call_renew(call, object);
	status = is_done ? mcp_counter_start(&call->counter, initial, by, number) : MCP_REFUSED;
	end_election(won);
	return status;
}

/* Add `by` to the counter, or to its initial number, and store the result. */
static mcp_status php_mcp_counter_initial_add(mcp_counter_call *call, int64_t by, int64_t *number) {
	if (Z_TYPE(call->object->initial) == IS_UNDEF) {
		return mcp_counter_start(&call->counter, call->object->initial_number, by, number);
	}
	mcp_status status = MCP_EXISTS;
	for (int round = 0; round < ROUNDS_MAX && status == MCP_EXISTS; round++) {
		status = mcp_counter_add(&call->counter, by, number);
		if (status != MCP_NOT_FOUND) {
			return status;
		}
		status = initialise(call, by, number);
	}
	return status == MCP_EXISTS ? MCP_REFUSED : status;
}

/* Initial number of a missing counter: an integer is not stored, a callable's result is. */
static mcp_status php_mcp_counter_initial_read(mcp_counter_call *call, int64_t *number) {
	mcp_status status = MCP_EXISTS;
	for (int round = 0; round < ROUNDS_MAX && status == MCP_EXISTS; round++) {
		status = mcp_counter_read(&call->counter, number);
		if (status != MCP_NOT_FOUND) {
			return status;
		}
		if (Z_TYPE(call->object->initial) == IS_UNDEF) {
			*number = call->object->initial_number;
			return MCP_OK;
		}
		status = initialise(call, 0, number);
	}
	return status == MCP_EXISTS ? MCP_REFUSED : status;
}

#define DEFAULT_WAIT_MS 2500

static zend_object_handlers handlers;

static zend_object *create(zend_class_entry *type) {
	return php_mcp_object_create(type, &handlers);
}

static void free_object(zend_object *std) {
	php_mcp_counter_object_free(php_mcp_counter_object_from(std));
	zend_object_std_dtor(std);
}

static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	mcp_counter_object *object = php_mcp_counter_object_from(std);
	zval info;
	ZVAL_ARR(&info, php_mcp_pooled_object_begin_debug_info(object->pool, is_temporary));
	if (object->pool == NULL) {
		return Z_ARRVAL(info);
	}
	add_assoc_str(&info, "name", zend_string_copy(object->name));
	if (Z_ISUNDEF(object->initial)) {
		add_assoc_long(&info, "initial", (zend_long)object->initial_number);
	} else {
		Z_TRY_ADDREF(object->initial);
		add_assoc_zval(&info, "initial", &object->initial);
	}
	php_mcp_object_add_seconds(Z_ARRVAL(info), "ttl", object->ttl_ms);
	php_mcp_object_add_seconds(Z_ARRVAL(info), "wait", object->wait_ms);
	php_mcp_when_down_show(&info, &object->when_down);
	return Z_ARRVAL(info);
}

/* Report the callable, which may reference the counter. */
static HashTable *get_gc(zend_object *std, zval **table, int *count) {
	mcp_counter_object *object = php_mcp_counter_object_from(std);
	return php_mcp_pooled_object_show_held(object->pool, &object->initial, table, count);
}

/* Parse an int as PHP does, or a callable. Returns false with an exception. */
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

/* Construct the object. Returns false with an exception; the object then stays unchanged. */
static bool construct(mcp_counter_object *object, const counter_arguments *arguments) {
	mcp_pool *pool = php_mcp_class_pool_get(arguments->pool);
	if (pool == NULL) {
		return false;
	}
	if (ZSTR_LEN(arguments->name) == 0) {
		zend_argument_value_error(2, "must not be empty");
		return false;
	}
	uint64_t ttl_ms = 0;
	uint64_t wait_ms = DEFAULT_WAIT_MS;
	if (arguments->ttl != NULL &&
		!php_mcp_duration_parse(arguments->ttl, 4, MCP_DURATION_ANY, &ttl_ms)) {
		return false;
	}
	if (arguments->wait != NULL &&
		!php_mcp_duration_parse(arguments->wait, 5, MCP_DURATION_ANY, &wait_ms)) {
		return false;
	}
	int64_t number = 0;
	zval callable = {0};
	ZVAL_UNDEF(&callable);
	if (arguments->initial != NULL && !parse_initial(arguments->initial, 3, &number, &callable)) {
		return false;
	}
	/* A deprecation handler may have constructed the object meanwhile. */
	if (!php_mcp_object_require_new(&object->std, object->pool)) {
		zval_ptr_dtor(&callable);
		return false;
	}
	object->initial_number = number;
	ZVAL_COPY_VALUE(&object->initial, &callable);
	object->ttl_ms = ttl_ms;
	object->wait_ms = wait_ms;
	object->when_down = php_mcp_when_down_of(arguments->when_down, arguments->throws_when_down);
	object->name = zend_string_copy(arguments->name);
	object->pool = php_mcp_pool_hold(pool);
	php_mcp_pool_key_keep(&object->kept, MCP_SPACE_COUNTER, pool, object->name);
	return true;
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

	mcp_counter_object *object = php_mcp_counter_object_from(Z_OBJ_P(ZEND_THIS));
	if (php_mcp_object_require_new(&object->std, object->pool)) {
		construct(object, &arguments);
	}
}

static bool steps_in(const mcp_counter_call *call, mcp_status status) {
	mcp_counter_object *object = call->object;
	return php_mcp_when_down_steps_in(&object->when_down, status, object->pool, &object->kept.key,
		object->name);
}

/* Return the number, or throw a failure not thrown yet. */
static zend_always_inline void answer_number(const mcp_counter_call *call, mcp_status status,
	int64_t number, const char *action, zval *return_value) {
	if (EG(exception) == NULL && status != MCP_OK) {
		if (steps_in(call, status)) {
			RETURN_LONG(call->object->when_down.answer);
		}
		php_mcp_counter_call_throw(call, status, action);
	}
	if (EG(exception) != NULL) {
		RETURN_THROWS();
	}
	RETURN_LONG((zend_long)number);
}

static void answer_count(zend_object *std, int64_t by, const char *action, zval *return_value) {
	mcp_counter_call call;
	if (!php_mcp_counter_call_begin(&call, std)) {
		RETURN_THROWS();
	}
	int64_t number = 0;
	mcp_status status = php_mcp_counter_initial_add(&call, by, &number);
	answer_number(&call, status, number, action, return_value);
}

ZEND_METHOD(McPatterns_Counter, increment) {
	zend_long by = 1;
	ZEND_PARSE_PARAMETERS_START(0, 1)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(by)
	ZEND_PARSE_PARAMETERS_END();
	answer_count(Z_OBJ_P(ZEND_THIS), by, "increment the counter", return_value);
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
	answer_count(Z_OBJ_P(ZEND_THIS), -by, "decrement the counter", return_value);
}

ZEND_METHOD(McPatterns_Counter, value) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_counter_call call;
	if (!php_mcp_counter_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	int64_t number = 0;
	mcp_status status = php_mcp_counter_initial_read(&call, &number);
	answer_number(&call, status, number, "read the counter", return_value);
}

ZEND_METHOD(McPatterns_Counter, set) {
	zend_long value;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_LONG(value)
	ZEND_PARSE_PARAMETERS_END();

	mcp_counter_call call;
	if (!php_mcp_counter_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	if (value < 0) {
		zend_argument_value_error(1, "must be greater than or equal to 0");
		RETURN_THROWS();
	}
	mcp_status status = mcp_counter_set(&call.counter, value);
	if (status != MCP_OK) {
		php_mcp_counter_call_throw(&call, status, "set the counter");
	}
}

ZEND_METHOD(McPatterns_Counter, reset) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_counter_call call;
	if (!php_mcp_counter_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_status status = mcp_counter_reset(&call.counter);
	if (status != MCP_OK) {
		php_mcp_counter_call_throw(&call, status, "reset the counter");
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
	if (!php_mcp_counter_call_begin(&call, Z_OBJ_P(ZEND_THIS)) ||
		!php_mcp_counter_drain_into(&call, &store, &taken)) {
		RETURN_THROWS();
	}
	RETURN_LONG((zend_long)taken);
}

ZEND_METHOD(McPatterns_Counter, drainMany) {
	zend_object *pool_object;
	zval *names;
	mcp_user_call store = php_mcp_user_call_none();
	zend_long drained;
	ZEND_PARSE_PARAMETERS_START(3, 3)
		Z_PARAM_OBJ_OF_CLASS(pool_object, php_mcp_pool_class_entry)
		Z_PARAM_ITERABLE(names)
		Z_PARAM_FUNC(store.info, store.cache)
	ZEND_PARSE_PARAMETERS_END();

	mcp_pool *pool = php_mcp_class_pool_get(pool_object);
	if (pool == NULL || !php_mcp_counter_drain_many(pool, names, 2, &store, &drained)) {
		RETURN_THROWS();
	}
	RETURN_LONG(drained);
}

void php_mcp_class_counter_register(void) {
	zend_class_entry *class_entry = register_class_McPatterns_Counter();
	class_entry->create_object = create;
	php_mcp_object_handlers_init(&handlers, offsetof(mcp_counter_object, std), free_object);
	handlers.get_gc = get_gc;
	handlers.get_debug_info = get_debug_info;
}
