/* MD5, used by memcached clients for the hash ring. Only for key distribution, never against forgery. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_MD5_H
#define MCP_CORE_MD5_H

#include "bytes.h"

#include <stdint.h>

#define MCP_MD5_WORDS 4

/* Digest of any number of bytes (RFC 1321), as 4 words, lowest byte first. Up to 55 bytes, as in most keys,
 * are one block: about 600 instructions. */
void mcp_md5(mcp_bytes message, uint32_t words[MCP_MD5_WORDS]);

#endif
