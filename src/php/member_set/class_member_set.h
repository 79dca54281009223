/* The object of McPatterns\MemberSet, and its operations for other classes. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_MEMBER_SET_CLASS_MEMBER_SET_H
#define MCP_PHP_MEMBER_SET_CLASS_MEMBER_SET_H

#include "../../patterns/member_set/member_set.h"
#include "../pooled/pooled_object.h"
#include "php.h"

/* Allocates request memory, so that a fatal error leaks none. */
extern const mcp_member_memory php_mcp_member_set_memory;

/* Returns false with a ValueError about parameter `arg_num` if the string cannot be a member. */
bool php_mcp_member_set_judge_member(const zend_string *member, uint32_t arg_num);

/* Count the members, and list them unless `list` is NULL. If any shard fails, the list is UNDEF. Compacts at most one
 * wasteful shard. */
mcp_status php_mcp_member_set_read(const mcp_member_set *set, zval *list, size_t *count);

/* The object of McPatterns\MemberSet, and the base of the object of McPatterns\Table. */
typedef struct mcp_member_set_object {
	uint64_t ttl_ms; /* 0: never expires */
	uint32_t shards;
	mcp_named_object named;
} mcp_member_set_object;

/* Construct the object in a constructor's own frame. `space`: key space of the name. Can run user code. Returns false
 * with an exception; the object then remains unconstructed. */
bool php_mcp_member_set_object_construct(zend_execute_data *execute_data,
	mcp_member_set_object *object, mcp_key_space space);

/* Implements `show` of mcp_named_class. */
void php_mcp_member_set_object_show(const mcp_named_object *named, zval *info);

#endif
