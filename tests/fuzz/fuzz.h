/* What every fuzzer has. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_TESTS_FUZZ_H
#define MCP_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(bool is_true) {
	if (!is_true) {
		abort();
	}
}

#endif
