/* Which keys this process is computing right now, and in which Fiber: a callback that asks for the
 * cold key it is itself computing must never wait for itself (C14). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_COMPUTING_H
#define MCP_PHP_COMPUTING_H

#include "../../store/store.h"

#include "php.h"

typedef enum mcp_computing {
	MCP_COMPUTING_NOT,
	MCP_COMPUTING_HERE,      /* in this very Fiber (or in none) */
	MCP_COMPUTING_ELSEWHERE, /* in another Fiber of this process */
} mcp_computing;

/* Names one item, whatever Pool or Cache object asks: by the server's address and the wire key. The caller
 * releases it. */
zend_string *php_mcp_computing_mark(mcp_store *store, const mcp_key *key);

/* Says whether anything is computed: false nearly always, and then there is no key to look for. */
bool php_mcp_computing_is_anything(void);

mcp_computing php_mcp_computing_look(mcp_store *store, const mcp_key *key);

/* Marks the key for this Fiber; true when it was not marked, and then the caller ends it, in the same
 * Fiber, when its callback is over. A mark that a fatal error leaves behind goes with the request. */
bool php_mcp_computing_begin(mcp_store *store, const mcp_key *key);
void php_mcp_computing_end(mcp_store *store, const mcp_key *key);

#endif
