/* Holds bells to what listeners and ringers build on: a stamp lasts longer than any sleep on it, is never shortened, and is
 * believed by nobody where no listener can have made it. The order of their steps is the simulator's. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/core/waking/wakeups.h"

#include <string.h>

TEST(as_many_as_there_is_room_for) {
	_Alignas(64) static mcp_wakeup memory[8];
	mcp_wakeups bells;
	assert_int_equal(16, sizeof(mcp_wakeup));
	assert_false(mcp_wakeups_open(&bells, memory, sizeof(mcp_wakeup) - 1));
	assert_true(mcp_wakeups_open(&bells, memory, sizeof(mcp_wakeup)));
	assert_int_equal(0, bells.mask);
	assert_true(mcp_wakeups_open(&bells, memory, 7 * sizeof(mcp_wakeup)));
	assert_int_equal(3, bells.mask);
	assert_true(mcp_wakeups_open(&bells, memory, sizeof(memory)));
	assert_int_equal(7, bells.mask);
}

TEST(a_place_is_of_the_lower_bits_and_the_upper_five) {
	static mcp_wakeup memory[8];
	mcp_wakeups bells = {memory, 7};
	mcp_wakeup_slot place = mcp_wakeups_find(&bells, 0xFFFFFFFFFFFFFFF5);
	assert_ptr_equal(&memory[5], place.bell);
	assert_true(place.bit == 0x80000000);
	place = mcp_wakeups_find(&bells, 0x07FFFFFFFFFFFFF8);
	assert_ptr_equal(&memory[0], place.bell);
	assert_true(place.bit == 1);
}

TEST(a_stamp_lasts_at_least_a_second) {
	for (uint64_t now_ms = 1; now_ms < 1000; now_ms++) {
		mcp_wakeup bell = {0};
		uint64_t end_ms = mcp_bell_stamp(&bell, now_ms);
		assert_in_range(end_ms - now_ms, 1024, 1279);
		assert_int_equal(end_ms, mcp_bell_stamped_until(&bell));
		assert_true(mcp_bell_is_awaited(end_ms, now_ms));
		assert_true(mcp_bell_is_awaited(end_ms, end_ms - 1));
		assert_false(mcp_bell_is_awaited(end_ms, end_ms));
	}
}

/* A process that has read the clock, and was stopped then, comes with an earlier end than others have stamped. */
TEST(a_stamp_is_never_shortened) {
	mcp_wakeup bell = {0};
	uint64_t later_ms = mcp_bell_stamp(&bell, 5000);
	assert_int_equal(2024 + 24, mcp_bell_stamp(&bell, 1000));
	assert_int_equal(later_ms, mcp_bell_stamped_until(&bell));
}

TEST(nonsense_is_believed_by_nobody_and_replaced) {
	uint64_t now_ms = 1000000;
	static const uint64_t nonsense[] = {1060001, UINT64_MAX, UINT64_MAX / 2, 1ull << 63};
	for (size_t i = 0; i < sizeof(nonsense) / sizeof(nonsense[0]); i++) {
		mcp_wakeup bell = {.sequence = UINT32_MAX, .awaited_until_ms = nonsense[i]};
		assert_false(mcp_bell_is_awaited(mcp_bell_stamped_until(&bell), now_ms));
		uint64_t end_ms = mcp_bell_stamp(&bell, now_ms);
		assert_int_equal(end_ms, mcp_bell_stamped_until(&bell));
		assert_true(mcp_bell_is_awaited(end_ms, now_ms));
		uint32_t noted = mcp_bell_sequence(&bell);
		mcp_bell_raise(&bell);
		assert_true(mcp_bell_sequence(&bell) != noted);
	}
}

/* --- ringing --- */

static struct {
	uint64_t now_ms;
	unsigned clock_reads, wakes;
	const mcp_atomic_u32 *word;
	uint32_t seen, bits;
	bool wakes_one;
} heard;

static uint64_t bell_ms(const mcp_environment *environment) {
	heard.clock_reads++;
	return heard.now_ms;
}

static void wake(const mcp_environment *environment, const mcp_atomic_u32 *word, uint32_t bits,
	bool wakes_one) {
	heard.wakes++;
	heard.word = word;
	heard.seen = *word;
	heard.bits = bits;
	heard.wakes_one = wakes_one;
}

static const mcp_environment environment = {.bell_ms = bell_ms, .wake = wake};

TEST(nobody_is_asked_for_a_bell_that_nobody_has_heard) {
	mcp_wakeup bell = {0};
	memset(&heard, 0, sizeof(heard));
	heard.now_ms = 5000;
	assert_false(mcp_ring_is_awaited(&environment, &bell));
	assert_int_equal(0, heard.clock_reads);
	mcp_bell_stamp(&bell, 1000);
	assert_false(mcp_ring_is_awaited(&environment, &bell));
	mcp_bell_stamp(&bell, 4000);
	assert_true(mcp_ring_is_awaited(&environment, &bell));
	heard.now_ms = 0; /* a clock that was moved */
	assert_false(mcp_ring_is_awaited(&environment, &bell));
	assert_int_equal(0, heard.wakes);
}

TEST(a_ring_raises_before_it_wakes) {
	mcp_wakeup bell = {.sequence = UINT32_MAX};
	memset(&heard, 0, sizeof(heard));
	mcp_ring(&environment, (mcp_wakeup_slot){&bell, 4}, true);
	assert_int_equal(1, heard.wakes);
	assert_ptr_equal(&bell.sequence, heard.word);
	assert_int_equal(0, heard.seen);
	assert_int_equal(4, heard.bits);
	assert_true(heard.wakes_one);
}

TEST(without_a_clock_in_common_there_are_none) {
	mcp_environment alone = {.bell_ms = NULL};
	assert_int_equal(0, mcp_bell_ms(&alone));
}
