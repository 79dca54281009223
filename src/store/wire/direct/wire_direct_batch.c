/* Text commands one behind the other, by one system call: long values leave from where they are, everything else is put
 * together in one buffer. The answers come in the commands' order, one line each. */
/* SPDX-License-Identifier: MIT */
#include "wire_direct_batch.h"

#include "wire_direct_meta.h"
#include "wire_direct_write.h"

#include <assert.h>

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
	size_t length; /* of all pieces */
	size_t commands;
	size_t ends[2 *
		MCP_WIRE_BATCH_MAX]; /* of each command and of what is asked behind it, in all bytes */
} batch;

static inline void add(batch *self, mcp_bytes bytes) {
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

static inline bool is_piece(const mcp_wire_item *item) {
	return item->value.length >= PIECE_MIN;
}

static size_t room_for(const mcp_wire_item *items, size_t count) {
	size_t room = 0;
	for (size_t i = 0; i < count; i++) {
		room += MCP_REQUEST_MAX + items[i].head.length + PIECE_MIN;
		room += items[i].proof != NULL ? MCP_REQUEST_MAX : 0;
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
	[MCP_WIRE_TOUCH] = {"touch ", MCP_ANSWER_TOUCHED},
	[MCP_WIRE_DELETE_PROVEN] = {"md ", MCP_ANSWER_STORED},
	[MCP_WIRE_GET] = {"gets ", MCP_ANSWER_VALUE},
	[MCP_WIRE_GET_AND_TOUCH] = {"gats ", MCP_ANSWER_VALUE},
};

/* Writes the line of a command without a value. */
static void write_line(mcp_request *line, mcp_wire_verb verb, const mcp_wire_item *item) {
	bool renews = verb == MCP_WIRE_GET_AND_TOUCH;
	mcp_request_begin(line, verbs[verb].word, renews ? mcp_bytes_of("", 0) : item->key);
	if (verbs[verb].done == MCP_ANSWER_NUMBER) {
		mcp_request_add_u64(line, " ", item->by);
	} else if (verb == MCP_WIRE_TOUCH) {
		mcp_request_add_i64(line, " ", item->expiry);
	} else if (verb == MCP_WIRE_DELETE_PROVEN) {
		mcp_request_add_u64(line, " C", item->cas);
	} else if (renews) {
		mcp_request_add_i64(line, "", item->expiry);
		mcp_request_add(line, " ", 1);
		mcp_request_add(line, item->key.data, item->key.length);
	}
}

static void end_command(batch *self) {
	self->ends[self->commands++] = self->length + (size_t)(self->to - self->begun);
}

/* Asks behind a write for what stands there then. */
static void add_look(batch *self, const mcp_wire_item *item) {
	mcp_request line;
	mcp_request_begin(&line, verbs[MCP_WIRE_GET].word, item->key);
	add_line(self, &line);
}

static void add_command(batch *self, mcp_wire_verb verb, const mcp_wire_item *item) {
	mcp_request line;
	if (verb > MCP_WIRE_CAS) {
		write_line(&line, verb, item);
		add_line(self, &line);
		end_command(self);
		return;
	}
	mcp_request_begin(&line, verbs[verb].word, item->key);
	mcp_request_add_u64(&line, " ", item->flags);
	mcp_request_add_i64(&line, " ", item->expiry);
	mcp_request_add_u64(&line, " ", item->head.length + item->value.length);
	if (verb == MCP_WIRE_CAS) {
		mcp_request_add_u64(&line, " ", item->cas);
	}
	add_line(self, &line);
	add_value(self, item);
	end_command(self);
	if (item->proof != NULL) {
		add_look(self, item);
		end_command(self);
	}
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
	new->length = 0;
	new->commands = 0;
	return true;
}

/* Takes the bytes [from, to) of a batch as pieces. Returns their number. */
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

/* Sends so that no record holds the end of one long value and the next command. */
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

static mcp_status send(mcp_direct *self, batch *filled, mcp_inbox *inbox) {
	end_piece(filled);
	self->is_batch = true;
	mcp_status status = self->carrier.operations->is_plain
		? mcp_direct_send(self, inbox, filled->pieces, filled->count)
		: send_in_groups(self, filled, inbox);
	self->is_batch = status == MCP_OK;
	return status;
}

/* Looks first, on a unix socket, too: one look for so many costs nothing, and each answer would be taken for that of the
 * write behind where a line has come that nobody asked for. */
mcp_status mcp_direct_send_many(mcp_wire *base, mcp_wire_verb verb, const mcp_wire_item *items,
	size_t count) {
	mcp_direct *self = mcp_direct_of(base);
	batch commands;
	if (mcp_direct_has_ended(self)) {
		return MCP_UNSUPPORTED;
	}
	if (!begin(self, &commands, room_for(items, count))) {
		return MCP_UNREACHABLE;
	}
	for (size_t i = 0; i < count; i++) {
		add_command(&commands, verb, &items[i]);
	}
	self->batch_done = verbs[verb].done;
	return send(self, &commands, &self->outcomes);
}

/* Knows the one "client error" of a well-formed calculation: that the item is not a number. */
static inline bool is_of_no_number(const mcp_direct *self, const mcp_answer *answer) {
	return answer->kind == MCP_ANSWER_CLIENT_ERROR && self->batch_done == MCP_ANSWER_NUMBER;
}

/* Hears; a "server error" is the whole answer to its command (protocol.txt), and the connection goes on; behind any
 * other that is none to a write, nobody knows whose the next line is. */
static mcp_status hear_outcome(mcp_direct *self, mcp_inbox *inbox, bool is_last, uint64_t *number) {
	mcp_answer answer;
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
	*number = answer.number;
	return is_of_no_number(self, &answer) ? MCP_NOT_A_NUMBER
										  : mcp_direct_status_of(self, &answer, self->batch_done);
}

mcp_status mcp_direct_answer(mcp_wire *base, bool is_last, uint64_t *number) {
	mcp_direct *self = mcp_direct_of(base);
	if (!mcp_channel_is_open(&self->carrier)) {
		return MCP_BROKEN;
	}
	return hear_outcome(self, &self->outcomes, is_last, number);
}

mcp_status mcp_direct_answer_proven(mcp_wire *base, bool is_last, const mcp_wire_item *item) {
	mcp_direct *self = mcp_direct_of(base);
	if (!mcp_channel_is_open(&self->carrier)) {
		return MCP_BROKEN;
	}
	uint64_t number;
	mcp_status outcome = hear_outcome(self, &self->outcomes, false, &number);
	if (!mcp_channel_is_open(&self->carrier)) {
		return outcome;
	}
	self->is_batch = self->is_batch && !is_last;
	mcp_status status = mcp_direct_look_behind(self, item, outcome == MCP_OK, is_last);
	return status == MCP_OK ? outcome : status;
}

/* --- commands of several kinds --- */

bool mcp_direct_takes_steps(const mcp_wire *base) {
	return ((const mcp_direct *)base)->knows_meta;
}

static bool is_read(const mcp_wire_step *step) {
	return step->verb >= MCP_WIRE_GET;
}

static bool compose(mcp_direct *self, batch *new, const mcp_wire_step *steps, size_t count) {
	size_t room = 0;
	for (size_t i = 0; i < count; i++) {
		room += room_for(&steps[i].item, 1);
	}
	if (!begin(self, new, room)) {
		return false;
	}
	for (size_t i = 0; i < count; i++) {
		add_command(new, steps[i].verb, &steps[i].item);
	}
	return true;
}

/* Sends likewise; all answers come where the last one's do: a read's view must find its place. */
mcp_status mcp_direct_send_steps(mcp_wire *base, const mcp_wire_step *steps, size_t count) {
	mcp_direct *self = mcp_direct_of(base);
	batch commands;
	if (mcp_direct_has_ended(self)) {
		return MCP_UNSUPPORTED;
	}
	if (!compose(self, &commands, steps, count)) {
		return MCP_UNREACHABLE;
	}
	self->keys_asked = count;
	self->batch_inbox = is_read(&steps[count - 1]) ? &self->items : &self->outcomes;
	mcp_status status = send(self, &commands, self->batch_inbox);
	self->is_batch = self->is_batch && !is_read(&steps[0]);
	return status;
}

/* Hears one item, which may move when its answer's end arrives. */
static mcp_status hear_item(mcp_direct *self, const mcp_wire_step *step, bool is_last,
	mcp_item *item) {
	mcp_answer answer;
	mcp_inbox *inbox = self->batch_inbox;
	mcp_status status = mcp_direct_hear(self, inbox, true, &answer);
	bool is_found = status == MCP_OK && answer.kind == MCP_ANSWER_VALUE &&
		mcp_bytes_equal(answer.key, step->item.key);
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

mcp_status mcp_direct_hear_step(mcp_wire *base, const mcp_wire_step *step, bool is_last,
	mcp_item *item) {
	mcp_direct *self = mcp_direct_of(base);
	uint64_t number;
	if (!mcp_channel_is_open(&self->carrier)) {
		return MCP_BROKEN;
	}
	if (is_read(step)) {
		self->is_batch = false;
		return hear_item(self, step, is_last, item);
	}
	self->batch_done = verbs[step->verb].done;
	return hear_outcome(self, self->batch_inbox, is_last, &number);
}
