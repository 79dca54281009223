/* Writes to a caller's variable. */
/* SPDX-License-Identifier: MIT */
#include "reference.h"

void php_mcp_reference_assign(zval *variable, zval *value) {
	zend_reference *reference = Z_ISREF_P(variable) ? Z_REF_P(variable) : NULL;
	bool is_typed = reference != NULL && ZEND_REF_HAS_TYPE_SOURCES(reference);
	if (reference == NULL ||
		(is_typed && !zend_verify_ref_assignable_zval(reference, value, true))) {
		zval_ptr_dtor(value);
		return;
	}
	zval before;
	ZVAL_COPY_VALUE(&before, &reference->val);
	ZVAL_COPY_VALUE(&reference->val, value);
	zval_ptr_dtor(&before);
}
