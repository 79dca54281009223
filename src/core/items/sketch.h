/* The item of one slot's different visitors: a header, the registers where they have been written out, and behind them
 * one pair for each time that a register was raised since. docs/spec/storage.md has the format. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_SKETCH_H
#define MCP_CORE_SKETCH_H

#include "../bytes.h"
#include "hyperloglog.h"

#define MCP_SKETCH_HEAD_LENGTH 4
#define MCP_SKETCH_PAIR_LENGTH 3
#define MCP_SKETCH_DENSE_MAX (MCP_HYPERLOGLOG_REGISTERS_MAX / 4 * 3)
#define MCP_SKETCH_WRITTEN_MAX (MCP_SKETCH_HEAD_LENGTH + MCP_SKETCH_DENSE_MAX)

/* Writes the head of an item that begins with pairs. */
void mcp_sketch_write_head(char head[MCP_SKETCH_HEAD_LENGTH], unsigned precision);

/* Writes the pair, with the precision that it was made for: an append does not look at the header. */
void mcp_sketch_write_pair(char pair[MCP_SKETCH_PAIR_LENGTH], mcp_hyperloglog_place place,
	unsigned precision);

/* Writes header and registers, six bits each. Returns the length. */
size_t mcp_sketch_write(char out[MCP_SKETCH_WRITTEN_MAX], const uint8_t *registers,
	unsigned precision);

/* Raises the registers by what stands in an item. Pairs of another precision are left out. False, and nothing
 * changed: it is no sketch, or one of another precision. *tail_length: how many bytes of pairs there were. */
bool mcp_sketch_fold(mcp_bytes item, unsigned precision, uint8_t *registers, size_t *tail_length);

#endif
