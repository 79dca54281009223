/* FastLZ, the default of php-memcached. Read only, because Debian ships no library for it. */
/* SPDX-License-Identifier: MIT */
#include "compressors.h"

#include "../../core/fastlz.h"

static bool inflate(char *to, size_t length, mcp_bytes block) {
	return mcp_fastlz_expand(block, to, length);
}

const mcp_compressor php_mcp_compressor_fastlz = {
	.name = "fastlz",
	.flags = MCP_VALUE_COMPRESSED | MCP_VALUE_FASTLZ,
	.may_become = mcp_fastlz_becomes,
	.inflate = inflate,
};
