/* A memcached of the test's own: on a unix socket in a temporary folder, stopped and removed by the
 * one who started it. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_STORE_PRIVATE_SERVER_H
#define MCP_TESTS_STORE_PRIVATE_SERVER_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct private_server {
	char folder[64];
	char socket[96];
	pid_t pid;
	const char *option, *argument; /* of memcached, or NULL */
} private_server;

/* Starts memcached and returns when it accepts connections; false, with a line on stderr, when it
 * does not within some seconds. */
bool private_server_start(private_server *server);
/* Kills it, as a crash would, and waits for its end. */
void private_server_stop(private_server *server);

#endif
