/* Sleeps by moving the clock. */
/* SPDX-License-Identifier: MIT */
#include "bell_world.h"

#include "../../src/store/wrapped/change_notifier.h"

static mcp_atomic_u64 counters[2];
static const mcp_changes changes = {.all = &counters[0], .of_keys = &counters[1], .mask = 0};
static _Alignas(64) mcp_wakeup bell;
static mcp_wakeups bells;
static uint64_t *clock_ms;
static bell_world world;

static uint64_t bell_ms(const mcp_environment *self) {
	return *clock_ms;
}

static mcp_doze doze(const mcp_environment *self, const mcp_atomic_u32 *word, uint32_t noted,
	uint32_t bits, uint64_t end_ms) {
	world.dozes++;
	if (world.while_asleep != NULL) {
		void (*work)(void *) = world.while_asleep;
		world.while_asleep = NULL;
		work(world.actor);
	}
	if (*word != noted) {
		return MCP_DOZE_WOKEN;
	}
	*clock_ms = end_ms;
	return MCP_DOZE_OVER;
}

static void wake(const mcp_environment *self, const mcp_atomic_u32 *word, uint32_t bits,
	bool wakes_one) {
	world.wakes++;
	world.wakes_of_all += !wakes_one;
}

bell_world *bell_world_open(mcp_store *store, const mcp_environment *environment,
	uint64_t *now_ms) {
	bell = (mcp_wakeup){0};
	clock_ms = now_ms;
	mcp_wakeups_open(&bells, &bell, sizeof(bell));
	world = (bell_world){.bell = &bell, .environment = *environment};
	world.environment.bell_ms = bell_ms;
	world.environment.doze = doze;
	world.environment.wake = wake;
	mcp_notified_host host = {&changes, &bells, &world.environment};
	world.store = mcp_change_notifier_create(store, &host);
	return world.store != NULL ? &world : NULL;
}

void bell_world_close(bell_world *opened) {
	mcp_store_free(opened->store);
}
