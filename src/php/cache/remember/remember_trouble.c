/* Contains storage errors of a computed result, and reports paused rebuilds. */
/* SPDX-License-Identifier: MIT */
#include "remember_trouble.h"

#include "../../host/environment.h"
#include "../../objects/failure.h"
#include "../../pool/pool_listener.h"
#include "../../engine/user_call.h"

#include "Zend/zend_exceptions.h"

/* Report an exception of the value's own code. Exceptions of this extension were reported when thrown. */
static void report(const mcp_cache_object *object, zend_string *name) {
	if (!instanceof_function(EG(exception)->ce, php_mcp_unstorable_interface)) {
		mcp_key_buffer buffer;
		mcp_key key = php_mcp_cache_object_key(object->pool, object->scope, name, &buffer);
		mcp_error_event trouble = {
			.kind = MCP_ERROR_KIND_UNSTORABLE,
			.key = &key,
			.name = name,
			.exception = EG(exception),
		};
		php_mcp_pool_listener_report(object->pool, &trouble);
	}
}

bool php_mcp_remember_trouble_contain(mcp_cache_object *object, zend_string *name,
	bool has_caller) {
	if (php_mcp_user_call_is_exiting()) {
		return false;
	}
	php_mcp_cache_object_tally(object, MCP_COUNT_UNSTORABLE, 1);
	report(object, name);
	if (!has_caller) {
		return false;
	}
	zend_clear_exception();
	return EG(exception) == NULL; /* its destructor can throw */
}

void php_mcp_remember_trouble_throw_paused(zend_string *name, uint64_t pause_end_ms) {
	uint64_t now_ms = mcp_wall_ms(php_mcp_environment_get());
	double left_s = pause_end_ms > now_ms ? (double)(pause_end_ms - now_ms) / 1000 : 0;
	char what[120];
	snprintf(what, sizeof(what),
		"has no value: its computation failed, and the next attempt is allowed in %.3F s", left_s);
	php_mcp_failure_throw_about(php_mcp_rebuild_paused_exception, "The key",
		mcp_bytes_of(ZSTR_VAL(name), ZSTR_LEN(name)), what);
	if (EG(exception) != NULL && EG(exception)->ce == php_mcp_rebuild_paused_exception) {
		zend_update_property_double(php_mcp_rebuild_paused_exception, EG(exception),
			ZEND_STRL("retryAfter"), left_s);
	}
}
