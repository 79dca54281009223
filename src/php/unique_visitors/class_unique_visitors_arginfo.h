/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 9accf15e4ee45586e548550fb63447e4eb41759c */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_McPatterns_UniqueVisitors___construct, 0, 0, 2)
	ZEND_ARG_OBJ_INFO(0, pool, McPatterns\\Pool, 0)
	ZEND_ARG_TYPE_INFO(0, name, IS_STRING, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, window, IS_LONG, 0, "86400")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, slots, IS_LONG, 0, "24")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, precision, IS_LONG, 0, "12")
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, whenDown, IS_LONG, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_UniqueVisitors_hit, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, visitor, IS_STRING, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_UniqueVisitors_count, 0, 0, IS_LONG, 0)
	ZEND_ARG_VARIADIC_OBJ_INFO(0, others, McPatterns\\\125niqueVisitors, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_UniqueVisitors_perSlot, 0, 0, IS_ARRAY, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_UniqueVisitors_reset, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()


ZEND_METHOD(McPatterns_UniqueVisitors, __construct);
ZEND_METHOD(McPatterns_UniqueVisitors, hit);
ZEND_METHOD(McPatterns_UniqueVisitors, count);
ZEND_METHOD(McPatterns_UniqueVisitors, perSlot);
ZEND_METHOD(McPatterns_UniqueVisitors, reset);


static const zend_function_entry class_McPatterns_UniqueVisitors_methods[] = {
	ZEND_ME(McPatterns_UniqueVisitors, __construct, arginfo_class_McPatterns_UniqueVisitors___construct, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_UniqueVisitors, hit, arginfo_class_McPatterns_UniqueVisitors_hit, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_UniqueVisitors, count, arginfo_class_McPatterns_UniqueVisitors_count, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_UniqueVisitors, perSlot, arginfo_class_McPatterns_UniqueVisitors_perSlot, ZEND_ACC_PUBLIC)
	ZEND_ME(McPatterns_UniqueVisitors, reset, arginfo_class_McPatterns_UniqueVisitors_reset, ZEND_ACC_PUBLIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_McPatterns_UniqueVisitors(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "UniqueVisitors", class_McPatterns_UniqueVisitors_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
