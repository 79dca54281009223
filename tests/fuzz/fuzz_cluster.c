/* Feeds the reader of discovery endpoints' answers arbitrary bytes, and damage to right answers. A list that it takes must
 * fit, hold printable bytes alone and as many servers as it says, and come back from a board as it was. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "../../src/core/discovery/registry.h"

static bool may_stand_in_a_list(char byte) {
	return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
		(byte >= 'A' && byte <= 'Z') || (byte != '\0' && strchr(".-_:,[]", byte) != NULL);
}

static void require_sense(const mcp_cluster *cluster) {
	size_t servers = 1;
	require(cluster->length > 0 && cluster->length <= MCP_CLUSTER_TEXT_MAX);
	for (size_t i = 0; i < cluster->length; i++) {
		require(may_stand_in_a_list(cluster->text[i]));
		servers += cluster->text[i] == ',';
	}
	require(servers == cluster->servers);
}

static void require_kept(const mcp_cluster *cluster) {
	static mcp_discovery_registry board;
	static mcp_discovery_registry_list list, found;
	static uint64_t now_ms;
	uint64_t edition;
	mcp_discovery_registry_record *record =
		mcp_discovery_registry_find(&board, (const uint64_t[]){1, 1});
	uint64_t claim = mcp_discovery_registry_turn(record);
	now_ms += MCP_BOARD_MINUTE_MS;
	list.cluster = *cluster;
	require(mcp_discovery_registry_claim(record, now_ms, MCP_BOARD_MINUTE_MS, &claim));
	require(mcp_discovery_registry_write(record, &claim, &list));
	require(mcp_discovery_registry_read(record, &found, &edition));
	const mcp_cluster *back = &found.cluster;
	require(back->version == cluster->version && back->servers == cluster->servers &&
		back->length == cluster->length);
	require(memcmp(back->text, cluster->text, cluster->length) == 0);
}

/* Reads out of a heap block of exactly that length: a sanitizer sees every byte read beyond it. */
static void read_all(const uint8_t *data, size_t size) {
	static mcp_cluster cluster;
	char *copy = malloc(size > 0 ? size : 1);
	require(copy != NULL);
	if (size > 0) {
		memcpy(copy, data, size);
	}
	if (mcp_cluster_read(mcp_bytes_of(copy, size), &cluster) == MCP_CLUSTER_RIGHT) {
		require_sense(&cluster);
		require_kept(&cluster);
	}
	free(copy);
}

static const char *const right[] =
	{"12\nmy.0001.use1.cache.amazonaws.com|10.82.235.120|11211 my.0002.com|10.80.249.27|11212\n",
		"3\n10.0.0.3|10.0.0.3|11211 10.0.0.4|10.0.0.4|11211\n",
		"0\r\n|2001:db8::1|65535 name||1\r\n"};

/* Reads a right answer, of which a few bytes are others: each pair of the input is a place and a byte. */
static void read_damaged(const uint8_t *data, size_t size) {
	char damaged[128] = {0};
	const char *text = right[data[0] % (sizeof(right) / sizeof(*right))];
	size_t length = strlen(text);
	memcpy(damaged, text, length);
	for (size_t i = 2; i + 1 < size && i < 8; i += 2) {
		damaged[data[i] % length] = (char)data[i + 1];
	}
	read_all((const uint8_t *)damaged, length - data[1] % length);
}

/* Looks at a record that may hold anything. */
static void read_as_a_record(const uint8_t *data, size_t size) {
	static mcp_discovery_registry_record record;
	static mcp_discovery_registry_list list;
	uint64_t edition;
	memset((void *)&record, 0, sizeof(record));
	memcpy((void *)&record, data, size < sizeof(record) ? size : sizeof(record));
	if (mcp_discovery_registry_read(&record, &list, &edition)) {
		require(list.cluster.length <= MCP_CLUSTER_TEXT_MAX);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	read_all(data, size);
	read_as_a_record(data, size);
	if (size >= 2) {
		read_damaged(data, size);
	}
	return 0;
}
