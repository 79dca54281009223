/* The class McPatterns\UniqueVisitors: its object, constructor and methods. */
/* SPDX-License-Identifier: MIT */
#include "../../patterns/unique_visitors/unique_visitors.h"
#include "../../core/envelope/signature.h"
#include "../../core/vendor/xxh64.h"
#include "../pool/class_pool.h"
#include "../objects/classes.h"
#include "../host/environment.h"
#include "../objects/failure.h"
#include "../pooled/pooled_object.h"
#include "../objects/options.h"
#include "php_mcpatterns.h"

#include "class_unique_visitors_arginfo.h"

#define DEFAULT_WINDOW_S 86400
#define DEFAULT_SLOTS 24
#define SLOTS_MAX 1000
#define DEFAULT_PRECISION 12

typedef struct unique_object {
	mcp_window window;
	unsigned precision;
	mcp_named_object named;
} unique_object;

/* Arguments of the pattern, on the stack of a method. */
typedef struct unique_call {
	const unique_object *object;
	mcp_unique unique;
} unique_call;

static zend_class_entry *class_entry;

static void show(const mcp_named_object *named, zval *info) {
	const unique_object *object = php_mcp_named_object_derived(&named->std);
	php_mcp_options_show_window(Z_ARRVAL_P(info), "window", &object->window);
	add_assoc_long(info, "precision", object->precision);
	php_mcp_when_down_show(info, &named->when_down, false);
}

void php_mcp_class_unique_visitors_free_known(mcp_unique_known *known) {
	if (known != NULL) {
		mcp_unique_known_free(known);
		pefree(known, true);
	}
}

/* Begin a call. Returns false with an Error if the object was never constructed. */
static bool begin_unique_call(unique_call *call, zend_object *std) {
	const unique_object *object = php_mcp_named_object_get(std);
	if (object == NULL) {
		return false;
	}
	if (MCP_G(unique_known) == NULL) {
		MCP_G(unique_known) = pecalloc(1, sizeof(mcp_unique_known), true);
	}
	call->object = object;
	call->unique = (mcp_unique){
		.store = php_mcp_pool_store(object->named.pool),
		.environment = php_mcp_environment_get(),
		.key = &object->named.kept.key,
		.window = object->window,
		.precision = object->precision,
		.known = MCP_G(unique_known),
	};
	return true;
}

static void throw_failure(const unique_call *call, mcp_status status, const char *action) {
	const mcp_named_object *named = &call->object->named;
	mcp_bytes name = php_mcp_bytes_of(named->name);
	if (status == MCP_NOT_A_NUMBER) {
		php_mcp_failure_throw_because(status, action, name,
			"the stored item is not a sketch of this precision");
	} else if (status == MCP_NOT_STORED) {
		php_mcp_failure_throw_about(php_mcp_stored_value_exception, "The unique visitors", name,
			"has no space for the hit: the item of its slot is full, or the server is out of memory");
	} else {
		php_mcp_named_object_throw(named, status, action, call->unique.store);
	}
}

/* Throw the failure unless `asked`, the default of the object whose method was called, covers it. */
static void fail_unique_call(const unique_call *call, mcp_status status, const mcp_when_down *asked,
	const char *action) {
	const mcp_named_object *named = &call->object->named;
	if (!php_mcp_when_down_steps_in(asked, status, named, &named->kept.key)) {
		throw_failure(call, status, action);
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

	unique_object *object = php_mcp_named_object_derived(Z_OBJ_P(ZEND_THIS));
	mcp_pool *pool = php_mcp_named_object_judge_new(&object->named, pool_object, name);
	if (pool == NULL ||
		!php_mcp_options_judge_window(window_s, slots, SLOTS_MAX, &object->window) ||
		!php_mcp_options_is_between(5, precision, MCP_HYPERLOGLOG_PRECISION_MIN,
			MCP_HYPERLOGLOG_PRECISION_MAX)) {
		RETURN_THROWS();
	}
	object->precision = (unsigned)precision;
	object->named.when_down = php_mcp_when_down_of(when_down, throws_when_down);
	php_mcp_named_object_construct(&object->named, MCP_SPACE_UNIQUE, pool, name);
}

/* Hash the visitor without the name, so that a union counts each visitor once. Without a signing key, a forged
 * collision can hide a visitor, and chosen names can inflate the number. */
static uint64_t hash_of(const mcp_pool *pool, const zend_string *visitor) {
	const mcp_signing_keys *keys = php_mcp_pool_format(pool)->signing_keys;
	return keys != NULL ? mcp_signature_hash(keys, php_mcp_bytes_of(visitor))
						: XXH64(ZSTR_VAL(visitor), ZSTR_LEN(visitor), 0);
}

ZEND_METHOD(McPatterns_UniqueVisitors, hit) {
	zend_string *visitor;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(visitor)
	ZEND_PARSE_PARAMETERS_END();

	unique_call call;
	if (!begin_unique_call(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_status status = mcp_unique_hit(&call.unique, hash_of(call.object->named.pool, visitor));
	if (status != MCP_OK) {
		fail_unique_call(&call, status, &call.object->named.when_down,
			"count a visitor in the unique visitors");
	}
}

static mcp_read_scratch make_scratch(const unique_object *object, mcp_unique_scratch *scratch) {
	mcp_read_scratch reads = php_mcp_read_scratch_make(object->window.slots,
		mcp_hyperloglog_registers(object->precision));
	*scratch = (mcp_unique_scratch){reads.keys, reads.buffers, reads.replies, reads.rest};
	return reads;
}

/* Read the slots. Returns false with an exception, or without one if `asked` replaces the result. */
static bool read_slots(zend_object *std, const mcp_when_down *asked, mcp_unique_visitor visit,
	void *context) {
	unique_call call;
	if (!begin_unique_call(&call, std)) {
		return false;
	}
	mcp_unique_scratch scratch;
	mcp_read_scratch reads = make_scratch(call.object, &scratch);
	mcp_status status = mcp_unique_read(&call.unique, &scratch, visit, context);
	efree(reads.keys);
	if (status != MCP_OK) {
		fail_unique_call(&call, status, asked, "read the unique visitors");
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

/* Returns false with a TypeError, Error or ValueError if the objects cannot be united. */
static bool judge_others(zval *others, uint32_t count, unsigned precision) {
	for (uint32_t i = 0; i < count; i++) {
		if (Z_TYPE(others[i]) != IS_OBJECT || Z_OBJCE(others[i]) != class_entry) {
			zend_argument_type_error(i + 1, "must be of type %s, %s given",
				ZSTR_VAL(class_entry->name), zend_zval_type_name(&others[i]));
			return false;
		}
		const unique_object *other = php_mcp_named_object_get(Z_OBJ(others[i]));
		if (other == NULL) {
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

	const unique_object *object = php_mcp_named_object_get(Z_OBJ_P(ZEND_THIS));
	if (object == NULL || !judge_others(others, other_count, object->precision)) {
		RETURN_THROWS();
	}
	united all = {
		.precision = object->precision,
		.registers = ecalloc(1, mcp_hyperloglog_registers(object->precision)),
	};
	const mcp_when_down *when_down = &object->named.when_down;
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
	slots_shown shown = {php_mcp_named_object_derived(Z_OBJ_P(ZEND_THIS)), return_value};
	array_init(return_value);
	if (!read_slots(Z_OBJ_P(ZEND_THIS), &shown.object->named.when_down, show_slot, &shown)) {
		zval_ptr_dtor(return_value);
		RETURN_EMPTY_ARRAY();
	}
}

ZEND_METHOD(McPatterns_UniqueVisitors, reset) {
	ZEND_PARSE_PARAMETERS_NONE();
	unique_call call;
	if (!begin_unique_call(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_unique_scratch scratch;
	mcp_read_scratch reads = make_scratch(call.object, &scratch);
	mcp_status *statuses = safe_emalloc(call.object->window.slots, sizeof(mcp_status), 0);
	mcp_status status = mcp_unique_reset(&call.unique, &scratch, statuses);
	efree(statuses);
	efree(reads.keys);
	if (status != MCP_OK) {
		throw_failure(&call, status, "reset the unique visitors");
	}
}

void php_mcp_class_unique_visitors_register(void) {
	static mcp_named_class unique = {.offset = offsetof(unique_object, named), .show = show};
	class_entry = register_class_McPatterns_UniqueVisitors();
	php_mcp_named_class_register(&unique, class_entry);
}
