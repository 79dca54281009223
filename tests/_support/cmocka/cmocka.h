/* cmocka 1 and 2 under the names of cmocka 1, with the headers that must be included before. The tests' Makefile
 * finds this file before the library's. cmocka 2 has separate assert_in_range macros for signed and unsigned
 * values, warns about the common one, and defines a macro stop. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_CMOCKA_H
#define MCP_TESTS_CMOCKA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include_next <cmocka.h>

/* A common name. Both versions have fail() for it. */
#undef stop

/* Defines a test, and a test with functions to run before and after it, which may set *state. A program runs its tests in
 * the order of their lines, also without a main() of its own. */
#define TEST(name) TEST_WITH(name, NULL, NULL)
#define TEST_WITH(name, set_up, tear_down)     \
	static void name(void **state);            \
	TEST_JOINS(#name, name, set_up, tear_down) \
	static void name(void **state)
/* A test of what *state points to, under the name of a variable. */
#define TEST_OF(type, name, variable, set_up, tear_down) \
	static void name(type *variable);                    \
	static void name##_begins(void **state) {            \
		name(*state);                                    \
	}                                                    \
	TEST_JOINS(#name, name##_begins, set_up, tear_down)  \
	static void name(type *variable)
#define TEST_JOINS(name, function, set_up, tear_down)                                       \
	__attribute__((constructor)) static void function##_joins(void) {                       \
		tests_add(&(struct CMUnitTest){name, function, set_up, tear_down, NULL}, __LINE__); \
	}

void tests_add(const struct CMUnitTest *test, unsigned line);
/* Runs them all, between two functions for the whole program. */
int tests_run(CMFixtureFunction set_up, CMFixtureFunction tear_down);

#ifdef assert_uint_in_range
#undef assert_in_range
#define assert_in_range assert_uint_in_range
#endif

#endif
