/* Holds the table of holders to what lock items are judged by: an item is an orphan only where its process has ended, or has
 * given the stamp up in this very memory. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "../../src/core/holders/holders.h"

#include <string.h>

enum { MACHINE = 77, RECORDS = 4, SIZE = 512 + RECORDS * 64 };

static _Alignas(64) char memory[SIZE];
static mcp_holders holders;
static mcp_holder self, other;

static struct {
	uint32_t pid; /* 0: none has ended */
	uint64_t start;
	unsigned asked;
} ended;

static bool is_gone(uint32_t pid, uint64_t start) {
	ended.asked++;
	return ended.pid == pid && ended.start == start;
}

static void enter(mcp_holder *one, uint64_t machine, uint32_t pid, const mcp_holders *table) {
	mcp_holder_name name = {.machine = machine, .start = 1000 + pid, .pid = pid};
	mcp_holder_enter(one, table, &name, is_gone);
}

static int set_up(void **state) {
	memset(memory, 0, sizeof(memory));
	memset(&ended, 0, sizeof(ended));
	assert_true(mcp_holders_open(&holders, memory, sizeof(memory), 8));
	enter(&self, MACHINE, 1, &holders);
	enter(&other, MACHINE, 2, &holders);
	return 0;
}

/* Returns the name that an item with this stamp bears. */
static mcp_holder_name named_for(mcp_holder *one, uint64_t stamp) {
	const mcp_holder_label *label = mcp_holder_register(one, stamp);
	mcp_bytes text = mcp_bytes_of(label->text, label->length);
	mcp_holder_name name;
	assert_true(mcp_holder_label_read(&text, &name));
	assert_int_equal(0, text.length);
	return name;
}

static void end_process(const mcp_holder *one) {
	ended.pid = one->name.pid;
	ended.start = one->name.start;
}

TEST_WITH(as_many_records_as_there_is_room_for, set_up, NULL) {
	mcp_holders some;
	assert_false(mcp_holders_open(&some, memory, 512 + 63, 8));
	assert_true(mcp_holders_open(&some, memory, 512 + 64, 8));
	assert_int_equal(1, some.count);
	assert_int_equal(RECORDS, holders.count);
}

TEST_WITH(what_is_registered_is_held, set_up, NULL) {
	mcp_holder_name name = named_for(&other, 5);
	assert_true(name.record != 0 && name.pid == 2);
	assert_false(mcp_holder_knows_orphan(&self, &name, 5));
	assert_false(mcp_holder_knows_orphan(&other, &name, 5));
}

TEST_WITH(what_was_given_up_is_an_orphan, set_up, NULL) {
	mcp_holder_name name = named_for(&other, 5);
	named_for(&other, 6);
	mcp_holder_unregister(&other, 5);
	assert_true(mcp_holder_knows_orphan(&self, &name, 5));
	assert_true(mcp_holder_knows_orphan(&other, &name, 5));
	assert_false(mcp_holder_knows_orphan(&self, &name, 6));
}

TEST_WITH(it_may_be_registered_twice_and_again, set_up, NULL) {
	mcp_holder_name name = named_for(&other, 5);
	named_for(&other, 5);
	mcp_holder_unregister(&other, 5);
	mcp_holder_unregister(&other, 5);
	assert_true(mcp_holder_knows_orphan(&self, &name, 5));
	named_for(&other, 5);
	assert_false(mcp_holder_knows_orphan(&self, &name, 5));
}

TEST_WITH(an_item_without_a_process_is_held, set_up, NULL) {
	mcp_holder_name name = {.machine = 0};
	assert_false(mcp_holder_knows_orphan(&self, &name, 5));
	assert_int_equal(0, ended.asked);
}

TEST_WITH(a_crashed_processs_is_an_orphan, set_up, NULL) {
	mcp_holder_name name = named_for(&other, 5);
	end_process(&other);
	assert_true(mcp_holder_knows_orphan(&self, &name, 5));
	name.record = 0;
	assert_true(mcp_holder_knows_orphan(&self, &name, 5));
}

TEST_WITH(another_machines_is_held, set_up, NULL) {
	mcp_holder far;
	enter(&far, MACHINE + 1, 2, &holders);
	mcp_holder_name name = named_for(&far, 5);
	end_process(&far);
	assert_false(mcp_holder_knows_orphan(&self, &name, 5));
	mcp_holder_unregister(&far, 5);
	assert_false(mcp_holder_knows_orphan(&self, &name, 5));
	assert_int_equal(0, ended.asked);
}

/* Also where a record of the same number is free there, or another process's. */
TEST_WITH(what_is_given_up_in_another_memory_is_held, set_up, NULL) {
	_Alignas(64) static char elsewhere[SIZE];
	mcp_holders others;
	mcp_holder far, alone;
	memset(elsewhere, 0, sizeof(elsewhere));
	assert_true(mcp_holders_open(&others, elsewhere, sizeof(elsewhere), 9));
	for (uint32_t pid = 11; pid < 11 + RECORDS; pid++) {
		enter(&far, MACHINE, pid, &others);
		mcp_holder_name name = named_for(&far, pid);
		mcp_holder_unregister(&far, pid);
		assert_true(name.record != 0);
		assert_false(mcp_holder_knows_orphan(&self, &name, pid));
	}
	enter(&alone, MACHINE, 21, NULL);
	mcp_holder_name name = named_for(&far, 5);
	mcp_holder_unregister(&far, 5);
	assert_false(mcp_holder_knows_orphan(&alone, &name, 5));
	name = named_for(&alone, 6);
	mcp_holder_unregister(&alone, 6);
	assert_int_equal(0, name.record);
	assert_false(mcp_holder_knows_orphan(&self, &name, 6));
}

/* As one has it that became another program after it had forked who looks. */
TEST_WITH(what_a_process_holds_by_another_memory_than_before_is_held, set_up, NULL) {
	_Alignas(64) static char next[SIZE];
	mcp_holders table_of_next;
	mcp_holder again;
	memset(next, 0, sizeof(next));
	assert_true(mcp_holders_open(&table_of_next, next, sizeof(next), 9));
	enter(&again, MACHINE, 2, &table_of_next);
	mcp_holder_name name = named_for(&again, 5);
	assert_int_equal(2 + 1, other.name.record % 10000);
	assert_int_equal(2 + 1, name.record % 10000);
	assert_false(mcp_holder_knows_orphan(&self, &name, 5));
	name = named_for(&other, 6);
	assert_false(mcp_holder_knows_orphan(&again, &name, 6));
}

TEST_WITH(a_memory_keeps_its_number, set_up, NULL) {
	mcp_holders reopened;
	assert_true(mcp_holders_open(&reopened, memory, sizeof(memory), 9));
	assert_int_equal(holders.number, reopened.number);
}

TEST_WITH(one_stamp_too_many_names_no_record, set_up, NULL) {
	for (uint64_t stamp = 1; stamp <= MCP_HOLDER_STAMPS; stamp++) {
		assert_int_equal(other.name.record, named_for(&other, stamp).record);
	}
	mcp_holder_name name = named_for(&other, 100);
	assert_int_equal(0, name.record);
	assert_false(mcp_holder_knows_orphan(&self, &name, 100));
	for (uint64_t stamp = 1; stamp <= MCP_HOLDER_STAMPS; stamp++) {
		name = named_for(&other, stamp);
		assert_false(mcp_holder_knows_orphan(&self, &name, stamp));
		mcp_holder_unregister(&other, stamp);
		assert_true(mcp_holder_knows_orphan(&self, &name, stamp));
	}
	assert_int_equal(other.name.record, named_for(&other, 100).record);
}

/* Fills the table. */
static void fill(mcp_holder more[RECORDS]) {
	for (uint32_t i = 2; i < RECORDS; i++) {
		enter(&more[i], MACHINE, 11 + i, &holders);
		assert_true(more[i].name.record != 0);
	}
}

TEST_WITH(a_full_table_has_no_record_for_one_more, set_up, NULL) {
	mcp_holder more[RECORDS], late;
	fill(more);
	enter(&late, MACHINE, 30, &holders);
	mcp_holder_name name = named_for(&late, 5);
	assert_int_equal(0, name.record);
	mcp_holder_unregister(&late, 5);
	assert_false(mcp_holder_knows_orphan(&self, &name, 5));
	end_process(&late);
	assert_true(mcp_holder_knows_orphan(&self, &name, 5));
}

TEST_WITH(a_crashed_processs_record_goes_to_the_next, set_up, NULL) {
	mcp_holder more[RECORDS], late;
	fill(more);
	mcp_holder_name crashed = named_for(&other, 5);
	end_process(&other);
	enter(&late, MACHINE, 30, &holders);
	assert_int_equal(crashed.record, late.name.record);
	/* What stood in it is not taken for the next one's. */
	mcp_holder_name name = named_for(&late, 6);
	mcp_holder_unregister(&late, 6);
	assert_true(mcp_holder_knows_orphan(&self, &name, 6));
	assert_true(mcp_holder_knows_orphan(&self, &crashed, 5));
	assert_true(mcp_holder_knows_orphan(&self, &name, 5));
}

TEST_WITH(another_machines_record_is_kept, set_up, NULL) {
	mcp_holder more[RECORDS], far, late;
	fill(more);
	mcp_holder_leave(&more[2]);
	enter(&far, MACHINE + 1, 9, &holders);
	assert_true(far.name.record != 0);
	end_process(&far);
	enter(&late, MACHINE, 30, &holders);
	assert_int_equal(0, late.name.record);
}

TEST_WITH(who_leaves_gives_the_record_back, set_up, NULL) {
	mcp_holder_name name = named_for(&other, 5);
	mcp_holder_leave(&other);
	mcp_holder more[RECORDS];
	for (uint32_t i = 1; i < RECORDS; i++) {
		enter(&more[i], MACHINE, 11 + i, &holders);
		assert_true(more[i].name.record != 0);
	}
	assert_false(mcp_holder_knows_orphan(&self, &name, 5));
}

TEST_WITH(so_many_machines_are_told_apart, set_up, NULL) {
	mcp_holder far;
	for (uint64_t machine = 1; machine <= MCP_HOLDER_MACHINES - 1; machine++) {
		enter(&far, 1000 + machine, 9, &holders);
		assert_true(far.name.record != 0);
		mcp_holder_leave(&far);
	}
	enter(&far, 5000, 9, &holders);
	mcp_holder_name name = named_for(&far, 5);
	assert_int_equal(0, name.record);
	mcp_holder_unregister(&far, 5);
	assert_false(mcp_holder_knows_orphan(&far, &name, 5));
}

TEST_WITH(nonsense_in_the_memory_is_no_orphan, set_up, NULL) {
	mcp_holder_name name = named_for(&other, 5);
	name.record = other.name.record / 10000 * 10000 + RECORDS + 1;
	assert_false(mcp_holder_knows_orphan(&self, &name, 5));
	name.record = other.name.record;
	memset(memory, 0xA5, sizeof(memory));
	assert_false(mcp_holder_knows_orphan(&self, &name, 5));
}
