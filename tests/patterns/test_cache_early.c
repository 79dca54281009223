/* Holds early refreshes to the formula of XFetch (C10): the share of values refreshed before their soft
 * end, and how long before it, against what follows from the formula for readers at even steps. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/patterns/cache/cache.h"
#include "world.h"

#include <math.h>

#define TTL_MS 20000u
#define LEASE_MS 60000u
#define STEPS_MAX 80u
#define VALUES 20000u

typedef struct early_fixture {
	test_world world;
	mcp_cache_statistics statistics;
	mcp_cache cache;
	mcp_key_buffer buffer;
	mcp_key key;
	uint32_t compute_ms;
	double beta;
	uint32_t step_ms; /* a read so often ... */
	uint32_t steps;   /* ... so many times before the soft end */
} early_fixture;

/* How often a value was refreshed before its soft end, and how long before it. */
typedef struct observation {
	double share, lead_ms, lead_deviation_ms;
} observation;

static int open_fixture(void **state) {
	static early_fixture fixture;
	memset(&fixture, 0, sizeof(fixture));
	world_open(&fixture.world);
	fixture.key = world_key(&fixture.buffer, MCP_SPACE_CACHE, "k");
	fixture.cache = (mcp_cache){
		.store = fixture.world.store,
		.environment = &fixture.world.environment,
		.statistics = &fixture.statistics,
		.lease_ms = LEASE_MS,
	};
	*state = &fixture;
	return 0;
}

static int close_fixture(void **state) {
	world_close(&((early_fixture *)*state)->world);
	return 0;
}

/* Computes what is to be expected: each read is independent: refreshed at `left` with probability e^(-left /
 * (beta * compute)), if no earlier read was. */
static observation expected(const early_fixture *f) {
	double not_yet = 1;
	double sum = 0;
	double squares = 0;
	for (uint32_t step = f->steps; step >= 1; step--) {
		double left_ms = (double)step * f->step_ms;
		double now = not_yet * exp(-left_ms / (f->beta * f->compute_ms));
		sum += now * left_ms;
		squares += now * left_ms * left_ms;
		not_yet -= now;
	}
	double share = 1 - not_yet;
	double lead_ms = sum / share;
	return (observation){share, lead_ms, sqrt(squares / share - lead_ms * lead_ms)};
}

static void put(early_fixture *f) {
	mcp_cache_value value = {
		.payload = mcp_bytes_of("value", 5),
		.compute_ms = f->compute_ms,
		.lifetime = {.ttl_ms = TTL_MS, .grace_ms = TTL_MS},
	};
	assert_int_equal(MCP_OK, mcp_cache_set(&f->cache, &f->key, &value));
}

static mcp_verdict ask(early_fixture *f) {
	mcp_remember remember = {
		.lifetime = {.ttl_ms = TTL_MS, .grace_ms = TTL_MS},
		.serve_stale = true,
		.early = f->beta,
	};
	mcp_cache_entry entry;
	mcp_cache_remember(&f->cache, &f->key, &remember, &entry);
	return entry.verdict;
}

/* Lives one value's life: returns the milliseconds before its soft end at which it was refreshed; 0: not before. */
static uint32_t live(early_fixture *f) {
	put(f);
	world_pass(&f->world, TTL_MS - f->steps * f->step_ms);
	for (uint32_t step = f->steps; step >= 1; step--) {
		if (ask(f) == MCP_VERDICT_ELECTED) {
			return step * f->step_ms;
		}
		world_pass(&f->world, f->step_ms);
	}
	return 0;
}

static observation observe(early_fixture *f) {
	double sum_ms = 0;
	unsigned refreshed = 0;
	for (unsigned i = 0; i < VALUES; i++) {
		uint32_t lead_ms = live(f);
		refreshed += lead_ms > 0;
		sum_ms += lead_ms;
	}
	return (observation){.share = (double)refreshed / VALUES, .lead_ms = sum_ms / refreshed};
}

/* Holds what is seen within four standard deviations, of which a right implementation leaves the one in 16,000. */
static void hold_to_formula(early_fixture *f, double least_share, double most_share) {
	observation formula = expected(f);
	assert_true(formula.share > least_share && formula.share < most_share);
	observation seen = observe(f);
	double share_deviation = sqrt(formula.share * (1 - formula.share) / VALUES);
	double lead_deviation_ms = formula.lead_deviation_ms / sqrt(VALUES * formula.share);
	print_message("beta %g: %.4f refreshed early (formula %.4f), %.1f ms before (formula %.1f)\n",
		f->beta, seen.share, formula.share, seen.lead_ms, formula.lead_ms);
	assert_true(fabs(seen.share - formula.share) <= 4 * share_deviation);
	assert_true(fabs(seen.lead_ms - formula.lead_ms) <= 4 * lead_deviation_ms);
	assert_int_equal(f->statistics.counts[MCP_COUNT_ELECTIONS],
		f->statistics.counts[MCP_COUNT_EARLY]);
}

#define EARLY_TEST(name, f) TEST_OF(early_fixture, name, f, open_fixture, close_fixture)

EARLY_TEST(with_beta_1_the_share_and_the_lead_are_the_formulas, f) {
	f->beta = 1;
	f->compute_ms = 500;
	f->step_ms = 1000;
	f->steps = 6;
	hold_to_formula(f, 0.1, 0.2);
	memset(&f->statistics, 0, sizeof(f->statistics));
	f->step_ms = 250;
	f->steps = 20;
	hold_to_formula(f, 0.7, 0.95);
}

EARLY_TEST(beta_stretches_the_lead, f) {
	f->beta = 3;
	f->compute_ms = 200;
	f->step_ms = 1200;
	f->steps = 8;
	hold_to_formula(f, 0.1, 0.2);
}

/* As many readers a second as a hot key has: nearly nobody ever sees the soft end. */
EARLY_TEST(a_hot_key_is_nearly_always_refreshed_early, f) {
	f->beta = 1;
	f->compute_ms = 200;
	f->step_ms = 20;
	f->steps = STEPS_MAX;
	observation formula = expected(f);
	assert_true(formula.share > 0.999);
	unsigned late = 0;
	for (unsigned i = 0; i < 1000; i++) {
		late += live(f) == 0;
	}
	assert_in_range(late, 0, 5);
}

EARLY_TEST(while_one_refreshes_early_nobody_else_is_elected, f) {
	f->beta = 1000;
	f->compute_ms = 60000;
	put(f);
	assert_int_equal(MCP_VERDICT_ELECTED, ask(f));
	for (unsigned i = 0; i < 1000; i++) {
		assert_int_equal(MCP_VERDICT_FRESH, ask(f));
	}
	/* The soft end changes nothing about it, the end of the claim does. */
	world_pass(&f->world, TTL_MS);
	assert_int_equal(MCP_VERDICT_BUSY, ask(f));
	world_pass(&f->world, LEASE_MS - TTL_MS);
	assert_int_equal(1, f->statistics.counts[MCP_COUNT_ELECTIONS]);
}

EARLY_TEST(without_a_beta_a_measured_time_or_an_end_nobody_is_early, f) {
	f->steps = STEPS_MAX;
	f->step_ms = 5;
	f->compute_ms = 60000;
	assert_int_equal(0, live(f));
	f->beta = 1000;
	f->compute_ms = 0;
	assert_int_equal(0, live(f));
	mcp_cache_value endless = {.payload = mcp_bytes_of("value", 5), .compute_ms = 60000};
	mcp_cache_set(&f->cache, &f->key, &endless);
	for (unsigned i = 0; i < 1000; i++) {
		assert_int_equal(MCP_VERDICT_FRESH, ask(f));
	}
	assert_int_equal(0, f->statistics.counts[MCP_COUNT_EARLY]);
}
