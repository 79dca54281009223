/* Starts and stops one memcached process and knows it by its pid alone, so that nobody else's
 * server is ever touched. It dies with the test, also when the test crashes. */
/* SPDX-License-Identifier: MIT */
#include "private_server.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	TRIES = 500,
	PAUSE_US = 20000,
};

static bool accepts(const private_server *server) {
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", server->socket);
	int socket_fd = socket(AF_UNIX, SOCK_STREAM, 0);
	bool is_connected =
		socket_fd >= 0 && connect(socket_fd, (struct sockaddr *)&address, sizeof(address)) == 0;
	if (socket_fd >= 0) {
		close(socket_fd);
	}
	return is_connected;
}

/* Becomes it in the child; returns only if there is no memcached. Some systems keep it in a folder of root's. */
static void become_memcached(const private_server *server) {
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	const char *user = getuid() == 0 ? "root" : "nobody";
	execlp("memcached", "memcached", "-u", user, "-s", server->socket, "-U", "0", server->option,
		server->argument, (char *)NULL);
	execl("/usr/bin/memcached", "memcached", "-u", user, "-s", server->socket, server->option,
		server->argument, (char *)NULL);
}

static bool wait_until_ready(private_server *server) {
	for (int i = 0; i < TRIES; i++) {
		if (accepts(server)) {
			return true;
		}
		if (waitpid(server->pid, NULL, WNOHANG) != 0) {
			server->pid = 0;
			return false;
		}
		usleep(PAUSE_US);
	}
	return false;
}

bool private_server_start(private_server *server) {
	snprintf(server->folder, sizeof(server->folder), "/tmp/mcpatterns-test-XXXXXX");
	if (mkdtemp(server->folder) == NULL) {
		fprintf(stderr, "no temporary folder: %s\n", strerror(errno));
		return false;
	}
	snprintf(server->socket, sizeof(server->socket), "%s/memcached.sock", server->folder);
	server->pid = fork();
	if (server->pid == 0) {
		become_memcached(server);
		_exit(127);
	}
	if (server->pid > 0 && wait_until_ready(server)) {
		return true;
	}
	fprintf(stderr, "memcached could not be started; is it installed?\n");
	private_server_stop(server);
	return false;
}

void private_server_stop(private_server *server) {
	if (server->pid > 0) {
		kill(server->pid, SIGKILL);
		waitpid(server->pid, NULL, 0);
	}
	server->pid = 0;
	unlink(server->socket);
	rmdir(server->folder);
}
