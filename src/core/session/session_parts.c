/* A session's keys, in their order and sorted: names up to a bar, or the elements of an array. */
/* SPDX-License-Identifier: MIT */
#include "session_reader.h"

typedef mcp_session_reader reader;

/* Reads a name, which is all bytes up to the next bar. */
static bool read_name(reader *self, mcp_bytes *name) {
	const char *bar = memchr(self->at, '|', mcp_session_reader_left(self));
	if (bar == NULL) {
		return mcp_session_reader_refuse_text(self);
	}
	*name = mcp_bytes_of(self->at, (size_t)(bar - self->at));
	self->at = bar + 1;
	return true;
}

static bool read_key(reader *self, mcp_bytes *key) {
	const char *begin = self->at;
	bool is_read = mcp_session_reader_skip_key(self);
	*key = mcp_bytes_of(begin, (size_t)(self->at - begin));
	return is_read;
}

static int compare_keys(mcp_bytes a, mcp_bytes b) {
	size_t shorter = a.length < b.length ? a.length : b.length;
	int order = shorter > 0 ? memcmp(a.data, b.data, shorter) : 0;
	return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

static bool is_before(const mcp_session_part *a, const mcp_session_part *b) {
	return compare_keys(a->key, b->key) < 0;
}

/* Lets the one at `at` sink until none below it is later, in a heap whose first is the latest. */
static void sink(const mcp_session_part **heap, size_t at, size_t count) {
	const mcp_session_part *sinking = heap[at];
	for (size_t below; (below = 2 * at + 1) < count; at = below) {
		below += below + 1 < count && is_before(heap[below], heap[below + 1]);
		if (!is_before(sinking, heap[below])) {
			break;
		}
		heap[at] = heap[below];
	}
	heap[at] = sinking;
}

static void sort_by_key(const mcp_session_part **parts, size_t count) {
	for (size_t i = count / 2; i > 0; i--) {
		sink(parts, i - 1, count);
	}
	for (size_t i = count; i > 1; i--) {
		const mcp_session_part *latest = parts[0];
		parts[0] = parts[i - 1];
		parts[i - 1] = latest;
		sink(parts, 0, i - 1);
	}
}

/* Sorts them; no key may be there twice. */
static bool sort(reader *self, mcp_session_parts *parts) {
	parts->by_key = mcp_session_room_take(self->room, (parts->count + 1) * sizeof(*parts->by_key));
	if (parts->by_key == NULL) {
		return false;
	}
	size_t i = 0;
	for (const mcp_session_part *part = parts->first; part != NULL; part = part->next) {
		parts->by_key[i++] = part;
	}
	sort_by_key(parts->by_key, parts->count);
	for (i = 1; i < parts->count; i++) {
		if (!is_before(parts->by_key[i - 1], parts->by_key[i])) {
			return mcp_session_reader_refuse(self, "it has a key twice");
		}
	}
	return true;
}

/* Reads parts to the end, or up to so many. */
static bool read_parts(reader *self, mcp_session_parts *parts, size_t count) {
	mcp_session_part *last = NULL;
	while (parts->is_array ? parts->count < count : self->at < self->end) {
		mcp_bytes key = mcp_bytes_none();
		if (!(parts->is_array ? read_key(self, &key) : read_name(self, &key))) {
			return false;
		}
		mcp_session_part *part = mcp_session_reader_read_part(self, key);
		if (part == NULL) {
			return false;
		}
		if (last != NULL) {
			last->next = part;
		} else {
			parts->first = part;
		}
		last = part;
		parts->count++;
	}
	return sort(self, parts);
}

/* Reads "a:<count>:{", the elements and "}", and nothing else; the array has a slot itself. */
static bool read_array(reader *self, mcp_session_parts *parts) {
	size_t count;
	self->slot++;
	return mcp_session_reader_skip(self, "a:", 2) && mcp_session_reader_open(self, &count) &&
		read_parts(self, parts, count) && mcp_session_reader_skip(self, "}", 1) &&
		(self->at == self->end || mcp_session_reader_refuse_text(self));
}

bool mcp_session_parts_take(mcp_session_parts *parts, mcp_session_room *room,
	mcp_session_format format, mcp_bytes data) {
	reader self;
	*parts = (mcp_session_parts){.is_array = format == MCP_SESSION_PHP_SERIALIZE};
	if (!mcp_session_reader_begin(&self, room, data, &parts->cases)) {
		return false;
	}
	if (format != MCP_SESSION_PHP && format != MCP_SESSION_PHP_SERIALIZE) {
		return mcp_session_reader_refuse(&self, "its format is neither php nor php_serialize");
	}
	bool is_new = parts->is_array && data.length == 0;
	return parts->is_array && !is_new ? read_array(&self, parts) : read_parts(&self, parts, 0);
}

bool mcp_session_parts_take_inside(mcp_session_parts *parts, mcp_session_room *room,
	const mcp_session_parts *of, const mcp_session_part *part) {
	reader self;
	*parts = (mcp_session_parts){.is_array = true, .cases = of->cases};
	if (!mcp_session_reader_begin(&self, room, part->value, &parts->cases)) {
		return false;
	}
	self.knows_cases = true;
	self.slot = part->before;
	return read_array(&self, parts);
}

const mcp_session_part *mcp_session_parts_find(const mcp_session_parts *parts, mcp_bytes key) {
	size_t low = 0, high = parts->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = compare_keys(key, parts->by_key[middle]->key);
		if (order == 0) {
			return parts->by_key[middle];
		}
		low = order > 0 ? middle + 1 : low;
		high = order > 0 ? high : middle;
	}
	return NULL;
}
