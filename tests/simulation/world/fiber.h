/* Coroutines. Each simulated client runs the patterns' unchanged, blocking code on its own stack, and yields at each
 * store call and pause. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_FIBER_H
#define SIM_FIBER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sim_fiber {
	void *saved; /* stack pointer of a suspended fiber; or a ucontext */
	char *stack; /* allocated once, reused by all runs */
	void (*entry)(void *argument);
	void *argument;
	bool is_running;
} sim_fiber;

/* Prepares the fiber to run `entry` from its start. Its previous execution is discarded. */
void sim_fiber_start(sim_fiber *fiber, void (*entry)(void *argument), void *argument);

/* Runs the fiber until it yields or ends. */
void sim_fiber_resume(sim_fiber *fiber);

/* Yields from the running fiber to its caller. */
void sim_fiber_give_way(void);

#endif
