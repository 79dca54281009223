/* Undoes the compression of other memcached extensions for PHP. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_INFLATE_H
#define MCP_PHP_INFLATE_H

#include "../../core/bytes.h"

#include "php.h"

typedef enum mcp_compression_form {
	MCP_FORM_PLAIN,
	MCP_FORM_ZLIB, /* pecl-memcache: a bare stream */
	/* php-memcached: the length before compression in 32 bits (of the writing machine's order; read as
	 * little-endian), and a block. */
	MCP_FORM_ZLIB_WITH_LENGTH,
	MCP_FORM_FASTLZ_WITH_LENGTH,
} mcp_compression_form;

/* A new string, or a reference to `item` when it is plain. NULL when it is not of this form, is damaged,
 * or would take more than `length_max`: then no more than that was allocated on the way, and nothing where
 * the item says its length. Runs user code (an error handler may be told of zlib's warnings): the caller
 * holds the item. */
zend_string *mcp_inflate(zend_string *item, mcp_compression_form form, size_t length_max);

#endif
