/* Rebuilds that wait until the response has been sent (C11): the visitor who found an old value gets it
 * at once, and the same process computes the new one when the visitor is gone. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_AFTER_RESPONSE_H
#define MCP_PHP_AFTER_RESPONSE_H

#include "remembering.h"

typedef struct mcp_after_response mcp_after_response;

/* Registers at start-up. */
void php_mcp_after_response_register(void);

/* Finds out as PHP's request begins whether it is one that serves many. */
void php_mcp_after_response_begin_request(void);

/* Says whether this request has a real end, after which the visitor waits for nothing: php-fpm, LiteSpeed,
 * FrankenPHP outside its worker mode, and not yet in the rebuilds themselves. */
bool php_mcp_after_response_is_possible(void);

/* Queues the computation of *remembering, and takes over its claim. Copies what it
 * needs. False if the request is too far gone to queue anything: compute now. */
bool php_mcp_after_response_queue(const mcp_remembering *remembering);

/* Registers at start-up what is done last, after all rebuilds. */
void php_mcp_after_response_follow(void (*work)(void));
/* Has it done once after this response, or at the end of a command's script; where a request has no such end, never. */
void php_mcp_after_response_expect(void);

/* Writes an exception to the error log and clears it: no caller is left that could see it. An exit is no failure. */
void php_mcp_after_response_contain(const char *doing, const char *what);

/* Forgets at request end what never ran. The claims go back with the request. From then on nothing can be queued. */
void php_mcp_after_response_reset(void);

#endif
