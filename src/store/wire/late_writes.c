/* Connections with late writes. The content of a late reply is irrelevant: the reply proves that the write is over. */
/* SPDX-License-Identifier: MIT */
#include "late_writes.h"

#include <stdlib.h>

/* The reply to a write is one short line. */
#define LOOK_BYTES 512
/* Bounds the reads from a server that sends endlessly. */
#define LOOKS_MAX 64

/* NULL: no late write. */
static mcp_late_write *find_late_write(mcp_late_writes *late, const char *address) {
	for (size_t i = 0; i < late->count; i++) {
		if (strcmp(late->writes[i].address, address) == 0) {
			return &late->writes[i];
		}
	}
	return NULL;
}

/* The write's socket must be closed. */
static void forget(mcp_late_writes *late, mcp_late_write *write) {
	free(write->address);
	late->count--;
	size_t behind = (size_t)(late->writes + late->count - write);
	memmove(write, write + 1, behind * sizeof(*write));
}

/* NULL: memory exhausted. (C before C23 has no strdup.) */
static char *copy_of(const char *text) {
	size_t size = strlen(text) + 1;
	char *copy = malloc(size);
	return copy != NULL ? memcpy(copy, text, size) : NULL;
}

static bool has_answered(mcp_late_write *write) {
	char bytes[LOOK_BYTES];
	for (int i = 0; i < LOOKS_MAX; i++) {
		size_t received;
		mcp_socket_outcome outcome =
			mcp_socket_try_to_receive(&write->socket, bytes, sizeof(bytes), &received);
		if (outcome != MCP_SOCKET_DONE) {
			return outcome != MCP_SOCKET_LATE;
		}
		if (!write->is_open_ended && memchr(bytes, '\n', received) != NULL) {
			return true;
		}
	}
	return false;
}

/* True if the write is over; its connection is then closed and removed. */
static bool is_over(mcp_late_writes *late, mcp_late_write *write, uint64_t now_ms) {
	if (has_answered(write)) {
		mcp_socket_close(&write->socket);
	} else if (now_ms - write->since_ms >= MCP_LATE_WRITES_WAIT_MS) {
		mcp_socket_abort(&write->socket);
	} else {
		return false;
	}
	forget(late, write);
	return true;
}

void mcp_late_writes_sweep(mcp_late_writes *late, uint64_t now_ms) {
	for (size_t i = late->count; i-- > 0;) {
		is_over(late, &late->writes[i], now_ms);
	}
}

bool mcp_late_writes_are_out(mcp_late_writes *late, const char *address, uint64_t now_ms) {
	mcp_late_write *write = find_late_write(late, address);
	return write != NULL && !is_over(late, write, now_ms);
}

void mcp_late_writes_set_aside(mcp_late_writes *late, const char *address, mcp_socket *socket,
	bool is_open_ended, uint64_t now_ms) {
	mcp_late_writes_sweep(late, now_ms);
	bool has_room = late->count < MCP_LATE_WRITES_MAX && find_late_write(late, address) == NULL;
	char *copy = has_room ? copy_of(address) : NULL;
	if (copy == NULL) {
		mcp_socket_abort(socket);
		return;
	}
	if (is_open_ended) {
		mcp_socket_end(socket);
	}
	late->writes[late->count++] = (mcp_late_write){copy, *socket, now_ms, is_open_ended};
	socket->descriptor = -1;
}

bool mcp_late_writes_give_one_up(mcp_late_writes *late) {
	if (late->count == 0) {
		return false;
	}
	mcp_socket_abort(&late->writes[0].socket);
	forget(late, &late->writes[0]);
	return true;
}

void mcp_late_writes_close(mcp_late_writes *late) {
	while (late->count > 0) {
		mcp_socket_close(&late->writes[0].socket);
		forget(late, &late->writes[0]);
	}
}
