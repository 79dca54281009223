/* The bytes that have arrived on a connection, and how much of them has been read: answers come out one by one,
 * as views that live until they move. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_INBOX_H
#define MCP_STORE_INBOX_H

#include "../../../core/protocol/answer.h"
#include "../../../core/words.h"
#include "../../buffer.h"
#include "channel.h"

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

/* True if exactly these bytes were left, and are read now. */
static inline bool mcp_inbox_take_rest(mcp_inbox *inbox, const char *bytes, size_t length) {
	bool is_left = inbox->bytes.length - inbox->read == length &&
		mcp_words_equal(inbox->bytes.data + inbox->read, bytes, length);
	inbox->read += is_left ? length : 0;
	return is_left;
}

/* Takes all that has arrived as read now. */
static inline void mcp_inbox_take_all(mcp_inbox *inbox) {
	inbox->read = inbox->bytes.length;
}

/* Empties it; a giant's memory goes back. */
static inline void mcp_inbox_clear(mcp_inbox *inbox) {
	mcp_buffer_clear(&inbox->bytes);
	inbox->read = 0;
}

/* Makes room where the answers were that have been read. Views end. */
void mcp_inbox_forget(mcp_inbox *inbox);
/* Reads the next answer; false if it has not arrived as a whole; `answer` then says how much it needs. */
bool mcp_inbox_read(mcp_inbox *inbox, mcp_answer *answer);
/* Does mcp_inbox_receive's work where there is not room enough yet. */
bool mcp_inbox_make_room(mcp_inbox *inbox, size_t needed);

/* Waits for more, where `needed` unread bytes are wanted in the end. The bytes there may move: an answer before
 * is found again at its offset. False if there is no memory; else *outcome is the carrier's. */
static inline bool mcp_inbox_receive(mcp_inbox *inbox, size_t needed, const mcp_channel *carrier,
	mcp_deadline *deadline, mcp_socket_outcome *outcome) {
	mcp_buffer *bytes = &inbox->bytes;
	bool has_room = bytes->length == 0 && needed <= bytes->capacity && !inbox->was_filled;
	if (!has_room && !mcp_inbox_make_room(inbox, needed)) {
		return false;
	}
	size_t room = bytes->capacity - bytes->length;
	size_t received;
	*outcome = mcp_channel_receive(carrier, bytes->data + bytes->length, room, deadline, &received);
	bytes->length += received;
	inbox->was_filled = received == room;
	return true;
}
void mcp_inbox_free(mcp_inbox *inbox);

#endif
