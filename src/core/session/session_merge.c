/* Merges session data: first plans the kept value of each key at each level, then writes the text. An
 * array's element count precedes its elements, and a value's position determines its references. */
/* SPDX-License-Identifier: MIT */
#include "session_merge.h"

#include "../decimal.h"

typedef struct plan plan;

/* A key that is kept, with one version's value or a merged array. */
typedef struct kept {
	struct kept *next;
	mcp_bytes key;
	const mcp_session_part *part;
	const plan *inside; /* NULL: `part` */
} kept;

struct plan {
	bool is_array;
	size_t count;
	kept *first, **last;
};

/* One level of the three versions. */
typedef struct level {
	mcp_session_parts base, mine, theirs;
	unsigned depth; /* levels that may be merged, including this one */
	mcp_session_room *room;
	unsigned *conflicts;
} level;

/* The three values of one key; NULL: missing. */
typedef struct three {
	const mcp_session_part *base, *mine, *theirs;
} three;

static bool keep(level *at, plan *into, const mcp_session_part *part, const plan *inside) {
	kept *one = mcp_session_room_take(at->room, sizeof(*one));
	if (one == NULL) {
		return false;
	}
	*one = (kept){.key = part->key, .part = part, .inside = inside};
	*into->last = one;
	into->last = &one->next;
	into->count++;
	return true;
}

static plan *begin(mcp_session_room *room, bool is_array) {
	plan *new = mcp_session_room_take(room, sizeof(*new));
	if (new != NULL) {
		*new = (plan){.is_array = is_array};
		new->last = &new->first;
	}
	return new;
}

static plan *plan_level(level *at);

static bool are_arrays(const three *of) {
	return of->mine != NULL && mcp_session_part_is_array(of->mine) && of->theirs != NULL &&
		mcp_session_part_is_array(of->theirs) &&
		(of->base == NULL || mcp_session_part_is_array(of->base));
}

/* Parse three arrays. Returns false if one cannot be parsed: it then stays a single value. */
static bool open(level *inside, const level *at, const three *of) {
	*inside = (level){.depth = at->depth - 1, .room = at->room, .conflicts = at->conflicts};
	return mcp_session_parts_take_inside(&inside->mine, at->room, &at->mine, of->mine) &&
		mcp_session_parts_take_inside(&inside->theirs, at->room, &at->theirs, of->theirs) &&
		(of->base == NULL ||
			mcp_session_parts_take_inside(&inside->base, at->room, &at->base, of->base));
}

/* Resolve a key that both have changed: merge inside if possible, otherwise keep mine. */
static bool settle(level *at, plan *into, const three *of) {
	level inside;
	if (at->depth > 1 && are_arrays(of) && open(&inside, at, of)) {
		const plan *planned = plan_level(&inside);
		return planned != NULL && keep(at, into, of->mine, planned);
	}
	if (mcp_session_room_is_short(at->room)) {
		return false;
	}
	++*at->conflicts;
	return of->mine == NULL || keep(at, into, of->mine, NULL);
}

static bool decide(level *at, plan *into, mcp_bytes key) {
	three of = {
		mcp_session_parts_find(&at->base, key),
		mcp_session_parts_find(&at->mine, key),
		mcp_session_parts_find(&at->theirs, key),
	};
	bool is_mine = !mcp_session_parts_are_equal(of.mine, of.base);
	if (is_mine && !mcp_session_parts_are_equal(of.theirs, of.base) &&
		!mcp_session_parts_are_equal(of.theirs, of.mine)) {
		return settle(at, into, &of);
	}
	const mcp_session_part *stays = is_mine ? of.mine : of.theirs;
	return stays == NULL || keep(at, into, stays, NULL);
}

/* NULL if the room is too small. */
static plan *plan_level(level *at) {
	plan *new = begin(at->room, at->theirs.is_array);
	if (new == NULL) {
		return NULL;
	}
	for (const mcp_session_part *one = at->theirs.first; one != NULL; one = one->next) {
		if (!decide(at, new, one->key)) {
			return NULL;
		}
	}
	for (const mcp_session_part *one = at->mine.first; one != NULL; one = one->next) {
		bool is_theirs = mcp_session_parts_find(&at->theirs, one->key) != NULL;
		if (!is_theirs && !decide(at, new, one->key)) {
			return NULL;
		}
	}
	return new;
}

/* --- text --- */

/* `to` is NULL to measure only. */
typedef struct writer {
	char *to;
	size_t length;
	size_t slot; /* last one used */
} writer;

static void add(writer *self, mcp_bytes bytes) {
	if (self->to != NULL && bytes.length > 0) {
		memcpy(self->to + self->length, bytes.data, bytes.length);
	}
	self->length += bytes.length;
}

static void add_array_head(writer *self, size_t count) {
	char digits[MCP_DECIMAL_MAX_LENGTH];
	add(self, mcp_bytes_of("a:", 2));
	add(self, mcp_bytes_of(digits, mcp_decimal_format_u64(count, digits)));
	add(self, mcp_bytes_of(":{", 2));
	self->slot++;
}

static void write_part(writer *self, const mcp_session_part *part) {
	char *to = self->to != NULL ? self->to + self->length : NULL;
	self->length += mcp_session_parts_place(part, self->slot, to);
	self->slot += part->slots;
}

static void write_plan(writer *self, const plan *of) {
	if (of->is_array) {
		add_array_head(self, of->count);
	}
	for (const kept *one = of->first; one != NULL; one = one->next) {
		add(self, one->key);
		add(self, mcp_bytes_of("|", of->is_array ? 0 : 1));
		if (one->inside != NULL) {
			write_plan(self, one->inside);
		} else {
			write_part(self, one->part);
		}
	}
	if (of->is_array) {
		add(self, mcp_bytes_of("}", 1));
	}
}

static bool write_merged(const plan *of, mcp_session_room *room, mcp_session_merged *merged) {
	writer measured = {.to = NULL};
	write_plan(&measured, of);
	writer text = {.to = mcp_session_room_take(room, measured.length + 1)};
	if (text.to == NULL) {
		return false;
	}
	write_plan(&text, of);
	merged->data = mcp_bytes_of(text.to, text.length);
	room->reason = NULL; /* left by an array that stayed a single value */
	return true;
}

bool mcp_session_merge(const mcp_session_versions *versions, mcp_session_room *room,
	mcp_session_merged *merged) {
	level top = {.depth = versions->depth, .room = room, .conflicts = &merged->conflicts};
	merged->conflicts = 0;
	if (!mcp_session_parts_take(&top.base, room, versions->format, versions->base) ||
		!mcp_session_parts_take(&top.mine, room, versions->format, versions->mine) ||
		!mcp_session_parts_take(&top.theirs, room, versions->format, versions->theirs)) {
		return false;
	}
	const plan *planned = plan_level(&top);
	return planned != NULL && write_merged(planned, room, merged);
}
