/* Renews pools whose servers an endpoint tells, at the end of a method: there no method of ours has anything in its hands that
 * belongs to a server. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_POOL_RENEWAL_H
#define MCP_PHP_POOL_RENEWAL_H

/* Renews them if MCP_REQUEST(servers_are_outdated); later if one of our methods is still under way or a session open. */
void php_mcp_pool_renewal_take_turn(void);

#endif
