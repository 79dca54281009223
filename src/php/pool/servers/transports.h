/* The transports that this build has. Nothing else asks whether libmemcached is among them. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_TRANSPORTS_H
#define MCP_PHP_TRANSPORTS_H

#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "../../../store/wire/wire.h"
#include "../../objects/enums.h"

/* The tests run over the other one, too, by a build that has this (bin/test --transport direct). */
#if defined(HAVE_MCPATTERNS_LIBMEMCACHED) && !defined(MCP_DIRECT_BY_DEFAULT)
#define MCP_DEFAULT_TRANSPORT "libmemcached"
#else
#define MCP_DEFAULT_TRANSPORT "direct"
#endif

/* Finds the one that a setting names; an empty one names the default. False if none has this name. */
bool php_mcp_transports_find(const char *name, mcp_transport *transport);
bool php_mcp_transports_has(mcp_transport transport);
/* Makes a wire of one that is there. NULL if memory ran out. */
mcp_wire *php_mcp_transports_create_wire(mcp_transport transport, const mcp_wire_settings *settings,
	const mcp_environment *environment);

/* Returns the transports' names, and which libmemcached is loaded, for `php --ri`. */
const char *php_mcp_transports_describe(void);
const char *php_mcp_transports_libmemcached_version(void);
/* Says whether the libmemcached that is loaded, if any is wanted, returns no wrong value after a timeout. */
bool php_mcp_transports_are_safe(void);

#endif
