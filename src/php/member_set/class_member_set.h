/* The object behind McPatterns\MemberSet, and the way from one of them to what the pattern asks for. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_MEMBER_SET_CLASS_MEMBER_SET_H
#define MCP_PHP_MEMBER_SET_CLASS_MEMBER_SET_H

#include "../../patterns/member_set/member_set.h"
#include "../pooled/pooled_object.h"
#include "php.h"

/* Changing and reading the members of a set, for the classes that keep one: MemberSet its members, Table its ids. */

/* The request's: a fatal error in between leaves nothing behind. */
extern const mcp_member_memory php_mcp_member_changes_memory;

/* False with a ValueError about parameter arg_num if it cannot be a member. */
bool php_mcp_member_changes_judge(const zend_string *member, uint32_t arg_num);

/* Reads the members into a list, unless `list` is NULL, and counts them. All or nothing: on a failure the list
 * is UNDEF. Compacts what is wasteful. */
mcp_status php_mcp_member_changes_read(const mcp_member_set *set, zval *list, size_t *count);

/* The arguments of the constructors of McPatterns\MemberSet and McPatterns\Table. */

typedef struct mcp_member_set_arguments {
	mcp_pool *pool; /* borrowed, as the name */
	zend_string *name;
	uint64_t ttl_ms; /* 0: no end */
	uint32_t shards;
} mcp_member_set_arguments;

/* Parses the arguments in a constructor's own frame. False with an exception; then the object stays
 * unconstructed. May run user code. */
bool php_mcp_member_set_arguments_parse(zend_execute_data *execute_data,
	const mcp_named_object *object, mcp_member_set_arguments *arguments);

#endif
