/* Holds the wire keys to docs/spec/keys.md: what stays as it is, what is mapped and to what, and that all
 * of it is safe to send. That no two keys become one is test_key_uniqueness.c's. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../src/core/key/key.h"

#define SPACES MCP_SPACES

static mcp_key make(mcp_key_buffer *buffer, mcp_key_space space, mcp_bytes prefix, mcp_bytes scope,
	mcp_bytes name) {
	mcp_key_parts parts = {space, prefix, scope, name};
	memset(buffer, 0x5A, sizeof(*buffer));
	mcp_key key = mcp_key_make(buffer, &parts);
	assert_ptr_equal(buffer->bytes, key.wire.data);
	assert_ptr_equal(buffer->bytes + prefix.length, key.route.data);
	assert_int_equal(key.wire.length, prefix.length + key.route.length);
	assert_int_equal('\0', buffer->bytes[key.wire.length]);
	/* A key known to be safe is safe, and every key without a byte of a mark is known. */
	bool is_plain = memchr(key.wire.data, '~', key.wire.length) == NULL;
	assert_true(key.is_safe == (is_plain && mcp_key_is_safe(key.wire)));
	return key;
}

static void assert_text(const char *expected, mcp_bytes actual) {
	assert_int_equal(strlen(expected), actual.length);
	assert_memory_equal(expected, actual.data, actual.length);
}

static void assert_wire(const char *expected, mcp_key_space space, const char *name) {
	mcp_key_buffer buffer;
	mcp_key key = make(&buffer, space, mcp_bytes_none(), mcp_bytes_none(), mcp_bytes_text(name));
	assert_text(expected, key.wire);
	assert_true(mcp_key_is_safe(key.wire));
}

static bool is_mapped(mcp_key_space space, mcp_bytes scope, mcp_bytes name) {
	mcp_key_buffer buffer;
	mcp_key key = make(&buffer, space, mcp_bytes_none(), scope, name);
	for (size_t i = 0; i + 1 < key.wire.length; i++) {
		if (memcmp(key.wire.data + i, MCP_KEY_MARK, 2) == 0) {
			assert_int_equal(i + 2 + 32, key.wire.length);
			return true;
		}
	}
	return false;
}

static bool is_cache_mapped(const char *name) {
	return is_mapped(MCP_SPACE_CACHE, mcp_bytes_none(), mcp_bytes_text(name));
}

TEST(ordinary_keys_are_sent_as_they_are) {
	assert_wire("greeting", MCP_SPACE_CACHE, "greeting");
	assert_wire("greeting", MCP_SPACE_COUNTER, "greeting");
	assert_wire("lock:greeting", MCP_SPACE_LOCK, "greeting");
	assert_wire("online:greeting", MCP_SPACE_ONLINE, "greeting");
	assert_wire("seen:greeting", MCP_SPACE_SEEN, "greeting");
	assert_wire("tag:greeting", MCP_SPACE_TAG, "greeting");
	assert_wire("mark:greeting", MCP_SPACE_MARK, "greeting");
	assert_wire("log:greeting", MCP_SPACE_LOG, "greeting");
	assert_wire("set:greeting", MCP_SPACE_SET, "greeting");
	assert_wire("row:greeting", MCP_SPACE_ROW, "greeting");
	assert_wire("rate:greeting", MCP_SPACE_RATE, "greeting");
	assert_wire("semaphore:greeting", MCP_SPACE_SEMAPHORE, "greeting");
	assert_wire("unique:greeting", MCP_SPACE_UNIQUE, "greeting");
	assert_wire("sess:greeting", MCP_SPACE_SESSION, "greeting");
	assert_wire("0", MCP_SPACE_CACHE, "0");
	assert_wire("na\xC3\xAFve/\xD0\xBA\xD0\xBB\xD1\x8E\xD1\x87", MCP_SPACE_CACHE,
		"na\xC3\xAFve/\xD0\xBA\xD0\xBB\xD1\x8E\xD1\x87");
	assert_wire("a~b#c~~-##", MCP_SPACE_CACHE, "a~b#c~~-##");
}

TEST(prefix_and_scope_stand_before_the_name) {
	mcp_key_buffer buffer;
	mcp_key key = make(&buffer, MCP_SPACE_CACHE, mcp_bytes_text("app:"), mcp_bytes_text("user."),
		mcp_bytes_text("17"));
	assert_text("app:user.17", key.wire);
	assert_text("user.17", key.route);
	key = make(&buffer, MCP_SPACE_LOCK, mcp_bytes_text("app:"), mcp_bytes_none(),
		mcp_bytes_text("17"));
	assert_text("app:lock:17", key.wire);
	assert_text("lock:17", key.route);
}

TEST(the_fingerprint_is_xxh64_of_prefix_head_and_key) {
	mcp_key_buffer buffer;
	mcp_bytes none = mcp_bytes_none();
	/* hash('xxh64', ...) of "greeting", "app:greeting", "pool:hello world" and "pool:log:a b". */
	assert_true(make(&buffer, MCP_SPACE_CACHE, none, none, mcp_bytes_text("greeting"))
					.fingerprint == 0xE7C5CA42CD4BED7Full);
	assert_true(make(&buffer, MCP_SPACE_CACHE, mcp_bytes_text("app:"), mcp_bytes_text("gree"),
					mcp_bytes_text("ting"))
					.fingerprint == 0x636FE0779A486D8Dull);
	assert_true(make(&buffer, MCP_SPACE_CACHE, mcp_bytes_text("pool:"), none,
					mcp_bytes_text("hello world"))
					.fingerprint == 0xA60EC2E306665E9Dull);
	assert_true(make(&buffer, MCP_SPACE_LOG, mcp_bytes_text("pool:"), none, mcp_bytes_text("a b"))
					.fingerprint == 0x3B26125E7C337D7Aull);
	assert_true(make(&buffer, MCP_SPACE_ROW, mcp_bytes_text("pool:"), none, mcp_bytes_text("a b"))
					.fingerprint == 0);
	/* One item to memcached: who changes it must meet the other's copy. */
	assert_true(make(&buffer, MCP_SPACE_COUNTER, none, none, mcp_bytes_text("greeting"))
					.fingerprint == 0xE7C5CA42CD4BED7Full);
}

TEST(what_memcached_refuses_gets_a_readable_head_mark_and_hash) {
	/* substr(hash('sha256', "\0hello world"), 0, 32), and "\2hello world" for the lock. */
	assert_wire("hello_world~#4eccf34608d31bac5c7becf6006df590", MCP_SPACE_CACHE, "hello world");
	assert_wire("lock:hello_world~#00f0b14a2947cc380f783cafc6fe57df", MCP_SPACE_LOCK,
		"hello world");
	char hex[32];
	mcp_key_hash_hex(hex, MCP_SPACE_CACHE, mcp_bytes_text("hello"), mcp_bytes_text(" world"));
	assert_memory_equal("4eccf34608d31bac5c7becf6006df590", hex, 32);
}

TEST(every_byte_at_every_place_is_judged_alone) {
	const unsigned char neighbours[] = {'a', 0x21, 0x7d, 0x80, 0xA1, 0xFD, 0xFF};
	for (size_t n = 0; n < sizeof(neighbours); n++) {
		for (size_t length = 1; length <= 24; length++) {
			for (size_t at = 0; at < length; at++) {
				for (int byte = 0; byte < 256; byte++) {
					char name[24];
					memset(name, neighbours[n], length);
					name[at] = (char)byte;
					bool is_good = byte > 0x20 && byte != 0x7f;
					mcp_bytes bytes = mcp_bytes_of(name, length);
					assert_true(mcp_key_is_safe(bytes) == is_good);
					assert_true(mcp_key_prefix_is_valid(bytes) == is_good);
					/* At the first and the last place is enough for the slow half of it. */
					if (is_good || at == 0 || at + 1 == length) {
						assert_true(is_mapped(MCP_SPACE_CACHE, mcp_bytes_none(), bytes) ==
							!is_good);
					}
				}
			}
		}
	}
}

TEST(what_would_pass_for_another_key_is_mapped) {
	const char *const mapped[] = {"lock:a", "lock:", "online:a:1", "seen:a", "tag:a",
		"mark:", "log:a:1", "set:a", "row:a:b", "rate:s100:a", "semaphore:a:0", "unique:a:1",
		"sess:a:lock", "a_increment", "_increment", "a~#b", "~#",
		"a~#0123456789abcdef0123456789abcdef"};
	for (size_t i = 0; i < sizeof(mapped) / sizeof(*mapped); i++) {
		assert_true(is_cache_mapped(mapped[i]));
		assert_true(is_mapped(MCP_SPACE_COUNTER, mcp_bytes_none(), mcp_bytes_text(mapped[i])));
	}
	const char *const plain[] = {"lock", "Lock:a", "lock.a", "xlock:a", "online", "seen", "see:n",
		"tags:a", "marks", "login:a", "sets:a", "rows:a", "rates:a", "semaphores:a", "uniques:a",
		"_increments", "increment", "a_increment_", "a~", "#", "#~"};
	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++) {
		assert_false(is_cache_mapped(plain[i]));
	}
}

TEST(behind_a_head_only_the_mark_is_reserved) {
	assert_wire("lock:lock:a", MCP_SPACE_LOCK, "lock:a");
	assert_wire("lock:a_increment", MCP_SPACE_LOCK, "a_increment");
	assert_wire("seen:online:1", MCP_SPACE_SEEN, "online:1");
	assert_true(is_mapped(MCP_SPACE_LOCK, mcp_bytes_none(), mcp_bytes_text("a~#b")));
}

/* Scope and name are one string: where it is cut changes nothing, for reserved words least of all. */
TEST(where_scope_ends_and_name_begins_changes_nothing) {
	const char *const strings[] = {"lock:abc", "online:x", "seen:x", "abc_increment", "a~#b",
		"plain", "with space", "~#~#", "\xD0\xBA\xD0\xBB\xD1\x8E\xD1\x87 "};
	for (size_t i = 0; i < sizeof(strings) / sizeof(*strings); i++) {
		for (int space = 0; space < SPACES; space++) {
			mcp_key_buffer whole_buffer, buffer;
			mcp_bytes string = mcp_bytes_text(strings[i]), prefix = mcp_bytes_text("p:");
			mcp_key whole =
				make(&whole_buffer, (mcp_key_space)space, prefix, mcp_bytes_none(), string);
			for (size_t cut = 0; cut <= string.length; cut++) {
				mcp_key key =
					make(&buffer, (mcp_key_space)space, prefix, mcp_bytes_of(string.data, cut),
						mcp_bytes_of(string.data + cut, string.length - cut));
				assert_true(mcp_bytes_equal(whole.wire, key.wire));
				assert_true(whole.fingerprint == key.fingerprint);
			}
		}
	}
}

TEST(the_longest_plain_key_is_plain_and_one_byte_more_is_mapped) {
	const size_t longest[SPACES] = {176, 176, 176 - 5, 165 - 7, 176 - 5, 176 - 4, 176 - 5, 165 - 4,
		165 - 4, 165 - 4, 165 - 5, 165 - 10, 165 - 7, 176 - 5};
	char name[200];
	memset(name, 'x', sizeof(name));
	for (int space = 0; space < SPACES; space++) {
		mcp_bytes none = mcp_bytes_none();
		assert_false(is_mapped((mcp_key_space)space, none, mcp_bytes_of(name, longest[space])));
		assert_true(is_mapped((mcp_key_space)space, none, mcp_bytes_of(name, longest[space] + 1)));
		mcp_bytes half = mcp_bytes_of(name, 100);
		assert_false(is_mapped((mcp_key_space)space, half,
			mcp_bytes_of(name, longest[space] - 100)));
		assert_true(is_mapped((mcp_key_space)space, half, mcp_bytes_of(name, longest[space] - 99)));
	}
}

TEST(whether_a_key_is_mapped_does_not_depend_on_the_prefix) {
	char name[200], prefix[MCP_PREFIX_MAX];
	memset(name, 'x', sizeof(name));
	memset(prefix, 'p', sizeof(prefix));
	for (size_t length = 1; length <= sizeof(name); length++) {
		mcp_key_buffer bare_buffer, buffer;
		mcp_bytes bytes = mcp_bytes_of(name, length), none = mcp_bytes_none();
		mcp_key bare = make(&bare_buffer, MCP_SPACE_CACHE, none, none, bytes);
		mcp_key key =
			make(&buffer, MCP_SPACE_CACHE, mcp_bytes_of(prefix, sizeof(prefix)), none, bytes);
		assert_true(mcp_bytes_equal(bare.route, key.route));
		assert_true(mcp_key_is_safe(key.wire));
	}
}

/* Asserts where the readable head ends of a long key of ASCII bytes with one UTF-8 character in it. */
static void assert_cut(size_t at, const char *character, size_t expected) {
	char name[300];
	mcp_key_buffer buffer;
	memset(name, 'x', sizeof(name));
	memcpy(name + at, character, strlen(character));
	mcp_key key = make(&buffer, MCP_SPACE_CACHE, mcp_bytes_none(), mcp_bytes_of(name, 30),
		mcp_bytes_of(name + 30, sizeof(name) - 30));
	assert_int_equal(expected + 2 + 32, key.wire.length);
	assert_memory_equal(name, key.wire.data, expected);
	assert_memory_equal(MCP_KEY_MARK, key.wire.data + expected, 2);
}

TEST(the_readable_head_is_not_cut_inside_a_character) {
	const char *const characters[] = {"\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x90\x98"};
	assert_cut(0, "x", 60);
	for (size_t i = 0; i < 3; i++) {
		size_t width = i + 2;
		for (size_t at = 50; at < 64; at++) {
			assert_cut(at, characters[i], at < 60 && at + width > 60 ? at : 60);
		}
	}
	/* Bytes that are no UTF-8 are cut where they stand. */
	assert_cut(55, "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80", 60);
}

TEST(the_readable_head_keeps_no_bad_byte_and_no_mark) {
	assert_wire("a_b_c_d_#~~_#e~#30e31ef92b96a2e7709e2dd5a557c7e5", MCP_SPACE_CACHE,
		"a b\tc\x7F"
		"d~#~~~#e");
	assert_wire("lock:a~#4fa8f682a0e9fd4bf0a9f0c06d2f6b9f", MCP_SPACE_CACHE, "lock:a");
}

TEST(a_side_key_has_the_suffix_and_its_main_keys_route) {
	mcp_key_buffer main_buffer, buffer;
	mcp_key main_key = make(&main_buffer, MCP_SPACE_CACHE, mcp_bytes_text("app:"), mcp_bytes_none(),
		mcp_bytes_text("hits"));
	mcp_key side = mcp_key_side(&buffer, &main_key);
	assert_text("app:hits_increment", side.wire);
	assert_text("hits", side.route);
	assert_ptr_equal(buffer.bytes, side.wire.data);
	assert_ptr_equal(buffer.bytes + 4, side.route.data);
	assert_int_equal('\0', buffer.bytes[side.wire.length]);
	assert_true(side.fingerprint == main_key.fingerprint);
}

TEST(a_number_is_appended_and_routed_with) {
	mcp_key_buffer main_buffer, buffer;
	mcp_key main_key = make(&main_buffer, MCP_SPACE_ONLINE, mcp_bytes_text("app:"),
		mcp_bytes_none(), mcp_bytes_text("site"));
	mcp_key slot = mcp_key_append(&buffer, &main_key, 28333334);
	assert_text("app:online:site:28333334", slot.wire);
	assert_text("online:site:28333334", slot.route);
	assert_ptr_equal(buffer.bytes + 4, slot.route.data);
	assert_text("app:online:site:0", mcp_key_append(&buffer, &main_key, 0).wire);
	assert_text("app:online:site:18446744073709551615",
		mcp_key_append(&buffer, &main_key, UINT64_MAX).wire);
}

TEST(a_number_appended_beside_stays_on_the_keys_server) {
	mcp_key_buffer main_buffer, buffer;
	mcp_key main_key = make(&main_buffer, MCP_SPACE_LOG, mcp_bytes_text("app:"), mcp_bytes_none(),
		mcp_bytes_text("site"));
	mcp_key slot = mcp_key_append_beside(&buffer, &main_key, 28333334);
	assert_text("app:log:site:28333334", slot.wire);
	assert_text("log:site", slot.route);
	assert_ptr_equal(buffer.bytes + 4, slot.route.data);
	mcp_key nothing = {.fingerprint = 0};
	assert_int_equal(0, mcp_key_append_beside(&buffer, &nothing, 0).route.length);
}

TEST(derived_keys_of_any_length_fit) {
	char name[300], prefix[MCP_PREFIX_MAX];
	memset(name, 'x', sizeof(name));
	memset(prefix, 'p', sizeof(prefix));
	mcp_bytes longest_prefix = mcp_bytes_of(prefix, sizeof(prefix)), none = mcp_bytes_none();
	size_t longest = 0;
	for (size_t length = 1; length <= sizeof(name); length++) {
		mcp_key_buffer main_buffer, buffer;
		mcp_bytes bytes = mcp_bytes_of(name, length);
		mcp_key cached = make(&main_buffer, MCP_SPACE_CACHE, longest_prefix, none, bytes);
		assert_true(mcp_key_is_safe(mcp_key_side(&buffer, &cached).wire));
		mcp_key counted = make(&main_buffer, MCP_SPACE_ONLINE, longest_prefix, none, bytes);
		mcp_key slot = mcp_key_append(&buffer, &counted, UINT64_MAX);
		assert_true(mcp_key_is_safe(slot.wire));
		longest = slot.wire.length > longest ? slot.wire.length : longest;
	}
	assert_int_equal(MCP_WIRE_KEY_MAX, longest);
}

TEST(a_derived_key_that_does_not_fit_is_refused) {
	char bytes[MCP_WIRE_KEY_MAX];
	memset(bytes, 'x', sizeof(bytes));
	mcp_key_buffer buffer;
	mcp_bytes whole = mcp_bytes_of(bytes, sizeof(bytes));
	mcp_key full = {.wire = whole, .route = whole, .fingerprint = 1};
	assert_false(mcp_key_is_safe(mcp_key_side(&buffer, &full).wire));
	assert_false(mcp_key_is_safe(mcp_key_append(&buffer, &full, 0).wire));
	mcp_key nothing = {.fingerprint = 0};
	assert_false(mcp_key_is_safe(mcp_key_side(&buffer, &nothing).wire));
	assert_false(mcp_key_is_safe(mcp_key_append(&buffer, &nothing, 0).wire));
	full.wire.length = full.route.length = MCP_WIRE_KEY_MAX - 2;
	assert_int_equal(MCP_WIRE_KEY_MAX, mcp_key_append(&buffer, &full, 9).wire.length);
	assert_int_equal(0, mcp_key_append(&buffer, &full, 10).wire.length);
}

TEST(lengths_are_limited_to_250_and_64) {
	char bytes[MCP_WIRE_KEY_MAX + 1];
	memset(bytes, 'x', sizeof(bytes));
	assert_true(mcp_key_is_safe(mcp_bytes_of(bytes, 250)));
	assert_false(mcp_key_is_safe(mcp_bytes_of(bytes, 251)));
	assert_false(mcp_key_is_safe(mcp_bytes_none()));
	assert_true(mcp_key_prefix_is_valid(mcp_bytes_of(bytes, 64)));
	assert_false(mcp_key_prefix_is_valid(mcp_bytes_of(bytes, 65)));
	assert_true(mcp_key_prefix_is_valid(mcp_bytes_none()));
}

static void assert_head(const char *prefix, const char *head) {
	const char *found = mcp_key_head_of(mcp_bytes_text(prefix));
	if (head == NULL) {
		assert_null(found);
	} else {
		assert_string_equal(found, head);
	}
}

/* No id with something appended is another one's key. */
TEST(a_sessions_id_is_no_lock_of_another_one) {
	mcp_bytes none = mcp_bytes_none();
	assert_true(is_mapped(MCP_SPACE_SESSION, none, mcp_bytes_text("a:lock")));
	assert_true(is_mapped(MCP_SPACE_SESSION, none, mcp_bytes_text(":")));
	assert_true(is_mapped(MCP_SPACE_SESSION, none, mcp_bytes_text("a:")));
	assert_false(is_mapped(MCP_SPACE_SESSION, none, mcp_bytes_text("a,b-C9")));
	assert_false(is_mapped(MCP_SPACE_LOCK, none, mcp_bytes_text("a:lock")));
}

/* A Cache's key that begins with the head is mapped, so no head is forgotten in either place. */
TEST(heads_of_prefixes_are_those_of_keys) {
	static const char *const heads[] = {"lock:", "online:", "seen:", "tag:", "mark:", "log:",
		"set:", "row:", "rate:", "semaphore:", "unique:", "sess:"};
	assert_int_equal(sizeof(heads) / sizeof(heads[0]), MCP_SPACES - 2);
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		char longer[32], cut[32];
		snprintf(longer, sizeof(longer), "%sshop:", heads[i]);
		snprintf(cut, sizeof(cut), "%.*s", (int)strlen(heads[i]) - 1, heads[i]);
		assert_head(heads[i], heads[i]);
		assert_head(longer, heads[i]);
		assert_head(cut, NULL);
	}
	assert_head("", NULL);
	assert_head("shop:lock:", NULL);
	assert_head("Lock:", NULL);
}

TEST(a_huge_name_is_hashed_whole) {
	const size_t length = 1000000;
	char *name = malloc(length);
	assert_non_null(name);
	memset(name, 'x', length);
	mcp_key_buffer buffer_a, buffer_b;
	mcp_bytes none = mcp_bytes_none(), bytes = mcp_bytes_of(name, length);
	mcp_key a = make(&buffer_a, MCP_SPACE_CACHE, none, none, bytes);
	name[length - 1] = 'y';
	mcp_key b = make(&buffer_b, MCP_SPACE_CACHE, none, none, bytes);
	free(name);
	assert_false(mcp_bytes_equal(a.wire, b.wire));
	assert_true(a.fingerprint != b.fingerprint);
}
