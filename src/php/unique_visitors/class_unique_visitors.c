/* The class McPatterns\UniqueVisitors: its object, constructor and methods. */
/* SPDX-License-Identifier: MIT */
#include "class_unique_visitors.h"

#include "../../patterns/unique_visitors/unique_visitors.h"
#include "../../core/envelope/signature.h"
#include "../../core/vendor/xxh64.h"
#include "../pool/class_pool.h"
#include "../objects/classes.h"
#include "../engine/compat.h"
#include "../host/environment.h"
#include "../objects/failure.h"
#include "../pooled/pooled_object.h"
#include "../objects/object.h"
#include "../objects/options.h"
#include "../pool/pool.h"
#include "php_mcpatterns.h"
#include "../pooled/when_down.h"

#include "class_unique_visitors_arginfo.h"

#define DEFAULT_WINDOW_S 86400
#define DEFAULT_SLOTS 24
#define SLOTS_MAX 1000
#define DEFAULT_PRECISION 12

typedef struct unique_object {
	mcp_window window;
	unsigned precision;
	mcp_when_down when_down;
	mcp_named_object named;
} unique_object;

/* Arguments of the pattern, on the stack of a method. */
typedef struct unique_call {
	const unique_object *object;
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_unique unique;
} unique_call;

static zend_class_entry *class_entry;
static zend_object_handlers handlers;

static unique_object *from_std(zend_object *object) {
	return (unique_object *)((char *)object - offsetof(unique_object, named.std));
}

static zend_object *create(zend_class_entry *type) {
	return php_mcp_object_create(type, &handlers);
}

static HashTable *get_debug_info(zend_object *std, int *is_temporary) {
	const unique_object *object = from_std(std);
	zval info;
	ZVAL_ARR(&info, php_mcp_named_object_begin_debug_info(&object->named, is_temporary));
	if (object->named.pool != NULL) {
		php_mcp_window_arguments_show(Z_ARRVAL(info), "window", &object->window);
		add_assoc_long(&info, "precision", object->precision);
		php_mcp_when_down_show(&info, &object->when_down);
	}
	return Z_ARRVAL(info);
}

/* The thread's data about slots, created at the first hit. */
static mcp_unique_known *known_ones(void) {
	if (MCP_G(unique_known) == NULL) {
		MCP_G(unique_known) = pecalloc(1, sizeof(mcp_unique_known), true);
	}
	return MCP_G(unique_known);
}

void php_mcp_class_unique_visitors_free_known(mcp_unique_known *known) {
	if (known != NULL) {
		mcp_unique_known_free(known);
		pefree(known, true);
	}
}

/* Begin a call. Returns false with an Error if the object was never constructed. */
static bool begin(unique_call *call, zend_object *std) {
	const unique_object *object = from_std(std);
	if (!php_mcp_object_require_constructed(std, object->named.pool)) {
		return false;
	}
	call->object = object;
	call->key = php_mcp_pool_key_make(MCP_SPACE_UNIQUE, object->named.pool, object->named.name,
		&call->buffer);
	call->unique = (mcp_unique){
		.store = php_mcp_pool_store(object->named.pool),
		.environment = php_mcp_environment_get(),
		.key = &call->key,
		.window = object->window,
		.precision = object->precision,
		.known = known_ones(),
	};
	return true;
}

/* Apply `asked`, the default of the object whose method was called. */
static bool steps_in(const unique_call *call, mcp_status status, const mcp_when_down *asked) {
	const mcp_named_object *named = &call->object->named;
	return php_mcp_when_down_steps_in(asked, status, named->pool, &call->key, named->name);
}

static void throw_failure(const unique_call *call, mcp_status status, const char *action) {
	mcp_bytes name = php_mcp_named_object_name(&call->object->named);
	if (status == MCP_NOT_A_NUMBER) {
		php_mcp_failure_throw_because(status, action, name,
			"the stored item is not a sketch of this precision");
	} else if (status == MCP_NOT_STORED) {
		php_mcp_failure_throw_about(php_mcp_stored_value_exception, "The unique visitors", name,
			"has no space for the hit: the item of its slot is full, or the server is out of memory");
	} else {
		php_mcp_failure_throw_for_key(status, action, name, call->unique.store, &call->key);
	}
}

ZEND_METHOD(McPatterns_UniqueVisitors, __construct) {
	zend_object *pool_object;
	zend_string *name;
	zend_long window_s = DEFAULT_WINDOW_S;
	zend_long slots = DEFAULT_SLOTS;
	zend_long precision = DEFAULT_PRECISION;
	zend_long when_down = 0;
	bool throws_when_down = true;
	ZEND_PARSE_PARAMETERS_START(2, 6)
		Z_PARAM_OBJ_OF_CLASS(pool_object, php_mcp_pool_class_entry)
		Z_PARAM_STR(name)
		Z_PARAM_OPTIONAL
		Z_PARAM_LONG(window_s)
		Z_PARAM_LONG(slots)
		Z_PARAM_LONG(precision)
		Z_PARAM_LONG_OR_NULL(when_down, throws_when_down)
	ZEND_PARSE_PARAMETERS_END();

	unique_object *object = from_std(Z_OBJ_P(ZEND_THIS));
	if (!php_mcp_object_require_new(&object->named.std, object->named.pool)) {
		RETURN_THROWS();
	}
	mcp_pool *pool = php_mcp_named_object_judge(pool_object, name);
	if (pool == NULL ||
		!php_mcp_window_arguments_judge(window_s, slots, SLOTS_MAX, &object->window) ||
		!php_mcp_options_is_between(5, precision, MCP_HYPERLOGLOG_PRECISION_MIN,
			MCP_HYPERLOGLOG_PRECISION_MAX)) {
		RETURN_THROWS();
	}
	object->precision = (unsigned)precision;
	object->when_down = php_mcp_when_down_of(when_down, throws_when_down);
	php_mcp_named_object_hold(&object->named, pool, name);
}

/* Hash the visitor without the name, so that a union counts each visitor once. A forged collision hides one visitor,
 * and chosen names inflate the count; a signing key prevents both. */
static uint64_t hash_of(const mcp_pool *pool, const zend_string *visitor) {
	const mcp_signing_keys *keys = php_mcp_pool_format(pool)->signing_keys;
	if (keys != NULL) {
		return mcp_signature_hash(keys, mcp_bytes_of(ZSTR_VAL(visitor), ZSTR_LEN(visitor)));
	}
	return XXH64(ZSTR_VAL(visitor), ZSTR_LEN(visitor), 0);
}

ZEND_METHOD(McPatterns_UniqueVisitors, hit) {
	zend_string *visitor;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(visitor)
	ZEND_PARSE_PARAMETERS_END();

	unique_call call;
	if (!begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_status status = mcp_unique_hit(&call.unique, hash_of(call.object->named.pool, visitor));
	if (status != MCP_OK && !steps_in(&call, status, &call.object->when_down)) {
		throw_failure(&call, status, "count a visitor in the unique visitors");
	}
}

/* Allocate the buffers of a read as one block. Free with efree(). */
static void *allocate(const unique_object *object, mcp_unique_scratch *scratch) {
	size_t length = object->window.slots;
	size_t each = sizeof(mcp_key) + sizeof(mcp_reply) + sizeof(mcp_key_buffer);
	char *memory = safe_emalloc(length, each, mcp_hyperloglog_registers(object->precision));
	scratch->keys = (mcp_key *)memory;
	scratch->replies = (mcp_reply *)(scratch->keys + length);
	scratch->buffers = (mcp_key_buffer *)(scratch->replies + length);
	scratch->registers = (uint8_t *)(scratch->buffers + length);
	return memory;
}

/* Read the slots. Returns false with an exception, or without one if `asked` replaces the result. */
static bool read_slots(zend_object *std, const mcp_when_down *asked, mcp_unique_visitor visit,
	void *context) {
	unique_call call;
	if (!begin(&call, std)) {
		return false;
	}
	mcp_unique_scratch scratch;
	void *memory = allocate(call.object, &scratch);
	mcp_status status = mcp_unique_read(&call.unique, &scratch, visit, context);
	efree(memory);
	if (status != MCP_OK && !steps_in(&call, status, asked)) {
		throw_failure(&call, status, "read the unique visitors");
	}
	return status == MCP_OK;
}

typedef struct united {
	unsigned precision;
	uint8_t *registers;
} united;

static void unite(void *context, uint64_t slot, const uint8_t *registers) {
	(void)slot;
	const united *all = context;
	mcp_hyperloglog_unite(all->registers, registers, all->precision);
}

/* Returns false with a TypeError, Error or ValueError if they cannot be united. */
static bool judge_others(zval *others, uint32_t count, unsigned precision) {
	for (uint32_t i = 0; i < count; i++) {
		if (Z_TYPE(others[i]) != IS_OBJECT || Z_OBJCE(others[i]) != class_entry) {
			zend_argument_type_error(i + 1, "must be of type %s, %s given",
				ZSTR_VAL(class_entry->name), zend_zval_type_name(&others[i]));
			return false;
		}
		const unique_object *other = from_std(Z_OBJ(others[i]));
		if (!php_mcp_object_require_constructed(&other->named.std, other->named.pool)) {
			return false;
		}
		if (other->precision != precision) {
			zend_argument_value_error(i + 1, "must have the precision %u, %u given", precision,
				other->precision);
			return false;
		}
	}
	return true;
}

ZEND_METHOD(McPatterns_UniqueVisitors, count) {
	zval *others = NULL;
	uint32_t other_count = 0;
	ZEND_PARSE_PARAMETERS_START(0, -1)
		Z_PARAM_VARIADIC('*', others, other_count)
	ZEND_PARSE_PARAMETERS_END();

	const unique_object *object = from_std(Z_OBJ_P(ZEND_THIS));
	if (!php_mcp_object_require_constructed(&object->named.std, object->named.pool) ||
		!judge_others(others, other_count, object->precision)) {
		RETURN_THROWS();
	}
	united all = {
		.precision = object->precision,
		.registers = ecalloc(1, mcp_hyperloglog_registers(object->precision)),
	};
	const mcp_when_down *when_down = &object->when_down;
	bool is_read = read_slots(Z_OBJ_P(ZEND_THIS), when_down, unite, &all);
	for (uint32_t i = 0; i < other_count && is_read; i++) {
		is_read = read_slots(Z_OBJ(others[i]), when_down, unite, &all);
	}
	uint64_t number = mcp_hyperloglog_estimate(all.registers, all.precision);
	efree(all.registers);
	if (EG(exception) != NULL) {
		RETURN_THROWS();
	}
	RETURN_LONG(is_read ? (zend_long)number : when_down->answer);
}

typedef struct slots_shown {
	const unique_object *object;
	zval *array;
} slots_shown;

static void show_slot(void *context, uint64_t slot, const uint8_t *registers) {
	const slots_shown *shown = context;
	uint64_t start_s = mcp_window_slot_start_s(&shown->object->window, slot);
	uint64_t number = mcp_hyperloglog_estimate(registers, shown->object->precision);
	add_index_long(shown->array, (zend_ulong)start_s, (zend_long)number);
}

ZEND_METHOD(McPatterns_UniqueVisitors, perSlot) {
	ZEND_PARSE_PARAMETERS_NONE();
	zval array;
	slots_shown shown = {from_std(Z_OBJ_P(ZEND_THIS)), &array};
	array_init(&array);
	if (!read_slots(Z_OBJ_P(ZEND_THIS), &shown.object->when_down, show_slot, &shown)) {
		zval_ptr_dtor(&array);
		if (EG(exception) != NULL) {
			RETURN_THROWS();
		}
		RETURN_EMPTY_ARRAY();
	}
	RETURN_COPY_VALUE(&array);
}

ZEND_METHOD(McPatterns_UniqueVisitors, reset) {
	ZEND_PARSE_PARAMETERS_NONE();
	unique_call call;
	if (!begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_unique_scratch scratch;
	void *memory = allocate(call.object, &scratch);
	mcp_status *statuses = safe_emalloc(call.object->window.slots, sizeof(mcp_status), 0);
	mcp_status status = mcp_unique_reset(&call.unique, &scratch, statuses);
	efree(statuses);
	efree(memory);
	if (status != MCP_OK) {
		throw_failure(&call, status, "reset the unique visitors");
	}
}

void php_mcp_class_unique_visitors_register(void) {
	class_entry = register_class_McPatterns_UniqueVisitors();
	class_entry->create_object = create;
	php_mcp_named_object_handlers_init(&handlers, offsetof(unique_object, named.std),
		get_debug_info);
}
