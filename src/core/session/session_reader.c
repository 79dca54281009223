/* SPDX-License-Identifier: MIT */
#include "session_reader.h"

#include "../serialized/serialized.h"

/* PHP writes each case once; a data with more of them is not one that is searched for each. */
#define CASES_MAX 1024

typedef mcp_session_reader reader;

bool mcp_session_reader_refuse(reader *self, const char *reason) {
	self->room->reason = reason;
	return false;
}

bool mcp_session_reader_refuse_text(reader *self) {
	return mcp_session_reader_refuse(self, "it is not what PHP writes");
}

bool mcp_session_reader_skip(reader *self, const char *text, size_t length) {
	bool is_there = mcp_session_reader_left(self) >= length && memcmp(self->at, text, length) == 0;
	self->at += is_there ? length : 0;
	return is_there || mcp_session_reader_refuse_text(self);
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
			return mcp_session_reader_refuse_text(self);
		}
	}
	return self->at > first || mcp_session_reader_refuse_text(self);
}

/* Skips <length>:"<bytes>" */
static bool skip_sized(reader *self) {
	size_t length;
	if (!read_number(self, mcp_session_reader_left(self), &length) ||
		!mcp_session_reader_skip(self, ":\"", 2) || length > mcp_session_reader_left(self)) {
		return mcp_session_reader_refuse_text(self);
	}
	self->at += length;
	return mcp_session_reader_skip(self, "\"", 1);
}

static bool skip_to_end(reader *self) {
	const char *end = memchr(self->at, ';', mcp_session_reader_left(self));
	if (end == NULL || end == self->at) {
		return mcp_session_reader_refuse_text(self);
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
	return self->at > first ? mcp_session_reader_skip(self, ";", 1)
							: mcp_session_reader_refuse_text(self);
}

/* Skips a key of an array, or a property's name. */
bool mcp_session_reader_skip_key(reader *self) {
	if (mcp_session_reader_left(self) < 2 || self->at[1] != ':') {
		return mcp_session_reader_refuse_text(self);
	}
	char type = *self->at;
	self->at += 2;
	if (type == 's') {
		return skip_sized(self) && mcp_session_reader_skip(self, ";", 1);
	}
	return type == 'i' ? skip_integer(self) : mcp_session_reader_refuse_text(self);
}

/* --- references and cases --- */

static bool note_case(reader *self, const char *begin) {
	if (self->knows_cases) {
		return true;
	}
	if (++self->cases->count > CASES_MAX) {
		return mcp_session_reader_refuse(self, "it has too many different cases of enums");
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
	if (!mcp_session_reader_skip(self, ";", 1)) {
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
			return mcp_session_reader_refuse(self, "one key refers to another");
		}
		one->slot -= before;
	}
	return true;
}

/* --- values --- */

/* Reads "<count>:{"; each element has more than so many bytes. */
bool mcp_session_reader_open(reader *self, size_t *count) {
	return read_number(self, mcp_session_reader_left(self), count) &&
		mcp_session_reader_skip(self, ":{", 2);
}

static bool read_sized(reader *self, char type, const char *begin) {
	if (!skip_sized(self) || !mcp_session_reader_skip(self, ";", 1)) {
		return false;
	}
	return type != 'E' || note_case(self, begin);
}

/* Reads a scalar as a whole, or the beginning of what has elements: then *count is how many, else SIZE_MAX. */
static bool read_item(reader *self, size_t *count) {
	const char *begin = self->at;
	*count = SIZE_MAX;
	if (mcp_session_reader_left(self) < 2) {
		return mcp_session_reader_refuse_text(self);
	}
	char type = *self->at;
	self->slot += type != 'R';
	if (type == 'N') {
		return mcp_session_reader_skip(self, "N;", 2);
	}
	if (self->at[1] != ':') {
		return mcp_session_reader_refuse_text(self);
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
			return mcp_session_reader_open(self, count);
		case 'O':
			return skip_sized(self) && mcp_session_reader_skip(self, ":", 1) &&
				mcp_session_reader_open(self, count);
		default:
			return mcp_session_reader_refuse(self,
				type == 'C' ? "a class has a format of its own" : "it is not what PHP writes");
	}
}

static bool read_value(reader *self) {
	size_t depth = 0, count;
	do {
		if (depth > 0 && self->left[depth - 1] == 0) {
			if (!mcp_session_reader_skip(self, "}", 1)) {
				return false;
			}
			depth--;
			continue;
		}
		if (depth > 0) {
			self->left[depth - 1]--;
		}
		if ((depth > 0 && !mcp_session_reader_skip_key(self)) || !read_item(self, &count)) {
			return false;
		}
		if (count != SIZE_MAX && depth == MCP_SERIALIZED_DEPTH_MAX) {
			return mcp_session_reader_refuse(self, "it is too deep");
		}
		if (count != SIZE_MAX) {
			self->left[depth++] = count;
		}
	} while (depth > 0);
	return true;
}

/* Reads a part, whose key has been read. NULL if it cannot be, or the room is short. */
mcp_session_part *mcp_session_reader_read_part(reader *self, mcp_bytes key) {
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

bool mcp_session_reader_begin(reader *self, mcp_session_room *room, mcp_bytes data,
	mcp_session_cases *cases) {
	const char *text = data.length > 0 ? data.data : "";
	*self = (reader){.at = text, .end = text + data.length, .room = room, .cases = cases};
	self->left = mcp_session_room_take(room, MCP_SERIALIZED_DEPTH_MAX * sizeof(*self->left));
	return self->left != NULL;
}
