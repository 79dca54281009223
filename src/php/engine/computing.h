/* Records which keys this process is computing, and in which Fiber, because a callback must never wait for the key
 * that it is computing (C14). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_COMPUTING_H
#define MCP_PHP_COMPUTING_H

#include "../../store/store.h"

#include "php.h"

/* Returns the running Fiber, or NULL outside of Fibers. A new Fiber can have the address of a freed Fiber. */
static zend_always_inline const void *php_mcp_fiber_now(void) {
	return EG(active_fiber);
}

typedef enum mcp_computing {
	MCP_COMPUTING_NOT,
	MCP_COMPUTING_HERE,      /* in this Fiber, or outside of all Fibers */
	MCP_COMPUTING_ELSEWHERE, /* in another Fiber of this process */
} mcp_computing;

/* Make a string that identifies an item by its server's address and its wire key, whatever the Pool and Cache objects
 * are. The caller releases the string. */
zend_string *php_mcp_computing_identify(mcp_store *store, const mcp_key *key);

/* True if any key is being computed. This is usually false, and no identity must then be made. */
bool php_mcp_computing_is_anything(void);

mcp_computing php_mcp_computing_find(mcp_store *store, const mcp_key *key);

/* Record that this Fiber is computing the key. Returns true if the key was not recorded before. The caller must then
 * call php_mcp_computing_end() in the same Fiber after its callback. Request end removes the keys that a fatal error
 * has left. */
bool php_mcp_computing_begin(mcp_store *store, const mcp_key *key);
void php_mcp_computing_end(mcp_store *store, const mcp_key *key);

#endif
