/* Coroutines: each simulated client runs the patterns' unchanged, blocking code on a stack of its
 * own, and gives way at every store call and every pause. */
/* SPDX-License-Identifier: MIT */
#ifndef SIM_FIBER_H
#define SIM_FIBER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sim_fiber {
	void
		*saved; /* the stack pointer while it is not running; a ucontext where there is no switch */
	char *stack; /* made once, kept for all runs */
	void (*entry)(void *argument);
	void *argument;
	bool is_running;
} sim_fiber;

/* Starts: ready to run `entry` from its start; whatever it was doing before is forgotten. */
void sim_fiber_start(sim_fiber *fiber, void (*entry)(void *argument), void *argument);

/* Runs it until it gives way or ends. */
void sim_fiber_resume(sim_fiber *fiber);

/* Gives way, from inside the running fiber, to whoever resumed it. */
void sim_fiber_give_way(void);

#endif
