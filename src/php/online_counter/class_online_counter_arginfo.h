/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 3dd3e791b7db75dba8b33a5e9f0150aad753406e */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_McPatterns_OnlineCounter___construct, 0, 0, 2)
	ZEND_ARG_OBJ_INFO(0, pool, McPatterns\\Pool, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, window, IS_LONG, 0, "300")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, slots, IS_LONG, 0, "5")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, whenDown, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_OnlineCounter_increment, 0, 0, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, by, IS_LONG, 0, "1")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_OnlineCounter_hit, 0, 1, _IS_BOOL, 0)
	ZEND_ARG_TYPE_INFO(0, visitor, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_OnlineCounter_count, 0, 0, IS_LONG, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, smooth, _IS_BOOL, 0, "false")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_OnlineCounter_perSlot, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()


static ZEND_METHOD(McPatterns_OnlineCounter, __construct);
static ZEND_METHOD(McPatterns_OnlineCounter, increment);
static ZEND_METHOD(McPatterns_OnlineCounter, hit);
static ZEND_METHOD(McPatterns_OnlineCounter, count);
static ZEND_METHOD(McPatterns_OnlineCounter, perSlot);


static const zend_function_entry class_McPatterns_OnlineCounter_methods[] = {
	ZEND_ME(McPatterns_OnlineCounter, __construct, arginfo_class_McPatterns_OnlineCounter___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_OnlineCounter, increment, arginfo_class_McPatterns_OnlineCounter_increment, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_OnlineCounter, hit, arginfo_class_McPatterns_OnlineCounter_hit, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_OnlineCounter, count, arginfo_class_McPatterns_OnlineCounter_count, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_OnlineCounter, perSlot, arginfo_class_McPatterns_OnlineCounter_perSlot, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_McPatterns_OnlineCounter(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "OnlineCounter", class_McPatterns_OnlineCounter_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
