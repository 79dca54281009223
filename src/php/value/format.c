/* Ends a format: the names of classes, and the secrets, of which no copy stays in memory. */
/* SPDX-License-Identifier: MIT */
#include "format.h"

static void free_signing_keys(mcp_signing_keys *keys) {
	ZEND_SECURE_ZERO(keys->keys, keys->count * sizeof(keys->keys[0]));
	efree(keys);
}

void php_mcp_format_free(mcp_format *format) {
	if (format->allowed_classes != NULL) {
		zend_array_destroy(format->allowed_classes);
		format->allowed_classes = NULL;
	}
	if (format->signing_keys != NULL) {
		free_signing_keys(format->signing_keys);
		format->signing_keys = NULL;
	}
}
