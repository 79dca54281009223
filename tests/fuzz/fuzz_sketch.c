/* Reads any bytes as a slot's item of unique visitors: no read past their end, no rank that the precision has not, and
 * nothing changed by what is refused. */
/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include "../../src/core/items/sketch.h"

static void require_ranks(const uint8_t *registers, unsigned precision) {
	for (size_t i = 0; i < MCP_HYPERLOGLOG_REGISTERS_MAX; i++) {
		bool is_ours = i < mcp_hyperloglog_registers(precision);
		require(registers[i] <= (is_ours ? mcp_hyperloglog_rank_max(precision) : 0));
	}
}

/* Writes what was read, and reads it again. */
static void write_and_read(const uint8_t *registers, unsigned precision) {
	char written[MCP_SKETCH_WRITTEN_MAX];
	uint8_t again[MCP_HYPERLOGLOG_REGISTERS_MAX] = {0};
	size_t tail_length;
	size_t length = mcp_sketch_write(written, registers, precision);
	require(mcp_sketch_fold(mcp_bytes_of(written, length), precision, again, &tail_length));
	require(memcmp(again, registers, sizeof(again)) == 0);
	(void)mcp_hyperloglog_estimate(registers, precision);
}

/* Reads from a heap block of exactly the item's length: a sanitizer sees every byte read beyond it. */
static void read_item(mcp_bytes before, const uint8_t *bytes, size_t size, unsigned precision) {
	static const uint8_t none[MCP_HYPERLOGLOG_REGISTERS_MAX];
	uint8_t registers[MCP_HYPERLOGLOG_REGISTERS_MAX] = {0};
	size_t length = before.length + size;
	size_t tail_length = 0;
	char *item = malloc(length > 0 ? length : 1);
	require(item != NULL);
	if (before.length > 0) {
		memcpy(item, before.data, before.length);
	}
	if (size > 0) {
		memcpy(item + before.length, bytes, size);
	}
	if (mcp_sketch_fold(mcp_bytes_of(item, length), precision, registers, &tail_length)) {
		require(tail_length <= length);
		require_ranks(registers, precision);
		write_and_read(registers, precision);
	} else {
		require(memcmp(registers, none, sizeof(none)) == 0);
	}
	free(item);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	unsigned precision = MCP_HYPERLOGLOG_PRECISION_MIN + (size > 0 ? data[0] % 11 : 0);
	char head[MCP_SKETCH_HEAD_LENGTH];
	mcp_sketch_write_head(head, precision);
	read_item(mcp_bytes_none(), data, size, precision);
	read_item(mcp_bytes_of(head, sizeof(head)), data, size, precision);
	head[MCP_SKETCH_HEAD_LENGTH - 1] = 1;
	read_item(mcp_bytes_of(head, sizeof(head)), data, size, precision);
	return 0;
}
