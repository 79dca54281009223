/* Renews pools whose servers an endpoint tells, between two statements of user code: there no method of ours has anything
 * in its hands that belongs to a server. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_RENEWAL_H
#define MCP_PHP_POOL_RENEWAL_H

/* Renews them, where the engine looks for interrupts and MCP_REQUEST(servers_are_outdated); later where one of our methods is
 * under way or a session open: the next look at a pool asks for a turn again, or the end of a wait that was interrupted for it. */
void php_mcp_pool_renewal_take_turn(void);

#endif
