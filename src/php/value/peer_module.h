/* Functions of other extensions, looked up at run time. Linking is not possible: if the other extension were
 * missing, the dynamic linker would end the process. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_PEER_MODULE_H
#define MCP_PHP_PEER_MODULE_H

#include "php.h"

/* NULL if the extension is not loaded or has no such function. Call this function at start-up. */
static inline void *php_mcp_peer_module_function(const char *module, const char *function) {
	const zend_module_entry *entry =
		zend_hash_str_find_ptr(&module_registry, module, strlen(module));
	if (entry == NULL) {
		return NULL;
	}
#ifdef RTLD_DEFAULT
	return DL_FETCH_SYMBOL(entry->handle != NULL ? entry->handle : RTLD_DEFAULT, function);
#else
	return entry->handle != NULL ? (void *)DL_FETCH_SYMBOL(entry->handle, function) : NULL;
#endif
}

#endif
