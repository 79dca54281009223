/* Fibers on all systems but Windows. On x86-64 and aarch64, assembly switches stacks in about 5 ns. Other processors
 * and sanitizers, which must know about stacks, use ucontext with a system call per switch. */
/* SPDX-License-Identifier: MIT */
#include "world/fiber.h"

#ifndef _WIN32

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_BYTES = 128 * 1024 };

/* At the far end of each stack. If it is overwritten, a client used more than its stack. */
static const uint64_t canary = 0x5AFE57ACC5AFE57Au;

static sim_fiber *current;

static void check_canary(const sim_fiber *fiber) {
	if (memcmp(fiber->stack, &canary, sizeof(canary)) != 0) {
		fputs("simulation: a client's stack overflowed\n", stderr);
		abort();
	}
}

static void make_stack(sim_fiber *fiber) {
	if (fiber->stack == NULL) {
		fiber->stack = aligned_alloc(64, STACK_BYTES);
		if (fiber->stack == NULL) {
			abort();
		}
		memcpy(fiber->stack, &canary, sizeof(canary));
	}
}

/* The fiber's first frame. Must not return, because no frame is below it. */
static void run(void) {
	sim_fiber *self = current;
	self->entry(self->argument);
	self->is_running = false;
	for (;;) {
		sim_fiber_give_way();
	}
}

#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__linux__) && !defined(SIM_UCONTEXT)

/* Saves the callee-saved registers, stores the stack pointer in *save and continues at `load`. */
void sim_fiber_switch(void **save, void *load);

#ifdef __x86_64__
__asm__(
	".text\n.globl sim_fiber_switch\n.type sim_fiber_switch,@function\nsim_fiber_switch:\n"
	"pushq %rbp\npushq %rbx\npushq %r12\npushq %r13\npushq %r14\npushq %r15\n"
	"movq %rsp,(%rdi)\nmovq %rsi,%rsp\n"
	"popq %r15\npopq %r14\npopq %r13\npopq %r12\npopq %rbx\npopq %rbp\nret\n"
	".size sim_fiber_switch,.-sim_fiber_switch\n.section .note.GNU-stack,\"\",%progbits\n.text\n");

enum { SAVED_WORDS = 6, PADDING_WORDS = 3 };
#else
__asm__(
	".text\n.globl sim_fiber_switch\n.type sim_fiber_switch,%function\nsim_fiber_switch:\n"
	"sub sp,sp,#160\nstp x19,x20,[sp]\nstp x21,x22,[sp,#16]\nstp x23,x24,[sp,#32]\n"
	"stp x25,x26,[sp,#48]\nstp x27,x28,[sp,#64]\nstp x29,x30,[sp,#80]\n"
	"stp d8,d9,[sp,#96]\nstp d10,d11,[sp,#112]\nstp d12,d13,[sp,#128]\nstp d14,d15,[sp,#144]\n"
	"mov x9,sp\nstr x9,[x0]\nmov sp,x1\n"
	"ldp x19,x20,[sp]\nldp x21,x22,[sp,#16]\nldp x23,x24,[sp,#32]\n"
	"ldp x25,x26,[sp,#48]\nldp x27,x28,[sp,#64]\nldp x29,x30,[sp,#80]\n"
	"ldp d8,d9,[sp,#96]\nldp d10,d11,[sp,#112]\nldp d12,d13,[sp,#128]\nldp d14,d15,[sp,#144]\n"
	"add sp,sp,#160\nret\n"
	".size sim_fiber_switch,.-sim_fiber_switch\n.section .note.GNU-stack,\"\",%progbits\n.text\n");

enum { SAVED_WORDS = 20, RETURN_WORD = 11 };
#endif

static void *scheduler;

void sim_fiber_start(sim_fiber *fiber, void (*entry)(void *argument), void *argument) {
	make_stack(fiber);
	fiber->entry = entry;
	fiber->argument = argument;
	fiber->is_running = true;
	uintptr_t *top = (uintptr_t *)(void *)(fiber->stack + STACK_BYTES);
#ifdef __x86_64__
	/* As after a call: at the start of `run`, the stack is 16-byte aligned except for one word. */
	top -= PADDING_WORDS;
	*--top = (uintptr_t)run;
	top -= SAVED_WORDS;
	memset(top, 0, SAVED_WORDS * sizeof(*top));
#else
	top -= SAVED_WORDS;
	memset(top, 0, SAVED_WORDS * sizeof(*top));
	top[RETURN_WORD] = (uintptr_t)run;
#endif
	fiber->saved = top;
}

void sim_fiber_resume(sim_fiber *fiber) {
	current = fiber;
	sim_fiber_switch(&scheduler, fiber->saved);
	check_canary(fiber);
}

void sim_fiber_give_way(void) {
	sim_fiber_switch(&current->saved, scheduler);
}

#else

#include <ucontext.h>

static ucontext_t scheduler;

void sim_fiber_start(sim_fiber *fiber, void (*entry)(void *argument), void *argument) {
	make_stack(fiber);
	fiber->entry = entry;
	fiber->argument = argument;
	fiber->is_running = true;
	if (fiber->saved == NULL) {
		fiber->saved = malloc(sizeof(ucontext_t));
		if (fiber->saved == NULL) {
			abort();
		}
	}
	ucontext_t *context = fiber->saved;
	getcontext(context);
	context->uc_stack.ss_sp = fiber->stack + sizeof(canary);
	context->uc_stack.ss_size = STACK_BYTES - sizeof(canary);
	context->uc_link = NULL;
	makecontext(context, run, 0);
}

void sim_fiber_resume(sim_fiber *fiber) {
	current = fiber;
	swapcontext(&scheduler, fiber->saved);
	check_canary(fiber);
}

void sim_fiber_give_way(void) {
	swapcontext(current->saved, &scheduler);
}

#endif

#endif
