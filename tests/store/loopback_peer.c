/* Hears byte by byte, which is slow and leaves nothing between two requests. */
/* SPDX-License-Identifier: MIT */
#include "loopback_peer.h"

#include "system_clock.h"

#ifdef _WIN32
#include <winsock2.h>
#include <ws2tcpip.h>
#else
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
typedef SOCKET handle;
typedef int size_of_address;

static void close_handle(handle one) {
	closesocket(one);
}

void loopback_peer_ready(void) {
	WSADATA data;
	if (WSAStartup(MAKEWORD(2, 2), &data) != 0) {
		fprintf(stderr, "there is no Winsock\n");
		exit(1);
	}
}

bool loopback_is_by_wine(void) {
	return GetProcAddress(GetModuleHandleA("ntdll.dll"), "wine_get_version") != NULL;
}
#else
typedef int handle;
typedef socklen_t size_of_address;

static void close_handle(handle one) {
	close(one);
}

void loopback_peer_ready(void) {
}

bool loopback_is_by_wine(void) {
	return false;
}
#endif

static handle listen_anywhere(uint16_t *port) {
	struct sockaddr_in address = {.sin_family = AF_INET};
	size_of_address length = sizeof(address);
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	handle listener = socket(AF_INET, SOCK_STREAM, 0);
	if (bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 8) != 0 ||
		getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
		fprintf(stderr, "nobody can listen at 127.0.0.1\n");
		exit(1);
	}
	*port = ntohs(address.sin_port);
	return listener;
}

static void *serve(void *context) {
	loopback_peer *peer = context;
	for (;;) {
		handle connection = accept((handle)peer->listener, NULL, NULL);
		if (connection == (handle)-1) {
			return NULL;
		}
		char stop;
		peer->connection = (intptr_t)connection;
		/* Its own end, by loopback_peer_stop, says so first. */
		if (recv(connection, &stop, 1, MSG_PEEK) == 1 && stop == '!') {
			close_handle(connection);
			return NULL;
		}
		peer->talk(peer);
		close_handle(connection);
	}
}

loopback_peer *loopback_peer_start(loopback_talk talk) {
	loopback_peer *peer = calloc(1, sizeof(*peer));
	peer->talk = talk;
	pthread_mutex_init(&peer->mutex, NULL);
	pthread_cond_init(&peer->changed, NULL);
	peer->listener = (intptr_t)listen_anywhere(&peer->port);
	if (pthread_create(&peer->thread, NULL, serve, peer) != 0) {
		fprintf(stderr, "there is no thread\n");
		exit(1);
	}
	return peer;
}

/* Wakes the thread by a last connection: to close a listener wakes nobody on Linux. */
void loopback_peer_stop(loopback_peer *peer) {
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(peer->port)};
	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	handle last = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(last, (struct sockaddr *)&address, sizeof(address)) == 0) {
		send(last, "!", 1, 0);
	}
	pthread_join(peer->thread, NULL);
	close_handle(last);
	close_handle((handle)peer->listener);
	pthread_cond_destroy(&peer->changed);
	pthread_mutex_destroy(&peer->mutex);
	free(peer);
}

uint16_t loopback_peer_none(void) {
	uint16_t port;
	close_handle(listen_anywhere(&port));
	return port;
}

int loopback_peer_hear(loopback_peer *peer, char *bytes, size_t count) {
	for (size_t heard = 0; heard < count;) {
		int length = (int)recv((handle)peer->connection, bytes + heard, (int)(count - heard), 0);
		if (length <= 0) {
			return 0;
		}
		heard += (size_t)length;
	}
	return 1;
}

int loopback_peer_hear_line(loopback_peer *peer, char *line, size_t size) {
	size_t length = 0;
	while (length + 1 < size) {
		if (!loopback_peer_hear(peer, line + length, 1)) {
			return 0;
		}
		if (line[length++] == '\n') {
			break;
		}
	}
	line[length] = '\0';
	return 1;
}

int loopback_peer_say(loopback_peer *peer, const char *bytes, size_t count) {
	for (size_t said = 0; said < count;) {
#ifdef MSG_NOSIGNAL
		int flags = MSG_NOSIGNAL;
#else
		int flags = 0;
#endif
		int length = (int)send((handle)peer->connection, bytes + said, (int)(count - said), flags);
		if (length <= 0) {
			return 0;
		}
		said += (size_t)length;
	}
	return 1;
}

int loopback_peer_say_text(loopback_peer *peer, const char *text) {
	return loopback_peer_say(peer, text, strlen(text));
}

void loopback_peer_cut_off(loopback_peer *peer) {
	struct linger drop = {.l_onoff = 1, .l_linger = 0};
	setsockopt((handle)peer->connection, SOL_SOCKET, SO_LINGER, (const char *)&drop, sizeof(drop));
}

void loopback_peer_wait(loopback_peer *peer) {
	pthread_mutex_lock(&peer->mutex);
	while (peer->passes == 0) {
		pthread_cond_wait(&peer->changed, &peer->mutex);
	}
	peer->passes--;
	pthread_mutex_unlock(&peer->mutex);
}

void loopback_peer_let_go(loopback_peer *peer) {
	pthread_mutex_lock(&peer->mutex);
	peer->passes++;
	pthread_cond_signal(&peer->changed);
	pthread_mutex_unlock(&peer->mutex);
}

static uint64_t no_random(const mcp_environment *environment) {
	return 4;
}

static const mcp_environment environment = {
	.wall_ms = system_clock_wall_ms,
	.monotonic_ms = system_clock_monotonic_ms,
	.random_u64 = no_random,
};

const mcp_environment *loopback_environment(void) {
	return &environment;
}
