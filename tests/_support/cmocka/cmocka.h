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

#ifdef assert_uint_in_range
#undef assert_in_range
#define assert_in_range assert_uint_in_range
#endif

#endif
