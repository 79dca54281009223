/* The signal handler has its own stack, because a fiber's stack may be the one that crashed. */
/* SPDX-License-Identifier: MIT */
#include "world/crash.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#ifndef _WIN32
#include <unistd.h>
#endif

enum { STACK_SIZE = 65536 };

static char line[128];

void sim_crash_name(const char *what, uint64_t number, const char *family) {
	snprintf(line, sizeof(line), "FAILED crash: %s %llu of %s\n0 passed, 1 failed, 0 skipped\n",
		what, (unsigned long long)number, family);
}

#if defined(__SANITIZE_ADDRESS__) || defined(_WIN32)
void sim_crash_catch(void) {
}
#else
/* Writes the line and exits. Unflushed output is lost, because only async-signal-safe calls are allowed here. */
static void crashed(int signal_number) {
	ssize_t written = write(STDOUT_FILENO, line, strlen(line));
	_exit(written < 0 ? 2 : 1);
}

void sim_crash_catch(void) {
	static char memory[STACK_SIZE];
	static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)};
	struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK};
	sigaltstack(&stack, NULL);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		sigaction(signals[i], &action, NULL);
	}
}
#endif
