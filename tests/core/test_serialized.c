/* Holds the readers of serialized bytes to texts written by hand: what is in them, and that nothing that
 * lies about itself is read. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../src/core/serialized/serialized.h"

typedef bool scanner(mcp_bytes bytes, mcp_serialized_facts *facts);

/* Scans a copy on the heap and to the byte, so that a byte more is seen. */
static bool scan_copy(scanner *scan, const void *bytes, size_t length,
	mcp_serialized_facts *facts) {
	char *copy = malloc(length + (length == 0));
	assert_non_null(copy);
	memcpy(copy, bytes, length);
	bool is_intact = scan(mcp_bytes_of(copy, length), facts);
	free(copy);
	return is_intact;
}

static bool reads(const char *text, mcp_serialized_facts *facts) {
	return scan_copy(mcp_serialized_scan, text, strlen(text), facts);
}

static bool reads_igbinary(const void *bytes, size_t length, mcp_serialized_facts *facts) {
	return scan_copy(mcp_serialized_scan_igbinary, bytes, length, facts);
}

TEST(every_kind_of_item_is_read) {
	static const char *const texts[] = {"N;", "b:1;", "i:-5;", "d:1.5E+25;", "d:-INF;", "s:0:\"\";",
		"s:3:\"\";}\";", "a:0:{}", "a:2:{i:0;N;s:1:\"}\";a:0:{}}", "a:2:{i:0;a:0:{}i:1;R:2;}"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		mcp_serialized_facts facts;
		assert_true(reads(texts[i], &facts));
		assert_false(facts.has_objects);
	}
}

TEST(objects_are_seen_wherever_they_are) {
	static const char *const texts[] = {"O:1:\"A\":0:{}", "a:1:{i:0;O:1:\"A\":1:{s:1:\"p\";N;}}",
		"E:3:\"A:B\";", "C:1:\"A\":4:{}}}{}", "a:1:{i:0;a:1:{i:0;C:1:\"A\":0:{}}}"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		mcp_serialized_facts facts;
		assert_true(reads(texts[i], &facts));
		assert_true(facts.has_objects);
	}
}

TEST(what_is_cut_or_lies_is_not_read) {
	static const char whole[] =
		"a:3:{i:0;s:3:\"a{b\";i:1;a:1:{s:1:\"k\";d:0.5;}i:2;O:1:\"A\":0:{}}";
	mcp_serialized_facts facts;
	assert_true(reads(whole, &facts));
	for (size_t length = 0; length < sizeof(whole) - 1; length++) {
		assert_false(scan_copy(mcp_serialized_scan, whole, length, &facts));
	}
	static const char *const texts[] = {"x", "}", "i:1;i:2;", "i:1;}", "a:0:{}}", "N", "n;", "N:;",
		"s:5:\"abc\";", "s:3:\"abc\"", "s:3:'abc';", "s:-1:\"\";", "s::\"\";", "a:2000000000:{}",
		"a:99999999999999999999999:{}", "a:-1:{}", "S:1:\"a\";", "a:1:[i:0;N;]", "O:1:\"A\"0:{}",
		"C:1:\"A\":5:{}", "i:1"};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		assert_false(reads(texts[i], &facts));
	}
}

TEST(depth_is_that_of_arrays_and_objects) {
	mcp_serialized_facts facts;
	assert_true(reads("i:1;", &facts));
	assert_int_equal(facts.depth, 0);
	assert_true(reads("a:2:{i:0;a:0:{}i:1;O:1:\"A\":1:{s:1:\"p\";a:0:{}}}", &facts));
	assert_int_equal(facts.depth, 3);
	assert_true(reads("s:9:\"a:0:{a:0:\";", &facts));
	assert_int_equal(facts.depth, 0);
}

/* Nests `count` of ArrayObject's old form, each around `arrays` arrays and the one before. */
static char *nest_customs(unsigned count, unsigned arrays) {
	size_t room = (size_t)count * (arrays * 11 + 64) + 16;
	char *text = malloc(room), *next = malloc(room);
	strcpy(text, "i:1;");
	for (unsigned i = 0; i < count; i++) {
		size_t body = 6 + arrays * 9 + strlen(text) + arrays + 9;
		char *at = next + sprintf(next, "C:11:\"ArrayObject\":%zu:{x:i:0;", body);
		for (unsigned j = 0; j < arrays; j++) {
			at += sprintf(at, "a:1:{i:0;");
		}
		at += sprintf(at, "%s", text);
		memset(at, '}', arrays);
		strcpy(at + arrays, ";m:a:0:{}}");
		char *swapped = text;
		text = next;
		next = swapped;
	}
	free(next);
	return text;
}

TEST(custom_formats_are_looked_into) {
	mcp_serialized_facts facts, one, two;
	char *text = nest_customs(3, 2);
	assert_true(reads(text, &facts));
	assert_int_equal(facts.depth, 9);
	free(text);
	text = nest_customs(10, 1000);
	assert_true(reads(text, &facts));
	assert_true(facts.depth > MCP_SERIALIZED_DEPTH_MAX);
	free(text);
	text = nest_customs(MCP_SERIALIZED_CUSTOMS_MAX, 1);
	assert_true(reads(text, &facts));
	assert_true(facts.depth < MCP_SERIALIZED_DEPTH_MAX);
	free(text);
	text = nest_customs(MCP_SERIALIZED_CUSTOMS_MAX + 1, 1);
	assert_true(reads(text, &facts));
	assert_true(facts.depth > MCP_SERIALIZED_DEPTH_MAX);
	free(text);
	assert_true(reads("a:1:{i:0;C:1:\"A\":15:{x:i:0;a:0:{};m:}}", &one));
	assert_true(reads("a:1:{i:0;C:1:\"A\":15:{x:i:0;a:6:{};m:}}", &two));
	assert_int_equal(one.depth, 3);
	assert_int_equal(two.memory, one.memory);
	assert_true(reads("C:1:\"A\":26:{a:20:{bbbbbbbbbbbbbbbbbbbb}", &two));
	assert_true(two.memory > one.memory);
}

TEST(a_class_may_write_anything_into_its_custom_format) {
	mcp_serialized_facts facts;
	static const char *const bodies[] = {"}}}}", "{{{{", "a:5:{", "s:3:\"", "s:99:\"a\";",
		"C:1:\"A\":9:{}", "C:1:\"A\":0:{}", "O:", "{\"a\":[1,{}]}", "", "E:3", "i:;R:;"};
	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		char text[128];
		snprintf(text, sizeof(text), "a:2:{i:0;C:1:\"A\":%zu:{%s}i:1;a:0:{}}", strlen(bodies[i]),
			bodies[i]);
		assert_true(reads(text, &facts));
		assert_true(facts.depth <= 4);
	}
}

TEST(memory_grows_with_counts_and_lengths) {
	mcp_serialized_facts few, many, text;
	assert_true(reads("a:1:{i:0;a:0:{}}", &few));
	assert_true(reads("a:2:{i:0;a:0:{}i:1;a:0:{}}", &many));
	assert_true(few.memory >= 2 * 56 + 8 * 32);
	assert_true(many.memory > few.memory + 56);
	assert_true(reads("s:100:\"0123456789012345678901234567890123456789012345678901234567890123456"
					  "789012345678901234567890123456789\";",
		&text));
	assert_true(text.memory >= 24 + 100 + 1);
}

#define HEAD "\0\0\0\2"
#define READS(bytes, facts) reads_igbinary(HEAD bytes, sizeof(HEAD bytes) - 1, facts)

TEST(igbinarys_tokens_are_read) {
	mcp_serialized_facts facts;
	/* As igbinary 3.2 writes [1, -300, 70000, 5000000000, 1.5, true, null, '', 'a', 'a', [&$x, &$x]]. */
	static const char list[] =
		"\x14\x0b\x06\0\x06\1\x06\1\x09\1\x2c\x06\2\x0a\0\1\x11\x70\x06\3\x20\0"
		"\0\0\1\x2a\5\xf2\0\x06\4\x0c\x3f\xf8\0\0\0\0\0\0\x06\5\5\x06\6\0\x06\7"
		"\x0d\x06\x08\x11\1a\x06\x09\x0e\0\x06\x0a\x14\2\x06\0\x25\x06\1\x06\1\x25"
		"\1\1";
	char block[4 + sizeof(list) - 1];
	memcpy(block, HEAD, 4);
	memcpy(block + 4, list, sizeof(list) - 1);
	assert_true(reads_igbinary(block, sizeof(block), &facts));
	assert_int_equal(facts.depth, 2);
	for (size_t length = 0; length < sizeof(block); length++) {
		assert_false(reads_igbinary(block, length, &facts));
	}
	assert_true(READS("\x14\0", &facts));
	assert_int_equal(facts.depth, 1);
}

TEST(igbinary_that_lies_is_not_read) {
	mcp_serialized_facts facts;
	assert_false(reads_igbinary("\0\0\0\3\0", 5, &facts));
	assert_false(READS("\0\0", &facts));
	assert_false(READS("\x16\xff\xff\xff\xff\x06\0\0", &facts));
	assert_false(READS("\x26\xff\xff\xff\xff\xff\xff\xff\xff", &facts));
	assert_false(READS("\x13\xff\xff\xff\xff"
					   "a",
		&facts));
	assert_false(READS("\x14\2\x06\0\0", &facts));
	assert_false(READS("\x17\x01"
					   "A",
		&facts));
	assert_false(READS("\x17\x01"
					   "A\0",
		&facts));
	assert_false(READS("\x17\x01"
					   "A\x27",
		&facts));
	assert_false(READS("\x17\x01"
					   "A\x14\1\x0d",
		&facts));
	assert_false(READS("\x17\x01"
					   "A\x1d\2x",
		&facts));
	assert_false(READS("\x1d\1x", &facts));
	assert_false(READS("\x27\x11\1x", &facts));
}

/* Keys as igbinary takes them; at anything else it frees what it still uses. */
TEST(igbinarys_keys_are_ints_and_strings) {
	mcp_serialized_facts facts;
	assert_true(READS("\x14\1\x06\1\0", &facts));
	assert_true(READS("\x14\1\x21\0\0\0\0\0\0\0\1\0", &facts));
	assert_true(READS("\x14\1\x0d\0", &facts));
	assert_true(READS("\x14\2\x11\1\x61\0\x0e\0\0", &facts));
	/* The name of a class gets a number, too; a key that is null stands alone. */
	assert_true(READS("\x17\1A\x14\1\x0e\0\0", &facts));
	assert_true(READS("\x14\2\0\0", &facts));
	assert_false(READS("\x14\1\x0e\0\0", &facts));
	assert_false(READS("\x14\2\x11\1\x61\0\x0f\0\1\0", &facts));
	assert_false(READS("\x17\1A\x14\1\x0e\1\0", &facts));
	assert_false(READS("\x14\1\x0c\0\0\0\0\0\0\0\0\0", &facts));
	assert_false(READS("\x14\1\5\0", &facts));
	assert_false(READS("\x14\1\x14\0\0", &facts));
	assert_false(READS("\x14\1\x17\1A\x14\0\0", &facts));
	assert_false(READS("\x14\1\x25\x06\0\0", &facts));
	assert_false(READS("\x17\1A\x14\1\1\0\0", &facts));
}

/* As igbinary 3.2 writes them. */
TEST(igbinarys_objects_are_read) {
	mcp_serialized_facts facts;
	assert_true(READS("\x17\x08stdClass\x14\0", &facts));
	assert_true(facts.has_objects && !facts.has_enums && facts.depth == 1);
	assert_true(READS("\x14\1\x06\0\x25\x22\1", &facts));
	assert_true(facts.has_objects);
	/* [new P, new P] */
	assert_true(READS("\x14\2\x06\0\x17\1P\x14\1\x11\1x\x06\1\x06\1\x1a\0\x14\1\x0e\1\x06\1",
		&facts));
	assert_int_equal(facts.depth, 2);
	/* A Serializable, and cases of an enum, the second by the number of its class. */
	assert_true(READS("\x17\1L\x1d\3xyz", &facts));
	assert_true(facts.has_objects && !facts.has_enums);
	assert_true(READS("\x14\2\x06\0\x17\1E\x27\x11\1X\x06\1\x1a\0\x27\x0e\1", &facts));
	assert_true(facts.has_enums && facts.depth == 1);
	/* Numbers of names that were not written: a class, and a case. */
	assert_false(READS("\x1a\0\x14\0", &facts));
	assert_false(READS("\x14\2\x06\0\x17\1P\x14\0\x06\1\x1a\1\x14\0", &facts));
	assert_false(READS("\x17\1E\x27\x0e\1", &facts));
}

/* Such bytes may be given to a reader as they lie in another's buffer. */
TEST(igbinary_that_runs_no_code_is_told) {
	mcp_serialized_facts facts;
	assert_true(READS("\x14\2\x11\1x\x0c\0\0\0\0\0\0\0\0\x06\1\x0e\0", &facts));
	assert_true(facts.is_inert);
	assert_true(READS("\x17\x08stdClass\x14\0", &facts));
	assert_false(facts.is_inert);
	assert_true(READS("\x14\1\x06\0\x25\x06\1", &facts));
	assert_false(facts.is_inert);
	assert_true(READS("\x14\1\x06\0\x01\0", &facts));
	assert_false(facts.is_inert);
	/* Numbers of strings that were not written, of which igbinary warns. */
	assert_false(READS("\x14\1\x06\0\x0e\0", &facts));
	assert_false(facts.is_inert);
	assert_false(READS("\x14\2\x06\0\x06\1", &facts));
	assert_false(facts.is_inert);
}

/* [1, -300, 70000, 5000000000, 1.5, true, nil, "", "a", {"k": [], 7: {}}] */
static const char packed[] = "\x9a\1\xd1\xfe\xd4\xce\0\1\x11\x70\xcf\0\0\0\1\x2a\5\xf2\0\xcb\x3f"
							 "\xf8\0\0\0\0\0\0\xc3\xc0\xa0\xa1"
							 "a\x82\xa1k\x90\7\x80";

#define PACKED(bytes, facts) scan_copy(mcp_serialized_scan_msgpack, bytes, sizeof(bytes) - 1, facts)

TEST(messagepacks_types_are_read) {
	mcp_serialized_facts facts;
	assert_true(PACKED(packed, &facts));
	assert_int_equal(facts.depth, 3);
	assert_false(facts.has_objects);
	for (size_t length = 0; length < sizeof(packed) - 1; length++) {
		assert_false(scan_copy(mcp_serialized_scan_msgpack, packed, length, &facts));
	}
	assert_false(scan_copy(mcp_serialized_scan_msgpack, packed, sizeof(packed), &facts));
	assert_true(PACKED("\xdc\0\1\xd9\1x", &facts));
	assert_true(PACKED("\xdf\0\0\0\1\xda\0\1x\xe0", &facts));
	assert_true(PACKED("\xdd\0\0\0\2\xdb\0\0\0\1x\xca\0\0\0\0", &facts));
}

TEST(messagepack_that_lies_or_holds_objects_is_not_read) {
	mcp_serialized_facts facts;
	assert_false(PACKED("\x81\xc0\xa1"
						"A",
		&facts));
	assert_true(facts.has_objects);
	assert_false(PACKED("\x81\x90\1", &facts));
	assert_false(PACKED("\xc1", &facts));
	assert_false(PACKED("\xd4\1\1", &facts));
	assert_false(PACKED("\xc4\1x", &facts));
	assert_false(PACKED("\xdd\xff\xff\xff\xff\1", &facts));
	assert_false(PACKED("\xdf\xff\xff\xff\xff\1\1", &facts));
	assert_false(PACKED("\xdb\xff\xff\xff\xffx", &facts));
	for (size_t depth = MCP_SERIALIZED_MSGPACK_DEPTH_MAX;
		 depth <= MCP_SERIALIZED_MSGPACK_DEPTH_MAX + 1; depth++) {
		char block[MCP_SERIALIZED_MSGPACK_DEPTH_MAX + 2];
		memset(block, '\x91', depth);
		block[depth] = '\1';
		assert_int_equal(scan_copy(mcp_serialized_scan_msgpack, block, depth + 1, &facts),
			depth <= MCP_SERIALIZED_MSGPACK_DEPTH_MAX);
	}
}

TEST(jsons_arrays_and_strings_are_counted) {
	mcp_serialized_facts one, many, text;
	assert_true(scan_copy(mcp_serialized_scan_json, "[[],[1,2]]", 10, &one));
	assert_int_equal(one.depth, 2);
	assert_true(scan_copy(mcp_serialized_scan_json, "[[],[],[1,2,3,4]]", 17, &many));
	assert_true(many.memory > one.memory + 56);
	assert_true(scan_copy(mcp_serialized_scan_json, "\"[[\\\"[\"", 8, &text));
	assert_int_equal(text.depth, 0);
	assert_true(scan_copy(mcp_serialized_scan_json, "]]\"\\", 4, &text));
	assert_false(scan_copy(mcp_serialized_scan_json, "", 0, &text));
}

/* Bytes that a reader is spared from scanning hold no more than that. */
TEST(memory_is_bounded_by_length) {
	char greedy[4096];
	size_t length = 0;
	while (length + 300 < sizeof(greedy)) {
		size_t left = sizeof(greedy) - length - 330;
		length += (size_t)snprintf(greedy + length, 20, "a:%zu:{i:0;", left);
	}
	mcp_serialized_facts facts;
	mcp_serialized_scan(mcp_bytes_of(greedy, length), &facts);
	assert_true(facts.memory > 1000000);
	assert_true(facts.memory <= mcp_serialized_memory_max(length));
	memset(greedy, '[', sizeof(greedy));
	mcp_serialized_scan_json(mcp_bytes_of(greedy, sizeof(greedy)), &facts);
	assert_true(facts.memory <= mcp_serialized_memory_max_json(sizeof(greedy)));
	assert_true(mcp_serialized_memory_max(1u << 24) == SIZE_MAX);
}

/* One array in the other: depth 4096 is read and no deeper one. */
TEST(igbinary_is_read_to_the_depth_that_is_allowed) {
	for (size_t depth = MCP_SERIALIZED_DEPTH_MAX; depth <= MCP_SERIALIZED_DEPTH_MAX + 1; depth++) {
		size_t length = 4 + 4 * depth + 1;
		char *block = malloc(length);
		assert_non_null(block);
		memcpy(block, HEAD, 4);
		for (size_t i = 0; i < depth; i++) {
			memcpy(block + 4 + 4 * i, "\x14\1\x06\0", 4);
		}
		block[length - 1] = 0;
		mcp_serialized_facts facts;
		assert_int_equal(reads_igbinary(block, length, &facts), depth == MCP_SERIALIZED_DEPTH_MAX);
		free(block);
	}
}
