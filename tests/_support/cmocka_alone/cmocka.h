/* The part of cmocka's interface that the C tests use, for builds without its library: musl-gcc, Windows. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_CMOCKA_ALONE_H
#define MCP_TESTS_CMOCKA_ALONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef void (*CMUnitTestFunction)(void **state);
typedef int (*CMFixtureFunction)(void **state);

struct CMUnitTest {
	const char *name;
	CMUnitTestFunction test_func;
	CMFixtureFunction setup_func;
	CMFixtureFunction teardown_func;
	void *initial_state;
};

#define cmocka_unit_test(f) \
	{ #f, f, NULL, NULL, NULL }
#define cmocka_unit_test_setup(f, setup) \
	{ #f, f, setup, NULL, NULL }
#define cmocka_unit_test_teardown(f, teardown) \
	{ #f, f, NULL, teardown, NULL }
#define cmocka_unit_test_setup_teardown(f, setup, teardown) \
	{ #f, f, setup, teardown, NULL }
#define cmocka_unit_test_prestate_setup_teardown(f, setup, teardown, state) \
	{ #f, f, setup, teardown, state }
#define cmocka_run_group_tests_name(name, tests, setup, teardown) \
	_cmocka_run_group_tests(name, tests, sizeof(tests) / sizeof((tests)[0]), setup, teardown)
#define cmocka_run_group_tests(tests, setup, teardown) \
	cmocka_run_group_tests_name(#tests, tests, setup, teardown)

/* Prints TAP. Returns the number of failed tests. */
int _cmocka_run_group_tests(const char *name, const struct CMUnitTest *tests, size_t count,
	CMFixtureFunction set_up, CMFixtureFunction tear_down);

/* End the test as failed, with a message, or as skipped. */
_Noreturn void cmocka_alone_fail(const char *file, int line, const char *format, ...);
_Noreturn void cmocka_alone_skip(void);
void print_message(const char *format, ...);

#define fail_msg(...) cmocka_alone_fail(__FILE__, __LINE__, __VA_ARGS__)
#define fail() fail_msg("fail()")
#define skip() cmocka_alone_skip()

static inline void cmocka_alone_hold(bool holds, const char *file, int line, const char *text) {
	if (!holds) {
		cmocka_alone_fail(file, line, "%s", text);
	}
}

static inline void cmocka_alone_compare(uintmax_t a, uintmax_t b, bool must_equal, const char *file,
	int line, const char *text) {
	if ((a == b) != must_equal) {
		cmocka_alone_fail(file, line, "%s: %#llx, %#llx", text, (unsigned long long)a,
			(unsigned long long)b);
	}
}

static inline void cmocka_alone_compare_text(const char *a, const char *b, const char *file,
	int line) {
	if (strcmp(a, b) != 0) {
		cmocka_alone_fail(file, line, "\"%s\" is not \"%s\"", a, b);
	}
}

static inline void cmocka_alone_hold_range(uintmax_t value, uintmax_t least, uintmax_t most,
	const char *file, int line, const char *text) {
	if (value < least || value > most) {
		cmocka_alone_fail(file, line, "%s: %llu", text, (unsigned long long)value);
	}
}

#define assert_true(c) cmocka_alone_hold(!!(c), __FILE__, __LINE__, #c)
#define assert_false(c) cmocka_alone_hold(!(c), __FILE__, __LINE__, "not " #c)
#define assert_null(p) cmocka_alone_hold((p) == NULL, __FILE__, __LINE__, #p " is NULL")
#define assert_non_null(p) cmocka_alone_hold((p) != NULL, __FILE__, __LINE__, #p " is not NULL")
#define assert_int_equal(a, b) \
	cmocka_alone_compare((uintmax_t)(a), (uintmax_t)(b), true, __FILE__, __LINE__, #a " is " #b)
#define assert_int_not_equal(a, b)                                                  \
	cmocka_alone_compare((uintmax_t)(a), (uintmax_t)(b), false, __FILE__, __LINE__, \
		#a " is not " #b)
#define assert_ptr_equal(a, b) \
	cmocka_alone_compare((uintptr_t)(a), (uintptr_t)(b), true, __FILE__, __LINE__, #a " is " #b)
#define assert_ptr_not_equal(a, b)                                                  \
	cmocka_alone_compare((uintptr_t)(a), (uintptr_t)(b), false, __FILE__, __LINE__, \
		#a " is not " #b)
#define assert_string_equal(a, b) cmocka_alone_compare_text(a, b, __FILE__, __LINE__)
#define assert_memory_equal(a, b, size) \
	cmocka_alone_hold(memcmp(a, b, size) == 0, __FILE__, __LINE__, #a " has the bytes of " #b)
#define assert_memory_not_equal(a, b, size) \
	cmocka_alone_hold(memcmp(a, b, size) != 0, __FILE__, __LINE__, #a " has other bytes than " #b)
#define assert_in_range(value, least, most)                                                      \
	cmocka_alone_hold_range((uintmax_t)(value), (uintmax_t)(least), (uintmax_t)(most), __FILE__, \
		__LINE__, #value " is from " #least " to " #most)

#endif
