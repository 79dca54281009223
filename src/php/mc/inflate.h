/* Undoes the compression of other memcached extensions for PHP. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_INFLATE_H
#define MCP_PHP_INFLATE_H

#include "../../core/bytes.h"

#include "php.h"

/* A new string, or NULL when `item` is not compressed in a known way, is damaged, or would become
 * larger than 64 MiB. pecl-memcache writes a bare zlib stream; php-memcached the original length in
 * 32 bits (of the writing machine's order; read as little-endian) before a zlib or FastLZ block. */
zend_string *mcp_inflate(mcp_bytes item, uint32_t flags);

#endif
