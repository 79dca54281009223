/* Reads and judges what a MemberSet, and a Table with one for its index, are made with. */
/* SPDX-License-Identifier: MIT */
#include "member_set_arguments.h"

#include "../objects/duration.h"
#include "../objects/object.h"
#include "../pool/class_pool.h"

#define SHARDS_MAX 256

bool php_mcp_member_set_arguments_parse(zend_execute_data *execute_data,
	const mcp_named_object *object, mcp_member_set_arguments *arguments) {
	zend_object *pool_object;
	zval *ttl = NULL;
	zend_long shards = 1;
	ZEND_PARSE_PARAMETERS_START(2, 4)
		Z_PARAM_OBJ_OF_CLASS(pool_object, php_mcp_pool_class_entry)
		Z_PARAM_STR(arguments->name)
		Z_PARAM_OPTIONAL
		Z_PARAM_ZVAL(ttl)
		Z_PARAM_LONG(shards)
	ZEND_PARSE_PARAMETERS_END_EX(return false);

	arguments->pool = php_mcp_named_object_judge(pool_object, arguments->name);
	if (arguments->pool == NULL) {
		return false;
	}
	if (shards < 1 || shards > SHARDS_MAX) {
		zend_argument_value_error(4, "must be between 1 and %d", SHARDS_MAX);
		return false;
	}
	arguments->shards = (uint32_t)shards;
	arguments->ttl_ms = 0;
	/* Reading a duration may run the handler of a deprecation: last comes whether the object is new. */
	return (ttl == NULL || php_mcp_duration_parse(ttl, 3, MCP_DURATION_ANY, &arguments->ttl_ms)) &&
		php_mcp_object_require_new(&object->std, object->pool);
}
