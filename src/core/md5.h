/* MD5, by which clients of memcached place servers and keys on their ring: for where things are, never for what must not be
 * forged. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_CORE_MD5_H
#define MCP_CORE_MD5_H

#include "bytes.h"

#include <stdint.h>

#define MCP_MD5_WORDS 4

/* Digests any number of bytes (RFC 1321): the digest's 16 bytes as four words, the lowest byte of each first. Up to 55 bytes, as
 * most keys have, are one block: some 600 instructions. */
void mcp_md5(mcp_bytes message, uint32_t words[MCP_MD5_WORDS]);

#endif
