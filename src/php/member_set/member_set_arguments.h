/* The arguments of the constructors of McPatterns\MemberSet and McPatterns\Table. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_MEMBER_SET_ARGUMENTS_H
#define MCP_PHP_MEMBER_SET_ARGUMENTS_H

#include "../pooled/named_object.h"

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
