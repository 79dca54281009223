/* Reads what the published PHP wrapper stored: an array of `_dc_cache`, `_dc_life_end` and
 * `_dc_cache_time`, written by pecl-memcache or by php-memcached, so that a site can switch over. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_LEGACY_H
#define MCP_PHP_LEGACY_H

#include "../../core/bytes.h"

#include "php.h"

/* Decodes the value into *value if the item's flags say that it is a serialized array, it is such a one,
 * without any object, and its life has not ended at now_ms. Takes no more than half of what memory_limit
 * leaves. Runs user code (an error handler): views into the store are dead after. False if it is a miss. */
bool php_mcp_legacy_decode(zval *value, mcp_bytes item, uint32_t flags, uint64_t now_ms);

#endif
