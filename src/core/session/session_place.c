/* A value as it stands in some place, piece by piece: its own bytes, and between them each reference's number there, or the
 * case that it is of. */
/* SPDX-License-Identifier: MIT */
#include "../decimal.h"
#include "session_parts.h"

typedef struct walk {
	const mcp_session_part *part;
	size_t before; /* slots before the place */
	size_t at;     /* in the value: all before it has been given */
	const mcp_session_reference *next;
	char digits[MCP_DECIMAL_MAX_LENGTH];
} walk;

static walk begin(const mcp_session_part *part, size_t before) {
	return (walk){.part = part, .before = before, .next = part->references};
}

/* Gives the next reference. */
static mcp_bytes give_reference(walk *self) {
	const mcp_session_reference *one = self->next;
	self->at = one->at + one->length;
	self->next = one->next;
	if (one->its_case.length > 0) {
		return one->its_case;
	}
	size_t length = mcp_decimal_format_u64(self->before + one->slot, self->digits);
	return mcp_bytes_of(self->digits, length);
}

/* Gives the next piece, which may be empty; false if there is none. */
static bool next(walk *self, mcp_bytes *piece) {
	size_t length = self->part->value.length;
	size_t end = self->next != NULL ? self->next->at : length;
	if (self->at < end) {
		*piece = mcp_bytes_of(self->part->value.data + self->at, end - self->at);
		self->at = end;
		return true;
	}
	if (self->next == NULL) {
		return false;
	}
	*piece = give_reference(self);
	return true;
}

size_t mcp_session_parts_place(const mcp_session_part *part, size_t before, char *to) {
	walk pieces = begin(part, before);
	size_t length = 0;
	mcp_bytes piece;
	while (next(&pieces, &piece)) {
		if (to != NULL) {
			memcpy(to + length, piece.data, piece.length);
		}
		length += piece.length;
	}
	return length;
}

/* Fetches another piece where nothing is left of the one before. False if there is none. */
static bool refill(walk *self, mcp_bytes *left) {
	return left->length > 0 || next(self, left);
}

static void drop(mcp_bytes *left, size_t length) {
	*left = mcp_bytes_of(left->data + length, left->length - length);
}

static bool are_equal(const mcp_session_part *a, const mcp_session_part *b) {
	walk of_a = begin(a, 0), of_b = begin(b, 0);
	mcp_bytes left_a = {"", 0}, left_b = {"", 0};
	for (;;) {
		bool has_a = refill(&of_a, &left_a), has_b = refill(&of_b, &left_b);
		if (!has_a || !has_b) {
			return has_a == has_b;
		}
		size_t length = left_a.length < left_b.length ? left_a.length : left_b.length;
		if (memcmp(left_a.data, left_b.data, length) != 0) {
			return false;
		}
		drop(&left_a, length);
		drop(&left_b, length);
	}
}

bool mcp_session_parts_are_equal(const mcp_session_part *a, const mcp_session_part *b) {
	if (a == NULL || b == NULL) {
		return a == b;
	}
	return are_equal(a, b);
}
