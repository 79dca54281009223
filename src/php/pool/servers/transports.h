/* Lists the transports of this build. No other code checks whether libmemcached is available. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_TRANSPORTS_H
#define MCP_PHP_TRANSPORTS_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "../../../store/wire/wire.h"
#include "../../objects/enums.h"

/* For tests of the other transport (bin/test --transport direct). */
#if defined(HAVE_MCPATTERNS_LIBMEMCACHED) && !defined(MCP_DIRECT_BY_DEFAULT)
#define MCP_DEFAULT_TRANSPORT "libmemcached"
#else
#define MCP_DEFAULT_TRANSPORT "direct"
#endif

/* Find a transport by its name in settings; empty is the default. Returns false if there is none. */
bool php_mcp_transports_find(const char *name, mcp_transport *transport);
bool php_mcp_transports_has(mcp_transport transport);
/* Create a wire of an available transport. Returns NULL if memory is exhausted. */
mcp_wire *php_mcp_transports_create_wire(mcp_transport transport, const mcp_wire_settings *settings,
	const mcp_environment *environment);

/* Names of the transports and version of libmemcached, for `php --ri`. */
const char *php_mcp_transports_describe(void);
const char *php_mcp_transports_libmemcached_version(void);
/* True if libmemcached, if available, never returns a wrong value after a timeout. */
bool php_mcp_transports_are_safe(void);

#endif
