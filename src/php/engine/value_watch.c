/* Watches, with the engine's hooks, the encoding or decoding of a value: which code throws, and whether an object of
 * a missing class is created. Silences errors as the @ operator does. Prepares a value for serialize(). */
/* SPDX-License-Identifier: MIT */
#include "value_watch.h"

#include "../../core/serialized/serialized.h"
#include "compat.h"
#include "php_mcpatterns.h"
#include "user_call.h"

#include "ext/standard/php_incomplete_class.h"
#include "zend_exceptions.h"

static bool is_ours(const zend_function *function) {
	return function->type == ZEND_INTERNAL_FUNCTION &&
		function->internal_function.module == &mcpatterns_module_entry;
}

/* --- exceptions: inspected when thrown, because an exception can have a forged origin --- */

/* Hook of another extension, called after this extension's hook. Written at start-up. */
static void (*next_hook)(zend_object *exception);

/* Find the running method of this module, if it has called nothing but methods of internal classes; otherwise NULL.
 * Because spl_autoload() is not a method, the exceptions of a file that it loads count as exceptions of user code. */
static const zend_execute_data *find_method(void) {
	const zend_execute_data *frame = EG(current_execute_data);
	for (; frame != NULL && frame->func != NULL; frame = frame->prev_execute_data) {
		if (is_ours(frame->func)) {
			return frame;
		}
		if (frame->func->type != ZEND_INTERNAL_FUNCTION || frame->func->common.scope == NULL) {
			break;
		}
	}
	return NULL;
}

static void note_throw(const zend_object *exception) {
	mcp_engine_throw *last = &MCP_G(engine_throw);
	const zend_execute_data *method = find_method();
	if (method != NULL) {
		*last = (mcp_engine_throw){.exception = exception, .method = method};
		return;
	}
	last->by_user = exception;
	if (last->exception == exception) {
		/* The recorded exception was freed, and this one has its address. */
		*last = (mcp_engine_throw){0};
	}
}

/* This relies on the engine to call zend_throw_exception_hook at each throw, before it unwinds the stack. Tested by
 * value/refuse_what_cannot_be_stored.phpt. */
static void see_throw(zend_object *exception) {
	if (exception != NULL) { /* NULL: the engine rethrows an older exception */
		note_throw(exception);
	}
	if (next_hook != NULL) {
		next_hook(exception);
	}
}

/* Follow the previous exceptions, because the hook misses a throw while an exception is pending. User code that runs
 * then is a destructor, whose throws the hook sees. Therefore, an exception that the hook missed is the engine's if
 * the pending exception was. */
static bool is_or_follows(zend_object *exception, const mcp_engine_throw *last) {
	while (exception != NULL && exception != last->exception && exception != last->by_user) {
		zval buffer;
		zval *previous = php_mcp_exception_property_read(exception, ZEND_STR_PREVIOUS, &buffer);
		ZVAL_DEREF(previous);
		exception = Z_TYPE_P(previous) == IS_OBJECT ? Z_OBJ_P(previous) : NULL;
	}
	return exception != NULL && exception == last->exception;
}

bool php_mcp_engine_throw_is_pending(void) {
	zend_object *exception = EG(exception);
	if (php_mcp_user_call_is_exit(exception)) {
		return false;
	}
	const mcp_engine_throw *last = &MCP_G(engine_throw);
	return last->method == EG(current_execute_data) && is_or_follows(exception, last);
}

/* --- incomplete objects: recorded when created, because a search in each value would slow down every hit --- */

/* The previous create_object, written at start-up. NULL: the class had none. */
static zend_object *(*create_as_before)(zend_class_entry *class_entry);

static zend_ulong this_frame(void) {
	return (zend_ulong)(uintptr_t)EG(current_execute_data);
}

/* This relies on the engine: it must create an object of a missing class with create_object of
 * __PHP_Incomplete_Class, while the unserializing function is the current one. Tested by
 * cache/value/incomplete_objects_are_misses.phpt. */
static zend_object *create(zend_class_entry *class_entry) {
	/* Do not record an object that an unserialize() of user code creates. */
	const zend_execute_data *frame = EG(current_execute_data);
	if (frame != NULL && frame->func != NULL && is_ours(frame->func)) {
		if (MCP_REQUEST(incomplete_makers) == NULL) {
			ALLOC_HASHTABLE(MCP_REQUEST(incomplete_makers));
			zend_hash_init(MCP_REQUEST(incomplete_makers), 8, NULL, NULL, false);
		}
		zend_hash_index_add_empty_element(MCP_REQUEST(incomplete_makers), this_frame());
	}
	if (create_as_before != NULL) {
		return create_as_before(class_entry);
	}
	zend_object *object = zend_objects_new(class_entry);
	object_properties_init(object, class_entry);
	return object;
}

/* --- errors: error_reporting is marked as modified, so that request end restores it after a fatal error --- */

/* This relies on the engine to restore EG(modified_ini_directives) at request end. Tested by
 * lifecycle/fatal_error_in_a_value_silences_no_later_request.phpt. */
static void count_as_changed(void) {
	if (EG(error_reporting_ini_entry) == NULL) {
		EG(error_reporting_ini_entry) =
			zend_hash_find_ptr(EG(ini_directives), ZSTR_KNOWN(ZEND_STR_ERROR_REPORTING));
	}
	zend_ini_entry *setting = EG(error_reporting_ini_entry);
	if (setting == NULL || setting->modified) {
		return;
	}
	if (EG(modified_ini_directives) == NULL) {
		ALLOC_HASHTABLE(EG(modified_ini_directives));
		zend_hash_init(EG(modified_ini_directives), 8, NULL, NULL, false);
	}
	if (zend_hash_add_ptr(EG(modified_ini_directives), ZSTR_KNOWN(ZEND_STR_ERROR_REPORTING),
			setting)) {
		setting->orig_value = setting->value;
		setting->orig_modifiable = setting->modifiable;
		setting->modified = true;
	}
}

int php_mcp_value_watch_begin(void) {
	int level = EG(error_reporting);
	if (!E_HAS_ONLY_FATAL_ERRORS(level)) {
		EG(error_reporting) &= E_FATAL_ERRORS;
		count_as_changed();
	}
	return level;
}

bool php_mcp_value_watch_end(int level) {
	/* If user code has set another level meanwhile, keep that level. */
	if (E_HAS_ONLY_FATAL_ERRORS(EG(error_reporting)) && !E_HAS_ONLY_FATAL_ERRORS(level)) {
		EG(error_reporting) = level;
	}
	HashTable *makers = MCP_REQUEST(incomplete_makers);
	bool was_made = makers != NULL && zend_hash_index_del(makers, this_frame()) == SUCCESS;
	if (was_made && zend_hash_num_elements(makers) == 0) {
		zend_array_destroy(makers);
		MCP_REQUEST(incomplete_makers) = NULL;
	}
	return was_made;
}

void php_mcp_value_watch_register(void) {
	next_hook = zend_throw_exception_hook;
	zend_throw_exception_hook = see_throw;
	create_as_before = php_ce_incomplete_class->create_object;
	php_ce_incomplete_class->create_object = create;
}

void php_mcp_value_watch_unregister(void) {
	if (php_ce_incomplete_class->create_object == create) {
		php_ce_incomplete_class->create_object = create_as_before;
	}
	if (zend_throw_exception_hook == see_throw) {
		zend_throw_exception_hook = next_hook;
	}
}

/* --- arrays of a value, each checked once even if shared --- */

/* Finds values that serialize() would silently change (a resource becomes 0), values that no process could read, and
 * arrays that user code could free. */

typedef struct judging {
	HashTable heights; /* shared array => height; 0 during its check */
	bool has_referred; /* a reference leads to an array */
	const char *mistake;
} judging;

static uint32_t height_of(judging *judge, zval *value, uint32_t depth);

static uint32_t height_of_elements(judging *judge, HashTable *array, uint32_t depth) {
	uint32_t highest = 0;
	zval *element;
	ZEND_HASH_FOREACH_VAL(array, element) {
		uint32_t height = Z_TYPE_P(element) > IS_STRING ? height_of(judge, element, depth) : 0;
		highest = MAX(highest, height);
		if (judge->mistake != NULL) {
			break;
		}
	}
	ZEND_HASH_FOREACH_END();
	return highest;
}

static uint32_t height_of_shared(judging *judge, HashTable *array, uint32_t depth) {
	zval height;
	zend_ulong address = (zend_ulong)(uintptr_t)array;
	ZVAL_LONG(&height, 0);
	zend_hash_index_add_new(&judge->heights, address, &height);
	ZVAL_LONG(&height, 1 + height_of_elements(judge, array, depth + 1));
	zend_hash_index_update(&judge->heights, address, &height);
	return (uint32_t)Z_LVAL(height);
}

/* Returns the number of levels of nested arrays in the value. A repeated reference counts as 0, because it is
 * serialized as a back reference. This includes an array that contains itself. */
static uint32_t height_of(judging *judge, zval *value, uint32_t depth) {
	bool is_reference = Z_ISREF_P(value) && Z_REFCOUNT_P(value) > 1;
	ZVAL_DEREF(value);
	if (Z_TYPE_P(value) == IS_RESOURCE) {
		judge->mistake = "the value contains a resource";
	}
	/* Immutable arrays are literals, which cannot contain a resource. */
	if (Z_TYPE_P(value) != IS_ARRAY || !Z_REFCOUNTED_P(value)) {
		return 0;
	}
	judge->has_referred = judge->has_referred || is_reference;
	HashTable *array = Z_ARRVAL_P(value);
	bool is_shared = is_reference || GC_REFCOUNT(array) > 1;
	zval *known =
		is_shared ? zend_hash_index_find(&judge->heights, (zend_ulong)(uintptr_t)array) : NULL;
	uint32_t height = known != NULL && !is_reference ? (uint32_t)Z_LVAL_P(known) : known == NULL;
	if (depth + height > MCP_SERIALIZED_DEPTH_MAX) {
		judge->mistake = MCP_STORABLE_TOO_DEEP;
	}
	if (known != NULL || judge->mistake != NULL) {
		return height;
	}
	return is_shared ? height_of_shared(judge, array, depth)
					 : 1 + height_of_elements(judge, array, depth + 1);
}

/* Copies each reference and each shared array only once, so that the copy is serialized like the original. `copies`:
 * address of an original => its copy, borrowed. */
static void copy_value(HashTable *copies, zval *to, zval *from);

static bool copy_known(HashTable *copies, zval *to, const void *original) {
	zval *known = zend_hash_index_find(copies, (zend_ulong)(uintptr_t)original);
	if (known != NULL) {
		ZVAL_COPY(to, known);
	}
	return known != NULL;
}

static void copy_reference(HashTable *copies, zval *to, zval *from) {
	const zend_reference *original = Z_REF_P(from);
	if (copy_known(copies, to, original)) {
		return;
	}
	ZVAL_NEW_EMPTY_REF(to);
	ZVAL_NULL(Z_REFVAL_P(to));
	/* Record the copy before its contents are copied, because the array can contain itself. */
	zend_hash_index_update(copies, (zend_ulong)(uintptr_t)original, to);
	zval inner;
	copy_value(copies, &inner, Z_REFVAL_P(from));
	ZVAL_COPY_VALUE(Z_REFVAL_P(to), &inner);
}

static void copy_array(HashTable *copies, zval *to, HashTable *original) {
	if (copy_known(copies, to, original)) {
		return;
	}
	zend_ulong number;
	zend_string *name;
	zval *element;
	array_init_size(to, zend_hash_num_elements(original));
	ZEND_HASH_FOREACH_KEY_VAL(original, number, name, element) {
		zval inner;
		copy_value(copies, &inner, element);
		if (name != NULL) {
			zend_hash_add_new(Z_ARRVAL_P(to), name, &inner);
		} else {
			zend_hash_index_add_new(Z_ARRVAL_P(to), number, &inner);
		}
	}
	ZEND_HASH_FOREACH_END();
	if (GC_REFCOUNT(original) > 1) {
		zend_hash_index_update(copies, (zend_ulong)(uintptr_t)original, to);
	}
}

static void copy_value(HashTable *copies, zval *to, zval *from) {
	if (Z_ISREF_P(from) && Z_REFCOUNT_P(from) > 1) {
		copy_reference(copies, to, from);
		return;
	}
	ZVAL_DEREF(from);
	if (Z_TYPE_P(from) == IS_ARRAY && Z_REFCOUNTED_P(from)) {
		copy_array(copies, to, Z_ARRVAL_P(from));
	} else {
		ZVAL_COPY(to, from);
	}
}

const char *php_mcp_value_watch_copy_storable(zval *held, zval *value) {
	judging judge = {.mistake = NULL};
	zend_hash_init(&judge.heights, 8, NULL, NULL, false);
	height_of(&judge, value, 0);
	zend_hash_destroy(&judge.heights);
	if (judge.mistake != NULL || !judge.has_referred) {
		ZVAL_COPY(held, value);
		return judge.mistake;
	}
	HashTable copies;
	zend_hash_init(&copies, 8, NULL, NULL, false);
	copy_value(&copies, held, value);
	zend_hash_destroy(&copies);
	return NULL;
}
