/* Records which keys this process is computing, and in which Fiber: a callback must never wait for its own cold key
 * (C14). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_COMPUTING_H
#define MCP_PHP_COMPUTING_H

#include "../../store/store.h"

#include "php.h"

/* Returns the running Fiber, or NULL outside of Fibers. A new Fiber can get the address of a freed Fiber. */
static zend_always_inline const void *php_mcp_fiber_now(void) {
	return EG(active_fiber);
}

typedef enum mcp_computing {
	MCP_COMPUTING_NOT,
	MCP_COMPUTING_HERE,      /* in this Fiber, or outside of all Fibers */
	MCP_COMPUTING_ELSEWHERE, /* in another Fiber of this process */
} mcp_computing;

/* Identify an item by server address and wire key, independent of Pool and Cache objects. The caller releases it. */
zend_string *php_mcp_computing_identify(mcp_store *store, const mcp_key *key);

/* True if any key is being computed. Usually false, so that no identity must be created. */
bool php_mcp_computing_is_anything(void);

mcp_computing php_mcp_computing_find(mcp_store *store, const mcp_key *key);

/* Record the key as computed by this Fiber. Returns true if the key was not recorded before: the caller must then end
 * the record in the same Fiber after its callback. Request end removes keys that a fatal error left behind. */
bool php_mcp_computing_begin(mcp_store *store, const mcp_key *key);
void php_mcp_computing_end(mcp_store *store, const mcp_key *key);

#endif
