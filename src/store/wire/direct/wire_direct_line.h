/* Common part of the direct wire's files: connection, requests and failures. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_STORE_WIRE_DIRECT_WIRE_DIRECT_LINE_H
#define MCP_STORE_WIRE_DIRECT_WIRE_DIRECT_LINE_H

#include "../../../core/bytes.h"
#include "../../../core/key/key.h"
#include "../../../core/protocol/answer.h"
#include "../socket.h"
#include "../wire.h"

/* Bytes received on a connection, and how many of them have been read. Replies are views, valid until the bytes
 * move. */

/* Zero-initialized: empty. */
typedef struct mcp_inbox {
	mcp_buffer bytes;
	size_t read;     /* offset in `bytes` */
	bool was_filled; /* the last receive filled the buffer */
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

/* Reads these bytes if they are next; `is_last`: and no other bytes are left. False: reads nothing. */
MCP_INLINED bool mcp_inbox_take(mcp_inbox *inbox, const char *bytes, size_t length, bool is_last) {
	size_t left = inbox->bytes.length - inbox->read;
	bool is_next = (left == length || (left > length && !is_last)) &&
		mcp_words_equal(inbox->bytes.data + inbox->read, bytes, length);
	inbox->read += is_next ? length : 0;
	return is_next;
}

/* Marks all received bytes as read. */
static inline void mcp_inbox_take_all(mcp_inbox *inbox) {
	inbox->read = inbox->bytes.length;
}

void mcp_inbox_free(mcp_inbox *inbox);

/* Request line on the stack: command words, a key and up to 4 numbers. */

/* Maximum bytes of a line: a word, a key, 4 numbers with separators, and some flags. */
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

/* `mark` separates the number from the text before it: a space, and possibly a meta flag. */
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

/* Number of failed inquiries after which no further inquiry is sent. One failure is not sufficient, because the server
 * might have been paused at that moment. */
#define MCP_DIRECT_QUESTIONS_MAX 2

/* Invariants: between 2 requests, all replies have been read and no other bytes have arrived, or the connection is
 * closed. */
typedef struct mcp_direct {
	mcp_wire base;
	const mcp_environment *environment;
	mcp_channel carrier;
	mcp_socket own_socket; /* socket of the channel, if no channel was given */
	mcp_deadline deadline; /* deadline of the request in progress */
	mcp_inbox items;       /* memory of the views of `get` and `next` */
	mcp_inbox lines;       /* replies to other requests, which do not invalidate views */
	/* Replies to writes only. If the wire gives up on such a reply, a late write remains. */
	mcp_inbox outcomes;
	mcp_buffer keys;        /* request for many keys, or batch */
	size_t keys_asked;      /* number of keys in this call, to bound the reply */
	mcp_inbox *batch_inbox; /* inbox for the replies to a batch */
	bool is_batch;          /* a batch of writes is in progress */
	bool is_new;            /* the current or last request opened the connection */
	mcp_late_writes *late;  /* NULL: connections are closed instead of set aside */
	mcp_reason reason;      /* reason of the last failure */
	uint32_t connect_timeout_ms;
	uint32_t timeout_ms;
	uint16_t port;
	/* Number of consecutive inquiries that broke the connection. After MCP_DIRECT_QUESTIONS_MAX, no inquiry is sent. */
	unsigned questions_lost;
	/* Unique number of the connection in this process and its forks, for mcp_proof; 0: no proofs. `last_connection`:
	 * the last such number. */
	uint64_t connection, last_connection;
	mcp_bytes secret; /* user and password as sent, stored after the host; empty: none */
	char host[];      /* NUL-terminated */
} mcp_direct;

static inline mcp_direct *mcp_direct_of(mcp_wire *base) {
	return (mcp_direct *)base;
}

/* Size of a TLS record, which memcached reads in one call. A command after a longer value needs a separate record.
 * Otherwise memcached (1.6.18) reads the end of the value and then waits for its socket, although the rest of the
 * record is in its OpenSSL buffer. */
#define MCP_DIRECT_GROUP_MAX 16000

/* Sends a request of up to MCP_SOCKET_PIECES_MAX pieces, and connects if necessary. Replies go to `inbox`. If the
 * peer has not taken any byte of a write: MCP_UNSUPPORTED, or MCP_UNREACHABLE over a new connection. */
mcp_status mcp_direct_send(mcp_direct *wire, mcp_inbox *inbox, const mcp_bytes *pieces,
	size_t count);
/* Sends a further part of the last request, within the request's deadline. */
mcp_status mcp_direct_send_on(mcp_direct *wire, const mcp_bytes *pieces, size_t count);
/* Sends a request and keeps the replies in the inbox of `items`. */
mcp_status mcp_direct_send_further(mcp_direct *wire, const mcp_bytes *pieces, size_t count);
/* Sends one short piece, which usually needs no wait. */
mcp_status mcp_direct_send_one(mcp_direct *wire, mcp_inbox *inbox, mcp_bytes piece);
static inline mcp_status mcp_direct_send_line(mcp_direct *wire, mcp_inbox *inbox,
	mcp_request *request) {
	return mcp_direct_send_one(wire, inbox, mcp_request_end(request));
}
/* True if the peer closed the connection or sent unrequested bytes since the last reply. If so, closes
 * the connection; nothing was sent. */
bool mcp_direct_has_ended(mcp_direct *wire);
/* Checks the connection before a single write: MCP_OK or MCP_UNSUPPORTED. On a Unix socket, the send itself fails if
 * the peer is gone. An unrequested line is then taken as the reply: a check would cost 3 % of a write, and a server
 * that lies about a write is not detected anyway. A read detects the line. */
static inline mcp_status mcp_direct_check_line(mcp_direct *wire) {
	bool needs_look = !wire->carrier.socket->is_local;
	return needs_look && mcp_direct_has_ended(wire) ? MCP_UNSUPPORTED : MCP_OK;
}
/* Sends a write of one line; its reply goes to `outcomes`. */
static inline mcp_status mcp_direct_write_line(mcp_direct *wire, mcp_request *request) {
	mcp_status status = mcp_direct_check_line(wire);
	return status == MCP_OK ? mcp_direct_send_line(wire, &wire->outcomes, request) : status;
}
/* Waits for the first bytes of a reply. */
mcp_status mcp_direct_await(mcp_direct *wire, mcp_inbox *inbox);
/* Reads the next reply as a whole. `keeps_views`: earlier replies keep their offset. An invalid reply is a failure;
 * the caller interprets a valid reply. */
mcp_status mcp_direct_hear(mcp_direct *wire, mcp_inbox *inbox, bool keeps_views,
	mcp_answer *answer);
/* Fails if bytes follow the last reply. */
mcp_status mcp_direct_finish(mcp_direct *wire, const mcp_inbox *inbox, const mcp_answer *answer);

/* Reads the only reply to a write. */
mcp_status mcp_direct_hear_only(mcp_direct *wire, mcp_status sent, mcp_answer *answer);

/* The reply is an error. */
static inline bool mcp_direct_is_refusal(const mcp_answer *answer) {
	return answer->kind == MCP_ANSWER_ERROR || answer->kind == MCP_ANSWER_CLIENT_ERROR ||
		answer->kind == MCP_ANSWER_SERVER_ERROR;
}

/* Fails because of a reply that does not match the request: the server's error, or an unexpected reply. Closes the
 * connection, whose state is unknown. */
mcp_status mcp_direct_turn_down(mcp_direct *wire, const mcp_answer *answer);
void mcp_direct_hang_up(mcp_direct *wire);

/* --- proofs and single writes: a server supports proofs if it knows the meta commands, has CAS enabled, and is a
 * memcached, not a proxy --- */

/* Functions of the wire, see wire.h. */
mcp_status mcp_direct_learn(mcp_wire *wire);
uint64_t mcp_direct_connection(const mcp_wire *wire);
mcp_status mcp_direct_seconds_left(mcp_wire *wire, mcp_bytes key, uint64_t *seconds);
mcp_status mcp_direct_write(mcp_wire *wire, mcp_op *op);

/* Writes the line of an op that sends no value. */
void mcp_direct_compose(const mcp_direct *wire, const mcp_op *op, mcp_request *line);

/* False: one line is sufficient. A delete_if with a connection is a meta command. */
static inline bool mcp_direct_sends_value(const mcp_op *op) {
	return mcp_op_stores(op) || (op->verb == MCP_OP_DELETE_IF && op->expects.connection == 0);
}
/* The reply to a write that means success. */
typedef struct mcp_direct_hope {
	const char *line; /* with its line end; empty: a number */
	size_t length;
	mcp_answer_kind kind;
} mcp_direct_hope;
extern const mcp_direct_hope mcp_direct_hopes[]; /* by verb */
/* Returns the status for a write's reply; `done`: the kind that means success. */
mcp_status mcp_direct_status_of(mcp_direct *wire, const mcp_answer *answer, mcp_answer_kind done);
/* Reads the item after a write, and sets the proof if the item equals the written item, because another client might
 * have written in between. `was_done`: the write succeeded. `is_last`: no further reply may follow. */
mcp_status mcp_direct_read_back(mcp_direct *wire, const mcp_op *op, bool was_done, bool is_last);
/* True if a "server error" means that the item exceeds the server's limit. */
bool mcp_direct_is_too_large(const mcp_answer *answer);

#endif
