/* Lists the tests of a program. */
/* SPDX-License-Identifier: MIT */
#include <cmocka.h>

#include <stdlib.h>

enum { TESTS_MAX = 64 };

static struct CMUnitTest tests[TESTS_MAX];
static unsigned lines[TESTS_MAX];
static size_t count;

/* Not every system calls constructors in the order of their lines. */
void tests_add(const struct CMUnitTest *test, unsigned line) {
	size_t at = count++;
	if (at == TESTS_MAX) {
		abort();
	}
	for (; at > 0 && lines[at - 1] > line; at--) {
		tests[at] = tests[at - 1];
		lines[at] = lines[at - 1];
	}
	tests[at] = *test;
	lines[at] = line;
}

int tests_run(CMFixtureFunction set_up, CMFixtureFunction tear_down) {
	return _cmocka_run_group_tests("tests", tests, count, set_up, tear_down);
}
