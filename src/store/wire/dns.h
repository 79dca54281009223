/* Server lists from DNS: the addresses of a name, or the hosts and ports of its SRV records. Uses a resolver of its
 * own, because the system's resolvers have no deadline (getaddrinfo, musl's res_query), or a deadline in whole seconds
 * that does not bound TCP (glibc's res_nquery). */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_DNS_H
#define MCP_STORE_DNS_H

#include "../../core/discovery/registry.h"
#include "../../core/environment.h"
#include "../reason.h"
#include "../store.h"

typedef enum mcp_dns_type {
	MCP_DNS_A = 1,
	MCP_DNS_CNAME = 5,
	MCP_DNS_AAAA = 28,
	MCP_DNS_SRV = 33,
} mcp_dns_type;

/* Lengths of the longest name (as text, without the final dot) and of the longest query. */
#define MCP_DNS_NAME_MAX 253
#define MCP_DNS_QUERY_MAX (12 + MCP_DNS_NAME_MAX + 2 + 4)

typedef struct mcp_dns_question {
	char name[MCP_DNS_NAME_MAX + 1];
	mcp_dns_type type;
	uint16_t id;
	uint16_t port; /* port of the servers, except for SRV records */
} mcp_dns_question;

typedef enum mcp_dns_verdict {
	MCP_DNS_FOUND,
	MCP_DNS_EMPTY,     /* the name has no such records */
	MCP_DNS_TRUNCATED, /* repeat the query over TCP */
	MCP_DNS_TOO_LONG,  /* more servers than fit */
	MCP_DNS_WRONG,     /* invalid reply to this question */
	MCP_DNS_FOREIGN,   /* not a reply to this question */
	MCP_DNS_SILENT,    /* no reply in time */
	MCP_DNS_BROKEN,    /* no nameserver at that address */
	MCP_DNS_CODE,      /* plus the error code, 1 to 15 */
	MCP_DNS_NO_NAME = MCP_DNS_CODE + 3,
} mcp_dns_verdict;

/* Writes the query and returns its length; 0: `asked` has no valid name. */
size_t mcp_dns_write(const mcp_dns_question *asked, char query[MCP_DNS_QUERY_MAX]);
/* Reads a reply, of which every byte can be hostile. The servers are sorted, without duplicates, in the form of
 * mcp_cluster. Of SRV records, only those with the lowest priority number count, and weights are ignored. */
mcp_dns_verdict mcp_dns_read(const mcp_dns_question *asked, mcp_bytes reply, mcp_cluster *cluster);

typedef struct mcp_dns_settings {
	const char *name;  /* a final dot: the search list is not used */
	mcp_dns_type type; /* SRV; or A, and AAAA if the name has no A record */
	uint16_t port;
	uint32_t timeout_ms; /* for all requests together */
	/* Path of a file in the format of resolv.conf, read for each call. A nameserver can have a port:
	 * "[127.0.0.1]:5353". */
	const char *resolv_conf;
} mcp_dns_settings;

/* Queries the list over UDP, and over TCP if the reply is truncated. MCP_OK, or MCP_UNREACHABLE with a reason that
 * follows "the server ". */
mcp_status mcp_dns_discover(const mcp_dns_settings *settings, const mcp_environment *environment,
	mcp_cluster *cluster, mcp_reason *reason);

#endif
