/* The common part of the direct wire's files: its connection, how a request begins, and how it fails. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_DIRECT_WIRE_DIRECT_LINE_H
#define MCP_STORE_WIRE_DIRECT_WIRE_DIRECT_LINE_H

#include "../../../core/bytes.h"
#include "../../../core/decimal.h"
#include "../../../core/key/key.h"
#include "../../../core/protocol/answer.h"
#include "../../../core/words.h"
#include "../../buffer.h"
#include "../wire.h"
#include "channel.h"

/* The bytes that have arrived on a connection, and how much of them has been read: answers come out one by one,
 * as views that live until they move. */

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

void mcp_inbox_free(mcp_inbox *inbox);

/* The line of a request, put together on the stack: memcached's words, a key and some numbers. */

/* The longest: a word, a key, four numbers with their marks, each after a space, and some flags. */
#define MCP_REQUEST_MAX (32 + MCP_WIRE_KEY_MAX + 4 * (3 + MCP_DECIMAL_MAX_LENGTH))

typedef struct mcp_request {
	size_t length;
	char text[MCP_REQUEST_MAX];
} mcp_request;

static inline void mcp_request_add(mcp_request *request, const char *data, size_t length) {
	memcpy(request->text + request->length, data, length);
	request->length += length;
}

static inline void mcp_request_begin(mcp_request *request, const char *verb, mcp_bytes key) {
	request->length = 0;
	mcp_request_add(request, verb, strlen(verb));
	mcp_words_copy(request->text + request->length, key.data, key.length);
	request->length += key.length;
}

/* Adds a number; `mark` is what stands between it and what was before: a space, and perhaps a meta flag. */
static inline void mcp_request_add_u64(mcp_request *request, const char *mark, uint64_t number) {
	mcp_request_add(request, mark, strlen(mark));
	request->length += mcp_decimal_format_u64(number, request->text + request->length);
}

static inline void mcp_request_add_i64(mcp_request *request, const char *mark, int64_t number) {
	mcp_request_add(request, mark, strlen(mark));
	request->length += mcp_decimal_format_i64(number, request->text + request->length);
}

static inline mcp_bytes mcp_request_end(mcp_request *request) {
	mcp_request_add(request, "\r\n", 2);
	return mcp_bytes_of(request->text, request->length);
}

/* Questions that may stay without an answer: one, as the server may just have been stopped; at the next it does not know them. */
#define MCP_DIRECT_QUESTIONS_MAX 2

/* Invariants: between two requests every answer has been read and nothing else has arrived with it, or the
 * connection is closed. */
typedef struct mcp_direct {
	mcp_wire base;
	const mcp_environment *environment;
	mcp_channel carrier;
	mcp_socket own_socket; /* of the carrier where none was given */
	mcp_deadline deadline; /* of the request under way */
	mcp_inbox items;       /* what `get` and `next` hand out views into */
	mcp_inbox lines;       /* what other questions are answered: it ends no view */
	/* The answers to writes, and to nothing else: whoever gives one up leaves what may still be carried out. */
	mcp_inbox outcomes;
	mcp_buffer keys;            /* a request for many, or many */
	size_t keys_asked;          /* for items: in this call, as far as its answer may be long */
	mcp_answer_kind batch_done; /* what says of one of many writes that it was done */
	mcp_inbox *batch_inbox;     /* where the answers to steps come */
	bool is_batch;              /* many writes are under way */
	bool is_new;                /* the request under way, or the last one, has connected */
	mcp_late_writes *late;      /* NULL: none is set aside */
	mcp_reason reason;          /* of the last failure */
	uint32_t connect_timeout_ms;
	uint32_t timeout_ms;
	uint16_t port;
	bool knows_meta; /* of this connection, when it has been asked */
	/* Questions in a row that the connection did not survive: whoever does not bear them is not asked any more. */
	unsigned questions_lost;
	/* As a proof names it; 0: it proves nothing. And the last one that did. */
	uint64_t connection, last_connection;
	mcp_bytes secret; /* user and password as they are sent, behind the host; empty: none */
	char host[];      /* NUL-terminated */
} mcp_direct;

static inline mcp_direct *mcp_direct_of(mcp_wire *base) {
	return (mcp_direct *)base;
}

/* So many bytes are one record of TLS, which memcached reads at once. A command behind a longer value begins a record of its
 * own: memcached (1.6.18) reads the value's end alone and then waits for its socket, while the rest of that record lies in its
 * OpenSSL. */
#define MCP_DIRECT_GROUP_MAX 16000

/* Sends a request, and connects first where there is no connection. Its answers come into `inbox`. Up to
 * MCP_SOCKET_PIECES_MAX pieces. A write of which nothing is taken is MCP_UNSUPPORTED, over a new connection
 * MCP_UNREACHABLE. */
mcp_status mcp_direct_send(mcp_direct *wire, mcp_inbox *inbox, const mcp_bytes *pieces,
	size_t count);
/* Sends more of what the last one began, by its deadline. */
mcp_status mcp_direct_send_on(mcp_direct *wire, const mcp_bytes *pieces, size_t count);
/* Sends behind answers in the inbox of `items` that are to stay. */
mcp_status mcp_direct_send_further(mcp_direct *wire, const mcp_bytes *pieces, size_t count);
/* Sends one short piece, which nearly always leaves at once. */
mcp_status mcp_direct_send_one(mcp_direct *wire, mcp_inbox *inbox, mcp_bytes piece);
/* Sends a request of one line. */
static inline mcp_status mcp_direct_send_line(mcp_direct *wire, mcp_inbox *inbox,
	mcp_request *request) {
	return mcp_direct_send_one(wire, inbox, mcp_request_end(request));
}
/* Says whether the other side has ended the connection, or said what nobody asked for, since the last answer. Then it is
 * closed, and that was known before anything was sent. */
bool mcp_direct_has_ended(mcp_direct *wire);
/* Looks so before a single write. A unix socket whose other side has gone takes nothing, which the send finds out by
 * itself. MCP_OK or MCP_UNSUPPORTED. */
static inline mcp_status mcp_direct_look(mcp_direct *wire) {
	bool needs_look = !wire->carrier.socket->is_local;
	return needs_look && mcp_direct_has_ended(wire) ? MCP_UNSUPPORTED : MCP_OK;
}
/* Sends a write of one line, whose answer comes into `outcomes`. */
static inline mcp_status mcp_direct_write_line(mcp_direct *wire, mcp_request *request) {
	mcp_status status = mcp_direct_look(wire);
	return status == MCP_OK ? mcp_direct_send_line(wire, &wire->outcomes, request) : status;
}
/* Waits for the first bytes of an answer. */
mcp_status mcp_direct_await(mcp_direct *wire, mcp_inbox *inbox);
/* Hears the next answer, all of it. Views of earlier ones stay in place when `keeps_views`, at the same offset.
 * Nonsense is a failure; the caller judges what the answer says. */
mcp_status mcp_direct_hear(mcp_direct *wire, mcp_inbox *inbox, bool keeps_views,
	mcp_answer *answer);
/* Finishes the last one: nothing may stand behind it. */
mcp_status mcp_direct_finish(mcp_direct *wire, const mcp_inbox *inbox, const mcp_answer *answer);

/* Hears the one answer to a write that was sent so, all of it. */
mcp_status mcp_direct_hear_only(mcp_direct *wire, mcp_status sent, mcp_answer *answer);

/* Turns down an answer that is none to what was asked: the server's refusal, or something else. Closes the
 * connection, which may be in the middle of what the server did not understand. */
mcp_status mcp_direct_turn_down(mcp_direct *wire, const mcp_answer *answer);
void mcp_direct_hang_up(mcp_direct *wire);

#endif
