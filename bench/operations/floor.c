/* The least that a round trip costs a client that sleeps: send() and recv() of the same bytes, without PHP. Reads the
 * number of calls from each line of standard input, and writes the nanoseconds that they took, by the clock and of
 * processor time: floor SOCKET. */
/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

#define VALUE_LENGTH 1000

static int connection;

static void fail(const char *what) {
	perror(what);
	exit(1);
}

/* Sends a request and receives a reply of this length. */
static void call(const char *request, size_t request_length, char *reply, size_t reply_length) {
	if (send(connection, request, request_length, 0) != (ssize_t)request_length) {
		fail("send");
	}
	for (size_t length = 0; length < reply_length;) {
		ssize_t more = recv(connection, reply + length, reply_length - length, 0);
		if (more <= 0) {
			fail("recv");
		}
		length += (size_t)more;
	}
}

static int64_t now(clockid_t clock) {
	struct timespec time;
	clock_gettime(clock, &time);
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int main(int count, char **arguments) {
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	connection = socket(AF_UNIX, SOCK_STREAM, 0);
	snprintf(address.sun_path, sizeof(address.sun_path), "%s", count > 1 ? arguments[1] : "");
	if (connect(connection, (struct sockaddr *)&address, sizeof(address)) != 0) {
		fail("connect");
	}
	char value[VALUE_LENGTH + 64], reply[VALUE_LENGTH + 64], line[64];
	int head = snprintf(value, sizeof(value), "set floor 0 0 %d\r\n", VALUE_LENGTH);
	memset(value + head, 'x', VALUE_LENGTH);
	memcpy(value + head + VALUE_LENGTH, "\r\n", 2);
	call(value, (size_t)head + VALUE_LENGTH + 2, reply, strlen("STORED\r\n"));
	size_t length = strlen("VALUE floor 0 1000\r\n") + VALUE_LENGTH + strlen("\r\nEND\r\n");
	while (fgets(line, sizeof(line), stdin) != NULL) {
		int64_t elapsed = now(CLOCK_MONOTONIC), used = now(CLOCK_PROCESS_CPUTIME_ID);
		for (long calls = atol(line); calls > 0; calls--) {
			call("get floor\r\n", strlen("get floor\r\n"), reply, length);
		}
		printf("%lld %lld\n", (long long)(now(CLOCK_MONOTONIC) - elapsed),
			(long long)(now(CLOCK_PROCESS_CPUTIME_ID) - used));
		fflush(stdout);
	}
	return 0;
}
