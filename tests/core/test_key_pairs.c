/* Holds keys that are made of two names, and keys beside another, to the promise of docs/spec/keys.md: no two pairs
 * become one key, and what stands beside a key is on its server. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../src/core/key/key.h"

static void assert_text(const char *expected, mcp_bytes actual) {
	assert_int_equal(strlen(expected), actual.length);
	assert_memory_equal(expected, actual.data, actual.length);
}

static mcp_key pair_key(mcp_key_buffer *buffer, const char *first, const char *second) {
	char scope[MCP_KEY_FIRST_NAME_MAX + 1];
	size_t length = mcp_key_write_first_name(scope, MCP_SPACE_RATE, mcp_bytes_text(first));
	scope[length++] = ':';
	mcp_key_parts parts = {
		.space = MCP_SPACE_RATE,
		.prefix = mcp_bytes_text("app:"),
		.scope = mcp_bytes_of(scope, length),
		.name = mcp_bytes_text(second),
	};
	return mcp_key_make(buffer, &parts);
}

TEST(an_ordinary_pair_is_sent_as_it_is) {
	mcp_key_buffer buffer;
	assert_text("app:rate:login:10.0.0.1", pair_key(&buffer, "login", "10.0.0.1").wire);
	assert_text("app:rate:login:fe80::1", pair_key(&buffer, "login", "fe80::1").wire);
	assert_text("app:rate:login:", pair_key(&buffer, "login", "").wire);
}

TEST(a_first_name_with_a_colon_is_written_without) {
	char out[MCP_KEY_FIRST_NAME_MAX];
	const char *const names[] = {"a:b", ":", "~#", "a~#b:"};
	const char *const readable[] = {"a_b~#", "_~#", "_#~#", "a_#b_~#"};
	for (size_t i = 0; i < 4; i++) {
		size_t length = mcp_key_write_first_name(out, MCP_SPACE_RATE, mcp_bytes_text(names[i]));
		assert_int_equal(strlen(readable[i]) + 32, length);
		assert_memory_equal(readable[i], out, strlen(readable[i]));
	}
}

TEST(a_long_first_name_becomes_a_short_one_of_its_own) {
	char name[300], short_one[MCP_KEY_FIRST_NAME_MAX], other[MCP_KEY_FIRST_NAME_MAX];
	memset(name, 'x', sizeof(name));
	mcp_bytes whole = mcp_bytes_of(name, MCP_KEY_FIRST_NAME_MAX);
	assert_int_equal(MCP_KEY_FIRST_NAME_MAX,
		mcp_key_write_first_name(short_one, MCP_SPACE_RATE, whole));
	assert_memory_equal(name, short_one, sizeof(short_one));
	whole.length++;
	assert_int_equal(MCP_KEY_FIRST_NAME_MAX,
		mcp_key_write_first_name(short_one, MCP_SPACE_RATE, whole));
	whole.length++;
	assert_int_equal(MCP_KEY_FIRST_NAME_MAX,
		mcp_key_write_first_name(other, MCP_SPACE_RATE, whole));
	assert_memory_not_equal(other, short_one, sizeof(short_one));
}

/* --- by brute force --- */

enum { WORDS_MAX = 400, NAME_MAX = 160 };

typedef struct pair_wire {
	char wire[MCP_WIRE_KEY_MAX + 1];
	size_t first, second;
} pair_wire;

static char names[WORDS_MAX][NAME_MAX];
static size_t name_count;

static void add_name(const char *name) {
	for (size_t i = 0; i < name_count; i++) {
		if (strcmp(names[i], name) == 0) {
			return;
		}
	}
	assert_true(name_count < WORDS_MAX && strlen(name) < NAME_MAX);
	strcpy(names[name_count++], name);
}

static void add_names(const char *start, int depth) {
	static const char *const words[] = {"a", ":", "~#", "_"};
	for (size_t i = 0; i < 4 && depth > 0; i++) {
		char name[NAME_MAX];
		snprintf(name, sizeof(name), "%s%s", start, words[i]);
		add_name(name);
		add_names(name, depth - 1);
	}
}

/* Names that a user could have read off the wire. */
static void add_mapped_names(void) {
	size_t count = name_count;
	for (size_t i = 0; i < count; i++) {
		char name[MCP_KEY_FIRST_NAME_MAX + 1];
		size_t length = mcp_key_write_first_name(name, MCP_SPACE_RATE, mcp_bytes_text(names[i]));
		name[length] = '\0';
		add_name(name);
	}
}

static int compare_wires(const void *left, const void *right) {
	return strcmp(((const pair_wire *)left)->wire, ((const pair_wire *)right)->wire);
}

TEST(no_two_pairs_become_one_key) {
	add_names("", 3);
	add_mapped_names();
	pair_wire *wires = calloc(name_count * name_count, sizeof(*wires));
	assert_non_null(wires);
	size_t count = 0;
	for (size_t first = 0; first < name_count; first++) {
		for (size_t second = 0; second < name_count; second++) {
			mcp_key_buffer buffer;
			mcp_key key = pair_key(&buffer, names[first], names[second]);
			assert_true(mcp_key_is_safe(key.wire));
			memcpy(wires[count].wire, key.wire.data, key.wire.length);
			wires[count].first = first;
			wires[count++].second = second;
		}
	}
	qsort(wires, count, sizeof(*wires), compare_wires);
	for (size_t i = 1; i < count; i++) {
		if (compare_wires(&wires[i - 1], &wires[i]) == 0) {
			fail_msg("(%s, %s) and (%s, %s) both become %s", names[wires[i - 1].first],
				names[wires[i - 1].second], names[wires[i].first], names[wires[i].second],
				wires[i].wire);
		}
	}
	free(wires);
}

/* --- beside --- */

TEST(a_key_beside_another_has_its_route) {
	mcp_key_buffer buffer, main_buffer;
	mcp_key key = pair_key(&main_buffer, "login", "anna");
	mcp_key beside = mcp_key_beside(&buffer, &key, mcp_bytes_text(":s6000:7"));
	assert_text("app:rate:login:anna:s6000:7", beside.wire);
	assert_text("rate:login:anna", beside.route);
	assert_ptr_equal(buffer.bytes + 4, beside.route.data);
	assert_int_equal('\0', buffer.bytes[beside.wire.length]);
	assert_true(beside.fingerprint == key.fingerprint);
}

TEST(a_key_beside_another_that_does_not_fit_is_refused) {
	char bytes[MCP_WIRE_KEY_MAX + 1];
	memset(bytes, 'x', sizeof(bytes));
	mcp_key_buffer buffer;
	mcp_bytes whole = mcp_bytes_of(bytes, MCP_WIRE_KEY_MAX - 3);
	mcp_key key = {.wire = whole, .route = whole, .fingerprint = 1};
	assert_int_equal(MCP_WIRE_KEY_MAX,
		mcp_key_beside(&buffer, &key, mcp_bytes_text("123")).wire.length);
	assert_int_equal(0, mcp_key_beside(&buffer, &key, mcp_bytes_text("1234")).wire.length);
	key.wire.length = key.route.length = MCP_WIRE_KEY_MAX + 1;
	assert_int_equal(0, mcp_key_beside(&buffer, &key, mcp_bytes_none()).wire.length);
	key.wire.length = key.route.length = 0;
	assert_int_equal(0, mcp_key_beside(&buffer, &key, mcp_bytes_text("1")).wire.length);
}

static mcp_key key_of(mcp_key_buffer *buffer, mcp_key_space space, const char *prefix,
	const char *name) {
	mcp_key_parts parts = {.space = space,
		.prefix = mcp_bytes_text(prefix),
		.name = mcp_bytes_text(name)};
	return mcp_key_make(buffer, &parts);
}

TEST(the_fence_is_no_locks_key) {
	mcp_key_buffer buffer, permit_buffer, fence_buffer;
	const char *const given[] = {"job", "~#fence", "lock:~#fence", "a name\n"};
	for (int i = 0; i < 4; i++) {
		mcp_key lock = key_of(&buffer, MCP_SPACE_LOCK, "shop:", given[i]);
		mcp_key fence = mcp_key_fence(&fence_buffer, &lock);
		assert_text("shop:lock:~#fence", fence.wire);
		assert_text("lock:~#fence", fence.route);
		assert_true(mcp_key_is_safe(fence.wire));
		assert_false(fence.is_for_one);
		assert_false(mcp_bytes_equal(lock.wire, fence.wire));
	}
	mcp_key semaphore = key_of(&buffer, MCP_SPACE_SEMAPHORE, "", "jobs");
	mcp_key permit = mcp_key_append_beside(&permit_buffer, &semaphore, 12);
	assert_text("lock:~#fence", mcp_key_fence(&fence_buffer, &permit).wire);
}
