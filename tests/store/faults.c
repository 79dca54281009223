/* Every process started here is known by its pid alone and dies with the test. Peers count in shared
 * memory, so that a test sees what really arrived. */
/* SPDX-License-Identifier: MIT */
#include "faults.h"

#include "../../src/store/server/connection.h"
#include "../../src/store/wire/direct/wire_direct.h"
#ifndef MCP_TESTS_ALONE
#include "../../src/store/wire/libmemcached/wire_libmemcached.h"
#endif

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef MCP_TESTS_ALONE

enum { FIRST_TRANSPORT = FAULTS_DIRECT };

static mcp_wire *create_wire(const mcp_wire_settings *settings, const mcp_environment *with) {
	return mcp_wire_direct_create(settings, with);
}

#else

enum { FIRST_TRANSPORT = FAULTS_LIBMEMCACHED };

static mcp_wire *create_wire(const mcp_wire_settings *settings, const mcp_environment *with) {
	return faults_by == FAULTS_DIRECT ? mcp_wire_direct_create(settings, with)
									  : mcp_wire_libmemcached_create(settings, with);
}

#endif

faults_transport faults_by = (faults_transport)FIRST_TRANSPORT;

int faults_run(CMFixtureFunction set_up, CMFixtureFunction tear_down) {
	static const char *const transports[] = {"libmemcached", "direct"};
	int failed = 0;
	for (int i = FIRST_TRANSPORT; i < FAULTS_TRANSPORTS; i++) {
		faults_by = (faults_transport)i;
		printf("# by %s\n", transports[i]);
		failed += tests_run(set_up, tear_down);
	}
	return failed;
}

mcp_wire_settings faults_settings(const char *socket, uint32_t timeout_ms) {
	return (mcp_wire_settings){
		.host = socket,
		.connect_timeout_ms = FAULTS_CONNECT_TIMEOUT_MS,
		.timeout_ms = timeout_ms,
	};
}

mcp_wire *faults_wire(const mcp_wire_settings *settings, const mcp_environment *with) {
	mcp_wire *wire = create_wire(settings, with);
	assert_non_null(wire);
	return wire;
}

mcp_store *faults_connect(const mcp_wire_settings *settings, uint32_t retry_after_ms,
	const mcp_environment *with) {
	mcp_wire *wire = faults_wire(settings, with);
	mcp_store *store = mcp_connection_create(wire, settings, retry_after_ms, with);
	assert_non_null(store);
	return store;
}

private_server faults_server;

int faults_server_start(void **state) {
	return private_server_start(&faults_server) ? 0 : -1;
}

int faults_server_stop(void **state) {
	private_server_stop(&faults_server);
	return 0;
}

int faults_choose_direct(void **state) {
	faults_by = FAULTS_DIRECT;
	return 0;
}

int faults_server_start_direct(void **state) {
	faults_choose_direct(state);
	return faults_server_start(state);
}

mcp_late_writes faults_late;

int faults_forget_late(void **state) {
	mcp_late_writes_close(&faults_late);
	return 0;
}

mcp_store *faults_store(const char *socket) {
	mcp_wire_settings settings = faults_settings(socket, FAULTS_TIMEOUT_MS);
	return faults_connect(&settings, FAULTS_PAUSE_MS, faults_environment());
}

mcp_store *faults_patient_store(const char *socket) {
	mcp_wire_settings settings = faults_settings(socket, FAULTS_PATIENCE_MS);
	settings.connect_timeout_ms = FAULTS_PATIENCE_MS;
	return faults_connect(&settings, FAULTS_PAUSE_MS, faults_environment());
}

/* Waits until the kernel really has stopped it, also in a test that signals keep interrupting. */
void faults_freeze(const private_server *server) {
	kill(server->pid, SIGSTOP);
	while (waitpid(server->pid, NULL, WUNTRACED) < 0 && errno == EINTR) {
	}
}

void faults_thaw(const private_server *server) {
	kill(server->pid, SIGCONT);
}

void faults_kill(private_server *server) {
	kill(server->pid, SIGKILL);
	waitpid(server->pid, NULL, 0);
	server->pid = 0;
}

static bool accepts(const char *path) {
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	bool is_connected = connect(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
	close(fd);
	return is_connected;
}

void faults_restart(private_server *server) {
	unlink(server->socket);
	server->pid = fork();
	if (server->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		const char *user = getuid() == 0 ? "root" : "nobody";
		execlp("memcached", "memcached", "-u", user, "-s", server->socket, (char *)NULL);
		execl("/usr/bin/memcached", "memcached", "-u", user, "-s", server->socket, (char *)NULL);
		_exit(127);
	}
	for (int i = 0; i < 500 && !accepts(server->socket); i++) {
		usleep(10000);
	}
	assert_true(accepts(server->socket));
}

static int listen_at(const char *path) {
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(0, bind(fd, (struct sockaddr *)&address, sizeof(address)));
	assert_int_equal(0, listen(fd, 16));
	return fd;
}

static int listen_at_a_port(uint16_t *port) {
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t length = sizeof(address);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	assert_int_equal(0, bind(fd, (struct sockaddr *)&address, length));
	assert_int_equal(0, listen(fd, 16));
	assert_int_equal(0, getsockname(fd, (struct sockaddr *)&address, &length));
	*port = ntohs(address.sin_port);
	return fd;
}

static void talk_in_a_child(int listener, int connection, faults_talk talk, faults_counts *counts) {
	if (fork() == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(listener);
		talk(connection, counts);
		_exit(0);
	}
}

/* Serves one connection after the other; over libmemcached, where a store may have two, each by a process of
 * its own. */
static void serve(int listener, faults_talk talk, faults_counts *counts) {
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGCHLD, SIG_IGN);
	for (;;) {
		int connection = accept(listener, NULL, NULL);
		if (connection < 0) {
			_exit(1);
		}
		counts->connections++;
		if (faults_by == FAULTS_LIBMEMCACHED) {
			talk_in_a_child(listener, connection, talk, counts);
		} else {
			talk(connection, counts);
		}
		close(connection);
	}
}

static void start_peer(faults_peer *peer, int listener, faults_talk talk) {
	peer->counts = mmap(NULL, sizeof(*peer->counts), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(peer->counts != MAP_FAILED);
	peer->pid = fork();
	if (peer->pid == 0) {
		serve(listener, talk, peer->counts);
	}
	close(listener);
}

void faults_peer_start(faults_peer *peer, faults_talk talk) {
	snprintf(peer->folder, sizeof(peer->folder), "/tmp/mcpatterns-peer-XXXXXX");
	assert_non_null(mkdtemp(peer->folder));
	snprintf(peer->socket, sizeof(peer->socket), "%s/peer.sock", peer->folder);
	peer->port = 0;
	start_peer(peer, listen_at(peer->socket), talk);
}

void faults_peer_start_at_a_port(faults_peer *peer, faults_talk talk) {
	peer->folder[0] = '\0';
	snprintf(peer->socket, sizeof(peer->socket), "127.0.0.1");
	start_peer(peer, listen_at_a_port(&peer->port), talk);
}

void faults_peer_stop(faults_peer *peer) {
	kill(peer->pid, SIGKILL);
	waitpid(peer->pid, NULL, 0);
	munmap(peer->counts, sizeof(*peer->counts));
	if (peer->port == 0) {
		unlink(peer->socket);
		rmdir(peer->folder);
	}
}

bool faults_hear(int connection, faults_counts *counts, char line[512]) {
	size_t length = 0;
	for (;;) {
		char byte;
		if (read(connection, &byte, 1) != 1) {
			return false;
		}
		if (byte == '\n') {
			break;
		}
		if (byte != '\r' && length < 511) {
			line[length++] = byte;
		}
	}
	line[length] = '\0';
	if (strcmp(line, "quit") == 0) {
		return false;
	}
	counts->requests++;
	return true;
}

bool faults_hear_lines(int connection, faults_counts *counts, const char *const *lines,
	size_t count) {
	char line[512];
	for (size_t i = 0; i < count; i++) {
		if (!faults_hear(connection, counts, line) || strcmp(line, lines[i]) != 0) {
			return false;
		}
	}
	return true;
}

void faults_say(int connection, const char *text) {
	send(connection, text, strlen(text), MSG_NOSIGNAL);
}

void faults_say_nothing(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
	}
}

bool faults_drip(int connection, const char *text, unsigned pause_ms) {
	for (; *text != '\0'; text++) {
		if (send(connection, text, 1, MSG_NOSIGNAL) != 1) {
			return false;
		}
		usleep(pause_ms * 1000);
	}
	return true;
}

faults_meeting faults_meet(faults_talk talk) {
	faults_meeting with;
	faults_peer_start(&with.peer, talk);
	with.store = faults_store(with.peer.socket);
	return with;
}

faults_meeting faults_meet_patiently(faults_talk talk) {
	faults_meeting with;
	faults_peer_start(&with.peer, talk);
	with.store = faults_patient_store(with.peer.socket);
	return with;
}

static const faults_reply *replies_of_peer;

static void reply(int connection, faults_counts *counts) {
	char line[512];
	while (faults_hear(connection, counts, line)) {
		const faults_reply *by = replies_of_peer;
		while (strncmp(line, by->line, strlen(by->line)) != 0) {
			by++;
		}
		if (by->reply == NULL) {
			return;
		}
		faults_say(connection, by->reply);
	}
}

faults_meeting faults_meet_replies(const faults_reply *replies) {
	replies_of_peer = replies;
	return faults_meet_patiently(reply);
}

void faults_part(faults_meeting *with) {
	mcp_store_free(with->store);
	faults_peer_stop(&with->peer);
}
