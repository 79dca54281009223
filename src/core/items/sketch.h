/* Item of one slot's distinct visitors: a head, the registers, and a pair for each raise of a register since the last
 * fold. A fold merges the pairs into the registers, which exist only after the first fold. docs/spec/storage.md defines
 * the format. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_ITEMS_SKETCH_H
#define MCP_CORE_ITEMS_SKETCH_H

#include "../bytes.h"

#include <stddef.h>
#include <stdint.h>

/* Counts distinct elements with 2^precision small registers: HyperLogLog (Flajolet, Fusy, Gandouet and Meunier 2007)
 * with the estimator of O. Ertl ("New cardinality estimation algorithms for HyperLogLog sketches", 2017). The estimator
 * needs no bias tables, and is equally accurate for small and large numbers. */

#define MCP_HYPERLOGLOG_PRECISION_MIN 4
#define MCP_HYPERLOGLOG_PRECISION_MAX 14
#define MCP_HYPERLOGLOG_REGISTERS_MAX (1u << MCP_HYPERLOGLOG_PRECISION_MAX)

/* Effect of an element: its register is raised to at least `rank`. */
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

/* `hash`: 64 bits of a good hash function. */
mcp_hyperloglog_place mcp_hyperloglog_place_of(uint64_t hash, unsigned precision);

/* Union: the maximum of each register. */
void mcp_hyperloglog_unite(uint8_t *registers, const uint8_t *others, unsigned precision);

/* Estimated number of elements; standard error 1.04 / sqrt(2^precision). */
uint64_t mcp_hyperloglog_estimate(const uint8_t *registers, unsigned precision);

#define MCP_SKETCH_HEAD_LENGTH 4
#define MCP_SKETCH_PAIR_LENGTH 3
#define MCP_SKETCH_DENSE_MAX (MCP_HYPERLOGLOG_REGISTERS_MAX / 4 * 3)
#define MCP_SKETCH_WRITTEN_MAX (MCP_SKETCH_HEAD_LENGTH + MCP_SKETCH_DENSE_MAX)

/* Write the head of an item that begins with pairs. */
void mcp_sketch_write_head(char head[MCP_SKETCH_HEAD_LENGTH], unsigned precision);

/* A pair contains the precision, because an append does not read the head. */
void mcp_sketch_write_pair(char pair[MCP_SKETCH_PAIR_LENGTH], mcp_hyperloglog_place place,
	unsigned precision);

/* Write head and registers, 6 bits each. Returns the length. */
size_t mcp_sketch_write(char out[MCP_SKETCH_WRITTEN_MAX], const uint8_t *registers,
	unsigned precision);

/* Merge an item into the registers. Skips pairs of another precision. Returns false without changing the registers if
 * the item is not a sketch of this precision. *tail_length: length of the item's pairs in bytes. */
bool mcp_sketch_fold(mcp_bytes item, unsigned precision, uint8_t *registers, size_t *tail_length);

#endif
