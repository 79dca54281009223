/* The keys being computed, kept for the request: server and wire key together name one, whatever
 * Pool or Cache object asks. */
/* SPDX-License-Identifier: MIT */
#include "computing.h"

#include "php_mcpatterns.h"

#include "Zend/zend_fibers.h"

/* The server's address and the wire key. */
static zend_string *mark_of(mcp_store *store, const mcp_key *key) {
	const char *address = mcp_store_owner(store, key)->address;
	return zend_string_concat3(address, strlen(address), " ", 1, key->wire.data, key->wire.length);
}

mcp_computing mcp_computing_look(mcp_store *store, const mcp_key *key) {
	/* After a fatal error, in a shutdown function, no callback is on the stack any more. */
	if (MCP_G(computing) == NULL || CG(unclean_shutdown)) {
		return MCP_COMPUTING_NOT;
	}
	zend_string *mark = mark_of(store, key);
	zval *fiber = zend_hash_find(MCP_G(computing), mark);
	zend_string_release(mark);
	if (fiber == NULL) {
		return MCP_COMPUTING_NOT;
	}
	return Z_PTR_P(fiber) == EG(active_fiber) ? MCP_COMPUTING_HERE : MCP_COMPUTING_ELSEWHERE;
}

bool mcp_computing_begin(mcp_store *store, const mcp_key *key) {
	if (MCP_G(computing) == NULL) {
		ALLOC_HASHTABLE(MCP_G(computing));
		zend_hash_init(MCP_G(computing), 8, NULL, NULL, false);
	}
	zval fiber;
	ZVAL_PTR(&fiber, EG(active_fiber));
	zend_string *mark = mark_of(store, key);
	bool is_new = zend_hash_add(MCP_G(computing), mark, &fiber) != NULL;
	zend_string_release(mark);
	return is_new;
}

void mcp_computing_end(mcp_store *store, const mcp_key *key) {
	if (MCP_G(computing) == NULL) {
		return;
	}
	zend_string *mark = mark_of(store, key);
	zend_hash_del(MCP_G(computing), mark);
	zend_string_release(mark);
}

void mcp_computing_reset(void) {
	if (MCP_G(computing) != NULL) {
		zend_hash_destroy(MCP_G(computing));
		FREE_HASHTABLE(MCP_G(computing));
		MCP_G(computing) = NULL;
	}
}
