/* A server's host as it may be: a name, an IPv4 address, or an IPv6 address with or without a zone. Nothing is
 * resolved, and nothing is changed: the host as it is written is what the ring hashes. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_HOST_H
#define MCP_PHP_HOST_H

#include <stdbool.h>
#include <stddef.h>

#define MCP_HOST_MAX 255
#define MCP_HOST_IDENTITY_MAX (MCP_HOST_MAX + 17)

/* Finds digits and points alone: never a name, and not every one an address ("256.0.0.1", "10.0.0"). */
bool php_mcp_host_is_numeric(const char *host);
bool php_mcp_host_is_ipv4(const char *host);
/* Says whether it is an IPv6 address: "fe80::1%eth0" is one; brackets are none of it. */
bool php_mcp_host_is_ipv6(const char *host);

/* Writes what two ways of writing one host have in common, at most MCP_HOST_IDENTITY_MAX bytes that are no text, and
 * returns their number: names have no case, and an IPv6 address is written in many ways. */
size_t php_mcp_host_identify(char *identity, const char *host, size_t length);

#endif
