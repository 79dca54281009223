/* McPatterns\Key: cache keys out of parameters. The form that the parameters take before they are hashed is in
 * canonical.c. */
/* SPDX-License-Identifier: MIT */
#include "canonical.h"
#include "../objects/classes.h"
#include "../engine/compat.h"
#include "ext/hash/php_hash.h"
#include "ext/hash/php_hash_sha.h"
#include "ext/standard/basic_functions.h"
#include "ext/standard/md5.h"
#include "ext/standard/php_var.h"
#include "key_drift.h"
#include "php_mcpatterns.h"
#include "../engine/storable.h"

#include "class_key_arginfo.h"

#define SHA256_LENGTH 32
/* 128 bits: two of a thousand million keys are the same with a chance of 1 in 10^21. */
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

static void hash_md5(const smart_str *text, unsigned char hash[MD5_LENGTH]) {
	PHP_MD5_CTX context;
	PHP_MD5InitArgs(&context, NULL);
	PHP_MD5Update(&context, ZSTR_VAL(text->s), ZSTR_LEN(text->s));
	PHP_MD5Final(hash, &context);
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
		zend_argument_value_error(1, "cannot be empty");
		RETURN_THROWS();
	}
	smart_str form = {0};
	for (uint32_t i = 0; i < count; i++) {
		if (!php_mcp_canonical_append(&form, &parts[i], i + 2)) {
			smart_str_free(&form);
			RETURN_THROWS();
		}
	}
	unsigned char hash[SHA256_LENGTH];
	hash_sha256(&form, hash);
	RETVAL_STR(join(head, hash));
	if (UNEXPECTED(MCP_G(report_key_drift))) {
		php_mcp_key_drift_look(head, &form, Z_STR_P(return_value));
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
	php_mcp_storable_hold(&held, options); /* whatever is wrong, serialize() takes it */
	PHP_VAR_SERIALIZE_INIT(seen);
	php_var_serialize(&text, &held, &seen);
	PHP_VAR_SERIALIZE_DESTROY(seen);
	zval_ptr_dtor(&held);
	if (EG(exception) != NULL) {
		smart_str_free(&text);
		RETURN_THROWS();
	}
	unsigned char hash[MD5_LENGTH];
	hash_md5(&text, hash);
	smart_str_free(&text);
	zend_string *hex = zend_string_alloc(2 * MD5_LENGTH, 0);
	make_digest_ex(ZSTR_VAL(hex), hash, MD5_LENGTH);
	RETURN_STR(hex);
}

void php_mcp_class_key_register(void) {
	register_class_McPatterns_Key();
}
