/* Two rings of samples, whose places are the clock's steps: whoever comes first in a step fills its place. */
/* SPDX-License-Identifier: MIT */
#include "metrics_history.h"

_Static_assert(sizeof(mcp_history_sample) % 64 == 0, "samples fill whole cache lines");

static uint64_t get(const mcp_metrics_word *word) {
	return atomic_load_explicit(word, memory_order_relaxed);
}

static void put(mcp_metrics_word *word, uint64_t number) {
	atomic_store_explicit(word, number, memory_order_relaxed);
}

/* Claims a step, which is one number's alone, also where the clock was set back. */
static bool claim(mcp_history_sample *samples, uint64_t number) {
	mcp_history_sample *sample = &samples[number % MCP_HISTORY_SAMPLES];
	uint64_t there = get(&sample->number);
	return there != number &&
		atomic_compare_exchange_strong_explicit(&sample->number, &there, number,
			memory_order_relaxed, memory_order_relaxed);
}

static uint64_t begin_check(uint64_t number, uint64_t at_ms) {
	return mcp_metrics_mix(mcp_metrics_mix(0, number), at_ms);
}

static void fill(mcp_history_sample *samples, uint64_t number, uint64_t now_ms,
	const uint64_t *sums) {
	mcp_history_sample *sample = &samples[number % MCP_HISTORY_SAMPLES];
	uint64_t check = begin_check(number, now_ms);
	put(&sample->at_ms, now_ms);
	for (size_t i = 0; i < MCP_HISTORY_SUMS; i++) {
		check = mcp_metrics_put_word(&sample->sums[i], sums[i], check);
	}
	atomic_store_explicit(&sample->check, check, memory_order_release);
}

bool mcp_history_is_due(mcp_history *history, uint64_t now_ms) {
	return claim(history->steps, now_ms / MCP_HISTORY_STEP_MS);
}

void mcp_history_add(mcp_history *history, uint64_t now_ms, const uint64_t sums[MCP_HISTORY_SUMS]) {
	fill(history->steps, now_ms / MCP_HISTORY_STEP_MS, now_ms, sums);
	if (claim(history->minutes, now_ms / MCP_HISTORY_MINUTE_MS)) {
		fill(history->minutes, now_ms / MCP_HISTORY_MINUTE_MS, now_ms, sums);
	}
}

static bool take(const mcp_history_sample *sample, uint64_t number, mcp_history_shown *shown) {
	uint64_t wanted = atomic_load_explicit(&sample->check, memory_order_acquire);
	shown->at_ms = get(&sample->at_ms);
	uint64_t check = begin_check(number, shown->at_ms);
	for (size_t i = 0; i < MCP_HISTORY_SUMS; i++) {
		shown->sums[i] = get(&sample->sums[i]);
		check = mcp_metrics_mix(check, shown->sums[i]);
	}
	return check == wanted && get(&sample->number) == number;
}

/* Reads the samples of a ring from `since_ms` to `until_ms`, oldest first. */
static size_t read_ring(const mcp_history_sample *samples, uint64_t step_ms, uint64_t since_ms,
	uint64_t until_ms, mcp_history_shown *shown) {
	uint64_t last = until_ms / step_ms;
	size_t count = 0;
	for (uint64_t number = last < MCP_HISTORY_SAMPLES ? 1 : last - MCP_HISTORY_SAMPLES + 1;
		 number <= last; number++) {
		bool is_there = take(&samples[number % MCP_HISTORY_SAMPLES], number, &shown[count]);
		uint64_t at_ms = shown[count].at_ms;
		count += is_there && at_ms >= since_ms && at_ms <= until_ms;
	}
	return count;
}

size_t mcp_history_read(const mcp_history *history, uint64_t now_ms, uint64_t since_ms,
	mcp_history_shown *shown) {
	mcp_history_shown steps[MCP_HISTORY_SAMPLES];
	size_t recent = read_ring(history->steps, MCP_HISTORY_STEP_MS, since_ms, now_ms, steps);
	uint64_t before_ms = recent > 0 ? steps[0].at_ms - 1 : now_ms;
	size_t count = read_ring(history->minutes, MCP_HISTORY_MINUTE_MS, since_ms, before_ms, shown);
	for (size_t i = 0; i < recent; i++) {
		shown[count++] = steps[i];
	}
	return count;
}

void mcp_history_clear(mcp_history *history) {
	for (size_t i = 0; i < MCP_HISTORY_SAMPLES; i++) {
		put(&history->steps[i].number, 0);
		put(&history->minutes[i].number, 0);
	}
}
