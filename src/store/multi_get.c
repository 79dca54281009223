/* memcached answers in the order it was asked, leaving out what it has not, so a moving cursor finds
 * each answer's key at once; a search behind it covers a proxy that does not keep the order. */
/* SPDX-License-Identifier: MIT */
#include "multi_get.h"

/* libmemcached hands the socket up to 8196 bytes (its MEMCACHED_MAX_BUFFER) at once. With more, a
 * server that takes nothing costs a timeout for every key that is left, so a request stays below. */
#define REQUEST_MAX 8000
#define SPACE 1

bool mcp_asking_begin(mcp_asking *asking, mcp_asking_room *room, const mcp_key *keys, size_t count,
	mcp_reply *replies) {
	*asking = (mcp_asking){.keys = keys, .replies = replies, .count = count};
	size_t per_key = sizeof(char *) + 2 * sizeof(size_t);
	mcp_buffer_clear(&room->arrays);
	mcp_buffer_clear(&room->values);
	if (count > SIZE_MAX / per_key || !mcp_buffer_reserve(&room->arrays, count * per_key)) {
		return false;
	}
	asking->values = &room->values;
	asking->names = (const char **)(void *)room->arrays.data;
	asking->lengths = (size_t *)(asking->names + count);
	asking->offsets = asking->lengths + count;
	return true;
}

static size_t plan(mcp_asking *asking) {
	size_t names = 0;
	size_t request = 0;
	size_t i = asking->from;
	for (; i < asking->count; i++) {
		mcp_bytes wire = asking->keys[i].wire;
		if (!mcp_key_is_safe(wire)) {
			asking->replies[i].status = MCP_BAD_KEY;
			continue;
		}
		request += wire.length + SPACE;
		if (request > REQUEST_MAX) {
			break;
		}
		asking->replies[i].status = MCP_NOT_FOUND;
		asking->names[names] = wire.data;
		asking->lengths[names] = wire.length;
		names++;
	}
	asking->to = i;
	return names;
}

size_t mcp_asking_next(mcp_asking *asking) {
	asking->from = asking->to;
	asking->cursor = asking->from;
	asking->kept_bytes = asking->values->length;
	return plan(asking);
}

void mcp_asking_again(mcp_asking *asking) {
	asking->from = asking->to = 0;
	mcp_buffer_clear(asking->values);
}

/* `end` when it is not between start and end. */
static size_t find(const mcp_asking *asking, mcp_bytes key, size_t start, size_t end) {
	for (size_t i = start; i < end; i++) {
		if (asking->replies[i].status == MCP_NOT_FOUND &&
			mcp_bytes_equal(asking->keys[i].wire, key)) {
			return i;
		}
	}
	return end;
}

mcp_status mcp_asking_take(mcp_asking *asking, mcp_bytes key, const mcp_item *item) {
	size_t i = find(asking, key, asking->cursor, asking->to);
	if (i == asking->to) {
		i = find(asking, key, asking->from, asking->cursor);
		if (i == asking->cursor) {
			return MCP_PROTOCOL;
		}
	}
	asking->offsets[i] = asking->values->length;
	if (!mcp_buffer_append(asking->values, item->value)) {
		return MCP_UNREACHABLE;
	}
	asking->replies[i].status = MCP_OK;
	asking->replies[i].item = *item;
	asking->cursor = i + 1;
	return MCP_OK;
}

void mcp_asking_fail(mcp_asking *asking, mcp_status status) {
	for (size_t i = 0; i < asking->from; i++) {
		asking->replies[i].item.cas = 0;
	}
	for (size_t i = asking->from; i < asking->count; i++) {
		bool is_safe = mcp_key_is_safe(asking->keys[i].wire);
		asking->replies[i].status = is_safe ? status : MCP_BAD_KEY;
	}
}

void mcp_asking_end(mcp_asking *asking) {
	for (size_t i = 0; i < asking->count; i++) {
		mcp_reply *reply = &asking->replies[i];
		if (reply->status != MCP_OK) {
			continue;
		}
		/* An empty value's place may be before a buffer that was never needed. */
		bool is_empty = reply->item.value.length == 0;
		reply->item.value.data = is_empty ? "" : asking->values->data + asking->offsets[i];
	}
}

void mcp_asking_free(mcp_asking_room *room) {
	mcp_buffer_free(&room->arrays);
	mcp_buffer_free(&room->values);
}
