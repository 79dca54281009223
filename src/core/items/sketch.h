/* The item of one slot's different visitors: a header, the registers where they have been written out, and behind them
 * one pair for each time that a register was raised since. docs/spec/storage.md has the format. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_ITEMS_SKETCH_H
#define MCP_CORE_ITEMS_SKETCH_H

#include "../bytes.h"

#include <stddef.h>
#include <stdint.h>

/* How many different things there were, from 2^precision small registers instead of the things: HyperLogLog (Flajolet,
 * Fusy, Gandouet and Meunier 2007) with the estimator of O. Ertl ("New cardinality estimation algorithms for HyperLogLog
 * sketches", 2017), which needs no tables of its bias and counts small numbers as well as large ones. */

#define MCP_HYPERLOGLOG_PRECISION_MIN 4
#define MCP_HYPERLOGLOG_PRECISION_MAX 14
#define MCP_HYPERLOGLOG_REGISTERS_MAX (1u << MCP_HYPERLOGLOG_PRECISION_MAX)

/* A thing's effect on the registers: this one becomes `rank` at least. */
typedef struct mcp_hyperloglog_place {
	uint16_t index;
	uint8_t rank; /* 1 to 65 - precision */
} mcp_hyperloglog_place;

static inline size_t mcp_hyperloglog_registers(unsigned precision) {
	return (size_t)1 << precision;
}

static inline unsigned mcp_hyperloglog_rank_max(unsigned precision) {
	return 65 - precision;
}

/* Finds the place by 64 bits of a good hash. */
mcp_hyperloglog_place mcp_hyperloglog_place_of(uint64_t hash, unsigned precision);

/* Makes the registers of both together: the larger of each. */
void mcp_hyperloglog_unite(uint8_t *registers, const uint8_t *others, unsigned precision);

/* Estimates the number of things; the standard error is 1.04 / sqrt(2^precision) of it. */
uint64_t mcp_hyperloglog_estimate(const uint8_t *registers, unsigned precision);

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
