/* Tries by brute force that no two keys become one: every string of up to four words out of those
 * that matter to the mapping, in every key space, with side keys, slots and mapped keys fed back in. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../src/core/key/key.h"

/* Cache and counter keys are one family by design: a counter is prefix + name, exactly. The keys of
 * the online counter are sent with a number behind them only. */
typedef enum key_family {
	MAIN,
	LOCK,
	SEEN,
	TAG,
	MARK,
	SIDE,
	SLOT,
	SESSION,
	SESSION_LOCK
} key_family;

typedef struct sent {
	char wire[MCP_WIRE_KEY_MAX + 1];
	unsigned char length;
	unsigned char family;
	unsigned char is_mapped_counter; /* unlike a plain one, not its cache key's twin */
	unsigned slot;
	unsigned space;  /* of a slot */
	unsigned origin; /* index of the string */
} sent;

typedef struct origin {
	char bytes[64];
	size_t length;
} origin;

typedef struct key_world {
	origin *origins;
	size_t origins_count, origins_room;
	sent *keys;
	size_t keys_count, keys_room;
} key_world;

static void *grow(void *block, size_t count, size_t *room, size_t size) {
	if (count < *room) {
		return block;
	}
	*room = *room == 0 ? 1024 : *room * 2;
	block = realloc(block, *room * size);
	assert_non_null(block);
	return block;
}

static void add_origin(key_world *world, const char *bytes, size_t length) {
	world->origins =
		grow(world->origins, world->origins_count, &world->origins_room, sizeof(origin));
	origin *added = &world->origins[world->origins_count++];
	assert_true(length <= sizeof(added->bytes));
	memset(added, 0, sizeof(*added));
	memcpy(added->bytes, bytes, length);
	added->length = length;
}

static void add_words(key_world *world, const char *const *words, int count, const char *start,
	int depth) {
	for (int i = 0; i < count && depth > 0; i++) {
		char string[64];
		int length = snprintf(string, sizeof(string), "%s%s", start, words[i]);
		assert_true(length > 0 && (size_t)length < sizeof(string));
		add_origin(world, string, (size_t)length);
		add_words(world, words, count, string, depth - 1);
	}
}

static int compare_origins(const void *left, const void *right) {
	const origin *a = left, *b = right;
	return a->length != b->length ? (a->length > b->length) - (a->length < b->length)
								  : memcmp(a->bytes, b->bytes, a->length);
}

/* Drops repeated ones: words may make one string in several ways, and each string counts once. */
static void drop_repeated_origins(key_world *world) {
	qsort(world->origins, world->origins_count, sizeof(origin), compare_origins);
	size_t kept = 0;
	for (size_t i = 0; i < world->origins_count; i++) {
		if (kept == 0 || compare_origins(&world->origins[kept - 1], &world->origins[i]) != 0) {
			world->origins[kept++] = world->origins[i];
		}
	}
	world->origins_count = kept;
}

static sent *add_key(key_world *world, const mcp_key *key, key_family family, size_t index) {
	world->keys = grow(world->keys, world->keys_count, &world->keys_room, sizeof(sent));
	sent *added = &world->keys[world->keys_count++];
	memset(added, 0, sizeof(*added));
	assert_true(mcp_key_is_safe(key->wire));
	memcpy(added->wire, key->wire.data, key->wire.length);
	added->length = (unsigned char)key->wire.length;
	added->family = (unsigned char)family;
	added->origin = (unsigned)index;
	return added;
}

static mcp_key make(mcp_key_buffer *buffer, mcp_key_space space, const origin *string) {
	mcp_bytes name = mcp_bytes_of(string->bytes, string->length);
	mcp_key_parts parts = {space, mcp_bytes_none(), mcp_bytes_none(), name};
	return mcp_key_make(buffer, &parts);
}

static void add_slots_of(key_world *world, size_t index, mcp_key_space space) {
	static const unsigned slots[] = {0, 1, 11};
	mcp_key_buffer buffer, derived;
	mcp_key key = make(&buffer, space, &world->origins[index]);
	for (size_t i = 0; i < sizeof(slots) / sizeof(*slots); i++) {
		mcp_key slot = mcp_key_append(&derived, &key, slots[i]);
		sent *added = add_key(world, &slot, SLOT, index);
		added->slot = slots[i];
		added->space = (unsigned)space;
	}
}

static void add_session(key_world *world, size_t index, const origin *string) {
	mcp_key_buffer buffer, derived;
	mcp_key key = make(&buffer, MCP_SPACE_SESSION, string);
	add_key(world, &key, SESSION, index);
	mcp_key lock = mcp_key_beside(&derived, &key, mcp_bytes_of(":lock", 5));
	add_key(world, &lock, SESSION_LOCK, index);
}

static void add_keys_of(key_world *world, size_t index) {
	const origin *string = &world->origins[index];
	mcp_key_buffer buffer, derived;

	mcp_key key = make(&buffer, MCP_SPACE_CACHE, string);
	add_key(world, &key, MAIN, index);
	mcp_key side = mcp_key_side(&derived, &key);
	add_key(world, &side, SIDE, index);

	key = make(&buffer, MCP_SPACE_COUNTER, string);
	bool is_mapped = !mcp_bytes_equal(key.wire, mcp_bytes_of(string->bytes, string->length));
	add_key(world, &key, MAIN, index)->is_mapped_counter = is_mapped;

	key = make(&buffer, MCP_SPACE_LOCK, string);
	add_key(world, &key, LOCK, index);
	key = make(&buffer, MCP_SPACE_SEEN, string);
	add_key(world, &key, SEEN, index);

	key = make(&buffer, MCP_SPACE_TAG, string);
	add_key(world, &key, TAG, index);
	key = make(&buffer, MCP_SPACE_MARK, string);
	add_key(world, &key, MARK, index);

	add_slots_of(world, index, MCP_SPACE_ONLINE);
	for (mcp_key_space space = MCP_SPACE_LOG; space < MCP_SPACE_SESSION; space++) {
		add_slots_of(world, index, space);
	}
	add_session(world, index, string);
}

static int compare_wires(const void *left, const void *right) {
	const sent *a = left, *b = right;
	return a->length != b->length ? (int)a->length - (int)b->length
								  : memcmp(a->wire, b->wire, a->length);
}

static bool is_one_key(const sent *a, const sent *b) {
	return a->origin == b->origin && a->family == b->family && a->slot == b->slot &&
		a->space == b->space && !a->is_mapped_counter && !b->is_mapped_counter;
}

static void assert_unique(key_world *world) {
	qsort(world->keys, world->keys_count, sizeof(sent), compare_wires);
	for (size_t i = 1; i < world->keys_count; i++) {
		const sent *a = &world->keys[i - 1], *b = &world->keys[i];
		if (compare_wires(a, b) == 0 && !is_one_key(a, b)) {
			fail_msg("\"%s\" (family %d) and \"%s\" (family %d) both become \"%s\"",
				world->origins[a->origin].bytes, a->family, world->origins[b->origin].bytes,
				b->family, a->wire);
		}
	}
}

/* Feeds back every wire key so far that a user could type: it becomes a key of its own. */
static void feed_wires_back(key_world *world) {
	size_t count = world->keys_count;
	for (size_t i = 0; i < count; i++) {
		if (world->keys[i].length <= sizeof(world->origins->bytes)) {
			add_origin(world, world->keys[i].wire, world->keys[i].length);
		}
	}
	world->keys_count = 0;
}

static void assert_words_stay_apart(const char *const *words, int count, int depth) {
	key_world world = {0};
	add_words(&world, words, count, "", depth);
	drop_repeated_origins(&world);
	for (size_t i = 0; i < world.origins_count; i++) {
		add_keys_of(&world, i);
	}
	assert_unique(&world);

	feed_wires_back(&world);
	drop_repeated_origins(&world);
	for (size_t i = 0; i < world.origins_count; i++) {
		add_keys_of(&world, i);
	}
	assert_unique(&world);
	free(world.origins);
	free(world.keys);
}

TEST(reserved_words_and_marks_stay_apart) {
	static const char *const words[] = {"lock:", "online:", "set:", "semaphore:", "_increment",
		"~#", " ", "_", "a", ":1"};
	assert_words_stay_apart(words, 10, 3);
}

TEST(the_letters_of_reserved_words_stay_apart) {
	static const char *const letters[] = {"~", "#", "_", " ", ":", "1"};
	assert_words_stay_apart(letters, 6, 4);
}
