/* Reads the list of servers that a discovery endpoint answers, as ElastiCache's and Memorystore's have it: a version, and
 * behind it "name|address|port" of each server. Every byte of it may be hostile: what is not exactly such a list is
 * none. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_CLUSTER_H
#define MCP_CORE_CLUSTER_H

#include "../bytes.h"

#include <stdint.h>

/* Room for a hundred servers with the longest names that clouds give. */
#define MCP_CLUSTER_TEXT_MAX 8192
/* The longest answer that is looked at: each server's address stands in it beside its name. */
#define MCP_CLUSTER_ANSWER_MAX (4 * MCP_CLUSTER_TEXT_MAX)

typedef enum mcp_cluster_verdict {
	MCP_CLUSTER_RIGHT,
	MCP_CLUSTER_EMPTY,    /* it names no server */
	MCP_CLUSTER_WRONG,    /* it is no such list */
	MCP_CLUSTER_TOO_LONG, /* it has more than there is room for */
} mcp_cluster_verdict;

/* A list, as far as it was read: "name:port,name:port", an IPv6 address in brackets. Whether a name can be one, and
 * none is there twice, is judged by whoever takes the list. */
typedef struct mcp_cluster {
	uint64_t version;
	size_t servers;
	size_t length;
	char text[MCP_CLUSTER_TEXT_MAX];
} mcp_cluster;

/* Reads the answer's value. Takes each server by its name, which stays when a cloud replaces the server, or by its
 * address where it has no name. */
mcp_cluster_verdict mcp_cluster_read(mcp_bytes value, mcp_cluster *cluster);

#endif
