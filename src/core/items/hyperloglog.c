/* Places hashes in registers, and estimates from how many registers have which rank (Ertl 2017, algorithms 1, 4, 5 and
 * 6). */
/* SPDX-License-Identifier: MIT */
#include "hyperloglog.h"

#include <math.h>

#define HASH_BITS 64
/* 1 / (2 ln 2), the limit of the constant for many registers. */
#define ALPHA 0.72134752044448170368
/* A number that both a double and an int64 hold. */
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
	size_t count = mcp_hyperloglog_registers(precision);
	for (size_t i = 0; i < count; i++) {
		registers[i] = others[i] > registers[i] ? others[i] : registers[i];
	}
}

/* Weighs the share of registers that are still empty. Without any thing: infinite. */
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

/* Weighs the share of registers that are not full. */
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
	/* Infinite when all registers are full. */
	double number = ALPHA * m * m / z + 0.5;
	return number < ESTIMATE_MAX ? (uint64_t)number : (uint64_t)ESTIMATE_MAX;
}
