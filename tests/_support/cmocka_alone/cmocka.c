/* Runs the tests one after the other in this process. A signal ends them all, as in cmocka. */
/* SPDX-License-Identifier: MIT */
#include "cmocka.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum end {
	PASSED,
	FAILED,
	SKIPPED,
} end;

static jmp_buf running;
static bool is_running;

void print_message(const char *format, ...) {
	va_list arguments;
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
}

/* Ends the process if no test runs. The parent of a forked child learns about a failure by the exit status. */
static _Noreturn void leave(end how) {
	if (!is_running) {
		exit(1);
	}
	longjmp(running, how);
}

void cmocka_alone_fail(const char *file, int line, const char *format, ...) {
	va_list arguments;
	printf("# %s:%d: ", file, line);
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	printf("\n");
	leave(FAILED);
}

void cmocka_alone_skip(void) {
	leave(SKIPPED);
}

static end run_function(const struct CMUnitTest *test, CMFixtureFunction fixture, void **state) {
	volatile end how = PASSED;
	switch (setjmp(running)) {
		case PASSED:
			is_running = true;
			if (fixture == NULL) {
				test->test_func(state);
			} else if (fixture(state) != 0) {
				how = FAILED;
			}
			break;
		case SKIPPED:
			how = SKIPPED;
			break;
		default:
			how = FAILED;
	}
	is_running = false;
	return how;
}

/* Tears down after every result, unless the setup failed. */
static end run_test(const struct CMUnitTest *test, void *state) {
	end how = PASSED;
	if (test->setup_func != NULL) {
		how = run_function(test, test->setup_func, &state);
	}
	if (how != PASSED) {
		return how;
	}
	how = run_function(test, NULL, &state);
	if (test->teardown_func != NULL && run_function(test, test->teardown_func, &state) == FAILED) {
		return FAILED;
	}
	return how;
}

int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count,
	CMFixtureFunction set_up, CMFixtureFunction tear_down) {
	void *state = NULL;
	int failed = 0;
	printf("1..%u\n", (unsigned)count);
	fflush(stdout);
	if (set_up != NULL && run_function(NULL, set_up, &state) != PASSED) {
		printf("not ok 1 - the group %s was not set up\n", name);
		return 1;
	}
	for (size_t i = 0; i < count; i++) {
		end how =
			run_test(&tests[i], tests[i].initial_state != NULL ? tests[i].initial_state : state);
		printf("%s %u - %s%s\n", how == FAILED ? "not ok" : "ok", (unsigned)(i + 1), tests[i].name,
			how == SKIPPED ? " # SKIP" : "");
		fflush(stdout);
		failed += how == FAILED;
	}
	if (tear_down != NULL && run_function(NULL, tear_down, &state) != PASSED) {
		printf("not ok %u - the group %s was not torn down\n", (unsigned)count, name);
		failed++;
	}
	return failed;
}
