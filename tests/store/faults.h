/* The faults of servers and networks, to order: a real memcached that freezes, dies and comes back, and a peer
 * that says what the test wants. And the settings to meet them with. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_STORE_FAULTS_H
#define MCP_TESTS_STORE_FAULTS_H

#include "../../src/store/wire/wire.h"
#include "faults_items.h"
#include "private_server.h"

enum {
	FAULTS_CONNECT_TIMEOUT_MS = 200,
	FAULTS_TIMEOUT_MS = 200,
	/* For a peer that answers, however busy the machine is. */
	FAULTS_PATIENCE_MS = 20000,
	FAULTS_PAUSE_MS = 60000,
	/* The time that a busy machine may add to a wait. */
	FAULTS_SLACK_MS = 150,
};

#define faults_assert_lasted(began_ms, least_ms, most_ms) \
	assert_in_range(faults_now_ms() - (began_ms), least_ms, (most_ms) + FAULTS_SLACK_MS)
#define faults_assert_one_timeout(began_ms) \
	faults_assert_lasted(began_ms, FAULTS_TIMEOUT_MS - 1, FAULTS_TIMEOUT_MS)

/* A server for a whole file of tests: its group's fixtures. */
extern private_server faults_server;
int faults_server_start(void **state);
int faults_server_stop(void **state);

/* The first half of a fixture for what only Direct does, without and with the server. */
int faults_choose_direct(void **state);
int faults_server_start_direct(void **state);

/* The late writes of stores that are to leave them there; a test's teardown closes what is left. */
extern mcp_late_writes faults_late;
int faults_forget_late(void **state);

/* By what the stores below speak to their servers. */
typedef enum faults_transport {
	FAULTS_LIBMEMCACHED,
	FAULTS_DIRECT,
	FAULTS_TRANSPORTS,
} faults_transport;

extern faults_transport faults_by;

/* Runs the tests once by each transport. */
int faults_run(CMFixtureFunction set_up, CMFixtureFunction tear_down);

/* Settings for this socket or host with the connect timeout above. The next make a wire, and a store over one. */
mcp_wire_settings faults_settings(const char *socket, uint32_t timeout_ms);
mcp_wire *faults_wire(const mcp_wire_settings *settings, const mcp_environment *environment);
mcp_store *faults_store(const char *socket);
mcp_store *faults_patient_store(const char *socket);
mcp_store *faults_connect(const mcp_wire_settings *settings, uint32_t retry_after_ms,
	const mcp_environment *environment);

/* Freezes a real server by SIGSTOP; the next ones do SIGCONT, kill -9, and start it again on the same socket. */
void faults_freeze(const private_server *server);
void faults_thaw(const private_server *server);
void faults_kill(private_server *server);
void faults_restart(private_server *server);

/* A peer in a process of its own that calls `talk` for each connection, one after the other (over libmemcached, where a
 * store may have two, each in one more), and counts connections and requests (lines that arrive, as faults_hear sees
 * them). */
typedef struct faults_peer {
	char folder[64];
	char socket[96]; /* its path, or where there is a port its host */
	uint16_t port;   /* 0: a unix socket */
	pid_t pid;
	struct faults_counts *counts;
} faults_peer;

typedef struct faults_counts {
	int connections;
	int requests;
	/* For what a test and its peer tell each other. */
	volatile int turn, heard, strange;
} faults_counts;

typedef void (*faults_talk)(int connection, faults_counts *counts);

void faults_peer_start(faults_peer *peer, faults_talk talk);
void faults_peer_start_at_a_port(faults_peer *peer, faults_talk talk);
void faults_peer_stop(faults_peer *peer);

/* Hears for `talk` the next line, without its end; false if the other side closed. */
bool faults_hear(int connection, faults_counts *counts, char line[512]);
/* Hears these lines and no other one. */
bool faults_hear_lines(int connection, faults_counts *counts, const char *const *lines,
	size_t count);
void faults_say(int connection, const char *text);
/* Hears without a reply, until the other side closes. */
void faults_say_nothing(int connection, faults_counts *counts);
/* Drips one byte each pause_ms; false if the other side closed. */
bool faults_drip(int connection, const char *text, unsigned pause_ms);

/* A store, and the peer that it talks to. */
typedef struct faults_meeting {
	faults_peer peer;
	mcp_store *store;
} faults_meeting;

faults_meeting faults_meet(faults_talk talk);
faults_meeting faults_meet_patiently(faults_talk talk);
/* What a peer replies to a line that begins so, "" to any other one; NULL: it closes the connection. */
typedef struct faults_reply {
	const char *line, *reply;
} faults_reply;
/* Meets a peer patiently that replies by the first that fits. The last one is for "". */
faults_meeting faults_meet_replies(const faults_reply *replies);
void faults_part(faults_meeting *with);

#endif
