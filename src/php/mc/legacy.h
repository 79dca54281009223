/* Reads what the published PHP wrapper stored: an array of `_dc_cache`, `_dc_life_end` and
 * `_dc_cache_time`, written by pecl-memcache or by php-memcached, so that a site can switch over. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_LEGACY_H
#define MCP_PHP_LEGACY_H

#include "../../core/bytes.h"

#include "php.h"

/* The value in *value when the item is such an array, however serialized and compressed, and its life
 * has not ended at now_ms. Runs user code: views into the store are dead after. False: a miss. */
bool mcp_legacy_decode(zval *value, mcp_bytes item, uint32_t flags, uint64_t now_ms);

#endif
