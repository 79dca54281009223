/* cmocka 1 and 2 under the names of the first: the tests' Makefile finds this file before the library's.
 * cmocka 2 has one assert_in_range for each sign and warns of the common one; and its stop is a macro. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_CMOCKA_H
#define MCP_TESTS_CMOCKA_H

#include_next <cmocka.h>

/* A common name; both have fail() for it. */
#undef stop

#ifdef assert_uint_in_range
#undef assert_in_range
#define assert_in_range assert_uint_in_range
#endif

#endif
