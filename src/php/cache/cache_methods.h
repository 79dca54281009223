/* The methods of McPatterns\Cache, so that each can stand in the file it belongs to. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_CACHE_METHODS_H
#define MCP_PHP_CACHE_METHODS_H

#include "php.h"

ZEND_METHOD(McPatterns_Cache, __construct);
ZEND_METHOD(McPatterns_Cache, get);
ZEND_METHOD(McPatterns_Cache, peek);
ZEND_METHOD(McPatterns_Cache, entry);
ZEND_METHOD(McPatterns_Cache, lookup);
ZEND_METHOD(McPatterns_Cache, publish);
ZEND_METHOD(McPatterns_Cache, abandon);
ZEND_METHOD(McPatterns_Cache, has);
ZEND_METHOD(McPatterns_Cache, set);
ZEND_METHOD(McPatterns_Cache, add);
ZEND_METHOD(McPatterns_Cache, replace);
ZEND_METHOD(McPatterns_Cache, update);
ZEND_METHOD(McPatterns_Cache, pull);
ZEND_METHOD(McPatterns_Cache, delete);
ZEND_METHOD(McPatterns_Cache, expire);
ZEND_METHOD(McPatterns_Cache, touch);
ZEND_METHOD(McPatterns_Cache, increment);
ZEND_METHOD(McPatterns_Cache, decrement);
ZEND_METHOD(McPatterns_Cache, remember);
ZEND_METHOD(McPatterns_Cache, rememberMany);
ZEND_METHOD(McPatterns_Cache, getMultiple);
ZEND_METHOD(McPatterns_Cache, setMultiple);
ZEND_METHOD(McPatterns_Cache, deleteMultiple);
ZEND_METHOD(McPatterns_Cache, stats);

#endif
