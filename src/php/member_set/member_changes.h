/* Changing and reading the members of a set, for the classes that keep one: MemberSet its members, Table its ids. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_MEMBER_CHANGES_H
#define MCP_PHP_MEMBER_CHANGES_H

#include "../../patterns/member_set/member_set.h"

#include "php.h"

/* Longer ones are refused: bytes. */
#define MCP_MEMBER_MAX 65536

/* The request's: a fatal error in between leaves nothing behind. */
extern const mcp_member_memory php_mcp_member_changes_memory;

/* False with a ValueError about parameter arg_num if it cannot be a member. */
bool php_mcp_member_changes_judge(const zend_string *member, uint32_t arg_num);

/* Applies one operation on each of these members, in one round trip for each shard that has any of them. Ends at the
 * first that fails. */
mcp_status php_mcp_member_changes_apply(const mcp_member_set *set, bool is_add,
	zend_string **members, uint32_t count);

/* Reads the members into a list, unless `list` is NULL, and counts them. All or nothing: on a failure the list
 * is UNDEF. Compacts what is wasteful. */
mcp_status php_mcp_member_changes_read(const mcp_member_set *set, zval *list, size_t *count);

/* Says whether the member is in. */
mcp_status php_mcp_member_changes_look(const mcp_member_set *set, const zend_string *member,
	bool *is_in);

/* Forgets all of them. */
mcp_status php_mcp_member_changes_clear(const mcp_member_set *set);

#endif
