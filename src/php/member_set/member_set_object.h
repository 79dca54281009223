/* The object behind McPatterns\MemberSet, and the way from one of them to what the pattern asks for. */
/* SPDX-License-Identifier: MIT */
#ifndef MCP_PHP_MEMBER_SET_OBJECT_H
#define MCP_PHP_MEMBER_SET_OBJECT_H

#include "../../patterns/member_set/member_set.h"
#include "../pooled/named_object.h"

#include "php.h"

typedef struct mcp_member_set_object {
	uint64_t ttl_ms;
	uint32_t shards;
	mcp_named_object named;
} mcp_member_set_object;

static inline mcp_member_set_object *php_mcp_member_set_object_from(zend_object *object) {
	return (mcp_member_set_object *)((char *)object - offsetof(mcp_member_set_object, named.std));
}

/* The pattern's wants, on the stack of a method; renewed after user code. */
typedef struct mcp_member_set_call {
	mcp_member_set_object *object;
	mcp_key_buffer buffer;
	mcp_key key;
	mcp_member_set set;
} mcp_member_set_call;

/* Begins a call; false with an Error if the object was never constructed. */
bool php_mcp_member_set_call_begin(mcp_member_set_call *call, zend_object *std);
void php_mcp_member_set_call_throw(const mcp_member_set_call *call, mcp_status status,
	const char *action);

/* Registers at start-up how objects of the class begin, are shown and end. */
void php_mcp_member_set_object_register(zend_class_entry *type);

#endif
