/* Parses session data into keys (names up to a bar, or the elements of an array), in order and sorted. Merges versions
 * of the data. Also reads and writes the head of a session's payload. */
/* SPDX-License-Identifier: MIT */
#include "session_parts.h"

#include "../bytes.h"
#include "../serialized/serialized.h"

typedef struct reader {
	const char *at, *end;
	size_t slot; /* last slot used */
	mcp_session_arena *arena;
	mcp_session_cases *cases;
	bool knows_cases; /* all enum cases have been found before */
	size_t *left;     /* remaining elements of each open array and object */
	const char *value;
	mcp_session_reference **last; /* where the next reference is linked */
} reader;

static inline size_t reader_left(const reader *self) {
	return (size_t)(self->end - self->at);
}

/* Maximum number of distinct enum cases: each reference searches them all. */
#define CASES_MAX 1024

/* Set the reason why the data cannot be parsed, and return false. */
static bool refuse_data(reader *self, const char *reason) {
	self->arena->reason = reason;
	return false;
}

static bool refuse_text(reader *self) {
	return refuse_data(self, "invalid serialized data");
}

/* Skip these bytes. Returns false if other bytes follow. */
static bool skip_bytes(reader *self, const char *text, size_t length) {
	bool is_there = reader_left(self) >= length && memcmp(self->at, text, length) == 0;
	self->at += is_there ? length : 0;
	return is_there || refuse_text(self);
}

/* Read digits. Returns false if the number exceeds `limit`. */
static bool read_number(reader *self, size_t limit, size_t *number) {
	const char *first = self->at;
	*number = 0;
	while (self->at < self->end && mcp_is_digit(*self->at)) {
		*number = *number * 10 + (size_t)(*self->at++ - '0');
		if (*number > limit) {
			return refuse_text(self);
		}
	}
	return self->at > first || refuse_text(self);
}

/* Skip <length>:"<bytes>". */
static bool skip_sized(reader *self) {
	size_t length;
	if (!read_number(self, reader_left(self), &length) || !skip_bytes(self, ":\"", 2) ||
		length > reader_left(self)) {
		return refuse_text(self);
	}
	self->at += length;
	return skip_bytes(self, "\"", 1);
}

static bool skip_to_semicolon(reader *self) {
	const char *end = memchr(self->at, ';', reader_left(self));
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
	while (self->at < self->end && mcp_is_digit(*self->at)) {
		self->at++;
	}
	return self->at > first ? skip_bytes(self, ";", 1) : refuse_text(self);
}

/* Skip an array's key or a property's name. */
static bool skip_part_key(reader *self) {
	if (reader_left(self) < 2 || self->at[1] != ':') {
		return refuse_text(self);
	}
	char type = *self->at;
	self->at += 2;
	if (type == 's') {
		return skip_sized(self) && skip_bytes(self, ";", 1);
	}
	return type == 'i' ? skip_integer(self) : refuse_text(self);
}

/* --- references and cases --- */

static bool note_case(reader *self, const char *begin) {
	if (self->knows_cases) {
		return true;
	}
	if (++self->cases->count > CASES_MAX) {
		return refuse_data(self, "too many different enum cases");
	}
	mcp_session_case *found = mcp_session_arena_take(self->arena, sizeof(*found));
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
	mcp_session_reference *noted = mcp_session_arena_take(self->arena, sizeof(*noted));
	if (noted == NULL) {
		return false;
	}
	*noted = *found;
	*self->last = noted;
	self->last = &noted->next;
	return true;
}

/* Read a reference after its type: "R:" to a reference, "r:" to an object. */
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
	if (!skip_bytes(self, ";", 1)) {
		return false;
	}
	if (found.its_case.length > 0) {
		found.at -= 2;
		found.length += 3;
	}
	return note_reference(self, &found);
}

/* Make the references' slots relative to the value. References to slots before the value are not allowed. */
static bool relate(reader *self, mcp_session_reference *references, size_t before) {
	for (mcp_session_reference *one = references; one != NULL; one = one->next) {
		if (one->its_case.length > 0) {
			continue;
		}
		if (one->slot <= before || one->slot > self->slot) {
			return refuse_data(self, "a key contains a reference to another key");
		}
		one->slot -= before;
	}
	return true;
}

/* --- values --- */

/* Read "<count>:{". Each element has at least one byte. */
static bool open_elements(reader *self, size_t *count) {
	return read_number(self, reader_left(self), count) && skip_bytes(self, ":{", 2);
}

static bool read_sized(reader *self, char type, const char *begin) {
	if (!skip_sized(self) || !skip_bytes(self, ";", 1)) {
		return false;
	}
	return type != 'E' || note_case(self, begin);
}

/* Read a whole scalar (*count is then SIZE_MAX), or the start of an array or object with *count elements. */
static bool read_item(reader *self, size_t *count) {
	const char *begin = self->at;
	*count = SIZE_MAX;
	if (reader_left(self) < 2) {
		return refuse_text(self);
	}
	char type = *self->at;
	self->slot += type != 'R';
	if (type == 'N') {
		return skip_bytes(self, "N;", 2);
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
			return skip_to_semicolon(self);
		case 's':
		case 'E':
			return read_sized(self, type, begin);
		case 'R':
		case 'r':
			return read_reference(self, type == 'r');
		case 'a':
			return open_elements(self, count);
		case 'O':
			return skip_sized(self) && skip_bytes(self, ":", 1) && open_elements(self, count);
		default:
			return refuse_data(self,
				type == 'C' ? "a class has its own serialization format"
							: "invalid serialized data");
	}
}

static bool read_value(reader *self) {
	size_t depth = 0, count;
	do {
		if (depth > 0 && self->left[depth - 1] == 0) {
			if (!skip_bytes(self, "}", 1)) {
				return false;
			}
			depth--;
			continue;
		}
		if (depth > 0) {
			self->left[depth - 1]--;
		}
		if ((depth > 0 && !skip_part_key(self)) || !read_item(self, &count)) {
			return false;
		}
		if (count != SIZE_MAX && depth == MCP_SERIALIZED_DEPTH_MAX) {
			return refuse_data(self, "nested too deeply");
		}
		if (count != SIZE_MAX) {
			self->left[depth++] = count;
		}
	} while (depth > 0);
	return true;
}

/* Read a part whose key has been read. NULL if the part cannot be parsed or the arena is too small. */
static mcp_session_part *read_part(reader *self, mcp_bytes key) {
	mcp_session_part *part = mcp_session_arena_take(self->arena, sizeof(*part));
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

/* Returns false if the arena is too small. */
static bool begin_reader(reader *self, mcp_session_arena *arena, mcp_bytes data,
	mcp_session_cases *cases) {
	const char *text = data.length > 0 ? data.data : "";
	*self = (reader){.at = text, .end = text + data.length, .arena = arena, .cases = cases};
	self->left = mcp_session_arena_take(arena, MCP_SERIALIZED_DEPTH_MAX * sizeof(*self->left));
	return self->left != NULL;
}

/* A name is all bytes up to the next bar. */
static bool read_name(reader *self, mcp_bytes *name) {
	const char *bar = memchr(self->at, '|', reader_left(self));
	if (bar == NULL) {
		return refuse_text(self);
	}
	*name = mcp_bytes_of(self->at, (size_t)(bar - self->at));
	self->at = bar + 1;
	return true;
}

static bool read_key(reader *self, mcp_bytes *key) {
	const char *begin = self->at;
	bool is_read = skip_part_key(self);
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

/* Sift down in a heap whose first element is the greatest. */
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

/* Returns false for a duplicate key. */
static bool sort(reader *self, mcp_session_parts *parts) {
	parts->by_key =
		mcp_session_arena_take(self->arena, (parts->count + 1) * sizeof(*parts->by_key));
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
			return refuse_data(self, "duplicate key");
		}
	}
	return true;
}

/* Read the names and values up to the end of the data, or `count` elements of an array. */
static bool read_parts(reader *self, mcp_session_parts *parts, size_t count) {
	mcp_session_part before = {.next = NULL}, *last = &before;
	while (parts->is_array ? parts->count < count : self->at < self->end) {
		mcp_bytes key = mcp_bytes_none();
		if (!(parts->is_array ? read_key(self, &key) : read_name(self, &key))) {
			return false;
		}
		mcp_session_part *part = read_part(self, key);
		if (part == NULL) {
			return false;
		}
		last->next = part;
		last = part;
		parts->count++;
	}
	parts->first = before.next;
	return sort(self, parts);
}

/* Read "a:<count>:{", the elements and "}", and nothing else. The array itself has a slot. */
static bool read_array(reader *self, mcp_session_parts *parts) {
	size_t count;
	self->slot++;
	return skip_bytes(self, "a:", 2) && open_elements(self, &count) &&
		read_parts(self, parts, count) && skip_bytes(self, "}", 1) &&
		(self->at == self->end || refuse_text(self));
}

bool mcp_session_parts_take(mcp_session_parts *parts, mcp_session_arena *arena,
	mcp_session_format format, mcp_bytes data) {
	reader self;
	*parts = (mcp_session_parts){.is_array = format == MCP_SESSION_PHP_SERIALIZE};
	if (!begin_reader(&self, arena, data, &parts->cases)) {
		return false;
	}
	if (format != MCP_SESSION_PHP && format != MCP_SESSION_PHP_SERIALIZE) {
		return refuse_data(&self, "the format is neither php nor php_serialize");
	}
	bool is_new = parts->is_array && data.length == 0;
	return parts->is_array && !is_new ? read_array(&self, parts) : read_parts(&self, parts, 0);
}

/* Parse a part's value that is an array; `of`: the parts that contain it. */
static bool take_inside(mcp_session_parts *parts, mcp_session_arena *arena,
	const mcp_session_parts *of, const mcp_session_part *part) {
	reader self;
	*parts = (mcp_session_parts){.is_array = true, .cases = of->cases};
	if (!begin_reader(&self, arena, part->value, &parts->cases)) {
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

/* One byte each for version, format, marks and number of stamps, then the stamps. */

enum { VERSION = 1, MARK_WHOLE = 1, MARK_OVER_TOMBSTONE = 2, MARKS = 3, FIXED_LENGTH = 4 };

size_t mcp_session_head_write(const mcp_session_head *head, char out[MCP_SESSION_HEAD_MAX]) {
	out[0] = VERSION;
	out[1] = (char)head->format;
	out[2] = (char)((head->is_whole ? MARK_WHOLE : 0) |
		(head->is_over_tombstone ? MARK_OVER_TOMBSTONE : 0));
	out[3] = (char)head->stamp_count;
	for (size_t i = 0; i < head->stamp_count; i++) {
		mcp_store_u32((unsigned char *)out + FIXED_LENGTH + i * MCP_SESSION_STAMP_LENGTH,
			head->stamps[i]);
	}
	return FIXED_LENGTH + (size_t)head->stamp_count * MCP_SESSION_STAMP_LENGTH;
}

mcp_session_reading mcp_session_head_read(mcp_bytes payload, mcp_session_head *head,
	mcp_bytes *data) {
	const unsigned char *fixed = (const unsigned char *)payload.data;
	if (payload.length < FIXED_LENGTH || fixed[0] < VERSION) {
		return MCP_SESSION_NONE;
	}
	if (fixed[0] != VERSION || fixed[1] >= MCP_SESSION_FORMATS || (fixed[2] & ~MARKS) != 0) {
		return MCP_SESSION_NEWER;
	}
	size_t count = fixed[3];
	size_t length = FIXED_LENGTH + count * MCP_SESSION_STAMP_LENGTH;
	if (count == 0 || count > MCP_SESSION_STAMPS_MAX || payload.length < length) {
		return MCP_SESSION_NONE;
	}
	*head = (mcp_session_head){
		.format = (mcp_session_format)fixed[1],
		.is_whole = (fixed[2] & MARK_WHOLE) != 0,
		.is_over_tombstone = (fixed[2] & MARK_OVER_TOMBSTONE) != 0,
		.stamp_count = (uint8_t)count,
	};
	for (size_t i = 0; i < count; i++) {
		head->stamps[i] = mcp_load_u32(fixed + FIXED_LENGTH + i * MCP_SESSION_STAMP_LENGTH);
	}
	*data = mcp_bytes_of(payload.data + length, payload.length - length);
	return MCP_SESSION_READ;
}

bool mcp_session_head_has(const mcp_session_head *head, uint32_t stamp) {
	for (size_t i = 0; i < head->stamp_count; i++) {
		if (head->stamps[i] == stamp) {
			return true;
		}
	}
	return false;
}

void mcp_session_head_descend(mcp_session_head *head, uint32_t stamp,
	const mcp_session_head *from) {
	size_t kept =
		from->stamp_count < MCP_SESSION_STAMPS_MAX ? from->stamp_count : MCP_SESSION_STAMPS_MAX - 1;
	memmove(head->stamps + 1, from->stamps, kept * sizeof(head->stamps[0]));
	head->stamps[0] = stamp;
	head->stamp_count = (uint8_t)(kept + 1);
}

/* A value at a new position, piece by piece: the value's own bytes and, for each reference, its number at the new
 * position, or its enum case. */

typedef struct walk {
	const mcp_session_part *part;
	size_t before; /* slots before the position */
	size_t at;     /* offset in the value up to which pieces were returned */
	const mcp_session_reference *next;
	char digits[MCP_DECIMAL_MAX_LENGTH];
} walk;

static walk begin_walk(const mcp_session_part *part, size_t before) {
	return (walk){.part = part, .before = before, .next = part->references};
}

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

/* Take the next piece, which can be empty. Returns false at the end. */
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

/* Write the value for a position after `before` slots, with adjusted references. Returns the value's length; `to` NULL:
 * only return the length. */
static size_t place(const mcp_session_part *part, size_t before, char *to) {
	walk pieces = begin_walk(part, before);
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

bool mcp_session_parts_are_equal(const mcp_session_part *a, const mcp_session_part *b) {
	if (a == NULL || b == NULL) {
		return a == b;
	}
	walk of_a = begin_walk(a, 0), of_b = begin_walk(b, 0);
	mcp_bytes left_a = {"", 0}, left_b = {"", 0};
	for (;;) {
		/* Get the next piece if the previous one is used up. */
		bool has_a = left_a.length > 0 || next(&of_a, &left_a);
		bool has_b = left_b.length > 0 || next(&of_b, &left_b);
		if (!has_a || !has_b) {
			return has_a == has_b;
		}
		size_t length = left_a.length < left_b.length ? left_a.length : left_b.length;
		if (memcmp(left_a.data, left_b.data, length) != 0) {
			return false;
		}
		left_a = mcp_bytes_of(left_a.data + length, left_a.length - length);
		left_b = mcp_bytes_of(left_b.data + length, left_b.length - length);
	}
}

/* Merges session data: first plans the kept value of each key at each level, then writes the text. The plan must come
 * first, because an array's element count precedes its elements, and a value's position determines its references. */

typedef struct plan plan;

/* A key that is kept, with one version's value or a merged array. */
typedef struct kept {
	struct kept *next;
	mcp_bytes key;
	const mcp_session_part *part;
	const plan *inside; /* merged array; NULL: the value of `part` */
} kept;

struct plan {
	bool is_array;
	size_t count;
	kept *first, **last;
};

/* One level of the three versions. */
typedef struct level {
	mcp_session_parts base, mine, theirs;
	unsigned depth; /* number of levels that may be merged, including this one */
	mcp_session_arena *arena;
	unsigned *conflicts;
} level;

/* The three values of one key; NULL: missing. */
typedef struct three {
	const mcp_session_part *base, *mine, *theirs;
} three;

static bool keep_part(level *at, plan *into, const mcp_session_part *part, const plan *inside) {
	kept *one = mcp_session_arena_take(at->arena, sizeof(*one));
	if (one == NULL) {
		return false;
	}
	*one = (kept){.key = part->key, .part = part, .inside = inside};
	*into->last = one;
	into->last = &one->next;
	into->count++;
	return true;
}

static plan *plan_level(level *at);

static bool is_array(const mcp_session_part *part) {
	return part->value.data[0] == 'a';
}

static bool are_arrays(const three *of) {
	return of->mine != NULL && is_array(of->mine) && of->theirs != NULL && is_array(of->theirs) &&
		(of->base == NULL || is_array(of->base));
}

/* Parse three arrays. Returns false if one of them cannot be parsed: the whole array is then treated as a single
 * value. */
static bool open(level *inside, const level *at, const three *of) {
	*inside = (level){.depth = at->depth - 1, .arena = at->arena, .conflicts = at->conflicts};
	return take_inside(&inside->mine, at->arena, &at->mine, of->mine) &&
		take_inside(&inside->theirs, at->arena, &at->theirs, of->theirs) &&
		(of->base == NULL || take_inside(&inside->base, at->arena, &at->base, of->base));
}

/* Resolve a key that both requests have changed: merge the elements of arrays if possible, otherwise keep the value of
 * `mine`. */
static bool merge_both(level *at, plan *into, const three *of) {
	level inside;
	if (at->depth > 1 && are_arrays(of) && open(&inside, at, of)) {
		const plan *planned = plan_level(&inside);
		return planned != NULL && keep_part(at, into, of->mine, planned);
	}
	if (mcp_session_arena_is_short(at->arena)) {
		return false;
	}
	++*at->conflicts;
	return of->mine == NULL || keep_part(at, into, of->mine, NULL);
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
		return merge_both(at, into, &of);
	}
	const mcp_session_part *stays = is_mine ? of.mine : of.theirs;
	return stays == NULL || keep_part(at, into, stays, NULL);
}

/* NULL if the arena is too small. */
static plan *plan_level(level *at) {
	plan *new = mcp_session_arena_take(at->arena, sizeof(*new));
	if (new == NULL) {
		return NULL;
	}
	*new = (plan){.is_array = at->theirs.is_array};
	new->last = &new->first;
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
	size_t slot; /* last slot used */
} writer;

static void add_merged(writer *self, mcp_bytes bytes) {
	if (self->to != NULL && bytes.length > 0) {
		memcpy(self->to + self->length, bytes.data, bytes.length);
	}
	self->length += bytes.length;
}

static void write_plan(writer *self, const plan *of) {
	char digits[MCP_DECIMAL_MAX_LENGTH];
	if (of->is_array) {
		add_merged(self, mcp_bytes_of("a:", 2));
		add_merged(self, mcp_bytes_of(digits, mcp_decimal_format_u64(of->count, digits)));
		add_merged(self, mcp_bytes_of(":{", 2));
		self->slot++;
	}
	for (const kept *one = of->first; one != NULL; one = one->next) {
		add_merged(self, one->key);
		if (!of->is_array) {
			add_merged(self, mcp_bytes_of("|", 1));
		}
		if (one->inside != NULL) {
			write_plan(self, one->inside);
		} else {
			char *to = self->to != NULL ? self->to + self->length : NULL;
			self->length += place(one->part, self->slot, to);
			self->slot += one->part->slots;
		}
	}
	if (of->is_array) {
		add_merged(self, mcp_bytes_of("}", 1));
	}
}

static bool write_merged(const plan *of, mcp_session_arena *arena, mcp_session_merged *merged) {
	writer measured = {.to = NULL};
	write_plan(&measured, of);
	writer text = {.to = mcp_session_arena_take(arena, measured.length + 1)};
	if (text.to == NULL) {
		return false;
	}
	write_plan(&text, of);
	merged->data = mcp_bytes_of(text.to, text.length);
	arena->reason = NULL; /* might be from an array that was treated as a single value */
	return true;
}

bool mcp_session_merge(const mcp_session_versions *versions, mcp_session_arena *arena,
	mcp_session_merged *merged) {
	level top = {.depth = versions->depth, .arena = arena, .conflicts = &merged->conflicts};
	merged->conflicts = 0;
	if (!mcp_session_parts_take(&top.base, arena, versions->format, versions->base) ||
		!mcp_session_parts_take(&top.mine, arena, versions->format, versions->mine) ||
		!mcp_session_parts_take(&top.theirs, arena, versions->format, versions->theirs)) {
		return false;
	}
	const plan *planned = plan_level(&top);
	return planned != NULL && write_merged(planned, arena, merged);
}
