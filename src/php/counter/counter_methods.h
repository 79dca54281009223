/* The method of McPatterns\Counter that stands outside class_counter.c. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_COUNTER_METHODS_H
#define MCP_PHP_COUNTER_METHODS_H

#include "php.h"

ZEND_METHOD(McPatterns_Counter, drain);

#endif
