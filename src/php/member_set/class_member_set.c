/* The class McPatterns\MemberSet: each method reads its arguments, asks for its work and answers. */
/* SPDX-License-Identifier: MIT */
#include "../objects/classes.h"
#include "../engine/compat.h"
#include "../objects/strict_argument.h"
#include "member_changes.h"
#include "member_set_arguments.h"
#include "member_set_object.h"

#include "class_member_set_arginfo.h"

ZEND_METHOD(McPatterns_MemberSet, __construct) {
	mcp_member_set_object *object = php_mcp_member_set_object_from(Z_OBJ_P(ZEND_THIS));
	mcp_member_set_arguments arguments;
	(void)return_value;
	if (!php_mcp_member_set_arguments_parse(execute_data, &object->named, &arguments)) {
		RETURN_THROWS();
	}
	object->ttl_ms = arguments.ttl_ms;
	object->shards = arguments.shards;
	php_mcp_named_object_hold(&object->named, arguments.pool, arguments.name);
}

/* Reads string ...$members in place, which may run user code, and puts them into memory that the caller frees. NULL with
 * an exception. */
static zend_string **read_members(zval *arguments, uint32_t count) {
	zend_string **members = safe_emalloc(count, sizeof(*members), 1);
	for (uint32_t i = 0; i < count; i++) {
		if (!php_mcp_strict_argument_read_text_of_many(i + 1, &arguments[i], &members[i]) ||
			!php_mcp_member_changes_judge(members[i], i + 1)) {
			efree(members);
			return NULL;
		}
	}
	return members;
}

static void change(INTERNAL_FUNCTION_PARAMETERS, bool is_add, const char *action) {
	zval *arguments;
	uint32_t count;
	(void)return_value;
	ZEND_PARSE_PARAMETERS_START(0, -1)
		Z_PARAM_VARIADIC('*', arguments, count)
	ZEND_PARSE_PARAMETERS_END();

	zend_string **members = read_members(arguments, count);
	mcp_member_set_call call;
	if (members == NULL) {
		RETURN_THROWS();
	}
	if (php_mcp_member_set_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		mcp_status status = php_mcp_member_changes_apply(&call.set, is_add, members, count);
		if (status != MCP_OK) {
			php_mcp_member_set_call_throw(&call, status, action);
		}
	}
	efree(members);
}

ZEND_METHOD(McPatterns_MemberSet, add) {
	change(INTERNAL_FUNCTION_PARAM_PASSTHRU, true, "add to the member set");
}

ZEND_METHOD(McPatterns_MemberSet, remove) {
	change(INTERNAL_FUNCTION_PARAM_PASSTHRU, false, "remove from the member set");
}

ZEND_METHOD(McPatterns_MemberSet, has) {
	zend_string *member;
	ZEND_PARSE_PARAMETERS_START(1, 1)
		Z_PARAM_STR(member)
	ZEND_PARSE_PARAMETERS_END();

	mcp_member_set_call call;
	if (!php_mcp_member_set_call_begin(&call, Z_OBJ_P(ZEND_THIS)) ||
		!php_mcp_member_changes_judge(member, 1)) {
		RETURN_THROWS();
	}
	bool is_in = false;
	mcp_status status = php_mcp_member_changes_look(&call.set, member, &is_in);
	if (status != MCP_OK) {
		php_mcp_member_set_call_throw(&call, status, "read the member set");
		RETURN_THROWS();
	}
	RETURN_BOOL(is_in);
}

ZEND_METHOD(McPatterns_MemberSet, members) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_member_set_call call;
	if (!php_mcp_member_set_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	size_t count;
	mcp_status status = php_mcp_member_changes_read(&call.set, return_value, &count);
	if (status != MCP_OK) {
		php_mcp_member_set_call_throw(&call, status, "read the member set");
	}
}

ZEND_METHOD(McPatterns_MemberSet, count) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_member_set_call call;
	if (!php_mcp_member_set_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	size_t count;
	mcp_status status = php_mcp_member_changes_read(&call.set, NULL, &count);
	if (status != MCP_OK) {
		php_mcp_member_set_call_throw(&call, status, "read the member set");
		RETURN_THROWS();
	}
	RETURN_LONG((zend_long)count);
}

ZEND_METHOD(McPatterns_MemberSet, clear) {
	ZEND_PARSE_PARAMETERS_NONE();
	mcp_member_set_call call;
	if (!php_mcp_member_set_call_begin(&call, Z_OBJ_P(ZEND_THIS))) {
		RETURN_THROWS();
	}
	mcp_status status = php_mcp_member_changes_clear(&call.set);
	if (status != MCP_OK) {
		php_mcp_member_set_call_throw(&call, status, "clear the member set");
	}
}

void php_mcp_class_member_set_register(void) {
	php_mcp_member_set_object_register(register_class_McPatterns_MemberSet());
}
