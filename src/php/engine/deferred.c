/* Keeps exceptions and throws them later. Chains only exceptions without a previous one: the engine walks a chain to
 * its end, and user code can make an endless one. */
/* SPDX-License-Identifier: MIT */
#include "deferred.h"

#include "exception_property.h"
#include "user_call.h"

#include "Zend/zend_exceptions.h"

/* Each keeps the arguments of its trace alive. */
#define KEPT_MAX 100

static bool has_previous(zend_object *exception) {
	zval buffer;
	return Z_TYPE_P(php_mcp_exception_property_read(exception, ZEND_STR_PREVIOUS, &buffer)) !=
		IS_NULL;
}

static bool can_be_chained(const mcp_deferred *deferred, zend_object *thrown) {
	return deferred->last != NULL && deferred->last != thrown && deferred->count < KEPT_MAX &&
		!has_previous(thrown);
}

bool php_mcp_deferred_keep(mcp_deferred *deferred) {
	zend_object *thrown = EG(exception);
	if (thrown == NULL) {
		return true;
	}
	if (php_mcp_user_call_is_exit(thrown)) {
		return false;
	}
	GC_ADDREF(thrown);
	zend_clear_exception();
	if (deferred->first == NULL) {
		deferred->first = thrown;
		deferred->last = has_previous(thrown) ? NULL : thrown;
	} else if (can_be_chained(deferred, thrown)) {
		zend_exception_set_previous(deferred->last, thrown);
		deferred->last = thrown;
	} else {
		OBJ_RELEASE(thrown);
	}
	deferred->count++;
	return true;
}

void php_mcp_deferred_throw(mcp_deferred *deferred) {
	zend_object *first = deferred->first;
	*deferred = (mcp_deferred){0};
	if (first != NULL) {
		php_mcp_user_call_rethrow(first);
	}
}
