/* Keeps a few random numbers ahead; what no other process may repeat is thrown away in a child. */
/* SPDX-License-Identifier: MIT */
#include "randomness.h"

#include "php.h"

#include "ext/random/php_random.h"
#include "process.h"
#include "system_time.h"

/* Mixes what differs between any two calls of any two processes of a host. Only for a system whose
 * random source is broken: tokens then are unique, though not secret (SplitMix64's finalizer). */
static uint64_t take_without_source(void) {
	uint64_t mixed = php_mcp_system_measure_ns() ^ (php_mcp_system_wall_ns() << 20) ^
		((uint64_t)php_mcp_process_id() << 40);
	mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ull;
	mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBull;
	return mixed ^ (mixed >> 31);
}

static bool fetch(mcp_randomness *randomness) {
	randomness->left = 0;
	if (UNEXPECTED(php_random_bytes_silent(randomness->numbers, sizeof(randomness->numbers)) ==
			FAILURE)) {
		return false;
	}
	randomness->left = MCP_RANDOM_NUMBERS;
	randomness->fetched_by = php_mcp_process_id();
	return true;
}

static zend_always_inline uint64_t take(mcp_randomness *randomness) {
	uint64_t *number = &randomness->numbers[--randomness->left];
	uint64_t taken = *number;
	*number = 0;
	return taken;
}

static zend_never_inline uint64_t take_fetched(mcp_randomness *randomness) {
	return fetch(randomness) ? take(randomness) : take_without_source();
}

uint64_t php_mcp_randomness_take(mcp_randomness *randomness) {
	bool is_ours = randomness->left > 0 && randomness->fetched_by == php_mcp_process_id();
	return EXPECTED(is_ours) ? take(randomness) : take_fetched(randomness);
}
