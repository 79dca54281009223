/* The sketch of what was computed: a key's place is found or taken by one compare-and-swap, and its sums are added
 * up by others. */
/* SPDX-License-Identifier: MIT */
#include "metrics_rebuilds.h"

#include "../vendor/xxh64.h"

#define SLICE_BITS 24
#define SLICE_MASK 0xffffffu
#define SUM_BITS 40
#define SUM_MAX (((uint64_t)1 << SUM_BITS) - 1)

static uint64_t load(const mcp_metrics_word *word) {
	return atomic_load_explicit(word, memory_order_relaxed);
}

static uint64_t mark_of(uint64_t key) {
	return mcp_metrics_mix(0, key) >> SUM_BITS;
}

static uint64_t sum_of(uint64_t word, uint64_t mark) {
	return word >> SUM_BITS == mark ? word & SUM_MAX : 0;
}

/* Returns a number that is never 0, which is what an unused place has. */
static uint64_t slice_at(uint64_t now_ms) {
	return now_ms / MCP_REBUILDS_SLICE_MS + 1;
}

static bool is_of_slice(uint64_t key, uint64_t slice) {
	return (key & SLICE_MASK) == (slice & SLICE_MASK);
}

/* Adds to what stands there under the same mark, or else to `start`. */
static void add(mcp_metrics_word *word, uint64_t mark, uint64_t start, uint64_t by) {
	uint64_t before = load(word);
	uint64_t after;
	do {
		uint64_t sum = before >> SUM_BITS == mark ? before & SUM_MAX : start;
		sum = by > SUM_MAX - sum ? SUM_MAX : sum + by;
		after = mark << SUM_BITS | sum;
	} while (!atomic_compare_exchange_weak_explicit(word, &before, after, memory_order_relaxed,
		memory_order_relaxed));
}

/* Finds the one that has cost least in this slice; *least_ms is how much. */
static mcp_rebuilds_place *cheapest(mcp_rebuilds_place *places, uint64_t *least_ms) {
	mcp_rebuilds_place *found = &places[0];
	*least_ms = UINT64_MAX;
	for (size_t i = 0; i < MCP_REBUILDS_PLACES; i++) {
		uint64_t spent_ms = sum_of(load(&places[i].spent_ms), mark_of(load(&places[i].key)));
		if (spent_ms < *least_ms) {
			found = &places[i];
			*least_ms = spent_ms;
		}
	}
	return found;
}

/* Finds the key's own, or one of an earlier slice. NULL if there is neither. */
static mcp_rebuilds_place *find(mcp_rebuilds_place *places, uint64_t key, uint64_t slice) {
	for (size_t i = 0; i < MCP_REBUILDS_PLACES; i++) {
		mcp_rebuilds_place *place = &places[((key >> SLICE_BITS) % MCP_REBUILDS_PLACES) ^ i];
		uint64_t there = load(&place->key);
		if (there != key && !is_of_slice(there, slice)) {
			atomic_compare_exchange_strong_explicit(&place->key, &there, key, memory_order_relaxed,
				memory_order_relaxed);
			there = load(&place->key);
		}
		if (there == key) {
			return place;
		}
	}
	return NULL;
}

void mcp_rebuilds_add(mcp_rebuilds *rebuilds, uint64_t now_ms, uint32_t group, mcp_bytes key,
	uint64_t spent_ms) {
	uint64_t slice = slice_at(now_ms);
	mcp_rebuilds_place *places = rebuilds->slices[slice % MCP_REBUILDS_SLICES_KEPT];
	/* A made collision adds up the time of two keys, and gains nothing. */
	uint64_t hash = XXH64(key.data, key.length, group);
	uint64_t id = hash << SLICE_BITS | (slice & SLICE_MASK);
	uint64_t inherited_ms = 0;
	mcp_rebuilds_place *place = find(places, id, slice);
	if (place == NULL) {
		place = cheapest(places, &inherited_ms);
		atomic_store_explicit(&place->key, id, memory_order_relaxed);
	}
	uint64_t mark = mark_of(id);
	add(&place->inherited_ms, mark, inherited_ms, 0);
	add(&place->spent_ms, mark, inherited_ms, spent_ms);
	add(&place->count, mark, 0, 1);
	key.length = key.length < MCP_REBUILDS_KEY_MAX ? key.length : MCP_REBUILDS_KEY_MAX;
	mcp_metrics_text_write(&place->head, place->name, id, key, group);
}

/* False if it has nothing, or its key is not known, for a process was killed before it had written it. */
static bool read_place(const mcp_rebuilds_place *place, uint64_t slice, mcp_rebuild *rebuild) {
	uint64_t key = load(&place->key);
	uint64_t mark = mark_of(key);
	uint64_t spent_ms = sum_of(load(&place->spent_ms), mark);
	uint64_t inherited_ms = sum_of(load(&place->inherited_ms), mark);
	rebuild->hash = key >> SLICE_BITS;
	rebuild->count = sum_of(load(&place->count), mark);
	rebuild->spent_ms = spent_ms > inherited_ms ? spent_ms - inherited_ms : 0;
	return key != 0 && is_of_slice(key, slice) && rebuild->count > 0 &&
		mcp_metrics_text_read(&place->head, place->name, key, rebuild->key, MCP_REBUILDS_KEY_MAX,
			&rebuild->key_length, &rebuild->group);
}

static bool is_same_key(const mcp_rebuild *a, const mcp_rebuild *b) {
	return a->hash == b->hash && a->group == b->group;
}

/* Adds what was found of a key in one slice to what was found of it in those before; returns how many there are
 * then. */
static size_t add_up(mcp_rebuild *rebuilds, size_t count) {
	const mcp_rebuild *last = &rebuilds[count];
	for (size_t i = 0; i < count; i++) {
		if (is_same_key(&rebuilds[i], last)) {
			rebuilds[i].count += last->count;
			rebuilds[i].spent_ms += last->spent_ms;
			return count;
		}
	}
	return count + 1;
}

static bool is_dearer(const mcp_rebuild *a, const mcp_rebuild *b) {
	return a->spent_ms != b->spent_ms ? a->spent_ms > b->spent_ms : a->hash > b->hash;
}

/* Orders the dearest ones, which come first; no more than are shown. */
static size_t rank(mcp_rebuild *rebuilds, size_t count) {
	size_t shown = count < MCP_REBUILDS_SHOWN ? count : MCP_REBUILDS_SHOWN;
	for (size_t i = 0; i < shown; i++) {
		size_t dearest = i;
		for (size_t j = i + 1; j < count; j++) {
			dearest = is_dearer(&rebuilds[j], &rebuilds[dearest]) ? j : dearest;
		}
		mcp_rebuild other = rebuilds[i];
		rebuilds[i] = rebuilds[dearest];
		rebuilds[dearest] = other;
	}
	return shown;
}

size_t mcp_rebuilds_read(const mcp_rebuilds *rebuilds, uint64_t now_ms, mcp_rebuild *scratch) {
	uint64_t newest = slice_at(now_ms);
	size_t count = 0;
	for (uint64_t back = 0; back < MCP_REBUILDS_SLICES && back < newest; back++) {
		uint64_t slice = newest - back;
		const mcp_rebuilds_place *places = rebuilds->slices[slice % MCP_REBUILDS_SLICES_KEPT];
		for (size_t i = 0; i < MCP_REBUILDS_PLACES; i++) {
			if (read_place(&places[i], slice, &scratch[count])) {
				count = add_up(scratch, count);
			}
		}
	}
	return rank(scratch, count);
}

void mcp_rebuilds_clear(mcp_rebuilds *rebuilds) {
	for (size_t slice = 0; slice < MCP_REBUILDS_SLICES_KEPT; slice++) {
		for (size_t i = 0; i < MCP_REBUILDS_PLACES; i++) {
			mcp_rebuilds_place *place = &rebuilds->slices[slice][i];
			atomic_store_explicit(&place->key, 0, memory_order_relaxed);
			atomic_store_explicit(&place->spent_ms, 0, memory_order_relaxed);
			atomic_store_explicit(&place->count, 0, memory_order_relaxed);
			atomic_store_explicit(&place->inherited_ms, 0, memory_order_relaxed);
		}
	}
}
