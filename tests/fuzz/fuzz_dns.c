/* Feeds the reader of nameservers' replies arbitrary bytes, and damage to right replies. A list that it takes must be
 * sorted, without a server twice, of printable bytes alone, and as many servers as it says. */
/* SPDX-License-Identifier: MIT */
#include "../../src/store/wire/dns.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true) {
	if (!is_true) {
		abort();
	}
}

static bool may_stand_in_a_list(char byte) {
	return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
		(byte != '\0' && strchr(".-_:[]", byte) != NULL);
}

static void require_sense(const mcp_cluster *cluster) {
	mcp_bytes server, before = mcp_bytes_none(),
					  rest = mcp_bytes_of(cluster->text, cluster->length);
	size_t servers = 0;
	require(cluster->length > 0 && cluster->length <= MCP_CLUSTER_TEXT_MAX);
	require(cluster->text[cluster->length - 1] != ',');
	while (rest.length > 0) {
		mcp_bytes_take_until(&rest, ',', &server);
		require(server.length > 2);
		for (size_t i = 0; i < server.length; i++) {
			require(may_stand_in_a_list(server.data[i]));
		}
		size_t common = before.length < server.length ? before.length : server.length;
		int order = common > 0 ? memcmp(before.data, server.data, common) : -1;
		require(order < 0 || (order == 0 && before.length < server.length));
		before = server;
		servers++;
	}
	require(servers == cluster->servers);
}

static const mcp_dns_question questions[] = {
	{.name = "a.test", .type = MCP_DNS_A, .id = 0x4142, .port = 11211},
	{.name = "a.test", .type = MCP_DNS_AAAA, .id = 0x4142, .port = 11211},
	{.name = "a.test", .type = MCP_DNS_SRV, .id = 0x4142},
};

/* Reads out of a heap block of exactly that length: a sanitizer sees every byte read beyond it. */
static mcp_dns_verdict read_all(const mcp_dns_question *asked, const uint8_t *data, size_t size) {
	static mcp_cluster cluster;
	char *copy = malloc(size > 0 ? size : 1);
	require(copy != NULL);
	if (size > 0) {
		memcpy(copy, data, size);
	}
	mcp_dns_verdict verdict = mcp_dns_read(asked, mcp_bytes_of(copy, size), &cluster);
	require(verdict <= MCP_DNS_CODE + 15 && verdict != MCP_DNS_SILENT && verdict != MCP_DNS_BROKEN);
	if (verdict == MCP_DNS_FOUND) {
		require_sense(&cluster);
	}
	free(copy);
	return verdict;
}

/* An answer to each question, up to the records. */
static size_t begin(const mcp_dns_question *asked, uint8_t *reply) {
	size_t length = mcp_dns_write(asked, (char *)reply);
	reply[2] = 0x81;
	reply[3] = 0x80;
	reply[7] = 3;
	return length;
}

#define OWNER 0xc0, 12
#define HEAD(type, length) 0, type, 0, 1, 0, 0, 0, 5, 0, length

static const uint8_t records[][72] = {
	{OWNER, HEAD(5, 4), 1, 'b', 0xc0, 14, 0xc0, 36, HEAD(1, 4), 10, 0, 0, 1, 0xc0, 36, HEAD(1, 4),
		9, 0, 0, 1},
	{OWNER, HEAD(28, 16), 0x20, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, OWNER, HEAD(28, 16),
		0xfd, [45] = 1},
	{OWNER, HEAD(33, 10), 0, 1, 0, 9, 0x2b, 0xcb, 1, 'P', OWNER, OWNER, HEAD(33, 9), 0, 0, 0, 9, 0,
		1, 1, 'c', 0},
};

/* Reads a right reply, of which a few bytes are others: each pair of the input is a place and a byte. */
static void read_damaged(const uint8_t *data, size_t size) {
	size_t kind = data[0] % (sizeof(questions) / sizeof(*questions));
	uint8_t damaged[MCP_DNS_QUERY_MAX + sizeof(records[0])] = {0};
	size_t head = begin(&questions[kind], damaged), length = head + sizeof(records[0]);
	memcpy(damaged + head, records[kind], sizeof(records[0]));
	require(read_all(&questions[kind], damaged, length) == MCP_DNS_FOUND);
	for (size_t i = 2; i + 1 < size && i < 12; i += 2) {
		damaged[data[i] % length] = data[i + 1];
	}
	read_all(&questions[kind], damaged, length - data[1] % length);
}

/* Reads arbitrary records after a right head. */
static void read_records(const uint8_t *data, size_t size) {
	const mcp_dns_question *asked = &questions[data[0] % (sizeof(questions) / sizeof(*questions))];
	size_t rest = size - 1 < 4096 ? size - 1 : 4096;
	static uint8_t reply[MCP_DNS_QUERY_MAX + 4096];
	size_t head = begin(asked, reply);
	reply[6] = 0xff;
	memcpy(reply + head, data + 1, rest);
	read_all(asked, reply, head + rest);
}

/* A name of any bytes is refused, or gives a query that is no reply. */
static void write_all(const uint8_t *data, size_t size) {
	mcp_dns_question asked = {.type = MCP_DNS_A};
	char query[MCP_DNS_QUERY_MAX];
	size_t length = size < MCP_DNS_NAME_MAX ? size : MCP_DNS_NAME_MAX;
	memcpy(asked.name, data, length);
	size_t written = mcp_dns_write(&asked, query);
	require(written <= sizeof(query) && (written == 0 || written == strlen(asked.name) + 18));
	read_all(&asked, (const uint8_t *)query, written);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	for (size_t i = 0; i < sizeof(questions) / sizeof(*questions); i++) {
		read_all(&questions[i], data, size);
	}
	if (size >= 2) {
		read_damaged(data, size);
		read_records(data, size);
		write_all(data, size);
	}
	return 0;
}
