/* A peer on TCP's loopback in a thread of this process, by the system's own sockets, POSIX's or Winsock: what can be tried where
 * there is neither fork nor a unix socket. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_LOOPBACK_PEER_H
#define MCP_TESTS_LOOPBACK_PEER_H

#include "../../src/core/environment.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct loopback_peer loopback_peer;

/* Talks on one connection until it returns; then that is closed. */
typedef void (*loopback_talk)(loopback_peer *peer);

struct loopback_peer {
	loopback_talk talk;
	uint16_t port;
	intptr_t listener, connection;
	pthread_t thread;
	/* A stop that the peer waits at until the test lets it go on. */
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	unsigned passes;
};

/* Gives the system's clocks, and a random number that is always the same. */
const mcp_environment *loopback_environment(void);

/* Readies the system's sockets; once for each process. */
void loopback_peer_ready(void);
/* Says whether Wine imitates Windows here. */
bool loopback_is_by_wine(void);
/* Serves one connection after the other. malloc'ed, so that a test which fails leaves its thread what it stands on. */
loopback_peer *loopback_peer_start(loopback_talk talk);
/* Ends and frees it when the connection does that is being served: the caller has closed its own end. */
void loopback_peer_stop(loopback_peer *peer);
/* Finds a port that nobody listens at. */
uint16_t loopback_peer_none(void);

/* Reads up to and with the line's end, or so many bytes. False if the connection has ended. */
int loopback_peer_hear_line(loopback_peer *peer, char *line, size_t size);
int loopback_peer_hear(loopback_peer *peer, char *bytes, size_t count);
int loopback_peer_say(loopback_peer *peer, const char *bytes, size_t count);
int loopback_peer_say_text(loopback_peer *peer, const char *text);
/* Lets the connection's end be a reset, when `talk` returns. */
void loopback_peer_cut_off(loopback_peer *peer);
/* Waits for loopback_peer_let_go; one of the latter counts for one wait, whichever comes first. */
void loopback_peer_wait(loopback_peer *peer);
void loopback_peer_let_go(loopback_peer *peer);

#endif
