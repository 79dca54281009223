/* Counter::drainMany(): drains any number of counters in batches. User code stores each batch; an unstored batch is
 * restored before the next one is read. One give-back node owns a batch's amounts until they are stored. */
/* SPDX-License-Identifier: MIT */
#include "../../patterns/counter/counter_many.h"
#include "../engine/interrupt.h"
#include "../engine/user_call.h"
#include "../host/environment.h"
#include "../host/give_back.h"
#include "../objects/failure.h"
#include "../pool/class_pool.h"
#include "../pooled/pooled_object.h"

#include "ext/spl/spl_iterators.h"

/* Names per call of the store callback. */
#define BATCH_MAX MCP_COUNTER_MANY_MAX
/* Number of the parameter with the names. */
#define NAMES 2

/* Why an amount was not stored, in order of severity. */
typedef enum grievance {
	OF_WHAT_IS_STORED,
	OF_A_SERVER,
	OF_AN_OUTCOME, /* outcome of the drain unknown */
	GRIEVANCES,
} grievance;

/* First counter of one kind, and their number. */
typedef struct trouble {
	zend_string *name; /* a reference; NULL: none */
	mcp_status status;
	size_t count;
	int64_t amount;
} trouble;

/* On the heap, because a fatal error in user code removes the C frame. The pool, an argument of the running method,
 * outlives it. */
typedef struct draining {
	mcp_give_back node;
	mcp_pool *pool;
	mcp_user_call *store;
	zend_long drained;
	bool has_stopped; /* with an exception, or because the engine is exiting */
	trouble troubles[GRIEVANCES];
	HashTable batch; /* unique names */
	void *memory;    /* for the fields below, sized by the first batch; NULL before it */
	/* Names with drained but unstored amounts. Borrowed from the table. */
	size_t count;
	zend_string **names;
	mcp_counter_one *ones;
	mcp_key_buffer *buffers;
	mcp_counter_room room;
} draining;

/* Recreate the counter: user code may have closed its connections. */
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

/* `verb`: with a place for the amount. */
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

/* Throw each with the next less severe one as its previous exception. */
static void throw_troubles(draining *self) {
	for (int kind = 0; kind < GRIEVANCES; kind++) {
		if (self->troubles[kind].count > 0) {
			throw_trouble(self, &self->troubles[kind],
				kind == OF_AN_OUTCOME ? "take %lld from" : "drain");
		}
	}
}

static void give_back(mcp_give_back *node) {
	draining *self = (draining *)((char *)node - offsetof(draining, node));
	mcp_counter counter = counter_of(self);
	mcp_counter_give_back_many(&counter, self->ones, self->count, &self->room);
}

/* Chain it onto the exception that prevented the store. */
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

/* Calls user code. */
static bool call_store(draining *self) {
	zval amounts;
	zval result;
	array_init_size(&amounts, (uint32_t)self->count);
	for (size_t i = 0; i < self->count; i++) {
		zval amount;
		ZVAL_LONG(&amount, (zend_long)self->ones[i].taken);
		zend_symtable_update(Z_ARRVAL(amounts), self->names[i], &amount);
	}
	bool is_stored = php_mcp_user_call_run(self->store, &amounts, &result);
	zval_ptr_dtor(&result);
	zval_ptr_dtor(&amounts);
	return is_stored && EG(exception) == NULL; /* the result's destructor may have thrown */
}

/* Store the batch, or restore it. Returns false with an exception, or if the engine is exiting. */
static bool store_taken(draining *self) {
	self->node.is_lost_otherwise = true;
	self->node.is_a_calls = true;
	php_mcp_give_back_register(&self->node, give_back);
	if (call_store(self)) {
		php_mcp_give_back_unregister(&self->node);
		self->drained += (zend_long)self->count;
		return true;
	}
	php_mcp_give_back_now(&self->node);
	throw_what_was_not_given_back(self);
	return false;
}

/* Allocate for the first batch: no later one is longer. */
static void make_room(draining *self, size_t count) {
	if (self->memory != NULL) {
		return;
	}
	size_t each = sizeof(*self->ones) + sizeof(*self->names) + sizeof(*self->buffers);
	size_t shared = mcp_counter_room_size(count);
	self->memory = safe_emalloc(count, each, shared);
	self->room = mcp_counter_room_in(self->memory, count);
	self->ones = (mcp_counter_one *)((char *)self->memory + shared);
	self->names = (zend_string **)(self->ones + count);
	self->buffers = (mcp_key_buffer *)(self->names + count);
}

static size_t name_all(draining *self) {
	make_room(self, zend_hash_num_elements(&self->batch));
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

/* Keep the names with a drained amount, and record failures. */
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

/* Drain and store a batch. Also runs the user's signal handlers, which would not run while there is nothing to
 * store. */
static bool drain_batch(draining *self) {
	if (zend_hash_num_elements(&self->batch) == 0) {
		return true;
	}
	if (php_mcp_interrupt_is_pending(php_mcp_environment_get()) && !php_mcp_interrupt_run()) {
		return false;
	}
	mcp_counter counter = counter_of(self);
	size_t count = name_all(self);
	mcp_counter_drain_many(&counter, self->ones, count, &self->room);
	keep_taken(self, count);
	bool is_done = self->count == 0 || store_taken(self);
	zend_hash_clean(&self->batch);
	return is_done;
}

/* Add a name: a string, or an integer that an array made from a numeric string. Returns false with an exception. */
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

static void end(draining *ended) {
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

ZEND_METHOD(McPatterns_Counter, drainMany);
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
	end(self);
	if (EG(exception) != NULL) {
		RETURN_THROWS();
	}
	RETURN_LONG(drained);
}
