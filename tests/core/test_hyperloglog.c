/* Holds the estimator to its standard error, from one visitor to as many as fit the time, and the slot's item to what
 * was written. With MCPATTERNS_FULL_SIZE in the environment up to ten million visitors, and the figures are printed. */
/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../src/core/items/sketch.h"

/* Hashes the visitor's number by splitmix64 (Vigna). */
static uint64_t hash_of(uint64_t visitor) {
	uint64_t z = visitor * 0x9E3779B97F4A7C15u;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

static uint8_t registers[MCP_HYPERLOGLOG_REGISTERS_MAX];

static void see(uint8_t *into, uint64_t visitor, unsigned precision) {
	mcp_hyperloglog_place place = mcp_hyperloglog_place_of(hash_of(visitor), precision);
	if (place.rank > into[place.index]) {
		into[place.index] = place.rank;
	}
}

static uint64_t count_of(uint64_t first, uint64_t visitors, unsigned precision) {
	memset(registers, 0, sizeof(registers));
	for (uint64_t i = 0; i < visitors; i++) {
		see(registers, first + i, precision);
	}
	return mcp_hyperloglog_estimate(registers, precision);
}

TEST(few_visitors_are_counted_exactly) {
	for (uint64_t visitors = 0; visitors <= 10; visitors++) {
		assert_int_equal(visitors, count_of(1000, visitors, 12));
		assert_int_equal(visitors, count_of(1000, visitors, 14));
	}
}

/* Returns the root of the mean square of the relative errors over many names. */
static double standard_error(uint64_t visitors, unsigned precision, unsigned names) {
	double sum = 0;
	for (unsigned name = 0; name < names; name++) {
		double counted = (double)count_of((uint64_t)(name + 1) << 40, visitors, precision);
		double error = counted / (double)visitors - 1;
		sum += error * error;
	}
	return sqrt(sum / names);
}

TEST(the_standard_error_is_that_of_theory) {
	static const uint64_t numbers[] = {1000, 10000, 100000, 1000000, 10000000};
	bool is_full = getenv("MCPATTERNS_FULL_SIZE") != NULL;
	for (unsigned precision = 12; precision <= 14; precision += 2) {
		double theory = 1.04 / sqrt((double)mcp_hyperloglog_registers(precision));
		for (size_t i = 0; i < (is_full ? 5 : 3); i++) {
			unsigned names = numbers[i] <= 10000 ? 400 : 100;
			double error = standard_error(numbers[i], precision, names);
			if (is_full) {
				printf("precision %u, %llu visitors, %u names: %.3f %%, theory %.3f %%\n",
					precision, (unsigned long long)numbers[i], names, 100 * error, 100 * theory);
			}
			assert_true(error <= 1.1 * theory);
		}
	}
}

TEST(the_largest_ranks_are_counted) {
	for (unsigned precision = 4; precision <= 14; precision++) {
		memset(registers, (int)mcp_hyperloglog_rank_max(precision), sizeof(registers));
		assert_true(mcp_hyperloglog_estimate(registers, precision) > (uint64_t)1 << 50);
		mcp_hyperloglog_place last = mcp_hyperloglog_place_of(0, precision);
		assert_int_equal(mcp_hyperloglog_rank_max(precision), last.rank);
		last = mcp_hyperloglog_place_of(UINT64_MAX, precision);
		assert_int_equal(mcp_hyperloglog_registers(precision) - 1, last.index);
		assert_int_equal(1, last.rank);
	}
}

TEST(a_union_is_as_if_all_had_come_to_one) {
	uint8_t one[MCP_HYPERLOGLOG_REGISTERS_MAX] = {0}, other[MCP_HYPERLOGLOG_REGISTERS_MAX] = {0};
	uint8_t all[MCP_HYPERLOGLOG_REGISTERS_MAX] = {0};
	for (uint64_t visitor = 0; visitor < 5000; visitor++) {
		see(visitor % 3 == 0 ? one : other, visitor, 12);
		see(visitor % 5 == 0 ? one : other, visitor, 12);
		see(all, visitor, 12);
	}
	mcp_hyperloglog_unite(one, other, 12);
	assert_memory_equal(all, one, sizeof(all));
}

/* --- the item --- */

static void random_registers(uint64_t seed, unsigned precision) {
	memset(registers, 0, sizeof(registers));
	for (uint64_t i = 0; i < 3000; i++) {
		see(registers, seed * 10000 + i, precision);
	}
}

TEST(registers_are_read_as_they_were_written) {
	for (unsigned precision = 4; precision <= 14; precision++) {
		char item[MCP_SKETCH_WRITTEN_MAX];
		uint8_t read[MCP_HYPERLOGLOG_REGISTERS_MAX] = {0};
		size_t tail;
		random_registers(precision, precision);
		size_t length = mcp_sketch_write(item, registers, precision);
		assert_int_equal(4 + mcp_hyperloglog_registers(precision) / 4 * 3, length);
		assert_true(mcp_sketch_fold(mcp_bytes_of(item, length), precision, read, &tail));
		assert_int_equal(0, tail);
		assert_memory_equal(registers, read, mcp_hyperloglog_registers(precision));
	}
}

/* H1: in any order, and any number of times. */
TEST(pairs_raise_what_they_say) {
	char item[MCP_SKETCH_WRITTEN_MAX + 3 * 100];
	random_registers(1, 12);
	size_t length = mcp_sketch_write(item, registers, 12);
	for (uint64_t i = 0; i < 50; i++) {
		mcp_hyperloglog_place place = mcp_hyperloglog_place_of(hash_of(900000 + i), 12);
		mcp_sketch_write_pair(item + length + 3 * i, place, 12);
		mcp_sketch_write_pair(item + length + 3 * (99 - i), place, 12);
		see(registers, 900000 + i, 12);
	}
	uint8_t read[MCP_HYPERLOGLOG_REGISTERS_MAX] = {0};
	size_t tail;
	assert_true(mcp_sketch_fold(mcp_bytes_of(item, length + 300), 12, read, &tail));
	assert_int_equal(300, tail);
	assert_memory_equal(registers, read, 4096);
}

TEST(pairs_of_another_precision_are_left_out) {
	char item[4 + 6];
	mcp_sketch_write_head(item, 12);
	mcp_sketch_write_pair(item + 4, (mcp_hyperloglog_place){7, 9}, 11);
	mcp_sketch_write_pair(item + 7, (mcp_hyperloglog_place){8, 9}, 12);
	uint8_t read[MCP_HYPERLOGLOG_REGISTERS_MAX] = {0};
	size_t tail;
	assert_true(mcp_sketch_fold(mcp_bytes_of(item, sizeof(item)), 12, read, &tail));
	assert_int_equal(0, read[7]);
	assert_int_equal(9, read[8]);
}

static void assert_refused(const char *item, size_t length, unsigned precision) {
	uint8_t read[MCP_HYPERLOGLOG_REGISTERS_MAX] = {0}, none[MCP_HYPERLOGLOG_REGISTERS_MAX] = {0};
	size_t tail;
	assert_false(mcp_sketch_fold(mcp_bytes_of(item, length), precision, read, &tail));
	assert_memory_equal(none, read, sizeof(none));
}

TEST(what_is_no_sketch_is_refused) {
	char item[MCP_SKETCH_WRITTEN_MAX + 3];
	assert_refused("hello", 5, 12);
	assert_refused("", 0, 12);
	random_registers(1, 12);
	size_t length = mcp_sketch_write(item, registers, 12);
	assert_refused(item, length, 11);
	assert_refused(item, length - 1, 12);
	assert_refused(item, 4, 12);
	memset(item + length, 0, 3);
	assert_refused(item, length + 1, 12);
	assert_refused(item, length + 2, 12);
	item[1] = 2;
	assert_refused(item, length, 12);
	item[1] = 1;
	item[4] = (char)0xFF; /* a rank of 63 */
	assert_refused(item, length, 12);
}
