/* The processes' ids are their numbers. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include "holder_world.h"

enum { MEMORY_SIZE = 1024, IDS = 8 };

static _Alignas(64) char memory[MEMORY_SIZE], memory_of_far[MEMORY_SIZE];
static mcp_holders table, table_of_far;
static bool has_ended[IDS];
static holder_world world;

static bool is_gone(uint32_t pid, uint64_t start) {
	return has_ended[pid];
}

static void enter(mcp_holder *holder, mcp_holders *of, uint64_t machine, uint32_t pid) {
	mcp_holder_name name = {.machine = machine, .start = 1, .pid = pid};
	mcp_holder_enter(holder, of, &name, is_gone);
	assert_true(holder->name.record != 0);
}

holder_world *open_holder_world(void) {
	memset(memory, 0, sizeof(memory));
	memset(memory_of_far, 0, sizeof(memory_of_far));
	memset(has_ended, 0, sizeof(has_ended));
	assert_true(mcp_holders_open(&table, memory, sizeof(memory), 1));
	assert_true(mcp_holders_open(&table_of_far, memory_of_far, sizeof(memory_of_far), 2));
	enter(&world.first, &table, 1, 1);
	enter(&world.second, &table, 1, 2);
	enter(&world.far, &table_of_far, 2, 3);
	return &world;
}

void end_process(const mcp_holder *holder) {
	has_ended[holder->name.pid] = true;
}

unsigned registered(const mcp_holder *holder) {
	unsigned count = 0;
	for (unsigned i = 0; i < MCP_HOLDER_STAMPS; i++) {
		count += atomic_load_explicit(&holder->record->stamps[i], memory_order_relaxed) != 0;
	}
	return count;
}
