/* Prints where mcp_router puts keys, one server index a line, so that run can compare it with where
 * php-memcached puts them. Arguments: modulo, ketama or one_at_a_time, how many keys, host:port:weight ... */
/* SPDX-License-Identifier: MIT */
#include "../../../src/store/cluster/router.h"

#include <stdio.h>
#include <stdlib.h>

/* Cuts host:port:weight in place. */
static mcp_router_server parse(char *text) {
	char *port = strchr(text, ':');
	char *weight = port == NULL ? NULL : strchr(port + 1, ':');
	if (weight == NULL) {
		fprintf(stderr, "not host:port:weight: %s\n", text);
		exit(2);
	}
	*port = '\0';
	return (mcp_router_server){
		.host = text,
		.port = (uint16_t)atoi(port + 1),
		.weight = (uint32_t)atoi(weight + 1),
	};
}

int main(int argument_count, char **arguments) {
	mcp_router_server servers[MCP_SERVERS_MAX];
	size_t count = 0;
	for (int i = 3; i < argument_count && count < MCP_SERVERS_MAX; i++) {
		servers[count++] = parse(arguments[i]);
	}
	const char *name = argument_count > 1 ? arguments[1] : "";
	mcp_distribution by =
		strcmp(name, "modulo") == 0 ? MCP_DISTRIBUTION_MODULO : MCP_DISTRIBUTION_ONE_AT_A_TIME;
	mcp_router *router = strcmp(name, "ketama") == 0 ? mcp_router_ketama_create(servers, count)
													 : mcp_router_modulo_create(by, count);
	if (router == NULL) {
		fprintf(stderr, "no router\n");
		return 2;
	}
	int keys = atoi(arguments[2]);
	for (int i = 0; i < keys; i++) {
		char key[64];
		int length = snprintf(key, sizeof(key), "user:%d:profile-%x", i, i * 2654435761u);
		printf("%zu\n", mcp_router_pick(router, mcp_bytes_of(key, (size_t)length)));
	}
	mcp_router_free(router);
	return 0;
}
