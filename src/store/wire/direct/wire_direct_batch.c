/* Text commands one behind the other, by one system call: long values leave from where they are, everything else is put
 * together in one buffer. The answers come in the commands' order, one line each. */
/* SPDX-License-Identifier: MIT */
#include "wire_direct_batch.h"

#include "wire_direct_meta.h"
#include "wire_direct_write.h"

#include <assert.h>

#ifndef _WIN32

/* A shorter value is cheaper to copy than to send as a piece of its own. */
#define PIECE_MIN 256

static_assert(2 * MCP_WIRE_BATCH_MAX + 1 <= MCP_SOCKET_PIECES_MAX,
	"each command has a line and a value, and the last one an end");

/* Invariant: [begun, to) is the buffer's part that is in no piece yet. */
typedef struct batch {
	const char *begun;
	char *to;
	size_t count;
	mcp_bytes pieces[MCP_SOCKET_PIECES_MAX];
} batch;

static inline void add(batch *self, mcp_bytes bytes) {
	if (bytes.length > 0) {
		memcpy(self->to, bytes.data, bytes.length);
		self->to += bytes.length;
	}
}

static void add_piece(batch *self, mcp_bytes piece) {
	self->pieces[self->count++] = piece;
}

static void end_piece(batch *self) {
	add_piece(self, mcp_bytes_of(self->begun, (size_t)(self->to - self->begun)));
	self->begun = self->to;
}

static inline bool is_piece(const mcp_wire_item *item) {
	return item->value.length >= PIECE_MIN;
}

static size_t room_for(const mcp_wire_item *items, size_t count) {
	size_t room = 0;
	for (size_t i = 0; i < count; i++) {
		room += MCP_REQUEST_MAX + items[i].head.length + PIECE_MIN;
	}
	return room;
}

static void add_line(batch *self, mcp_request *line) {
	add(self, mcp_request_end(line));
}

static void add_value(batch *self, const mcp_wire_item *item) {
	add(self, item->head);
	if (is_piece(item)) {
		end_piece(self);
		add_piece(self, item->value);
	} else {
		add(self, item->value);
	}
	add(self, mcp_bytes_of("\r\n", 2));
}

/* The words of the verbs that are sent so, and what says that one was done. */
static const struct {
	const char *word;
	mcp_answer_kind done;
} verbs[] = {
	[MCP_WIRE_ADD] = {"add ", MCP_ANSWER_STORED},
	[MCP_WIRE_SET] = {"set ", MCP_ANSWER_STORED},
	[MCP_WIRE_CAS] = {"cas ", MCP_ANSWER_STORED},
	[MCP_WIRE_DELETE] = {"delete ", MCP_ANSWER_DELETED},
	[MCP_WIRE_INCREMENT] = {"incr ", MCP_ANSWER_NUMBER},
	[MCP_WIRE_DECREMENT] = {"decr ", MCP_ANSWER_NUMBER},
};

static void add_command(batch *self, mcp_wire_verb verb, const mcp_wire_item *item) {
	mcp_request line;
	mcp_request_begin(&line, verbs[verb].word, item->key);
	if (verbs[verb].done == MCP_ANSWER_NUMBER) {
		mcp_request_add_u64(&line, " ", item->by);
	}
	if (verb > MCP_WIRE_CAS) {
		add_line(self, &line);
		return;
	}
	mcp_request_add_u64(&line, " ", item->flags);
	mcp_request_add_i64(&line, " ", item->expiry);
	mcp_request_add_u64(&line, " ", item->head.length + item->value.length);
	if (verb == MCP_WIRE_CAS) {
		mcp_request_add_u64(&line, " ", item->cas);
	}
	add_line(self, &line);
	add_value(self, item);
}

/* Says whether the connection has gone. An end that has come by now is one of before anything was sent: each write is
 * sent once, and over this one would be of unknown outcome. A line that has come was asked for by nobody: each answer
 * would be taken for that of the write behind. One look for so many writes costs nothing on a unix socket either. */
static bool has_gone(mcp_direct *self) {
	bool has = mcp_socket_is_open(&self->socket) && !mcp_socket_is_silent(&self->socket);
	if (has) {
		mcp_direct_hang_up(self);
	}
	return has;
}

/* False if there is no memory. */
static bool begin(mcp_direct *self, batch *new, size_t room) {
	mcp_buffer_clear(&self->keys);
	if (!mcp_buffer_reserve(&self->keys, room)) {
		mcp_reason_say(&self->reason, "was not asked: this process has no memory for it");
		return false;
	}
	new->begun = new->to = self->keys.data;
	new->count = 0;
	return true;
}

static mcp_status send(mcp_direct *self, batch *filled, mcp_answer_kind done) {
	bool was_open = mcp_socket_is_open(&self->socket);
	end_piece(filled);
	self->batch_done = done;
	mcp_status status = mcp_direct_send(self, &self->outcomes, filled->pieces, filled->count);
	self->is_batch = status == MCP_OK;
	return was_open ? mcp_direct_unless_untouched(self, status) : status;
}

mcp_status mcp_direct_send_many(mcp_wire *base, mcp_wire_verb verb, const mcp_wire_item *items,
	size_t count) {
	mcp_direct *self = mcp_direct_of(base);
	batch commands;
	if (has_gone(self)) {
		return MCP_UNSUPPORTED;
	}
	if (!begin(self, &commands, room_for(items, count))) {
		return MCP_UNREACHABLE;
	}
	for (size_t i = 0; i < count; i++) {
		add_command(&commands, verb, &items[i]);
	}
	return send(self, &commands, verbs[verb].done);
}

/* Knows the one "client error" of a well-formed calculation: that the item is not a number. */
static inline bool is_of_no_number(const mcp_direct *self, const mcp_answer *answer) {
	return answer->kind == MCP_ANSWER_CLIENT_ERROR && self->batch_done == MCP_ANSWER_NUMBER;
}

/* Answers; a "server error" is the whole answer to its command (protocol.txt), and the connection goes on; behind any
 * other that is none to a write, nobody knows whose the next line is. */
mcp_status mcp_direct_answer(mcp_wire *base, bool is_last, uint64_t *number) {
	mcp_direct *self = mcp_direct_of(base);
	mcp_answer answer;
	if (!mcp_socket_is_open(&self->socket)) {
		return MCP_BROKEN;
	}
	mcp_status status = mcp_direct_hear(self, &self->outcomes, false, &answer);
	if (status == MCP_OK && is_last) {
		self->is_batch = false;
		status = mcp_direct_finish(self, &self->outcomes, &answer);
	}
	if (status != MCP_OK) {
		return status;
	}
	if (answer.kind == MCP_ANSWER_SERVER_ERROR && !mcp_direct_is_too_large(&answer)) {
		mcp_reason_say_answered(&self->reason, "", answer.line, "");
		return MCP_REFUSED;
	}
	*number = answer.number;
	return is_of_no_number(self, &answer) ? MCP_NOT_A_NUMBER
										  : mcp_direct_status_of(self, &answer, self->batch_done);
}

#endif
