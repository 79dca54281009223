/* Holds Lock and Semaphore to what L11 says of a lock that nobody holds: a process of the same host takes it over at once, be
 * its holder's process gone, or be it an item that a write without an answer has left. What is held is never taken. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/patterns/lock/semaphore.h"
#include "holder_world.h"
#include "lock_world.h"

static holder_world *processes;

/* Alice's process is the first, bob's the second. */
static int set_up(void **state) {
	open_lock_world(state);
	lock_world *w = *state;
	processes = open_holder_world();
	w->lock.holder = w->lock.named = &processes->first;
	w->rival.holder = w->rival.named = &processes->second;
	return 0;
}

/* Has alice fail to acquire it, and her `add` be carried out all the same. */
static void fail_and_leave_an_item(lock_world *w) {
	world_watch(&w->world, 1, WORLD_DOWN_AFTER);
	assert_int_equal(MCP_UNKNOWN, acquire(w));
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_string_equal("alice", stored_owner(w));
}

#define IN_WORLD(name, w) TEST_OF(lock_world, name, w, set_up, close_lock_world)

IN_WORLD(a_crashed_holders_is_taken_over_at_once, w) {
	assert_int_equal(MCP_OK, rival_acquire(w));
	assert_int_equal(MCP_NOT_STORED, acquire(w));
	end_process(&processes->second);
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, acquire(w));
	assert_int_equal(3, w->world.calls);
	assert_string_equal("alice", stored_owner(w));
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_verify(&w->rival, &w->rival_hold));
}

IN_WORLD(a_late_write_is_taken_over_though_its_sender_is_idle, w) {
	fail_and_leave_an_item(w);
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_find(&w->rival));
	assert_int_equal(MCP_OK, rival_acquire(w));
	assert_string_equal("bob", stored_owner(w));
}

IN_WORLD(a_late_write_is_its_senders_again_when_it_acquires, w) {
	fail_and_leave_an_item(w);
	assert_int_equal(MCP_OK, acquire(w));
	assert_int_equal(MCP_NOT_STORED, rival_acquire(w));
	assert_int_equal(MCP_OK, mcp_lock_verify(&w->lock, &w->hold));
}

/* Bob looks while alice takes what she had given up; his swap then finds another item. */
static void acquire_in_between(test_world *world, unsigned call) {
	lock_world *w = world->actor;
	if (call == 3) {
		assert_int_equal(MCP_OK, acquire(w));
	}
}

IN_WORLD(of_both_who_want_a_late_write_one_has_it, w) {
	fail_and_leave_an_item(w);
	world_watch(&w->world, 0, WORLD_SOUND);
	w->world.before_call = acquire_in_between;
	assert_int_equal(MCP_NOT_STORED, rival_acquire(w));
	w->world.before_call = NULL;
	assert_int_equal(MCP_OK, mcp_lock_verify(&w->lock, &w->hold));
}

IN_WORLD(a_release_without_an_answer_leaves_nothing, w) {
	assert_int_equal(MCP_OK, acquire(w));
	world_watch(&w->world, 1, WORLD_DOWN);
	assert_true(mcp_status_is_failure(mcp_lock_release(&w->lock, &w->hold)));
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_string_equal("alice", stored_owner(w));
	assert_int_equal(MCP_OK, rival_acquire(w));
}

IN_WORLD(what_a_living_process_holds_is_waited_for, w) {
	assert_int_equal(MCP_OK, acquire(w));
	assert_int_equal(MCP_OK, mcp_lock_refresh(&w->lock, &w->hold));
	world_pass(&w->world, TTL_MS + SKEW_MS - 1);
	assert_int_equal(MCP_NOT_STORED, rival_acquire(w));
	assert_int_equal(MCP_OK, mcp_lock_find(&w->rival));
	world_pass(&w->world, 1);
	assert_int_equal(MCP_OK, rival_acquire(w));
}

/* While bob is in the middle of it: his item is there, and he does not know it yet. */
static void try_in_between(test_world *world, unsigned call) {
	lock_world *w = world->actor;
	if (call == 2) {
		assert_string_equal("bob", stored_owner(w));
		assert_int_equal(MCP_NOT_STORED, acquire(w));
	}
}

IN_WORLD(what_is_being_acquired_is_not_taken, w) {
	world_watch(&w->world, 1, WORLD_REPLY_LOST);
	w->world.before_call = try_in_between;
	assert_int_equal(MCP_OK, rival_acquire(w));
	w->world.before_call = NULL;
	assert_int_equal(MCP_OK, mcp_lock_verify(&w->rival, &w->rival_hold));
}

IN_WORLD(a_refresh_without_an_answer_goes_on_holding, w) {
	assert_int_equal(MCP_OK, acquire(w));
	world_watch(&w->world, 2, WORLD_DOWN_AFTER);
	assert_int_equal(MCP_UNKNOWN, mcp_lock_refresh(&w->lock, &w->hold));
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_true(is_held(w));
	assert_int_equal(MCP_NOT_STORED, rival_acquire(w));
}

IN_WORLD(another_hosts_is_waited_for, w) {
	w->rival.holder = w->rival.named = &processes->far;
	assert_int_equal(MCP_OK, rival_acquire(w));
	end_process(&processes->far);
	assert_int_equal(MCP_NOT_STORED, acquire(w));
	world_pass(&w->world, TTL_MS + SKEW_MS);
	assert_int_equal(MCP_OK, acquire(w));
}

IN_WORLD(what_outlives_its_holder_is_waited_for, w) {
	w->rival.named = NULL;
	assert_int_equal(MCP_OK, rival_acquire(w));
	assert_int_equal(0, registered(&processes->second));
	end_process(&processes->second);
	assert_int_equal(MCP_NOT_STORED, acquire(w));
}

IN_WORLD(an_item_without_a_process_is_waited_for, w) {
	w->rival.holder = w->rival.named = NULL;
	assert_int_equal(MCP_OK, rival_acquire(w));
	assert_memory_equal("lock1 ", world_peek(&w->world, ITEM), 6);
	assert_int_equal(MCP_NOT_STORED, acquire(w));
	assert_int_equal(MCP_OK, mcp_lock_release(&w->rival, &w->rival_hold));
	assert_int_equal(MCP_OK, acquire(w));
	assert_memory_equal("lock2 ", world_peek(&w->world, ITEM), 6);
}

IN_WORLD(what_is_handed_over_outlives_its_process, w) {
	assert_int_equal(MCP_OK, rival_acquire(w));
	world_pass(&w->world, TTL_MS / 2);
	world_watch(&w->world, 0, WORLD_SOUND);
	assert_int_equal(MCP_OK, mcp_lock_hand_over(&w->rival, &w->rival_hold));
	assert_int_equal(2, w->world.calls);
	assert_false(mcp_hold_is_open(&w->rival_hold));
	end_process(&processes->second);
	assert_int_equal(MCP_NOT_STORED, acquire(w));
	world_pass(&w->world, TTL_MS / 2 + SKEW_MS);
	assert_int_equal(MCP_OK, acquire(w));
}

IN_WORLD(what_was_handed_over_is_adopted_and_ends_with_its_new_process, w) {
	assert_int_equal(MCP_OK, rival_acquire(w));
	assert_int_equal(MCP_OK, mcp_lock_hand_over(&w->rival, &w->rival_hold));
	mcp_lock adopter = w->lock;
	mcp_hold hold = {.stamp = 0};
	adopter.owner = w->rival.owner;
	assert_int_equal(MCP_OK, mcp_lock_adopt(&adopter, &hold));
	assert_int_equal(MCP_NOT_STORED, rival_acquire(w));
	end_process(&processes->first);
	assert_int_equal(MCP_OK, rival_acquire(w));
}

IN_WORLD(what_is_lost_is_not_handed_over, w) {
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_hand_over(&w->lock, &w->hold));
	assert_int_equal(MCP_OK, acquire(w));
	world_remove(&w->world, ITEM);
	assert_int_equal(MCP_NOT_FOUND, mcp_lock_hand_over(&w->lock, &w->hold));
	assert_int_equal(MCP_OK, acquire(w));
	world_watch(&w->world, 1, WORLD_DOWN);
	assert_int_equal(MCP_UNREACHABLE, mcp_lock_hand_over(&w->lock, &w->hold));
	assert_true(is_held(w));
}

IN_WORLD(nothing_stays_registered, w) {
	static const world_fault faults[] = {WORLD_SOUND, WORLD_REPLY_LOST, WORLD_REQUEST_LOST,
		WORLD_DOWN, WORLD_REFUSED_AFTER, WORLD_DOWN_AFTER};
	for (unsigned i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		for (unsigned call = 1; call <= 5; call++) {
			world_watch(&w->world, call, faults[i]);
			if (acquire(w) == MCP_OK) {
				assert_int_equal(1, registered(&processes->first));
				mcp_lock_refresh(&w->lock, &w->hold);
			}
			mcp_lock_release(&w->lock, &w->hold);
			assert_int_equal(0, registered(&processes->first));
			world_watch(&w->world, 0, WORLD_SOUND);
			mcp_lock_release(&w->lock, &w->hold);
			world_remove(&w->world, ITEM);
		}
	}
	assert_int_equal(MCP_OK, rival_acquire(w));
	assert_int_equal(MCP_NOT_STORED, acquire_by(w, 500));
	assert_int_equal(0, registered(&processes->first));
}

IN_WORLD(a_crashed_holders_permit_is_taken_over_at_once, w) {
	enum { PERMITS = 2 };
	mcp_key_buffer buffer, buffers[PERMITS];
	mcp_key name = world_key(&buffer, MCP_SPACE_SEMAPHORE, "export"), keys[PERMITS];
	mcp_op replies[PERMITS];
	uint32_t free_ones[PERMITS], permit, available;
	mcp_semaphore_scratch scratch = {keys, buffers, replies, free_ones};
	mcp_semaphore mine = {w->lock, PERMITS}, others = {w->rival, PERMITS};
	mcp_hold holds[PERMITS] = {0}, hold = {0};
	mine.lock.key = others.lock.key = &name;
	for (unsigned i = 0; i < PERMITS; i++) {
		assert_int_equal(MCP_OK, mcp_semaphore_acquire(&others, &scratch, &holds[i], &permit, 0));
	}
	assert_int_equal(MCP_NOT_STORED, mcp_semaphore_acquire(&mine, &scratch, &hold, &permit, 0));
	end_process(&processes->second);
	assert_int_equal(MCP_OK, mcp_semaphore_available(&mine, &scratch, &available));
	assert_int_equal(PERMITS, available);
	assert_int_equal(MCP_OK, mcp_semaphore_acquire(&mine, &scratch, &hold, &permit, 0));
	assert_int_equal(MCP_OK, mcp_semaphore_available(&mine, &scratch, &available));
	assert_int_equal(PERMITS - 1, available);
}
