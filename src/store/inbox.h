/* What has arrived on a connection, and how much of it has been read: answers come out of it one by one, as views
 * that live until it moves. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_INBOX_H
#define MCP_STORE_INBOX_H

#include "../core/answer.h"
#include "buffer.h"
#include "socket.h"

/* Zero-initialised: empty. */
typedef struct mcp_inbox {
	mcp_buffer bytes;
	size_t read;     /* of `bytes` */
	bool was_filled; /* the last receive took all that there was room for */
} mcp_inbox;

static inline bool mcp_inbox_is_empty(const mcp_inbox *inbox) {
	return inbox->read == inbox->bytes.length;
}

static inline mcp_bytes mcp_inbox_unread(const mcp_inbox *inbox) {
	if (mcp_inbox_is_empty(inbox)) {
		return mcp_bytes_none();
	}
	return mcp_bytes_of(inbox->bytes.data + inbox->read, inbox->bytes.length - inbox->read);
}

/* True: exactly these bytes were left, and are read now. */
static inline bool mcp_inbox_take_rest(mcp_inbox *inbox, const char *bytes, size_t length) {
	bool is_left = inbox->bytes.length - inbox->read == length &&
		memcmp(inbox->bytes.data + inbox->read, bytes, length) == 0;
	inbox->read += is_left ? length : 0;
	return is_left;
}

/* Empties it; a giant's memory goes back. */
void mcp_inbox_clear(mcp_inbox *inbox);
/* Makes room where the answers were that have been read. Views end. */
void mcp_inbox_forget(mcp_inbox *inbox);
/* The next answer; false: it has not arrived as a whole, and `answer` says how much it needs. */
bool mcp_inbox_read(mcp_inbox *inbox, mcp_answer *answer);
/* Waits for more, where `needed` unread bytes are wanted in the end. What is there may move: an answer before
 * is found again at its offset. False: there is no memory; else *outcome is the socket's. */
bool mcp_inbox_receive(mcp_inbox *inbox, size_t needed, mcp_socket *socket, mcp_deadline *deadline,
	mcp_socket_outcome *outcome);
void mcp_inbox_free(mcp_inbox *inbox);

#endif
