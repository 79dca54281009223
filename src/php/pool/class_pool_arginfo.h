/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 389b04d93ac888c1a7fa1b5b4c29e479d5ccacfd */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_McPatterns_Pool___construct, 0, 0, 0)
	ZEND_ARG_TYPE_MASK(0, servers, MAY_BE_STRING|MAY_BE_ARRAY|MAY_BE_NULL, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, prefix, IS_STRING, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, distribution, McPatterns\\Distribution, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, serializer, McPatterns\\Serializer, 1, "null")
	ZEND_ARG_TYPE_MASK(0, allowedClasses, MAY_BE_BOOL|MAY_BE_ARRAY, "true")
	ZEND_ARG_TYPE_MASK(0, signingKey, MAY_BE_STRING|MAY_BE_ARRAY|MAY_BE_NULL, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, compression, McPatterns\\Compression, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, compressAbove, IS_LONG, 1, "null")
	ZEND_ARG_TYPE_MASK(0, connectTimeout, MAY_BE_LONG|MAY_BE_DOUBLE|MAY_BE_NULL, "null")
	ZEND_ARG_TYPE_MASK(0, timeout, MAY_BE_LONG|MAY_BE_DOUBLE|MAY_BE_NULL, "null")
	ZEND_ARG_TYPE_MASK(0, retryAfter, MAY_BE_LONG|MAY_BE_DOUBLE|MAY_BE_NULL, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, failover, _IS_BOOL, 0, "false")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, persistent, _IS_BOOL, 1, "null")
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, transport, McPatterns\\Transport, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, tls, IS_ARRAY, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, user, IS_STRING, 1, "null")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, password, IS_STRING, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_OBJ_INFO_EX(arginfo_class_McPatterns_Pool_default, 0, 0, McPatterns\\Pool, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Pool_endRequest, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Pool_diagnose, 0, 0, IS_ARRAY, 0)
	ZEND_ARG_OBJ_INFO_WITH_DEFAULT_VALUE(0, pool, McPatterns\\Pool, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Pool_servers, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Pool_serverFor, 0, 1, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO(0, key, IS_STRING, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_McPatterns_Pool_ping arginfo_class_McPatterns_Pool_servers

#define arginfo_class_McPatterns_Pool_stats arginfo_class_McPatterns_Pool_servers

#define arginfo_class_McPatterns_Pool_lastErrors arginfo_class_McPatterns_Pool_servers

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Pool_onError, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, listener, IS_CALLABLE, 1)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Pool_flush, 0, 0, _IS_BOOL, 0)
ZEND_END_ARG_INFO()

#define arginfo_class_McPatterns_Pool_close arginfo_class_McPatterns_Pool_endRequest


static ZEND_METHOD(McPatterns_Pool, __construct);
static ZEND_METHOD(McPatterns_Pool, default);
static ZEND_METHOD(McPatterns_Pool, endRequest);
static ZEND_METHOD(McPatterns_Pool, diagnose);
static ZEND_METHOD(McPatterns_Pool, servers);
static ZEND_METHOD(McPatterns_Pool, serverFor);
static ZEND_METHOD(McPatterns_Pool, ping);
static ZEND_METHOD(McPatterns_Pool, stats);
static ZEND_METHOD(McPatterns_Pool, lastErrors);
static ZEND_METHOD(McPatterns_Pool, onError);
static ZEND_METHOD(McPatterns_Pool, flush);
static ZEND_METHOD(McPatterns_Pool, close);


static const zend_function_entry class_McPatterns_Pool_methods[] = {
	ZEND_ME(McPatterns_Pool, __construct, arginfo_class_McPatterns_Pool___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Pool, default, arginfo_class_McPatterns_Pool_default, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(McPatterns_Pool, endRequest, arginfo_class_McPatterns_Pool_endRequest, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(McPatterns_Pool, diagnose, arginfo_class_McPatterns_Pool_diagnose, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(McPatterns_Pool, servers, arginfo_class_McPatterns_Pool_servers, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Pool, serverFor, arginfo_class_McPatterns_Pool_serverFor, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Pool, ping, arginfo_class_McPatterns_Pool_ping, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Pool, stats, arginfo_class_McPatterns_Pool_stats, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Pool, lastErrors, arginfo_class_McPatterns_Pool_lastErrors, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Pool, onError, arginfo_class_McPatterns_Pool_onError, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Pool, flush, arginfo_class_McPatterns_Pool_flush, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_Pool, close, arginfo_class_McPatterns_Pool_close, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_McPatterns_Pool(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "Pool", class_McPatterns_Pool_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;


	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "__construct", sizeof("__construct") - 1), 0, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "__construct", sizeof("__construct") - 1), 5, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "__construct", sizeof("__construct") - 1), 14, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	zend_add_parameter_attribute(zend_hash_str_find_ptr(&class_entry->function_table, "__construct", sizeof("__construct") - 1), 16, ZSTR_KNOWN(ZEND_STR_SENSITIVEPARAMETER), 0);

	return class_entry;
}
