/* Two stores, the same random calls: every answer must be the same, cas ids included. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_STORE_DIFFERENTIAL_H
#define MCP_TESTS_STORE_DIFFERENTIAL_H

#include "../../src/store/store.h"

/* Empties both and fails the running cmocka test at the first difference, naming the seed and step.
 * Nobody else may write to either of them meanwhile. */
void differential_run(mcp_store *model, mcp_store *real, uint64_t seed);

#endif
