/* The fixture of the metrics' tests: counters that start empty, and the moment at which they count. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_METRICS_FIXTURE_H
#define MCP_TESTS_METRICS_FIXTURE_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../src/core/metrics/metrics.h"
#define NOW_MS 1763688000250ull

static inline int make(void **state) {
	*state = calloc(1, sizeof(mcp_metrics));
	return *state == NULL;
}

static inline int unmake(void **state) {
	free(*state);
	return 0;
}

#endif
