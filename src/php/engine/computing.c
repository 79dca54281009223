/* Stores the keys that this request is computing, identified by server and wire key, each with the Fibers that
 * compute it. */
/* SPDX-License-Identifier: MIT */
#include "computing.h"

#include "php_mcpatterns.h"

zend_string *php_mcp_computing_identify(mcp_store *store, const mcp_key *key) {
	const char *address = mcp_store_owner(store, key)->address;
	return zend_string_concat3(address, strlen(address), " ", 1, key->wire.data, key->wire.length);
}

static zend_ulong this_fiber(void) {
	return (zend_ulong)(uintptr_t)php_mcp_fiber_now();
}

bool php_mcp_computing_is_anything(void) {
	/* After a fatal error, shutdown functions run, but no callback is on the stack any more. */
	return MCP_REQUEST(computing) != NULL && !CG(unclean_shutdown);
}

mcp_computing php_mcp_computing_find(mcp_store *store, const mcp_key *key) {
	if (!php_mcp_computing_is_anything()) {
		return MCP_COMPUTING_NOT;
	}
	zend_string *identity = php_mcp_computing_identify(store, key);
	zval *fibers = zend_hash_find(MCP_REQUEST(computing), identity);
	zend_string_release(identity);
	if (fibers == NULL) {
		return MCP_COMPUTING_NOT;
	}
	return zend_hash_index_exists(Z_ARRVAL_P(fibers), this_fiber()) ? MCP_COMPUTING_HERE
																	: MCP_COMPUTING_ELSEWHERE;
}

bool php_mcp_computing_begin(mcp_store *store, const mcp_key *key) {
	if (MCP_REQUEST(computing) == NULL) {
		ALLOC_HASHTABLE(MCP_REQUEST(computing));
		zend_hash_init(MCP_REQUEST(computing), 8, NULL, ZVAL_PTR_DTOR, false);
	}
	zend_string *identity = php_mcp_computing_identify(store, key);
	zval *fibers = zend_hash_lookup(MCP_REQUEST(computing), identity);
	zend_string_release(identity);
	if (Z_TYPE_P(fibers) != IS_ARRAY) {
		array_init(fibers);
	}
	return zend_hash_index_add_empty_element(Z_ARRVAL_P(fibers), this_fiber()) != NULL;
}

void php_mcp_computing_end(mcp_store *store, const mcp_key *key) {
	if (MCP_REQUEST(computing) == NULL) {
		return;
	}
	zend_string *identity = php_mcp_computing_identify(store, key);
	zval *fibers = zend_hash_find(MCP_REQUEST(computing), identity);
	if (fibers != NULL) {
		zend_hash_index_del(Z_ARRVAL_P(fibers), this_fiber());
		if (zend_hash_num_elements(Z_ARRVAL_P(fibers)) == 0) {
			zend_hash_del(MCP_REQUEST(computing), identity);
		}
	}
	zend_string_release(identity);
	if (zend_hash_num_elements(MCP_REQUEST(computing)) == 0) {
		zend_array_destroy(MCP_REQUEST(computing));
		MCP_REQUEST(computing) = NULL;
	}
}
