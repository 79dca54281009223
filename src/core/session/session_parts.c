/* Reads serialize()'s text strictly, without recursion and without believing a count: what it does not know is not taken
 * apart. Slots are counted as PHP's reader does: one for each value but "R:", none for keys and properties' names. */
/* SPDX-License-Identifier: MIT */
#include "session_parts.h"

#include "../serialized/serialized.h"

/* PHP writes each case once; a data with more of them is not one that is searched for each. */
#define CASES_MAX 1024

typedef struct reader {
	const char *at, *end;
	size_t slot; /* the last one that was taken */
	mcp_session_room *room;
	mcp_session_cases *cases;
	bool knows_cases; /* all of them were found before */
	size_t *left;     /* the elements to come of each array and object that is open */
	const char *value;
	mcp_session_reference **last; /* where the next one goes */
} reader;

static bool refuse(reader *self, const char *reason) {
	self->room->reason = reason;
	return false;
}

static bool refuse_text(reader *self) {
	return refuse(self, "it is not what PHP writes");
}

static size_t bytes_left(const reader *self) {
	return (size_t)(self->end - self->at);
}

static bool skip(reader *self, const char *text, size_t length) {
	bool is_there = bytes_left(self) >= length && memcmp(self->at, text, length) == 0;
	self->at += is_there ? length : 0;
	return is_there || refuse_text(self);
}

static bool is_digit(char byte) {
	return byte >= '0' && byte <= '9';
}

/* Reads digits. Nothing is numbered higher than there are bytes. */
static bool read_number(reader *self, size_t limit, size_t *number) {
	const char *first = self->at;
	*number = 0;
	while (self->at < self->end && is_digit(*self->at)) {
		*number = *number * 10 + (size_t)(*self->at++ - '0');
		if (*number > limit) {
			return refuse_text(self);
		}
	}
	return self->at > first || refuse_text(self);
}

/* Skips <length>:"<bytes>" */
static bool skip_sized(reader *self) {
	size_t length;
	if (!read_number(self, bytes_left(self), &length) || !skip(self, ":\"", 2) ||
		length > bytes_left(self)) {
		return refuse_text(self);
	}
	self->at += length;
	return skip(self, "\"", 1);
}

static bool skip_to_end(reader *self) {
	const char *end = memchr(self->at, ';', bytes_left(self));
	if (end == NULL || end == self->at) {
		return refuse_text(self);
	}
	self->at = end + 1;
	return true;
}

static bool skip_integer(reader *self) {
	if (self->at < self->end && *self->at == '-') {
		self->at++;
	}
	const char *first = self->at;
	while (self->at < self->end && is_digit(*self->at)) {
		self->at++;
	}
	return self->at > first ? skip(self, ";", 1) : refuse_text(self);
}

/* Skips a key of an array, or a property's name. */
static bool skip_key(reader *self) {
	if (bytes_left(self) < 2 || self->at[1] != ':') {
		return refuse_text(self);
	}
	char type = *self->at;
	self->at += 2;
	if (type == 's') {
		return skip_sized(self) && skip(self, ";", 1);
	}
	return type == 'i' ? skip_integer(self) : refuse_text(self);
}

/* --- references and cases --- */

static bool note_case(reader *self, const char *begin) {
	if (self->knows_cases) {
		return true;
	}
	if (++self->cases->count > CASES_MAX) {
		return refuse(self, "it has too many different cases of enums");
	}
	mcp_session_case *found = mcp_session_room_take(self->room, sizeof(*found));
	if (found == NULL) {
		return false;
	}
	*found = (mcp_session_case){self->cases->newest, self->slot,
		mcp_bytes_of(begin, (size_t)(self->at - begin))};
	self->cases->newest = found;
	return true;
}

static mcp_bytes find_case(const reader *self, size_t slot) {
	const mcp_session_case *one = self->cases->newest;
	while (one != NULL && one->slot != slot) {
		one = one->next;
	}
	return one != NULL ? one->text : mcp_bytes_of("", 0);
}

static bool note_reference(reader *self, const mcp_session_reference *found) {
	mcp_session_reference *noted = mcp_session_room_take(self->room, sizeof(*noted));
	if (noted == NULL) {
		return false;
	}
	*noted = *found;
	*self->last = noted;
	self->last = &noted->next;
	return true;
}

/* Reads a reference behind its type, which is "R:" to a reference and "r:" to an object. */
static bool read_reference(reader *self, bool is_object) {
	const char *digits = self->at;
	size_t number;
	if (!read_number(self, self->slot, &number)) {
		return false;
	}
	mcp_session_reference found = {
		.at = (size_t)(digits - self->value),
		.length = (size_t)(self->at - digits),
		.slot = number,
		.its_case = is_object ? find_case(self, number) : mcp_bytes_of("", 0),
	};
	if (!skip(self, ";", 1)) {
		return false;
	}
	if (found.its_case.length > 0) {
		found.at -= 2;
		found.length += 3;
	}
	return note_reference(self, &found);
}

/* Turns slots into such of the value; none may be before it. */
static bool relate(reader *self, mcp_session_reference *references, size_t before) {
	for (mcp_session_reference *one = references; one != NULL; one = one->next) {
		if (one->its_case.length > 0) {
			continue;
		}
		if (one->slot <= before || one->slot > self->slot) {
			return refuse(self, "one key refers to another");
		}
		one->slot -= before;
	}
	return true;
}

/* --- values --- */

/* Reads "<count>:{"; each element has more than so many bytes. */
static bool open(reader *self, size_t *count) {
	return read_number(self, bytes_left(self), count) && skip(self, ":{", 2);
}

static bool read_sized(reader *self, char type, const char *begin) {
	if (!skip_sized(self) || !skip(self, ";", 1)) {
		return false;
	}
	return type != 'E' || note_case(self, begin);
}

/* Reads a scalar as a whole, or the beginning of what has elements: then *count is how many, else SIZE_MAX. */
static bool read_item(reader *self, size_t *count) {
	const char *begin = self->at;
	*count = SIZE_MAX;
	if (bytes_left(self) < 2) {
		return refuse_text(self);
	}
	char type = *self->at;
	self->slot += type != 'R';
	if (type == 'N') {
		return skip(self, "N;", 2);
	}
	if (self->at[1] != ':') {
		return refuse_text(self);
	}
	self->at += 2;
	switch (type) {
		case 'b':
		case 'i':
			return skip_integer(self);
		case 'd':
			return skip_to_end(self);
		case 's':
		case 'E':
			return read_sized(self, type, begin);
		case 'R':
		case 'r':
			return read_reference(self, type == 'r');
		case 'a':
			return open(self, count);
		case 'O':
			return skip_sized(self) && skip(self, ":", 1) && open(self, count);
		default:
			return refuse(self,
				type == 'C' ? "a class has a format of its own" : "it is not what PHP writes");
	}
}

static bool read_value(reader *self) {
	size_t depth = 0, count;
	do {
		if (depth > 0 && self->left[depth - 1] == 0) {
			if (!skip(self, "}", 1)) {
				return false;
			}
			depth--;
			continue;
		}
		if (depth > 0) {
			self->left[depth - 1]--;
		}
		if ((depth > 0 && !skip_key(self)) || !read_item(self, &count)) {
			return false;
		}
		if (count != SIZE_MAX && depth == MCP_SERIALIZED_DEPTH_MAX) {
			return refuse(self, "it is too deep");
		}
		if (count != SIZE_MAX) {
			self->left[depth++] = count;
		}
	} while (depth > 0);
	return true;
}

/* Reads a part, whose key has been read. NULL if it cannot be, or the room is short. */
static mcp_session_part *read_part(reader *self, mcp_bytes key) {
	mcp_session_part *part = mcp_session_room_take(self->room, sizeof(*part));
	if (part == NULL) {
		return NULL;
	}
	mcp_session_reference *references = NULL;
	size_t before = self->slot;
	self->value = self->at;
	self->last = &references;
	if (!read_value(self) || !relate(self, references, before)) {
		return NULL;
	}
	*part = (mcp_session_part){
		.key = key,
		.value = mcp_bytes_of(self->value, (size_t)(self->at - self->value)),
		.before = before,
		.slots = self->slot - before,
		.references = references,
	};
	return part;
}

/* --- keys --- */

/* Reads a name, which is all bytes up to the next bar. */
static bool read_name(reader *self, mcp_bytes *name) {
	const char *bar = memchr(self->at, '|', bytes_left(self));
	if (bar == NULL) {
		return refuse_text(self);
	}
	*name = mcp_bytes_of(self->at, (size_t)(bar - self->at));
	self->at = bar + 1;
	return true;
}

static bool read_key(reader *self, mcp_bytes *key) {
	const char *begin = self->at;
	bool is_read = skip_key(self);
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
			return refuse(self, "it has a key twice");
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
		mcp_session_part *part = read_part(self, key);
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
	return skip(self, "a:", 2) && open(self, &count) && read_parts(self, parts, count) &&
		skip(self, "}", 1) && (self->at == self->end || refuse_text(self));
}

static bool begin(reader *self, mcp_session_room *room, mcp_bytes data, mcp_session_cases *cases) {
	const char *text = data.length > 0 ? data.data : "";
	*self = (reader){.at = text, .end = text + data.length, .room = room, .cases = cases};
	self->left = mcp_session_room_take(room, MCP_SERIALIZED_DEPTH_MAX * sizeof(*self->left));
	return self->left != NULL;
}

bool mcp_session_parts_take(mcp_session_parts *parts, mcp_session_room *room,
	mcp_session_format format, mcp_bytes data) {
	reader self;
	*parts = (mcp_session_parts){.is_array = format == MCP_SESSION_PHP_SERIALIZE};
	if (!begin(&self, room, data, &parts->cases)) {
		return false;
	}
	if (format != MCP_SESSION_PHP && format != MCP_SESSION_PHP_SERIALIZE) {
		return refuse(&self, "its format is neither php nor php_serialize");
	}
	bool is_new = parts->is_array && data.length == 0;
	return parts->is_array && !is_new ? read_array(&self, parts) : read_parts(&self, parts, 0);
}

bool mcp_session_parts_take_inside(mcp_session_parts *parts, mcp_session_room *room,
	const mcp_session_parts *of, const mcp_session_part *part) {
	reader self;
	*parts = (mcp_session_parts){.is_array = true, .cases = of->cases};
	if (!begin(&self, room, part->value, &parts->cases)) {
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
