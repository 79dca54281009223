/* This is a generated file, edit the .stub.php file instead.
 * Stub hash: 222263798bbcd6896a1cb4ca2d06412c6e2cb134 */

ZEND_BEGIN_ARG_INFO_EX(arginfo_class_McPatterns_Clock___construct, 0, 0, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Clock_now, 0, 0, IS_DOUBLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Clock_freeze, 0, 0, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO_WITH_DEFAULT_VALUE(0, at, IS_DOUBLE, 1, "null")
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Clock_advance, 0, 1, IS_VOID, 0)
	ZEND_ARG_TYPE_INFO(0, seconds, IS_DOUBLE, 0)
ZEND_END_ARG_INFO()

ZEND_BEGIN_ARG_WITH_RETURN_TYPE_INFO_EX(arginfo_class_McPatterns_Clock_unfreeze, 0, 0, IS_VOID, 0)
ZEND_END_ARG_INFO()


static ZEND_METHOD(McPatterns_Clock, __construct);
static ZEND_METHOD(McPatterns_Clock, now);
static ZEND_METHOD(McPatterns_Clock, freeze);
static ZEND_METHOD(McPatterns_Clock, advance);
static ZEND_METHOD(McPatterns_Clock, unfreeze);


static const zend_function_entry class_McPatterns_Clock_methods[] = {
	ZEND_ME(McPatterns_Clock, __construct, arginfo_class_McPatterns_Clock___construct, ZEND_ACC_PRIVATE)
	ZEND_ME(McPatterns_Clock, now, arginfo_class_McPatterns_Clock_now, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(McPatterns_Clock, freeze, arginfo_class_McPatterns_Clock_freeze, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(McPatterns_Clock, advance, arginfo_class_McPatterns_Clock_advance, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_ME(McPatterns_Clock, unfreeze, arginfo_class_McPatterns_Clock_unfreeze, ZEND_ACC_PUBLIC|ZEND_ACC_STATIC)
	ZEND_FE_END
};

static zend_class_entry *register_class_McPatterns_Clock(void)
{
	zend_class_entry ce, *class_entry;

	INIT_NS_CLASS_ENTRY(ce, "McPatterns", "Clock", class_McPatterns_Clock_methods);
	class_entry = zend_register_internal_class_ex(&ce, NULL);
	class_entry->ce_flags |= ZEND_ACC_FINAL|ZEND_ACC_NO_DYNAMIC_PROPERTIES|ZEND_ACC_NOT_SERIALIZABLE;

	return class_entry;
}
