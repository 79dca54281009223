/* Holds the reader of nameservers' replies to RFC 1035 and RFC 2782, byte by byte, and to nothing that is almost a reply:
 * G7.1, G7.5, G7.6. */
/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "../../src/store/wire/dns.h"

enum { ROOM = 32768 };

static mcp_cluster cluster;
static mcp_dns_question asked;
static char reply[ROOM];
static size_t length;

static void put(const char *bytes, size_t count) {
	assert_true(count <= sizeof(reply) - length);
	memcpy(reply + length, bytes, count);
	length += count;
}

#define PUT(bytes) put(bytes, sizeof(bytes) - 1)

static void ask(mcp_dns_type type, const char *name) {
	asked = (mcp_dns_question){.type = type, .id = 0xabcd, .port = 11211};
	snprintf(asked.name, sizeof(asked.name), "%s", name);
	length = mcp_dns_write(&asked, reply);
	assert_true(length > 0);
	reply[2] = (char)0x81;
	reply[3] = (char)0x80;
}

static void record(const char *owner, size_t owner_length, mcp_dns_type type, const char *data,
	size_t count) {
	char head[] = {0, (char)type, 0, 1, 0, 0, 0, 5, (char)(count >> 8), (char)count};
	put(owner, owner_length);
	put(head, sizeof(head));
	put(data, count);
	unsigned records = ((unsigned char)reply[6] << 8 | (unsigned char)reply[7]) + 1u;
	reply[6] = (char)(records >> 8);
	reply[7] = (char)records;
}

#define RECORD(type, data) record("\xc0\x0c", 2, type, data, sizeof(data) - 1)
#define RECORD_OF(owner, type, data) record(owner, sizeof(owner) - 1, type, data, sizeof(data) - 1)

static mcp_dns_verdict read_reply(void) {
	return mcp_dns_read(&asked, mcp_bytes_of(reply, length), &cluster);
}

static void assert_list(size_t servers, const char *list) {
	assert_int_equal(MCP_DNS_FOUND, read_reply());
	assert_int_equal(servers, cluster.servers);
	assert_int_equal(strlen(list), cluster.length);
	assert_memory_equal(list, cluster.text, cluster.length);
}

static void a_query_is_as_the_standard_says(void **state) {
	(void)state;
	char query[MCP_DNS_QUERY_MAX];
	asked = (mcp_dns_question){.name = "a.bc", .type = MCP_DNS_SRV, .id = 0x1234};
	static const char right[] = "\x12\x34\1\0\0\1\0\0\0\0\0\0\1a\2bc\0\0\x21\0\1";
	assert_int_equal(sizeof(right) - 1, mcp_dns_write(&asked, query));
	assert_memory_equal(right, query, sizeof(right) - 1);
}

static void a_name_has_labels_of_1_to_63_bytes(void **state) {
	(void)state;
	char query[MCP_DNS_QUERY_MAX];
	static const char *const wrong[] = {"", ".", "a.", ".a", "a..b"};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		snprintf(asked.name, sizeof(asked.name), "%s", wrong[i]);
		assert_int_equal(0, mcp_dns_write(&asked, query));
	}
	snprintf(asked.name, sizeof(asked.name), "%064d", 1);
	assert_int_equal(0, mcp_dns_write(&asked, query));
	assert_int_equal(12 + 65 + 4,
		(snprintf(asked.name, sizeof(asked.name), "%063d", 1), mcp_dns_write(&asked, query)));
	snprintf(asked.name, sizeof(asked.name), "%063d.%063d.%063d.%061d", 1, 1, 1, 1);
	assert_int_equal(MCP_DNS_QUERY_MAX, mcp_dns_write(&asked, query));
}

static void addresses_are_sorted_and_single(void **state) {
	(void)state;
	ask(MCP_DNS_A, "cache.test");
	RECORD(MCP_DNS_A, "\x0a\0\0\x02");
	RECORD(MCP_DNS_A, "\x0a\0\0\x0a");
	RECORD(MCP_DNS_A, "\x0a\0\0\x02");
	RECORD(MCP_DNS_A, "\x0a\0\0\x01");
	assert_list(3, "10.0.0.10:11211,10.0.0.1:11211,10.0.0.2:11211");
}

static void ipv6_stands_in_brackets(void **state) {
	(void)state;
	ask(MCP_DNS_AAAA, "cache.test");
	RECORD(MCP_DNS_AAAA, "\x20\1\x0d\xb8\0\0\0\0\0\0\0\0\0\0\0\1");
	assert_list(1, "[2001:db8::1]:11211");
}

static void services_of_the_lowest_number_count(void **state) {
	(void)state;
	ask(MCP_DNS_SRV, "cache.test");
	RECORD(MCP_DNS_SRV, "\0\5\0\1\0\1\1d\0");
	RECORD(MCP_DNS_SRV, "\0\4\0\1\x2b\xcb\1B\xc0\x0c");
	RECORD(MCP_DNS_SRV, "\0\5\0\1\0\1\1e\0");
	RECORD(MCP_DNS_SRV, "\0\4\xff\xff\0\1\1a\0");
	assert_list(2, "a:1,b.cache.test:11211");
}

static void the_root_is_no_server(void **state) {
	(void)state;
	ask(MCP_DNS_SRV, "cache.test");
	RECORD(MCP_DNS_SRV, "\0\0\0\0\0\0\0");
	assert_int_equal(MCP_DNS_EMPTY, read_reply());
}

static void an_alias_is_followed(void **state) {
	(void)state;
	ask(MCP_DNS_A, "cache.test");
	RECORD(MCP_DNS_CNAME, "\1b\xc0\x0c");
	RECORD_OF("\1B\5cache\4test\0", MCP_DNS_CNAME, "\1c\0");
	RECORD_OF("\1c\0", MCP_DNS_A, "\x0a\0\0\1");
	RECORD(MCP_DNS_A, "\x0a\0\0\2");
	RECORD_OF("\1d\0", MCP_DNS_A, "\x0a\0\0\3");
	assert_list(1, "10.0.0.1:11211");
}

static void others_records_are_none(void **state) {
	(void)state;
	ask(MCP_DNS_A, "cache.test");
	RECORD(MCP_DNS_AAAA, "\0");
	RECORD_OF("\1d\0", MCP_DNS_A, "\x0a\0\0\3");
	assert_int_equal(MCP_DNS_EMPTY, read_reply());
}

static void another_question_s_reply_is_foreign(void **state) {
	(void)state;
	static const struct {
		size_t place;
		char byte;
	} damages[] = {
		{0, 0},
		{1, 0},
		{2, 1},
		{2, (char)0x89},
		{4, 1},
		{5, 0},
		{5, 2},
		{12, 6},
		{13, 'b'},
		{24, 1},
		{25, 28},
		{27, 3},
	};
	ask(MCP_DNS_A, "cache.test");
	assert_int_equal(MCP_DNS_EMPTY, read_reply());
	for (size_t i = 0; i < sizeof(damages) / sizeof(*damages); i++) {
		ask(MCP_DNS_A, "cache.test");
		RECORD(MCP_DNS_A, "\x0a\0\0\1");
		reply[damages[i].place] = damages[i].byte;
		assert_int_equal(MCP_DNS_FOREIGN, read_reply());
	}
	ask(MCP_DNS_A, "cache.test");
	for (size_t whole = length; length > 0; length--) {
		assert_int_equal(length == whole ? MCP_DNS_EMPTY : MCP_DNS_FOREIGN, read_reply());
	}
}

static void a_question_has_no_case(void **state) {
	(void)state;
	ask(MCP_DNS_A, "cache.test");
	RECORD(MCP_DNS_A, "\x0a\0\0\1");
	reply[14] = 'A';
	assert_list(1, "10.0.0.1:11211");
}

static void errors_and_truncation_are_told(void **state) {
	(void)state;
	ask(MCP_DNS_A, "cache.test");
	RECORD(MCP_DNS_A, "\x0a\0\0\1");
	reply[3] = (char)0x82;
	assert_int_equal(MCP_DNS_CODE + 2, read_reply());
	reply[3] = (char)0x83;
	assert_int_equal(MCP_DNS_NO_NAME, read_reply());
	reply[3] = (char)0x80;
	reply[2] = (char)0x83;
	assert_int_equal(MCP_DNS_TRUNCATED, read_reply());
}

/* Cut anywhere in its records, a reply is wrong. */
static void a_cut_reply_is_wrong(void **state) {
	(void)state;
	ask(MCP_DNS_SRV, "cache.test");
	size_t head = length;
	RECORD(MCP_DNS_SRV, "\0\4\0\1\x2b\xcb\1B\xc0\x0c");
	for (length--; length >= head; length--) {
		assert_int_equal(MCP_DNS_WRONG, read_reply());
	}
}

static void wrong_records_are_wrong(void **state) {
	(void)state;
	struct {
		mcp_dns_type type;
		const char *data;
		size_t length;
	} wrong[] = {
		{MCP_DNS_A, "\x0a\0\0", 3},
		{MCP_DNS_A, "\x0a\0\0\1\1", 5},
		{MCP_DNS_AAAA, "\x0a\0\0\1", 4},
		{MCP_DNS_SRV, "\0\0\0\0\0", 5},
		{MCP_DNS_SRV, "\0\0\0\0\0\1\1a\0\0", 10},
		{MCP_DNS_SRV, "\0\0\0\0\0\1\1,\0", 9},
		{MCP_DNS_SRV, "\0\0\0\0\0\1\1.\0", 9},
		{MCP_DNS_SRV, "\0\0\0\0\0\1\1\0\0", 9},
		{MCP_DNS_SRV, "\0\0\0\0\0\1\1:\0", 9},
		{MCP_DNS_SRV, "\0\0\0\0\0\1\1a", 8},
		{MCP_DNS_SRV, "\0\0\0\0\0\0\1a\0", 9},
		{MCP_DNS_SRV, "\0\0\0\0\0\1\xc0\x2e", 8},
		{MCP_DNS_SRV, "\0\0\0\0\0\1\xff\xff", 8},
		{MCP_DNS_SRV, "\0\0\0\0\0\1\1a\xc0\x2e", 10},
		{MCP_DNS_SRV, "\0\0\0\0\0\1\x80\x0c", 8},
		{MCP_DNS_SRV, "\0\0\0\0\0\1\x40\x0c", 8},
		{MCP_DNS_CNAME, "\xc0\x28", 2},
	};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		ask(wrong[i].type == MCP_DNS_CNAME ? MCP_DNS_A : wrong[i].type, "cache.test");
		record("\xc0\x0c", 2, wrong[i].type, wrong[i].data, wrong[i].length);
		assert_int_equal(MCP_DNS_WRONG, read_reply());
	}
}

/* Two names that point to each other, and a name that grows by each pointer to more than a name may have. */
static void pointers_lead_back_only(void **state) {
	(void)state;
	ask(MCP_DNS_A, "cache.test");
	RECORD_OF("\xc0\x1e", MCP_DNS_A, "\xc0\x1c\0\0");
	assert_int_equal(MCP_DNS_WRONG, read_reply());
	ask(MCP_DNS_A, "cache.test");
	size_t before = 12;
	for (int i = 0; i < 60; i++) {
		char owner[] = {4, 'a', 'b', 'c', 'd', (char)(0xc0 | before >> 8), (char)before};
		before = length;
		record(owner, sizeof(owner), MCP_DNS_A, "\x0a\0\0\1", 4);
		assert_int_equal(i < 48 ? MCP_DNS_EMPTY : MCP_DNS_WRONG, read_reply());
	}
}

static void more_than_there_is_room_for_is_too_long(void **state) {
	(void)state;
	ask(MCP_DNS_A, "cache.test");
	mcp_dns_verdict verdict = MCP_DNS_EMPTY;
	size_t servers = 0;
	for (; verdict != MCP_DNS_TOO_LONG && servers < 1000; servers++) {
		char data[] = {100, 100, (char)(100 + servers / 100), (char)(100 + servers % 100)};
		record("\xc0\x0c", 2, MCP_DNS_A, data, sizeof(data));
		verdict = read_reply();
	}
	/* 22 bytes each */
	assert_int_equal(MCP_CLUSTER_TEXT_MAX / 22 + 1, servers);
}

int main(void) {
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_query_is_as_the_standard_says),
		cmocka_unit_test(a_name_has_labels_of_1_to_63_bytes),
		cmocka_unit_test(addresses_are_sorted_and_single),
		cmocka_unit_test(ipv6_stands_in_brackets),
		cmocka_unit_test(services_of_the_lowest_number_count),
		cmocka_unit_test(the_root_is_no_server),
		cmocka_unit_test(an_alias_is_followed),
		cmocka_unit_test(others_records_are_none),
		cmocka_unit_test(another_question_s_reply_is_foreign),
		cmocka_unit_test(a_question_has_no_case),
		cmocka_unit_test(errors_and_truncation_are_told),
		cmocka_unit_test(a_cut_reply_is_wrong),
		cmocka_unit_test(wrong_records_are_wrong),
		cmocka_unit_test(pointers_lead_back_only),
		cmocka_unit_test(more_than_there_is_room_for_is_too_long),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
