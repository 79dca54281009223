/* Judges what a Lock and a Semaphore are made with, and how long to wait for them. */
/* SPDX-License-Identifier: MIT */
#include "lock_arguments.h"

#include "../../core/hex.h"
#include "../objects/duration.h"
#include "../host/environment.h"
#include "../objects/object.h"
#include "../pool/pool_key.h"
#include "../pool/class_pool.h"
#include "../host/process.h"

#define OWNER_LENGTH_MAX 255
#define OWNER_RANDOM_WORDS 2
#define DEFAULT_TTL_MS 10000

static zend_string *random_owner(void) {
	const mcp_environment *environment = php_mcp_environment_get();
	zend_string *owner = zend_string_alloc(OWNER_RANDOM_WORDS * MCP_HEX_U64_LENGTH, false);
	char *end = ZSTR_VAL(owner);
	for (int i = 0; i < OWNER_RANDOM_WORDS; i++) {
		end += mcp_hex_write_u64(mcp_random_u64(environment), end);
	}
	*end = '\0';
	return owner;
}

/* INF and what the patterns call so are one number. */
static_assert(MCP_LOCK_FOREVER == UINT64_MAX, "durations of INF are UINT64_MAX");

bool php_mcp_lock_arguments_parse_ttl(zval *ttl, uint32_t arg_num, uint64_t *ttl_ms) {
	return php_mcp_duration_parse(ttl, arg_num, MCP_DURATION_POSITIVE_OR_INFINITE, ttl_ms);
}

bool php_mcp_lock_arguments_construct(mcp_lock_object *object,
	const mcp_lock_arguments *arguments) {
	mcp_pool *pool = php_mcp_class_pool_get(arguments->pool);
	uint64_t ttl_ms = DEFAULT_TTL_MS;
	uint64_t skew_ms = MCP_LOCK_SKEW_MS;
	if (pool == NULL) {
		return false;
	}
	if (ZSTR_LEN(arguments->name) == 0) {
		zend_argument_value_error(2, "cannot be empty");
		return false;
	}
	if (arguments->ttl != NULL &&
		!php_mcp_lock_arguments_parse_ttl(arguments->ttl, arguments->ttl_number, &ttl_ms)) {
		return false;
	}
	if (arguments->skew != NULL &&
		!php_mcp_duration_parse(arguments->skew, arguments->skew_number, MCP_DURATION_OR_INFINITE,
			&skew_ms)) {
		return false;
	}
	zend_string *owner = arguments->owner;
	if (owner != NULL && (ZSTR_LEN(owner) == 0 || ZSTR_LEN(owner) > OWNER_LENGTH_MAX)) {
		zend_argument_value_error(arguments->owner_number, "must have 1 to 255 bytes");
		return false;
	}
	/* A handler of a deprecation may have constructed it meanwhile. */
	if (!php_mcp_object_require_new(&object->std, object->pool)) {
		return false;
	}
	object->ttl_ms = ttl_ms;
	object->skew_ms = skew_ms;
	object->permits = arguments->permits;
	object->name = zend_string_copy(arguments->name);
	object->owner = owner != NULL ? zend_string_copy(owner) : random_owner();
	object->pool = php_mcp_pool_hold(pool);
	mcp_key_space space = object->permits > 0 ? MCP_SPACE_SEMAPHORE : MCP_SPACE_LOCK;
	php_mcp_pool_key_keep(&object->kept, space, pool, object->name);
	php_mcp_lock_object_choose_holder(object);
	return true;
}

bool php_mcp_lock_arguments_parse_wait(zval *wait, uint32_t arg_num, uint64_t *wait_ms) {
	*wait_ms = 0;
	return wait == NULL || php_mcp_duration_parse(wait, arg_num, MCP_DURATION_OR_INFINITE, wait_ms);
}
