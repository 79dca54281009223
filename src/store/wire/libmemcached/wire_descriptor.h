/* The descriptor of libmemcached's connection, which its headers keep to themselves: to see whether the other side has
 * ended the connection, and to have it kept alive. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_DESCRIPTOR_H
#define MCP_STORE_WIRE_DESCRIPTOR_H

#include <libmemcached/memcached.h>

enum {
	MCP_WIRE_DESCRIPTOR_NONE = -1,
	MCP_WIRE_DESCRIPTOR_HIDDEN = -2, /* this libmemcached is not made as those that are known */
};

/* Returns the descriptor of the connection of this handle's one server. */
int mcp_wire_descriptor_find(const memcached_st *handle);

#endif
