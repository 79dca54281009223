/* Holds the unique visitors to H1, H3 and H4: hits repeated and lost, what a process knows and for how long, folding
 * beside other hits, and items that are gone or no sketch. */
/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "../../src/core/items/sketch.h"
#include "../../src/patterns/unique_visitors/unique_visitors.h"
#include "world.h"

enum { SLOTS = 4, PRECISION = 10, SLOT_S = 900, FIRST_SLOT = WORLD_START_MS / 1000 / SLOT_S };

typedef struct unique_world {
	test_world world;
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_unique unique;
	mcp_unique_known known, others_known;
	mcp_key keys[SLOTS];
	mcp_key_buffer buffers[SLOTS];
	mcp_op replies[SLOTS];
	uint8_t registers[1 << PRECISION], all[1 << PRECISION];
	mcp_unique_scratch scratch;
	unsigned at_call;
	uint64_t next; /* for hooks */
} unique_world;

static unique_world opened;

static int open_unique_world(void **state) {
	unique_world *w = &opened;
	memset(w, 0, sizeof(*w));
	world_open(&w->world);
	w->world.actor = w;
	w->key = world_key(&w->buffer, MCP_SPACE_UNIQUE, "page");
	w->unique = (mcp_unique){
		.store = w->world.store,
		.environment = &w->world.environment,
		.key = &w->key,
		.window = {SLOTS * SLOT_S, SLOTS},
		.precision = PRECISION,
		.known = &w->known,
	};
	w->scratch = (mcp_unique_scratch){w->keys, w->buffers, w->replies, w->registers};
	*state = w;
	return 0;
}

static int close_unique_world(void **state) {
	unique_world *w = *state;
	mcp_unique_known_free(&w->known);
	mcp_unique_known_free(&w->others_known);
	world_close(&w->world);
	return 0;
}

static uint64_t hash_of(uint64_t visitor) {
	uint64_t z = (visitor + 1) * 0x9E3779B97F4A7C15u;
	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

static void hit(unique_world *w, uint64_t visitor) {
	assert_int_equal(MCP_OK, mcp_unique_hit(&w->unique, hash_of(visitor)));
}

static void unite(void *context, uint64_t slot, const uint8_t *registers) {
	unique_world *w = context;
	mcp_hyperloglog_unite(w->all, registers, PRECISION);
}

static uint64_t count(unique_world *w) {
	memset(w->all, 0, sizeof(w->all));
	assert_int_equal(MCP_OK, mcp_unique_read(&w->unique, &w->scratch, unite, w));
	return mcp_hyperloglog_estimate(w->all, PRECISION);
}

static uint64_t expected(uint64_t first, uint64_t visitors) {
	uint8_t registers[1 << PRECISION] = {0};
	for (uint64_t i = 0; i < visitors; i++) {
		mcp_hyperloglog_place place = mcp_hyperloglog_place_of(hash_of(first + i), PRECISION);
		registers[place.index] =
			place.rank > registers[place.index] ? place.rank : registers[place.index];
	}
	return mcp_hyperloglog_estimate(registers, PRECISION);
}

/* Forgets all, as another process knows nothing of what this one knows. */
static void forget(unique_world *w) {
	mcp_unique_known_free(&w->known);
}

static unsigned calls_of_hit(unique_world *w, uint64_t visitor) {
	world_watch(&w->world, 0, WORLD_SOUND);
	hit(w, visitor);
	return w->world.calls;
}

#define UNIQUE_TEST(name, w) TEST_OF(unique_world, name, w, open_unique_world, close_unique_world)

UNIQUE_TEST(different_visitors_are_counted_once, w) {
	assert_int_equal(0, count(w));
	for (int round = 0; round < 3; round++) {
		for (uint64_t visitor = 0; visitor < 5; visitor++) {
			hit(w, (visitor * 3) % 5);
		}
		forget(w);
	}
	assert_int_equal(5, count(w));
}

UNIQUE_TEST(a_slot_leaves_when_its_window_is_over, w) {
	hit(w, 1);
	for (int slot = 1; slot < SLOTS; slot++) {
		world_pass(&w->world, SLOT_S * 1000);
		assert_int_equal(1, count(w));
	}
	world_pass(&w->world, SLOT_S * 1000);
	assert_int_equal(0, count(w));
	world_pass(&w->world, 5000);
	char name[64];
	snprintf(name, sizeof(name), "unique:page:%u", FIRST_SLOT);
	assert_null(world_peek(&w->world, name));
}

UNIQUE_TEST(a_hit_costs_what_it_says, w) {
	assert_int_equal(2, calls_of_hit(w, 1));
	assert_int_equal(0, calls_of_hit(w, 1));
	assert_int_equal(1, calls_of_hit(w, 2));
	assert_int_equal(0, calls_of_hit(w, 2));
	world_watch(&w->world, 0, WORLD_SOUND);
	count(w);
	assert_int_equal(1, w->world.calls);
}

UNIQUE_TEST(what_is_known_is_believed_for_a_minute, w) {
	hit(w, 1);
	world_pass(&w->world, 59999);
	assert_int_equal(0, calls_of_hit(w, 1));
	world_pass(&w->world, 1);
	assert_int_equal(1, calls_of_hit(w, 1));
	assert_int_equal(0, calls_of_hit(w, 1));
}

/* An evicted slot loses those who were known, until something is appended and finds nothing. */
UNIQUE_TEST(an_append_that_finds_nothing_forgets_what_was_known, w) {
	hit(w, 1);
	world_restart(&w->world);
	hit(w, 1);
	assert_int_equal(0, count(w));
	hit(w, 2);
	hit(w, 1);
	assert_int_equal(2, count(w));
}

UNIQUE_TEST(only_what_was_acknowledged_is_known, w) {
	hit(w, 1);
	for (world_fault fault = WORLD_DOWN; fault <= WORLD_REFUSED_AFTER; fault++) {
		w->world.is_down = false;
		world_watch(&w->world, 1, fault);
		assert_true(mcp_status_is_failure(mcp_unique_hit(&w->unique, hash_of(2))));
	}
	w->world.is_down = false;
	assert_int_equal(1, calls_of_hit(w, 2));
	assert_int_equal(2, count(w));
}

UNIQUE_TEST(a_lost_answer_is_sent_again, w) {
	for (unsigned call = 1; call <= 2; call++) {
		for (world_fault fault = WORLD_REPLY_LOST; fault <= WORLD_REQUEST_LOST; fault++) {
			world_restart(&w->world);
			forget(w);
			world_watch(&w->world, call, fault);
			hit(w, 1);
			assert_int_equal(1, count(w));
		}
	}
}

static void another_hits(test_world *world, unsigned call) {
	unique_world *w = world->actor;
	mcp_unique other = w->unique;
	other.known = &w->others_known;
	mcp_unique_hit(&other, hash_of(w->next++));
}

/* H3: beside folding, and with folding at every 256th append. */
UNIQUE_TEST(folding_loses_nobody, w) {
	w->next = 1000000;
	w->world.before_call = another_hits;
	for (uint64_t visitor = 0; visitor < 3000; visitor++) {
		hit(w, visitor);
	}
	w->world.before_call = NULL;
	uint8_t mine[1 << PRECISION] = {0};
	for (uint64_t visitor = 0; visitor < 3000; visitor++) {
		mcp_hyperloglog_place place = mcp_hyperloglog_place_of(hash_of(visitor), PRECISION);
		mine[place.index] = place.rank > mine[place.index] ? place.rank : mine[place.index];
	}
	for (uint64_t visitor = 1000000; visitor < w->next; visitor++) {
		mcp_hyperloglog_place place = mcp_hyperloglog_place_of(hash_of(visitor), PRECISION);
		mine[place.index] = place.rank > mine[place.index] ? place.rank : mine[place.index];
	}
	count(w);
	assert_memory_equal(mine, w->all, sizeof(mine));
}

UNIQUE_TEST(a_reader_folds_a_long_tail, w) {
	for (uint64_t visitor = 0; visitor < 1500; visitor++) {
		forget(w);
		hit(w, visitor);
	}
	world_watch(&w->world, 0, WORLD_SOUND);
	uint64_t before = count(w);
	assert_int_equal(2, w->world.calls);
	assert_int_equal(expected(0, 1500), before);
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(before, count(w));
	assert_int_equal(1, w->world.calls);
	hit(w, 99999);
	assert_true(count(w) >= before);
}

/* Its end is the slot's, whenever it is folded. */
UNIQUE_TEST(folding_keeps_the_end, w) {
	for (uint64_t visitor = 0; visitor < 1500; visitor++) {
		forget(w);
		hit(w, visitor);
	}
	world_pass(&w->world, (SLOTS - 1) * SLOT_S * 1000);
	assert_true(count(w) > 1000);
	world_pass(&w->world, SLOT_S * 1000 + 5000);
	char name[64];
	snprintf(name, sizeof(name), "unique:page:%u", FIRST_SLOT);
	assert_null(world_peek(&w->world, name));
}

UNIQUE_TEST(a_full_item_is_folded, w) {
	hit(w, 1);
	char name[64];
	snprintf(name, sizeof(name), "unique:page:%u", FIRST_SLOT);
	mcp_key key = {.wire = mcp_bytes_text(name), .route = mcp_bytes_text(name)};
	size_t length = MCP_STORE_ITEM_MAX - strlen(name) - 10;
	length -= (length - 4) % 3;
	char *item = calloc(1, length);
	assert_non_null(item);
	mcp_sketch_write_head(item, PRECISION);
	mcp_sketch_write_pair(item + 4, mcp_hyperloglog_place_of(hash_of(7), PRECISION), PRECISION);
	mcp_record record = {.body = mcp_bytes_of(item, length), .ttl_ms = 60000};
	assert_int_equal(MCP_OK, mcp_store_set(w->world.memory, &key, &record));
	free(item);
	for (uint64_t visitor = 100; visitor < 110; visitor++) {
		hit(w, visitor);
	}
	assert_in_range(count(w), 10, 12);
}

UNIQUE_TEST(what_is_no_sketch_is_said, w) {
	char name[64];
	snprintf(name, sizeof(name), "unique:page:%u", FIRST_SLOT);
	world_put(&w->world, name, "hello", 0);
	assert_int_equal(MCP_NOT_A_NUMBER, mcp_unique_read(&w->unique, &w->scratch, unite, w));
}

UNIQUE_TEST(a_slot_that_could_not_be_read_is_not_empty, w) {
	hit(w, 1);
	world_watch(&w->world, 1, WORLD_REPLY_LOST);
	assert_int_equal(MCP_TIMEOUT, mcp_unique_read(&w->unique, &w->scratch, unite, w));
}

/* The one unused for the longest is given up. */
UNIQUE_TEST(a_process_knows_sixteen_slots, w) {
	mcp_key_buffer buffers[20];
	mcp_key keys[20];
	for (unsigned i = 0; i < 17; i++) {
		char name[16];
		snprintf(name, sizeof(name), "page%u", i);
		keys[i] = world_key(&buffers[i], MCP_SPACE_UNIQUE, name);
		w->unique.key = &keys[i];
		hit(w, 1);
		world_pass(&w->world, 1);
	}
	assert_int_equal(0, calls_of_hit(w, 1));
	w->unique.key = &keys[1];
	assert_int_equal(0, calls_of_hit(w, 1));
	w->unique.key = &keys[0];
	assert_int_equal(1, calls_of_hit(w, 1));
}

/* A slot that is damaged, too; and the same visitors count again, since this process knows nothing of them any more. */
UNIQUE_TEST(reset_forgets_every_slot, w) {
	mcp_status statuses[SLOTS];
	hit(w, 1);
	world_pass(&w->world, SLOT_S * 1000);
	hit(w, 2);
	char name[64];
	snprintf(name, sizeof(name), "unique:page:%u", FIRST_SLOT);
	world_put(&w->world, name, "no sketch", 0);
	assert_int_equal(MCP_NOT_A_NUMBER, mcp_unique_read(&w->unique, &w->scratch, unite, w));
	assert_int_equal(MCP_OK, mcp_unique_reset(&w->unique, &w->scratch, statuses));
	assert_int_equal(0, count(w));
	hit(w, 2);
	assert_int_equal(1, count(w));
	world_watch(&w->world, 2, WORLD_REPLY_LOST);
	assert_int_equal(MCP_UNKNOWN, mcp_unique_reset(&w->unique, &w->scratch, statuses));
	w->world.fault_at = 0;
	assert_int_equal(0, count(w));
}
