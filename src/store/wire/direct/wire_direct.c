/* Reads by "gets", of one key or many. How it writes stands in wire_direct_write.c, and what the answers to all have
 * in common in wire_direct_line.c. */
/* SPDX-License-Identifier: MIT */
#include "wire_direct.h"

#include "../../../core/protocol/answer_hit.h"
#include "wire_direct_batch.h"
#include "wire_direct_line.h"
#include "wire_direct_meta.h"
#include "wire_direct_write.h"

#include <stdlib.h>

/* Read to see whether the server answers; what it holds does not matter. */
#define PING_KEY "mcpatterns:ping"
/* The bytes that any socket takes at once, so that a server which takes nothing costs one timeout. */
#define ASK_BYTES_MAX 8000

static mcp_direct *of(mcp_wire *base) {
	return (mcp_direct *)base;
}

static mcp_item item_of(const mcp_answer *answer) {
	return (mcp_item){.value = answer->value, .flags = answer->flags, .cas = answer->cas};
}

/* Takes the item, and the end of the answer behind it, which mostly has come with it, and else may move the item. */
static mcp_status take_one(mcp_direct *self, mcp_inbox *inbox, mcp_answer *answer, mcp_item *item) {
	*item = item_of(answer);
	if (mcp_inbox_take_rest(inbox, "END\r\n", sizeof("END\r\n") - 1)) {
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

/* Gets mostly a hit that arrives as a whole. */
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

/* Gets it into the inbox where it ends no view. */
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

/* Asks, but not for "version": some proxies close the connection on it. */
static mcp_status ping(mcp_wire *base) {
	mcp_item item;
	mcp_bytes key = mcp_bytes_of(PING_KEY, sizeof(PING_KEY) - 1);
	mcp_status status = get_aside(of(base), key, &item);
	return status == MCP_NOT_FOUND ? MCP_OK : status;
}

/* Composes after one look for room, which is enough for all keys together. */
static bool compose(mcp_buffer *request, const char *const *keys, const size_t *lengths,
	size_t count) {
	mcp_buffer_clear(request);
	if (!mcp_buffer_reserve(request, sizeof("gets") - 1 + ASK_BYTES_MAX + sizeof("\r\n") - 1)) {
		return false;
	}
	char *to = request->data;
	memcpy(to, "gets", 4);
	to += 4;
	for (size_t i = 0; i < count; i++) {
		*to++ = ' ';
		memcpy(to, keys[i], lengths[i]);
		to += lengths[i];
	}
	memcpy(to, "\r\n", 2);
	request->length = (size_t)(to + 2 - request->data);
	return true;
}

static mcp_status ask(mcp_wire *base, const char *const *keys, const size_t *lengths, size_t count,
	bool is_further) {
	mcp_direct *self = of(base);
	if (!compose(&self->keys, keys, lengths, count)) {
		mcp_reason_say(&self->reason, "was not asked: this process has no memory for it");
		return MCP_UNREACHABLE;
	}
	mcp_bytes request = mcp_bytes_of(self->keys.data, self->keys.length);
	self->keys_asked = is_further ? self->keys_asked + count : count;
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
	if (mcp_inbox_take_rest(&self->items, "END\r\n", sizeof("END\r\n") - 1)) {
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
	mcp_reason_say(&of(base)->reason, "answered something else than it was asked");
	mcp_direct_hang_up(of(base));
}

/* Ends the statistics; a peer without any answers "ERROR" and goes on. */
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
	mcp_bytes what = kind != NULL ? mcp_bytes_of(kind, strlen(kind)) : mcp_bytes_of("", 0);
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
	.sends_pieces = true,
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
	.store = mcp_direct_store,
	.delete = mcp_direct_delete,
	.learn = mcp_direct_learn,
	.holds = mcp_direct_holds,
	.connection = mcp_direct_connection,
	.delete_proven = mcp_direct_delete_proven,
	.send_many = mcp_direct_send_many,
	.answer = mcp_direct_answer,
	.answer_proven = mcp_direct_answer_proven,
	.takes_steps = mcp_direct_takes_steps,
	.send_steps = mcp_direct_send_steps,
	.hear_step = mcp_direct_hear_step,
	.touch = mcp_direct_touch,
	.seconds_left = mcp_direct_seconds_left,
	.increment = mcp_direct_increment,
	.decrement = mcp_direct_decrement,
	.flush = mcp_direct_flush,
	.stats = stats,
	.reason = reason,
	.free = free_wire,
	.disown = disown,
};

/* Counts user, a space and password. */
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
