/* How many different things there were, from 2^precision small registers instead of the things: HyperLogLog (Flajolet,
 * Fusy, Gandouet and Meunier 2007) with the estimator of O. Ertl ("New cardinality estimation algorithms for HyperLogLog
 * sketches", 2017), which needs no tables of its bias and counts small numbers as well as large ones. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_HYPERLOGLOG_H
#define MCP_CORE_HYPERLOGLOG_H

#include <stddef.h>
#include <stdint.h>

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

#endif
