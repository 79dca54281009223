/* Chains exceptions as the engine does. A stored exception's chain comes from stored bytes, so walk it only if it is
 * sound. */
/* SPDX-License-Identifier: MIT */
#include "remember_cause.h"

#include "../../engine/user_call.h"

#include "Zend/zend_exceptions.h"

void php_mcp_remember_cause_release(zend_object **kept) {
	zend_object *thrown = *kept;
	*kept = NULL;
	if (thrown != NULL) {
		OBJ_RELEASE(thrown);
	}
}

void php_mcp_remember_cause_keep(zend_object **kept) {
	if (php_mcp_user_call_is_exiting()) {
		return;
	}
	php_mcp_remember_cause_release(kept);
	*kept = EG(exception);
	GC_ADDREF(*kept);
	zend_clear_exception();
}

/* A longer chain is cyclic, made of stored bytes. */
#define CAUSES_MAX 100

/* Check the chain first: the engine walks it to its end and expects only exceptions. */
static bool is_sound(zend_object *exception) {
	for (int i = 0; i < CAUSES_MAX; i++) {
		zval buffer;
		zval *previous = php_mcp_exception_property_read(exception, ZEND_STR_PREVIOUS, &buffer);
		if (Z_TYPE_P(previous) != IS_OBJECT) {
			return Z_TYPE_P(previous) == IS_NULL;
		}
		if (!instanceof_function(Z_OBJCE_P(previous), zend_ce_throwable)) {
			return false;
		}
		exception = Z_OBJ_P(previous);
	}
	return false;
}

void php_mcp_remember_cause_name(zend_object **kept) {
	zend_object *cause = *kept;
	if (cause == NULL || EG(exception) == NULL || cause == EG(exception) || !is_sound(cause) ||
		!is_sound(EG(exception))) {
		return;
	}
	*kept = NULL;
	zend_exception_set_previous(EG(exception), cause);
}

void php_mcp_remember_cause_rethrow(zend_object *thrown) {
	zend_object *cause = NULL;
	php_mcp_remember_cause_keep(&cause);
	php_mcp_user_call_rethrow(thrown);
	php_mcp_remember_cause_name(&cause);
	php_mcp_remember_cause_release(&cause);
}
