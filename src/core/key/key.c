/* Makes memcached keys from prefix, scope and name: unchanged if possible, otherwise mapped to a readable
 * part, "~#" and a hash. docs/spec/keys.md proves that no two keys collide. */
/* SPDX-License-Identifier: MIT */
#include "key.h"

#include "../compiler.h"
#include "../bytes.h"
#include "../sha256/sha256.h"
#include "../utf8.h"
#include "../vendor/xxh64.h"

#include <assert.h>

/* Suffix of the side key of a running number, as in the published MC class (docs/migrate/mc-class.md). */
#define MCP_SIDE_SUFFIX "_increment"

#define MCP_SIDE_SUFFIX_LENGTH (sizeof(MCP_SIDE_SUFFIX) - 1)

/* Maximum length of head + scope + name; longer keys are mapped. */
#define MCP_KEY_BODY_MAX (MCP_WIRE_KEY_MAX - MCP_PREFIX_MAX - (int)MCP_SIDE_SUFFIX_LENGTH)

/* Like MCP_KEY_BODY_MAX, for keys with an appended number: leaves space for ':' and 20 digits. */
#define MCP_KEY_NUMBERED_BODY_MAX (MCP_WIRE_KEY_MAX - MCP_PREFIX_MAX - 21)

#define MCP_KEY_TAG_HEAD "tag:"

/* Returns the end of the appended bytes. */
MCP_INLINED char *mcp_key_view_append(char *to, const char *from, size_t length) {
	return length > 0 ? mcp_words_copy(to, from, length) : to;
}

static inline bool is_unsafe_byte(unsigned char byte) {
	return byte <= 0x20 || byte == 0x7f;
}

/* Set the top bit of each byte except bytes <= 0x20, 0x7e ('~') and 0x7f. The lower 7 bits are checked separately, so
 * that no carry or borrow crosses bytes. */
static inline uint64_t plain_bits(uint64_t word) {
	uint64_t low_bits = word & 0x7f7f7f7f7f7f7f7fu;
	uint64_t above_space = low_bits + 0x5f5f5f5f5f5f5f5fu;
	uint64_t below_tilde = 0xfdfdfdfdfdfdfdfdu - low_bits;
	return word | (above_space & below_tilde);
}

static inline bool are_all_plain(uint64_t bits) {
	return (~bits & 0x8080808080808080u) == 0;
}

/* Load fewer than 8 bytes into a word. Loading a byte twice is harmless, because the check ignores
 * positions. */
static inline uint64_t load_short_word(const char *bytes, size_t length) {
	if (length >= sizeof(uint32_t)) {
		uint64_t last = mcp_half_word(bytes + length - sizeof(uint32_t));
		return last << 32 | mcp_half_word(bytes);
	}
	uint64_t first = (unsigned char)bytes[0];
	uint64_t middle = (unsigned char)bytes[length / 2];
	uint64_t last = (unsigned char)bytes[length - 1];
	return first * 0x0101010101000000u | middle << 8 | last << 16 | first;
}

/* Fast check for nearly all keys: false only means that a bytewise check is needed. */
static inline bool is_surely_plain(const char *bytes, size_t length) {
	if (length < sizeof(uint64_t)) {
		return length > 0 && are_all_plain(plain_bits(load_short_word(bytes, length)));
	}
	const char *last = bytes + length - sizeof(uint64_t);
	uint64_t plain = plain_bits(mcp_word(last));
	for (; bytes < last; bytes += sizeof(uint64_t)) {
		plain &= plain_bits(mcp_word(bytes));
	}
	return are_all_plain(plain);
}

static inline bool has_unsafe_byte(const char *bytes, size_t length) {
	for (size_t i = 0; i < length; i++) {
		if (is_unsafe_byte((unsigned char)bytes[i])) {
			return true;
		}
	}
	return false;
}

/* Build a key of views into the buffer: `wire` from the buffer's start to `end`, and the body after the prefix. */
static inline mcp_key view_key(mcp_key_buffer *buffer, const char *body, char *end,
	uint64_t fingerprint, bool is_safe) {
	*end = '\0';
	return (mcp_key){
		.wire = mcp_bytes_of(buffer->bytes, (size_t)(end - buffer->bytes)),
		.route = mcp_bytes_of(body, (size_t)(end - body)),
		.fingerprint = fingerprint,
		.is_safe = is_safe,
	};
}

/* A key without bytes: mcp_key_is_safe rejects it, so that it is never sent. */
static inline mcp_key unsendable_key(void) {
	return (mcp_key){.wire = mcp_bytes_none(), .route = mcp_bytes_none()};
}

/* A tag's key contains the tag's fingerprint instead of its name: any name fits, and all tag keys have the same
 * length. */

enum { HEAD_LENGTH = sizeof(MCP_KEY_TAG_HEAD) - 1 };

mcp_key mcp_key_tag(mcp_key_buffer *buffer, mcp_bytes prefix, uint64_t fingerprint,
	mcp_bytes route) {
	if (prefix.length > MCP_PREFIX_MAX) {
		return unsendable_key();
	}
	char *body = mcp_key_view_append(buffer->bytes, prefix.data, prefix.length);
	char *end = mcp_key_view_append(body, MCP_KEY_TAG_HEAD, HEAD_LENGTH);
	mcp_key tag =
		view_key(buffer, body, end + mcp_hex_write_u64(fingerprint, end), fingerprint, false);
	tag.route = route;
	return tag;
}

enum { MARK_LENGTH = sizeof(MCP_KEY_MARK) - 1 };

/* The hash of a mapped key includes the number of its space, so the order of mcp_key_space must never change. */
static const struct {
	const char *head;
	unsigned head_length;
	unsigned body_max;
	/* true if items store the key's fingerprint, or if the near cache or wake-ups use it */
	bool is_fingerprinted;
} spaces[] = {
	[MCP_SPACE_CACHE] = {"", 0, MCP_KEY_BODY_MAX, true},
	[MCP_SPACE_COUNTER] = {"", 0, MCP_KEY_BODY_MAX, true},
	[MCP_SPACE_LOCK] = {"lock:", 5, MCP_KEY_BODY_MAX, true},
	[MCP_SPACE_ONLINE] = {"online:", 7, MCP_KEY_NUMBERED_BODY_MAX, false},
	[MCP_SPACE_SEEN] = {"seen:", 5, MCP_KEY_BODY_MAX, false},
	[MCP_SPACE_TAG] = {MCP_KEY_TAG_HEAD, 4, MCP_KEY_BODY_MAX, false},
	[MCP_SPACE_MARK] = {"mark:", 5, MCP_KEY_BODY_MAX, false},
	[MCP_SPACE_LOG] = {"log:", 4, MCP_KEY_NUMBERED_BODY_MAX, true},
	[MCP_SPACE_SET] = {"set:", 4, MCP_KEY_NUMBERED_BODY_MAX, false},
	[MCP_SPACE_ROW] = {"row:", 4, MCP_KEY_NUMBERED_BODY_MAX, false},
	[MCP_SPACE_RATE] = {"rate:", 5, MCP_KEY_NUMBERED_BODY_MAX, false},
	[MCP_SPACE_SEMAPHORE] = {"semaphore:", 10, MCP_KEY_NUMBERED_BODY_MAX, true},
	[MCP_SPACE_UNIQUE] = {"unique:", 7, MCP_KEY_NUMBERED_BODY_MAX, false},
	[MCP_SPACE_SESSION] = {"sess:", 5, MCP_KEY_BODY_MAX, true},
};

bool mcp_key_has_mapping_prefix(mcp_bytes bytes) {
	for (size_t i = 0; i + MARK_LENGTH <= bytes.length; i++) {
		if (memcmp(bytes.data + i, MCP_KEY_MARK, MARK_LENGTH) == 0) {
			return true;
		}
	}
	return false;
}

/* `space` must have a head. */
static bool begins_with_head(const char *body, size_t length, mcp_key_space space) {
	return length >= spaces[space].head_length && body[0] == spaces[space].head[0] &&
		memcmp(body, spaces[space].head, spaces[space].head_length) == 0;
}

/* Fast check for most keys: compares the first two bytes with the first two letters of each head. */
static inline bool may_begin_with_head(const char *body) {
	switch ((unsigned)(unsigned char)body[0] << 8 | (unsigned char)body[1]) {
		case 'l' << 8 | 'o':
		case 'm' << 8 | 'a':
		case 'o' << 8 | 'n':
		case 'r' << 8 | 'a':
		case 'r' << 8 | 'o':
		case 's' << 8 | 'e':
		case 't' << 8 | 'a':
		case 'u' << 8 | 'n':
			return true;
		default:
			return false;
	}
}

static inline bool ends_as_side_key(const char *body, size_t length) {
	return body[length - 1] == 't' && length >= MCP_SIDE_SUFFIX_LENGTH &&
		memcmp(body + length - MCP_SIDE_SUFFIX_LENGTH, MCP_SIDE_SUFFIX, MCP_SIDE_SUFFIX_LENGTH) ==
		0;
}

/* Whether a key without a head looks like a key of another class or a side key. The length check protects
 * body[1]. */
static inline bool is_reserved(const char *body, size_t length) {
	return length > 1 &&
		(ends_as_side_key(body, length) ||
			(may_begin_with_head(body) && mcp_key_head_of(mcp_bytes_of(body, length)) != NULL));
}

/* A name with a colon could equal another name plus an appended part. */
static MCP_APART bool may_be_appended(const char *body, size_t length, size_t head_length) {
	return memchr(body + head_length, ':', length - head_length) != NULL;
}

static inline bool is_free(const char *body, size_t length, mcp_key_space space) {
	if (space == MCP_SPACE_SESSION) {
		return !may_be_appended(body, length, spaces[space].head_length);
	}
	return spaces[space].head_length > 0 || !is_reserved(body, length);
}

static MCP_SELDOM bool body_is_plain(const char *body, size_t length, mcp_key_space space) {
	return !has_unsafe_byte(body, length) &&
		!mcp_key_has_mapping_prefix(mcp_bytes_of(body, length)) && is_free(body, length, space);
}

/* Byte i of scope and name as one string. */
static inline char byte_at(const mcp_key_parts *parts, size_t i) {
	return i < parts->scope.length ? parts->scope.data[i]
								   : parts->name.data[i - parts->scope.length];
}

/* End the readable part before a UTF-8 character, not inside it. */
static size_t readable_length(const mcp_key_parts *parts) {
	size_t length = parts->scope.length + parts->name.length;
	if (length <= MCP_KEY_READABLE_MAX) {
		return length;
	}
	size_t end = MCP_KEY_READABLE_MAX;
	while (end > MCP_KEY_READABLE_MAX - MCP_UTF8_CONTINUATION_MAX &&
		mcp_utf8_is_continuation(byte_at(parts, end))) {
		end--;
	}
	return mcp_utf8_is_continuation(byte_at(parts, end)) ? MCP_KEY_READABLE_MAX : end;
}

/* Replace "~#" in the readable part, so that the first "~#" of a mapped key is the separator. */
static char *append_readable(char *to, const mcp_key_parts *parts) {
	size_t length = readable_length(parts);
	for (size_t i = 0; i < length; i++) {
		char byte = byte_at(parts, i);
		bool is_marked =
			i + 1 < length && byte == MCP_KEY_MARK[0] && byte_at(parts, i + 1) == MCP_KEY_MARK[1];
		*to++ = is_unsafe_byte((unsigned char)byte) || is_marked ? '_' : byte;
	}
	return to;
}

static char *append_mapped(char *to, const mcp_key_parts *parts) {
	to = mcp_key_view_append(to, spaces[parts->space].head, spaces[parts->space].head_length);
	to = append_readable(to, parts);
	to = mcp_key_view_append(to, MCP_KEY_MARK, MARK_LENGTH);
	mcp_key_hash_hex(to, parts->space, parts->scope, parts->name);
	return to + MCP_KEY_HASH_LENGTH;
}

MCP_INLINED char *append_plain(char *to, const mcp_key_parts *parts, mcp_key_space space) {
	to = mcp_key_view_append(to, spaces[space].head, spaces[space].head_length);
	to = mcp_key_view_append(to, parts->scope.data, parts->scope.length);
	return mcp_key_view_append(to, parts->name.data, parts->name.length);
}

/* Like fingerprint_of, for parts that are not contiguous. A fingerprint detects an item stored under a wrong key. An
 * attacker gains nothing from a collision, because only a client that can write items could use the collision. The near
 * cache compares the key's bytes, and keys share change counters anyway. */
static uint64_t fingerprint_of_parts(const mcp_key_parts *parts) {
	XXH64_state_t state;
	XXH64_reset(&state, 0);
	XXH64_update(&state, parts->prefix.data, parts->prefix.length);
	XXH64_update(&state, spaces[parts->space].head, spaces[parts->space].head_length);
	XXH64_update(&state, parts->scope.data, parts->scope.length);
	XXH64_update(&state, parts->name.data, parts->name.length);
	return XXH64_digest(&state);
}

/* Not inlined, so that calls for keys without a fingerprint save no registers for the hash. */
static MCP_APART uint64_t fingerprint_of(const char *bytes, size_t length) {
	return XXH64(bytes, length, 0);
}

static MCP_SELDOM mcp_key make_mapped(mcp_key_buffer *buffer, char *body,
	const mcp_key_parts *parts) {
	bool is_wanted = spaces[parts->space].is_fingerprinted;
	return view_key(buffer, body, append_mapped(body, parts),
		is_wanted ? fingerprint_of_parts(parts) : 0, false);
}

MCP_INLINED mcp_key make(mcp_key_buffer *buffer, const mcp_key_parts *parts, mcp_key_space space) {
	char *body = mcp_key_view_append(buffer->bytes, parts->prefix.data, parts->prefix.length);
	size_t room = spaces[space].body_max - spaces[space].head_length;

	/* Two comparisons, because the sum of two lengths could overflow. */
	if (parts->scope.length <= room && parts->name.length <= room - parts->scope.length) {
		char *end = append_plain(body, parts, space);
		size_t length = (size_t)(end - body);
		size_t whole = (size_t)(end - buffer->bytes);
		bool is_plain = is_surely_plain(buffer->bytes, whole);
		if (is_plain ? is_free(body, length, space) : body_is_plain(body, length, space)) {
			bool is_wanted = spaces[space].is_fingerprinted;
			uint64_t fingerprint = is_wanted ? fingerprint_of(buffer->bytes, whole) : 0;
			return view_key(buffer, body, end, fingerprint, is_plain);
		}
	}
	return make_mapped(buffer, body, parts);
}

MCP_INLINED mcp_key make_any(mcp_key_buffer *buffer, const mcp_key_parts *parts) {
	/* The compiler drops the parts that a space without a head does not need. */
	if (parts->space == MCP_SPACE_CACHE) {
		return make(buffer, parts, MCP_SPACE_CACHE);
	}
	mcp_key key = make(buffer, parts, parts->space);
	key.is_for_one = parts->space == MCP_SPACE_LOCK || parts->space == MCP_SPACE_SEMAPHORE;
	return key;
}

mcp_key mcp_key_make(mcp_key_buffer *buffer, const mcp_key_parts *parts) {
	return make_any(buffer, parts);
}

void mcp_key_make_at(mcp_key *key, mcp_key_buffer *buffer, const mcp_key_parts *parts) {
	*key = make_any(buffer, parts);
}

mcp_key mcp_key_side(mcp_key_buffer *buffer, const mcp_key *main) {
	mcp_key side =
		mcp_key_beside(buffer, main, mcp_bytes_of(MCP_SIDE_SUFFIX, MCP_SIDE_SUFFIX_LENGTH));
	side.is_safe = main->is_safe && side.wire.length > 0;
	return side;
}

mcp_key mcp_key_append(mcp_key_buffer *buffer, const mcp_key *key, uint64_t number) {
	char digits[MCP_DECIMAL_MAX_LENGTH];
	size_t count = mcp_decimal_format_u64(number, digits);

	if (key->wire.length == 0 || key->wire.length + 1 + count > MCP_WIRE_KEY_MAX) {
		return unsendable_key();
	}
	size_t prefix_length = (size_t)(key->route.data - key->wire.data);
	char *end = mcp_key_view_append(buffer->bytes, key->wire.data, key->wire.length);
	*end++ = ':';
	end = mcp_key_view_append(end, digits, count);
	const char *body = buffer->bytes + prefix_length;
	mcp_key numbered = view_key(buffer, body, end, key->fingerprint, key->is_safe);
	numbered.is_for_one = key->is_for_one;
	return numbered;
}

mcp_key mcp_key_append_beside(mcp_key_buffer *buffer, const mcp_key *key, uint64_t number) {
	mcp_key numbered = mcp_key_append(buffer, key, number);
	if (numbered.wire.length > 0) {
		numbered.route.length = key->route.length;
	}
	return numbered;
}

mcp_key mcp_key_beside(mcp_key_buffer *buffer, const mcp_key *key, mcp_bytes suffix) {
	if (key->wire.length == 0 || key->wire.length > MCP_WIRE_KEY_MAX ||
		suffix.length > MCP_WIRE_KEY_MAX - key->wire.length) {
		return unsendable_key();
	}
	size_t prefix_length = (size_t)(key->route.data - key->wire.data);
	char *end = mcp_key_view_append(buffer->bytes, key->wire.data, key->wire.length);
	end = mcp_key_view_append(end, suffix.data, suffix.length);
	const char *body = buffer->bytes + prefix_length;
	mcp_key beside = view_key(buffer, body, end, key->fingerprint, false);
	beside.route.length = key->route.length;
	beside.is_for_one = key->is_for_one;
	return beside;
}

/* The head and the name of the fence are safe, so the key is safe if the prefix is. */
mcp_key mcp_key_fence(mcp_key_buffer *buffer, const mcp_key *key) {
	static const char fence[] = "lock:" MCP_KEY_MARK "fence";
	size_t prefix_length = (size_t)(key->route.data - key->wire.data);
	char *body = mcp_key_view_append(buffer->bytes, key->wire.data, prefix_length);
	char *end = mcp_key_view_append(body, fence, sizeof(fence) - 1);
	return view_key(buffer, body, end, 0, key->is_safe);
}

static_assert(MCP_KEY_FIRST_NAME_MAX == MCP_KEY_READABLE_MAX + MARK_LENGTH + MCP_KEY_HASH_LENGTH,
	"a mapped name fits");

size_t mcp_key_write_first_name(char out[MCP_KEY_FIRST_NAME_MAX], mcp_key_space space,
	mcp_bytes name) {
	bool has_colon = name.length > 0 && memchr(name.data, ':', name.length) != NULL;
	if (name.length <= MCP_KEY_FIRST_NAME_MAX && !has_colon && !mcp_key_has_mapping_prefix(name)) {
		return (size_t)(mcp_key_view_append(out, name.data, name.length) - out);
	}
	char *end = append_readable(out, &(mcp_key_parts){.name = name});
	for (char *colon = out; (colon = memchr(colon, ':', (size_t)(end - colon))) != NULL;) {
		*colon = '_';
	}
	end = mcp_key_view_append(end, MCP_KEY_MARK, MARK_LENGTH);
	mcp_key_hash_hex(end, space, mcp_bytes_none(), name);
	return (size_t)(end + MCP_KEY_HASH_LENGTH - out);
}

bool mcp_key_prefix_is_valid(mcp_bytes prefix) {
	return prefix.length <= MCP_PREFIX_MAX && !has_unsafe_byte(prefix.data, prefix.length);
}

MCP_APART const char *mcp_key_head_of(mcp_bytes prefix) {
	for (mcp_key_space space = 0; space < MCP_SPACES; space++) {
		if (spaces[space].head_length > 0 && begins_with_head(prefix.data, prefix.length, space)) {
			return spaces[space].head;
		}
	}
	return NULL;
}

bool mcp_key_is_safe(mcp_bytes wire) {
	if (wire.length == 0 || wire.length > MCP_WIRE_KEY_MAX) {
		return false;
	}
	return is_surely_plain(wire.data, wire.length) || !has_unsafe_byte(wire.data, wire.length);
}

void mcp_key_hash_hex(char out[MCP_KEY_HASH_LENGTH], mcp_key_space space, mcp_bytes scope,
	mcp_bytes name) {
	const char first = (char)space;
	unsigned char digest[MCP_SHA256_LENGTH];

	mcp_sha256 hash;
	mcp_sha256_begin(&hash);
	mcp_sha256_add(&hash, mcp_bytes_of(&first, 1));
	mcp_sha256_add(&hash, scope);
	mcp_sha256_add(&hash, name);
	mcp_sha256_finish(&hash, digest);

	mcp_hex_write(digest, MCP_KEY_HASH_LENGTH / 2, out);
}
