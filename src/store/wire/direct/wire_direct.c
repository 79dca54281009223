/* Direct wire: reads with "gets", batches of writes, steps and statistics. wire_direct_write.c has single writes, and
 * wire_direct_line.c transfers requests and replies. */
/* SPDX-License-Identifier: MIT */
#include "wire_direct.h"

#include "../../../core/protocol/answer.h"
#include "wire_direct_line.h"

#include <assert.h>
#include <stdlib.h>

/* Batch of text commands, sent with one system call. Long values are sent from their memory, and all other bytes are
 * joined in one buffer. Replies arrive in the order of the commands, one line each. */

/* Shorter values are cheaper to copy than to send as a separate piece. */
#define PIECE_MIN 256

static_assert(2 * MCP_STORE_AHEAD_ANY + 1 <= MCP_SOCKET_PIECES_MAX &&
		2 * (MCP_WIRE_LONG_BATCH_BYTES_MAX / PIECE_MIN) + 1 <= MCP_SOCKET_PIECES_MAX,
	"a long value is a piece between two others");

/* Invariant: [begun, to) is the part of the buffer that belongs to no piece yet. */
typedef struct batch {
	const char *begun;
	char *to;
	size_t count;
	mcp_bytes pieces[MCP_SOCKET_PIECES_MAX];
	size_t length; /* length of all pieces */
	size_t commands;
	size_t ends[2 * MCP_WIRE_BATCH_MAX]; /* end of each command, and of the read after it */
} batch;

static inline void put_bytes(batch *self, mcp_bytes bytes) {
	if (bytes.length > 0) {
		memcpy(self->to, bytes.data, bytes.length);
		self->to += bytes.length;
	}
}

static void add_piece(batch *self, mcp_bytes piece) {
	self->pieces[self->count++] = piece;
	self->length += piece.length;
}

static void end_piece(batch *self) {
	add_piece(self, mcp_bytes_of(self->begun, (size_t)(self->to - self->begun)));
	self->begun = self->to;
}

static inline bool is_piece(const mcp_record *record) {
	return record->body.length >= PIECE_MIN;
}

static size_t request_size(const mcp_op *op) {
	return MCP_REQUEST_MAX + mcp_wire_record(op)->head.length + PIECE_MIN +
		(op->is_proven ? MCP_REQUEST_MAX : 0);
}

static void add_line(batch *self, mcp_request *line) {
	put_bytes(self, mcp_request_end(line));
}

static void add_value(batch *self, const mcp_record *record) {
	put_bytes(self, record->head);
	if (is_piece(record)) {
		end_piece(self);
		add_piece(self, record->body);
	} else {
		put_bytes(self, record->body);
	}
	put_bytes(self, mcp_bytes_of("\r\n", 2));
}

/* Writes the line before a value. */
static void write_value_line(const mcp_direct *self, mcp_request *line, const mcp_op *op) {
	static const char *const words[] = {
		[MCP_OP_ADD] = "add ",
		[MCP_OP_SET] = "set ",
		[MCP_OP_CAS] = "cas ",
		[MCP_OP_APPEND] = "append ",
		[MCP_OP_DELETE_IF] = "cas ",
	};
	const mcp_record *record = mcp_wire_record(op);
	mcp_request_begin(line, words[op->verb], op->key->wire);
	mcp_request_add_u64(line, " ", record->flags);
	mcp_request_add_i64(line, " ", mcp_wire_expiry(op, self->environment));
	mcp_request_add_u64(line, " ", record->head.length + record->body.length);
	if (mcp_op_compares(op)) {
		mcp_request_add_u64(line, " ", op->expects.cas);
	}
}

static void end_command(batch *self) {
	self->ends[self->commands++] = self->length + (size_t)(self->to - self->begun);
}

static void add_command(const mcp_direct *self, batch *to, const mcp_op *op) {
	mcp_request line;
	if (!mcp_direct_sends_value(op)) {
		mcp_direct_compose(self, op, &line);
		add_line(to, &line);
		end_command(to);
		return;
	}
	write_value_line(self, &line, op);
	add_line(to, &line);
	add_value(to, mcp_wire_record(op));
	end_command(to);
	if (op->is_proven) {
		mcp_request_begin(&line, "gets ", op->key->wire);
		add_line(to, &line);
		end_command(to);
	}
}

/* False: memory exhausted. */
static bool begin_batch(mcp_direct *self, batch *new, size_t size) {
	mcp_buffer_clear(&self->keys);
	if (!mcp_buffer_reserve(&self->keys, size)) {
		mcp_reason_say(&self->reason, "received no request: this process is out of memory");
		return false;
	}
	new->begun = new->to = self->keys.data;
	new->count = new->length = new->commands = 0;
	return true;
}

/* Collects the bytes [from, to) of a batch as pieces. Returns their number. */
static size_t slice(const batch *of, size_t from, size_t to, mcp_bytes *pieces) {
	size_t count = 0, at = 0;
	for (size_t i = 0; i < of->count; i++) {
		mcp_bytes piece = of->pieces[i];
		size_t begin = from > at ? from - at : 0;
		size_t end = to < at + piece.length ? to - at : piece.length;
		at += piece.length;
		if (at > from && begin < end) {
			pieces[count++] = mcp_bytes_of(piece.data + begin, end - begin);
		}
		if (at >= to) {
			break;
		}
	}
	return count;
}

/* No TLS record may contain the end of a long value and the next command, see MCP_DIRECT_GROUP_MAX. */
static mcp_status send_in_groups(mcp_direct *self, const batch *filled, mcp_inbox *inbox) {
	mcp_bytes pieces[MCP_SOCKET_PIECES_MAX];
	mcp_status status = MCP_OK;
	size_t from = 0;
	for (size_t i = 0; i < filled->commands && status == MCP_OK; i++) {
		bool is_last = i + 1 == filled->commands;
		if (!is_last && filled->ends[i + 1] - from <= MCP_DIRECT_GROUP_MAX) {
			continue;
		}
		size_t count = slice(filled, from, filled->ends[i], pieces);
		status = from == 0 ? mcp_direct_send(self, inbox, pieces, count)
						   : mcp_direct_send_on(self, pieces, count);
		from = filled->ends[i];
	}
	return status;
}

static mcp_status submit_batch(mcp_direct *self, batch *filled, mcp_inbox *inbox) {
	end_piece(filled);
	self->is_batch = true;
	mcp_status status = !self->carrier.operations->is_plain ? send_in_groups(self, filled, inbox)
		: filled->count == 1 ? mcp_direct_send_one(self, inbox, filled->pieces[0])
							 : mcp_direct_send(self, inbox, filled->pieces, filled->count);
	self->is_batch = status == MCP_OK;
	return status;
}

static bool compose_batch(mcp_direct *self, batch *new, mcp_op *const *ops, size_t count) {
	size_t size = 0;
	for (size_t i = 0; i < count; i++) {
		size += request_size(ops[i]);
	}
	if (!begin_batch(self, new, size)) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		add_command(self, new, ops[i]);
	}
	return true;
}

/* Check the connection before several writes even on a Unix socket: after an unrequested line, each reply would be
 * taken as the reply to the next write. A read detects the line. All replies go to the last op's inbox, so that the
 * views of reads have one base. */
static mcp_status submit_ops(mcp_wire *base, mcp_op *const *ops, size_t count) {
	mcp_direct *self = mcp_direct_of(base);
	batch commands;
	bool is_one_write = count == 1 || mcp_op_is_read(ops[1]);
	if (is_one_write ? mcp_direct_check_line(self) != MCP_OK : mcp_direct_has_ended(self)) {
		return MCP_UNSUPPORTED;
	}
	if (!compose_batch(self, &commands, ops, count)) {
		return MCP_UNREACHABLE;
	}
	self->keys_asked = count;
	self->batch_inbox = mcp_op_is_read(ops[count - 1]) ? &self->items : &self->outcomes;
	mcp_status status = submit_batch(self, &commands, self->batch_inbox);
	self->is_batch = self->is_batch && !mcp_op_is_read(ops[0]);
	return status;
}

/* A well-formed increment has only one "client error": the value is not a number. A "server error" is a complete reply
 * (protocol.txt), so the connection stays open. After any other unexpected reply, the next line can belong to any
 * command. */
static mcp_status parse_outcome(mcp_direct *self, mcp_op *op, bool is_last) {
	mcp_answer answer;
	mcp_answer_kind done = mcp_direct_hopes[op->verb].kind;
	mcp_inbox *inbox = self->batch_inbox;
	mcp_status status = mcp_direct_hear(self, inbox, false, &answer);
	if (status == MCP_OK && is_last) {
		self->is_batch = false;
		status = mcp_direct_finish(self, inbox, &answer);
	}
	if (status != MCP_OK) {
		return status;
	}
	if (answer.kind == MCP_ANSWER_SERVER_ERROR && !mcp_direct_is_too_large(&answer)) {
		mcp_reason_say_answered(&self->reason, "", answer.line, "");
		return MCP_REFUSED;
	}
	if (answer.kind == MCP_ANSWER_NUMBER) {
		op->number = answer.number;
	}
	return mcp_direct_status_of(self, &answer, done);
}

/* Fast path: compare with the usual reply. Any other reply is parsed. */
static mcp_status hear_outcome(mcp_direct *self, mcp_op *op, bool is_last) {
	const mcp_direct_hope *hope = &mcp_direct_hopes[op->verb];
	mcp_inbox *inbox = self->batch_inbox;
	mcp_status status = inbox->bytes.length == 0 ? mcp_direct_await(self, inbox) : MCP_OK;
	if (status != MCP_OK) {
		return status;
	}
	if (hope->length == 0 || !mcp_inbox_take(inbox, hope->line, hope->length, is_last)) {
		return parse_outcome(self, op, is_last);
	}
	self->is_batch = self->is_batch && !is_last;
	return MCP_OK;
}

static mcp_status hear_proven(mcp_direct *self, mcp_op *op, bool is_last) {
	mcp_status outcome = hear_outcome(self, op, false);
	if (!mcp_channel_is_open(&self->carrier)) {
		return outcome;
	}
	self->is_batch = self->is_batch && !is_last;
	mcp_status status = mcp_direct_read_back(self, op, outcome == MCP_OK, is_last);
	return status == MCP_OK ? outcome : status;
}

/* The item can move while the end of the reply is received. */
static mcp_status hear_item(mcp_direct *self, mcp_op *op, bool is_last) {
	mcp_answer answer;
	mcp_item *item = &op->item;
	mcp_inbox *inbox = self->batch_inbox;
	mcp_status status = mcp_direct_hear(self, inbox, true, &answer);
	bool is_found = status == MCP_OK && answer.kind == MCP_ANSWER_VALUE &&
		mcp_bytes_equal(answer.key, op->key->wire);
	if (is_found) {
		*item = (mcp_item){.value = answer.value, .flags = answer.flags, .cas = answer.cas};
		size_t offset = (size_t)(answer.value.data - inbox->bytes.data);
		status = mcp_direct_hear(self, inbox, true, &answer);
		item->value.data = inbox->bytes.data + offset;
	}
	if (status == MCP_OK && answer.kind != MCP_ANSWER_END) {
		return mcp_direct_turn_down(self, &answer);
	}
	if (status == MCP_OK && is_last) {
		status = mcp_direct_finish(self, inbox, &answer);
	}
	return status == MCP_OK && !is_found ? MCP_NOT_FOUND : status;
}

static mcp_status read_answer(mcp_wire *base, mcp_op *op, bool is_last) {
	mcp_direct *self = mcp_direct_of(base);
	if (!mcp_channel_is_open(&self->carrier)) {
		return MCP_BROKEN;
	}
	if (mcp_op_is_read(op)) {
		self->is_batch = false;
		return hear_item(self, op, is_last);
	}
	return op->is_proven ? hear_proven(self, op, is_last) : hear_outcome(self, op, is_last);
}

/* Key of a read that only checks for a reply; the key's value is irrelevant. */
#define PING_KEY "mcpatterns:ping"
/* Any socket takes this number of bytes in one call, so that an unresponsive server costs one timeout. */
#define ASK_BYTES_MAX 8000

static mcp_direct *of(mcp_wire *base) {
	return (mcp_direct *)base;
}

static mcp_item item_of(const mcp_answer *answer) {
	return (mcp_item){.value = answer->value, .flags = answer->flags, .cas = answer->cas};
}

/* The end of the reply usually arrives with the item; otherwise, receiving the end can move the item. */
static mcp_status take_one(mcp_direct *self, mcp_inbox *inbox, mcp_answer *answer, mcp_item *item) {
	*item = item_of(answer);
	if (mcp_inbox_take(inbox, "END\r\n", sizeof("END\r\n") - 1, true)) {
		return MCP_OK;
	}
	size_t offset = (size_t)(answer->value.data - inbox->bytes.data);
	mcp_status status = mcp_direct_hear(self, inbox, true, answer);
	if (status != MCP_OK) {
		return status;
	}
	item->value.data = inbox->bytes.data + offset;
	return answer->kind == MCP_ANSWER_END ? mcp_direct_finish(self, inbox, answer)
										  : mcp_direct_turn_down(self, answer);
}

static mcp_status hear_one(mcp_direct *self, mcp_inbox *inbox, mcp_bytes key, mcp_item *item) {
	mcp_answer answer;
	self->keys_asked = 1;
	mcp_status status = mcp_direct_hear(self, inbox, true, &answer);
	if (status != MCP_OK) {
		return status;
	}
	if (answer.kind == MCP_ANSWER_VALUE && mcp_bytes_equal(answer.key, key)) {
		return take_one(self, inbox, &answer, item);
	}
	if (answer.kind != MCP_ANSWER_END) {
		return mcp_direct_turn_down(self, &answer);
	}
	status = mcp_direct_finish(self, inbox, &answer);
	return status == MCP_OK ? MCP_NOT_FOUND : status;
}

static inline mcp_status ask_one(mcp_direct *self, mcp_inbox *inbox, mcp_bytes key) {
	mcp_request request;
	mcp_request_begin(&request, "gets ", key);
	return mcp_direct_send_line(self, inbox, &request);
}

/* Fast path: a hit that arrives as a whole. */
static mcp_status get(mcp_wire *base, mcp_bytes key, mcp_item *item) {
	mcp_direct *self = of(base);
	mcp_status status = ask_one(self, &self->items, key);
	if (status == MCP_OK) {
		status = mcp_direct_await(self, &self->items);
	}
	if (status != MCP_OK) {
		return status;
	}
	mcp_answer_hit hit;
	if (!mcp_answer_hit_read(mcp_inbox_unread(&self->items), key, &hit)) {
		return hear_one(self, &self->items, key, item);
	}
	mcp_inbox_take_all(&self->items);
	*item = (mcp_item){.value = hit.value, .flags = hit.flags, .cas = hit.cas};
	return MCP_OK;
}

/* Reads into the inbox without views. */
static mcp_status get_aside(mcp_direct *self, mcp_bytes key, mcp_item *item) {
	mcp_status status = ask_one(self, &self->lines, key);
	return status == MCP_OK ? hear_one(self, &self->lines, key, item) : status;
}

static mcp_status cas_of(mcp_wire *base, mcp_bytes key, uint64_t *cas) {
	mcp_item item = {.cas = 0};
	mcp_status status = get_aside(of(base), key, &item);
	*cas = item.cas;
	return status;
}

/* Do not send "version": some proxies close the connection. */
static mcp_status ping(mcp_wire *base) {
	mcp_item item;
	mcp_bytes key = mcp_bytes_of(PING_KEY, sizeof(PING_KEY) - 1);
	mcp_status status = get_aside(of(base), key, &item);
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}

/* Adds the number of keys to keys_asked. Reserves the memory for all keys at once. */
static bool compose_gets(mcp_direct *self, mcp_op *const *ops, size_t count) {
	mcp_buffer *request = &self->keys;
	mcp_buffer_clear(request);
	if (!mcp_buffer_reserve(request, sizeof("gets") - 1 + ASK_BYTES_MAX + sizeof("\r\n") - 1)) {
		return false;
	}
	char *to = request->data;
	memcpy(to, "gets", 4);
	to += 4;
	for (size_t i = 0; i < count; i++) {
		if (ops[i]->status == MCP_NOT_FOUND) {
			mcp_bytes key = ops[i]->key->wire;
			*to++ = ' ';
			memcpy(to, key.data, key.length);
			to += key.length;
			self->keys_asked++;
		}
	}
	memcpy(to, "\r\n", 2);
	request->length = (size_t)(to + 2 - request->data);
	return true;
}

static mcp_status ask(mcp_wire *base, mcp_op *const *ops, size_t count, bool is_further) {
	mcp_direct *self = of(base);
	self->keys_asked = is_further ? self->keys_asked : 0;
	if (!compose_gets(self, ops, count)) {
		mcp_reason_say(&self->reason, "received no request: this process is out of memory");
		return MCP_UNREACHABLE;
	}
	mcp_bytes request = mcp_bytes_of(self->keys.data, self->keys.length);
	return is_further ? mcp_direct_send_further(self, &request, 1)
					  : mcp_direct_send(self, &self->items, &request, 1);
}

static void resume(mcp_wire *base) {
	mcp_direct *self = of(base);
	uint64_t now_ms = mcp_monotonic_ms(self->environment);
	bool is_late = now_ms - self->deadline.began_ms > self->timeout_ms / 2;
	if (is_late && mcp_channel_is_silent(&self->carrier)) {
		self->deadline.is_fresh = false;
	} else {
		self->deadline.began_ms = now_ms;
	}
}

static const char *items(const mcp_wire *base) {
	return ((const mcp_direct *)base)->items.bytes.data;
}

static mcp_status await(mcp_wire *base) {
	mcp_direct *self = of(base);
	return mcp_inbox_is_empty(&self->items) ? mcp_direct_await(self, &self->items) : MCP_OK;
}

static mcp_status next(mcp_wire *base, mcp_bytes *key, mcp_item *item) {
	mcp_direct *self = of(base);
	if (mcp_inbox_take(&self->items, "END\r\n", sizeof("END\r\n") - 1, true)) {
		return MCP_NOT_FOUND;
	}
	mcp_answer answer;
	mcp_status status = mcp_direct_hear(self, &self->items, true, &answer);
	if (status != MCP_OK) {
		return status;
	}
	if (answer.kind == MCP_ANSWER_VALUE) {
		*key = answer.key;
		*item = item_of(&answer);
		return MCP_OK;
	}
	if (answer.kind != MCP_ANSWER_END) {
		return mcp_direct_turn_down(self, &answer);
	}
	status = mcp_direct_finish(self, &self->items, &answer);
	return status == MCP_OK ? MCP_NOT_FOUND : status;
}

static bool take(mcp_wire *base, mcp_bytes key, mcp_item *item) {
	mcp_inbox *inbox = &of(base)->items;
	mcp_answer_hit hit;
	size_t length = mcp_answer_hit_first(mcp_inbox_unread(inbox), key, &hit);
	if (length == 0) {
		return false;
	}
	inbox->read += length;
	*item = (mcp_item){.value = hit.value, .flags = hit.flags, .cas = hit.cas};
	return true;
}

static void break_off(mcp_wire *base) {
	mcp_reason_say(&of(base)->reason, "sent an unexpected reply");
	mcp_direct_hang_up(of(base));
}

/* A peer without statistics replies "ERROR", and the connection stays open. */
static mcp_status end_statistics(mcp_direct *self, const mcp_answer *answer) {
	mcp_status status = mcp_direct_finish(self, &self->lines, answer);
	if (status != MCP_OK || answer->kind == MCP_ANSWER_END) {
		return status;
	}
	if (answer->kind != MCP_ANSWER_ERROR) {
		return mcp_direct_turn_down(self, answer);
	}
	mcp_reason_say_answered(&self->reason, "", answer->line, "");
	return MCP_REFUSED;
}

static mcp_status read_statistics(mcp_direct *self, mcp_wire_line line, void *context) {
	for (;;) {
		mcp_answer answer;
		mcp_status status = mcp_direct_hear(self, &self->lines, false, &answer);
		if (status != MCP_OK) {
			return status;
		}
		if (answer.kind != MCP_ANSWER_STATISTIC) {
			return end_statistics(self, &answer);
		}
		if (!line(context, answer.key, answer.value)) {
			return mcp_direct_turn_down(self, &answer);
		}
	}
}

static mcp_status stats(mcp_wire *base, const char *kind, mcp_wire_line line, void *context) {
	mcp_request request;
	mcp_bytes what = kind != NULL ? mcp_bytes_text(kind) : mcp_bytes_of("", 0);
	mcp_request_begin(&request, kind != NULL ? "stats " : "stats", what);
	mcp_status status = mcp_direct_send_line(of(base), &of(base)->lines, &request);
	return status == MCP_OK ? read_statistics(of(base), line, context) : status;
}

static const mcp_reason *reason(const mcp_wire *base) {
	return &((const mcp_direct *)base)->reason;
}

static void wipe(mcp_bytes secret) {
	for (size_t i = 0; i < secret.length; i++) {
		((volatile char *)(uintptr_t)secret.data)[i] = 0;
	}
}

static void free_closed(mcp_direct *self) {
	mcp_channel_free(&self->carrier);
	wipe(self->secret);
	mcp_inbox_free(&self->items);
	mcp_inbox_free(&self->lines);
	mcp_inbox_free(&self->outcomes);
	mcp_buffer_free(&self->keys);
	free(self);
}

static void free_wire(mcp_wire *base) {
	mcp_direct_hang_up(of(base));
	free_closed(of(base));
}

static void disown(mcp_wire *base) {
	mcp_channel_disown(&of(base)->carrier);
	free_closed(of(base));
}

static const mcp_wire_operations operations = {
	.ask_bytes_max = ASK_BYTES_MAX,
	.get = get,
	.cas_of = cas_of,
	.ping = ping,
	.ask = ask,
	.resume = resume,
	.await = await,
	.next = next,
	.take = take,
	.items = items,
	.break_off = break_off,
	.write = mcp_direct_write,
	.learn = mcp_direct_learn,
	.connection = mcp_direct_connection,
	.submit = submit_ops,
	.answer = read_answer,
	.seconds_left = mcp_direct_seconds_left,
	.stats = stats,
	.reason = reason,
	.free = free_wire,
	.disown = disown,
};

/* Length of user, space and password. */
static size_t secret_length(const mcp_wire_settings *settings) {
	return settings->password.length > 0 ? settings->user.length + 1 + settings->password.length
										 : 0;
}

static void keep_secret(mcp_direct *self, char *to, const mcp_wire_settings *settings) {
	size_t length = secret_length(settings);
	if (length > 0) {
		memcpy(to, settings->user.data, settings->user.length);
		to[settings->user.length] = ' ';
		memcpy(to + settings->user.length + 1, settings->password.data, settings->password.length);
		self->secret = mcp_bytes_of(to, length);
	}
}

mcp_wire *mcp_wire_direct_create(const mcp_wire_settings *settings,
	const mcp_environment *environment) {
	size_t length = strlen(settings->host) + 1;
	mcp_direct *self = calloc(1, sizeof(*self) + length + secret_length(settings));
	if (self == NULL) {
		return NULL;
	}
	self->base.operations = &operations;
	self->environment = environment;
	self->own_socket.descriptor = -1;
	self->carrier = settings->carrier != NULL
		? *settings->carrier
		: (mcp_channel){&mcp_channel_socket, &self->own_socket};
	self->connect_timeout_ms = settings->connect_timeout_ms;
	self->timeout_ms = settings->timeout_ms;
	self->deadline = (mcp_deadline){.environment = environment, .timeout_ms = self->timeout_ms};
	self->port = settings->port;
	self->late = settings->late;
	memcpy(self->host, settings->host, length);
	keep_secret(self, self->host + length, settings);
	return &self->base;
}
