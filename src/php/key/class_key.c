/* The class McPatterns\Key: builds cache keys from the canonical form of parameters. */
/* SPDX-License-Identifier: MIT */
#include "../engine/value_watch.h"
#include "../objects/classes.h"
#include "key_drift.h"
#include "zend_enum.h"
#include "zend_interfaces.h"
#include "zend_smart_str.h"
#include "zend_sort.h"
#include "ext/date/php_date.h"
#include "ext/hash/php_hash.h"
#include "ext/hash/php_hash_sha.h"
#include "ext/json/php_json.h"
#include "ext/standard/basic_functions.h"
#include "ext/standard/md5.h"
#include "ext/standard/php_var.h"
#include "php.h"
#include "php_mcpatterns.h"

#include "class_key_arginfo.h"

/* Maximum depth of a value, because the form is written by recursion. */
#define DEPTH_MAX 128

/* Containers that are being written, outermost last. A container that is found in this list contains itself. A mark on
 * the value would be visible to concurrent user code. */
typedef struct position {
	const void *container;
	const struct position *outer;
	uint32_t depth;
} position;

typedef struct writer {
	smart_str *form;
	uint32_t arg_num;
} writer;

static bool append_value(const writer *to, zval *value, const position *at);

static bool refuse_value(const writer *to, const char *what) {
	zend_argument_type_error(to->arg_num,
		"must consist of null, scalars, arrays, enums, and"
		" DateTimeInterface, JsonSerializable or Stringable objects, %s",
		what);
	return false;
}

static bool enter(position *inner, const writer *to, const void *container, const position *outer) {
	for (const position *at = outer; at != NULL; at = at->outer) {
		if (at->container == container) {
			return refuse_value(to, "and not contain itself");
		}
	}
	*inner = (position){container, outer, outer == NULL ? 1 : outer->depth + 1};
	return inner->depth <= DEPTH_MAX || refuse_value(to, "nested at most 128 levels deep");
}

static void append_count(const writer *to, char type, size_t count) {
	smart_str_appendc(to->form, type);
	smart_str_append_unsigned(to->form, count);
	smart_str_appendc(to->form, ':');
}

static void append_sized(const writer *to, char type, const char *bytes, size_t length) {
	append_count(to, type, length);
	smart_str_appendl(to->form, bytes, length);
}

static void append_string(const writer *to, const zend_string *string) {
	append_sized(to, 's', ZSTR_VAL(string), ZSTR_LEN(string));
}

static void append_int(const writer *to, zend_long number) {
	smart_str_appendc(to->form, 'i');
	smart_str_append_long(to->form, number);
	smart_str_appendc(to->form, ';');
}

/* Writes -0.0 as 0.0, because the two are equal by ===, and every NAN as the same NAN. */
static void append_float(const writer *to, double number) {
	uint64_t bits;
	number = zend_isnan(number) ? ZEND_NAN : number == 0 ? 0.0 : number;
	memcpy(&bits, &number, sizeof(bits));
	if (zend_isnan(number)) {
		bits = 0x7FF8000000000000ull;
	}
	smart_str_appendc(to->form, 'd');
	for (int shift = 56; shift >= 0; shift -= 8) {
		smart_str_appendc(to->form, (char)(bits >> shift));
	}
}

/* Append the name up to its zero byte: the rest of an anonymous class's name (path and number) differs between hosts
 * and processes. */
static void append_class(const writer *to, char type, const zend_class_entry *class_entry) {
	append_sized(to, type, ZSTR_VAL(class_entry->name), strlen(ZSTR_VAL(class_entry->name)));
}

/* Orders integers by value, then strings by bytes. */
static int compare_keys(Bucket *a, Bucket *b) {
	if (a->key == NULL || b->key == NULL) {
		if (a->key != b->key) {
			return a->key == NULL ? -1 : 1;
		}
		zend_long left = (zend_long)a->h;
		zend_long right = (zend_long)b->h;
		return left < right ? -1 : left > right;
	}
	return zend_binary_strcmp(ZSTR_VAL(a->key), ZSTR_LEN(a->key), ZSTR_VAL(b->key),
		ZSTR_LEN(b->key));
}

/* `type`: 'l' for a list, 'm' for a map in order. */
static bool append_elements(const writer *to, char type, HashTable *elements, const position *at) {
	zend_ulong number;
	zend_string *name;
	zval *element;
	append_count(to, type, zend_hash_num_elements(elements));
	ZEND_HASH_FOREACH_KEY_VAL(elements, number, name, element) {
		if (name != NULL) {
			append_string(to, name);
		} else if (type == 'm') {
			append_int(to, (zend_long)number);
		}
		if (!append_value(to, element, at)) {
			return false;
		}
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

static bool append_array(const writer *to, HashTable *array, const position *outer) {
	position at;
	if (!enter(&at, to, array, outer)) {
		return false;
	}
	if (zend_array_is_list(array)) {
		return append_elements(to, 'l', array, &at);
	}
	HashTable *sorted = zend_array_dup(array);
	zend_hash_sort(sorted, compare_keys, false);
	bool is_written = append_elements(to, 'm', sorted, &at);
	zend_array_destroy(sorted);
	return is_written;
}

/* Append the instant in microseconds, and the timezone. Uses the engine's own format(), even if a subclass overrides
 * it. */
static bool append_date(const writer *to, zend_object *object) {
	bool is_mutable = instanceof_function(object->ce, php_date_get_date_ce());
	zend_class_entry *base = is_mutable ? php_date_get_date_ce() : php_date_get_immutable_ce();
	zend_function *format = zend_hash_str_find_ptr(&base->function_table, ZEND_STRL("format"));
	zval text, pattern;
	ZVAL_STRING(&pattern, "U.u e");
	zend_call_known_function(format, object, object->ce, &text, 1, &pattern, NULL);
	zval_ptr_dtor(&pattern);
	if (EG(exception) != NULL) {
		return false;
	}
	append_sized(to, 'D', Z_STRVAL(text), Z_STRLEN(text));
	zval_ptr_dtor(&text);
	return true;
}

static bool append_json_serializable(const writer *to, zend_object *object, const position *outer) {
	position at;
	if (!enter(&at, to, object, outer)) {
		return false;
	}
	append_class(to, 'j', object->ce);
	zval data;
	zend_call_method_with_0_params(object, object->ce, NULL, "jsonserialize", &data);
	bool is_written = EG(exception) == NULL && append_value(to, &data, &at);
	zval_ptr_dtor(&data);
	return is_written;
}

static bool append_stringable(const writer *to, zend_object *object) {
	zval text;
	if (object->handlers->cast_object(object, &text, IS_STRING) == FAILURE) {
		return EG(exception) == NULL ? refuse_value(to, "which can be converted to string") : false;
	}
	append_class(to, 't', object->ce);
	append_string(to, Z_STR(text));
	zval_ptr_dtor(&text);
	return true;
}

static bool append_object(const writer *to, zend_object *object, const position *outer) {
	if (object->ce->ce_flags & ZEND_ACC_ENUM) {
		append_class(to, 'e', object->ce);
		append_string(to, Z_STR_P(zend_enum_fetch_case_name(object)));
		return true;
	}
	if (instanceof_function(object->ce, php_date_get_interface_ce())) {
		return append_date(to, object);
	}
	if (instanceof_function(object->ce, php_json_serializable_ce)) {
		return append_json_serializable(to, object, outer);
	}
	if (instanceof_function(object->ce, zend_ce_stringable)) {
		return append_stringable(to, object);
	}
	zend_string *what = zend_strpprintf(0, "%s given", ZSTR_VAL(object->ce->name));
	refuse_value(to, ZSTR_VAL(what));
	zend_string_release(what);
	return false;
}

static bool append_held(const writer *to, zval *value, const position *at) {
	switch (Z_TYPE_P(value)) {
		case IS_NULL:
			smart_str_appendc(to->form, 'N');
			return true;
		case IS_FALSE:
		case IS_TRUE:
			smart_str_appendc(to->form, Z_TYPE_P(value) == IS_TRUE ? 'T' : 'F');
			return true;
		case IS_LONG:
			append_int(to, Z_LVAL_P(value));
			return true;
		case IS_DOUBLE:
			append_float(to, Z_DVAL_P(value));
			return true;
		case IS_STRING:
			append_string(to, Z_STR_P(value));
			return true;
		case IS_ARRAY:
			return append_array(to, Z_ARRVAL_P(value), at);
		case IS_OBJECT:
			return append_object(to, Z_OBJ_P(value), at);
		default:
			return refuse_value(to, "resource given");
	}
}

/* Append the canonical form of `value`. Runs user code (jsonSerialize, __toString). Returns false with an exception: a
 * TypeError if the value has no canonical form, or the exception from user code. */
static bool append_value(const writer *to, zval *value, const position *at) {
	zval held; /* user code can replace the value of a reference */
	ZVAL_COPY_DEREF(&held, value);
	bool is_written = append_held(to, &held, at);
	zval_ptr_dtor(&held);
	return is_written && EG(exception) == NULL;
}

#define SHA256_LENGTH 32
/* 128 bits: among 10^9 keys, the probability of a collision is 1 in 10^21. */
#define HASH_LENGTH 16
#define MD5_LENGTH 16

static zend_string *join(const zend_string *head, const unsigned char *hash) {
	zend_string *key = zend_string_safe_alloc(1, ZSTR_LEN(head), 1 + 2 * HASH_LENGTH, 0);
	memcpy(ZSTR_VAL(key), ZSTR_VAL(head), ZSTR_LEN(head));
	ZSTR_VAL(key)[ZSTR_LEN(head)] = ':';
	make_digest_ex(ZSTR_VAL(key) + ZSTR_LEN(head) + 1, hash, HASH_LENGTH);
	return key;
}

static void hash_sha256(const smart_str *form, unsigned char hash[SHA256_LENGTH]) {
	PHP_SHA256_CTX context;
	PHP_SHA256InitArgs(&context, NULL);
	if (form->s != NULL) {
		PHP_SHA256Update(&context, (const unsigned char *)ZSTR_VAL(form->s), ZSTR_LEN(form->s));
	}
	PHP_SHA256Final(hash, &context);
}

ZEND_METHOD(McPatterns_Key, __construct) {
	ZEND_PARSE_PARAMETERS_NONE();
}

ZEND_METHOD(McPatterns_Key, of) {
	zend_string *head;
	zval *parts;
	uint32_t count;

	ZEND_PARSE_PARAMETERS_START(1, -1)
		Z_PARAM_STR(head)
		Z_PARAM_VARIADIC('*', parts, count)
	ZEND_PARSE_PARAMETERS_END();

	if (ZSTR_LEN(head) == 0) {
		zend_argument_value_error(1, "must not be empty");
		RETURN_THROWS();
	}
	smart_str form = {0};
	for (uint32_t i = 0; i < count; i++) {
		writer to = {&form, i + 2};
		if (!append_value(&to, &parts[i], NULL)) {
			smart_str_free(&form);
			RETURN_THROWS();
		}
	}
	unsigned char hash[SHA256_LENGTH];
	hash_sha256(&form, hash);
	RETVAL_STR(join(head, hash));
	if (UNEXPECTED(MCP_G(report_key_drift))) {
		php_mcp_key_drift_record(head, &form, Z_STR_P(return_value));
	}
	smart_str_free(&form);
}

ZEND_METHOD(McPatterns_Key, md5) {
	zval *options;

	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_ZVAL(options)
	ZEND_PARSE_PARAMETERS_END();

	smart_str text = {0};
	php_serialize_data_t seen;
	zval held;
	/* Ignore the result: serialize() accepts any value here. */
	php_mcp_value_watch_copy_storable(&held, options);
	PHP_VAR_SERIALIZE_INIT(seen);
	php_var_serialize(&text, &held, &seen);
	PHP_VAR_SERIALIZE_DESTROY(seen);
	zval_ptr_dtor(&held);
	if (EG(exception) != NULL) {
		smart_str_free(&text);
		RETURN_THROWS();
	}
	unsigned char hash[MD5_LENGTH];
	PHP_MD5_CTX context;
	PHP_MD5InitArgs(&context, NULL);
	PHP_MD5Update(&context, ZSTR_VAL(text.s), ZSTR_LEN(text.s));
	PHP_MD5Final(hash, &context);
	smart_str_free(&text);
	zend_string *hex = zend_string_alloc(2 * MD5_LENGTH, 0);
	make_digest_ex(ZSTR_VAL(hex), hash, MD5_LENGTH);
	RETURN_STR(hex);
}

void php_mcp_class_key_register(void) {
	register_class_McPatterns_Key();
}
