/* Coroutines based on the fibers of Windows. */
/* SPDX-License-Identifier: MIT */
#include "world/fiber.h"

#ifdef _WIN32

#include <stdlib.h>
#include <windows.h>

enum { STACK_BYTES = 128 * 1024 };

static sim_fiber *current;
static void *scheduler;

static void CALLBACK run(void *argument) {
	sim_fiber *self = argument;
	self->entry(self->argument);
	self->is_running = false;
	for (;;) {
		sim_fiber_give_way();
	}
}

void sim_fiber_start(sim_fiber *fiber, void (*entry)(void *argument), void *argument) {
	if (scheduler == NULL) {
		scheduler = ConvertThreadToFiber(NULL);
	}
	if (fiber->saved != NULL) {
		DeleteFiber(fiber->saved);
	}
	fiber->entry = entry;
	fiber->argument = argument;
	fiber->is_running = true;
	fiber->saved = CreateFiber(STACK_BYTES, run, fiber);
	if (fiber->saved == NULL) {
		abort();
	}
}

void sim_fiber_resume(sim_fiber *fiber) {
	current = fiber;
	SwitchToFiber(fiber->saved);
}

void sim_fiber_give_way(void) {
	SwitchToFiber(scheduler);
}

#endif
