/* Parses the server list of a discovery endpoint in the format of ElastiCache and Memorystore: a version,
 * then "name|address|port" per server. Every byte may be hostile: anything that is not exactly such a list
 * is rejected. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_CLUSTER_H
#define MCP_CORE_CLUSTER_H

#include "../bytes.h"

#include <stdint.h>

/* Enough for 100 servers with the longest names of cloud providers. */
#define MCP_CLUSTER_TEXT_MAX 8192
/* Maximum length of a reply, which has each server's address next to its name. */
#define MCP_CLUSTER_ANSWER_MAX (4 * MCP_CLUSTER_TEXT_MAX)

typedef enum mcp_cluster_verdict {
	MCP_CLUSTER_RIGHT,
	MCP_CLUSTER_EMPTY,    /* without servers */
	MCP_CLUSTER_WRONG,    /* not such a list */
	MCP_CLUSTER_TOO_LONG, /* exceeds the buffer */
} mcp_cluster_verdict;

/* A parsed list: "name:port,name:port", IPv6 addresses in brackets. The user of the list must check whether
 * names are valid and unique. */
typedef struct mcp_cluster {
	uint64_t version;
	size_t servers;
	size_t length;
	char text[MCP_CLUSTER_TEXT_MAX];
} mcp_cluster;

/* Parse the value of a reply. A server is identified by its name, which stays when a cloud replaces it, or
 * by its address if it has no name. */
mcp_cluster_verdict mcp_cluster_read(mcp_bytes value, mcp_cluster *cluster);

#endif
