/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 86a1ff71a8b9ff24b77117bce9326c8b36caf399 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_McPatterns_EventLog___construct, 0, 0, 2)
	ZEND_ARG_OBJ_INFO(0, pool, McPatterns\\Pool, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, age, IS_LONG, 0, "3600")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, slots, IS_LONG, 0, "12")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, quiet, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_EventLog_append, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, event, IS_MIXED, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_EventLog_last, 0, 0, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, n, IS_LONG, 0, "100")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_EventLog_since, 0, 1, IS_ARRAY, 0)
	ZEND_ARG_TYPE_INFO(1, cursor, IS_STRING, 1)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, limit, IS_LONG, 0, "1000")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(1, lost, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_EventLog_clear, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()


static ZEND_METHOD(McPatterns_EventLog, __construct);
static ZEND_METHOD(McPatterns_EventLog, append);
static ZEND_METHOD(McPatterns_EventLog, last);
static ZEND_METHOD(McPatterns_EventLog, since);
static ZEND_METHOD(McPatterns_EventLog, clear);


static const zend_function_entry class_McPatterns_EventLog_methods[] = {
	ZEND_ME(McPatterns_EventLog, __construct, arginfo_class_McPatterns_EventLog___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_EventLog, append, arginfo_class_McPatterns_EventLog_append, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_EventLog, last, arginfo_class_McPatterns_EventLog_last, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_EventLog, since, arginfo_class_McPatterns_EventLog_since, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_EventLog, clear, arginfo_class_McPatterns_EventLog_clear, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_McPatterns_EventLog(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "EventLog", class_McPatterns_EventLog_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
