/* The results that many keys are read into: used again, and given back where one call took much more than an
 * ordinary one. The bytes are put into them here as libmemcached would. */
/* SPDX-License-Identifier: MIT */
#include <string.h>
#include <cmocka.h>

#include "../../src/core/bytes.h"
#include "../../src/store/wire/libmemcached/wire_results.h"

static memcached_st *handle;
static mcp_wire_results results;

static int set_up(void **state) {
	handle = memcached_create(NULL);
	results = (mcp_wire_results){0};
	return handle == NULL;
}

static int tear_down(void **state) {
	mcp_wire_results_free(&results);
	memcached_free(handle);
	return 0;
}

/* Reads an item of so many bytes, all `letter`. */
static void read_item(char letter, size_t length) {
	if (results.used == results.made) {
		mcp_wire_results_make(&results, handle);
	}
	memcached_result_st *next = &results.all[results.used++].it;
	size_t size_before = next->value.current_size;
	memcached_result_reset(next);
	for (size_t i = 0; i < length; i++) {
		memcached_result_set_value(next, &letter, 1);
	}
	results.held_bytes += next->value.current_size - size_before;
}

static void assert_shows(size_t i, char letter, size_t length) {
	mcp_item item;
	mcp_wire_result_show(&results.all[i].it, &item);
	assert_int_equal(length, item.value.length);
	assert_int_equal(letter, item.value.data[0]);
	assert_int_equal(letter, item.value.data[length - 1]);
}

TEST_WITH(views_outlive_further_asks, set_up, tear_down) {
	assert_true(mcp_wire_results_expect(&results, 2, false));
	read_item('a', 10);
	read_item('b', 2000);
	mcp_item item;
	mcp_wire_result_show(&results.all[1].it, &item);
	assert_true(mcp_wire_results_expect(&results, 1000, true));
	for (int i = 0; i < 1000; i++) {
		read_item('c', 3);
	}
	assert_shows(0, 'a', 10);
	assert_memory_equal("bbbb", item.value.data, 4);
	assert_shows(1001, 'c', 3);
	assert_false(mcp_wire_results_are_too_many(&results));
}

TEST_WITH(one_more_than_was_asked_for_has_room_and_is_too_many, set_up, tear_down) {
	for (int round = 0; round < 2; round++) {
		assert_true(mcp_wire_results_expect(&results, 1, false));
		read_item('a', 1);
		assert_false(mcp_wire_results_are_too_many(&results));
		assert_true(results.used < results.capacity);
		read_item('b', 1);
		assert_true(mcp_wire_results_are_too_many(&results));
	}
}

TEST_WITH(the_same_memory_is_used_again, set_up, tear_down) {
	assert_true(mcp_wire_results_expect(&results, 10, false));
	for (int i = 0; i < 10; i++) {
		read_item('a', 1000);
	}
	size_t held = results.held_bytes;
	const char *first = results.all[0].it.value.string;
	assert_true(mcp_wire_results_expect(&results, 10, false));
	for (int i = 0; i < 10; i++) {
		read_item('b', 1000);
	}
	assert_int_equal(held, results.held_bytes);
	assert_ptr_equal(first, results.all[0].it.value.string);
	assert_shows(9, 'b', 1000);
}

/* Sums up what libmemcached says of each. */
static size_t count_held(void) {
	size_t held = results.made * sizeof(*results.all);
	for (size_t i = 0; i < results.made; i++) {
		held += results.all[i].it.value.current_size;
	}
	return held;
}

TEST_WITH(what_a_large_call_took_is_given_back_and_an_ordinary_share_kept, set_up, tear_down) {
	enum { MANY = 40, LARGE = 50000 };
	assert_true(mcp_wire_results_expect(&results, MANY, false));
	for (int i = 0; i < MANY; i++) {
		read_item('a', LARGE);
	}
	assert_true(results.held_bytes > MCP_BUFFER_KEPT_MAX);
	assert_shows(MANY - 1, 'a', LARGE);
	assert_true(mcp_wire_results_expect(&results, 1, false));
	assert_true(results.held_bytes <= MCP_BUFFER_KEPT_MAX);
	assert_true(results.held_bytes + 2 * LARGE > MCP_BUFFER_KEPT_MAX);
	assert_int_equal(count_held(), results.held_bytes);
	assert_true(results.made <= results.capacity);
}

TEST_WITH(a_single_giant_is_given_back, set_up, tear_down) {
	assert_true(mcp_wire_results_expect(&results, 1, false));
	read_item('a', MCP_BUFFER_KEPT_MAX);
	mcp_wire_results_trim(&results);
	assert_int_equal(0, results.held_bytes);
	assert_int_equal(0, results.made);
	assert_true(mcp_wire_results_expect(&results, 1, false));
	read_item('b', 5);
	assert_shows(0, 'b', 5);
}

/* The first is the last to be given back, and the places of all stand before it. */
TEST_WITH(the_places_of_many_are_given_back_with_a_giant_before_them, set_up, tear_down) {
	enum { MANY = 10000 };
	assert_true(mcp_wire_results_expect(&results, MANY, false));
	read_item('a', MCP_BUFFER_KEPT_MAX);
	for (int i = 1; i < MANY; i++) {
		read_item('b', 1);
	}
	assert_true(mcp_wire_results_expect(&results, 1, false));
	assert_true(results.capacity * sizeof(*results.all) <= MCP_BUFFER_KEPT_MAX);
	read_item('c', 5);
	assert_shows(0, 'c', 5);
	assert_int_equal(count_held(), results.held_bytes);
}

TEST_WITH(what_was_put_back_comes_first_once, set_up, tear_down) {
	assert_true(mcp_wire_results_expect(&results, 1, false));
	read_item('a', 1);
	memcached_return_t code = MEMCACHED_SUCCESS;
	mcp_wire_results_put_back(&results, &results.all[0].it, code);
	assert_ptr_equal(&results.all[0].it, mcp_wire_results_fetch_again(&results, handle, &code));
	assert_false(results.has_put_back);
	mcp_wire_results_put_back(&results, NULL, MEMCACHED_END);
	assert_null(mcp_wire_results_fetch_again(&results, handle, &code));
	assert_int_equal(MEMCACHED_END, code);
	mcp_wire_results_put_back(&results, NULL, MEMCACHED_END);
	assert_true(mcp_wire_results_expect(&results, 1, false));
	assert_false(results.has_put_back);
}
