/* Selects a transport. Without libmemcached only the built-in one is available, which needs no library. */
/* SPDX-License-Identifier: MIT */
#include "transports.h"

#include "../../../store/wire/direct/wire_direct.h"

#ifdef HAVE_MCPATTERNS_LIBMEMCACHED
#include "../../../store/wire/libmemcached/libmemcached_version.h"
#include "../../../store/wire/libmemcached/wire_libmemcached.h"
#endif

bool php_mcp_transports_find(const char *name, mcp_transport *transport) {
	if (*name == '\0') {
		name = MCP_DEFAULT_TRANSPORT;
	}
	bool is_direct = strcasecmp(name, "direct") == 0;
	*transport = is_direct ? MCP_TRANSPORT_DIRECT : MCP_TRANSPORT_LIBMEMCACHED;
	return is_direct || strcasecmp(name, "libmemcached") == 0;
}

#ifdef HAVE_MCPATTERNS_LIBMEMCACHED

bool php_mcp_transports_has(mcp_transport transport) {
	return transport == MCP_TRANSPORT_LIBMEMCACHED || transport == MCP_TRANSPORT_DIRECT;
}

mcp_wire *php_mcp_transports_create_wire(mcp_transport transport, const mcp_wire_settings *settings,
	const mcp_environment *environment) {
	return transport == MCP_TRANSPORT_DIRECT ? mcp_wire_direct_create(settings, environment)
											 : mcp_wire_libmemcached_create(settings, environment);
}

const char *php_mcp_transports_describe(void) {
	return "libmemcached, direct";
}

const char *php_mcp_transports_libmemcached_version(void) {
	return mcp_libmemcached_version();
}

bool php_mcp_transports_are_safe(void) {
	return mcp_libmemcached_is_supported();
}

#else

bool php_mcp_transports_has(mcp_transport transport) {
	return transport == MCP_TRANSPORT_DIRECT;
}

mcp_wire *php_mcp_transports_create_wire(mcp_transport transport, const mcp_wire_settings *settings,
	const mcp_environment *environment) {
	(void)transport;
	return mcp_wire_direct_create(settings, environment);
}

const char *php_mcp_transports_describe(void) {
	return "direct";
}

const char *php_mcp_transports_libmemcached_version(void) {
	return "none (built without it)";
}

bool php_mcp_transports_are_safe(void) {
	return true;
}

#endif
