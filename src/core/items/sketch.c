/* Reads and writes a slot's sketch, and estimates the number of its visitors. Every length and rank is checked. */
/* SPDX-License-Identifier: MIT */
#include "sketch.h"

#include <math.h>

enum {
	MAGIC = 0xA7,
	VERSION = 1,
	IS_DENSE = 1,
	MAGIC_AT = 0,
	VERSION_AT,
	PRECISION_AT,
	DENSE_AT,
	RANK_BITS = 6,
	RANK_MASK = (1 << RANK_BITS) - 1,
	INDEX_BITS = MCP_HYPERLOGLOG_PRECISION_MAX,
	INDEX_MASK = (1 << INDEX_BITS) - 1,
	PRECISION_BITS = 4,
	PRECISION_MASK = (1 << PRECISION_BITS) - 1,
};

void mcp_sketch_write_head(char head[MCP_SKETCH_HEAD_LENGTH], unsigned precision) {
	head[MAGIC_AT] = (char)MAGIC;
	head[VERSION_AT] = VERSION;
	head[PRECISION_AT] = (char)precision;
	head[DENSE_AT] = 0;
}

static void write_three(char *out, uint32_t bits) {
	out[0] = (char)bits;
	out[1] = (char)(bits >> 8);
	out[2] = (char)(bits >> 16);
}

static uint32_t read_three(const char *bytes) {
	const unsigned char *from = (const unsigned char *)bytes;
	return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16;
}

void mcp_sketch_write_pair(char pair[MCP_SKETCH_PAIR_LENGTH], mcp_hyperloglog_place place,
	unsigned precision) {
	uint32_t extra = precision - MCP_HYPERLOGLOG_PRECISION_MIN;
	write_three(pair,
		place.index | extra << INDEX_BITS | (uint32_t)place.rank << (INDEX_BITS + PRECISION_BITS));
}

/* 4 registers in 3 bytes. */
size_t mcp_sketch_write(char out[MCP_SKETCH_WRITTEN_MAX], const uint8_t *registers,
	unsigned precision) {
	mcp_sketch_write_head(out, precision);
	out[DENSE_AT] = IS_DENSE;
	char *to = out + MCP_SKETCH_HEAD_LENGTH;
	size_t count = mcp_hyperloglog_registers(precision);
	for (size_t i = 0; i < count; i += 4) {
		uint32_t bits = registers[i] | (uint32_t)registers[i + 1] << RANK_BITS |
			(uint32_t)registers[i + 2] << 2 * RANK_BITS |
			(uint32_t)registers[i + 3] << 3 * RANK_BITS;
		write_three(to, bits);
		to += 3;
	}
	return (size_t)(to - out);
}

static inline uint8_t dense_register(const char *dense, size_t index) {
	uint32_t bits = read_three(dense + index / 4 * 3);
	return (uint8_t)(bits >> (index % 4 * RANK_BITS) & RANK_MASK);
}

static bool is_valid_dense(const char *dense, unsigned precision) {
	size_t count = mcp_hyperloglog_registers(precision);
	unsigned most = mcp_hyperloglog_rank_max(precision);
	for (size_t i = 0; i < count; i++) {
		if (dense_register(dense, i) > most) {
			return false;
		}
	}
	return true;
}

static inline void raise_to(uint8_t *registers, size_t index, uint8_t rank) {
	registers[index] = rank > registers[index] ? rank : registers[index];
}

static void fold_pair(const char *pair, unsigned precision, uint8_t *registers) {
	uint32_t bits = read_three(pair);
	uint32_t index = bits & INDEX_MASK;
	uint32_t extra = bits >> INDEX_BITS & PRECISION_MASK;
	uint32_t rank = bits >> (INDEX_BITS + PRECISION_BITS);
	bool is_ours = extra + MCP_HYPERLOGLOG_PRECISION_MIN == precision &&
		index < mcp_hyperloglog_registers(precision) && rank <= mcp_hyperloglog_rank_max(precision);
	if (is_ours) {
		raise_to(registers, index, (uint8_t)rank);
	}
}

static bool is_sketch(mcp_bytes item, unsigned precision) {
	return item.length >= MCP_SKETCH_HEAD_LENGTH && (unsigned char)item.data[MAGIC_AT] == MAGIC &&
		item.data[VERSION_AT] == VERSION && (unsigned char)item.data[PRECISION_AT] == precision &&
		(item.data[DENSE_AT] == 0 || item.data[DENSE_AT] == IS_DENSE);
}

bool mcp_sketch_fold(mcp_bytes item, unsigned precision, uint8_t *registers, size_t *tail_length) {
	if (!is_sketch(item, precision)) {
		return false;
	}
	size_t count = mcp_hyperloglog_registers(precision);
	size_t dense = item.data[DENSE_AT] == IS_DENSE ? count / 4 * 3 : 0;
	size_t rest = item.length - MCP_SKETCH_HEAD_LENGTH;
	if (rest < dense || (rest - dense) % MCP_SKETCH_PAIR_LENGTH != 0) {
		return false;
	}
	const char *next = item.data + MCP_SKETCH_HEAD_LENGTH;
	if (dense > 0 && !is_valid_dense(next, precision)) {
		return false;
	}
	for (size_t i = 0; dense > 0 && i < count; i++) {
		raise_to(registers, i, dense_register(next, i));
	}
	*tail_length = rest - dense;
	for (next += dense; next < item.data + item.length; next += MCP_SKETCH_PAIR_LENGTH) {
		fold_pair(next, precision, registers);
	}
	return true;
}

/* Maps hashes to registers, and estimates the number of elements from the number of registers per rank (Ertl 2017,
 * algorithms 1, 4, 5 and 6). */

#define HASH_BITS 64
/* 1 / (2 ln 2), the limit of the constant for many registers. */
#define ALPHA 0.72134752044448170368
/* Fits in a double and in an int64. */
#define ESTIMATE_MAX 9e18

mcp_hyperloglog_place mcp_hyperloglog_place_of(uint64_t hash, unsigned precision) {
	uint64_t rest = hash << precision;
	unsigned rank = 1;
	for (; rank < mcp_hyperloglog_rank_max(precision) && (rest >> (HASH_BITS - 1)) == 0; rank++) {
		rest <<= 1;
	}
	return (mcp_hyperloglog_place){
		.index = (uint16_t)(hash >> (HASH_BITS - precision)),
		.rank = (uint8_t)rank,
	};
}

void mcp_hyperloglog_unite(uint8_t *registers, const uint8_t *others, unsigned precision) {
	for (size_t i = 0; i < mcp_hyperloglog_registers(precision); i++) {
		raise_to(registers, i, others[i]);
	}
}

/* Weight of the share of empty registers; infinite if all are empty. */
static double sigma(double x) {
	if (x == 1) {
		return INFINITY;
	}
	double y = 1, z = x, before;
	do {
		x *= x;
		before = z;
		z += x * y;
		y += y;
	} while (z != before);
	return z;
}

/* Weight of the share of registers that are not full. */
static double tau(double x) {
	if (x == 0 || x == 1) {
		return 0;
	}
	double y = 1, z = 1 - x, before;
	do {
		x = sqrt(x);
		before = z;
		y *= 0.5;
		z -= (1 - x) * (1 - x) * y;
	} while (z != before);
	return z / 3;
}

uint64_t mcp_hyperloglog_estimate(const uint8_t *registers, unsigned precision) {
	size_t count = mcp_hyperloglog_registers(precision);
	unsigned full = mcp_hyperloglog_rank_max(precision);
	size_t with_rank[HASH_BITS + 1] = {0};
	for (size_t i = 0; i < count; i++) {
		with_rank[registers[i]]++;
	}
	double m = (double)count;
	double z = m * tau(1 - (double)with_rank[full] / m);
	for (unsigned rank = full - 1; rank >= 1; rank--) {
		z = 0.5 * (z + (double)with_rank[rank]);
	}
	z += m * sigma((double)with_rank[0] / m);
	/* The quotient is infinite if all registers are full. */
	double number = ALPHA * m * m / z + 0.5;
	return number < ESTIMATE_MAX ? (uint64_t)number : (uint64_t)ESTIMATE_MAX;
}
